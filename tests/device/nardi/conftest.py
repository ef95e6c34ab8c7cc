"""A nardi table whose board and dice are seen by made-up eyes."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from device.nardi.session import State
from device.session_values import Button, Setup
from rules.nardi.board import Position
from rules.nardi.game import NardiGame
from tests.device.tables import FPS, SECOND, Watched, tables
from vision.nardi.fake import FakeEyes, die
from vision.nardi.percept import DieSeen

GAME = NardiGame()


class Table(Watched):
    """Feeds a session with percepts of positions and dice, and collects what it does.

    Args:
        settled: each picture shows a settled position; else 5 frames a second.
        eyes: arguments of `FakeEyes`.
        setup: further fields of `Setup`.
    """

    def __init__(
        self, *, settled: bool = False, eyes: dict[str, Any] | None = None, **setup: Any
    ) -> None:
        super().__init__(Setup("nardi", settled=settled, **setup))
        self.eyes = FakeEyes(**(eyes or {}))
        self.dice: tuple[DieSeen, ...] = ()

    def show(
        self, position: Position | str, seconds: float = 1.4, **errors: Any
    ) -> list[dict[str, Any]]:
        """Let the camera look at a position, and at the dice that lie there."""
        if isinstance(position, str):
            position = GAME.read_board(position)
        before = len(self.effects)
        for now in self.frames(seconds):
            self.feed(self.eyes.see(position, now, **{"dice": self.dice, **errors}))
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

    def press(self, side: str) -> list[dict[str, Any]]:
        before = len(self.effects)
        button: Any = "clock_white" if side == "w" else "clock_black"
        self.feed(Button(button, True, self.now))
        return self.events(before)


def confirmed(state: State) -> dict[str, Any]:
    """What a power cut must not change."""
    return {
        "position": state.position,
        "turns": [(t.side, t.roll, t.before, t.after, t.resolved) for t in state.game.turns],
        "roll": state.game.roll,
        "pending": state.game.pending and state.game.pending.after,
        "result": state.game.result,
        "record": state.log,
        "way": state.way,
        "phase": state.phase,
        "paused": state.paused,
        "remark": state.remark,
        "opening": [die.pips for die in state.opening],
    }


@pytest.fixture
def table() -> Iterator[Callable[..., Table]]:
    yield from tables(Table, confirmed)
