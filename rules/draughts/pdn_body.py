"""Reading the main line of one PDN game into plies."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..errors import RulesError
from .game import DraughtsGame
from .pdn_facts import STRENGTHS
from .pdn_line import Line, extend, listed, positions_of, set_up, squares_of_text
from .pdn_tokens import Token, short
from .position import Move, Side, other
from .record import Clock, Ply, Stand, one_line

#: Moves of one game that are read at most; the longest that was ever played had some hundreds.
MOST_PLIES = 5000

#: What is wrong at an offset, and what was expected.
Wrong = tuple[int, str, str]

_TIME = r"(\d{1,3}):(\d{1,2})(?::(\d\d))?"
_CLOCK = re.compile(rf"\[%cl(?:oc)?k\s+([wWbB])?\s*{_TIME}(?:\s+([wWbB])\s*{_TIME})?\s*\]")
_OFFENCE = re.compile(r"\[%offence\s+([\w-]{1,20})\s*\]")
_SIDES: dict[str, Side] = {"w": "w", "b": "b"}


@dataclass(slots=True)
class _Notes:
    """What stands behind one ply."""

    nags: list[int] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)


class Body:
    """The main line of a game while it is read, token by token."""

    def __init__(self, game: DraughtsGame, lines: list[Line]) -> None:
        self._game = game
        self._lines = lines
        self._notes = [_Notes()]
        self._set_up = False
        self._wrong: list[Wrong] = []
        self._stopped: Wrong | None = None
        self._unread = 0

    def add(self, token: Token) -> None:
        """Take one token."""
        notes = self._notes[-1]
        if token.kind == "move":
            self._move(token)
        elif token.kind == "setup":
            self._setup(token)
        elif token.kind == "unknown":
            self._stop(token.at, "a move that was not noted", "a move")
        elif token.kind == "comment":
            notes.comments.append(token.text)
        elif token.kind == "nag":
            notes.nags.append(int(token.text[1:]))
        elif token.kind == "strength":
            notes.nags.append(_glyph(token.text))

    def finish(self) -> tuple[tuple[Ply | Stand, ...], list[Wrong]]:
        """The plies, and what was wrong."""
        self._resume()
        if len(self._lines) > 1 and self._lines[0].guessed >= 0:
            what = "a move that fits several, the first is taken"
            self._wrong.append((self._lines[0].guessed, what, "the whole route"))
        steps = self._lines[0].steps()
        notes = self._notes[1:]
        return tuple(_ply(*pair) for pair in zip(steps, notes, strict=True)), self._wrong

    @property
    def start(self) -> Line:
        """The line's first position."""
        line = self._lines[0]
        while line.before is not None:
            line = line.before
        return line

    @property
    def remarks(self) -> tuple[str, ...]:
        """The remarks before the first move."""
        return _remarks(self._notes[0].comments)

    def _move(self, token: Token) -> None:
        if self._stopped is not None:
            self._unread += 1
            return
        if len(self._notes) > MOST_PLIES:
            self._stop(
                token.at, f"more than {MOST_PLIES} moves in one game", "a game that was played"
            )
            self._unread += 1
            return
        lines = extend(self._game, self._lines, token.text, token.at)
        if lines:
            self._lines = lines
            self._notes.append(_Notes())
            return
        text, position = short(token.text), self._lines[0].position
        side = "White" if position.side == "w" else "Black"
        known = 0 not in squares_of_text(self._game, token.text)
        what = f"move {text!r} is not legal for {side}" if known else f"no such squares: {text!r}"
        self._stop(token.at, what, listed(self._game, position))

    def _setup(self, token: Token) -> None:
        try:
            positions = positions_of(self._game, token.text, self._lines[0].position)
        except RulesError as error:
            self._stop(token.at, f"set-up: {error.what}", error.expected)
            return
        self._resume()
        if len(self._notes) == 1 and not self._set_up:
            self._lines = [Line(position) for position in positions]
            self._set_up = True
            return
        self._lines = set_up(self._lines, positions)
        self._notes.append(_Notes())

    def _stop(self, at: int, what: str, expected: str) -> None:
        """From here on the position is not known, until the next set-up."""
        if self._stopped is None:
            self._stopped = (at, what, expected)

    def _resume(self) -> None:
        if self._stopped is not None:
            at, what, expected = self._stopped
            what += f" ({self._unread} more not read)" if self._unread else ""
            self._wrong.append((at, what, expected))
        self._stopped, self._unread = None, 0


def _glyph(text: str) -> int:
    bare = text.strip("()")
    return next(glyph for sign, glyph in STRENGTHS.items() if bare.startswith(sign))


def _ply(step: Move | Stand, notes: _Notes) -> Ply | Stand:
    after = step.after
    texts, clock = _clocked(notes.comments, other(after.side))
    nags = tuple(notes.nags)
    if isinstance(step, Move):
        return Ply(step, clock, nags, _remarks(texts))
    code = ""
    for text in texts:
        found = _OFFENCE.search(text)
        code = found[1] if found and not code else code
    return Stand(after, code, clock, nags, _remarks([_without(_OFFENCE, text) for text in texts]))


def _without(command: re.Pattern[str], text: str) -> str:
    """A comment without a command; what taking it out puts together is no command either."""
    rest = command.sub("", text)
    return rest.replace("[%", "[") if command.search(rest) else rest


def _remarks(comments: list[str]) -> tuple[str, ...]:
    return tuple(filter(None, map(one_line, comments)))


def _clocked(comments: list[str], mover: Side) -> tuple[list[str], Clock | None]:
    """The comments without their clock commands, and the clocks; the last one of a side counts."""
    times: dict[Side, int] = {}
    rest = []
    for text in comments:
        for found in _CLOCK.finditer(text):
            first, *one, second, hours, minutes, seconds = found.groups()
            times[_SIDES[(first or mover).lower()]] = _seconds(*one)
            if second:
                times[_SIDES[second.lower()]] = _seconds(hours, minutes, seconds)
        rest.append(_without(_CLOCK, text))
    return rest, Clock(times.get("w"), times.get("b")) if times else None


def _seconds(hours: str, minutes: str, seconds: str | None) -> int:
    return int(hours) * 3600 + int(minutes) * 60 + int(seconds or 0)
