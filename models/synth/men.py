"""Faces of the men: albedo and slope of every design, gathered in one atlas for each set."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

from .arrays import Array, Rng, blur
from .paint import Colour, Material, lightness, scaled
from .style import MenLook, Style
from .textures import sheet

#: Edge of one face in the atlas, pixels; the disc's radius takes FACE_RADIUS of them.
FACE = 112
FACE_RADIUS = 52.0

#: The blocks of a chip are where the cosine of their angle is over this.
SPOT = 0.35

#: Faces of one side that look alike but not the same.
VARIANTS = 3
#: Atlas rows: VARIANTS faces of the lighter men, their back, the same for the darker ones, then:
COIN, CAP, CUP = 2 * (VARIANTS + 1), 2 * (VARIANTS + 1) + 1, 2 * (VARIANTS + 1) + 2
#: The odd ones' faces, of the lighter and of the darker side.
ODD = CUP + 1
FACES = ODD + 2


@dataclass(frozen=True, slots=True, eq=False)
class Atlas:
    """All faces of a set, one under the other.

    Attributes:
        albedo: uint8 (FACES * FACE, FACE, 3), display colours.
        slope: float32 (FACES * FACE, FACE, 2), x and y parts of the surface normal.
        edges: float32 (FACES, 3), albedo of the wall in display units.
    """

    albedo: Array
    slope: Array
    edges: Array


def face_index(side: int, variant: int) -> int:
    """Atlas row of a man's face; ``variant`` VARIANTS is its back."""
    return side * (VARIANTS + 1) + variant


@lru_cache(maxsize=64)
def atlas(style: Style) -> Atlas:
    """The faces of a set."""
    rng = np.random.default_rng([style.seed, 1])
    look = style.men
    faces = []
    for material in look.sides:
        relief, ink = face_relief(look, look.emblem, rng), emblem_colour(material, rng)
        for _ in range(VARIANTS):
            plank = toned(material, look.variation, rng)
            faces.append(face(plank, look, look.emblem, ink, relief, rng))
        faces.append(face(material, look, look.emblem_back, ink, back_relief(look, rng), rng))
    faces += [coin_face(rng), cap_face(rng), cup_face(rng)]
    flat = np.zeros((FACE, FACE), np.float32)
    faces += [face(material, look, "none", (0.0, 0.0, 0.0), flat, rng) for material in look.odd]
    albedo = np.concatenate([f[0] for f in faces])
    slope = np.concatenate([f[1] for f in faces])
    edges = np.array([f[0][FACE // 2 - 30 : FACE // 2 + 30, 30:82].mean((0, 1)) for f in faces])
    edges[CUP] = faces[CUP][0][FACE // 2, 5]
    return Atlas(albedo, slope, (edges / 255).astype(np.float32))


def toned(material: Material, variation: float, rng: Rng) -> Material:
    """The material a little warmer or cooler, as from another plank or another year."""
    blue, green, red = material.colour
    gain = np.exp(rng.normal(0, variation * 0.35, 3))
    colour = (min(1.0, blue * gain[0]), min(1.0, green * gain[1]), min(1.0, red * gain[2]))
    return replace(material, colour=colour)


def radii() -> tuple[Array, Array]:
    """Distance from the middle in radii and the angle in radians, each (FACE, FACE)."""
    axis = (np.arange(FACE, dtype=np.float32) - (FACE - 1) / 2) / FACE_RADIUS
    x, y = np.meshgrid(axis, axis)
    return np.hypot(x, y), np.arctan2(y, x)


def face_relief(look: MenLook, emblem: str, rng: Rng) -> Array:
    """Height of a man's face over its rim, in radii, (FACE, FACE)."""
    r, angle = radii()
    height = np.zeros_like(r)
    for radius, width, depth in look.rings:
        height += depth * np.exp(-(((r - radius) / width) ** 2))
    inner = 0.72
    hollow = 1 / (1 + np.exp((r - inner) * 24))
    height -= look.dish * hollow
    if look.ridges:
        band = np.exp(-(((r - 0.86) / 0.09) ** 2))
        height += 0.02 * band * np.cos(angle * look.ridges)
    if emblem != "none" and not look.printed:
        height += 0.06 * blur(emblem_mask(emblem), 1.0)
    return height


def back_relief(look: MenLook, rng: Rng) -> Array:
    """Height of the other face: rough and flat, or with its own emblem."""
    r, _ = radii()
    height = 0.03 * np.exp(-(((r - rng.uniform(0.5, 0.9)) / 0.05) ** 2))
    if not look.printed:
        height = height + 0.06 * blur(emblem_mask(look.emblem_back), 1.0)
    return np.asarray(height)


def face(
    material: Material, look: MenLook, emblem: str, ink: Colour, relief: Array, rng: Rng
) -> tuple[Array, Array]:
    """Albedo and slope of one face; ``ink`` is for a printed emblem."""
    tint = sheet(material, (FACE, FACE), FACE / look.diameter, rng).astype(np.float32)
    smooth = blur(relief, 2.5)
    hollow = np.clip((smooth - relief) * 28, 0, 1) * look.groove_dark
    tint *= 1 - 0.75 * hollow[..., None]
    if emblem != "none" and look.printed:
        mask = blur(emblem_mask(emblem), 0.7) * look.face_print
        tint += (np.array(ink) * 255 - tint) * mask[..., None]
    if material.kind == "wood":
        relief = relief + 0.0004 * cv2.cvtColor(tint, cv2.COLOR_BGR2GRAY) * grain_depth(material)
    if look.spots:
        r, angle = radii()
        mask = blur(((np.cos(angle * look.spots) > SPOT) & (r > 0.72)).astype(np.float32), 0.7)
        tint += (spot_colour(material) * 255 - tint) * mask[..., None]
    return np.clip(tint, 0, 255).astype(np.uint8), slopes(relief, look.bevel)


def grain_depth(material: Material) -> float:
    """Gain that makes the grain of dark woods as deep as that of light ones."""
    return 0.5 / max(0.06, lightness(material.colour))


def spot_colour(material: Material) -> Array:
    """Colour of the blocks around a chip's edge, display units (3)."""
    light = lightness(material.colour) > 0.5
    return np.array(scaled(material.colour, 0.3) if light else (0.85, 0.88, 0.88))


def slopes(relief: Array, bevel: float) -> Array:
    """x and y parts of the normal of a relief with a rounded edge, float32 (FACE, FACE, 2)."""
    r, _ = radii()
    drop = np.clip((r - (1 - bevel)) / max(bevel, 1e-3), 0, 1.3)
    height = relief - bevel * 0.5 * drop * drop
    down, across = np.gradient(height * FACE_RADIUS)
    slope = np.stack([-across, -down], -1)
    length = np.sqrt(1 + (slope**2).sum(-1, keepdims=True))
    return np.asarray(slope / length, np.float32)


def emblem_colour(material: Material, rng: Rng) -> Colour:
    """Ink that can be seen on the material: gold, silver, or its own colour darker or lighter."""
    choice = int(rng.integers(3))
    if lightness(material.colour) > 0.5:
        return ((0.06, 0.05, 0.05), scaled(material.colour, 0.35), (0.15, 0.15, 0.6))[choice]
    return ((0.25, 0.62, 0.80), (0.85, 0.88, 0.9), (0.62, 0.64, 0.66))[choice]


def polygon(points: Array) -> Array:
    """A filled polygon given in radii, float32 (FACE, FACE) 0 to 1."""
    mask = np.zeros((FACE, FACE), np.uint8)
    pixels = np.rint((points * FACE_RADIUS + (FACE - 1) / 2) * 16).astype(np.int32)
    cv2.fillPoly(mask, [pixels], 255, cv2.LINE_AA, 4)
    return mask.astype(np.float32) / 255


def star_points(teeth: int, outer: float, inner: float) -> Array:
    """Corners of a star."""
    angles = np.arange(2 * teeth) * np.pi / teeth - np.pi / 2
    reach = np.where(np.arange(2 * teeth) % 2 == 0, outer, inner)
    return np.stack([np.cos(angles) * reach, np.sin(angles) * reach], -1)


CROWN = np.array([
    (-0.5, 0.4), (-0.58, -0.28), (-0.27, 0.05), (0.0, -0.45),
    (0.27, 0.05), (0.58, -0.28), (0.5, 0.4),
])


def emblem_mask(emblem: str) -> Array:
    """Where the emblem is, float32 (FACE, FACE) 0 to 1."""
    r, angle = radii()
    if emblem == "crown":
        return polygon(CROWN)
    if emblem == "star":
        return polygon(star_points(5, 0.6, 0.26))
    if emblem == "flower":
        return polygon(star_points(8, 0.6, 0.34))
    if emblem == "square":
        return polygon(star_points(2, 0.55, 0.55))
    if emblem == "cross":
        x, y = np.abs(r * np.cos(angle)), np.abs(r * np.sin(angle))
        return np.asarray((np.minimum(x, y) < 0.12) & (np.maximum(x, y) < 0.55), np.float32)
    if emblem == "ringtext":
        ticks = (np.cos(angle * 17) > -0.1) & (np.cos(angle * 5) > -0.7)
        return np.asarray((np.abs(r - 0.6) < 0.1) & ticks, np.float32)
    if emblem == "dot":
        return np.asarray(r < 0.22, np.float32)
    return np.zeros_like(r)


def coin_face(rng: Rng) -> tuple[Array, Array]:
    """A coin: metal with a rim and a raised number."""
    r, angle = radii()
    metals: tuple[Colour, ...] = ((0.45, 0.68, 0.80), (0.70, 0.72, 0.74), (0.30, 0.48, 0.66))
    tint = np.empty((FACE, FACE, 3), np.float32)
    tint[:] = np.array(metals[int(rng.integers(3))]) * 255
    relief = 0.04 * np.exp(-(((r - 0.92) / 0.05) ** 2))
    mask = np.zeros((FACE, FACE), np.uint8)
    cv2.putText(mask, str(rng.integers(1, 100)), (24, 74), 1, 4.0, 255, 7, cv2.LINE_AA)
    relief += 0.05 * blur(mask.astype(np.float32) / 255, 1.2)
    tint *= 0.9 + 0.1 * np.cos(angle * 3)[..., None]
    return np.clip(tint, 0, 255).astype(np.uint8), slopes(relief, 0.05)


def cap_face(rng: Rng) -> tuple[Array, Array]:
    """A bottle cap, button or sticker: one strong colour, perhaps with a spot."""
    r, _ = radii()
    colour = np.array([rng.uniform(0.05, 0.95), rng.uniform(0.05, 0.9), rng.uniform(0.1, 0.95)])
    spot = rng.random(3)
    tint = np.where((r < rng.uniform(0.2, 0.6))[..., None] & (rng.random() < 0.5), spot, colour)
    relief = 0.03 * np.exp(-(((r - 0.85) / 0.06) ** 2))
    return (tint * 255).astype(np.uint8), slopes(relief, 0.12)


def cup_face(rng: Rng) -> tuple[Array, Array]:
    """A cup from above: its rim, and tea, coffee or water in it."""
    r, _ = radii()
    rim = np.array([rng.uniform(0.5, 1), rng.uniform(0.5, 1), rng.uniform(0.5, 1)])
    drinks = ((0.08, 0.2, 0.45), (0.05, 0.08, 0.15), (0.6, 0.62, 0.6), (0.85, 0.9, 0.92))
    drink = np.array(drinks[int(rng.integers(4))])
    tint = np.where((r < 0.85)[..., None], drink * (0.7 + 0.3 * (r[..., None] < 0.75)), rim)
    return (tint * 255).astype(np.uint8), slopes(np.zeros_like(r), 0.08)
