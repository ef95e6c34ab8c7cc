"""The wrong deeds that people really do, and chains of legal moves: what a board may show.

Both are sparse changes to a known position, bounded in number and in a fixed order.  Deeds are
proposed family by family, the likeliest families first, and named by the judge's own table, so that
a deed and the verdict on its board never disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from .judge import find
from .moves import Forces, MoveGenerator
from .pair import Known, Pair, bits, known
from .position import Move, Position, other, squares_of

#: Most deeds proposed of one family, so that a board full of kings takes no longer than a start.
MOST_OF_FAMILY = 250

#: (square, what stands there now, one of ``.wWbB``) against the position before, by square.
Changes = tuple[tuple[int, str], ...]


class Moving(Protocol):
    """What chains are made of: a game, or its move generator."""

    def moves(self, position: Position, /) -> Sequence[Move]:
        """The legal moves."""


@dataclass(frozen=True, slots=True)
class Deed:
    """A wrong deed and what it leaves on the board.

    Attributes:
        code: the offence, ``O6``.
        changes: what is otherwise on the board.
    """

    code: str
    changes: Changes


def deeds(game: MoveGenerator, position: Position) -> Iterator[Deed]:
    """The named wrong deeds of the side to move, each board once, likeliest families first."""
    before = known(game, position)
    for now in _boards(before):
        yield Deed(find(Pair(before, now)).code, _changes(before, now))


def wrong_boards(game: MoveGenerator, position: Position) -> Iterator[Changes]:
    """The changes of each of those deeds, without their names, which take most of the time."""
    before = known(game, position)
    for now in _boards(before):
        yield _changes(before, now)


def _boards(before: Known) -> Iterator[Forces]:
    seen = {before.seen, *(end for _, end in before.ends)}
    for family in FAMILIES:
        for now in islice(family(before), MOST_OF_FAMILY):
            if now not in seen:
                seen.add(now)
                yield now


def chains(
    game: Moving, position: Position, depth: int, forced: int | None = None
) -> Iterator[tuple[tuple[Move, ...], Position]]:
    """Chains of legal moves with the position after them, the shortest first.

    Args:
        game: the game.
        position: where they begin.
        depth: how many plies of any kind.
        forced: up to how many plies captures that must be played go on after those; twice
            ``depth`` if left out.

    Yields:
        (plies, after): each position once, with the shortest chain to it; none leads back to one
        met before.
    """
    longest = 2 * depth if forced is None else forced
    met = {position}
    layer: list[tuple[tuple[Move, ...], Position]] = [((), position)]
    while layer:
        following = []
        for plies, here in layer:
            for move in game.moves(here):
                if len(plies) >= (longest if move.taken else depth) or move.after in met:
                    continue
                met.add(move.after)
                chain = ((*plies, move), move.after)
                following.append(chain)
                yield chain
        layer = following


def _changes(before: Known, now: Forces) -> Changes:
    own, foe = ("wW", "bB") if before.side == "w" else ("bB", "wW")
    letters = (*own, *foe)
    changed = 0
    for was, stands in zip(before.seen, now, strict=True):
        changed |= was ^ stands
    return tuple(
        (
            square,
            next(
                (
                    letter
                    for letter, side in zip(letters, now, strict=True)
                    if side >> square - 1 & 1
                ),
                ".",
            ),
        )
        for square in squares_of(changed)
    )


# ---------------------------------------------------------------------- boards after a deed


def _put(before: Known, frm: int, to: int, taken: int = 0, king: bool | None = None) -> Forces:
    """A piece set from one square on another and others lifted; it keeps its rank by default."""
    stays_king = before.is_king(frm) if king is None else king
    side, path = before.side, (frm, to)
    foe_men, foe_kings, men, kings = before.game.after(side, before.seen, path, taken, stays_king)
    return men, kings, foe_men, foe_kings


def _without(forces: Forces, squares: int) -> Forces:
    """The same with some squares empty."""
    men, kings, foe_men, foe_kings = forces
    return men & ~squares, kings & ~squares, foe_men & ~squares, foe_kings & ~squares


def _shifted(forces: Forces, frm: int, to: int) -> Forces:
    """The same with the piece on one square standing on another, as it is."""
    was, will = 1 << frm - 1, 1 << to - 1
    men, kings, foe_men, foe_kings = (
        side & ~was | will if side & was else side & ~will for side in forces
    )
    return men, kings, foe_men, foe_kings


def _free(before: Known, forces: Forces) -> int:
    men, kings, foe_men, foe_kings = forces
    return before.game.variant.board.full & ~(men | kings | foe_men | foe_kings)


# ---------------------------------------------------------------------- families


def capture_ignored(before: Known) -> Iterator[Forces]:
    """A quiet move while a capture is due."""
    if before.due:
        for frm, to in sorted(before.quiet):
            yield _put(before, frm, to)


def stopped(before: Known) -> Iterator[Forces]:
    """A capture broken off at each of its stops, what was jumped lifted."""
    for frm in squares_of(before.own):
        for to, taken, king in sorted(before.begun(frm)):
            yield _put(before, frm, to, taken, king)


def left_standing(before: Known) -> Iterator[Forces]:
    """A capture with one victim, or all, or all but one left on the board."""
    for move, end in before.ends:
        victims = move.taken
        for standing in dict.fromkeys((*((v,) for v in victims), victims, *_all_but_one(victims))):
            if standing:
                yield _restored(before, end, bits(standing))


def _all_but_one(squares: Sequence[int]) -> list[tuple[int, ...]]:
    return [tuple(s for s in squares if s != left_out) for left_out in squares]


def _restored(before: Known, forces: Forces, squares: int) -> Forces:
    """The same with enemy pieces of before back on their squares."""
    men, kings, foe_men, foe_kings = forces
    return men, kings, foe_men | before.seen[2] & squares, foe_kings | before.seen[3] & squares


def not_crowned(before: Known) -> Iterator[Forces]:
    """A man on its last row that nobody marked as a king."""
    for move, (men, kings, foe_men, foe_kings) in before.ends:
        if move.crowned:
            last = 1 << move.to - 1
            yield men | last, kings ^ last, foe_men, foe_kings


def not_majority(before: Known) -> Iterator[Forces]:
    """A complete capture where another one has priority."""
    for frm in squares_of(before.own):
        for capture in before.complete(frm):
            yield _put(before, frm, capture.path[-1], capture.taken, capture.king)


def wrong_square(before: Known) -> Iterator[Forces]:
    """A piece back, sideways, or on a square one or two rows and columns off, with or without
    lifting what lies between.
    """
    free = _free(before, before.seen)
    for frm in squares_of(before.own):
        for to in _within(before, frm, 2):
            if free >> to - 1 & 1:
                yield _put(before, frm, to)
                between = _between(before, frm, to) & before.foes
                if between:
                    yield _put(before, frm, to, between)


def wrong_landing(before: Known) -> Iterator[Forces]:
    """A legal move that ends beside the right square."""
    for move, end in before.ends:
        free = _free(before, end)
        for to in _within(before, move.to, 2):
            if free >> to - 1 & 1:
                yield _shifted(end, move.to, to)


def removed_more(before: Known) -> Iterator[Forces]:
    """A legal move, and a piece near its way lifted that was not captured, or in place of one."""
    for move, end in before.ends:
        near = _near(before, move)
        for square in squares_of(near & (end[2] | end[3])):
            yield _without(end, 1 << square - 1)
            for victim in move.taken:
                yield _restored(before, _without(end, 1 << square - 1), 1 << victim - 1)


def removed_own(before: Known) -> Iterator[Forces]:
    """A legal move, and an own piece near its way lifted."""
    for move, end in before.ends:
        for square in squares_of(_near(before, move) & (end[0] | end[1]) & ~(1 << move.to - 1)):
            yield _without(end, 1 << square - 1)


def opponents_piece(before: Known) -> Iterator[Forces]:
    """A move made with the opponent's pieces."""
    turned = known(before.game, before.position.with_side(other(before.side)))
    for _, (foe_men, foe_kings, men, kings) in turned.ends:
        yield men, kings, foe_men, foe_kings
    for frm, to in sorted(turned.quiet):
        foe_men, foe_kings, men, kings = _put(turned, frm, to)
        yield men, kings, foe_men, foe_kings


def two_moves(before: Known) -> Iterator[Forces]:
    """Two legal moves in one turn."""
    for _, first in before.ends:
        for foe_men, foe_kings, men, kings in before.game.ends(before.side, first):
            yield men, kings, foe_men, foe_kings


def other_piece(before: Known) -> Iterator[Forces]:
    """A legal move, and another own piece near its way pushed to a neighbouring square."""
    for move, end in before.ends:
        free = _free(before, end)
        others = _near(before, move) & (end[0] | end[1]) & ~(1 << move.to - 1)
        for square in squares_of(others):
            for to in _within(before, square, 1):
                if free >> to - 1 & 1:
                    yield _shifted(end, square, to)


def removed_for_nothing(before: Known) -> Iterator[Forces]:
    """One piece of either side lifted."""
    for square in squares_of(before.own | before.foes):
        yield _without(before.seen, 1 << square - 1)


#: The likeliest first.
FAMILIES: tuple[Callable[[Known], Iterator[Forces]], ...] = (
    capture_ignored,
    stopped,
    left_standing,
    not_crowned,
    not_majority,
    wrong_square,
    removed_more,
    removed_own,
    opponents_piece,
    wrong_landing,
    two_moves,
    other_piece,
    removed_for_nothing,
)


# ---------------------------------------------------------------------- what lies near


def _within(before: Known, square: int, distance: int) -> list[int]:
    """The squares at most so many rows and columns away, without the square itself."""
    board = before.game.variant.board
    row, col = board.cell(square)
    steps = range(-distance, distance + 1)
    near = (board.at(row + down, col + right) for down in steps for right in steps)
    return [n for n in near if n and n != square]


def _between(before: Known, frm: int, to: int) -> int:
    """The squares passed on a straight way, diagonal or not, as a bitboard."""
    board = before.game.variant.board
    (row, col), (last_row, last_col) = board.cell(frm), board.cell(to)
    middle = board.at((row + last_row) // 2, (col + last_col) // 2)
    return 1 << middle - 1 if middle else 0


def _near(before: Known, move: Move) -> int:
    """The squares next to those that a move touches."""
    touched = (*move.path, *move.taken)
    return bits(tuple({n for square in touched for n in _within(before, square, 1)}))
