"""Episodes: a start position of one set as support, other squares of the same set as queries."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.crops import CROP_PX, ROOM, SQUARE_PX, BoardView, light_field, normalise

from .augment import Paint, changed_light, mirrored, sample_paint
from .net import KINDS
from .sheets import COVERED, IGNORED, Sheet, SheetSet

Floats = NDArray[np.float32]

#: Share of the episodes in which the support holds squares of the query's own board.
SAME_BOARD = 0.3

#: Difference in lightness from which on the sides can be told without a support.
TOLD = 0.12

#: Below this a king's mark can't be seen; see Sheet.show.
LEAST_SHOW = 0.07

_SWAP = np.array([0, 3, 4, 1, 2, 5, -1], np.int8)  # lighter and darker side exchanged; -1 last


@dataclass(frozen=True, slots=True, eq=False)
class Squares:
    """Squares of one board, ready for the network.

    Attributes:
        crops: float32 (m, 4, CROP_PX, CROP_PX).
        labels: int64 (m,).
        light: float32 (m,), 1 for light squares.
    """

    crops: Floats
    labels: NDArray[np.int64]
    light: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Episode:
    """A support with its weights (k, KINDS), and queries."""

    support: Squares
    weights: Floats
    queries: Squares


def squares_of(
    sheet: Sheet, chosen: NDArray[np.intp], view: BoardView, wobble: int, rng: np.random.Generator
) -> Squares:
    """The chosen squares of a board, each crop off by up to ``wobble`` pixels."""
    n = view.size
    field = light_field(view, sheet.light).reshape(-1, 3)
    half = CROP_PX // 2
    off = (
        rng.integers(-wobble, wobble + 1, (len(chosen), 2)) if wobble else np.zeros((n * n, 2), int)
    )
    cut = []
    for index, (dy, dx) in zip(chosen, off, strict=False):
        row, col = divmod(int(index), n)
        y = round((ROOM + row + 0.5) * SQUARE_PX) + int(dy)
        x = round((ROOM + col + 0.5) * SQUARE_PX) + int(dx)
        cut.append(np.rot90(view.lifted[y - half : y + half, x - half : x + half], view.turns))
    light = _light_squares(sheet)[chosen]
    crops = normalise(np.stack(cut), field[chosen], view.tilt)
    return Squares(crops, seen_labels(sheet)[chosen].astype(np.int64), light)


def seen_labels(sheet: Sheet) -> NDArray[np.int8]:
    """The labels, kings left out whose mark nobody could see.

    Straight from above a second man on top does not show.  Learning "king" there would teach
    doubt about every man; what is not learned is read as a man, and the rules carry the king.
    """
    king = (sheet.labels == 2) | (sheet.labels == 4)
    return np.where(king & (sheet.show < LEAST_SHOW), IGNORED, sheet.labels)


def kinds_of(labels: NDArray[np.int64], light: Floats) -> Floats:
    """float32 (k, KINDS): what a support square is; 0 everywhere for one of no use."""
    weights = np.zeros((len(labels), KINDS), np.float32)
    weights[(labels == 0) & (light == 0), 0] = 1
    weights[(labels == 0) & (light == 1), 1] = 1
    weights[labels == 1, 2] = 1
    weights[labels == 3, 3] = 1
    return weights


def _light_squares(sheet: Sheet) -> Floats:
    axis = np.arange(sheet.view.size)
    light = np.add.outer(axis, axis).reshape(-1) % 2 == sheet.light
    return np.asarray(light, np.float32)


def _choose_support(sheet: Sheet, rng: np.random.Generator) -> NDArray[np.intp]:
    kinds = kinds_of(sheet.labels.astype(np.int64), _light_squares(sheet))
    picked = []
    for kind in range(KINDS):
        (at,) = np.nonzero(kinds[:, kind])
        most = int(rng.integers(2, 9))
        picked.append(rng.permutation(at)[:most])
    return np.concatenate(picked)


def _choose_queries(sheet: Sheet, count: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Squares to ask about: all kinds, the rarer ones first, and some light squares always."""
    n = sheet.view.size
    light = _light_squares(sheet) > 0
    labels = sheet.labels
    weight = np.where(light, 0.35, 1.0)
    weight = np.where((labels == 2) | (labels == 4), 3.0, weight)
    weight = np.where(light & (labels > 0), 2.0, weight)
    weight = np.where(labels == IGNORED, 0.05, weight)
    weight = np.where(labels == COVERED, 0.5, weight)
    first = rng.choice(n * n, count - 8, replace=False, p=weight / weight.sum())
    plain = rng.permutation(np.nonzero(light & (labels == 0))[0])[:8]
    return np.concatenate([first, plain]).astype(np.intp)


def make_episode(
    whole: SheetSet, rng: np.random.Generator, squares: int, recolour: bool = True
) -> Episode:
    """Draw a start position and another picture of one set, and change both as light might.

    Together they hold ``squares`` squares, so that all batches have one shape.
    """
    starts = [s for s in whole.sheets if s.start]
    start = starts[rng.integers(len(starts))]
    others = [s for s in whole.sheets if not s.start] or starts
    query = others[rng.integers(len(others))]
    paint = sample_paint(rng) if recolour else Paint(np.eye(3, dtype=np.float32), 1.0)
    start, query = (mirrored(s) if rng.random() < 0.5 else s for s in (start, query))
    chosen = _choose_support(start, rng)
    views = [changed_light(s, paint, rng) for s in (start, query)]
    support = squares_of(start, chosen, views[0], 1, rng)
    asked = squares_of(query, _choose_queries(query, squares - len(chosen), rng), views[1], 2, rng)
    first = len(support.labels)
    if rng.random() < SAME_BOARD:
        support, asked = _teach(support, asked, rng)
    weights = kinds_of(support.labels, support.light)
    if whole.contrast > TOLD and len(weights) > first and rng.random() < 0.4:
        weights[:first] = 0  # reading without calibration, once the surest squares are known
    weights, asked = _vary_support(weights, asked, whole.contrast, rng)
    return Episode(support, weights, asked)


def _teach(support: Squares, asked: Squares, rng: np.random.Generator) -> tuple[Squares, Squares]:
    """Some squares of the query's own board moved to the support, as after confirmed moves."""
    moved = rng.random(len(asked.labels)) < rng.uniform(0.1, 0.4)
    more = Squares(
        np.concatenate([support.crops, asked.crops[moved]]),
        np.concatenate([support.labels, asked.labels[moved]]),
        np.concatenate([support.light, asked.light[moved]]),
    )
    return more, Squares(asked.crops[~moved], asked.labels[~moved], asked.light[~moved])


def _vary_support(
    weights: Floats, asked: Squares, contrast: float, rng: np.random.Generator
) -> tuple[Floats, Squares]:
    """At times leave out kinds (reading without calibration), or exchange the two sides.

    Where the sides hardly differ in lightness nothing but the support says which is which.
    """
    draw = rng.random()
    if draw < 0.15 and contrast > TOLD:
        return weights * 0, asked
    if draw < 0.25 and contrast > TOLD:
        return weights * (rng.random(KINDS) < 0.6).astype(np.float32), asked
    if draw < 0.45:
        swapped = Squares(asked.crops, _SWAP[asked.labels].astype(np.int64), asked.light)
        return weights[:, [0, 1, 3, 2]], swapped
    return weights, asked
