"""Episodes: a start position of one set as support, other pictures of the same set as queries."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.crops import BoardView, light_field, normalise, upright, upright_lean

from .augment import Paint, changed_light, mirrored, sample_paint
from .net import KINDS
from .sheets import IGNORED, Sheet, SheetSet

Floats = NDArray[np.float32]

#: Share of the episodes in which squares of another picture have been learned besides.
LEARNED = 0.3

#: Share of the episodes in which a king or two of each side have been shown besides.
SHOWN = 0.3

#: Share of the episodes with a whole support in which the darker side is called the lighter one:
#: only the support says which side is which then, as it does of red and green men.
SWAPPED = 0.5

#: Difference in lightness from which on the sides can be told without a support.
TOLD = 0.12

#: Below this a king's mark can't be seen; see Sheet.show.
LEAST_SHOW = 0.07

_SWAP = np.array([0, 3, 4, 1, 2, 5, -1], np.int8)  # lighter and darker side exchanged; -1 last


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """One board, ready for the network, upright; m = size * size squares, row by row.

    Attributes:
        pixels: float32 (3, P, P).
        tilt: the view's.
        lean: float32 (m, 2), upright.
        labels: int64 (m,).
        light: float32 (m,), 1 for light squares.
    """

    pixels: Floats
    tilt: float
    lean: Floats
    labels: NDArray[np.int64]
    light: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Episode:
    """A start position and queries of one set.

    Attributes:
        boards: the start position first.
        weights: float32 (queries, k, KINDS): what each query's support square is; the k squares
            are those of all boards in turn.
    """

    boards: tuple[Board, ...]
    weights: Floats


def board_of(sheet: Sheet, view: BoardView) -> Board:
    """A sheet's board as it looks in ``view``."""
    pixels = normalise(view, light_field(view, sheet.light))
    labels, light = (upright(a, view.turns) for a in (seen_labels(sheet), light_squares(sheet)))
    return Board(pixels, view.tilt, upright_lean(view), labels.astype(np.int64), light)


def seen_labels(sheet: Sheet) -> NDArray[np.int8]:
    """The labels, kings left out whose mark nobody could see.

    Straight from above a second man on top does not show.  Learning "king" there would teach
    doubt about every man; what is not learned is read as a man, and the rules carry the king.
    """
    king = (sheet.labels == 2) | (sheet.labels == 4)
    return np.where(king & (sheet.show < LEAST_SHOW), IGNORED, sheet.labels).astype(np.int8)


def kinds_of(labels: NDArray[np.int64], light: Floats) -> Floats:
    """float32 (k, KINDS): what a support square is; 0 everywhere for one of no use."""
    weights = np.zeros((len(labels), KINDS), np.float32)
    weights[(labels == 0) & (light == 0), 0] = 1
    weights[(labels == 0) & (light == 1), 1] = 1
    weights[labels == 1, 2] = 1
    weights[labels == 3, 3] = 1
    weights[labels == 2, 4] = 1
    weights[labels == 4, 5] = 1
    return weights


def light_squares(sheet: Sheet) -> Floats:
    """float32 (m,): 1 for light squares, camera order."""
    axis = np.arange(sheet.view.size)
    light = np.add.outer(axis, axis).reshape(-1) % 2 == sheet.light
    return np.asarray(light, np.float32)


def make_episode(
    whole: SheetSet, rng: np.random.Generator, queries: int, recolour: bool = True
) -> Episode:
    """Draw a start position and other pictures of one set, and change all as light might."""
    starts = [s for s in whole.sheets if s.start]
    others = [s for s in whole.sheets if not s.start] or starts
    chosen = [starts[rng.integers(len(starts))]]
    order = rng.permutation(len(others))
    chosen += [others[order[i % len(others)]] for i in range(queries)]
    paint = sample_paint(rng) if recolour else Paint(np.eye(3, dtype=np.float32), 1.0)
    turned = [mirrored(s) if rng.random() < 0.5 else s for s in chosen]
    boards = tuple(board_of(s, changed_light(s, paint, rng)) for s in turned)
    kept = _kept(whole.contrast, rng)
    if kept == 1.0 and rng.random() < SWAPPED:
        boards = tuple(replace(b, labels=_SWAP[b.labels].astype(np.int64)) for b in boards)
    return Episode(boards, _supports(boards, kept, rng))


def _kept(contrast: float, rng: np.random.Generator) -> float:
    """The share of the support's kinds that is kept: all, some, or none (no calibration)."""
    draw = rng.random()
    if contrast <= TOLD or draw > 0.35:
        return 1.0
    return 0.0 if draw < 0.25 else 0.6


def _some_kings(kinds: Floats, rng: np.random.Generator) -> NDArray[np.bool_]:
    """(m, 1): up to two kings of each side."""
    out = np.zeros((len(kinds), 1), bool)
    for kind in (4, 5):
        at = rng.permutation(np.nonzero(kinds[:, kind])[0])[: int(rng.integers(1, 3))]
        out[at] = True
    return out


def _supports(boards: tuple[Board, ...], kept: float, rng: np.random.Generator) -> Floats:
    m = len(boards[0].labels)
    queries = len(boards) - 1
    out = np.zeros((queries, len(boards) * m, KINDS), np.float32)
    some = (rng.random(KINDS) < kept).astype(np.float32)
    for q in range(queries):
        for number, board in enumerate(boards):
            share = 1.0 if number == 0 else 0.0
            if number > 0 and number != q + 1 and kept == 1.0 and rng.random() < LEARNED:
                share = float(rng.uniform(0.1, 0.5))
            rows = kinds_of(board.labels, board.light)
            picked = rng.random((m, 1)) < share
            if number > 0 and number != q + 1 and kept == 1.0 and rng.random() < SHOWN:
                picked = picked | _some_kings(rows, rng)
            rows = rows * picked * some
            out[q, number * m : (number + 1) * m] = rows
    if rng.random() < 0.3:  # not all squares of the start position are good examples
        out *= (rng.random((1, out.shape[1], 1)) < rng.uniform(0.3, 1)).astype(np.float32)
    return out
