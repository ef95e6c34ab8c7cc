"""The values that go into the session and come out of it.  All of them can be written as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from vision.percept import Percept

from .buttons import Press as Button
from .errors import BadJournal
from .signals import Side

__all__ = [
    "Append",
    "Button",
    "Command",
    "Effect",
    "Feed",
    "Input",
    "Keep",
    "Learn",
    "Publish",
    "Setup",
    "Show",
    "Tick",
    "input_from_json",
    "to_json",
]

#: Version of every journal and event line.
VERSION = 1

Json = Mapping[str, Any]


# ---------------------------------------------------------------- what a session is told at first


@dataclass(frozen=True, slots=True)
class Setup:
    """What is settled before the first frame.

    Attributes:
        game: name of the game.
        fen: the first position; empty for the game's own start.
        white_at: edge of the picture at which White sits; empty to find out.
        settled: every picture shows a settled position; else the camera runs.
        kings: whether kings are marked so that a camera sees it; ``auto`` finds out.
        alarms: False where calibration was refused: what is read then is good enough to follow
            legal moves by, and never to accuse anybody.
    """

    game: str
    fen: str = ""
    white_at: Literal["", "bottom", "top", "left", "right"] = ""
    settled: bool = False
    kings: Literal["auto", "marked", "unmarked"] = "auto"
    alarms: bool = True


# ---------------------------------------------------------------- inputs


@dataclass(frozen=True, slots=True)
class Command:
    """What a person asked for, or the application on its own behalf.

    Attributes:
        name: ``finish`` (no more pictures), ``accept`` (let the offence stand), ``correct`` (the
            position is ``value``, a FEN), ``result`` (the game ended as ``value`` says).
        value: its one argument, or empty.
        at_ns: monotonic time.
    """

    name: Literal["finish", "accept", "correct", "result"]
    at_ns: int
    value: str = ""


@dataclass(frozen=True, slots=True)
class Tick:
    """Time passes without a picture."""

    at_ns: int


Input = Percept | Button | Command | Tick


# ---------------------------------------------------------------- effects


@dataclass(frozen=True, slots=True)
class Show:
    """Let the lamps and the buzzer say something; ``side`` None is for both."""

    signal: str
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class Append:
    """A fact for the record of truth, to be on the disk before the effects after it are seen."""

    line: Json


@dataclass(frozen=True, slots=True)
class Publish:
    """An event for whoever listens."""

    event: Json


@dataclass(frozen=True, slots=True)
class Learn:
    """The confirmed contents of the board, rows in camera order, letters of ``CLASSES``."""

    grid: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep a frame's picture as evidence under this name."""

    name: str
    number: int


@dataclass(frozen=True, slots=True)
class Feed:
    """The session is alive: feed the watchdog."""


Effect = Show | Append | Publish | Learn | Keep | Feed

_INPUTS = {"button": Button, "command": Command, "tick": Tick}


def to_json(value: Input | Effect | Setup) -> dict[str, Any]:
    """A value as JSON, its kind under ``is``."""
    kind = type(value).__name__.lower()
    if isinstance(value, Percept):
        return {"is": kind, **value.to_json()}
    return {"is": "button" if isinstance(value, Button) else kind, **asdict(value)}


def input_from_json(row: Json) -> Input:
    """The input that ``to_json`` wrote.

    Raises:
        BadJournal: it is none.
    """
    fields = {key: value for key, value in row.items() if key != "is"}
    try:
        if row["is"] == "percept":
            return Percept.from_json(fields)
        made: Input = _INPUTS[row["is"]](**fields)
    except (KeyError, TypeError, ValueError) as error:
        raise BadJournal(f"input {dict(row)!r:.80}", "journal", "a percept or its like") from error
    return made
