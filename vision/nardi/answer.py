"""One picture of a nardi board answered for a person: read, or an honest "can't tell".

A wrong answer that looks sure is the worst one, so a board is *read* only when every point is
beyond doubt, though likely points are answered one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from .board import NardiGeometry
from .points import ALL, PointsRead, settled
from .sides import Colours

Status = Literal["read", "unsure", "covered", "not-found"]

#: Log-odds of the best answer against all others from which a point is answered: of drawn
#: validation boards' answered points 6 in 1,000 were wrong then.
SURE = 1.5
#: Log-odds that every point needs before a board is read.
UNDOUBTED = 3.0
#: Probability from which something lies over a point, and how many such points cover a board.
HIDDEN, FEW = 0.5, 2

#: Points (camera order) on which the heads lie at the start, and the same in a mirror: the path
#: then runs clockwise, as some play.
HEADS, MIRRORED = (11, 12), (0, 23)


@dataclass(frozen=True, slots=True)
class NardiAnswer:
    """What stands on the points in one picture.

    Attributes:
        status: ``read`` only when every point is beyond doubt.
        reason: in words, for every other status.
        points: 24 in camera order: ``""``, ``w3``, ``b5`` or ``?``.
        confidence: probability of each point's answer, 0 to 1.
    """

    status: Status
    reason: str
    points: tuple[str, ...] = ()
    confidence: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Start:
    """What a picture of the start position taught.

    Attributes:
        colours: of the sides.
        white_head: the point, camera order, of the lighter side's head.
    """

    colours: Colours
    white_head: int

    @property
    def mirrored(self) -> bool:
        """Whether the heads lie as in a mirror, so that the path runs clockwise."""
        return self.white_head in MIRRORED

    def point_numbers(self) -> tuple[int, ...]:
        """The number (1 to 24, rules/nardi) of each of the 24 points in camera order."""
        upper, lower = list(range(12)), list(range(12, 24))
        path = {
            11: upper[::-1] + lower,
            12: lower + upper[::-1],
            0: upper + lower[::-1],
            23: lower[::-1] + upper,
        }[self.white_head]
        numbers = [0] * 24
        for step, point in enumerate(path):
            numbers[point] = 24 - step
        return tuple(numbers)


def answer(read: PointsRead, known: bool = False) -> NardiAnswer:
    """The answer of a picture by itself, without a game's history.

    ``known``: whether the colours come from a start picture; else two sides that look alike, or a
    lone side, leave doubts.
    """
    joint = settled(read.joint())
    odds, best = log_odds(joint)
    hidden = read.hidden > HIDDEN
    sure = (odds > SURE) & ~hidden
    sure[list(read.disturbed)] = False
    texts = tuple(text_of(int(b)) if s else "?" for b, s in zip(best, sure, strict=True))
    p = 1 / (1 + np.exp(-odds))
    confidence = tuple(round(float(each), 4) for each in p)
    status, reason = _status(texts, hidden, known or read.colours.told)
    if status == "read" and float(odds.min()) <= UNDOUBTED:
        status, reason = "unsure", "each point is likely, but not all are beyond doubt"
    return NardiAnswer(status, reason, texts, confidence)


def text_of(kind: int) -> str:
    """The text of a joint class: 0 empty, 1 to 15 the lighter side's, 16 to 30 the darker's."""
    if kind == 0:
        return ""
    return f"w{kind}" if kind <= ALL else f"b{kind - ALL}"


def log_odds(joint: NDArray[np.floating[Any]]) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Log-odds of each point's best class against all others, and which one it is."""
    p = np.exp(np.asarray(joint, np.float64))
    p /= p.sum(1, keepdims=True)
    best = p.argmax(1)
    rows = np.arange(len(p))
    top = p[rows, best].copy()
    p[rows, best] = 0
    return np.log(top) - np.log(np.maximum(p.sum(1), 1e-7)), best


def _status(texts: tuple[str, ...], hidden: NDArray[np.bool_], told: bool) -> tuple[Status, str]:
    if hidden.sum() >= FEW:
        return "covered", f"something hides {int(hidden.sum())} points"
    doubts = sum(t == "?" for t in texts)
    if doubts:
        return "unsure", f"{doubts} point{'s' if doubts > 1 else ''} can't be told"
    for side, name in (("w", "lighter"), ("b", "darker")):
        count = sum(int(t[1:]) for t in texts if t[:1] == side)
        if count > ALL:
            return "unsure", f"{count} {name} checkers, more than a side has"
    if any(texts) and not told:
        return "unsure", "only one side's colour was seen; whose it is can't be told"
    return "read", ""


def learn_start(read: PointsRead) -> Start | str:
    """What the start position teaches, or why a picture doesn't show it.

    Fifteen checkers of each side lie on two heads crosswise; how many of a heap are seen doesn't
    matter, as all other points are empty.
    """
    filled = np.exp(read.counts[:, 0]) < 0.5
    places = tuple(int(p) for p in np.flatnonzero(filled))
    if places not in (HEADS, MIRRORED):
        return f"heads on two points across from each other were expected, {len(places)} are filled"
    odds = read.odds[list(places)]
    if not read.colours.told or odds[0] * odds[1] >= 0:
        return "the two sides look alike"
    return Start(read.colours, places[int(np.argmax(odds))])


def fen_of(said: NardiAnswer, start: Start) -> str | None:
    """The position, White to move, as the contract writes it; None unless it was read.

    Checkers that are not on the points are taken as borne off.
    """
    if said.status != "read":
        return None
    numbers = start.point_numbers()
    sides: dict[str, dict[int, int]] = {"w": {}, "b": {}}
    for point, text in enumerate(said.points):
        if text:
            sides[text[0]][numbers[point]] = int(text[1:])
    parts = ["W"]
    for side in "wb":
        listed = (f"{p}x{n}" for p, n in sorted(sides[side].items(), reverse=True))
        parts.append(side.upper() + ",".join(listed))
    off = [ALL - sum(sides[side].values()) for side in "wb"]
    return ":".join(parts) + f":O{off[0]}-{off[1]}"


def rows_of(said: NardiAnswer) -> tuple[list[str], list[str]]:
    """The upper and the lower row, twelve points each."""
    return list(said.points[:12]), list(said.points[12:])


def corners_of(geometry: NardiGeometry) -> list[list[float]]:
    """Outer corners as JSON values."""
    return [[round(float(x), 1), round(float(y), 1)] for x, y in geometry.corners]
