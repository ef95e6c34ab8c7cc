"""What tables with made-up eyes have in common, whatever is played on them."""

from collections.abc import Callable, Iterator
from typing import Any

from device.family import family_of
from device.journal import effect_rows
from device.resume import rebuild
from device.session_values import Command, Effect, Input, Json, Publish, Setup, Show

SECOND = 1_000_000_000
FPS = 5


class Watched:
    """Feeds a session with inputs and collects what it does."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.family = family_of(setup.game)
        self.state = self.family.begin(setup)
        self.now = 0
        self.inputs: list[Input] = []
        self.effects: list[tuple[Effect, ...]] = []

    def feed(self, given: Input) -> tuple[Effect, ...]:
        self.state, effects = self.family.step(self.state, given)
        self.inputs.append(given)
        self.effects.append(effects)
        return effects

    def frames(self, seconds: float) -> Iterator[int]:
        """Times of the frames of a while; of one picture where pictures are settled."""
        for _ in range(1 if self.setup.settled else round(seconds * FPS)):
            self.now += SECOND if self.setup.settled else SECOND // FPS
            yield self.now

    def lose(self, reason: str = "too dark", seconds: float = 2.0) -> list[dict[str, Any]]:
        """The board can't be found for a time."""
        before = len(self.effects)
        for now in self.frames(seconds):
            self.feed(self.family.unseen(self.state, len(self.inputs), now, reason))
        return self.events(before)

    def command(self, name: Any, value: str = "", by: Any = "") -> list[dict[str, Any]]:
        before = len(self.effects)
        self.feed(Command(name, self.now, value, by))
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

    def rebuilt(self) -> Any:
        """The session as the lines of a journal would tell it."""
        pairs = enumerate(zip(self.inputs, self.effects, strict=True))
        rows: list[tuple[int, Json, list[Json]]] = [
            (n, {"is": "x", "at_ns": given.at_ns}, [*effect_rows(done)])
            for n, (given, done) in pairs
        ]
        return rebuild(self.setup, rows).state


def short(event: dict[str, Any]) -> str:
    kind = event["event"]
    if kind == "roll":
        dice = "-".join(str(number) for number in event["dice"])
        return f"{event['status'].replace('counts', 'roll')} {dice}"
    key = {"move": "text", "offence": "code", "resolved": "how", "end": "result"}.get(kind)
    return f"{kind} {event[key]}" if key else str(kind)


def tables(
    kind: Callable[..., Any], confirmed: Callable[[Any], dict[str, Any]]
) -> Iterator[Callable[..., Any]]:
    """Makes tables; afterwards the lines of each journal must tell all that was confirmed."""
    made: list[Watched] = []

    def make(*arguments: Any, **more: Any) -> Any:
        made.append(kind(*arguments, **more))
        return made[-1]

    yield make
    for board in made:
        assert confirmed(board.rebuilt()) == confirmed(board.state)
