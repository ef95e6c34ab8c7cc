"""Colours, and which of them belong to training, validation and held-out scenes.

Colour space is cut into small cells and every cell belongs to one split for good, so that no
set in the held-out scenes has a paint or a wood that training has seen.
"""

from __future__ import annotations

import colorsys
import zlib
from dataclasses import dataclass
from math import exp
from typing import Literal

from .arrays import Rng

Split = Literal["train", "validation", "heldout"]
SPLITS: tuple[Split, ...] = ("train", "validation", "heldout")

#: B, G, R as a display shows them, 0 to 1.
Colour = tuple[float, float, float]

#: Edge of a colour cell, in display units: about 11 grey levels of 255.
CELL = 1 / 23

#: hue in degrees, saturation, value: the range that each family of colours is drawn from.
FAMILIES: dict[str, tuple[tuple[float, float], tuple[float, float], tuple[float, float]]] = {
    "maple": ((30, 46), (0.16, 0.42), (0.78, 0.97)),
    "birch": ((34, 50), (0.10, 0.30), (0.82, 0.98)),
    "oak": ((26, 40), (0.36, 0.58), (0.62, 0.84)),
    "beech": ((18, 32), (0.30, 0.50), (0.68, 0.88)),
    "pine": ((34, 48), (0.35, 0.60), (0.78, 0.95)),
    "walnut": ((16, 32), (0.35, 0.65), (0.24, 0.46)),
    "mahogany": ((4, 18), (0.50, 0.80), (0.28, 0.52)),
    "teak": ((22, 34), (0.50, 0.72), (0.42, 0.60)),
    "wenge": ((14, 34), (0.20, 0.50), (0.10, 0.24)),
    "black": ((0, 360), (0.0, 0.25), (0.05, 0.19)),
    "charcoal": ((200, 260), (0.0, 0.25), (0.18, 0.32)),
    "white": ((20, 70), (0.0, 0.10), (0.86, 1.0)),
    "ivory": ((38, 56), (0.10, 0.30), (0.80, 0.97)),
    "cream": ((34, 52), (0.22, 0.45), (0.76, 0.95)),
    "yellow": ((40, 56), (0.50, 0.85), (0.72, 0.96)),
    "red": ((-8, 10), (0.60, 0.95), (0.42, 0.85)),
    "orange": ((14, 30), (0.65, 0.95), (0.65, 0.95)),
    "brown": ((12, 30), (0.42, 0.75), (0.24, 0.48)),
    "green": ((95, 160), (0.35, 0.85), (0.22, 0.55)),
    "buff": ((48, 68), (0.16, 0.38), (0.74, 0.93)),
    "mint": ((90, 140), (0.08, 0.22), (0.80, 0.96)),
    "blue": ((200, 235), (0.40, 0.85), (0.25, 0.68)),
    "sky": ((195, 225), (0.15, 0.40), (0.65, 0.92)),
    "purple": ((265, 320), (0.30, 0.70), (0.25, 0.55)),
    "grey": ((0, 360), (0.0, 0.10), (0.35, 0.70)),
    "skin": ((14, 26), (0.26, 0.62), (0.30, 0.92)),
}


def cell(colour: Colour) -> tuple[int, int, int]:
    """The cell of colour space that a colour lies in."""
    return int(colour[0] / CELL), int(colour[1] / CELL), int(colour[2] / CELL)


def split_of(*key: int) -> Split:
    """The split that a cell belongs to: 70 % train, 12 % validation, 18 % held out."""
    part = zlib.crc32(",".join(map(str, key)).encode()) % 100
    if part < 70:
        return "train"
    return "validation" if part < 82 else "heldout"


def draw(rng: Rng, families: tuple[str, ...], split: Split) -> Colour:
    """A random colour of one of the families whose cell belongs to the split."""
    while True:
        hue, saturation, value = FAMILIES[families[int(rng.integers(len(families)))]]
        red, green, blue = colorsys.hsv_to_rgb(
            (rng.uniform(*hue) % 360) / 360, rng.uniform(*saturation), rng.uniform(*value)
        )
        colour = (blue, green, red)
        if split_of(*cell(colour)) == split:
            return colour


def scaled(colour: Colour, factor: float) -> Colour:
    """The colour made darker or lighter by a factor."""
    blue, green, red = (min(1.0, max(0.0, c * factor)) for c in colour)
    return blue, green, red


def lightness(colour: Colour) -> float:
    """Luma, 0 to 1."""
    return 0.114 * colour[0] + 0.587 * colour[1] + 0.299 * colour[2]


@dataclass(frozen=True, slots=True)
class Material:
    """What a surface is made of.

    Attributes:
        kind: the texture: wood, plain, cloth, gingham, stone, marble, tile or carpet.
        colour, second: the main colour, and that of rings, veins, threads or joints.
        contrast: how far the texture goes from the first colour to the second, 0 to 1.
        fineness: how fine the figure is; 1 is usual.
        gloss: how much of a clear coat's mirror image is seen, 0 to 1.
        roughness: spread of that mirror image in radians.
    """

    kind: str
    colour: Colour
    second: Colour
    contrast: float
    fineness: float
    gloss: float
    roughness: float


def wood(rng: Rng, families: tuple[str, ...], split: Split) -> Material:
    """A random species of wood, bare, oiled or lacquered."""
    colour = draw(rng, families, split)
    gloss, roughness = finish(rng)
    return Material(
        kind="wood",
        colour=colour,
        second=scaled(colour, rng.uniform(0.55, 0.85)),
        contrast=rng.uniform(0.15, 0.9),
        fineness=exp(rng.uniform(-0.7, 0.9)),
        gloss=gloss,
        roughness=roughness,
    )


def plain(rng: Rng, families: tuple[str, ...], split: Split, kind: str = "plain") -> Material:
    """A random paint, print, plastic, cloth or stone."""
    colour = draw(rng, families, split)
    gloss, roughness = finish(rng)
    return Material(
        kind=kind,
        colour=colour,
        second=scaled(colour, float(rng.choice([0.7, 0.85, 1.12, 1.3]))),
        contrast=rng.uniform(0.05, 0.6),
        fineness=exp(rng.uniform(-0.6, 0.6)),
        gloss=gloss,
        roughness=roughness,
    )




def finish(rng: Rng) -> tuple[float, float]:
    """Gloss and roughness: matt, satin, or glossy."""
    kind = rng.choice(3, p=[0.4, 0.35, 0.25])
    if kind == 0:
        return rng.uniform(0.1, 0.4), rng.uniform(0.45, 0.8)
    if kind == 1:
        return rng.uniform(0.4, 0.8), rng.uniform(0.22, 0.45)
    return rng.uniform(0.7, 1.0), rng.uniform(0.06, 0.22)
