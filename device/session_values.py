"""The values that go into the session and come out of it.  All of them can be written as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from vision.nardi.percept import NardiPercept
from vision.percept import Percept

from .buttons import Press as Button
from .errors import BadJournal
from .signals import Side

__all__ = [
    "NAMES",
    "Append",
    "Button",
    "By",
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
        mode: name of a row of `device.modes`.
        clock: empty for none; ``club`` for the club's own, which Toreshi doesn't see; else the
            control of ours, see `device.clock.control_of`.
        rules: a club's settings of nardi, ``block_timing=end split=counts``; empty for none.
    """

    game: str
    fen: str = ""
    white_at: Literal["", "bottom", "top", "left", "right"] = ""
    settled: bool = False
    kings: Literal["auto", "marked", "unmarked"] = "auto"
    alarms: bool = True
    mode: Literal["home", "club", "tournament"] = "home"
    clock: str = ""
    rules: str = ""


# ---------------------------------------------------------------- inputs


#: Who asks for something; empty where a page doesn't know.
By = Literal["", "w", "b", "arbiter"]

Name = Literal[
    "accept",
    "adjust",
    "agree-draw",
    "claim",
    "clock",
    "correct",
    "count",
    "decline-draw",
    "demand",
    "finish",
    "flag",
    "join",
    "offer-draw",
    "pause",
    "press",
    "reopen",
    "resign",
    "result",
    "resume",
    "roll",
    "rule",
    "swept",
    "takeback",
    "to-move",
    "touch",
]
NAMES: tuple[Name, ...] = get_args(Name)


@dataclass(frozen=True, slots=True)
class Command:
    """What a person asked for, or the application on its own behalf.

    What can't be done is answered with an event ``refused`` (command, what, article), and changes
    nothing.  What each name means, and its ``value``:

    - ``finish``: no more pictures.
    - ``join``: a running game; begin from the board as it stands.  Words in any order: ``w`` or
      ``b`` to move, squares that hold kings, the edge at which White sits (``bottom`` ...).  What
      is missing is asked for with an event ``ask``.
    - ``to-move``: ``w`` or ``b``, the answer to that.
    - ``accept``: the opponent or the arbiter lets the offence stand.
    - ``demand``: the opponent or the arbiter wants it put right.
    - ``correct``: the arbiter gives the position, a FEN; or the text of the move that the last one
      really was.
    - ``takeback``: so many plies, 1 without a value; the board is put back afterwards.
    - ``rule``: the arbiter on the last breach, a measure of `rules.match.MEASURES` or ``none``;
      ``N measure`` for breach number N, from 0.
    - ``result``: ``w``, ``b``, ``draw``, ``both-lost``, ``annulled``; also answers an end that
      nobody knew the result of.
    - ``reopen``: the arbiter lets an ended game go on.
    - ``resign``, ``offer-draw``, ``agree-draw``, ``decline-draw``: by a side; the last two also
      answer a claim, then by the opponent or the arbiter.
    - ``claim``: by a side; the id of a draw rule, or ``touch``.
    - ``flag``: ``w``, ``b`` or ``both``: whose time is over, where the clock isn't ours.
    - ``pause``, ``resume``: nothing is judged meanwhile, our clocks stand.
    - ``clock``: the arbiter sets our clocks, seconds: ``w 300 b 281.5``; where the club's own are
      used, what they show after the last move.
    - ``press``: by a side, which ends its turn as the button of its clock does.
    - ``adjust``: by a side, before it touches anything.
    - ``touch``: by a side; the square of the piece it touched.
    - ``roll``: nardi; the dice that were thrown, ``6-5``, by the side that threw them.
    - ``count``: nardi; how many checkers stand on a point, ``12 3`` of the side that was asked
      for, or ``12 w3``.
    - ``swept``: ``ended`` or ``put-back``, the answer when the board was cleared.

    Attributes:
        name: one of `NAMES`.
        at_ns: monotonic time.
        value: its one argument, or empty.
        by: who asks.
    """

    name: Name
    at_ns: int
    value: str = ""
    by: By = ""


@dataclass(frozen=True, slots=True)
class Tick:
    """Time passes without a picture."""

    at_ns: int


Input = Percept | NardiPercept | Button | Command | Tick


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

_MISSING = object()

#: Fields that early journals don't have, and what they mean there.
LATER = {"command.by": "", "setup.rules": ""}

_INPUTS = {"button": Button, "command": Command, "tick": Tick}


def to_json(value: Input | Effect | Setup) -> dict[str, Any]:
    """A value as JSON, its kind under ``is``."""
    kind = type(value).__name__.lower()
    if isinstance(value, Percept | NardiPercept):
        return {"is": kind, **value.to_json()}
    row = {"is": "button" if isinstance(value, Button) else kind, **asdict(value)}
    # fields that came later are written only when they say something, so that an old journal
    # still replays to the very same lines
    return {key: it for key, it in row.items() if LATER.get(f"{kind}.{key}", _MISSING) != it}


def input_from_json(row: Json) -> Input:
    """The input that ``to_json`` wrote.

    Raises:
        BadJournal: it is none.
    """
    fields = {key: value for key, value in row.items() if key != "is"}
    try:
        if row["is"] == "percept":
            return Percept.from_json(fields)
        if row["is"] == "nardipercept":
            return NardiPercept.from_json(fields)
        made: Input = _INPUTS[row["is"]](**fields)
    except (KeyError, TypeError, ValueError) as error:
        raise BadJournal(f"input {dict(row)!r:.80}", "journal", "a percept or its like") from error
    return made
