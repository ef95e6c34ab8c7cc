"""What a steady scene says about each playing square, with the board lying as the game sees it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from rules.draughts.geometry import Board
from rules.draughts.position import Position

from .orient import CONTRADICTS, colour_of
from .steady import Scene, colours

#: Contents by colour alone, as `Evidence.costs` counts them.
EMPTY, WHITE, BLACK = 0, 1, 2

#: A square on which every content is about as likely says nothing.
KNOWS = CONTRADICTS // 2


@dataclass(frozen=True, slots=True)
class Evidence:
    """One scene by playing square; index n - 1 is square n.

    Attributes:
        costs: cost of empty, white and black on each square, 0 for the likeliest, in units of
            ``percept.STEP``; equal costs mean that the square says nothing.
        crowns: how much likelier a king is there than a man of the likelier colour; negative for
            a man.
        unknown: squares that say nothing.
        stray: cells off the playing squares on which a piece clearly stands.
    """

    costs: tuple[tuple[int, int, int], ...]
    crowns: tuple[int, ...]
    unknown: frozenset[int]
    stray: frozenset[tuple[int, int]]

    def best(self, square: int) -> int:
        """The likeliest colour of a square; EMPTY wins ties."""
        costs = self.costs[square - 1]
        return costs.index(min(costs))

    def shows_king(self, square: int) -> bool:
        """Whether a mark of a king is clearly seen there."""
        return self.crowns[square - 1] >= CONTRADICTS

    def shows_man(self, square: int) -> bool:
        """Whether a piece without a mark is clearly seen there."""
        return self.crowns[square - 1] <= -CONTRADICTS

    def without(
        self, doubts: Iterable[tuple[int, int]], strays: Iterable[tuple[int, int]] = ()
    ) -> Evidence:
        """The same scene, saying nothing where it reads as it wrongly read before.

        Args:
            doubts: (square, colour) pairs: what was read where something else was known to stand.
            strays: cells on which something stood all along.
        """
        flat = {square for square, colour in doubts if self.best(square) == colour}
        costs = tuple((0, 0, 0) if n in flat else row for n, row in enumerate(self.costs, 1))
        stray = self.stray.difference(strays)
        return Evidence(costs, self.crowns, self.unknown | flat, stray)

    def misfits(self, contents: Iterable[int], least: int = CONTRADICTS) -> tuple[int, ...]:
        """Squares on which another colour is likelier than ``contents`` by ``least`` or more."""
        pairs = enumerate(zip(self.costs, contents, strict=True), 1)
        return tuple(n for n, (costs, colour) in pairs if costs[colour] - min(costs) >= least)

    def doubtful(self, contents: Iterable[int], least: int) -> frozenset[int]:
        """Squares on which some other colour is not less likely than ``contents`` by ``least``."""
        pairs = enumerate(zip(self.costs, contents, strict=True), 1)
        return frozenset(
            n
            for n, (costs, colour) in pairs
            if min(c for k, c in enumerate(costs) if k != colour) - costs[colour] < least
        )

    def total(self, contents: Iterable[int]) -> int:
        """The cost of a whole board of colours."""
        return sum(row[colour] for row, colour in zip(self.costs, contents, strict=True))


def evidence_of(scene: Scene, board: Board, turns: int) -> Evidence:
    """A scene in the board's own numbering.

    Args:
        scene: in camera order.
        board: how squares lie on cells.
        turns: quarter turns found by `orient`.
    """
    grid = np.rot90(scene.grid(), turns)
    by_colour = colours(grid)
    crowns = np.where(
        by_colour[..., WHITE] <= by_colour[..., BLACK],
        grid[..., 1] - grid[..., 2],
        grid[..., 3] - grid[..., 4],
    )
    light = by_colour[..., EMPTY] >= CONTRADICTS
    cells = board.cells
    costs = tuple((int(c[0]), int(c[1]), int(c[2])) for c in (by_colour[cell] for cell in cells))
    stray = frozenset(
        (int(row), int(col)) for row, col in np.argwhere(light) if not board.at(int(row), int(col))
    )
    unknown = frozenset(n for n, row in enumerate(costs, 1) if sorted(row)[1] < KNOWS)
    return Evidence(costs, tuple(int(crowns[cell]) for cell in cells), unknown, stray)


@lru_cache(maxsize=4096)
def contents_of(position: Position, count: int) -> tuple[int, ...]:
    """Colours by square, index n - 1 for square n."""
    pieces = position.pieces()
    return tuple(colour_of(pieces.get(n, ".")) for n in range(1, count + 1))
