"""A table with two players whose board is seen by made-up eyes."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from device.buttons import Press
from device.journal import effect_rows
from device.resume import rebuild
from device.session import Setup, begin, step
from device.session_state import State
from device.session_values import Command, Effect, Input, Json, Publish, Show, Tick
from rules.draughts.game import DraughtsGame
from rules.draughts.position import Position
from vision.fake import FakeEyes
from vision.percept import Percept

SECOND = 1_000_000_000


class Table:
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
        self.game = DraughtsGame.by_name(game)
        self.setup = Setup(game, settled=settled, **setup)
        self.state = begin(self.setup)
        self.eyes = FakeEyes(self.game.board, turns, **(eyes or {}))
        self.now = 0
        self.inputs: list[Input] = []
        self.effects: list[tuple[Effect, ...]] = []

    def feed(self, given: Input) -> tuple[Effect, ...]:
        self.state, effects = step(self.state, given)
        self.inputs.append(given)
        self.effects.append(effects)
        return effects

    def show(
        self, position: Position | str, seconds: float = 1.0, **errors: Any
    ) -> list[dict[str, Any]]:
        """Let the camera look at a position; the events of that time."""
        if isinstance(position, str):
            position = self.game.read_board(position)
        before = len(self.effects)
        for _ in range(1 if self.setup.settled else round(seconds * 5)):
            self.now += SECOND if self.setup.settled else SECOND // 5
            self.feed(self.eyes.see(position, self.now, **errors))
        return self.events(before)

    def hand(self, position: Position, seconds: float = 0.6) -> None:
        """A hand passes over the middle of the board."""
        for _ in range(round(seconds * 5)):
            self.now += SECOND // 5
            middle = range(self.game.board.count // 3, self.game.board.count // 2)
            self.feed(self.eyes.see(position, self.now, covered=middle, motion=0.2))

    def lose(self, reason: str = "too dark", seconds: float = 2.0) -> list[dict[str, Any]]:
        """The board can't be found for a time."""
        before = len(self.effects)
        for _ in range(1 if self.setup.settled else round(seconds * 5)):
            self.now += SECOND // 5
            size = self.game.board.size
            self.feed(Percept(len(self.inputs), self.now, size, "lost", reason=reason))
        return self.events(before)

    def command(self, name: Any, value: str = "", by: Any = "") -> list[dict[str, Any]]:
        before = len(self.effects)
        self.feed(Command(name, self.now, value, by))
        return self.events(before)

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

    def events(self, since: int = 0) -> list[dict[str, Any]]:
        flat = (effect for effects in self.effects[since:] for effect in effects)
        return [dict(effect.event) for effect in flat if isinstance(effect, Publish)]

    def signals(self, since: int = 0) -> list[tuple[str, str | None]]:
        flat = (effect for effects in self.effects[since:] for effect in effects)
        return [(e.signal, e.side) for e in flat if isinstance(e, Show)]

    def said(self, since: int = 0) -> list[str]:
        """Events in short: ``start-position``, ``move c3-d4``, ``offence O6``, ..."""
        return [short(event) for event in self.events(since)]

    def play(self, *texts: str) -> Position:
        """Play moves from what is confirmed, each shown as a settled picture."""
        for text in texts:
            position = self.state.match.board
            self.show(self.game.parse_move(position, text).after)
        return self.state.match.board


def short(event: dict[str, Any]) -> str:
    detail = {"move": "text", "offence": "code", "resolved": "how", "end": "result"}
    key = detail.get(event["event"])
    return f"{event['event']} {event[key]}" if key else str(event["event"])


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
    """Makes tables; afterwards the lines of each journal must tell all that was confirmed."""
    made: list[Table] = []

    def make(*arguments: Any, **more: Any) -> Table:
        made.append(Table(*arguments, **more))
        return made[-1]

    yield make
    for board in made:
        pairs = enumerate(zip(board.inputs, board.effects, strict=True))
        rows: list[tuple[int, Json, list[Json]]] = [
            (n, {"is": "x", "at_ns": given.at_ns}, [*effect_rows(done)])
            for n, (given, done) in pairs
        ]
        assert confirmed(rebuild(board.setup, rows).state) == confirmed(board.state)
