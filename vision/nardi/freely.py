"""The best board that is physically possible for one side, whatever the rules say.

A side's checkers are conserved: fifteen with those borne off.  So a stack that can't be counted is
settled by all the others, and how sure each point is follows from the best board that has another
count there.  Both come from one pass forward and one back over the points.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rules.nardi.board import CHECKERS

from ..steady import UNITS_PER_NAT
from .evidence import Counts
from .percept import COUNTS, POINTS

#: A count that differs from the one before needs a little evidence: half a nat.
CHANGED = UNITS_PER_NAT // 2

#: Checkers that were borne off although none may be, all together: who takes one takes the next.
EARLY = 2 * UNITS_PER_NAT

#: The same for the side whose turn it isn't.
NOT_THEIRS = 2 * UNITS_PER_NAT

#: A checker more than there are, or one that came back from the tray.
FROM_NOWHERE = 3 * UNITS_PER_NAT

#: Checkers on the board: 0 to 16, one too many.
_TOTALS = CHECKERS + 2
_FAR = 1 << 24
#: For each total (rows) and count (columns) the total without it; the last place holds _FAR.
_LESS = np.subtract.outer(np.arange(_TOTALS), np.arange(COUNTS))
_LESS[_LESS < 0] = _TOTALS


@dataclass(frozen=True, slots=True)
class Free:
    """The best board of a side.

    Attributes:
        counts: on the points 1..24.
        off: borne off.
        cost: of all points and those off, the small costs of changes not counted.
        margins: by point, how much worse the best board with any other count there is.
    """

    counts: tuple[int, ...]
    off: int
    cost: int
    margins: tuple[int, ...]


def free_reading(
    costs: Counts, off: Counts, before: tuple[int, ...], off_before: int, leaving: int = CHANGED
) -> Free:
    """The best board of one side.

    Args:
        costs: (24, 16) of the side.
        off: (16,) of its checkers borne off.
        before: its counts on the points before the turn.
        off_before: how many were off then.
        leaving: what it costs that a checker was borne off at all.
    """
    points = np.arange(POINTS)
    asked = costs + CHANGED
    asked[points, before] -= CHANGED
    forward = _passed(asked)
    backward = _passed(asked[::-1])
    ends = _ends(off, off_before, leaving)
    total = forward[-1] + ends
    count = int(total.argmin())
    counts = _traced(asked, forward, count)
    margins = _margins(asked, forward, backward, ends, counts)
    borne_off = max(0, CHECKERS - count)
    cost = int(costs[points, counts].sum()) + int(_ends(off, off_before, CHANGED)[count])
    return Free(counts, borne_off, cost, margins)


def _passed(costs: Counts) -> Counts:
    """(25, 17): the least cost of the first so many points with so many checkers on them."""
    best = np.full((POINTS + 1, _TOTALS), _FAR, np.int32)
    best[0, 0] = 0
    for point in range(POINTS):
        np.min(_less(best[point]) + costs[point], axis=-1, out=best[point + 1])
    return best


def _less(by_total: Counts) -> Counts:
    """(..., 17, 16): for each total and count what stands for the total less the count."""
    padded = np.concatenate([by_total, np.full((*by_total.shape[:-1], 1), _FAR, np.int32)], -1)
    return np.asarray(padded[..., _LESS])


def _ends(off: Counts, off_before: int, leaving: int) -> Counts:
    """What it costs that so many stand on the board, by the number off that goes with it."""
    ends = np.full(_TOTALS, FROM_NOWHERE, np.int32)
    for total in range(CHECKERS + 1):
        gone = CHECKERS - total
        back = FROM_NOWHERE if gone < off_before else 0
        ends[total] = off[gone] + back + (leaving if gone != off_before else 0)
    return ends


def _traced(costs: Counts, forward: Counts, total: int) -> tuple[int, ...]:
    counts = [0] * POINTS
    for point in range(POINTS - 1, -1, -1):
        most = min(total, COUNTS - 1)
        here = forward[point, total - np.arange(most + 1)] + costs[point, : most + 1]
        counts[point] = int(here.argmin())
        total -= counts[point]
    return tuple(counts)


def _margins(
    costs: Counts, forward: Counts, backward: Counts, ends: Counts, counts: tuple[int, ...]
) -> tuple[int, ...]:
    """By point, what the best board with another count there costs more than the best one."""
    before, after = forward[:-1], backward[-2::-1]
    # all other points together, (24, 17): one more than a point can hold is left out, as it is
    # dearer than any board that is told apart here
    rest = (_less(after) + before[:, None, :COUNTS]).min(axis=-1)
    by_count = (_less(rest) + ends[:, None]).min(axis=-2) + costs
    points = np.arange(POINTS)
    best = by_count[points, counts]
    by_count[points, counts] = _FAR
    return tuple(int(margin) for margin in by_count.min(axis=-1) - best)
