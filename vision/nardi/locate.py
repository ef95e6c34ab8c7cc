"""Finds a nardi board: the whole picture first, then the field again from straight above.

The first look gives a rough four-sided figure and the direction of the rows; each further look
straightens the field, sees it larger, and puts the corners and the bar right.  One network makes
both looks.  A person's clicks replace the first look.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..geometry import project
from .board import USUAL_BAR, Image, NardiGeometry, Points, usual_order
from .crops import CELL_PX, FIELD_PX, ROOM, squeezed, straightened
from .model import FieldModel

Floats = NDArray[np.float32]

#: Cells along an edge of what the network says.
CELLS = FIELD_PX // CELL_PX
#: Where the field's edges lie in a straightened picture, in cells.
_LOW = ROOM / (1 + 2 * ROOM) * CELLS - 0.5
_HIGH = (1 + ROOM) / (1 + 2 * ROOM) * CELLS - 0.5
_EDGE = _HIGH - _LOW
#: Spread of the bells that the network was taught to put on corners, in cells.
_BELL = 0.85
#: A picture whose field is smaller than this, in cells, shows no board to read.
_LEAST_FIELD = 20.0
#: Looks after the first one.
_LOOKS = 2


@dataclass(frozen=True, slots=True, eq=False)
class NotFound:
    """No board, or none that can be read, and why."""

    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What one straightened look says.

    Attributes:
        corners: (4, 2) cells.
        bar: where it begins and ends at the upper and at the lower row, shares of the width.
        strength: of the four corners, 0 to 1.
        agreement: of the field that is seen with the field that was expected, 0 to 1.
        along: cosine of twice the angle between the rows and the picture's x axis.
    """

    corners: Points
    bar: tuple[tuple[float, float], tuple[float, float]]
    strength: NDArray[np.float64]
    agreement: float
    along: float


class Locator:
    """Finds boards with a network."""

    def __init__(self, model: FieldModel) -> None:
        self._model = model

    def find(self, image: Image) -> NardiGeometry | NotFound:
        """The field in a picture that nothing is known of.

        Args:
            image: uint8 (H, W, 3).
        """
        if float(image[::8, ::8].mean()) < 6:
            return NotFound("the picture is too dark")
        picture, back = squeezed(image)
        said = self._model.look(picture)
        rough = rough_corners(said)
        if rough is None:
            return NotFound("no board in the picture")
        return self.refine(image, project(back, (rough + 0.5) * CELL_PX - 0.5))

    def refine(
        self, image: Image, corners: ArrayLike, looks: int = _LOOKS
    ) -> NardiGeometry | NotFound:
        """The field near four corners in camera order, as from an earlier picture."""
        at = np.asarray(corners, np.float64)
        look = None
        for turn in range(looks + 1):
            picture, back = straightened(image, at)
            look = straight_look(self._model.look(picture))
            if look.along < 0 and turn == 0:
                at = np.roll(at, -1, axis=0)
                continue
            moved = project(back, (look.corners + 0.5) * CELL_PX - 0.5)
            if not convex(moved):
                return NotFound("no board in the picture")
            at = moved
            if turn == looks - 1 and look.agreement > 0.8:
                break
        assert look is not None
        doubt = doubt_of(look)
        if doubt:
            return NotFound(doubt)
        residual = float(1 - np.sort(look.strength)[1:].mean()) * 0.03
        return usual_order(NardiGeometry.from_corners(at, look.bar, residual))

    def clicked(self, image: Image, corners: ArrayLike) -> NardiGeometry:
        """The field of four corners that a person clicked: they stay, only the bar is looked for.

        The corners may be counted from any corner on; the network says which edges are the rows.
        """
        at = np.asarray(corners, np.float64)
        look = straight_look(self._model.look(straightened(image, at)[0]))
        if look.along < -0.3:
            at = np.roll(at, -1, axis=0)
            look = straight_look(self._model.look(straightened(image, at)[0]))
        plain = look.agreement < 0.6 or look.along < 0
        return NardiGeometry.from_corners(at, USUAL_BAR if plain else look.bar)


def doubt_of(look: Look) -> str:
    """Why a look doesn't show a board that can be read; empty when it does."""
    if look.along < 0.3 or look.agreement < 0.6:
        return "no board in the picture"
    if np.sort(look.strength)[1] < 0.15:
        return "the corners of the field can't be seen"
    return ""


def convex(corners: Points) -> bool:
    """Whether four corners go clockwise around a figure that a camera could see."""
    if not np.isfinite(corners).all():
        return False
    edges = np.roll(corners, -1, axis=0) - corners
    ahead = np.roll(edges, -1, axis=0)
    return bool((edges[:, 0] * ahead[:, 1] - edges[:, 1] * ahead[:, 0] > 1).all())


def rough_corners(said: Floats) -> Points | None:
    """Four corners in cells, camera order, of a look at a whole picture; None without a field."""
    field = largest(said[2])
    if field is None:
        return None
    hull = cv2.convexHull(np.argwhere(field > 0.5)[:, ::-1].astype(np.float32))
    box = cv2.boxPoints(cv2.minAreaRect(hull)).astype(np.float64)
    spots, heat = tops(said[0], 9)
    best, score = box, overlap(box, field) - 0.05
    for chosen in combinations(range(len(spots)), 4):
        corners = around(spots[list(chosen)])
        if not convex(corners):
            continue
        own = overlap(corners, field) + 0.15 * float(heat[list(chosen)].mean())
        if own > score:
            best, score = corners, own
    best = around(best)
    twice = np.arctan2(*(said[[5, 4]] * field).sum((1, 2)))
    along = np.array([np.cos(twice / 2), np.sin(twice / 2)])
    rows = best[1] - best[0] + best[2] - best[3]
    columns = best[3] - best[0] + best[2] - best[1]
    first = abs(rows @ along) / np.hypot(*rows) >= abs(columns @ along) / np.hypot(*columns)
    return best if first else np.roll(best, -1, axis=0)


def around(corners: Points) -> Points:
    """Corners in the order of their angles, clockwise in a picture."""
    off = corners - corners.mean(0)
    return np.asarray(corners[np.argsort(np.arctan2(off[:, 1], off[:, 0]))])


def largest(field: Floats) -> Floats | None:
    """The largest connected part of the field; None when it is too small."""
    count, names, stats, _ = cv2.connectedComponentsWithStats((field > 0.5).astype(np.uint8))
    if count < 2:
        return None
    part = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    if stats[part, cv2.CC_STAT_AREA] < _LEAST_FIELD:
        return None
    return np.where(names == part, field, 0).astype(np.float32)


def overlap(corners: Points, field: Floats) -> float:
    """Area that a figure and the field share, of the area of both together."""
    fine = 4
    mask = np.zeros((CELLS * fine, CELLS * fine), np.uint8)
    whole = np.rint(np.clip((corners + 0.5) * fine - 0.5, -400, 400) * 16).astype(np.int32)
    cv2.fillConvexPoly(mask, whole, 1, cv2.LINE_8, 4)
    share = cv2.resize(mask.astype(np.float32), field.shape[::-1], interpolation=cv2.INTER_AREA)
    return float(np.minimum(share, field).sum() / (np.maximum(share, field).sum() + 1e-6))


def tops(heat: Floats, most: int) -> tuple[Points, NDArray[np.float64]]:
    """Places (n, 2) in cells and strengths of the highest peaks."""
    high = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat >= high) & (heat > 0.08))
    order = np.argsort(-heat[rows, columns])[:most]
    places = [centre(heat, int(rows[k]), int(columns[k])) for k in order]
    strengths = heat[rows[order], columns[order]].astype(np.float64)
    return np.array(places, np.float64).reshape(-1, 2), strengths


def centre(heat: Floats, row: int, column: int) -> tuple[float, float]:
    """The middle (x, y) of the bell around a cell, by a parabola through logarithms."""

    def shift(before: float, here: float, after: float) -> float:
        a, b, c = (np.log(max(v, 1e-4)) for v in (before, here, after))
        bend = a - 2 * b + c
        return float(np.clip((a - c) / (2 * bend), -0.6, 0.6)) if bend < -1e-3 else 0.0

    padded = cv2.copyMakeBorder(heat, 1, 1, 1, 1, cv2.BORDER_REPLICATE)
    r, c = row + 1, column + 1
    x = column + shift(padded[r, c - 1], padded[r, c], padded[r, c + 1])
    y = row + shift(padded[r - 1, c], padded[r, c], padded[r + 1, c])
    return x, y


def straight_look(said: Floats) -> Look:
    """Corners and bar of a straightened look."""
    expected = np.array([[_LOW, _LOW], [_HIGH, _LOW], [_HIGH, _HIGH], [_LOW, _HIGH]])
    corners, strength = expected.copy(), np.zeros(4)
    reach = 5
    for k, (x, y) in enumerate(expected):
        left, top = max(0, round(x) - reach), max(0, round(y) - reach)
        part = said[0, top : round(y) + reach + 1, left : round(x) + reach + 1]
        row, column = np.unravel_index(int(part.argmax()), part.shape)
        strength[k] = float(part[row, column])
        if strength[k] > 0.12:
            corners[k] = centre(said[0], int(row) + top, int(column) + left)
    inside = said[2] > 0.5
    along = float(said[4][inside].mean()) if inside.any() else 0.0
    bar = (bar_ends(said, corners[0], corners[1]), bar_ends(said, corners[3], corners[2]))
    return Look(corners, bar, strength, overlap(corners, said[2]), along)


def bar_ends(said: Floats, left: Points, right: Points) -> tuple[float, float]:
    """Where the bar begins and ends along one row of bases, shares of the width.

    The heat at its two corners is measured by its middle and its spread: that works for bars
    thinner than a cell, too.
    """
    steps = np.arange(-6, 6.01, 0.5)
    middle, along = (left + right) / 2, (right - left) / np.hypot(*(right - left))
    across = np.array([-along[1], along[0]])
    offsets = steps[None, :, None] * along + np.array([-1.0, 0, 1])[:, None, None] * across
    spots = (middle + offsets).astype(np.float32)
    heat = cv2.remap(
        said[1], spots[..., 0], spots[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT
    ).max(0)
    weight = np.clip(heat - 0.08, 0, None)
    if weight.max() < 0.15:
        return USUAL_BAR
    at = float((weight * steps).sum() / weight.sum())
    spread = float((weight * np.square(steps - at)).sum() / weight.sum())
    width = 2 * np.sqrt(max(0.0, spread - _BELL**2))
    edge = float(np.hypot(*(right - left)))
    return 0.5 + (at - width / 2) / edge, 0.5 + (at + width / 2) / edge
