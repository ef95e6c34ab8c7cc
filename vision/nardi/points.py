"""What stands on the 24 points: side and count, as log-probabilities.

Points are in camera order, as everywhere in ``vision.nardi``: 0 to 11 along the upper row of bases,
12 to 23 along the lower one, both from left to right.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from .board import Image, NardiGeometry, half_picture
from .model import HalfModel
from .percept import COUNTS, POINTS
from .sides import Colours, Patches, side_odds

Floats = NDArray[np.float32]

#: Checkers of a side.
ALL = 15
#: How likely it is that all fifteen of a side stand on the points, when nobody knows the game.
_WHOLE = 0.6
#: Cells of a column that tell a side: the middle three of five, as far as half of the field.
_INNER, _DEEP = (1, 4), 30
#: Heat from which a checker's middle counts, and how near the border of two points, in their width,
#: it has to be to stand on neither.
_MIDDLE, _ASTRIDE = 0.5, 0.12
#: Cells of room around the field.
_ROOM_X, _ROOM_Y = 3, 4


@dataclass(frozen=True, slots=True, eq=False)
class PointsRead:
    """What a picture says of the points.

    Attributes:
        counts: float32 (24, 16) log-probabilities of how many checkers stand on each.
        odds: float32 (24,) log-odds that they are the lighter side's, where there are any.
        hidden: float32 (24,) probability that something covers the point.
        colours: of the sides in this picture.
        loose: places, board units, of checkers that lie between two points.
        disturbed: the points beside those.
    """

    counts: Floats
    odds: Floats
    hidden: Floats
    colours: Colours
    loose: tuple[tuple[float, float], ...] = ()
    disturbed: frozenset[int] = frozenset()

    def joint(self) -> Floats:
        """Log-probabilities (24, 31): empty, 1 to 15 of the lighter side, then of the darker."""
        light = -np.logaddexp(0, -self.odds)[:, None]
        dark = -np.logaddexp(0, self.odds)[:, None]
        some = self.counts[:, 1:]
        return np.concatenate([self.counts[:, :1], some + light, some + dark], 1).astype(np.float32)


def by_side(joint: Floats) -> Floats:
    """Log-probabilities (24, 2, 16) of each side's count by itself, from joint ones (24, 31)."""
    p = np.exp(joint)
    out = np.zeros((len(p), 2, COUNTS))
    for side, own in enumerate((slice(1, 16), slice(16, 31))):
        out[:, side, 1:] = p[:, own]
        out[:, side, 0] = 1 - p[:, own].sum(1)
    return np.asarray(np.log(np.maximum(out, 1e-9)), np.float32)


class PointReader:
    """Reads points with a network."""

    def __init__(self, model: HalfModel) -> None:
        self._model = model

    def read(
        self, image: Image, geometry: NardiGeometry, known: Colours | None = None
    ) -> PointsRead:
        """What stands on the points of a located board.

        Args:
            image: uint8 (H, W, 3).
            geometry: of that picture.
            known: colours of this set, from a start picture or earlier frames.
        """
        halves = np.stack([half_picture(image, geometry, half) for half in (0, 1)])
        cells, counts, hidden = self._both_ways(halves)
        patches = patches_of(halves, cells)
        odds, colours = side_odds(patches, POINTS, known)
        loose, disturbed = between(cells[:, 0], geometry)
        return PointsRead(
            in_order(counts), odds, in_order(hidden), colours, tuple(loose), frozenset(disturbed)
        )

    def _both_ways(self, halves: NDArray[np.uint8]) -> tuple[Floats, Floats, Floats]:
        """What the network says of halves, the mean of a look at them and one in a mirror."""
        mirrored = np.ascontiguousarray(halves[:, :, ::-1])
        cells, counts, hidden = self._model.read(np.concatenate([halves, mirrored]))
        seen = np.asarray((cells[:2] + cells[2:, :, :, ::-1]) / 2, np.float32)
        back = counts[2:].reshape(2, 2, 6, COUNTS)[:, :, ::-1].reshape(2, 12, COUNTS)
        mean = (counts[:2] + back) / 2
        mean = mean - np.logaddexp.reduce(mean, axis=2, keepdims=True)
        covered = (hidden[:2] + hidden[2:].reshape(2, 2, 6)[:, :, ::-1].reshape(2, 12)) / 2
        return seen, mean.astype(np.float32), covered.astype(np.float32)


def in_order(halves: Floats) -> Floats:
    """Values (2, 12, ...) of both halves as (24, ...) in camera order."""
    rows = halves.reshape(2, 2, 6, *halves.shape[2:])
    return np.ascontiguousarray(rows.swapaxes(0, 1)).reshape(24, *halves.shape[2:])


def between(heat: Floats, geometry: NardiGeometry) -> tuple[list[tuple[float, float]], list[int]]:
    """Checkers that lie between two points of a half: their places in board units, and the points.

    ``heat``: (2, h, w) probabilities of checkers' middles.
    """
    loose, points = [], []
    for half in (0, 1):
        high = cv2.dilate(heat[half], np.ones((3, 3), np.uint8))
        rows, columns = np.nonzero((heat[half] >= high) & (heat[half] > _MIDDLE))
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
            around = heat[half, row, max(0, column - 1) : column + 2]
            shift = np.arange(len(around)) - min(column, 1)
            x = (column + float((around * shift).sum() / around.sum()) + 0.5 - _ROOM_X) / 5
            y = (row + 0.5 - _ROOM_Y) / (heat.shape[1] - 2 * _ROOM_Y)
            border = round(x)
            if abs(x - border) > _ASTRIDE or not 0 < border < 6:
                continue
            u, v = geometry.to_board(geometry.to_image(half, [x, y]))
            loose.append((float(u), float(v)))
            first = (0 if y < 0.5 else 12) + 6 * half + border
            points += [first - 1, first]
    return loose, sorted(set(points))


def patches_of(halves: NDArray[np.uint8], cells: Floats) -> Patches:
    """Colours of the cells that show checkers."""
    columns, rows = cells.shape[3], cells.shape[2]
    lab, weight, point, guess = [], [], [], []
    for half in (0, 1):
        small = cv2.resize(halves[half], (columns, rows), interpolation=cv2.INTER_AREA)
        colour = cv2.cvtColor(small.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
        _, none, light, dark = cells[half]
        odds = np.log(light + 1e-4) - np.log(dark + 1e-4)
        for column in range(6):
            left = _ROOM_X + 5 * column
            across = slice(left + _INNER[0], left + _INNER[1])
            for row, along in enumerate(
                (
                    slice(_ROOM_Y - 1, _ROOM_Y + _DEEP),
                    slice(rows - _ROOM_Y - _DEEP, rows - _ROOM_Y + 1),
                )
            ):
                sure = 1 - none[along, across].reshape(-1)
                lab.append(colour[along, across].reshape(-1, 3))
                weight.append(np.where(sure > 0.5, sure, 0))
                point.append(np.full(len(sure), 12 * row + 6 * half + column))
                guess.append(odds[along, across].reshape(-1))
    kept = np.concatenate(weight) > 0
    return Patches(
        np.concatenate(lab)[kept], np.concatenate(weight)[kept].astype(np.float32),
        np.concatenate(point)[kept], np.concatenate(guess)[kept],
    )  # fmt: skip


def settled(joint: Floats, totals: NDArray[np.floating] | None = None) -> Floats:
    """The joint log-probabilities (24, 31) once each side is known to have fifteen checkers.

    Each point is weighed by how likely the other points leave room for it.

    Args:
        joint: as ``PointsRead.joint`` gives them.
        totals: (2, 16) how likely each total on the points is for a side; by default most likely
            all fifteen, else any number: nobody knows how many were borne off.
    """
    if totals is None:
        row = np.full(ALL + 1, (1 - _WHOLE) / ALL)
        row[ALL] = _WHOLE
        totals = np.stack([row, row])
    alone = np.exp(by_side(joint)).astype(np.float64)
    factors = np.stack([room_left(alone[:, side], totals[side]) for side in (0, 1)])
    none = np.log(factors[:, :, 0] + 1e-300).sum(0)
    out = joint.astype(np.float64).copy()
    out[:, 0] += none
    for side, own in enumerate((slice(1, 16), slice(16, 31))):
        other = np.log(factors[1 - side, :, :1] + 1e-300)
        out[:, own] += np.log(factors[side, :, 1:] + 1e-300) + other
    out -= np.logaddexp.reduce(out, axis=1, keepdims=True)
    return out.astype(np.float32)


def room_left(alone: NDArray[np.float64], totals: NDArray[np.floating]) -> NDArray[np.float64]:
    """How likely the other points are, for each count of each point, (n, 16).

    ``alone``: (n, 16) probabilities of one side's counts.
    """
    count = len(alone)
    before, after = [np.eye(1, ALL + 1)[0]], [np.eye(1, ALL + 1)[0]]
    for k in range(count):
        before.append(np.convolve(before[-1], alone[k])[: ALL + 1])
        after.append(np.convolve(after[-1], alone[count - 1 - k])[: ALL + 1])
    out = np.zeros_like(alone)
    for k in range(count):
        others = np.convolve(before[k], after[count - 1 - k])[: ALL + 1]
        for n in range(ALL + 1):
            out[k, n] = others[: ALL + 1 - n] @ totals[n:]
    return out
