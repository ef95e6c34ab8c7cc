"""Long Nardi behind the verbs that the referee knows for every game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from ..verdict import Verdict
from . import deeds as _deeds
from . import fen, moves
from . import judge as _judge
from .board import START, Position
from .deeds import Deed
from .dice import BadRoll, Roll
from .facts import CLASSIC, Rules
from .moves import Move

__all__ = ["Deed", "Move", "NardiGame", "Position", "Roll", "Rules"]


class NardiGame:
    """The game of Long Nardi, with a club's reading of the disputed paragraphs.

    Args:
        rules: the facts to play by.
    """

    name = "nardi"
    family: Literal["nardi"] = "nardi"

    def __init__(self, rules: Rules = CLASSIC) -> None:
        self.rules = rules

    def start(self) -> Position:
        """All fifteen of each side on their heads, White to move (§1.2, §1.3)."""
        return START

    def read(self, text: str) -> Position:
        """The position of a text such as ``W:W24x15:B12x15:O0-0``.

        Raises:
            BadPosition: with the place where the text can't be read.
        """
        return fen.read(text)

    def read_board(self, text: str) -> Position:
        """What stands on a board, of the game or not: `read` asks no more.

        Raises:
            BadPosition: with the place where the text can't be read.
        """
        return fen.read(text)

    def write(self, position: Position) -> str:
        """The text of a position."""
        return fen.write(position)

    def moves(self, position: Position, roll: Roll | None = None) -> Sequence[Move]:
        """Every legal turn with this roll, one for each distinct end; a pass when there is none.

        Raises:
            BadRoll: without a roll.
            BadPosition: when the position is none of the game.
        """
        return moves.legal(position, _thrown(roll), self.rules)

    def text(self, position: Position, move: Move, roll: Roll | None = None) -> str:
        """The turn as it is written: ``24/18 24/19``, ``4/off(2)``, ``pass``."""
        return move.text

    def judge(
        self, before: Position, after: Position, roll: Roll | None = None
    ) -> Verdict[Position]:
        """Whether the turn was legal, or what was wrong with it; the side of `after` is ignored.

        Raises:
            BadRoll: without a roll.
            BadPosition: when `before` is no position of the game.
        """
        return _judge.judge(before, after, _thrown(roll), self.rules)

    def deeds(self, position: Position, roll: Roll | None = None) -> Iterator[Deed]:
        """The wrong turns that people really make, the likeliest first.

        Raises:
            BadRoll: without a roll.
            BadPosition: when the position is none of the game.
        """
        return _deeds.deeds(position, _thrown(roll), self.rules)

    def perft(self, position: Position, depth: int) -> int:
        """Leaf nodes after so many turns, over the 21 rolls; each distinct end of a roll is one.

        A side with all its checkers on its head has its first turn (§3.1).

        Raises:
            BadPosition: when the position is none of the game.
        """
        return moves.count(position, depth, self.rules)


def _thrown(roll: Roll | None) -> Roll:
    if roll is None:
        raise BadRoll("no dice", "dice", "a roll such as 6-5")
    return roll
