"""Two boards side by side: what differs, and what the pieces of the first could have taken."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from .captures import Capture
from .moves import Forces, MoveGenerator, forces
from .notation import name_of, text_of
from .position import Move, Position, squares_of


class Trip(NamedTuple):
    """A capture that ends on the square it began on, complete or not."""

    square: int
    taken: int
    complete: bool


class Pair:
    """A board, the board after one deed of its side, and the difference in colours.

    Attributes:
        left, new: bitboards of the squares that an own piece left, newly stands on.
        gone, risen: the same for enemy pieces.
    """

    def __init__(self, game: MoveGenerator, before: Position, after: Position) -> None:
        self.game = game
        self.before = before
        self.after = after.with_side(before.side)
        self.side = before.side
        self.seen: Forces = forces(before)
        self.seen_now: Forces = forces(self.after)
        men, kings, foe_men, foe_kings = self.seen
        men_now, kings_now, foe_men_now, foe_kings_now = self.seen_now
        self.own, self.own_now = men | kings, men_now | kings_now
        self.foes, self.foes_now = foe_men | foe_kings, foe_men_now | foe_kings_now
        self.left, self.new = self.own & ~self.own_now, self.own_now & ~self.own
        self.gone, self.risen = self.foes & ~self.foes_now, self.foes_now & ~self.foes
        self.moved: tuple[int, int] | None = None
        if self.left.bit_count() == self.new.bit_count() == 1:
            self.moved = self.left.bit_length(), self.new.bit_length()

    @cached_property
    def moves(self) -> list[Move]:
        """The legal moves."""
        return self.game.moves(self.before)

    def move(self, frm: int, to: int, taken: int) -> Move | None:
        """The legal move from a square to another that takes just these, if there is one."""
        for move in self.moves:
            if (move.frm, move.to) == (frm, to) and bits(move.taken) == taken:
                return move
        return None

    @cached_property
    def due(self) -> tuple[str, ...]:
        """The captures that were due, in writing."""
        variant, moves = self.game.variant, self.moves
        return tuple(sorted(text_of(variant, moves, move) for move in moves if move.taken))

    def text(self, move: Move) -> str:
        """A legal move in writing."""
        return text_of(self.game.variant, self.moves, move)

    def name(self, square: int) -> str:
        """A square in writing."""
        return name_of(self.game.variant, square)

    def names(self, squares: int) -> str:
        """The squares of a bitboard in writing: ``c3``, ``c3 and d4``, ``c3, d4 and e5``."""
        names = [self.name(square) for square in squares_of(squares)]
        return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)

    # ------------------------------------------------------------------ single jumps

    def is_king(self, square: int) -> bool:
        """Whether a king stood there before."""
        return bool(self.seen[1] >> square - 1 & 1)

    def quiet_shaped(self, frm: int, to: int) -> bool:
        """Whether that were a quiet move if no capture were due."""
        return any(step == (frm, to) for step in self.game.quiet(self.side, self.seen))

    def begun(self, square: int) -> set[tuple[int, int, bool]]:
        """(square, taken, king now) after each jump that the piece there can make."""
        return self.game.jumps.begun(self.side, square, *self._sight(square))

    def complete(self, square: int) -> list[Capture]:
        """The captures of the piece there with nothing missing; priorities not asked."""
        return self.game.jumps.of_piece(self.side, square, *self._sight(square))

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
        """The round trips of the own pieces that still stand where they stood."""
        found = []
        for square in squares_of(self.own & ~self.left):
            taken = {t for to, t, _ in self.begun(square) if to == square}
            if taken:
                whole = {c.taken for c in self.complete(square) if c.path[-1] == square}
                found += [Trip(square, t, t in whole) for t in sorted(taken)]
        return found


def bits(squares: tuple[int, ...]) -> int:
    """The bitboard of some squares."""
    return sum(1 << square - 1 for square in squares)
