"""Lamps, windows, sun and flash: what reaches the board, and what it mirrors into the camera."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .arrays import Array, Rng, unit
from .camera import Camera

#: Part of the light that a clear coat mirrors when seen from above (refractive index 1.5).
FRESNEL = 0.04


@dataclass(frozen=True, slots=True)
class Patch:
    """A shape on the board's plane: inside it a source shines (keep) or doesn't.

    Attributes:
        points: corners (x, y) in board sizes, the board's middle at (0, 0).
        soft: width of its edge, in squares.
        keep: lit inside only (a sun patch), or dark inside (somebody's shadow).
        depth: how much of the source the shape takes away, 0 to 1.
    """

    points: tuple[tuple[float, float], ...]
    soft: float
    keep: bool
    depth: float


@dataclass(frozen=True, slots=True)
class Source:
    """One source of light.

    Attributes:
        kind: lamp, ceiling, window, sun or flash.
        position: (x, y, height) in board sizes, from the board's middle.
        colour: B, G, R in linear units, about 1.
        strength: irradiance at the board's middle.
        radius: half the size of the source, in board sizes: softness of shadows and glare.
        patches: shapes that it shines through.
    """

    kind: str
    position: tuple[float, float, float]
    colour: tuple[float, float, float]
    strength: float
    radius: float
    patches: tuple[Patch, ...] = ()


@dataclass(frozen=True, slots=True)
class Light:
    """All light on a scene, and how the camera took it.

    Attributes:
        kind: the main source's, or overcast.
        ambient: B, G, R irradiance from all around.
        gradient: its relative change over one board size, along x and y.
        sources: up to three sources.
        exposure_ev: error of the exposure, in stops.
        balance: B, G, R gains left over after white balance.
        gain: how much stronger the sensor's noise is than at a bright lamp.
    """

    kind: str
    ambient: tuple[float, float, float]
    gradient: tuple[float, float]
    sources: tuple[Source, ...]
    exposure_ev: float
    balance: tuple[float, float, float]
    gain: float


def warmth(kelvin: float) -> tuple[float, float, float]:
    """Linear B, G, R of a source of a colour temperature, rough fit, 5500 K neutral."""
    ratio = np.log(kelvin / 5500)
    return float(np.exp(0.85 * ratio)), 1.0, float(np.exp(-0.55 * ratio))


def sample_light(rng: Rng) -> Light:
    """Random light, from overcast to hard sun with shadows, flash and dim rooms."""
    kinds = ("lamp", "ceiling", "window", "sun", "flash", "overcast")
    kind = kinds[int(rng.choice(6, p=[0.24, 0.2, 0.22, 0.12, 0.08, 0.14]))]
    kelvin = {"lamp": (2600, 4500), "ceiling": (2700, 6500), "flash": (5200, 6500)}.get(
        kind, (4800, 8000)
    )
    sources = []
    if kind != "overcast":
        sources.append(sample_source(rng, kind, rng.uniform(*kelvin)))
    if rng.random() < 0.4:
        second = ("lamp", "ceiling", "window")[int(rng.integers(3))]
        source = sample_source(rng, second, rng.uniform(2700, 6500))
        sources.append(dimmed(source, rng.uniform(0.15, 0.6)))
    room = warmth(rng.uniform(3000, 7500))
    level = rng.uniform(0.12, 0.5) if kind in ("sun", "flash", "lamp") else rng.uniform(0.3, 1.0)
    dim = rng.random() < 0.18
    error = rng.normal(0, 0.35) - (rng.uniform(0.5, 1.8) if dim else 0)
    if kind in ("sun", "flash") and rng.random() < 0.35:
        error += rng.uniform(0.3, 1.1)
    return Light(
        kind=kind,
        ambient=(room[0] * level, room[1] * level, room[2] * level),
        gradient=(float(rng.normal(0, 0.2)), float(rng.normal(0, 0.2))),
        sources=tuple(sources),
        exposure_ev=float(error),
        balance=(float(np.exp(rng.normal(0, 0.09))), 1.0, float(np.exp(rng.normal(0, 0.09)))),
        gain=float(np.exp(rng.uniform(0.3, 1.25) if dim else rng.uniform(-0.3, 0.6))),
    )


def dimmed(source: Source, factor: float) -> Source:
    """The source at a part of its strength."""
    return Source(
        source.kind, source.position, source.colour, source.strength * factor, source.radius,
        source.patches,
    )


def sample_source(rng: Rng, kind: str, kelvin: float) -> Source:
    """A random source of a kind."""
    around = rng.uniform(0, 2 * np.pi)
    reach, height, radius = {
        "lamp": (rng.uniform(0.2, 1.6), rng.uniform(0.7, 2.2), rng.uniform(0.06, 0.25)),
        "ceiling": (rng.uniform(0.0, 3.0), rng.uniform(2.5, 5.0), rng.uniform(0.1, 0.8)),
        "window": (rng.uniform(2.0, 5.0), rng.uniform(0.8, 3.0), rng.uniform(0.6, 1.6)),
        "sun": (rng.uniform(15, 60), 40.0, 0.25),
        "flash": (0.12, 0.0, 0.02),
    }[kind]
    place = (float(np.cos(around) * reach), float(np.sin(around) * reach), float(height))
    patches: tuple[Patch, ...] = ()
    if kind in ("sun", "window") and rng.random() < 0.55:
        patches = sun_patches(rng, 0.04 if kind == "sun" else 0.5)
    elif rng.random() < 0.3:
        patches = (body_shadow(rng, 0.05 if kind in ("sun", "flash") else 0.4),)
    return Source(kind, place, warmth(kelvin), float(rng.uniform(0.7, 1.2)), float(radius), patches)


def sun_patches(rng: Rng, soft: float) -> tuple[Patch, ...]:
    """Light that falls through a window with bars, skewed over the board."""
    angle, width = rng.uniform(0, np.pi), rng.uniform(0.25, 1.2)
    along = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-np.sin(angle + rng.uniform(-0.5, 0.5)), np.cos(angle)])
    middle = rng.uniform(-0.4, 0.4, 2)
    panes = int(rng.integers(1, 4))
    depth = float(rng.uniform(0.6, 1.0))
    patches = []
    for k in range(panes):
        start = middle + along * (k - panes / 2) * width * 1.06
        end = start + along * width
        corners = np.array([start - across, end - across, end + across, start + across])
        shape = tuple((float(x), float(y)) for x, y in corners)
        patches.append(Patch(shape, soft * float(rng.uniform(0.5, 2)), True, depth))
    return tuple(patches)


def body_shadow(rng: Rng, soft: float) -> Patch:
    """The shadow of a head and shoulders, a tree or a curtain that reaches in from one side."""
    angle = rng.uniform(0, 2 * np.pi)
    inward = -np.array([np.cos(angle), np.sin(angle)])
    along = np.array([-np.sin(angle), np.cos(angle)])
    steps = np.linspace(-1.2, 1.2, 25)
    bump = rng.uniform(0.1, 0.5) * np.exp(-((steps - rng.uniform(-0.3, 0.3)) / 0.16) ** 2)
    reach = rng.uniform(-0.1, 0.35) + bump + 0.03 * rng.standard_normal(25)
    rim = -inward * 0.6 + along * steps[:, None] + inward * reach[:, None]
    back = [-inward * 1.6 + along * 1.4, -inward * 1.6 - along * 1.4]
    shape = tuple((float(x), float(y)) for x, y in [*rim, *back])
    return Patch(shape, soft * float(rng.uniform(0.5, 2)), False, float(rng.uniform(0.5, 1.0)))


def place_of(source: Source, size: int, camera: Camera) -> Array:
    """Position of a source in board coordinates; a flash sits beside the lens."""
    if source.kind == "flash":
        return np.asarray(np.array(camera.position) + np.array(source.position) * size)
    return np.asarray(np.array(source.position) * size + np.array([size / 2, size / 2, 0.0]))


def arriving(source: Source, points: Array, size: int, camera: Camera) -> tuple[Array, Array]:
    """Direction to the source (..., 3) and strength (...) at board points (..., 3)."""
    place = place_of(source, size, camera)
    gap = (place - points).astype(points.dtype)
    middle = place - np.array([size / 2, size / 2, 0.0])
    falloff = float(middle @ middle) / (gap**2).sum(-1)
    cosine = max(0.15, float(middle[2] / np.linalg.norm(middle)))
    return unit(gap), np.asarray(falloff * (source.strength / cosine))


def mirror(
    half_cosine: Array, view_cosine: Array, roughness: Array | float, source_angle: Array | float
) -> Array:
    """Radiance that a coat mirrors for each unit of light arriving.

    ``half_cosine``: between the normal and the half vector of view and light; ``source_angle``:
    half the angle that the source takes in the sky, radians.
    """
    rough2 = np.square(roughness)
    spread = rough2 + np.square(source_angle)
    lobe = np.exp((half_cosine - 1) * 4 / spread)
    return np.asarray(fresnel(view_cosine) * lobe / ((spread + rough2) * 3.1416))


def fresnel(view_cosine: Array) -> Array:
    """Share of light that a coat mirrors at an angle of view."""
    off = np.clip(1 - view_cosine, 0, 1)
    return np.asarray(off * np.square(np.square(off)) * (1 - FRESNEL) + FRESNEL)


def source_angle(source: Source, points: Array, size: int, camera: Camera) -> Array:
    """Half the angle that the source takes in the sky seen from points (..., 3), radians."""
    gap = (place_of(source, size, camera) - points).astype(points.dtype)
    distance = np.sqrt((gap**2).sum(-1))
    return np.asarray(np.minimum(0.7, source.radius * size / distance), points.dtype)


def mirrored(
    source: Source, points: Array, view: Array, size: int, camera: Camera, roughness: float
) -> Array:
    """Radiance (...) that a level coat mirrors from a source at board points (..., 3)."""
    if source.kind == "window":
        return window_glare(source, points, view, size, camera, roughness)
    towards, _ = arriving(source, points, size, camera)
    angle = source_angle(source, points, size, camera)
    return mirror(unit(towards + view)[..., 2], view[..., 2], roughness, angle)


def window_glare(
    source: Source, points: Array, view: Array, size: int, camera: Camera, roughness: float
) -> Array:
    """The mirror image of a window with a bar in its middle, radiance for unit light.

    The window stands upright and faces the board; the mirrored ray of each point is met with it.
    """
    place = place_of(source, size, camera).astype(points.dtype)
    facing = np.array([place[0] - size / 2, place[1] - size / 2, 0.0])
    facing = (facing / np.linalg.norm(facing)).astype(points.dtype)
    sideways = np.array([-facing[1], facing[0], 0.0], points.dtype)
    ray = view * np.array([-1, -1, 1], points.dtype)
    gap = place - points
    ahead = np.maximum(ray @ facing, 1e-3)
    travel = (gap @ facing) / ahead
    met = ray * travel[..., None] - gap
    reach = source.radius * size
    across, upward = met @ sideways / reach, met[..., 2] / (reach * 1.3)
    soft = np.maximum(roughness * np.abs(travel) / reach, 0.03)
    beyond = [np.clip((np.abs(v) - 1) / soft * 3, -30, 30) for v in (across, upward)]
    inside = [1 / (1 + np.exp(v)) for v in beyond]
    bar = 1 - 0.85 * np.exp(-np.square(across / 0.06)) / (1 + 12 * soft)
    angle = source_angle(source, points, size, camera)
    level = fresnel(view[..., 2]) / (np.pi * (np.square(angle) + 3 * roughness**2))
    return np.asarray(inside[0] * inside[1] * bar * level * (ray @ facing > 1e-3), points.dtype)
