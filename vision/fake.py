"""Percepts made up from a position: eyes for tests and simulations, with errors on demand."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rules.draughts.geometry import Board
from rules.draughts.position import Position

from .percept import CLASSES, Percept, quantise

_KING_OF = {"W": "w", "B": "b", "w": "W", "b": "B"}


@dataclass(slots=True)
class FakeEyes:
    """Reads positions as a decent network would.

    Attributes:
        board: how squares lie on cells.
        turns: counter-clockwise quarter turns from camera order to White's view.
        seed: of the noise.
        surety: mean advantage of the right class, nats.
        spread: standard deviation of the noise on each class, nats.
        kings_show: kings are marked so that they can be told from men.
    """

    board: Board
    turns: int = 0
    seed: int = 0
    surety: float = 9.0
    spread: float = 1.0
    kings_show: bool = True
    _rng: np.random.Generator = field(init=False)
    _number: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self._rng = np.random.default_rng(self.seed)

    def see(
        self,
        position: Position,
        at_ns: int = 0,
        *,
        misread: Mapping[int, str] | None = None,
        dim: Collection[int] = (),
        covered: Collection[int] = (),
        stray: Mapping[tuple[int, int], str] | None = None,
        motion: float = 0.0,
    ) -> Percept:
        """The percept of a position.

        Args:
            position: what stands on the board.
            at_ns: time of the frame.
            misread: square -> what is surely seen there instead.
            dim: squares that can't be read.
            covered: squares that something hides.
            stray: cells off the playing squares -> a piece that is surely seen there.
            motion: as in a percept.
        """
        shown = {**position.pieces(), **(misread or {})}
        size = self.board.size
        letters = np.full((size, size), ".")
        for square, letter in shown.items():
            seen = letter if self.kings_show or letter in ".wb" else _KING_OF[letter]
            letters[self.board.cell(square)] = seen
        for cell, letter in (stray or {}).items():
            letters[cell] = letter
        hidden = [self.board.cell(square) for square in covered]
        logits = self._logits(letters)
        for cell in [*hidden, *(self.board.cell(square) for square in dim)]:
            logits[cell] = self._rng.normal(0.0, 0.3, len(CLASSES))
        logs = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
        mask = np.zeros((size, size), bool)
        for cell in hidden:
            mask[cell] = True
        self._number += 1
        return Percept(
            number=self._number - 1,
            at_ns=at_ns,
            size=size,
            geometry="found",
            corners=((0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0)),
            covered=tuple(int(n) for n in np.flatnonzero(np.rot90(mask, -self.turns))),
            scores=quantise(np.rot90(logs, -self.turns)),
            motion=motion,
        )

    def _logits(self, letters: NDArray[np.str_]) -> NDArray[np.float64]:
        logits = self._rng.normal(0.0, self.spread, (*letters.shape, len(CLASSES)))
        for place, letter in enumerate(CLASSES):
            logits[..., place][letters == letter] += self.surety
            if letter in _KING_OF:
                # a king is taken for a man of its colour sooner than for anything else
                logits[..., place][letters == _KING_OF[letter]] += self.surety / 3
        return logits
