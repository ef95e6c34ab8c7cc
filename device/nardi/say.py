"""How the session words what it says: events, record lines, signals, names of pictures."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from rules.nardi.board import NAMES, Position, Side
from rules.said import Said
from rules.verdict import Offence
from vision.nardi.evidence import POINTS_OF
from vision.nardi.infer import Question

from ..modes import MODES
from ..session_values import VERSION, Append, Keep, Learn, Publish, Show
from ..signals import Signal
from .state import State

_EDGES = ("bottom", "top")


def seconds(state: State, at_ns: int) -> float:
    """Seconds from the first input."""
    return round((at_ns - state.began_ns) / 1e9, 3)


def event(state: State, at_ns: int, name: str, **fields: Any) -> Publish:
    """An event at a time."""
    return Publish({"v": VERSION, "t": seconds(state, at_ns), "event": name, **fields})


def append(state: State, at_ns: int, what: str, **fields: Any) -> Append:
    """A line of the record of truth; ``ply`` counts the turns before it."""
    ply = len(state.game.turns)
    return Append({"v": VERSION, "what": what, "ply": ply, "at_ns": at_ns, **fields})


def signal(kind: Signal, side: Side | None = None) -> Show:
    """A signal by its value."""
    return Show(kind.value, side)


def standing(state: State) -> Show:
    """The signal that stands when nothing new happened: an alarm, a pause, or ready."""
    pending = state.game.pending
    if state.paused:
        return signal(Signal.CANNOT_SEE)
    if pending is not None and Signal.ILLEGAL not in MODES[state.setup.mode].hidden:
        return signal(Signal.ILLEGAL, pending.side)
    return signal(Signal.READY)


def offence_fields(offence: Offence) -> Mapping[str, Any]:
    """An offence as ``toreshi judge`` answers it."""
    return {
        "verdict": "offence",
        "code": offence.code,
        "kind": offence.kind,
        "article": offence.article,
        "squares": list(offence.squares),
        "due": list(offence.due),
        "message": offence.message,
    }


def picture(state: State, label: str, number: int) -> Keep:
    """Keep a frame under the turn that it belongs to."""
    return Keep(f"{len(state.game.turns):03d}-{re.sub(r'[^A-Za-z0-9-]', 'x', label)}", number)


def learn(state: State, position: Position) -> Learn:
    """The confirmed contents of the points in camera order: ``w3``, ``b1`` or empty."""
    return Learn(
        tuple(
            next((f"{s}{position.count(s, n)}" for s in SIDES if position.count(s, n)), "")
            for n in POINTS_OF[state.way or 0]
        )
    )


SIDES: tuple[Side, Side] = ("w", "b")


def asks(question: Question | None) -> Said:
    """The question that would settle a doubt."""
    if question is None:
        return Said("what stands on the board can't be told from here")
    side = NAMES[question.side]
    return Said(
        "how many checkers has {side} on point {point}?", {"side": side, "point": question.point}
    )


def points(numbers: Sequence[int]) -> list[str]:
    """Points as their names."""
    return [str(number) for number in numbers]
