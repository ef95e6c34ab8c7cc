"""Finds a nardi board: the whole picture first, then each corner of both halves by itself.

The first look gives a rough four-sided figure and the direction of the rows.  Then small pictures
of the eight corners, which all look alike once they are turned, put every corner right; a few such
looks follow one another.  A person's clicks, or the place known from an earlier picture, replace
the first look.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..geometry import project
from .board import Image, NardiGeometry, Points, usual_order
from .corners import agreed, corner_pictures, moved
from .crops import CELL_PX, FIELD_PX, squeezed
from .model import CornerModel, FieldModel

Floats = NDArray[np.float32]

#: Cells along an edge of what the network says of a whole picture.
CELLS = FIELD_PX // CELL_PX
#: A picture whose field is smaller than this, in cells, shows no board to read.
_LEAST_FIELD = 20.0
#: Heat from which a corner counts as seen; how many of eight have to be; how many looks at most.
SEEN, LEAST_SEEN, _LOOKS = 0.3, 5, 4
#: Mean heat of the corners from which a board is one, and from which nothing else is tried.
_BOARD, _PLAIN = 0.33, 0.6
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
    """

    geometry: NardiGeometry
    heat: NDArray[np.float64]

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
        at = np.asarray(corners, np.float64)
        best: Found | None = None
        for k in (0, 1):
            found = self._look(image, NardiGeometry.from_corners(np.roll(at, -k, axis=0)))
            # turned only when the corners look much more like it
            if best is None or found.score > best.score + 0.15:
                best, at = found, np.roll(at, -k, axis=0)
        assert best is not None
        if best.heat[[1, 2, 4, 7]].min() < SEEN:
            return NardiGeometry.from_corners(at)
        halves = best.geometry.halves.copy()
        halves[0, 0], halves[1, 1], halves[1, 2], halves[0, 3] = at
        if not all(convex(half) for half in halves):
            return NardiGeometry.from_corners(at)
        return NardiGeometry(halves)

    def _settle(self, image: Image, start: Points | NardiGeometry) -> Found | None:
        """Looks at the corners until they stay where they are; None when they fall apart."""
        if isinstance(start, NardiGeometry):
            geometry = start
        elif convex(start):
            geometry = NardiGeometry.from_corners(start)
        else:
            return None
        found = None
        for _ in range(_LOOKS):
            found = self._look(image, geometry)
            if found.score < 0.1:
                return None
            step = np.hypot(*(found.geometry.halves - geometry.halves).reshape(8, 2).T).max()
            geometry = found.geometry
            if step < 0.004 * geometry.board_width_px():
                break
        return found

    def _look(self, image: Image, geometry: NardiGeometry) -> Found:
        """One look at the corners near where they are thought to be."""
        pictures, back = corner_pictures(image, geometry)
        heat = self._corner.look(pictures)
        cells, strength = [], []
        for one in heat:
            row, column = np.unravel_index(int(one.argmax()), one.shape)
            strength.append(float(one[row, column]))
            cells.append(centre(one, int(row), int(column)))
        new = moved(back, np.array(cells, np.float64))
        heats = np.array(strength)
        settled, believed = agreed(new, heats > SEEN)
        if believed.sum() < LEAST_SEEN:
            settled = along(geometry.halves.reshape(8, 2), new, believed)
        halves = settled.reshape(2, 4, 2)
        if not all(convex(half) for half in halves):
            return Found(geometry, np.zeros(8))
        return Found(NardiGeometry(halves), np.where(believed, heats, heats * 0.3))

    @staticmethod
    def _judged(found: Found | None) -> NardiGeometry | NotFound:
        if found is None or found.score < _BOARD:
            return NotFound("no board in the picture")
        if int((found.heat > SEEN).sum()) < LEAST_SEEN:
            return NotFound("the corners of the field can't be seen")
        residual = float(1 - found.heat.mean()) * 0.02
        return usual_order(NardiGeometry(found.geometry.halves, residual))


def along(old: Points, new: Points, seen: NDArray[np.bool_]) -> Points:
    """Corners (8, 2) when few are seen: those where they are seen, the others shifted like them."""
    shift = (new - old)[seen].mean(0) if seen.any() else np.zeros(2)
    return np.where(seen[:, None], new, old + shift)


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
