"""What a steady scene says about each playing square, with the board lying as the game sees it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from rules.draughts.geometry import Board
from rules.draughts.position import Position

from .orient import CONTRADICTS, colour_of
from .steady import UNITS_PER_NAT, Scene, colours

#: Contents by colour, as `Evidence.costs` counts them; and what is known to be a king.
EMPTY, WHITE, BLACK, WHITE_KING, BLACK_KING = range(5)

#: The colour of each content.
COLOUR = (EMPTY, WHITE, BLACK, WHITE, BLACK)

#: What each content can be taken for by its colour.
_OTHERS = tuple(tuple(c for c in (EMPTY, WHITE, BLACK) if c != COLOUR[k]) for k in range(5))

#: A king is a king by the rules, whatever it looks like.  It may be a man of its own colour on one
#: of the other, of which the lower one is all that a slanting light shows: that it reads as the
#: other side's says no more against it than this, 2 nats, which is no contradiction.
TWO_TONE = 2 * UNITS_PER_NAT

#: A square on which every content is about as likely says nothing.
KNOWS = CONTRADICTS // 2

#: What contradicts by less than this, 5 nats, is one misreading in 150.
FAINT = 5 * UNITS_PER_NAT

Costs = tuple[int, int, int, int, int]

#: The costs of a square that says nothing.
NOTHING: Costs = (0, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Evidence:
    """One scene by playing square; index n - 1 is square n.

    Attributes:
        costs: cost of empty, white and black on each square, 0 for the likeliest, and of what is
            known to be a white and a black king, in units of ``percept.STEP``; equal costs mean
            that the square says nothing.
        crowns: how much likelier a king is there than a man of the likelier colour; negative for
            a man.
        unknown: squares that say nothing.
        stray: cells off the playing squares on which a piece clearly stands.
        faint: those of them that may well be misread.
    """

    costs: tuple[Costs, ...]
    crowns: tuple[int, ...]
    unknown: frozenset[int]
    stray: frozenset[tuple[int, int]]
    faint: frozenset[tuple[int, int]] = frozenset()

    def best(self, square: int) -> int:
        """The likeliest colour of a square; EMPTY wins ties, and no king is likelier than a man."""
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
        costs = tuple(NOTHING if n in flat else row for n, row in enumerate(self.costs, 1))
        stray = self.stray.difference(strays)
        return Evidence(costs, self.crowns, self.unknown | flat, stray, self.faint & stray)

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
            if min(costs[other] for other in _OTHERS[colour]) - costs[colour] < least
        )

    def total(self, contents: Iterable[int]) -> int:
        """The cost of a whole board of contents."""
        return sum(row[colour] for row, colour in zip(self.costs, contents, strict=True))


class Scales:
    """Weighs boards against a scene by what differs from a board whose cost is known."""

    def __init__(self, evidence: Evidence, here: Position) -> None:
        self._here = here
        self._cost = evidence.total(contents_of(here, len(evidence.costs)))
        self._worse = tuple(
            tuple(row[code] - row[EMPTY] for row in evidence.costs)
            for code in (WHITE, WHITE_KING, BLACK, BLACK_KING)
        )

    def of(self, position: Position) -> int:
        """The cost of a board, the same as that of its contents by `Evidence.total`."""
        here, cost = self._here, self._cost
        white, white_kings, black, black_kings = self._worse
        for was, now, worse in (
            (here.white_men, position.white_men, white),
            (here.white_kings, position.white_kings, white_kings),
            (here.black_men, position.black_men, black),
            (here.black_kings, position.black_kings, black_kings),
        ):
            apart = was ^ now
            while apart:
                bit = apart & -apart
                apart ^= bit
                more = worse[bit.bit_length() - 1]
                cost += more if now & bit else -more
        return cost


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
    costs = tuple(costs_of_square(*by_colour[cell].tolist()) for cell in cells)
    stray = frozenset(
        (int(row), int(col)) for row, col in np.argwhere(light) if not board.at(int(row), int(col))
    )
    unknown = frozenset(n for n, row in enumerate(costs, 1) if sorted(row[:3])[1] < KNOWS)
    faint = frozenset(cell for cell in stray if by_colour[(*cell, EMPTY)] < FAINT)
    return Evidence(costs, tuple(int(crowns[cell]) for cell in cells), unknown, stray, faint)


def costs_of_square(empty: int, white: int, black: int) -> Costs:
    """The costs of all contents of a square from those of its colours."""
    return empty, white, black, min(white, black + TWO_TONE), min(black, white + TWO_TONE)


@lru_cache(maxsize=4096)
def contents_of(position: Position, count: int) -> tuple[int, ...]:
    """Contents by square, index n - 1 for square n."""
    pieces = position.pieces()
    return tuple(code_of(pieces.get(n, ".")) for n in range(1, count + 1))


def code_of(piece: str) -> int:
    """The content that a letter of ``CLASSES`` stands for."""
    return colour_of(piece) + 2 * piece.isupper()


def colours_of(contents: Iterable[int]) -> tuple[int, ...]:
    """Contents by colour alone."""
    return tuple(COLOUR[content] for content in contents)
