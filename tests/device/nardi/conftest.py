"""A nardi table whose board and dice are seen by made-up eyes."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from device.nardi.session import State, begin, step
from device.session_values import Button, Command, Effect, Input, Publish, Setup, Show
from rules.nardi.board import Position
from rules.nardi.game import NardiGame
from vision.nardi.fake import FakeEyes, die
from vision.nardi.percept import DieSeen, NardiPercept

SECOND = 1_000_000_000
FPS = 5
GAME = NardiGame()


class Table:
    """Feeds a session with percepts of positions and dice, and collects what it does.

    Args:
        settled: each picture shows a settled position; else 5 frames a second.
        eyes: arguments of `FakeEyes`.
        setup: further fields of `Setup`.
    """

    def __init__(
        self, *, settled: bool = False, eyes: dict[str, Any] | None = None, **setup: Any
    ) -> None:
        self.setup = Setup("nardi", settled=settled, **setup)
        self.state: State = begin(self.setup)
        self.eyes = FakeEyes(**(eyes or {}))
        self.now = 0
        self.dice: tuple[DieSeen, ...] = ()
        self.inputs: list[Input | NardiPercept] = []
        self.effects: list[tuple[Effect, ...]] = []

    def feed(self, given: Input | NardiPercept) -> tuple[Effect, ...]:
        self.state, effects = step(self.state, given)
        self.inputs.append(given)
        self.effects.append(effects)
        return effects

    def show(
        self, position: Position | str, seconds: float = 1.4, **errors: Any
    ) -> list[dict[str, Any]]:
        """Let the camera look at a position, and at the dice that lie there."""
        if isinstance(position, str):
            position = GAME.read_board(position)
        before = len(self.effects)
        for _ in range(1 if self.setup.settled else round(seconds * FPS)):
            self.now += SECOND if self.setup.settled else SECOND // FPS
            errors.setdefault("dice", self.dice)
            self.feed(self.eyes.see(position, self.now, **errors))
        return self.events(before)

    def hand(self, position: Position, points: Sequence[int] = (1, 2, 3), frames: int = 3) -> None:
        """A hand passes over some points; dice may be hidden by it."""
        if self.setup.settled:
            return
        for _ in range(frames):
            self.now += SECOND // FPS
            seen = self.eyes.see(position, self.now, dice=self.dice, covered=points, motion=0.2)
            self.feed(seen)

    def throw(self, one: int, two: int, x: float = 0.2, y: float = 0.5, **more: Any) -> None:
        """Dice come to lie on the board, in one half unless told otherwise."""
        self.dice = (die(one, x, y, **more), die(two, x + 0.08, y + 0.02))

    def lose(self, reason: str = "too dark", seconds: float = 2.0) -> list[dict[str, Any]]:
        before = len(self.effects)
        for _ in range(1 if self.setup.settled else round(seconds * FPS)):
            self.now += SECOND // FPS
            self.feed(NardiPercept(len(self.inputs), self.now, "lost", reason=reason))
        return self.events(before)

    def command(self, name: Any, value: str = "", by: Any = "") -> list[dict[str, Any]]:
        before = len(self.effects)
        self.feed(Command(name, self.now, value, by))
        return self.events(before)

    def press(self, side: str) -> list[dict[str, Any]]:
        before = len(self.effects)
        button: Any = "clock_white" if side == "w" else "clock_black"
        self.feed(Button(button, True, self.now))
        return self.events(before)

    def events(self, since: int = 0) -> list[dict[str, Any]]:
        flat = (effect for effects in self.effects[since:] for effect in effects)
        return [dict(effect.event) for effect in flat if isinstance(effect, Publish)]

    def signals(self, since: int = 0) -> list[tuple[str, str | None]]:
        flat = (effect for effects in self.effects[since:] for effect in effects)
        return [(e.signal, e.side) for e in flat if isinstance(e, Show)]

    def said(self, since: int = 0) -> list[str]:
        return [short(event) for event in self.events(since)]


def short(event: dict[str, Any]) -> str:
    """``roll 6-5``, ``move 24/13``, ``offence M6``, ``resolved put-right``, ``unsure``, ..."""
    kind = event["event"]
    if kind == "roll":
        dice = "-".join(str(number) for number in event["dice"])
        return f"{event['status'].replace('counts', 'roll')} {dice}"
    key = {"move": "text", "offence": "code", "resolved": "how", "end": "result"}.get(kind)
    return f"{kind} {event[key]}" if key else str(kind)


@pytest.fixture
def table() -> Callable[..., Table]:
    return Table
