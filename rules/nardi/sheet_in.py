"""Reads the sheets that `sheet` writes, and what people made of them.

After an error the reader goes on: an unreadable turn is left out and the next one is tried from
the board as far as it is known.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ..errors import BadMove, BadPosition, IllegalMove, ToreshiError
from . import fen
from .board import START, Position, Side, other
from .dice import BadRoll, Roll
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
from .facts import CODES, rules_by
from .fields import Problem
from .match import POINTS_OF, Resolved
from .notation import Steps, carried_out, parse, renumbered
from .sheet import NOBODY, NUMBERINGS, VARIATION, Numbering

#: No line of a sheet is longer.
MOST_LINE = 2_000
#: Without a side's name the column tells who won.
_MIDDLE = 20

_TAG = re.compile(r';\s*\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]\s*')
_MATCH = re.compile(r"\s*([0-9]{1,4})\s+point\s+match\s*", re.IGNORECASE)
_GAME = re.compile(r"\s*Game\s+([0-9]{1,4})\s*", re.IGNORECASE)
_NAMES = re.compile(r"\s*(\S.*?) : [0-9]+\s{2,}(\S.*?) : [0-9]+\s*")
_ROW = re.compile(r"\s*([0-9]{1,4})\)")
_DICE = re.compile(r"(?<!\S)([0-9])([0-9]):")
_WINS = re.compile(
    r"\s*(?:(White|Black)\s+)?wins\s+([0-9])\s+points?(?:\s+\((\w+)(?:,\s*([\w-]+))?\))?\s*",
    re.IGNORECASE,
)
_CORRECTED = re.compile(r"\s*\(([^?{}]*\?[A-Z][0-9]\s*(?:\{[^{}]*\})?)\)")
_PLAYED = re.compile(r"([^?{}]*)(?:\?([A-Z][0-9])(\.\.\.)?)?\s*(?:\{([^{}]*)\})?")
_PAIR = re.compile(r"([0-9]{1,5})-([0-9]{1,5})")
_CELL_FORM = "65: 24/18/13, 42: (12/8?M6) 12/8/6 or 11: pass"


def read(written: str | bytes) -> Reading:
    """Everything on a sheet that can be read, and what can't be."""
    lines, problems = lines_of(written)
    reader = _Reader(problems=problems)
    for number, line in enumerate(lines, 1):
        reader.line(number, line)
    reader.begun()
    return Reading(tuple(reader.events), tuple(reader.places), tuple(reader.problems))


@dataclass(slots=True)
class _Reader:
    """What was read so far; header and game are told when the first thing after them comes."""

    problems: list[Problem]
    events: list[Event] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    numbering: Numbering = "seed"
    header: tuple[Header, Place] | None = None
    game: tuple[Started, Place] | None = None
    named: bool = True
    position: Position = START
    at: Place = (1, 1)

    def line(self, number: int, line: str) -> None:
        """One more line."""
        self.at = (number, 1)
        if len(line) > MOST_LINE:
            self._problem(f"a line of {len(line)}", f"at most {MOST_LINE} characters")
            return
        names = None if self.named else _NAMES.fullmatch(line)
        self.named = True
        if names and self.game:
            white, black = ("" if name == NOBODY else name for name in names.groups())
            self.game = (replace(self.game[0], white=white, black=black), self.game[1])
            return
        if not line.strip():
            return
        for pattern, action in _LINES:
            match = pattern.fullmatch(line)
            if match:
                action(self, match)
                return
        row = _ROW.match(line)
        if row:
            self._row(int(row[1]), line, row.end())
        elif line.lstrip().startswith(";"):
            self._add(Noted(line.lstrip()[1:].strip()))
        else:
            self._problem(f"line {line.strip()[:30]!r}", "a header, a game, a turn or a result")

    def _problem(self, what: str, expected: str = "", column: int = 1) -> None:
        self.problems.append(Problem(self.at[0], column, what, expected))

    def begun(self) -> None:
        """Tell the header and the game that were read, if they were not told yet."""
        for told in (self.header, self.game):
            if told:
                self.events.append(told[0])
                self.places.append(told[1])
        if self.game:
            self.position = self.game[0].position
        self.header = self.game = None

    def _add(self, event: Event, column: int = 1) -> None:
        self.begun()
        self.events.append(event)
        self.places.append((self.at[0], column))

    # ------------------------------------------------------------ header and game

    def tag(self, match: re.Match[str]) -> None:
        """``; [Key "value"]``."""
        value = re.sub(r"\\(.)", r"\1", match[2])
        action = _TAGS.get(match[1])
        if action is None:
            self._add(Noted(f"{match[1]}: {value}"))
            return
        try:
            action(self, value)
        except ToreshiError as error:
            self._problem(error.what, error.expected)

    def variation(self, value: str) -> None:
        """The game's name."""
        if value != VARIATION:
            self._problem(f"variation {value[:30]!r}", VARIATION)

    def numbered(self, value: str) -> None:
        """How the points are counted."""
        if value not in NUMBERINGS:
            self._problem(f"numbering {value[:30]!r}", f"one of {', '.join(NUMBERINGS)}")
            return
        self.numbering = NUMBERINGS[value]

    def _head(self, header: Header) -> None:
        self.header = (header, self.header[1] if self.header else self.at)

    @property
    def _header(self) -> Header:
        return self.header[0] if self.header else Header()

    def player1(self, value: str) -> None:
        """The first player's name."""
        self._head(replace(self._header, players=(value, self._header.players[1])))

    def player2(self, value: str) -> None:
        """The second player's name."""
        self._head(replace(self._header, players=(self._header.players[0], value)))

    def event(self, value: str) -> None:
        """What the games are part of."""
        self._head(replace(self._header, event=value))

    def date(self, value: str) -> None:
        """When they were played."""
        self._head(replace(self._header, date=value))

    def settings(self, value: str) -> None:
        """The club's settings."""
        pairs = [word.partition("=") for word in value.split()]
        settings = {name: word for name, _, word in pairs}
        rules_by(settings)
        self._head(replace(self._header, rules=settings))

    def target(self, match: re.Match[str]) -> None:
        """`` 5 point match``."""
        self._head(replace(self._header, target=int(match[1])))

    def begin(self, match: re.Match[str]) -> None:
        """`` Game 1``."""
        self.begun()
        self.game = (Started(int(match[1])), self.at)
        self.named = False

    def placed(self, value: str) -> None:
        """The position from which a game began."""
        position = fen.read(value)
        if self.game:
            self.game = (replace(self.game[0], position=position), self.game[1])
        else:
            self._problem("a position outside a game's head", "it after the names")

    # ------------------------------------------------------------ results and throws

    def opening(self, value: str) -> None:
        """The throw for who begins."""
        Roll.read(value)
        one, two = (int(die) for die in value if die.isdigit())
        self._add(Rolled((one, two)))

    def score(self, value: str) -> None:
        """The points of both players."""
        match = _PAIR.fullmatch(value)
        if match:
            self._add(Scored((int(match[1]), int(match[2]))))
        else:
            self._problem(f"score {value[:20]!r}", "two numbers such as 2-1")

    def note(self, value: str) -> None:
        """Something said."""
        self._add(Noted(value))

    def won(self, match: re.Match[str]) -> None:
        """``White wins 2 points (mars, borne-off)``."""
        right = len(match[0]) - len(match[0].lstrip()) > _MIDDLE
        name = (match[1] or ("Black" if right else "White")).lower()
        winner: Side = "w" if name == "white" else "b"
        of = {str(points): win for win, points in POINTS_OF.items()}
        win = WINS.get(match[3] or of.get(match[2], ""))
        reason = REASONS.get(match[4] or "borne-off")
        if win is None or reason is None or str(POINTS_OF[win]) != match[2]:
            self._problem(f"result {match[0].strip()[:40]!r}", "1 point (oin) or 2 points (mars)")
            return
        self._add(Ended(winner, win, reason))

    # ------------------------------------------------------------ turns

    def _row(self, number: int, line: str, start: int) -> None:
        self.begun()
        dice = list(_DICE.finditer(line, start))
        if not dice:
            rest = line[start:].lstrip()
            self._problem("no dice", _CELL_FORM, len(line) - len(rest) + 1)
            return
        if line[start : dice[0].start()].strip():
            odd = line[start : dice[0].start()].strip()
            self._problem(f"{odd[:20]!r}", _CELL_FORM, line.index(odd, start) + 1)
        if len(dice) > 1:  # a whole row is White's turn and Black's, whatever was lost before
            self.position = self.position.with_side("w")
        ends = [match.start() for match in dice[1:]] + [len(line)]
        for match, end in zip(dice, ends, strict=True):
            try:
                self._cell(number, Roll.read(match[0][:-1]).dice, line[:end], match.end())
            except BadRoll as error:
                self._problem(error.what, error.expected, match.start() + 1)
                self._pass_over()

    def _pass_over(self) -> None:
        """The side to move has played, but what is not known."""
        self.position = self.position.with_side(other(self.position.side))

    def _cell(self, number: int, dice: tuple[int, int], line: str, at: int) -> None:
        """One side's turns with one throw: corrected ones, then the one that stands."""
        blank = Turn(number, self.position.side, dice, self.position)
        corrected = False
        while match := _CORRECTED.match(line, at):
            corrected = True
            self._turn(blank, match[1], match.start(1), stands=False)
            at = match.end()
        if line[at:].strip() or not corrected:
            rest = line[at:].lstrip()
            end = self._turn(blank, rest.rstrip(), len(line) - len(rest), stands=True)
            if end:
                self.position = end
            else:
                self._pass_over()

    def _turn(self, blank: Turn, cell: str, at: int, stands: bool) -> Position | None:
        """Tell the turn of a cell and give its end, or None when it can't be read."""
        column = at + 1
        match = _PLAYED.fullmatch(cell)
        code = (match and match[2]) or LEGAL
        if not match or code not in (LEGAL, *CODES):
            self._problem(f"turn {cell[:30]!r}", _CELL_FORM, column)
            return None
        resolved: Resolved = "" if code == LEGAL or match[3] else "accepted"
        try:
            steps, end = self._played(blank.side, match[1], match[4])
        except (BadMove, IllegalMove, BadPosition) as error:
            self._problem(error.what, error.expected, column)
            return None
        if not stands:
            resolved = "corrected"
        self._add(replace(blank, end=end, steps=steps, verdict=code, resolved=resolved), column)
        return end

    def _played(self, side: Side, moves: str, board: str | None) -> tuple[Steps, Position]:
        """The steps of a turn, and the board that it leaves."""
        steps = parse(moves)
        if self.numbering == "own":
            steps = renumbered(steps, side)
        if board is None:
            return steps, carried_out(self.position, side, steps)
        return steps, fen.read(board).with_side(other(side))


_LINES: tuple[tuple[re.Pattern[str], Callable[[_Reader, re.Match[str]], None]], ...] = (
    (_TAG, _Reader.tag),
    (_MATCH, _Reader.target),
    (_GAME, _Reader.begin),
    (_WINS, _Reader.won),
)
_TAGS: dict[str, Callable[[_Reader, str], None]] = {
    "Variation": _Reader.variation,
    "Numbering": _Reader.numbered,
    "Player1": _Reader.player1,
    "Player2": _Reader.player2,
    "Event": _Reader.event,
    "Date": _Reader.date,
    "Rules": _Reader.settings,
    "FEN": _Reader.placed,
    "Opening": _Reader.opening,
    "Score": _Reader.score,
    "Note": _Reader.note,
}
