"""Whether a record can be so: the turns follow each other and are what they are called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..errors import IllegalMove
from ..verdict import Offence
from .board import CHECKERS, HEAD, NAMES, Position, Side, other
from .dice import Roll
from .events import LEGAL, Ended, Event, Header, Reading, Scored, Started, Turn
from .facts import CLASSIC, Rules, rules_by
from .fields import Problem
from .judge import judge
from .match import win_against
from .notation import carried_out


def check(reading: Reading) -> tuple[Problem, ...]:
    """What does not follow in a record, in its order."""
    course = _Course()
    found: list[Problem] = []
    for event, place in zip(reading.events, reading.places, strict=True):
        course, faults = course.told(event)
        found += [Problem(*place, what, expected) for what, expected in faults]
    return tuple(found)


#: What is wrong and what was expected.
Fault = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Course:
    """A record as far as it was followed; without a position nothing is known."""

    rules: Rules = CLASSIC
    position: Position | None = None
    first: frozenset[Side] = frozenset()
    players: tuple[str, str] = ("", "")
    white: str = ""
    points: tuple[int, int] = (0, 0)

    def told(self, event: Event) -> tuple[_Course, Sequence[Fault]]:
        """The course after one more event, and what is wrong with that."""
        if isinstance(event, Header):
            rules = rules_by(event.rules)
            return replace(self, rules=rules, players=event.players), ()
        if isinstance(event, Started):
            return self._started(event)
        if isinstance(event, Turn):
            return self._turn(event)
        if isinstance(event, Ended):
            return self._ended(event)
        if isinstance(event, Scored):
            return replace(self, points=event.score), self._score(event)
        return self, ()

    def _started(self, event: Started) -> tuple[_Course, Sequence[Fault]]:
        position = event.position
        fault = position.fault()
        sides: tuple[Side, Side] = ("w", "b")
        whole = frozenset(s for s in sides if position.count(s, HEAD[s]) == CHECKERS)
        course = replace(self, position=None if fault else position, first=whole, white=event.white)
        return course, [(fault, "a position of the game")] if fault else ()

    def _turn(self, event: Turn) -> tuple[_Course, Sequence[Fault]]:
        before = self.position
        if before is None:
            return self, ()
        if before.side != event.side:
            name = NAMES[event.side]
            return replace(self, position=None), [(f"{name} is not to move", NAMES[before.side])]
        faults = list(self._verdict(before, event))
        if event.resolved == "corrected":
            return self, faults
        fault = event.end.fault()
        if fault:
            faults.append((fault, "a turn that was corrected"))
            return replace(self, position=None), faults
        return replace(self, position=event.end, first=self.first - {event.side}), faults

    def _verdict(self, before: Position, event: Turn) -> Sequence[Fault]:
        verdict = judge(before, event.end, Roll(event.dice, event.side in self.first), self.rules)
        code = verdict.code if isinstance(verdict, Offence) else LEGAL
        faults = [] if code == event.verdict else [(f"told as {event.verdict}", code)]
        if bool(event.resolved) and event.verdict == LEGAL:
            faults.append((f"a legal turn {event.resolved}", "a wrong one"))
        try:
            there = not event.steps or carried_out(before, event.side, event.steps) == event.end
        except IllegalMove:
            there = False
        return faults if there else [*faults, ("the moves lead elsewhere", "the board at the end")]

    def _ended(self, event: Ended) -> tuple[_Course, Sequence[Fault]]:
        course = replace(self, position=None)
        if self.white in self.players:
            white = self.players.index(self.white)
            winner = white if event.winner == "w" else 1 - white
            won = tuple(p + event.points * (k == winner) for k, p in enumerate(self.points))
            course = replace(course, points=(won[0], won[1]))
        if self.position is None or event.reason != "borne-off":
            return course, ()
        if self.position.winner() != event.winner:
            return course, [(f"{NAMES[event.winner]} has not borne off all", f"{CHECKERS} off")]
        win = win_against(self.position, other(event.winner))
        return course, [] if win == event.win else [(f"told as {event.win}", win)]

    def _score(self, event: Scored) -> Sequence[Fault]:
        if event.score == self.points or not self.white:
            return ()
        return [(f"score {event.score[0]}-{event.score[1]}", f"{self.points[0]}-{self.points[1]}")]
