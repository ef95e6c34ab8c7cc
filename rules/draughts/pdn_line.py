"""Playing through the moves of a PDN game, keeping several lines while a text fits several moves.

Short captures that fit two captures occur in real files, though PDN 3.0 asks for the route there.
The moves behind them tell which was meant, so every candidate is followed as long as it can be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..errors import RulesError
from .game import DraughtsGame
from .position import Move, Position
from .record import Stand

#: More candidates than any real game needs; keeps the time linear.
MOST_LINES = 32

_SEPARATOR = re.compile(r"\s*[-–—−x×X:]\s*")
_NAMES = re.compile(r"[a-j]\d{1,2}")


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """The last step of a line of play, linked to the one before it.

    Attributes:
        position: the position after it.
        step: the move or the set-up; None at the start.
        before: the line without it.
        guessed: offset of the first text on it that fitted several moves; -1 if none did.
    """

    position: Position
    step: Move | Stand | None = None
    before: Line | None = None
    guessed: int = -1

    def steps(self) -> list[Move | Stand]:
        """Every step from the start."""
        found: list[Move | Stand] = []
        line: Line | None = self
        while line is not None:
            if line.step is not None:
                found.append(line.step)
            line = line.before
        return found[::-1]


def squares_of_text(game: DraughtsGame, text: str) -> list[int]:
    """The squares that a move text names, 0 for one that is not on the board."""
    lowered = text.lower()
    if lowered[0].isalpha():
        names = _NAMES.findall(lowered)
    elif len(text) == 4 and text.isdecimal():
        names = [text[:2], text[2:]]
    else:
        names = _SEPARATOR.split(text)
    return [game.square(name) for name in names]


def candidates(game: DraughtsGame, position: Position, text: str) -> list[Move]:
    """The legal moves that a text can mean."""
    squares = squares_of_text(game, text)
    if 0 in squares:
        return []
    fitting = [m for m in game.moves(position) if (m.frm, m.to) == (squares[0], squares[-1])]
    if len(squares) == 2 or len(fitting) < 2:
        return fitting
    try:
        return [game.parse_move(position, "x".join(game.name_of(square) for square in squares))]
    except RulesError:
        return fitting


def extend(game: DraughtsGame, lines: list[Line], text: str, at: int) -> list[Line]:
    """The lines after one more move; empty where it is legal in none."""
    found: dict[Position, Line] = {}
    for line in lines:
        moves = candidates(game, line.position, text)
        guessed = line.guessed if line.guessed >= 0 or len(moves) < 2 else at
        for move in moves:
            found.setdefault(move.after, Line(move.after, move, line, guessed))
    return list(found.values())[:MOST_LINES]


def set_up(lines: list[Line], positions: list[Position]) -> list[Line]:
    """The lines after a set-up in the middle of a game: it goes on from the nearest board."""
    nearest = min(lines, key=lambda line: _difference(line.position, positions[0]))
    return [Line(p, Stand(p), nearest, nearest.guessed) for p in positions]


def _difference(one: Position, other: Position) -> int:
    pairs = (
        (one.white_men, other.white_men),
        (one.white_kings, other.white_kings),
        (one.black_men, other.black_men),
        (one.black_kings, other.black_kings),
    )
    return sum((a ^ b).bit_count() for a, b in pairs)


def positions_of(game: DraughtsGame, fen: str, here: Position | None = None) -> list[Position]:
    """The position of a FEN; both with either side to move where the turn is ``?``.

    Args:
        game: the game.
        fen: the text; ``B::`` is a null move from ``here``.
        here: the position before, in the middle of a game.

    Raises:
        BadPosition: the text is no FEN.
    """
    turn, _, squares = fen.partition(":")
    if here is not None and squares.strip(" .") == ":" and turn.strip() in ("W", "B"):
        return [here.with_side("w" if turn.strip() == "W" else "b")]
    position = game.read_board(fen)
    if turn.strip() != "?":
        return [position]
    return [position, position.with_side("b" if position.side == "w" else "w")]


def listed(game: DraughtsGame, position: Position, most: int = 6) -> str:
    """The legal moves, or the first few, for a message."""
    return ", ".join(_texts(game, position, most)) or "no move: none is left"


def _texts(game: DraughtsGame, position: Position, most: int) -> Iterator[str]:
    moves = game.moves(position)
    for move in moves[:most]:
        yield game.text(position, move)
    if len(moves) > most:
        yield "..."
