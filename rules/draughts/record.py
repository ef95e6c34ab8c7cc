"""The record of one game: what was played, with clocks and remarks, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .position import Move, Position, Side

#: How a game ended, whatever the notation: the winner, a draw, both lost, or no result.
Result = Literal["w", "b", "draw", "both-lost", "*"]


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong in a file, and where.

    Attributes:
        line: its line, the first is 1.
        column: its character in the line, the first is 1.
        what: what is wrong, with the offending text in quotes.
        expected: what would have been right; may be empty.
    """

    line: int
    column: int
    what: str
    expected: str = ""

    def __str__(self) -> str:
        wanted = f"; expected {self.expected}" if self.expected else ""
        return f"line {self.line}, column {self.column}: {self.what}{wanted}"


@dataclass(frozen=True, slots=True)
class Clock:
    """Time left on the clocks after a ply, in seconds; None where it isn't known."""

    white: int | None = None
    black: int | None = None

    def of(self, side: Side) -> int | None:
        """What is left for one side."""
        return self.white if side == "w" else self.black


@dataclass(frozen=True, slots=True)
class Ply:
    """One legal move as played.

    Attributes:
        move: the move, with the position after it.
        clock: the clocks after it.
        nags: numeric annotation glyphs, as in chess (1 is ``!``).
        remarks: one-line comments on it.
    """

    move: Move
    clock: Clock | None = None
    nags: tuple[int, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def after(self) -> Position:
        """The position after it."""
        return self.move.after


@dataclass(frozen=True, slots=True)
class Stand:
    """A position that no legal move made and that stood: the game went on from the board as it was.

    Attributes:
        after: that position, with the side to move next.
        code: code of the offence that made it (``O6``), or empty.
        clock, nags, remarks: as in `Ply`.
    """

    after: Position
    code: str = ""
    clock: Clock | None = None
    nags: tuple[int, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game.

    Attributes:
        game: its name, ``italian``.
        start: the position it began from.
        plies: what was played, in order.
        result: how it ended.
        reason: why it ended so, in a few words; may be empty.
        tags: name and value of what else is known (``Event``, ``White``, ...), unknown ones left
            out; not those that follow from the other fields.
        remarks: one-line comments before the first move.
        faults: what was wrong in the file it was read from.
    """

    game: str
    start: Position
    plies: tuple[Ply | Stand, ...] = ()
    result: Result = "*"
    reason: str = ""
    tags: tuple[tuple[str, str], ...] = ()
    remarks: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()

    def tag(self, name: str, default: str = "?") -> str:
        """Value of a tag, or ``default``."""
        return dict(self.tags).get(name, default)

    @property
    def end(self) -> Position:
        """The position at the end."""
        return self.plies[-1].after if self.plies else self.start


def one_line(text: str, braces: bool = False) -> str:
    """A text in one line with single spaces; braces, which would end a comment, become brackets.

    Args:
        text: any text.
        braces: True leaves braces as they are, as in the value of a tag.
    """
    line = " ".join(text.split())
    return line if braces else line.translate({ord("{"): "(", ord("}"): ")"})
