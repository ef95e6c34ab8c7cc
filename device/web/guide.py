"""Help with setting up a position on the real board: what is missing, and what is too many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rules.draughts.game import DraughtsGame
from rules.draughts.position import Position
from vision.orient import CONTRADICTS, TURNS_OF
from vision.percept import Percept
from vision.steady import UNITS_PER_NAT

from ..session_view import grid_of

#: What should stand on a square is contradicted when another content is so much likelier (nats).
#: It is what the session asks for before it begins a game, see `vision.orient.CONTRADICTS`.
CONTRADICTED = CONTRADICTS / UNITS_PER_NAT


#: Index among empty, white, black for each letter.
COLOURS = {".": 0, "w": 1, "W": 1, "b": 2, "B": 2}


@dataclass(frozen=True, slots=True)
class Guide:
    """A board against the position that is wanted on it.

    Attributes:
        turns: counter-clockwise quarter turns from camera order to White's view.
        grid: what stands there, rows as White sees them, ``?`` where it can't be told.
        missing: (square, what should stand there) for each that is empty or holds another piece.
        extra: squares that hold something and should be empty.
        unknown: squares that read a little likelier as something else, which hinders nobody.
        hidden: squares that something covers.
    """

    turns: int
    grid: tuple[str, ...]
    missing: tuple[tuple[str, str], ...]
    extra: tuple[str, ...]
    unknown: tuple[str, ...]
    hidden: tuple[str, ...] = ()

    @property
    def done(self) -> bool:
        """Whether the position stands."""
        return not (self.missing or self.extra or self.hidden)

    def to_json(self) -> dict[str, Any]:
        """The guide as JSON values."""
        return {
            "grid": list(self.grid),
            "missing": [list(pair) for pair in self.missing],
            "extra": list(self.extra),
            "unknown": [*self.hidden, *self.unknown],
            "done": self.done,
        }


def guide(
    percept: Percept, game: DraughtsGame, wanted: Position, white_at: str = ""
) -> Guide | None:
    """Compare; None when no board is seen.

    Args:
        percept: what the camera sees.
        game: the rules.
        wanted: what should stand on the board.
        white_at: the edge of the picture at which White sits; empty for the one that fits best.
    """
    if percept.scores is None or percept.size != game.board.size:
        return None
    logs = _by_colour(percept.log_probabilities())
    hidden = np.zeros((percept.size, percept.size), bool)
    hidden.flat[list(percept.covered)] = True
    tried = [TURNS_OF[white_at]] if white_at else range(4)
    guides = [
        _compare(np.rot90(logs, turns), np.rot90(hidden, turns), turns, game, wanted)
        for turns in tried
    ]
    return min(guides, key=_wrong)


def _by_colour(logs: NDArray[np.float32]) -> NDArray[np.float32]:
    """Empty, white, black: a king counts with its men, as far as setting up goes."""
    white, black = (
        np.logaddexp(logs[..., 1], logs[..., 2]),
        np.logaddexp(logs[..., 3], logs[..., 4]),
    )
    return np.stack([logs[..., 0], white, black], axis=-1)


def _compare(
    logs: NDArray[np.float32],
    hidden: NDArray[np.bool_],
    turns: int,
    game: DraughtsGame,
    wanted: Position,
) -> Guide:
    rows, names = grid_of(game, wanted), _names(game)
    seen = [["." for _ in row] for row in rows]
    found: dict[str, list[Any]] = {"missing": [], "extra": [], "unknown": [], "hidden": []}
    for (row, col), name in names.items():
        should = rows[row][col]
        gap = float(logs[row, col].max() - logs[row, col, COLOURS[should]])
        best = int(logs[row, col].argmax())
        seen[row][col] = should if COLOURS[should] == best else ".wb"[best]
        if hidden[row, col]:
            seen[row][col] = "?"
            found["hidden"].append(name)
        elif gap >= CONTRADICTED:
            found["extra" if should == "." else "missing"].append(
                name if should == "." else (name, should)
            )
        elif gap > 0:
            seen[row][col] = "?"
            found["unknown"].append(name)
    lists = {key: tuple(value) for key, value in found.items()}
    return Guide(turns, tuple("".join(row) for row in seen), **lists)


def _names(game: DraughtsGame) -> dict[tuple[int, int], str]:
    """A name for every cell; by file and rank where no game names it."""
    size = game.board.size
    cells = {
        (row, col): f"{'abcdefghij'[col]}{size - row}" for row in range(size) for col in range(size)
    }
    return cells | {game.board.cell(n): game.name_of(n) for n in range(1, game.board.count + 1)}


def _wrong(compared: Guide) -> int:
    return 2 * (len(compared.missing) + len(compared.extra)) + len(compared.unknown)
