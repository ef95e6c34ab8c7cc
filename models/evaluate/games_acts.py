"""What happens at a table, act by act, and what is true of it: the words of a story.

A story is a list of acts that is fixed before the first picture is drawn.  Only how long players
look at a board until they hear an alarm depends on the referee.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from models.synth.game import Grid, Square
from rules.draughts.game import DraughtsGame
from rules.draughts.position import Position, Side

Kind = Literal["start", "ply", "staged", "righted", "accepted", "remark", "takeback", "swept"]


@dataclass(frozen=True, slots=True)
class Truth:
    """Something that the referee should notice.

    Attributes:
        kind: ``ply`` a legal move; ``staged`` an offence, ``righted`` and ``accepted`` what became
            of it; ``remark`` what only a sequence shows; ``takeback``; ``start``; ``swept``.
        ply: how many plies stand in the record before it.
        side: whose deed.
        code: of an offence or remark.
        text, fen: of a ply, or of the board as it stands.
        quick: the next hand comes before the board was still.
        pressed: the clock was pressed for it.
    """

    kind: Kind
    ply: int
    side: Side
    code: str = ""
    text: str = ""
    fen: str = ""
    quick: bool = False
    pressed: bool = False


@dataclass(frozen=True, slots=True)
class Carry:
    """A hand leads the board through grids, as White sees them, and leaves between them.

    Attributes:
        side: whose hand.
        grids: the board that stands, then each that is led to.
        pause: seconds without a hand before each but the first.
        quick: the hand is hardly gone when the next one comes.
        truths: what holds when it has left.
        what: name for lists of misses.
        both: with both hands, where the lens can show that.
    """

    side: Side
    grids: tuple[Grid, ...]
    pause: float = 0.0
    quick: bool = False
    truths: tuple[Truth, ...] = ()
    what: str = "move"
    both: bool = False


@dataclass(frozen=True, slots=True)
class Wait:
    """Nobody touches the board; with ``alarm`` until a moment after an alarm, at most so long."""

    seconds: float
    alarm: bool = False
    every: int = 1


@dataclass(frozen=True, slots=True)
class Press:
    """A side presses its clock."""

    side: Side


@dataclass(frozen=True, slots=True)
class Light:
    """All lamps, or the daylight, step by a factor."""

    factor: float


@dataclass(frozen=True, slots=True)
class Shadow:
    """Somebody's shadow falls over the board, or goes."""

    comes: bool


@dataclass(frozen=True, slots=True)
class Bump:
    """The camera is knocked, by about so many degrees."""

    degrees: float


@dataclass(frozen=True, slots=True)
class Shove:
    """A hand pushes a man to a distance from the middle of its square, squares."""

    side: Side
    square: Square
    by: tuple[float, float]
    what: str = "adjust"


@dataclass(frozen=True, slots=True)
class Lean:
    """An arm over the board that moves nothing; it may rest there.

    Attributes:
        edge: where it comes from: w, b, left, right.
        points: where its fingertips go, (x, y, height).
        rests: seconds that it stays at the last point.
    """

    edge: str
    points: tuple[tuple[float, float, float], ...]
    rests: float = 0.0
    what: str = "arm"


@dataclass(frozen=True, slots=True)
class Sweep:
    """A hand wipes the board clean."""

    side: Side


Act = Carry | Wait | Press | Light | Shadow | Bump | Shove | Lean | Sweep | Truth


def grid_of(game: DraughtsGame, position: Position) -> Grid:
    """A position as rows seen by White."""
    size = game.board.size
    rows = [["."] * size for _ in range(size)]
    for square, piece in position.pieces().items():
        row, column = game.board.cell(square)
        rows[row][column] = piece
    return tuple("".join(row) for row in rows)


def colours(position: Position) -> tuple[int, int]:
    """What a board shows apart from crowns."""
    return position.white, position.black
