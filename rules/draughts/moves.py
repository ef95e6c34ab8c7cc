"""Legal moves and their number, for any draughts game."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from .captures import Capture, Captures
from .position import Move, Position, Side, other, squares_of
from .steps import Jumpers, Steps, downward, upward
from .variant import Variant

#: Own men, own kings, enemy men, enemy kings: a position as the side to move sees it.
Forces = tuple[int, int, int, int]


def forces(position: Position) -> Forces:
    """A position seen from the side to move."""
    white = (position.white_men, position.white_kings)
    black = (position.black_men, position.black_kings)
    return (*white, *black) if position.side == "w" else (*black, *white)


class MoveGenerator:
    """The legal moves of one game.  Make it once with `generator`; it keeps tables."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.jumps = Captures(variant)
        self._full = variant.board.full
        self._men_take_kings = variant.men_capture_kings
        self._last_row: dict[Side, int] = {"w": variant.last_row("w"), "b": variant.last_row("b")}
        up, down = upward(variant.board), downward(variant.board)
        self._men_steps: dict[Side, Steps] = {"w": up.steps, "b": down.steps}
        self._all_steps = (up.steps, down.steps)
        self._all_jumpers = (up.jumpers, down.jumpers)
        back = variant.men_capture_backward
        self._men_jumpers: dict[Side, tuple[Jumpers, ...]] = {
            "w": self._all_jumpers if back else (up.jumpers,),
            "b": self._all_jumpers if back else (down.jumpers,),
        }

    # ------------------------------------------------------------------ captures

    def captures(self, side: Side, forces: Forces) -> list[Capture]:
        """The captures that are allowed now, one for each (from, to, set taken)."""
        found = self.complete_captures(side, forces)
        if len(found) < 2:
            return found
        if self.variant.precedence:
            found = self.jumps.preferred(found, forces[1], forces[3])
        if len(found) > 1 and any(len(capture.victims) > 1 for capture in found):
            found = list({(c.path[0], c.path[-1], c.taken): c for c in found}.values())
        return found

    def complete_captures(self, side: Side, forces: Forces) -> list[Capture]:
        """Every capture with nothing missing, whether it has priority or not."""
        men, kings, foe_men, foe_kings = forces
        foes = foe_men | foe_kings
        occupied = men | kings | foes
        empty = self._full ^ occupied
        foes_of_men = foes if self._men_take_kings else foe_men
        jumping = 0
        for jumpers in self._men_jumpers[side]:
            jumping |= jumpers(men, foes_of_men, empty)
        found: list[Capture] = []
        while jumping:
            square = jumping.bit_length()
            jumping ^= 1 << square - 1
            found += self.jumps.of_piece(side, square, False, foes_of_men, occupied)
        if kings:
            for square in squares_of(self._jumping_kings(kings, foes, empty)):
                found += self.jumps.of_piece(side, square, True, foes, occupied)
        return found

    def _jumping_kings(self, kings: int, foes: int, empty: int) -> int:
        if self.variant.kings_fly:
            return kings
        up, down = self._all_jumpers
        return up(kings, foes, empty) | down(kings, foes, empty)

    # ------------------------------------------------------------------ quiet moves

    def quiet(self, side: Side, forces: Forces) -> Iterator[tuple[int, int]]:
        """(from, to) of every move without a capture, whether or not a capture is due."""
        men, kings, foe_men, foe_kings = forces
        empty = self._full ^ (men | kings | foe_men | foe_kings)
        for back, reached in self._men_steps[side](men, empty):
            for to in squares_of(reached):
                yield to + back, to
        if kings and self.variant.kings_fly:
            for square in squares_of(kings):
                for to in squares_of(self._flights(square, empty)):
                    yield square, to
        elif kings:
            for steps in self._all_steps:
                for back, reached in steps(kings, empty):
                    for to in squares_of(reached):
                        yield to + back, to

    def _flights(self, square: int, empty: int) -> int:
        one, two = self.jumps.lines[square]
        occupied = self._full ^ empty
        return one[occupied & one.mask][0] | two[occupied & two.mask][0]

    def count_quiet(self, side: Side, forces: Forces) -> int:
        """How many quiet moves there are."""
        men, kings, foe_men, foe_kings = forces
        empty = self._full ^ (men | kings | foe_men | foe_kings)
        (_, one), (_, two), (_, three) = self._men_steps[side](men, empty)
        number = one.bit_count() + two.bit_count() + three.bit_count()
        if kings and self.variant.kings_fly:
            for square in squares_of(kings):
                number += self._flights(square, empty).bit_count()
        elif kings:
            for steps in self._all_steps:
                number += sum(reached.bit_count() for _, reached in steps(kings, empty))
        return number

    # ------------------------------------------------------------------ moves

    def moves(self, position: Position) -> list[Move]:
        """The legal moves, one for each (from, to, set taken), by from, to and pieces taken."""
        side, own = position.side, forces(position)
        captures = self.captures(side, own)
        if captures:
            found = [self.capture_move(position, capture) for capture in captures]
        else:
            found = [self.quiet_move(position, *squares) for squares in self.quiet(side, own)]
        return sorted(found, key=lambda move: (move.frm, move.to, sorted(move.taken)))

    def quiet_move(self, position: Position, frm: int, to: int) -> Move:
        """The move of a piece from one square to another, taking nothing."""
        king = bool(forces(position)[1] >> frm - 1 & 1)
        return self._move(position, (frm, to), (), 0, king)

    def capture_move(self, position: Position, capture: Capture) -> Move:
        """A capture as a move."""
        return self._move(position, *capture)

    def _move(
        self,
        position: Position,
        path: tuple[int, ...],
        victims: tuple[int, ...],
        taken: int,
        king: bool,
    ) -> Move:
        side = position.side
        men, kings, foe_men, foe_kings = forces(position)
        was_king = bool(kings >> path[0] - 1 & 1)
        after = self.after(side, (men, kings, foe_men, foe_kings), path, taken, king)
        turned: Side = other(side)
        board = after if turned == "w" else (*after[2:], *after[:2])
        is_king = bool(after[3] >> path[-1] - 1 & 1)
        return Move(
            path[0], path[-1], victims, path, is_king and not was_king, Position(turned, *board)
        )

    def after(
        self, side: Side, forces: Forces, path: tuple[int, ...], taken: int, king: bool
    ) -> Forces:
        """The forces after a move, seen by the opponent, who is to move then."""
        men, kings, foe_men, foe_kings = forces
        frm, to = 1 << path[0] - 1, 1 << path[-1] - 1
        men &= ~frm
        kings &= ~frm
        if king or to & self._last_row[side]:
            kings |= to
        else:
            men |= to
        return foe_men & ~taken, foe_kings & ~taken, men, kings

    def ends(self, side: Side, own: Forces) -> Iterator[Forces]:
        """The forces after each legal move, seen by the opponent."""
        captures = self.captures(side, own)
        if captures:
            for capture in captures:
                yield self.after(side, own, capture.path, capture.taken, capture.king)
            return
        men, kings, foe_men, foe_kings = own
        last_row = self._last_row[side]
        for frm, to in self.quiet(side, own):
            left, reached = 1 << frm - 1, 1 << to - 1
            if left & kings:
                yield foe_men, foe_kings, men, kings ^ left | reached
            elif reached & last_row:
                yield foe_men, foe_kings, men ^ left, kings | reached
            else:
                yield foe_men, foe_kings, men ^ left | reached, kings

    # ------------------------------------------------------------------ counting

    def perft(self, position: Position, depth: int) -> int:
        """Leaves of the tree of legal moves at a depth; a finished game has none below it."""
        if depth == 0:
            return 1
        return self._leaves(position.side, forces(position), depth)

    def _leaves(self, side: Side, own: Forces, depth: int) -> int:
        if depth == 1:
            return len(self.captures(side, own)) or self.count_quiet(side, own)
        turned, number = other(side), 0
        for end in self.ends(side, own):
            number += self._leaves(turned, end, depth - 1)
        return number


@lru_cache(maxsize=64)
def generator(variant: Variant) -> MoveGenerator:
    """The generator of a game, made once."""
    return MoveGenerator(variant)
