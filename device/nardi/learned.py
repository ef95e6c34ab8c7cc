"""What the confirmed boards of a game teach about how this set reads."""

from __future__ import annotations

from dataclasses import replace

from rules.nardi.board import Side
from vision.nardi.evidence import TALL, Evidence
from vision.nardi.priors import CONTRADICTS

from .say import SIDES
from .state import State

#: A stack that reads by more than this otherwise than it is known to be isn't merely misjudged.
LEANS = 5


def remember(state: State, evidence: Evidence, sides: tuple[Side, ...] = SIDES) -> State:
    """Note how the confirmed board reads: stacks that look taller, points that read wrongly."""
    doubts = [d for d in state.doubts if d[1] not in sides]
    offsets = [o for o in state.offsets if o[0][1] not in sides]
    for side in sides:
        table = evidence.side(side)
        for point in range(1, 25):
            count, read = state.position.count(side, point), evidence.best(side, point)
            if count == read or point in evidence.unknown:
                continue
            if min(count, read) >= TALL - 1 and abs(read - count) <= LEANS:
                offsets.append(((point, side), read - count))
            elif table[point - 1][count] >= CONTRADICTS:
                doubts.append((point, side, read))
    return replace(state, doubts=tuple(doubts), offsets=tuple(offsets))
