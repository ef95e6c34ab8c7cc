"""A table without pictures: every square that no hand hides is read right.

What still goes wrong then is the session's doing, and not the eyes'.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from models.synth.arrays import Array
from models.synth.game import Shot, Step, Table, moments
from models.synth.hand import Look
from models.synth.scene import Rendered
from rules.draughts.geometry import Board
from rules.draughts.position import Position
from vision.fake import FakeEyes
from vision.frame import Frame
from vision.percept import Percept

#: Half the width of a hand and its arm, and how far fingers reach beyond what they hold, squares.
WIDE, BEYOND = 0.95, 0.7

#: A hand that moves less than this, squares a second, looks still.
MOVES = 0.3


class Given:
    """Both the lens and the eyes."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._eyes = FakeEyes(board)
        self._letters: dict[tuple[int, int], str] = {}
        self._hidden = np.zeros((board.size, board.size), bool)
        self._motion = 0.0

    def still(self, table: Table, shot: Shot) -> Iterator[Rendered]:
        """Frames without a hand, without end."""
        while True:
            yield self._frame(table, None, 0.0, 0.0)

    def hand(
        self, steps: Sequence[Step], table: Table, look: Look, heading: float, shot: Shot
    ) -> Iterator[Rendered]:
        """Frames of a hand that goes through steps."""
        for tip, speed in moments(steps, table, shot.fps):
            yield self._frame(table, tip, heading, float(np.hypot(speed[0], speed[1])))

    def see(self, frame: Frame) -> Percept:
        """What the frame that was yielded last says."""
        pieces = {self._board.at(*cell): x for cell, x in self._letters.items()}
        pieces.pop(0, None)
        stray = {cell: x for cell, x in self._letters.items() if not self._board.at(*cell)}
        covered = [self._board.at(int(r), int(c)) for r, c in np.argwhere(self._hidden)]
        return self._eyes.see(
            Position.of(pieces, "w"), frame.at_ns, covered=[n for n in covered if n], stray=stray,
            motion=self._motion,
        )  # fmt: skip

    def learn(self, grid: tuple[str, ...]) -> None:
        """There is nothing to learn."""

    def _frame(self, table: Table, tip: Array | None, heading: float, speed: float) -> Rendered:
        size = self._board.size
        self._letters = {
            (int(np.clip(p.y, 0, size - 1)), int(np.clip(p.x, 0, size - 1))): p.piece
            for p in table.standing.values()
        }
        self._hidden = np.zeros((size, size), bool)
        if tip is not None:
            middle = np.stack(np.meshgrid(np.arange(size), np.arange(size)), -1) + 0.5
            off = middle - tip[:2]
            along = off @ np.array([np.cos(heading), np.sin(heading)])
            across = off @ np.array([-np.sin(heading), np.cos(heading)])
            self._hidden = (along < BEYOND) & (np.abs(across) < WIDE)
        self._motion = 0.2 if self._hidden.any() and speed > MOVES else 0.0
        cover = self._hidden.astype(np.float32)
        corners = np.zeros((4, 2))
        return Rendered(np.zeros((2, 2, 3), np.uint8), corners, table.grid(), cover)
