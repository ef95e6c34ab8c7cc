"""Every game by its name, behind the few verbs that vision and device need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, Literal, Protocol

from .errors import UnknownGame
from .verdict import Verdict

NAMES = ("italian", "russian", "international", "english", "giveaway", "nardi")


class Game(Protocol):
    """What every game can do.

    Positions, moves and rolls are the game's own values; a roll is None in draughts.
    """

    @property
    def name(self) -> str:
        """Its name in `NAMES`."""

    @property
    def family(self) -> Literal["draughts", "nardi"]:
        """Which kind of board and record it needs."""

    def start(self) -> Any:
        """The position before the first move."""

    def read(self, text: str, /) -> Any:
        """A position from its text; BadPosition tells what, where and what was expected."""

    def read_board(self, text: str, /) -> Any:
        """What stands on a board, whether a game can lead there or not."""

    def write(self, position: Any, /) -> str:
        """The one written form of a position."""

    def moves(self, position: Any, roll: Any = None) -> Sequence[Any]:
        """The legal moves, each once."""

    def text(self, position: Any, move: Any, roll: Any = None) -> str:
        """A legal move as the game's records write it."""

    def judge(self, before: Any, after: Any, roll: Any = None) -> Verdict[Any]:
        """What the deed between two boards was; the side to move of ``after`` is ignored."""

    def deeds(self, position: Any, roll: Any = None) -> Iterator[Any]:
        """The wrong deeds that people do, as sparse changes."""

    def perft(self, position: Any, depth: int) -> int:
        """Leaves of the tree of legal moves at a depth; with dice, over the 21 rolls."""


def by_name(name: str) -> Game:
    """The game of that name.

    Raises:
        UnknownGame: there is none.
    """
    if name not in NAMES:
        raise UnknownGame(f"no game {name!r}", "", f"one of {', '.join(NAMES)}")
    if name == "nardi":
        nardi: Game = import_module(".nardi.game", __package__).NardiGame()
        return nardi
    draughts: Game = import_module(".draughts.game", __package__).DraughtsGame.by_name(name)
    return draughts
