"""Finds a nardi board: the whole picture first, then the field alone, then each of its corners.

The first look gives a rough four-sided figure and the direction of the rows.  A second one sees
the field as if from straight above and tells its eight corners apart, hidden ones too, since it
sees the others.  Then small pictures of the eight corners, which all look alike once they are
turned, put every corner right.  A person's clicks, or the place known from an earlier picture,
replace the first look.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..geometry import inverse, project
from .board import Image, NardiGeometry, Points, usual_order
from .corners import CORNER_CELL, agreed, corner_pictures, moved
from .crops import CELL_PX, FIELD_PX, levelled, squeezed
from .model import CornerModel, FieldModel

Floats = NDArray[np.float32]

#: Cells along an edge of what the network says of a whole picture.
CELLS = FIELD_PX // CELL_PX
#: A picture whose field is smaller than this, in cells, shows no board to read.
_LEAST_FIELD = 45.0
#: Heat from which a corner counts as seen; how many of eight have to be; how many looks at most.
SEEN, LEAST_SEEN, _LOOKS = 0.3, 5, 3
#: How many closer looks there are; the heat that a place has which a look doesn't see at all, the
#: spread in cells that a look at the field is given, and the heat from which both together see.
_CLOSE_LOOKS, _DOUBT, _BLUR, _SEEN_TWICE = 2, 0.05, 0.8, 0.2
#: Mean heat of the corners from which a board is one, and from which nothing else is tried.
_BOARD, _PLAIN = 0.33, 0.5
#: Where the corners lie when a board fills the picture, shares of its edges.
_FILLING = (0.04, 0.1)


@dataclass(frozen=True, slots=True, eq=False)
class NotFound:
    """No board, or none that can be read, and why."""

    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A board after looks at its corners.

    Attributes:
        geometry: of the field.
        heat: (8,) how surely each corner is seen, 0 to 1.
        maps, back: what the look at the levelled field said of each corner, (8, CELLS, CELLS), and
            the 3x3 from its pixels to the picture's.
    """

    geometry: NardiGeometry
    heat: NDArray[np.float64]
    maps: Floats
    back: Points

    @property
    def score(self) -> float:
        """Mean heat of the corners."""
        return float(self.heat.mean())


class Locator:
    """Finds boards with two networks."""

    def __init__(self, field: FieldModel, corner: CornerModel) -> None:
        self._field, self._corner = field, corner

    def find(self, image: Image) -> NardiGeometry | NotFound:
        """The field in a picture that nothing is known of.

        Args:
            image: uint8 (H, W, 3).
        """
        if float(image[::8, ::8].mean()) < 6:
            return NotFound("the picture is too dark")
        best: Found | None = None
        for corners in self._starts(image):
            found = self._settle(image, corners)
            if found is not None and (best is None or found.score > best.score):
                best = found
            if best is not None and best.score > _PLAIN:
                break
        return self._judged(best)

    def _starts(self, image: Image) -> list[Points]:
        """Rough corners to begin from, the likeliest first."""
        picture, back = squeezed(image)
        rough = rough_corners(self._field.look(picture))
        starts = []
        if rough is not None:
            starts.append(project(back, (rough + 0.5) * CELL_PX - 0.5))
        height, width = image.shape[:2]
        for room in _FILLING:
            x, y = np.array([room, 1 - room]) * width, np.array([room, 1 - room]) * height
            starts.append(np.array([[x[0], y[0]], [x[1], y[0]], [x[1], y[1]], [x[0], y[1]]]))
        # the rows may run the other way than they seem to
        return [np.roll(s, -k, axis=0) for s in starts for k in (0, 1)]

    def refine(self, image: Image, geometry: NardiGeometry) -> NardiGeometry | NotFound:
        """The field near where an earlier picture had it."""
        return self._judged(self._settle(image, geometry))

    def clicked(self, image: Image, corners: ArrayLike) -> NardiGeometry:
        """The field of four corners that a person clicked: they stay, only the bar is looked for.

        The corners may be counted from any corner on; the looks say which edges are the rows.
        """
        first = np.asarray(corners, np.float64)
        second = np.roll(first, -1, axis=0)
        looks = [self._level(image, first), self._level(image, second)]
        scores = [0.0 if look is None else look.score for look in looks]
        # turned only when the corners look much more like it
        turned = scores[1] > scores[0] + 0.15
        at, seen = (second, looks[1]) if turned else (first, looks[0])
        if seen is None or seen.heat[[1, 2, 4, 7]].min() < SEEN:
            return NardiGeometry.from_corners(at)
        halves = self._polished(image, seen).geometry.halves.copy()
        halves[0, 0], halves[1, 1], halves[1, 2], halves[0, 3] = at
        if not all(convex(half) for half in halves):
            return NardiGeometry.from_corners(at)
        return NardiGeometry(halves)

    def _settle(self, image: Image, start: Points | NardiGeometry) -> Found | None:
        """Looks at the field, then at its corners; None when they fall apart."""
        corners = start.corners if isinstance(start, NardiGeometry) else start
        if not convex(corners):
            return None
        found = None
        for _ in range(_LOOKS):
            found = self._level(image, corners)
            if found is None or found.score < 0.1:
                return None
            step = np.hypot(*(found.geometry.corners - corners).T).max()
            corners = found.geometry.corners
            if step < 0.02 * found.geometry.board_width_px():
                break
        return None if found is None else self._polished(image, found)

    def _level(self, image: Image, corners: Points) -> Found | None:
        """One look at a field whose outer corners lie about there."""
        picture, back = levelled(image, corners)
        maps = self._field.corners(picture)
        cells, heats = hottest(maps)
        return _found(project(back, (cells + 0.5) * CELL_PX - 0.5), heats, SEEN, maps, back)

    def _polished(self, image: Image, found: Found) -> Found:
        """The corners where the look at the field and closer looks agree that they are."""
        for _ in range(_CLOSE_LOOKS):
            pictures, back = corner_pictures(image, found.geometry)
            both = together(self._corner.look(pictures), back, found)
            cells, heats = hottest(both)
            closer = _found(moved(back, cells), heats, _SEEN_TWICE, found.maps, found.back)
            if closer is None:
                break
            found = closer
        return found

    @staticmethod
    def _judged(found: Found | None) -> NardiGeometry | NotFound:
        if found is None or found.score < _BOARD:
            return NotFound("no board in the picture")
        if int((found.heat > SEEN).sum()) < LEAST_SEEN:
            return NotFound("the corners of the field can't be seen")
        residual = float(1 - found.heat.mean()) * 0.02
        return usual_order(NardiGeometry(found.geometry.halves, residual))


def _found(
    places: Points, heats: NDArray[np.float64], seen: float, maps: Floats, back: Points
) -> Found | None:
    """The board of eight corners that were each looked for by themselves; None if it is none."""
    settled, believed = agreed(places, heats > seen)
    halves = settled.reshape(2, 4, 2)
    if not all(convex(half) for half in halves):
        return None
    return Found(NardiGeometry(halves), np.where(believed, heats, heats * 0.3), maps, back)


def together(heat: Floats, back: Points, found: Found) -> Floats:
    """What closer looks (8, n, n) and the look at the whole field say together, (8, n, n).

    ``back``: 3x3 from the pixels of the closer looks to the picture's.  A corner that only one of
    them sees is warm where that one sees it; which of two places it is, the hotter one decides.
    """
    size = heat.shape[2], heat.shape[1]
    to_cells = inverse(_pixels(CORNER_CELL))
    out = []
    for close, one, wide in zip(heat, back, found.maps, strict=True):
        through = to_cells @ inverse(one) @ found.back @ _pixels(CELL_PX)
        seen = cv2.warpPerspective(cv2.GaussianBlur(wide, (0, 0), _BLUR), through, size)
        out.append(np.sqrt((close + _DOUBT) * (seen + _DOUBT)))
    return np.asarray(out, np.float32)


def _pixels(cell: int) -> Points:
    """3x3 from cells of a picture to its pixels."""
    return np.array([[cell, 0, cell / 2 - 0.5], [0, cell, cell / 2 - 0.5], [0, 0, 1.0]])


def hottest(heat: Floats) -> tuple[Points, NDArray[np.float64]]:
    """The likeliest place (n, 2) in cells on each of n maps, and how likely it is."""
    cells, strength = [], []
    for one in heat:
        row, column = np.unravel_index(int(one.argmax()), one.shape)
        strength.append(float(one[row, column]))
        cells.append(centre(one, int(row), int(column)))
    return np.array(cells, np.float64), np.array(strength)


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
