"""The legal turns of a position and a roll: one for each distinct end (§1.10, §3.1-3.9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import BadPosition
from . import notation
from .board import CHECKERS, HEAD, Position
from .dice import ROLLS, Roll
from .facts import CLASSIC, Rules
from .turn import HalfMove, Turn


@dataclass(frozen=True, slots=True)
class Move:
    """A legal turn.

    Attributes:
        steps: half-moves in one permitted order, larger die first; none for a pass.
        after: the position it ends in, with the other side to move.
    """

    steps: tuple[HalfMove, ...]
    after: Position

    @property
    def text(self) -> str:
        """``24/18/13``, ``24/18(2)``, ``4/off``, ``pass``."""
        return text(self.steps)


def text(steps: Sequence[HalfMove]) -> str:
    """Half-moves in words."""
    return notation.text([(step.frm, step.to) for step in steps])


def turn(position: Position, roll: Roll, rules: Rules = CLASSIC) -> Turn:
    """The turn of the side to move.

    Raises:
        BadPosition: when the position is none of the game.
    """
    fault = position.fault()
    if fault:
        raise BadPosition(fault, "position", "15 checkers a side and one colour a point")
    return Turn(position, roll, rules)


def legal(position: Position, roll: Roll, rules: Rules = CLASSIC) -> tuple[Move, ...]:
    """Every legal turn, one for each distinct end; a single pass when nothing can be played.

    After the fifteenth checker of either side the game is over (§2.1) and only a pass is left.

    Raises:
        BadPosition: when the position is none of the game.
    """
    played = turn(position, roll, rules)
    return ending(played)


def ending(played: Turn) -> tuple[Move, ...]:
    """The legal ends of a turn as moves."""
    if played.position.winner():
        return (Move((), played.after(played.start)),)
    return tuple(Move(played.steps(way), played.after(place)) for place, way in played.ends.items())


def count(position: Position, depth: int, rules: Rules = CLASSIC) -> int:
    """Leaf nodes after `depth` turns: over the 21 rolls, each distinct end of a roll is one.

    A side with all its checkers on its head has its first turn (§3.1).

    Raises:
        BadPosition: when the position is none of the game.
    """
    leaves = Counter({position: 1})
    for _ in range(depth):
        following: Counter[Position] = Counter()
        for here, times in leaves.items():
            first = here.count(here.side, HEAD[here.side]) == CHECKERS
            for dice in ROLLS:
                for move in ending(turn(here, Roll(dice, first), rules)):
                    following[move.after] += times
        leaves = following
    return leaves.total()
