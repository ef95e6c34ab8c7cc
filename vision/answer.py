"""One picture answered for a person: read, or an honest "can't tell".

A wrong answer that looks sure is the worst one, so a board is *read* only when every square is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .percept import CLASSES, Corners, Percept

Status = Literal["read", "unsure", "covered", "not-found"]

#: Log-odds, against all else, of what lies on a square (nothing, a lighter or a darker piece) from
#: which it counts as sure: with a calibration on this set, and without one.  Of validation squares
#: answered so, one in a thousand was wrong.
SURE_CALIBRATED, SURE_ALONE = 2.0, 2.5

#: Probability of its rank from which a piece counts as a man, or as a king.
RANKED = 0.85

#: Share of kings among the pieces of a game, by how many tenths of a full board's pieces are left
#: (``python -m models.evaluate.kings``, between recorded games and ones played by a poor player):
#: a mark hardly to be seen is a shadow while the board is full, and a king near the end.
KINGS = (0.4, 0.4, 0.3, 0.2, 0.15, 0.08, 0.045, 0.02, 0.005, 0.003)

#: The share for which the network's scores are fitted.
FITTED = 0.05

#: Squares of a whole board that may be expected to be wrong for it to count as read.  No
#: validation board with less was.
LEFT = 0.2

#: Hidden squares from which a board counts as covered.
FEW = 2


@dataclass(frozen=True, slots=True)
class Answer:
    """What stands on the board in one picture.

    Attributes:
        status: ``read`` only when every square is sure.
        reason: in words, for every other status.
        corners: of the playing area; None when it was not found.
        grid: rows in camera order, characters of CLASSES or ``?``.
        confidence: probability of each square's answer, 0 to 1, the same rows.
    """

    status: Status
    reason: str
    corners: Corners | None
    grid: tuple[str, ...]
    confidence: tuple[tuple[float, ...], ...]


def answer(percept: Percept, calibrated: bool) -> Answer:
    """The answer that a percept gives by itself, without a game's history."""
    if percept.scores is None:
        return Answer("not-found", percept.reason, None, (), ())
    n = percept.size
    p = np.exp(percept.log_probabilities().reshape(n * n, -1).astype(np.float64))
    p /= p.sum(axis=1, keepdims=True)
    odds, held = log_odds(np.log(np.stack([p[:, 0], p[:, 1] + p[:, 2], p[:, 3] + p[:, 4]], axis=1)))
    king, rank = _rank(p, held, n)
    sure = odds > (SURE_CALIBRATED if calibrated else SURE_ALONE)
    hidden = np.zeros(n * n, bool)
    hidden[list(percept.covered)] = True
    best = np.where(held == 0, 0, 2 * held - 1 + king)
    told = sure & (rank > RANKED)
    letters = np.where(told & ~hidden, np.array(list(CLASSES))[best], "?")
    confidence = 1 / (1 + np.exp(-odds))
    left = float((1 - confidence).sum())
    status, reason = _status(letters, told | hidden, hidden, n)
    if status == "read" and left > LEFT:
        status, reason = "unsure", f"{left:.1f} squares may be wrong"
    confidence = confidence * rank
    return Answer(
        status,
        reason,
        percept.corners,
        tuple("".join(row) for row in letters.reshape(n, n)),
        tuple(tuple(round(float(p), 4) for p in row) for row in confidence.reshape(n, n)),
    )


def _rank(
    p: NDArray[np.float64], held: NDArray[np.intp], n: int
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Whether each piece is a king, and how probable its rank is; 1 where nothing stands.

    Args:
        p: (m, 5) probabilities.
        held: (m,), 0 for empty squares, 1 for lighter and 2 for darker pieces.
        n: squares along an edge.
    """
    usual = KINGS[min(9, int(10 * (held > 0).sum() / (2 * most_men(n))))]
    rows, man = np.arange(len(p)), np.maximum(2 * held - 1, 1)
    for_king = p[rows, man + 1] * usual / FITTED
    share = for_king / (p[rows, man] * (1 - usual) / (1 - FITTED) + for_king)
    king = share > 0.5
    return king, np.where(held == 0, 1.0, np.maximum(share, 1 - share))


def log_odds(scores: NDArray[np.floating]) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Log-odds of the best class against all others together, and which one it is.

    Args:
        scores: (m, classes) log-probabilities.
    """
    p = np.exp(np.asarray(scores, np.float64))
    p /= p.sum(axis=1, keepdims=True)
    best = p.argmax(axis=1)
    rows = np.arange(len(p))
    top = p[rows, best].copy()
    p[rows, best] = 0
    return np.log(top) - np.log(np.maximum(p.sum(axis=1), 1e-7)), best


def most_men(n: int) -> int:
    """Men of a side at the start: three rows of eight squares' four, four rows of ten's five."""
    return (n // 2 - 1) * n // 2


def _status(
    letters: NDArray[np.str_], sure: NDArray[np.bool_], hidden: NDArray[np.bool_], n: int
) -> tuple[Status, str]:
    if hidden.sum() >= FEW:
        return "covered", f"something hides {int(hidden.sum())} squares"
    doubts = int((~sure).sum() + hidden.sum())
    if doubts:
        return "unsure", f"{doubts} square{'s' if doubts > 1 else ''} can't be told"
    most = most_men(n)
    for side, name in (("wW", "lighter"), ("bB", "darker")):
        count = int(np.isin(letters, list(side)).sum())
        if count > most:
            return "unsure", f"{count} {name} pieces, more than a side has"
    return "read", ""
