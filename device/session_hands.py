"""Arms over the board: where they were, and whether a move was made with both (S0 4.1).

Only squares that something hides are known, so two arms count as two when both come from the
mover's own edge, reach well into the board, and clear squares lie between them.  Somebody else's
arm beside the player's looks the same: it is worth a remark, and never an alarm.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from vision.percept import Percept

from .session_state import State
from .signals import Side

#: An arm reaches over so many rows; an elbow at rest on the edge does not.
DEEP = 3

#: So many clear columns lie between two arms where they come over the edge.
APART = 2

#: Frames since the board was last understood in which two arms were seen: less is a slip.
FRAMES = 3


def arms_seen(state: State, percept: Percept) -> State:
    """Note where arms are; count a frame for each side of which two are seen."""
    if not state.passed.issuperset(percept.covered):
        state = replace(state, passed=state.passed.union(percept.covered))
    if state.turns is None or len(percept.covered) < 2 * DEEP:
        return state
    mask = np.zeros(percept.size**2, bool)
    mask[list(percept.covered)] = True
    seen = np.rot90(mask.reshape(percept.size, percept.size), state.turns)
    white, black = state.arms
    arms = (white + (_arms(seen[::-1]) > 1), black + (_arms(seen) > 1))
    return state if arms == state.arms else replace(state, arms=arms)


def within_reach(state: State) -> frozenset[int]:
    """Squares that a hand has been over, or beside, since the board was last understood."""
    if not state.passed:
        return frozenset()
    board = state.game.board
    mask = np.zeros(board.size**2, bool)
    mask[list(state.passed)] = True
    seen = np.pad(np.rot90(mask.reshape(board.size, board.size), state.turns or 0), 1)
    return frozenset(
        n for n, (row, col) in enumerate(board.cells, 1) if seen[row : row + 3, col : col + 3].any()
    )


def both_hands(state: State, side: Side) -> bool:
    """Whether a side had both arms over the board since it was last understood."""
    return state.arms["wb".index(side)] >= FRAMES


def _arms(mask: NDArray[np.bool_]) -> int:
    """How many arms come over the edge along row 0."""
    columns = np.flatnonzero(mask[0])
    gaps = np.flatnonzero(np.diff(columns) > APART)
    starts = [int(columns[0]), *(int(columns[gap + 1]) for gap in gaps)] if len(columns) else []
    found: list[set[tuple[int, int]]] = []
    for column in starts:
        if not any((0, column) in arm for arm in found):
            found.append(_connected(mask, column))
    return sum(max(row for row, _ in arm) >= DEEP - 1 for arm in found)


def _connected(mask: NDArray[np.bool_], column: int) -> set[tuple[int, int]]:
    """The hidden squares that hang together with one of row 0."""
    todo, met = [(0, column)], {(0, column)}
    while todo:
        row, col = todo.pop()
        for near in product((row - 1, row, row + 1), (col - 1, col, col + 1)):
            inside = 0 <= near[0] < len(mask) and 0 <= near[1] < len(mask)
            if inside and near not in met and mask[near]:
                met.add(near)
                todo.append(near)
    return met
