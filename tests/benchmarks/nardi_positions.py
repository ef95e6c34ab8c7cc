"""Nardi positions in which a rare wrong turn can be played: too rare to wait for in a game.

A block of six that locks everybody in (M5), a roll of which only one die can be played (M7), a
checker borne off from too low a point (B2).  They are made at random; which wrong turns there are
in them, the rules say.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from rules.nardi.board import POINTS, Position
from rules.nardi.deeds import deeds
from rules.nardi.dice import Roll

Counts = dict[int, int]


def staged_in(code: str, rng: random.Random) -> tuple[Position, Roll, Position]:
    """A position, a roll and the board after a wrong turn of that code, either side's."""
    while True:
        position = _position(*_MAKERS[code](rng))
        if rng.random() < 0.5:
            position = _turned(position)
        roll = Roll((rng.randint(1, 6), rng.randint(1, 6)), first=False)
        found = [deed for deed in deeds(position, roll) if deed.code == code]
        if found:
            return position, roll, rng.choice(found).after(position)


def _block(rng: random.Random) -> tuple[Counts, Counts]:
    """Five of six neighbouring points are White's, and Black has not passed any of them."""
    low = rng.randint(5, 7)
    held = [*range(low, low + 6)]
    held.remove(rng.choice(held))
    white = {point: 1 for point in held}
    spare = rng.sample(range(low + 2, low + 8), 2)
    for point in spare:
        white[point] = white.get(point, 0) + 1
    # Black's head is on 12: it stays behind the block, and out of White's way
    white = {point: count for point, count in white.items() if point != 12}
    white[24] = 15 - sum(white.values())
    return white, {12: 15}


def _one_die(rng: random.Random) -> tuple[Counts, Counts]:
    """White has one checker that can still move, and Black stands about in its way."""
    back = rng.choice((24, 23, 22))
    points = [point for point in range(back - 12, back - 1) if point not in (6, 13)]
    black = {point: 1 for point in rng.sample(points, 4)} | {1: 5}
    black[13] = 15 - sum(black.values())
    return {back: 1, 6: 14}, black


def _bearing_off(rng: random.Random) -> tuple[Counts, Counts]:
    """Some checkers are left at home, and not on every point of it."""
    left = rng.randint(4, 14)
    points = rng.sample(range(1, 7), rng.randint(2, 4))
    white = {point: 1 for point in points}
    for _ in range(left - len(points)):
        white[rng.choice(points)] += 1
    return white, {13: 9, 14: 4, 16: 2}


_MAKERS: Mapping[str, Callable[[random.Random], tuple[Counts, Counts]]] = {
    "B2": _bearing_off,
    "M5": _block,
    "M7": _one_die,
}

#: The codes that positions can be made for.
RARE = tuple(sorted(_MAKERS))


def _position(white: Counts, black: Counts) -> Position:
    """White to move, everything that is not on the board borne off."""
    counts = [
        tuple(side.get(point, 0) for point in range(1, POINTS + 1)) for side in (white, black)
    ]
    off = [15 - sum(side) for side in counts]
    return Position("w", counts[0], counts[1], off[0], off[1])


def _turned(position: Position) -> Position:
    """The same with the sides exchanged: each plays half a board further on."""
    half = POINTS // 2
    white = position.black[half:] + position.black[:half]
    black = position.white[half:] + position.white[:half]
    return Position("b", white, black, position.black_off, position.white_off)
