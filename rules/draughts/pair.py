"""A board that the rules know, and beside it the board after one deed."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import NamedTuple

from ..said import all_of
from .captures import Capture
from .moves import Forces, MoveGenerator, forces
from .notation import name_of, text_of
from .position import Move, Position, squares_of


class Trip(NamedTuple):
    """A capture that ends on the square it began on, complete or not."""

    square: int
    taken: int
    complete: bool


class Known:
    """A position and what its side can do in it, worked out when first asked for."""

    def __init__(self, game: MoveGenerator, position: Position) -> None:
        self.game = game
        self.position = position
        self.side = position.side
        self.seen: Forces = forces(position)
        men, kings, foe_men, foe_kings = self.seen
        self.own, self.foes = men | kings, foe_men | foe_kings
        self._begun: dict[int, set[tuple[int, int, bool]]] = {}
        self._complete: dict[int, list[Capture]] = {}
        self._seconds: dict[Forces, set[tuple[int, int]]] = {}

    @cached_property
    def moves(self) -> list[Move]:
        """The legal moves."""
        return self.game.moves(self.position)

    @cached_property
    def ends(self) -> list[tuple[Move, Forces]]:
        """The legal moves with the forces after each, own pieces first."""
        return [(move, forces(move.after.with_side(self.side))) for move in self.moves]

    def move(self, frm: int, to: int, taken: int) -> Move | None:
        """The legal move from a square to another that takes just these, if there is one."""
        for move in self.moves:
            if (move.frm, move.to) == (frm, to) and bits(move.taken) == taken:
                return move
        return None

    @cached_property
    def due(self) -> tuple[str, ...]:
        """The captures that are due, in writing."""
        return tuple(sorted(self.text(move) for move in self.moves if move.taken))

    def text(self, move: Move) -> str:
        """A legal move in writing."""
        return text_of(self.game.variant, self.moves, move)

    @cached_property
    def quiet(self) -> set[tuple[int, int]]:
        """(from, to) of what would be quiet moves if no capture were due."""
        return set(self.game.quiet(self.side, self.seen))

    def is_king(self, square: int) -> bool:
        """Whether a king stands there."""
        return bool(self.seen[1] >> square - 1 & 1)

    # ------------------------------------------------------------------ single jumps

    def begun(self, square: int) -> set[tuple[int, int, bool]]:
        """(square, taken, king now) after each jump that the piece there can make."""
        if square not in self._begun:
            sight = self._sight(square)
            self._begun[square] = self.game.jumps.begun(self.side, square, *sight)
        return self._begun[square]

    def ways(self, frm: int, to: int) -> set[int]:
        """jumps(from, to): the sets of pieces that can be taken on the way, complete or not."""
        return {taken for here, taken, _ in self.begun(frm) if here == to}

    def complete(self, square: int) -> list[Capture]:
        """The captures of the piece there with nothing missing; priorities not asked."""
        if square not in self._complete:
            sight = self._sight(square)
            self._complete[square] = self.game.jumps.of_piece(self.side, square, *sight)
        return self._complete[square]

    def onward(self, square: int, here: int, taken: int, king: bool) -> tuple[int, int] | None:
        """(victim, landing) of a jump with which that piece goes on from ``here``."""
        _, foes, occupied = self._sight(square)
        occupied &= ~(1 << square - 1)
        jumps = self.game.jumps.jumps(self.side, here, king, foes & ~taken, occupied)
        return (jumps[0].victim, jumps[0].landings[0]) if jumps else None

    def _sight(self, square: int) -> tuple[bool, int, int]:
        """Whether it is a king, what it may take, and what stands on the board."""
        king = self.is_king(square)
        takes_kings = king or self.game.variant.men_capture_kings
        return king, self.foes if takes_kings else self.seen[2], self.own | self.foes

    @cached_property
    def trips(self) -> list[Trip]:
        """The round trips of all own pieces."""
        found = []
        for square in squares_of(self.own):
            taken = self.ways(square, square)
            if taken:
                whole = {c.taken for c in self.complete(square) if c.path[-1] == square}
                found += [Trip(square, t, t in whole) for t in sorted(taken)]
        return found

    # ------------------------------------------------------------------ two moves

    def twice(self, own: int, foes: int) -> bool:
        """Whether two legal moves in a row lead to these squares of both colours."""
        for _, first in self.ends:
            misplaced = (first[0] | first[1]) & ~own
            if misplaced.bit_count() > 1 or foes & ~(first[2] | first[3]):
                continue
            if (own, foes) in self._after(first):
                return True
        return False

    def _after(self, first: Forces) -> set[tuple[int, int]]:
        """(own, foes) after each second move of the same side."""
        if first not in self._seconds:
            ends = self.game.ends(self.side, first)
            self._seconds[first] = {(men | kings, fm | fk) for fm, fk, men, kings in ends}
        return self._seconds[first]


@lru_cache(maxsize=16)
def known(game: MoveGenerator, position: Position) -> Known:
    """What is known of a position; kept for the next deed judged in it."""
    return Known(game, position)


class Pair:
    """A known board, the forces after one deed, and the difference in colours.

    Attributes:
        now: the forces after the deed, those of the side that did it first.
        left, new: bitboards of the squares that an own piece left, newly stands on.
        gone, risen: the same for enemy pieces.
        moved: (from, to) if exactly one own piece stands elsewhere.
    """

    def __init__(self, before: Known, now: Forces) -> None:
        self.before = before
        self.now = now
        self.own_now, self.foes_now = now[0] | now[1], now[2] | now[3]
        self.left, self.new = before.own & ~self.own_now, self.own_now & ~before.own
        self.gone, self.risen = before.foes & ~self.foes_now, self.foes_now & ~before.foes
        self.moved: tuple[int, int] | None = None
        if self.left.bit_count() == self.new.bit_count() == 1:
            self.moved = self.left.bit_length(), self.new.bit_length()

    def name(self, square: int) -> str:
        """A square in writing."""
        return name_of(self.before.game.variant, square)

    def names(self, squares: int) -> str:
        """The squares of a bitboard in writing: ``c3``, ``c3 and d4``, ``c3, d4 and e5``."""
        return all_of([self.name(square) for square in squares_of(squares)])

    @property
    def trips(self) -> list[Trip]:
        """The round trips of the own pieces that still stand where they stood."""
        return [trip for trip in self.before.trips if not self.left >> trip.square - 1 & 1]


def bits(squares: tuple[int, ...]) -> int:
    """The bitboard of some squares."""
    return sum(1 << square - 1 for square in squares)
