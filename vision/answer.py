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

#: Log-odds of the best class against all others from which a square counts as sure: with a
#: calibration on this set, and without one.
SURE_CALIBRATED, SURE_ALONE = 3.0, 4.0

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
    odds, best = log_odds(percept.log_probabilities().reshape(n * n, -1))
    sure = odds > (SURE_CALIBRATED if calibrated else SURE_ALONE)
    hidden = np.zeros(n * n, bool)
    hidden[list(percept.covered)] = True
    letters = np.where(sure & ~hidden, np.array(list(CLASSES))[best], "?")
    status, reason = _status(letters, sure | hidden, hidden, n)
    confidence = 1 / (1 + np.exp(-odds))
    return Answer(
        status,
        reason,
        percept.corners,
        tuple("".join(row) for row in letters.reshape(n, n)),
        tuple(tuple(round(float(p), 4) for p in row) for row in confidence.reshape(n, n)),
    )


def log_odds(scores: NDArray[np.floating]) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Log-odds of the best class against all others together, and which one it is.

    Args:
        scores: (m, 5) log-probabilities.
    """
    p = np.exp(np.asarray(scores, np.float64))
    p /= p.sum(axis=1, keepdims=True)
    best = p.argmax(axis=1)
    rows = np.arange(len(p))
    top = p[rows, best].copy()
    p[rows, best] = 0
    return np.log(top) - np.log(np.maximum(p.sum(axis=1), 1e-7)), best


def _status(
    letters: NDArray[np.str_], sure: NDArray[np.bool_], hidden: NDArray[np.bool_], n: int
) -> tuple[Status, str]:
    if hidden.sum() >= FEW:
        return "covered", f"something hides {int(hidden.sum())} squares"
    doubts = int((~sure).sum() + hidden.sum())
    if doubts:
        return "unsure", f"{doubts} square{'s' if doubts > 1 else ''} can't be told"
    # a side has at most this many men: three rows of eight squares' four, four rows of ten's five
    most = (n // 2 - 1) * n // 2
    for side, name in (("wW", "lighter"), ("bB", "darker")):
        count = int(np.isin(letters, list(side)).sum())
        if count > most:
            return "unsure", f"{count} {name} pieces, more than a side has"
    return "read", ""
