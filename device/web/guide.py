"""Help with setting up a position on the real board: what is missing, and what is too many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rules.draughts.game import DraughtsGame
from rules.draughts.position import Position
from vision.orient import TURNS_OF
from vision.percept import CLASSES, Percept

from ..session_view import grid_of

#: A square is said to hold something only when that is so much likelier than anything else (nats).
SURE = 2.0

_COLOUR = {".": "", "w": "w", "W": "w", "b": "b", "B": "b", "?": "?"}


@dataclass(frozen=True, slots=True)
class Guide:
    """A board against the position that is wanted on it.

    Attributes:
        turns: counter-clockwise quarter turns from camera order to White's view.
        grid: what stands there, rows as White sees them, ``?`` where it can't be told.
        missing: (square, what should stand there) for each that is empty or holds another piece.
        extra: squares that hold something and should be empty.
        unknown: squares that can't be told.
    """

    turns: int
    grid: tuple[str, ...]
    missing: tuple[tuple[str, str], ...]
    extra: tuple[str, ...]
    unknown: tuple[str, ...]

    @property
    def done(self) -> bool:
        """Whether the position stands."""
        return not (self.missing or self.extra or self.unknown)

    def to_json(self) -> dict[str, Any]:
        """The guide as JSON values."""
        return {
            "grid": list(self.grid),
            "missing": [list(pair) for pair in self.missing],
            "extra": list(self.extra),
            "unknown": list(self.unknown),
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
    seen = read_grid(percept)
    tried = [TURNS_OF[white_at]] if white_at else range(4)
    guides = [_compare(np.rot90(seen, turns), turns, game, wanted) for turns in tried]
    return min(guides, key=_wrong)


def read_grid(percept: Percept) -> NDArray[np.str_]:
    """Letters of CLASSES, or ``?``, (size, size) in camera order."""
    logs = percept.log_probabilities()
    best = logs.argmax(axis=-1)
    letters = np.array(list(CLASSES))[best]
    ordered = np.sort(_by_colour(logs), axis=-1)
    letters[ordered[..., -1] - ordered[..., -2] < SURE] = "?"
    if percept.covered:
        letters[np.unravel_index(percept.covered, letters.shape)] = "?"
    return letters


def _by_colour(logs: NDArray[np.float32]) -> NDArray[np.float32]:
    """Empty, white, black: a king counts with its men, as far as setting up goes."""
    white, black = np.maximum(logs[..., 1], logs[..., 2]), np.maximum(logs[..., 3], logs[..., 4])
    return np.stack([logs[..., 0], white, black], axis=-1)


def _compare(seen: NDArray[np.str_], turns: int, game: DraughtsGame, wanted: Position) -> Guide:
    target = np.array([list(row) for row in grid_of(game, wanted)])
    missing, extra, unknown = [], [], []
    for square in range(1, game.board.count + 1):
        cell = game.board.cell(square)
        there, should = _COLOUR[str(seen[cell])], str(target[cell])
        name = game.name_of(square)
        if there == "?":
            unknown.append(name)
        elif there != _COLOUR[should]:
            if should == ".":
                extra.append(name)
            else:
                missing.append((name, should))
    for row, col in zip(*np.nonzero(~np.isin(seen, (".", "?"))), strict=True):
        if not game.board.at(int(row), int(col)):
            extra.append(_cell_name(game, int(row), int(col)))
    return Guide(
        turns, tuple("".join(row) for row in seen), tuple(missing), tuple(extra), tuple(unknown)
    )


def _cell_name(game: DraughtsGame, row: int, col: int) -> str:
    """A cell off the playing squares, which no game names: by file and rank."""
    return f"{'abcdefghij'[col]}{game.board.size - row}"


def _wrong(compared: Guide) -> int:
    return 2 * (len(compared.missing) + len(compared.extra)) + len(compared.unknown)
