"""Steps and jumps of many pieces at once, by shifting whole bitboards.

Half a row holds ``h`` squares.  From every square the two steps to the row above are one *straight*
step of exactly ``h`` squares back, and one *slanting* step of ``h + 1`` (far) or ``h - 1`` (near),
by the parity of the row; so downward.  A jump is one straight and one slanting step, in either
order, because the two change sides from row to row.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .geometry import Board

#: (what to add to a square reached to get the square left, squares reached), for each shift.
Reached = tuple[tuple[int, int], tuple[int, int], tuple[int, int]]
#: (pieces, empty squares) -> where they can step.
Steps = Callable[[int, int], Reached]
#: (pieces, foes, empty squares) -> those of the pieces that can jump over a foe.
Jumpers = Callable[[int, int, int], int]


class Shifts(NamedTuple):
    """The shifts of one board in one direction, toward the top or the bottom."""

    steps: Steps
    jumpers: Jumpers


def upward(board: Board) -> Shifts:
    """Toward Black's edge: to lower squares."""
    h, (far, near) = board.size // 2, _slanting(board, -1)
    further, nearer = h + 1, h - 1

    def steps(pieces: int, empty: int) -> Reached:
        return (
            (h, pieces >> h & empty),
            (further, (pieces & far) >> further & empty),
            (nearer, (pieces & near) >> nearer & empty),
        )

    def jumpers(pieces: int, foes: int, empty: int) -> int:
        straight = foes & empty << h
        slanting = foes & (empty << further & far | empty << nearer & near)
        return pieces & (slanting << h | straight << further & far | straight << nearer & near)

    return Shifts(steps, jumpers)


def downward(board: Board) -> Shifts:
    """Toward White's edge: to higher squares."""
    h, (far, near) = board.size // 2, _slanting(board, 1)
    further, nearer = h + 1, h - 1

    def steps(pieces: int, empty: int) -> Reached:
        return (
            (-h, pieces << h & empty),
            (-further, (pieces & far) << further & empty),
            (-nearer, (pieces & near) << nearer & empty),
        )

    def jumpers(pieces: int, foes: int, empty: int) -> int:
        straight = foes & empty >> h
        slanting = foes & (empty >> further & far | empty >> nearer & near)
        return pieces & (slanting >> h | straight >> further & far | straight >> nearer & near)

    return Shifts(steps, jumpers)


def _slanting(board: Board, row_step: int) -> tuple[int, int]:
    """Bitboards of the squares whose slanting step goes ``h + 1``, ``h - 1`` squares."""
    h = board.size // 2
    far = near = 0
    for square in range(1, board.count + 1):
        row, col = board.cell(square)
        for reached in (board.at(row + row_step, col - 1), board.at(row + row_step, col + 1)):
            if reached and abs(reached - square) == h + 1:
                far |= 1 << square - 1
            elif reached and abs(reached - square) == h - 1:
                near |= 1 << square - 1
    return far, near
