"""Moves as text: PDN squares and separators, short or with the whole route."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..errors import AmbiguousMove, BadMove, IllegalMove
from .fen import square_of
from .moves import MoveGenerator, forces
from .position import Move, Position
from .variant import Variant

_SEPARATOR = re.compile(r"\s*[-–x×:]\s*")


def name_of(variant: Variant, square: int) -> str:
    """A square as the game writes it: ``c3`` or ``22``."""
    return variant.board.algebraic(square) if variant.algebraic else str(square)


def text_of(variant: Variant, moves: Sequence[Move], move: Move) -> str:
    """PDN text of one of the legal ``moves``: from and to, or the route if that fits several."""
    squares: Sequence[int] = (move.frm, move.to)
    if move.taken and sum((m.frm, m.to) == squares for m in moves) > 1:
        squares = route(variant, move)
    separator = variant.separator if move.taken else "-"
    return separator.join(name_of(variant, square) for square in squares)


def route(variant: Variant, move: Move) -> list[int]:
    """The long form of PDN 3.0: squares where the piece turns; where it goes straight on, the
    square right behind the piece taken; and the end.
    """
    squares, here = [move.frm], move.frm
    rays = variant.board.rays
    for victim, following, landing in zip(move.taken, move.taken[1:], move.path[1:], strict=False):
        line = next(ray for ray in rays(here) if victim in ray)
        behind = line[line.index(victim) + 1 :]
        here = behind[0] if following in behind else landing
        squares.append(here)
    return [*squares, move.to]


def parse(generator: MoveGenerator, position: Position, text: str) -> Move:
    """The legal move that a text means, short or with any of its stops.

    Raises:
        BadMove: not squares with separators.
        IllegalMove: no legal move goes there.
        AmbiguousMove: several legal moves fit.
    """
    variant = generator.variant
    squares = _squares(variant, text)
    moves = generator.moves(position)
    fitting = [m for m in moves if m.frm == squares[0] and m.to == squares[-1]]
    if len(squares) > 2 or len(fitting) > 1:
        fitting = _along(generator, position, squares, fitting)
    texts = [text_of(variant, moves, move) for move in fitting or moves]
    if not fitting:
        raise IllegalMove(f"{text!r} is not legal", "", _listed(texts) or "no move: none is left")
    if len(fitting) > 1:
        raise AmbiguousMove(f"{text!r} fits several moves", "", f"one of {_listed(texts)}")
    return fitting[0]


def _listed(texts: Sequence[str]) -> str:
    shown = ", ".join(texts[:12])
    return f"{shown}, ..." if len(texts) > 12 else shown


def _squares(variant: Variant, text: str) -> list[int]:
    names = _SEPARATOR.split(text.strip())
    if not 2 <= len(names) <= variant.board.count:
        raise BadMove(f"{text[:40]!r}", "", "two squares or more, as in " + _example(variant))
    squares = [square_of(variant, name) for name in names]
    if 0 in squares:
        raise BadMove(f"no square {names[squares.index(0)][:12]!r}", "", _example(variant))
    return squares


def _example(variant: Variant) -> str:
    return "c3-d4 or c3:e5" if variant.algebraic else "22-18 or 22x15"


def _along(
    generator: MoveGenerator, position: Position, squares: list[int], moves: list[Move]
) -> list[Move]:
    """Those of the moves with a route of just these squares, else those that pass them in order."""
    left_out = _stops_left_out(generator, position, squares)
    exact, passing = [], []
    for move in moves:
        stops = left_out.get((move.to, frozenset(move.taken)))
        if stops is not None:
            passing.append(move)
            exact += [move] if stops == 0 else []
    return exact or passing


def _stops_left_out(
    generator: MoveGenerator, position: Position, squares: list[int]
) -> dict[tuple[int, frozenset[int]], int]:
    """(to, taken) of what the piece can jump along ``squares`` -> landings the text leaves out.

    Each (square, pieces taken, squares matched) is entered only when fewer were left out.
    """
    jumps, variant, side = generator.jumps, generator.variant, position.side
    men, kings, foe_men, foe_kings = forces(position)
    frm, last = squares[0], len(squares)
    occupied = (men | kings | foe_men | foe_kings) & ~(1 << frm - 1)
    foes = foe_men if not variant.men_capture_kings and men >> frm - 1 & 1 else foe_men | foe_kings
    best: dict[tuple[int, frozenset[int], int], int] = {}

    def walk(here: int, king: bool, taken: frozenset[int], matched: int, left_out: int) -> None:
        key = (here, taken, matched)
        if best.get(key, len(squares) + variant.board.count) <= left_out:
            return
        best[key] = left_out
        open_foes = foes & ~sum(1 << square - 1 for square in taken)
        for victim, _, landings, _ in jumps.jumps(side, here, king, open_foes, occupied):
            for landing in landings:
                hit = matched < last and landing == squares[matched]
                on = jumps.king_on(side, king, landing)
                walk(landing, on, taken | {victim}, matched + hit, left_out + (not hit))

    walk(frm, bool(kings >> frm - 1 & 1), frozenset(), 1, 0)
    return {(to, taken): n for (to, taken, matched), n in best.items() if matched == last}
