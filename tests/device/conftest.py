"""A table with two players whose board is seen by made-up eyes."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from device.buttons import Press
from device.session import Setup
from device.session_state import State
from device.session_values import Tick
from rules.draughts.game import DraughtsGame
from rules.draughts.position import Position
from tests.device.tables import SECOND, Watched, tables
from vision.fake import FakeEyes


class Table(Watched):
    """Feeds a session with percepts of positions and collects what it does.

    Args:
        game: name of the game.
        settled: each picture shows a settled position; else 5 frames a second.
        turns: quarter turns of the camera.
        eyes: further arguments of `FakeEyes`.
        setup: further fields of `Setup`.
    """

    def __init__(
        self,
        game: str = "russian",
        *,
        settled: bool = True,
        turns: int = 0,
        eyes: dict[str, Any] | None = None,
        **setup: Any,
    ) -> None:
        super().__init__(Setup(game, settled=settled, **setup))
        self.game = DraughtsGame.by_name(game)
        self.eyes = FakeEyes(self.game.board, turns, **(eyes or {}))

    def show(
        self, position: Position | str, seconds: float = 1.0, **errors: Any
    ) -> list[dict[str, Any]]:
        """Let the camera look at a position; the events of that time."""
        if isinstance(position, str):
            position = self.game.read_board(position)
        before = len(self.effects)
        for now in self.frames(seconds):
            self.feed(self.eyes.see(position, now, **errors))
        return self.events(before)

    def hand(self, position: Position, seconds: float = 0.6, squares: Iterable[int] = ()) -> None:
        """A hand passes over squares, those in the middle of the board if none are named."""
        hidden = [*squares] or [*range(self.game.board.count // 3, self.game.board.count // 2)]
        for _ in range(round(seconds * 5)):
            self.now += SECOND // 5
            self.feed(self.eyes.see(position, self.now, covered=hidden, motion=0.2))

    def press(self, button: Any, seconds: float = 0.1) -> list[dict[str, Any]]:
        """Press a button and let it go; time passes meanwhile."""
        before = len(self.effects)
        self.feed(Press(button, True, self.now))
        self.wait(seconds)
        self.feed(Press(button, False, self.now))
        return self.events(before)

    def wait(self, seconds: float) -> list[dict[str, Any]]:
        """Time passes without pictures, in ticks of a tenth of a second."""
        before = len(self.effects)
        for _ in range(round(seconds * 10)):
            self.now += SECOND // 10
            self.feed(Tick(self.now))
        return self.events(before)

    def play(self, *texts: str) -> Position:
        """Play moves from what is confirmed, each shown as a settled picture."""
        for text in texts:
            position = self.state.match.board
            self.show(self.game.parse_move(position, text).after)
        stands: Position = self.state.match.board
        return stands


def confirmed(state: State) -> dict[str, Any]:
    """What a power cut must not change."""
    match, pending = state.match, state.match.pending
    facts = pending and (pending.side, pending.offence.code, pending.before, pending.board)
    return {
        "match": replace(match, pending=None),
        "pending": facts,
        "demanded": pending and pending.demanded,
        "earlier": match.previous and match.previous.position,
        "phase": state.phase,
        "paused": state.paused,
        "aside": state.aside,
        "left": state.clocks and (state.clocks.made, state.clocks.fallen),
    }


@pytest.fixture
def table() -> Iterator[Callable[..., Table]]:
    yield from tables(Table, confirmed)
