"""How well a network reads sheets it was not trained on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from .episodes import Board, board_of, kinds_of
from .net import KINDS, SquareNet
from .sheets import COVERED, SheetSet

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """One sheet as a network reads it.

    Attributes:
        probabilities: float32 (m, 5).
        covered: float32 (m,).
        labels: int64 (m,), kings that can't be seen as IGNORED.
        tilt: the view's.
        calibrated: whether a start position was given.
    """

    probabilities: Floats
    covered: Floats
    labels: NDArray[np.int64]
    tilt: float
    calibrated: bool


def _describe(net: SquareNet, board: Board) -> tuple[torch.Tensor, torch.Tensor]:
    made, covered, _ = net.encoder(
        torch.from_numpy(board.pixels)[None], torch.from_numpy(board.lean)[None]
    )
    return made[0], covered[0]


@torch.no_grad()  # type: ignore[untyped-decorator]
def read_set(net: SquareNet, whole: SheetSet, calibrated: bool) -> list[Read]:
    """All sheets of a set that are no start, read with or without the start position."""
    net.eval()
    first = next(s for s in whole.sheets if s.start)
    start = board_of(first, first.view)
    support, _ = _describe(net, start)
    weights = kinds_of(start.labels, start.light)
    if not calibrated:
        weights = np.zeros((len(support), KINDS), np.float32)
    reads = []
    for sheet in whole.sheets:
        if sheet.start and any(not s.start for s in whole.sheets):
            continue
        board = board_of(sheet, sheet.view)
        made, covered = _describe(net, board)
        light = torch.from_numpy(board.light)
        scores = net.scores(made, light, support, torch.from_numpy(weights))
        reads.append(
            Read(
                scores.exp().numpy(),
                torch.sigmoid(covered).numpy(),
                board.labels,
                board.tilt,
                calibrated,
            )
        )
    return reads


def figures(reads: list[Read], sure: float) -> dict[str, float]:
    """Shares over all squares and boards; a board is sure when its least sure square is."""
    right = squares = exact = wrong = boards = 0
    king_right = king_all = man_king = men = 0
    for r in reads:
        known = (r.labels >= 0) & (r.labels < COVERED)
        best = r.probabilities.argmax(1)
        ok = best == r.labels
        squares += int(known.sum())
        right += int(ok[known].sum())
        confident = bool((r.probabilities.max(1) > sure).all())
        boards += 1
        all_right = bool(ok[known].all())
        exact += confident and all_right
        wrong += confident and not all_right
        kings = np.isin(r.labels, (2, 4))
        king_all += int(kings.sum())
        king_right += int(ok[kings].sum())
        is_man = np.isin(r.labels, (1, 3))
        men += int(is_man.sum())
        man_king += int(np.isin(best[is_man], (2, 4)).sum())
    return {
        "boards": boards,
        "squares_pct": 100 * right / max(1, squares),
        "exact_pct": 100 * exact / max(1, boards),
        "wrong_pct": 100 * wrong / max(1, boards),
        "kings_found_pct": 100 * king_right / max(1, king_all),
        "men_called_kings_pct": 100 * man_king / max(1, men),
    }
