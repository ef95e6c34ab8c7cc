"""Faces of checkers: colour patches and how light falls on their rings and rims."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from .arrays import Array, Rng, clouds
from .nardi_style import CheckerLook, NardiStyle
from .paint import lightness, scaled
from .textures import sheet

#: Edge of a face's patch in pixels; the radius takes RADIUS of them.
FACE = 76
RADIUS = 36.0
VARIANTS = 3


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """Faces of a set.

    Attributes:
        colour: per side and variant, uint8 (FACE, FACE, 3), display colours.
        slope: float32 (FACE, FACE, 2), x and y parts of the surface normal.
        cover: float32 (FACE, FACE), 1 on the face.
        edges: per side, colour of the wall, display levels.
    """

    colour: tuple[tuple[Array, ...], tuple[Array, ...]]
    slope: Array
    cover: Array
    edges: tuple[Array, Array]


@lru_cache(maxsize=2)
def faces(style: NardiStyle) -> Faces:
    """Draw the faces of a set."""
    rng = np.random.default_rng([style.seed, 2])
    look = style.checkers
    axis = (np.arange(FACE, dtype=np.float32) - (FACE - 1) / 2) / RADIUS
    x, y = np.meshgrid(axis, axis)
    r, angle = np.hypot(x, y), np.arctan2(y, x)
    emblem = emblem_mask(look.emblem, r, angle, rng)
    grooves = np.zeros_like(r)
    for radius, width, depth in look.rings:
        grooves += np.exp(-np.square((r - radius) / width)) * max(0.0, -depth)
    dark = np.clip(grooves * rng.uniform(0.1, 0.9), 0, 0.8)[..., None]
    sides = []
    for material in look.sides:
        ink = np.array(scaled(material.colour, 0.4 if lightness(material.colour) > 0.4 else 2.2))
        variants = []
        for _ in range(VARIANTS):
            face = sheet(material, (FACE, FACE), RADIUS * 2, rng).astype(np.float32)
            face = face * (1 - dark) + (ink * 255 - face) * (emblem * 0.8)[..., None]
            variants.append(np.clip(face, 0, 255).astype(np.uint8))
        sides.append(tuple(variants))
    edges = [np.array(m.colour) * 255 * rng.uniform(0.7, 0.95) for m in look.sides]
    cover = np.clip((1 - r) * RADIUS + 0.5, 0, 1).astype(np.float32)
    slope = slopes(look, x, y, r)
    return Faces((sides[0], sides[1]), slope, cover, (edges[0], edges[1]))


def slopes(look: CheckerLook, x: Array, y: Array, r: Array) -> Array:
    """x and y parts of the face's normal, from its radial profile."""
    profile = np.zeros_like(r)
    for radius, width, depth in look.rings:
        off = (r - radius) / width
        profile += depth * 1.2 * off * np.exp(-off * off)
    inside = np.exp(-np.square((r - 0.7) / 0.12))
    profile += look.dish * inside
    profile -= np.clip((r - (1 - look.bevel)) / look.bevel, 0, 1) * 0.75
    profile = np.clip(-profile, -0.9, 0.9)
    return np.stack([profile * x, profile * y], -1) / np.maximum(r, 1e-3)[..., None]


def emblem_mask(kind: str, r: Array, angle: Array, rng: Rng) -> Array:
    """Where the figure in the middle is, 0 to 1."""
    if kind == "star":
        return np.asarray(r < 0.25 + 0.2 * np.cos(angle * 5), np.float32)
    if kind == "dot":
        return np.asarray(r < rng.uniform(0.08, 0.3), np.float32)
    if kind == "ring":
        return np.asarray(np.abs(r - rng.uniform(0.3, 0.7)) < 0.06, np.float32)
    if kind == "cross":
        return np.asarray((np.abs(np.sin(angle * 2)) < 0.25) & (r < 0.5), np.float32)
    if kind == "text":
        letters = clouds(r.shape, (9, 9), rng, 1) > 0.6
        return np.asarray(letters & (r < 0.6), np.float32)
    return np.zeros_like(r)


def lit_face(faces_of: Faces, side: int, variant: int, turn: float, light: Array) -> Array:
    """One face under a light from a direction, float32 (FACE, FACE, 4), last its coverage.

    ``light``: x and y parts of the direction to the light as the picture shows them, and how
    strong it is against the light from all around (0 to 1).
    """
    middle = (FACE - 1) / 2
    spin = cv2.getRotationMatrix2D((middle, middle), np.degrees(turn), 1.0)
    colour = cv2.warpAffine(faces_of.colour[side][variant], spin, (FACE, FACE))
    slope = faces_of.slope
    shade = 1 + light[2] * (slope[..., 0] * light[0] + slope[..., 1] * light[1])
    shade = np.clip(shade - 0.15 * np.square(slope).sum(-1), 0.25, 1.6)
    return np.dstack([colour * shade[..., None], faces_of.cover]).astype(np.float32)
