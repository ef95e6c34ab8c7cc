"""One nardi or backgammon set: a board with 24 points, two sorts of checkers and a table.

Lengths are in widths of a point.  The field's left half is x 0..6, then the bar, then the right
half; y runs from the bases of the far points (0) to those of the near ones (``height``).
"""

from __future__ import annotations

from dataclasses import dataclass

from .arrays import Rng
from .paint import Colour, Material, Split, draw, lightness, plain, wood
from .style import (
    DARK_PAINTS,
    DARK_WOODS,
    LIGHT_PAINTS,
    LIGHT_WOODS,
    MEN,
    men_materials,
    sample_table,
)

SHAPES = (
    "triangle", "ogive", "spire", "blunt", "lozenge", "strip", "arch", "outline", "striped",
)  # fmt: skip
#: Families of field and points: field, points of one colour, points of the other.
FIELDS: tuple[tuple[float, tuple[str, ...], tuple[str, ...], tuple[str, ...]], ...] = (
    (0.2, (*LIGHT_WOODS, "teak"), LIGHT_WOODS, DARK_WOODS),
    (0.2, DARK_WOODS, LIGHT_WOODS, (*DARK_WOODS, "red", "black")),
    (0.14, ("green", "mint", "blue"), ("white", "ivory", "yellow", "cream"), ("black", "red")),
    (0.1, ("brown", "red", "black", "charcoal"), LIGHT_PAINTS, ("black", "red", "brown", "grey")),
    (0.1, ("cream", "buff", "ivory", "white", "sky"), LIGHT_PAINTS + DARK_PAINTS, DARK_PAINTS),
    (0.08, ("grey", "charcoal", "blue"), ("white", "grey", "sky"), ("blue", "purple", "black")),
    (0.08, ("yellow", "orange", "cream"), ("red", "orange", "ivory"), ("brown", "black", "green")),
    (0.1, LIGHT_PAINTS + DARK_PAINTS, LIGHT_PAINTS + DARK_PAINTS, LIGHT_PAINTS + DARK_PAINTS),
)


@dataclass(frozen=True, slots=True)
class PointLook:
    """How the points are drawn.

    Attributes:
        shape: one of SHAPES.
        first, second: materials; ``swap`` which of them begins at the left far corner.
        length: of a point; base, tip: width at its two ends, of a point's width.
        gap: between a base and the rim.
        ink, line: colour and width of the outline; no outline where the width is 0.
        knob: radius of a disc at the tip, 0 for none.
        mirrored: near points have the other colour order than far ones.
    """

    shape: str
    first: Material
    second: Material
    swap: bool
    length: float
    base: float
    tip: float
    gap: float
    ink: Colour
    line: float
    knob: float
    mirrored: bool


@dataclass(frozen=True, slots=True)
class CaseLook:
    """The case around the field.

    Attributes:
        frame, field: materials.  ``bar_like_frame``: the bar is made of the frame's, else field's.
        rim: width of the frame; ``rise``: how high it stands over the field.
        bar: width of the bar; ``bar_rise``: how high it stands.
        hinged: two halves that fold; ``misfit``: turn (radians) and shift of the right half.
        trays: width of the trays at the left and right, 0 for none.
        seam: width of the dark gap in the middle of the bar.
        ornament: one of none, medallion, scene, dots, lines.
        hinges: metal hinges on the bar.
    """

    frame: Material
    field: Material
    bar_like_frame: bool
    rim: float
    rise: float
    bar: float
    bar_rise: float
    hinged: bool
    misfit: tuple[float, float, float]
    trays: tuple[float, float]
    seam: float
    ornament: str
    hinges: bool


@dataclass(frozen=True, slots=True)
class CheckerLook:
    """The checkers of one set.

    Attributes:
        sides: materials of the lighter and the darker ones.
        diameter, thick: of one.
        rings: (radius, width, depth) in radii.
        dish: strength of a hollow, below 0 of a dome.
        bevel: share of the radius that is rounded off.
        emblem: printed or carved figure in the middle, "none" for none.
        tight: gaps between checkers of a row, of a diameter.
        sloppy: spread of their places, of a diameter.
    """

    sides: tuple[Material, Material]
    diameter: float
    thick: float
    rings: tuple[tuple[float, float, float], ...]
    dish: float
    bevel: float
    emblem: str
    tight: float
    sloppy: float


@dataclass(frozen=True, slots=True)
class NardiStyle:
    """A set: see the parts.  ``height`` is the field's, ``seed`` decides its textures."""

    split: Split
    seed: int
    height: float
    points: PointLook
    case: CaseLook
    checkers: CheckerLook
    table: Material

    @property
    def width(self) -> float:
        """Width of the field with the bar."""
        return 12 + self.case.bar

    def point_x(self, column: int) -> float:
        """Middle of a column of points, 0 to 11."""
        return column + 0.5 + (self.case.bar if column > 5 else 0.0)

    @property
    def contrast(self) -> float:
        """Difference in lightness between the two sides, 0 to 1."""
        light, dark = self.checkers.sides
        return lightness(light.colour) - lightness(dark.colour)


def sample_nardi_style(rng: Rng, split: Split = "train") -> NardiStyle:
    """A random set whose paints and woods belong to the split."""
    points, case = sample_board(rng, split)
    height = float(rng.uniform(9.2, 13.5))
    return NardiStyle(
        split=split,
        seed=int(rng.integers(2**31)),
        height=height,
        points=points,
        case=case,
        checkers=sample_checkers(rng, split, points, height),
        table=sample_table(rng, split),
    )


def sample_board(rng: Rng, split: Split) -> tuple[PointLook, CaseLook]:
    """Points and case that go together."""
    families = FIELDS[int(rng.choice(len(FIELDS), p=[f[0] for f in FIELDS]))]
    wooden = rng.random() < 0.45

    def some(names: tuple[str, ...]) -> Material:
        if wooden and rng.random() < 0.85:
            return wood(rng, names, split)
        kinds = ("plain", "plain", "cloth", "stone", "carpet", "marble")
        return plain(
            rng, names, split, kinds[int(rng.choice(6, p=[0.3, 0.3, 0.2, 0.05, 0.1, 0.05]))]
        )

    field = some(families[1])
    while True:
        first, second = some(families[2]), some(families[3])
        gaps = [
            abs(a - b) for m in (first, second) for a, b in zip(m.colour, field.colour, strict=True)
        ]
        if max(gaps[:3]) > 0.06 and max(gaps[3:]) > 0.06:
            break
    if rng.random() < 0.08:
        second = first
    shape = SHAPES[int(rng.choice(9, p=[0.5, 0.08, 0.08, 0.1, 0.05, 0.03, 0.05, 0.05, 0.06]))]
    points = PointLook(
        shape=shape,
        first=first,
        second=second,
        swap=bool(rng.random() < 0.5),
        length=float(rng.uniform(0.33, 0.48)),
        base=float(rng.choice([1.0, rng.uniform(0.7, 1.0)])),
        tip=float(rng.uniform(0.0, 0.5)),
        gap=float(rng.choice([0.0, rng.uniform(0, 0.35)])),
        ink=draw(rng, LIGHT_PAINTS + DARK_PAINTS, split),
        line=float(rng.uniform(0.02, 0.08) if shape == "outline" or rng.random() < 0.3 else 0.0),
        knob=float(rng.uniform(0.06, 0.25) if rng.random() < 0.15 else 0.0),
        mirrored=bool(rng.random() < 0.5),
    )
    return points, sample_case(rng, split, field, wooden)


def sample_case(rng: Rng, split: Split, field: Material, wooden: bool) -> CaseLook:
    """A random case: a folding box, a table with trays, a roll of leather, a printed sheet."""
    make = wood if wooden or rng.random() < 0.4 else plain
    every = LIGHT_WOODS + DARK_WOODS if make is wood else LIGHT_PAINTS + DARK_PAINTS
    hinged = rng.random() < 0.6
    rim = float(rng.choice([rng.uniform(0.1, 0.5), rng.uniform(0.4, 1.2)]))
    rise = float(
        rng.choice([0.0, rng.uniform(0.05, 0.5), rng.uniform(0.4, 1.4)], p=[0.2, 0.5, 0.3])
    )
    bar = float(2 * rim + rng.uniform(0, 0.1) if hinged else rng.uniform(0.2, 1.7))
    if rng.random() < 0.06:
        bar = float(rng.uniform(0.04, 0.15))
    misfit = (0.0, 0.0, 0.0)
    if hinged and rng.random() < 0.4:
        misfit = (float(rng.normal(0, 0.006)), 0.0, float(rng.normal(0, 0.07)))
    trays = [(0.0, 0.0), (0.0, float(rng.uniform(1.0, 1.6))), (0.0, 0.0)]
    both = float(rng.uniform(0.9, 1.5))
    trays.append((both, both))
    ornaments = ("none", "medallion", "scene", "dots", "lines")
    return CaseLook(
        frame=make(rng, every, split),
        field=field,
        bar_like_frame=bool(hinged or rng.random() < 0.75),
        rim=rim,
        rise=rise,
        bar=min(bar, 2.0),
        bar_rise=float(rise * rng.choice([1.0, 0.0, 0.5], p=[0.7, 0.2, 0.1])),
        hinged=hinged,
        misfit=misfit,
        trays=trays[int(rng.integers(4))],
        seam=float(rng.uniform(0.02, 0.09)) if hinged else 0.0,
        ornament=ornaments[int(rng.choice(5, p=[0.6, 0.12, 0.1, 0.09, 0.09]))],
        hinges=bool(hinged and rng.random() < 0.6),
    )


def sample_checkers(rng: Rng, split: Split, points: PointLook, height: float) -> CheckerLook:
    """Random checkers; now and then one side has nearly the colour of half the points."""
    weights = [m[0] for m in MEN]
    _, lighter, darker = MEN[int(rng.choice(len(MEN), p=weights))]
    wooden = rng.random() < 0.45
    while True:
        light, dark = men_materials(rng, lighter, darker, split, wooden)
        if rng.random() < 0.12:
            light, dark = sorted((points.first, dark), key=lambda m: -lightness(m.colour))
        elif rng.random() < 0.12:
            light, dark = sorted((light, points.second), key=lambda m: -lightness(m.colour))
        gap = max(abs(a - b) for a, b in zip(light.colour, dark.colour, strict=True))
        if gap > 0.15 and lightness(light.colour) - lightness(dark.colour) > 0.06:
            break
    largest = min(1.0, 0.5 * height / 5.2)
    diameter = float(rng.uniform(0.7, largest) if rng.random() < 0.5 else largest * 0.93)
    emblems = ("none", "star", "dot", "ring", "cross", "text")
    count = int(rng.integers(0, 4))
    return CheckerLook(
        sides=(light, dark),
        diameter=diameter,
        thick=float(diameter * rng.uniform(0.13, 0.36)),
        rings=tuple(
            (float(r), float(rng.uniform(0.02, 0.07)), float(rng.normal(0, 0.5)))
            for r in rng.uniform(0.2, 0.92, count)
        ),
        dish=float(rng.choice([0.0, rng.normal(0, 0.35)])),
        bevel=float(rng.uniform(0.04, 0.22)),
        emblem=emblems[int(rng.choice(6, p=[0.7, 0.06, 0.06, 0.06, 0.06, 0.06]))],
        tight=float(rng.choice([0.0, rng.uniform(0, 0.05), rng.uniform(0, 0.15)])),
        sloppy=float(rng.choice([0.02, 0.05, 0.1], p=[0.4, 0.4, 0.2])),
    )
