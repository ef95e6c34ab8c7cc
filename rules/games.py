"""Every game by its name, behind the few verbs that vision and device need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, Literal, Protocol

from .errors import UnknownGame
from .verdict import Verdict

#: Name -> module and class.  Imported when asked for, so that no game pays for another.
_GAMES = {
    "italian": (".draughts.game", "DraughtsGame"),
    "russian": (".draughts.game", "DraughtsGame"),
    "international": (".draughts.game", "DraughtsGame"),
    "english": (".draughts.game", "DraughtsGame"),
    "giveaway": (".draughts.game", "DraughtsGame"),
    "nardi": (".nardi.game", "NardiGame"),
}

NAMES = tuple(_GAMES)


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


def by_name(name: str) -> Game:
    """The game of that name.

    Raises:
        UnknownGame: there is none.
    """
    if name not in _GAMES:
        raise UnknownGame(f"no game {name!r}", "", f"one of {', '.join(NAMES)}")
    module, maker = _GAMES[name]
    kind = getattr(import_module(module, __package__), maker)
    game: Game = kind.by_name(name) if name != "nardi" else kind()
    return game
