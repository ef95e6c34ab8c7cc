"""Flat pieces of material as a scanner would see them: no light, no shadow, no view."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from .arrays import Array, Rng, clouds
from .paint import Material


def sheet(material: Material, shape: tuple[int, int], unit_px: float, rng: Rng) -> Array:
    """A piece of a material, uint8 (H, W, 3), display colours.

    ``unit_px`` is how many pixels one square of the board has, so that grain and weave keep
    their size.  Wood grain runs along x.
    """
    mix = MIXES[material.kind](material, shape, unit_px, rng)
    return tint(mix, material)


def tint(mix: Array, material: Material) -> Array:
    """Colours for a field that goes from 0 (main colour) to 1 (second colour)."""
    steps = np.linspace(0, 1, 256, dtype=np.float32)[:, None] * material.contrast
    first, second = np.array(material.colour), np.array(material.second)
    palette = np.clip((first + (second - first) * steps) * 255, 0, 255).astype(np.uint8)
    index = np.clip(mix * 255, 0, 255).astype(np.uint8)
    return np.asarray(palette[index])


def wood_mix(material: Material, shape: tuple[int, int], unit_px: float, rng: Rng) -> Array:
    """Growth rings bent by slow noise, fibres and pores along x."""
    height, width = shape
    tall, wide = height / unit_px, width / unit_px
    bend = clouds(shape, (tall * 0.35 + 1, wide * 0.10 + 1), rng, 3)
    slope = rng.uniform(-0.25, 0.25)
    across = np.linspace(0, tall, height, dtype=np.float32)[:, None]
    across = across + np.linspace(0, wide * slope, width, dtype=np.float32)[None, :]
    phase = (across + bend * rng.uniform(0.6, 2.5)) * (3.2 * material.fineness)
    ring = phase - np.floor(phase)
    ring = ring * ring * np.minimum(1.0, (1.0 - ring) * 6)
    fibre = clouds(shape, (height / 2.5, wide * 0.7 + 1), rng, 2)
    slow = clouds(shape, (tall * 0.5 + 1, wide * 0.3 + 1), rng, 2)
    pores = clouds(shape, (height / 1.7, wide * 2.0 + 1), rng, 1) > 0.83
    rings, fibres = rng.uniform(0.2, 0.8), rng.uniform(0.3, 0.9)
    mix = ring * rings + fibre * fibres + slow * 0.45 + pores * rng.uniform(0.0, 0.5)
    return np.asarray(mix / (rings * 0.5 + fibres + 0.45))


def plain_mix(material: Material, shape: tuple[int, int], unit_px: float, rng: Rng) -> Array:
    """Even colour with faint mottling and print grain."""
    height, width = shape
    slow = clouds(shape, (height / unit_px * 0.4 + 1, width / unit_px * 0.4 + 1), rng, 2)
    fine = clouds(shape, (height / 2, width / 2), rng, 1)
    return slow * 0.35 + fine * 0.25


def cloth_mix(material: Material, shape: tuple[int, int], unit_px: float, rng: Rng) -> Array:
    """Threads over and under each other, a little uneven, with slow folds."""
    height, width = shape
    step = max(2.2, unit_px * 0.035 / material.fineness)
    down = np.sin(np.arange(height, dtype=np.float32) * (2 * np.pi / step))[:, None]
    across = np.sin(np.arange(width, dtype=np.float32) * (2 * np.pi / step))[None, :]
    uneven = clouds(shape, (height / 6, width / 6), rng, 2)
    folds = clouds(shape, (height / unit_px * 0.3 + 1, width / unit_px * 0.3 + 1), rng, 2)
    return np.asarray(0.5 + 0.2 * down * across + 0.4 * (uneven - 0.5) + 0.6 * (folds - 0.5))


def gingham_mix(material: Material, shape: tuple[int, int], unit_px: float, rng: Rng) -> Array:
    """A chequered tablecloth or a tiled pattern of two tones."""
    height, width = shape
    step = unit_px * rng.uniform(0.4, 1.6)
    down = (np.arange(height) // step).astype(int)[:, None] % 2
    across = (np.arange(width) // step).astype(int)[None, :] % 2
    weave = cloth_mix(material, shape, unit_px, rng)
    return np.asarray(0.1 + 0.4 * down + 0.4 * across + 0.25 * (weave - 0.5), np.float32)


def stone_mix(material: Material, shape: tuple[int, int], unit_px: float, rng: Rng) -> Array:
    """Speckled stone, terrazzo or worktop."""
    height, width = shape
    grain = unit_px * 0.12 / material.fineness
    slow = clouds(shape, (height / unit_px, width / unit_px), rng, 3)
    fine = clouds(shape, (height / grain, width / grain), rng, 3)
    return np.asarray(slow * 0.4 + (fine > 0.58) * 0.5 + fine * 0.3)


def marble_mix(material: Material, shape: tuple[int, int], unit_px: float, rng: Rng) -> Array:
    """Thin veins along the ridges of slow noise."""
    height, width = shape
    cells = (height / unit_px * 0.6 + 1, width / unit_px * 0.6 + 1)
    slow = clouds(shape, cells, rng, 5)
    veins = 1 - np.minimum(1.0, np.abs(clouds(shape, cells, rng, 5) - 0.5) * 9)
    return np.asarray(slow * 0.5 + veins * veins * 0.8)


def tile_mix(material: Material, shape: tuple[int, int], unit_px: float, rng: Rng) -> Array:
    """Tiles or planks with joints between them, each of its own tone."""
    height, width = shape
    tall = max(8, round(unit_px * rng.uniform(1.2, 5)))
    wide = max(8, round(tall * rng.choice([1.0, 1.0, 3.0])))
    tones = rng.random((height // tall + 2, width // wide + 2), np.float32)
    rows, columns = np.arange(height), np.arange(width)
    mix = tones[rows // tall][:, columns // wide] * 0.35
    mix = mix + clouds(shape, (height / unit_px * 2, width / unit_px * 2), rng, 3) * 0.3
    joint = max(1, round(unit_px * 0.04))
    mix[rows % tall < joint, :] = 1.0
    mix[:, columns % wide < joint] = 1.0
    return np.asarray(mix)


def carpet_mix(material: Material, shape: tuple[int, int], unit_px: float, rng: Rng) -> Array:
    """Short pile: coarse grain everywhere."""
    height, width = shape
    tuft = max(2.0, unit_px * 0.06 / material.fineness)
    return clouds(shape, (height / tuft, width / tuft), rng, 3)


MIXES: dict[str, Callable[[Material, tuple[int, int], float, Rng], Array]] = {
    "wood": wood_mix,
    "plain": plain_mix,
    "cloth": cloth_mix,
    "gingham": gingham_mix,
    "stone": stone_mix,
    "marble": marble_mix,
    "tile": tile_mix,
    "carpet": carpet_mix,
}


def blend(image: Array, mask: Array, colour: Array) -> Array:
    """The image with a colour laid over it where the mask (H, W, 0 to 1) is."""
    weight = mask[..., None].astype(np.float32)
    return np.asarray(image + (colour - image) * weight)


def turned(image: Array, quarter: int) -> Array:
    """The image turned by quarter turns, in memory order."""
    return np.ascontiguousarray(np.rot90(image, quarter))


def shrunk(image: Array, factor: float) -> Array:
    """The image made smaller by averaging; unchanged when the factor is not below 1."""
    if factor >= 0.98:
        return image
    return cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
