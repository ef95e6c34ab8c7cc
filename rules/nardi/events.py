"""What a game record tells, event by event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import get_args

from ..verdict import Offence
from .board import START, Position, Side
from .fields import Problem
from .match import POINTS_OF, Reason, Resolved, State, Turned, Win
from .notation import Steps, difference, parse

LEGAL = "legal"
WINS: Mapping[str, Win] = {win: win for win in POINTS_OF}
REASONS: Mapping[str, Reason] = {reason: reason for reason in get_args(Reason)}
#: Line and column, each from 1.
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Header:
    """Who plays, where, and by which reading of the rules.

    Attributes:
        players: two names; points are told in this order.
        event: what the games are part of.
        date: ``2026-01-31``, or empty.
        target: points that win the series; 0 when none is set.
        rules: the club's settings by name, see `facts.SETTINGS`; what is not named is classic.
    """

    players: tuple[str, str] = ("", "")
    event: str = ""
    date: str = ""
    target: int = 0
    rules: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Started:
    """A game begins.

    Attributes:
        number: its number in the series, from 1.
        white: who has White.
        black: who has Black.
        position: what stands, with the side to move.
    """

    number: int
    white: str = ""
    black: str = ""
    position: Position = START


@dataclass(frozen=True, slots=True)
class Rolled:
    """Dice came to rest: a side's throw, or the opening throw, the first player's die first."""

    dice: tuple[int, int]
    side: Side | None = None
    t: float | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn was ended.

    Attributes:
        number: White's and Black's turn share it.
        side: whose turn it was.
        dice: the roll.
        end: the board then; its side to move is the opponent.
        steps: half-moves that explain it, in one of several possible orders; may be empty.
        verdict: ``legal`` or the code of what was wrong.
        resolved: for a wrong turn ``accepted`` or ``corrected``; a corrected one does not stand.
        t: seconds since the record began.
        conf: how sure the board was read, 0..1.
    """

    number: int
    side: Side
    dice: tuple[int, int]
    end: Position
    steps: Steps = ()
    verdict: str = LEGAL
    resolved: Resolved = ""
    t: float | None = None
    conf: float | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """A game is over."""

    winner: Side
    win: Win
    reason: Reason = "borne-off"
    t: float | None = None

    @property
    def points(self) -> int:
        """1 for oin (§4.1), 2 for mars (§4.2)."""
        return POINTS_OF[self.win]


@dataclass(frozen=True, slots=True)
class Scored:
    """The points of both players, in the header's order."""

    score: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Noted:
    """Something said or done that no turn shows."""

    text: str
    t: float | None = None


Event = Header | Started | Rolled | Turn | Ended | Scored | Noted


@dataclass(frozen=True, slots=True)
class Reading:
    """What a record says, and what could not be read.

    Attributes:
        events: what was read, in order.
        places: where each event stands.
        problems: what is wrong, in the order in which it was found.
    """

    events: tuple[Event, ...]
    places: tuple[Place, ...]
    problems: tuple[Problem, ...]


def lines_of(text: str | bytes) -> tuple[list[str], list[Problem]]:
    """The lines of a record, and a problem when it is no UTF-8."""
    if isinstance(text, str):
        # a lone surrogate can come in by a str, but no file can hold it
        text = text.encode("utf-8", "replace").decode("utf-8")
        return text.replace("\r\n", "\n").split("\n"), []
    try:
        return lines_of(text.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        before = text[: error.start]
        column = error.start - (before.rfind(b"\n") + 1) + 1
        problem = Problem(before.count(b"\n") + 1, column, "no UTF-8", "UTF-8 text")
        return lines_of(text.decode("utf-8", "replace"))[0], [problem]


def turn_event(turned: Turned, number: int, t: float | None = None) -> Turn:
    """The event of a turn that was ended in a game."""
    if isinstance(turned.verdict, Offence):
        steps = difference(turned.before, turned.after, turned.side)
        verdict = turned.verdict.code
    else:
        steps, verdict = parse(turned.verdict.move), LEGAL
    return Turn(
        number, turned.side, turned.roll.dice, turned.after, steps, verdict, turned.resolved, t
    )


def events_of(state: State, start: Started) -> tuple[Event, ...]:
    """The events of a game as far as it went."""
    events: list[Event] = [start]
    counts: dict[Side, int] = {"w": 0, "b": 0}
    for turned in state.turns:
        events.append(turn_event(turned, counts[turned.side] + 1))
        counts[turned.side] += turned.stands
    if state.result:
        events.append(Ended(state.result.winner, state.result.win, state.result.reason))
    return tuple(events)
