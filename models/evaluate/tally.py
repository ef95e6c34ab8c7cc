"""Counting answers against the truth, the same way for photographs and drawn scenes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from vision.answer import Answer
from vision.geometry import Points

#: A board counts as located when every corner is nearer than this to its true place, squares.
NEAR = 0.35

_SWAP = str.maketrans("wbWB", "bwBW")


@dataclass(frozen=True, slots=True)
class Truth:
    """What a picture shows.

    Attributes:
        name: of the picture, for the list of mistakes.
        corners: (4, 2), as the contract orders them.
        grid: rows in that order, ``.wbWB`` and ``?`` where nobody can tell.
        sides_told: whether lighter and darker are more than a matter of taste.
    """

    name: str
    corners: Points
    grid: tuple[str, ...]
    sides_told: bool = True


@dataclass(slots=True)
class Tally:
    """Counts over many pictures; see ``figures`` for what they mean."""

    counts: Counter[str] = field(default_factory=Counter)
    mistakes: list[str] = field(default_factory=list)

    def add(self, truth: Truth, said: Answer) -> None:
        """Count one answer."""
        c = self.counts
        known = sum(x != "?" for row in truth.grid for x in row)
        c["pictures"] += 1
        c["squares"] += known
        c[said.status] += 1
        turn = None if said.corners is None else turn_between(truth, np.array(said.corners))
        if turn is None:
            c["wrong"] += said.status == "read"
            self.mistakes.append(f"{truth.name}: not located ({said.reason or said.status})")
            return
        c["located"] += 1
        pairs = _pairs(truth, said.grid, turn)
        right = sum(x == y for x, y in pairs if y != "?")
        c["right"] += right
        c["answered"] += sum(x != "?" for x, y in pairs if y != "?")
        for x, y in pairs:
            c[f"{y} as {x}"] += 1
        if said.status == "read":
            clean = right == known and all(x == "?" for x, y in pairs if y == "?")
            c["exact" if clean else "wrong"] += 1
        false = [(x, y) for x, y in pairs if x not in ("?", y)]
        if false:
            told = ", ".join(f"{y} read as {x}" for x, y in false[:4])
            self.mistakes.append(f"{truth.name} ({said.status}): {len(false)} squares: {told}")

    def merge(self, other: Tally) -> None:
        """Add another tally's counts."""
        self.counts.update(other.counts)
        self.mistakes += other.mistakes


def turn_between(truth: Truth, corners: Points) -> int | None:
    """Which of the answer's corners is the truth's first one; None when the board is elsewhere."""
    edges = np.roll(truth.corners, -1, axis=0) - truth.corners
    square = float(np.hypot(edges[:, 0], edges[:, 1]).mean() / len(truth.grid))
    gaps = [np.hypot(*(np.roll(corners, -k, axis=0) - truth.corners).T).max() for k in range(4)]
    best = int(np.argmin(gaps))
    return best if gaps[best] < NEAR * square else None


def _pairs(truth: Truth, grid: Iterable[str], turn: int) -> list[tuple[str, str]]:
    """(answer, truth) square by square."""
    cells = np.rot90(np.array([list(row) for row in grid]), turn)
    flat = list(zip(cells.reshape(-1).tolist(), "".join(truth.grid), strict=True))
    if truth.sides_told:
        return flat
    other = [(x.translate(_SWAP), y) for x, y in flat]
    return max(flat, other, key=lambda p: sum(x == y for x, y in p if y != "?"))


def figures(c: Counter[str]) -> dict[str, str]:
    """The columns of a table of results."""
    kings = sum(n for k, n in c.items() if k[:1] in "WB" and " as " in k)
    found = c["W as W"] + c["B as B"]
    crowned = sum(n for k, n in c.items() if k[:1] in "wb" and k[-1] in "WB" and " as " in k)
    return {
        "pictures": str(c["pictures"]),
        "located": str(c["located"]),
        "read and right": f"{c['exact']} ({percent(c['exact'], c['pictures'])})",
        "read and WRONG": str(c["wrong"]),
        "squares right": f"{c['right']}/{c['squares']} ({percent(c['right'], c['squares'], 3)})",
        "of answered": percent(c["right"], c["answered"], 3),
        "kings found": f"{found}/{kings}" if kings else "",
        "men called kings": str(crowned),
    }


def percent(part: int, whole: int, digits: int = 1) -> str:
    """A share as text."""
    return f"{100 * part / whole:.{digits}f} %" if whole else "-"
