"""The board: which squares are played on, how they are numbered and named, and what lies where.

White sits at the bottom of every diagram.  Playing squares are numbered 1..N row by row from the
top (Black's side), left to right, as FID 2.4, FMJD 2 and WCDF 1.4 do for a board seen by White.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

#: The four ways along diagonals as (row step, column step); row 0 is Black's edge.
DIRECTIONS = ((-1, -1), (-1, 1), (1, -1), (1, 1))

_FILES = "abcdefghij"


@dataclass(frozen=True)
class Board:
    """A board of ``size`` x ``size`` cells, half of them played on.

    Attributes:
        size: cells along an edge, 8 or 10.
        mirrored: True for the Italian board, with a dark corner at each player's right hand.
    """

    size: int
    mirrored: bool = False

    @cached_property
    def cells(self) -> tuple[tuple[int, int], ...]:
        """(row, column) of the squares 1, 2, ... in order."""
        dark = 0 if self.mirrored else 1
        edge = range(self.size)
        return tuple((row, col) for row in edge for col in edge if (row + col) % 2 == dark)

    @cached_property
    def count(self) -> int:
        """How many squares are played on: 32 or 50."""
        return len(self.cells)

    @cached_property
    def full(self) -> int:
        """Bitboard of all squares; bit n-1 is square n."""
        return (1 << self.count) - 1

    @cached_property
    def _numbers(self) -> dict[tuple[int, int], int]:
        return {cell: number for number, cell in enumerate(self.cells, 1)}

    def cell(self, square: int) -> tuple[int, int]:
        """(row, column) of a square."""
        return self.cells[square - 1]

    def at(self, row: int, col: int) -> int:
        """The square on a cell; 0 for a light cell and off the board."""
        return self._numbers.get((row, col), 0)

    def row_of(self, square: int) -> int:
        """Row of a square, 0 at Black's edge."""
        return self.cells[square - 1][0]

    def rows(self, first: int, last: int) -> int:
        """Bitboard of the rows ``first`` to ``last``, both included."""
        return sum(1 << n for n, (row, _) in enumerate(self.cells) if first <= row <= last)

    @cached_property
    def _rays(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        return tuple(
            tuple(self._walk(*cell, *direction) for direction in DIRECTIONS) for cell in self.cells
        )

    def _walk(self, row: int, col: int, down: int, right: int) -> tuple[int, ...]:
        squares = []
        while square := self.at(row := row + down, col := col + right):
            squares.append(square)
        return tuple(squares)

    def rays(self, square: int) -> tuple[tuple[int, ...], ...]:
        """The squares met from ``square`` in each of `DIRECTIONS`, nearest first."""
        return self._rays[square - 1]

    def algebraic(self, square: int) -> str:
        """Name by file and rank as White reads them: ``a1`` is at the bottom left."""
        row, col = self.cell(square)
        return f"{_FILES[col]}{self.size - row}"

    def from_algebraic(self, text: str) -> int:
        """The square of a name such as ``c3``; 0 for a light cell and for no cell at all."""
        if (
            not 2 <= len(text) <= 3
            or not text.isascii()
            or text[0] not in _FILES
            or not text[1:].isdecimal()
        ):
            return 0
        return self.at(self.size - int(text[1:]), _FILES.index(text[0]))
