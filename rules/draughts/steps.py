"""Steps and jumps of many pieces at once, by shifting whole bitboards.

Half a row holds ``h`` squares.  From every square the two steps to the row above are one *straight*
step of exactly ``h`` squares back, and one *slanting* step of ``h + 1`` or ``h - 1``, by the parity
of the row; so downward.  A jump is one of each, in either order, because the straight and the
slanting step change sides from row to row.
"""

from __future__ import annotations

from .geometry import Board


class Steps:
    """Shifts for one board."""

    def __init__(self, board: Board) -> None:
        self.h = h = board.size // 2
        self.full = board.full
        self._up = {h + 1: 0, h - 1: 0}
        self._down = {h + 1: 0, h - 1: 0}
        for square in range(1, board.count + 1):
            for ray in filter(None, board.rays(square)):
                distance = abs(square - ray[0])
                if distance != h:
                    masks = self._up if ray[0] < square else self._down
                    masks[distance] |= 1 << square - 1
        self._up_far, self._up_near = self._up[h + 1], self._up[h - 1]
        self._down_far, self._down_near = self._down[h + 1], self._down[h - 1]

    def count_up(self, pieces: int, empty: int) -> int:
        """How many steps to the row above the pieces have, all together."""
        h = self.h
        slanting = (pieces & self._up_far) >> h + 1 | (pieces & self._up_near) >> h - 1
        return (pieces >> h & empty).bit_count() + (slanting & empty).bit_count()

    def count_down(self, pieces: int, empty: int) -> int:
        """How many steps to the row below the pieces have, all together."""
        h = self.h
        slanting = (pieces & self._down_far) << h + 1 | (pieces & self._down_near) << h - 1
        return (pieces << h & empty).bit_count() + (slanting & empty).bit_count()

    def jumpers_up(self, pieces: int, foes: int, empty: int) -> int:
        """Those of the pieces that can jump upward over one of the foes."""
        h, far, near = self.h, self._up_far, self._up_near
        before_slant = foes & (empty << h + 1 & far | empty << h - 1 & near)
        before_straight = foes & empty << h
        return pieces & (
            before_slant << h | before_straight << h + 1 & far | before_straight << h - 1 & near
        )

    def jumpers_down(self, pieces: int, foes: int, empty: int) -> int:
        """Those of the pieces that can jump downward over one of the foes."""
        h, far, near = self.h, self._down_far, self._down_near
        before_slant = foes & (empty >> h + 1 & far | empty >> h - 1 & near)
        before_straight = foes & empty >> h
        return pieces & (
            before_slant >> h | before_straight >> h + 1 & far | before_straight >> h - 1 & near
        )
