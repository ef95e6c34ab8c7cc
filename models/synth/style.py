"""One set: a board, two sorts of men and a table, drawn once and then photographed many times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .arrays import Rng
from .paint import Material, Split, draw, lightness, plain, scaled, wood

KingKind = Literal["stack", "other", "flip", "coin", "cap"]
KING_KINDS: tuple[KingKind, ...] = ("stack", "other", "flip", "coin", "cap")


@dataclass(frozen=True, slots=True)
class BoardLook:
    """The board; lengths in squares.

    Attributes:
        kind: wood, painted, printed, vinyl, marble or plastic.
        light, dark, frame: materials of the squares and of what surrounds them.
        frame_width: 0 for a board that ends at its squares.
        border: width of a line around the squares, 0 for none; border_gap: its distance.
        ink: colour of the border line and the letters.
        letters: 0 none, 1 on two sides, 2 on four.
        lines: width of lines between squares, 0 for none.
        hinge: the board folds along its middle: 0 no, 1 between rows, 2 between columns.
        wear: scratches and stains, 0 to 1.
        thickness: height of the slab over the table.
    """

    kind: str
    light: Material
    dark: Material
    frame: Material
    frame_width: float
    border: float
    border_gap: float
    ink: tuple[float, float, float]
    letters: int
    lines: float
    hinge: int
    wear: float
    thickness: float


@dataclass(frozen=True, slots=True)
class MenLook:
    """The men of one set; lengths in squares, depths in radii.

    Attributes:
        sides: materials of the lighter and of the darker men.
        diameter, height: of one man.
        rings: radius, width and depth of each ring; depth below 0 is a groove.
        dish: depth of the hollow in the middle, negative for a dome.
        bevel: how much of the radius the rounded edge takes.
        ridges: teeth around the edge, 0 for none.
        emblem: design on the face; ``none`` for none.  ``emblem_back``: on the other face.
        printed: whether the emblem is printed (else raised).
        face_print: strength of a printed emblem, 0 to 1.
        groove_dark: how dark the grooves are, 0 to 1.
        variation: spread of lightness between men of one side.
        spots: coloured blocks around the edge of a chip, 0 for none.
        odd: materials of men from another set; odd_share: how many of the men they are.
    """

    sides: tuple[Material, Material]
    diameter: float
    height: float
    rings: tuple[tuple[float, float, float], ...]
    dish: float
    bevel: float
    ridges: int
    emblem: str
    emblem_back: str
    printed: bool
    face_print: float
    groove_dark: float
    variation: float
    spots: int
    odd: tuple[Material, Material]
    odd_share: float


@dataclass(frozen=True, slots=True)
class Style:
    """A set on a table.

    Attributes:
        size: squares along an edge, 8 or 10.
        split: which scenes it may be used in.
        seed: decides every detail of its textures.
        parity: (row + column) % 2 of the dark squares.
        on_dark: whether this club plays on the dark squares.
        king: how kings are marked.
        sloppy: usual distance of a man from the middle of its square, in squares.
        board, men, table: what they look like.
    """

    size: int
    split: Split
    seed: int
    parity: int
    on_dark: bool
    king: KingKind
    sloppy: float
    board: BoardLook
    men: MenLook
    table: Material

    @property
    def play_parity(self) -> int:
        """(row + column) % 2 of the squares that are played on."""
        return self.parity if self.on_dark else 1 - self.parity

    @property
    def contrast(self) -> float:
        """Difference in lightness between the two sides, 0 to 1."""
        light, dark = self.men.sides
        return lightness(light.colour) - lightness(dark.colour)


LIGHT_WOODS = ("maple", "birch", "beech", "pine", "oak")
DARK_WOODS = ("walnut", "mahogany", "teak", "wenge")
LIGHT_PAINTS = ("white", "ivory", "cream", "yellow", "buff", "mint")
DARK_PAINTS = ("black", "charcoal", "brown", "red", "green", "blue")
#: pairs of families of light and dark squares of printed, vinyl and plastic boards
PRINTS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("buff", "ivory"), ("green",)),
    (("red", "orange"), ("black", "charcoal")),
    (("sky", "white", "buff"), ("blue", "green")),
    (("white", "ivory", "cream"), ("black", "charcoal")),
    (("cream", "yellow", "ivory"), ("brown", "red")),
    (("white", "buff"), ("blue", "grey", "purple")),
    (("red",), ("green",)),
    (("green", "mint"), ("red", "brown")),
    (("blue",), ("green",)),
    (("yellow",), ("green", "black")),
)
#: pairs of families of the men, lighter first, and how often
MEN: tuple[tuple[float, tuple[str, ...], tuple[str, ...]], ...] = (
    (0.34, ("maple", "birch", "beech", "pine", "ivory", "cream"), ("black", "wenge", "charcoal")),
    (0.16, ("maple", "birch", "beech", "oak", "cream"), ("walnut", "mahogany", "brown", "teak")),
    (0.16, ("white", "ivory"), ("black", "charcoal")),
    (0.10, ("white", "ivory", "cream"), ("red", "brown")),
    (0.08, ("red", "orange"), ("black", "charcoal", "wenge")),
    (0.05, ("white", "yellow", "ivory"), ("green", "blue", "purple")),
    (0.05, ("yellow", "orange"), ("blue", "black", "green", "red")),
    (0.06, ("red", "orange", "green"), ("green", "red", "blue", "brown")),
)
EMBLEMS = ("none", "crown", "star", "dot", "cross", "ringtext", "flower", "square")


def sample_style(rng: Rng, size: int = 8, split: Split = "train") -> Style:
    """A random set whose paints and woods belong to the split."""
    board = sample_board(rng, split)
    king = KING_KINDS[int(rng.choice(5, p=[0.45, 0.16, 0.19, 0.1, 0.1]))]
    men = sample_men(rng, split, king)
    table = sample_table(rng, split)
    return Style(
        size=size,
        split=split,
        seed=int(rng.integers(2**31)),
        parity=int(rng.random() < 0.8),
        on_dark=bool(rng.random() < 0.94),
        king=king,
        sloppy=float(rng.choice([0.03, 0.06, 0.1, 0.16], p=[0.25, 0.35, 0.25, 0.15])),
        board=board,
        men=men,
        table=table,
    )


def board_materials(rng: Rng, kind: str, split: Split) -> tuple[Material, Material, Material]:
    """Materials of the light squares, the dark squares and the frame."""
    if kind == "wood":
        light, dark = wood(rng, LIGHT_WOODS, split), wood(rng, DARK_WOODS, split)
        return light, dark, wood(rng, LIGHT_WOODS if rng.random() < 0.4 else DARK_WOODS, split)
    if kind == "painted":
        light = wood(rng, LIGHT_WOODS, split)
        frame = light if rng.random() < 0.75 else wood(rng, DARK_WOODS, split)
        stained = rng.random() < 0.5
        dark = wood(rng, DARK_PAINTS, split) if stained else plain(rng, DARK_PAINTS, split)
        return light, dark, frame
    if kind == "marble":
        light = plain(rng, ("white", "ivory", "grey"), split, "marble")
        dark = plain(rng, ("black", "charcoal", "green", "brown"), split, "marble")
        return light, dark, light if rng.random() < 0.4 else dark
    lights, darks = PRINTS[int(rng.integers(len(PRINTS)))]
    light, dark = plain(rng, lights, split), plain(rng, darks, split)
    choice = rng.random()
    if choice < 0.4:
        return light, dark, light
    if choice < 0.6:
        return light, dark, dark
    return light, dark, plain(rng, LIGHT_PAINTS + DARK_PAINTS, split)


def sample_board(rng: Rng, split: Split) -> BoardLook:
    """A random board."""
    kinds = ("wood", "painted", "printed", "vinyl", "marble", "plastic")
    kind = kinds[int(rng.choice(6, p=[0.38, 0.2, 0.16, 0.12, 0.04, 0.1]))]
    light, dark, frame = board_materials(rng, kind, split)
    widths = [0.0, rng.uniform(0.04, 0.3), rng.uniform(0.3, 1.2)]
    width = float(rng.choice(widths, p=[0.15, 0.4, 0.45]))
    lettered = width > 0.35 and rng.random() < 0.55
    framed = width > 0.12 and rng.random() < 0.45
    inks = DARK_PAINTS if lightness(frame.colour) > 0.45 else LIGHT_PAINTS
    thick = {"printed": 0.06, "vinyl": 0.02, "marble": 0.4, "plastic": 0.3}.get(kind, 0.5)
    return BoardLook(
        kind=kind,
        light=light,
        dark=dark,
        frame=frame,
        frame_width=width,
        border=rng.uniform(0.015, 0.08) if framed else 0.0,
        border_gap=rng.uniform(0.0, min(0.12, width / 3)) if framed else 0.0,
        ink=draw(rng, inks, split),
        letters=int(rng.choice([1, 2], p=[0.3, 0.7])) if lettered else 0,
        lines=float(rng.choice([0.0, rng.uniform(0.01, 0.04)], p=[0.75, 0.25])),
        hinge=int(rng.choice([0, 1, 2], p=[0.5, 0.3, 0.2])),
        wear=float(rng.random() ** 2),
        thickness=float(thick * rng.uniform(0.5, 1.6)),
    )


def sample_men(rng: Rng, split: Split, king: KingKind) -> MenLook:
    """Random men: turned wood, ridged plastic, flat chips or slices.

    Where kings are flipped men, the two faces are made to differ so that a person can tell.
    """
    weights = [m[0] for m in MEN]
    _, lighter, darker = MEN[int(rng.choice(len(MEN), p=weights))]
    wooden = rng.random() < 0.55
    light, dark = men_materials(rng, lighter, darker, split, wooden)
    flat = rng.random() < 0.25
    diameter = float(rng.triangular(0.46, 0.76, 0.9))
    tall = rng.uniform(0.1, 0.2) if flat else rng.uniform(0.17, 0.4)
    emblem = EMBLEMS[int(rng.integers(len(EMBLEMS)))] if rng.random() < 0.35 else "none"
    dishes = [0.0, rng.uniform(0.03, 0.16), -rng.uniform(0.02, 0.1)]
    backs = [e for e in EMBLEMS if e != emblem and e != "dot"]
    return MenLook(
        sides=(light, dark),
        diameter=diameter,
        height=float(diameter * tall),
        rings=() if flat else sample_rings(rng),
        dish=float(rng.choice(dishes, p=[0.6, 0.3, 0.1])),
        bevel=float(rng.uniform(0.03, 0.18)),
        ridges=int(rng.integers(24, 72)) if rng.random() < 0.25 else 0,
        emblem=emblem,
        emblem_back=str(rng.choice(backs)),
        printed=bool(rng.random() < 0.5),
        face_print=float(rng.uniform(0.7 if king == "flip" else 0.35, 1.0)),
        groove_dark=float(rng.uniform(0.5 if king == "flip" else 0.1, 0.95)),
        variation=float(rng.uniform(0.01, 0.12)),
        spots=int(rng.integers(4, 10)) if flat and rng.random() < 0.3 else 0,
        odd=men_materials(rng, lighter, darker, split, not wooden),
        odd_share=float(rng.uniform(0.03, 0.12)) if rng.random() < 0.12 else 0.0,
    )


def sample_rings(rng: Rng) -> tuple[tuple[float, float, float], ...]:
    """Grooves and ridges around the middle of a man's face."""
    count = int(rng.integers(0, 6))
    rings = []
    for radius in sorted(rng.uniform(0.15, 0.9, count)):
        depth = rng.uniform(0.02, 0.09) * rng.choice([-1, 1], p=[0.7, 0.3])
        rings.append((float(radius), float(rng.uniform(0.018, 0.05)), float(depth)))
    return tuple(rings)


def men_materials(
    rng: Rng, lighter: tuple[str, ...], darker: tuple[str, ...], split: Split, wooden: bool
) -> tuple[Material, Material]:
    """Wood, stained or lacquered, or plastic, of the lighter and of the darker men."""
    make = wood if wooden else plain
    light, dark = make(rng, lighter, split), make(rng, darker, split)
    return (dark, light) if lightness(light.colour) < lightness(dark.colour) else (light, dark)


def sample_table(rng: Rng, split: Split) -> Material:
    """A random table, cloth or floor under the board."""
    kind = str(rng.choice(
        ["wood", "plain", "cloth", "gingham", "stone", "tile", "carpet", "marble"],
        p=[0.34, 0.17, 0.15, 0.05, 0.09, 0.08, 0.08, 0.04],
    ))
    every = LIGHT_WOODS + DARK_WOODS
    if kind == "wood":
        return wood(rng, every, split)
    cloths = (*LIGHT_PAINTS, *DARK_PAINTS, "grey", "grey", "sky", "purple")
    material = plain(rng, cloths, split, kind)
    if kind == "gingham":
        return Material(kind, material.colour, scaled(material.colour, 0.4), 0.9, 1.0, 0.1, 0.6)
    return material
