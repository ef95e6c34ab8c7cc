"""Game records: their events, and the form in which a referee keeps them, JSON Lines.

A record holds a header, then for each game its start, the rolls, the turns and its result, the
score, and notes, one event a line.  The truth of a turn is the board at its end; the half-moves
explain it in one of several possible orders.  Points have the same numbers for both colours.
The reader goes on after an error: what can't be read is left out and told with line and column.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..errors import BadPosition
from .board import CHECKERS, MOST_WRITTEN, POINTS, Position, Side, other
from .dice import FACES
from .events import (
    LEGAL,
    REASONS,
    WINS,
    Ended,
    Event,
    Header,
    Noted,
    Place,
    Reading,
    Rolled,
    Scored,
    Started,
    Turn,
    lines_of,
)
from .facts import CODES, BadSetting, rules_by
from .fields import BadLine, Fields, whole_pair

#: The version that every line carries.
VERSION = 1

_SIDES: Mapping[str, Side] = {"W": "w", "B": "b"}
_VERDICTS = {code: code for code in (LEGAL, *CODES)}
_RESOLVED: Mapping[str, Any] = {"accepted": "accepted", "corrected": "corrected"}
#: Games, turns and targets are counted up to this, in four digits.
_MOST_TURNS = 9_999
_MOST_SECONDS = 1e9
_PTS = f"{POINTS} numbers, White's above 0, Black's below; [white, black] where both stand"
_MOVES = "pairs of points left and reached, 0 for borne off"


def write(events: Iterable[Event]) -> str:
    """The lines of a record."""
    return "".join(write_line(event) + "\n" for event in events)


def write_line(event: Event) -> str:
    """One event as one line of JSON."""
    name, data = _WRITERS[type(event)](event)
    t = None if isinstance(event, Header | Started | Scored) else event.t
    line = {"v": VERSION, "ev": name} | ({} if t is None else {"t": t}) | data
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"))


def read(text: str | bytes) -> Reading:
    """Everything in a record that can be read, and what can't be."""
    lines, problems = lines_of(text)
    events: list[Event] = []
    places: list[Place] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            events.append(read_line(line, number))
            places.append((number, 1))
        except BadLine as bad:
            problems.append(bad.problem)
    return Reading(tuple(events), tuple(places), tuple(problems))


def read_line(line: str, number: int = 1) -> Event:
    """The event of one line.

    Raises:
        BadLine: with the place of what can't be read.
    """
    fields = Fields(line, number)
    fields.integer("v", VERSION, VERSION)
    return fields.choice("ev", _READERS)(fields)


# ---------------------------------------------------------------- header and game


def _write_header(event: Header) -> tuple[str, dict[str, Any]]:
    return "header", {
        "game": "nardi",
        "players": list(event.players),
        "event": event.event,
        "date": event.date,
        "target": event.target,
        "numbering": "seed",
        "rules": dict(event.rules),
    }


def _read_header(fields: Fields) -> Header:
    fields.choice("game", {"nardi": "nardi"})
    fields.choice("numbering", {"seed": "seed"})
    players = fields.items("players", lambda p: p if isinstance(p, str) else None, "two names")
    if len(players) != 2:
        raise fields.bad("players", f"{len(players)} players", "two names")
    rules = fields.inside("rules").texts() if fields.has("rules") else {}
    try:
        rules_by(rules)
    except BadSetting as bad:
        raise fields.bad("rules", bad.what, bad.expected) from None
    target = fields.integer("target", 0, _MOST_TURNS) if fields.has("target") else 0
    first, second = (p.encode("utf-8", "replace").decode() for p in players)
    return Header((first, second), fields.text("event", ""), fields.text("date", ""), target, rules)


def _write_started(event: Started) -> tuple[str, dict[str, Any]]:
    return "game", {
        "n": event.number,
        "white": event.white,
        "black": event.black,
        "side": event.position.side.upper(),
        "start": _board(event.position),
    }


def _read_started(fields: Fields) -> Started:
    side = fields.choice("side", _SIDES)
    return Started(
        fields.integer("n", 0, _MOST_TURNS),
        fields.text("white", ""),
        fields.text("black", ""),
        _position(fields, "start", side),
    )


# ---------------------------------------------------------------- rolls and turns


def _write_rolled(event: Rolled) -> tuple[str, dict[str, Any]]:
    return "roll", {"side": event.side and event.side.upper(), "dice": list(event.dice)}


def _read_rolled(fields: Fields) -> Rolled:
    side = fields.choice("side", _SIDES) if fields.has("side") else None
    return Rolled(fields.pair("dice", 1, FACES), side, _time(fields))


def _write_turn(event: Turn) -> tuple[str, dict[str, Any]]:
    data: dict[str, Any] = {
        "n": event.number,
        "side": event.side.upper(),
        "dice": list(event.dice),
        "moves": [list(step) for step in event.steps],
        "end": _board(event.end),
        "verdict": event.verdict,
        "resolved": event.resolved or None,
    }
    return "turn", data if event.conf is None else data | {"conf": event.conf}


def _read_turn(fields: Fields) -> Turn:
    side = fields.choice("side", _SIDES)
    return Turn(
        number=fields.integer("n", 0, _MOST_TURNS),
        side=side,
        dice=fields.pair("dice", 1, FACES),
        end=_position(fields, "end", other(side)),
        steps=fields.items("moves", _step, _MOVES),
        verdict=fields.choice("verdict", _VERDICTS),
        resolved=fields.choice("resolved", _RESOLVED) if fields.has("resolved") else "",
        t=_time(fields),
        conf=fields.number_or_none("conf", 1),
    )


def _step(value: Any) -> tuple[int, int] | None:
    pair = whole_pair(value, 0, POINTS)
    return pair if pair and pair[0] else None


def _time(fields: Fields) -> float | None:
    return fields.number_or_none("t", _MOST_SECONDS)


def _board(position: Position) -> dict[str, Any]:
    pairs = zip(position.white, position.black, strict=True)
    points = [[w, b] if w and b else w - b for w, b in pairs]
    return {"pts": points, "off": [position.white_off, position.black_off]}


def _position(fields: Fields, key: str, side: Side) -> Position:
    board = fields.inside(key)
    points = board.items("pts", _point, _PTS)
    off = board.pair("off", 0, MOST_WRITTEN)
    try:
        white, black = zip(*points, strict=True) if points else ((), ())
        return Position(side, white, black, *off)
    except BadPosition as bad:
        raise board.bad("pts", bad.what, bad.expected) from None


def _point(value: Any) -> tuple[int, int] | None:
    """White's and Black's checkers of one entry."""
    if type(value) is int and abs(value) <= MOST_WRITTEN:
        return max(value, 0), max(-value, 0)
    return whole_pair(value, 1, MOST_WRITTEN)


# ---------------------------------------------------------------- result, score, notes


def _write_ended(event: Ended) -> tuple[str, dict[str, Any]]:
    return "end", {
        "winner": event.winner.upper(),
        "win": event.win,
        "points": event.points,
        "reason": event.reason,
    }


def _read_ended(fields: Fields) -> Ended:
    ended = Ended(
        fields.choice("winner", _SIDES),
        fields.choice("win", WINS),
        fields.choice("reason", REASONS),
        _time(fields),
    )
    fields.integer("points", ended.points, ended.points)
    return ended


def _write_scored(event: Scored) -> tuple[str, dict[str, Any]]:
    return "score", {"score": list(event.score)}


def _read_scored(fields: Fields) -> Scored:
    return Scored(fields.pair("score", 0, CHECKERS * _MOST_TURNS))


def _write_noted(event: Noted) -> tuple[str, dict[str, Any]]:
    return "note", {"text": event.text}


def _read_noted(fields: Fields) -> Noted:
    return Noted(fields.text("text"), _time(fields))


_WRITERS: Mapping[type, Callable[[Any], tuple[str, dict[str, Any]]]] = {
    Header: _write_header,
    Started: _write_started,
    Rolled: _write_rolled,
    Turn: _write_turn,
    Ended: _write_ended,
    Scored: _write_scored,
    Noted: _write_noted,
}
_READERS: Mapping[str, Callable[[Fields], Event]] = {
    "header": _read_header,
    "game": _read_started,
    "roll": _read_rolled,
    "turn": _read_turn,
    "end": _read_ended,
    "score": _read_scored,
    "note": _read_noted,
}
