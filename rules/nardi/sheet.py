"""Game records as a sheet that people read, in the layout of a MAT file.

Header lines begin with ``;``, each game has its own block, White on the left::

    ; [Variation "Long Nardi"]
    ; [Numbering "seed"]
    ; [Player1 "Aslan"]
    ; [Player2 "Berik"]
     5 point match

     Game 1
     Aslan : 0                     Berik : 0
      1) 65: 24/18/13              42: (12/8?M6) 12/8/6
      2) 31: 24/23 13/10           11: pass
      White wins 2 points (mars, borne-off)

A wrong turn is marked ``?`` and its code.  In brackets it was corrected, and the right one
follows; without them it was accepted, or with ``...`` nobody has answered yet.  Where the text
does not lead to the board that stood, the board follows in braces.  With the numbering ``own``
each side counts from its own head, 24; boards are always numbered as the rules number them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from ..errors import IllegalMove
from . import fen
from .board import START, Position
from .events import LEGAL, Ended, Event, Header, Noted, Scored, Started, Turn
from .notation import carried_out, renumbered, text

#: ``seed``: the points have the same numbers for both; ``own``: each side's head is 24.
Numbering = Literal["seed", "own"]
NUMBERINGS: Mapping[str, Numbering] = {name: name for name in get_args(Numbering)}
#: What the header calls the game.
VARIATION = "Long Nardi"
#: Written for a player whose name is not known.
NOBODY = "-"

_CELL = 28


def write(events: Iterable[Event], numbering: Numbering = "seed") -> str:
    """The sheet of a record.

    Times, the camera's certainty and the throws by themselves are not on it; names and notes are
    put on one line.
    """
    writer = _Writer(numbering)
    for event in events:
        writer.add(event)
    writer.end_line()
    return "".join(line.rstrip() + "\n" for line in writer.lines)


def plain(words: str) -> str:
    """A text on one line, without what a sheet can't hold."""
    return " ".join("".join(c if c.isprintable() else " " for c in words).split())


def tag(key: str, value: str) -> str:
    """A header line."""
    quoted = plain(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'; [{key} "{quoted}"]'


@dataclass(slots=True)
class _Writer:
    """The lines so far, the board, and the cells of the line that is being written."""

    numbering: Numbering
    lines: list[str] = field(default_factory=list)
    position: Position = START
    players: tuple[str, str] = ("", "")
    names: tuple[str, str] = ("", "")
    points: tuple[int, int] = (0, 0)
    cells: list[str] = field(default_factory=list)
    number: int = 0
    wrong: str = ""

    def __post_init__(self) -> None:
        self.lines = [tag("Variation", VARIATION), tag("Numbering", self.numbering)]

    def add(self, event: Event) -> None:
        """One more event."""
        if isinstance(event, Turn):
            self._turn(event)
            return
        self.end_line()
        if isinstance(event, Header):
            self._header(event)
        elif isinstance(event, Started):
            self._started(event)
        elif isinstance(event, Ended):
            self._ended(event)
        elif isinstance(event, Scored):
            self.points = event.score
            self.lines.append(tag("Score", f"{event.score[0]}-{event.score[1]}"))
        elif isinstance(event, Noted):
            self.lines.append(tag("Note", event.text))
        elif event.side is None:
            self.lines.append(tag("Opening", f"{event.dice[0]}-{event.dice[1]}"))

    def end_line(self) -> None:
        """Finish the line of the turns that wait."""
        if self.wrong:
            self._put(self.position.side == "b", self.wrong.rstrip())
            self.wrong = ""
        if self.cells:
            row = "  ".join(f"{cell:<{_CELL}}" for cell in self.cells)
            self.lines.append(f"{self.number:>3}) {row}")
            self.cells = []

    def _put(self, right: bool, cell: str) -> None:
        if right:
            self.cells = [*(self.cells or [""]), cell]
        else:
            self.cells = [cell]

    def _header(self, event: Header) -> None:
        self.players = event.players
        self.lines += [tag("Player1", event.players[0]), tag("Player2", event.players[1])]
        words = {"Event": event.event, "Date": event.date}
        words["Rules"] = " ".join(f"{name}={word}" for name, word in event.rules.items())
        self.lines += [tag(key, value) for key, value in words.items() if value]
        self.lines.append(f" {event.target} point match")

    def _started(self, event: Started) -> None:
        self.position, self.names = event.position, (event.white, event.black)
        white, black = (f"{plain(n) or NOBODY} : {self._points(n)}" for n in self.names)
        self.lines += ["", f" Game {event.number}", f" {white:<{_CELL + 4}}  {black}"]
        if event.position != START:
            self.lines.append(tag("FEN", fen.write(event.position)))

    def _points(self, name: str) -> int:
        return self.points[self.players.index(name)] if name in self.players else 0

    def _ended(self, event: Ended) -> None:
        winner = "White" if event.winner == "w" else "Black"
        points = f"{event.points} point{'s' if event.points > 1 else ''}"
        self.lines.append(f"      {winner} wins {points} ({event.win}, {event.reason})")
        name = self.names[0 if event.winner == "w" else 1]
        if name in self.players:
            first = self.players.index(name) == 0
            mine, theirs = (event.points, 0) if first else (0, event.points)
            self.points = (self.points[0] + mine, self.points[1] + theirs)

    def _turn(self, event: Turn) -> None:
        if (event.side == "w" and not self.wrong) or event.number != self.number:
            self.end_line()
        self.number = event.number
        dice = self.wrong or f"{event.dice[0]}{event.dice[1]}: "
        moves = self._moves(event)
        if event.resolved == "corrected":
            self.wrong = f"{dice}({moves}) "
            return
        self.wrong = ""
        self._put(event.side == "b", dice + moves)
        self.position = event.end

    def _moves(self, event: Turn) -> str:
        """The turn in words, with its code when it is wrong and the board where that is needed."""
        numbered = event.steps if self.numbering == "seed" else renumbered(event.steps, event.side)
        words = text(numbered)
        if event.verdict != LEGAL:
            words += f"?{event.verdict}{'' if event.resolved else '...'}"
        if _leads(self.position, event):
            return words
        return f"{words} {{{fen.write(event.end)}}}"


def _leads(before: Position, event: Turn) -> bool:
    """Whether a turn's steps lead from the board before to its end."""
    try:
        return carried_out(before, event.side, event.steps) == event.end
    except IllegalMove:
        return False
