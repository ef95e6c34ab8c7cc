"""Turns as text, ``24/18/13``, ``12/8(2)``, ``4/off``, ``pass``; read, written and carried out.

A step is a pair of points, the one left and the one reached, 0 when borne off.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from ..errors import BadMove, IllegalMove
from .board import CHECKERS, NAMES, POINTS, Position, Side, other, point_at

#: Half-moves as the points left and reached, 0 for borne off.
Steps = tuple[tuple[int, int], ...]

PASS = "pass"
OFF = "off"
_FORM = "24/18/13, 12/8(2), 4/off or pass"
_CHAIN = re.compile(r"([0-9]{1,2}(?:/[0-9]{1,2})*(?:/off)?)(?:\(([0-9]{1,2})\))?")
_HALF = POINTS // 2


def text(steps: Sequence[tuple[int, int]]) -> str:
    """Steps in words: those of one checker joined, equal ones counted."""
    chains: list[list[int]] = []
    for frm, to in steps:
        chain = next((c for c in chains if c[-1] == frm), None)
        if chain:
            chain.append(to)
        else:
            chains.append([frm, to])
    names = Counter("/".join(str(point) if point else OFF for point in chain) for chain in chains)
    return " ".join(n if times == 1 else f"{n}({times})" for n, times in names.items()) or PASS


def parse(written: str) -> Steps:
    """The steps of a text; empty for a pass.

    Raises:
        BadMove: with the character (from 1) of what is no move.
    """
    steps: list[tuple[int, int]] = []
    for word in re.finditer(r"\S+", written):
        if word[0].lower() == PASS and not written.replace(word[0], "").strip():
            return ()
        found = _chain(word[0])
        if not found:
            raise BadMove(f"move {word[0][:20]!r}", f"character {word.start() + 1}", _FORM)
        steps += found
    return tuple(steps)


def _chain(word: str) -> list[tuple[int, int]]:
    """The steps of one word, none when it is no move."""
    match = _CHAIN.fullmatch(word)
    if not match:
        return []
    numbers = [int(p) for p in match[1].removesuffix(f"/{OFF}").split("/")]
    times = int(match[2] or 1)
    if not all(1 <= p <= POINTS for p in numbers) or not 1 <= times <= CHECKERS:
        return []
    points = [*numbers, 0] if match[1].endswith(OFF) else numbers
    return list(pairwise(points)) * times


def carried_out(position: Position, side: Side, steps: Steps) -> Position:
    """The board after these steps of a side, be they right or wrong, with the other side to move.

    Raises:
        IllegalMove: when a point that is left holds no checker of the side.
    """
    counts, off = list(position.counts(side)), position.off(side)
    for frm, to in steps:
        if not counts[frm - 1]:
            raise IllegalMove(
                f"no {NAMES[side]} checker on {frm}", text([(frm, to)]), "a point that it holds"
            )
        counts[frm - 1] -= 1
        if to:
            counts[to - 1] += 1
        else:
            off += 1
    if side == "w":
        return replace(position, side=other(side), white=tuple(counts), white_off=off)
    return replace(position, side=other(side), black=tuple(counts), black_off=off)


def difference(before: Position, after: Position, side: Side) -> Steps:
    """Steps that turn one board into the other for a side, rearmost first, whatever the dice.

    Empty when no steps of its own explain the board: the opponent's checkers differ, or it has
    not as many after as before.
    """
    foe = other(side)
    if (before.counts(foe), before.off(foe)) != (after.counts(foe), after.off(foe)):
        return ()
    left: list[int] = []
    reached: list[int] = []
    for i in range(POINTS):
        point = point_at(side, i)
        more = after.count(side, point) - before.count(side, point)
        (reached if more > 0 else left).extend([point] * abs(more))
    reached += [0] * (after.off(side) - before.off(side))
    return tuple(zip(left, reached, strict=True)) if len(left) == len(reached) else ()


def renumbered(steps: Steps, side: Side) -> Steps:
    """The steps by the side's own numbers, where 24 is its head, or back from them."""
    if side == "w":
        return steps
    return tuple((_half_round(frm), _half_round(to)) for frm, to in steps)


def _half_round(point: int) -> int:
    if not point:
        return 0
    return point + _HALF if point <= _HALF else point - _HALF
