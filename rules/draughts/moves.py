"""Legal moves and their number, for any draughts game."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from .captures import Capture, Captures
from .position import Move, Position, Side, other, squares_of
from .steps import Steps
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
        self._steps = Steps(variant.board)
        self._full = variant.board.full
        self._last_row: dict[Side, int] = {"w": variant.last_row("w"), "b": variant.last_row("b")}
        rays = [variant.board.rays(square) for square in range(1, variant.board.count + 1)]
        up, down, around = slice(0, 2), slice(2, 4), slice(0, 4)
        self._men_steps: dict[Side, list[tuple[int, ...]]] = {
            "w": [(), *(_neighbours(ray[up]) for ray in rays)],
            "b": [(), *(_neighbours(ray[down]) for ray in rays)],
        }
        self._king_steps = [(), *(_neighbours(ray[around]) for ray in rays)]

    # ------------------------------------------------------------------ captures

    def captures(self, side: Side, forces: Forces) -> list[Capture]:
        """The captures that are allowed now, one for each (from, to, set taken)."""
        found = self.complete_captures(side, forces)
        if len(found) < 2:
            return found
        allowed = self.jumps.preferred(found, forces[1], forces[3])
        return list({(c.path[0], c.path[-1], c.taken): c for c in reversed(allowed)}.values())[::-1]

    def complete_captures(self, side: Side, forces: Forces) -> list[Capture]:
        """Every capture with nothing missing, whether it has priority or not."""
        men, kings, foe_men, foe_kings = forces
        foes = foe_men | foe_kings
        occupied = men | kings | foes
        foes_of_men = foes if self.variant.men_capture_kings else foe_men
        found: list[Capture] = []
        for square in squares_of(self._jumping_men(side, men, foes_of_men, occupied)):
            found += self.jumps.of_piece(side, square, False, foes_of_men, occupied)
        for square in squares_of(self._jumping_kings(kings, foes, occupied)):
            found += self.jumps.of_piece(side, square, True, foes, occupied)
        return found

    def _jumping_men(self, side: Side, men: int, foes: int, occupied: int) -> int:
        empty = self._full ^ occupied
        if self.variant.men_capture_backward:
            return self._steps.jumpers_up(men, foes, empty) | self._steps.jumpers_down(
                men, foes, empty
            )
        jumpers = self._steps.jumpers_up if side == "w" else self._steps.jumpers_down
        return jumpers(men, foes, empty)

    def _jumping_kings(self, kings: int, foes: int, occupied: int) -> int:
        if not kings or self.variant.kings_fly:
            return kings
        empty = self._full ^ occupied
        return self._steps.jumpers_up(kings, foes, empty) | self._steps.jumpers_down(
            kings, foes, empty
        )

    # ------------------------------------------------------------------ quiet moves

    def quiet(self, side: Side, forces: Forces) -> Iterator[tuple[int, int]]:
        """(from, to) of every move without a capture, whether or not a capture is due."""
        men, kings, foe_men, foe_kings = forces
        empty = self._full ^ (men | kings | foe_men | foe_kings)
        steps = self._men_steps[side]
        for square in squares_of(men):
            for to in steps[square]:
                if empty >> to - 1 & 1:
                    yield square, to
        for square in squares_of(kings):
            for to in self._king_targets(square, empty):
                yield square, to

    def _king_targets(self, square: int, empty: int) -> Iterator[int]:
        if not self.variant.kings_fly:
            return (to for to in self._king_steps[square] if empty >> to - 1 & 1)
        one, two = self.jumps.lines[square]
        occupied = self._full ^ empty
        return squares_of(one[occupied & one.mask][0] | two[occupied & two.mask][0])

    def count_quiet(self, side: Side, forces: Forces) -> int:
        """How many quiet moves there are."""
        men, kings, foe_men, foe_kings = forces
        occupied = men | kings | foe_men | foe_kings
        empty = self._full ^ occupied
        steps = self._steps
        number = steps.count_up(men, empty) if side == "w" else steps.count_down(men, empty)
        if not kings:
            return number
        if not self.variant.kings_fly:
            return number + steps.count_up(kings, empty) + steps.count_down(kings, empty)
        for square in squares_of(kings):
            one, two = self.jumps.lines[square]
            number += one[occupied & one.mask][0].bit_count()
            number += two[occupied & two.mask][0].bit_count()
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
        for capture in captures:
            yield self.after(side, own, capture.path, capture.taken, capture.king)
        if not captures:
            for path in self.quiet(side, own):
                yield self.after(side, own, path, 0, bool(own[1] >> path[0] - 1 & 1))

    # ------------------------------------------------------------------ counting

    def perft(self, position: Position, depth: int) -> int:
        """Leaves of the tree of legal moves at a depth; a finished game has none below it."""
        if depth == 0:
            return 1
        return self._leaves(position.side, forces(position), depth)

    def _leaves(self, side: Side, own: Forces, depth: int) -> int:
        if depth == 1:
            return len(self.captures(side, own)) or self.count_quiet(side, own)
        turned = other(side)
        return sum(self._leaves(turned, end, depth - 1) for end in self.ends(side, own))


def _neighbours(rays: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    return tuple(ray[0] for ray in rays if ray)


@lru_cache(maxsize=64)
def generator(variant: Variant) -> MoveGenerator:
    """The generator of a game, made once."""
    return MoveGenerator(variant)
