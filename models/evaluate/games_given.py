"""A table without pictures: every square that no hand hides is read right, or nearly.

What still goes wrong then is the session's doing, and not the eyes'.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from device.resting import Rest
from device.session import Setup, begin, step
from device.session_values import Command, Input, Json, Publish
from models.synth.arrays import Array
from models.synth.game import Shot, Step, Table, moments
from models.synth.hand import Look
from models.synth.scene import Rendered
from rules.draughts.geometry import Board
from rules.draughts.position import Position
from vision.fake import FakeEyes
from vision.frame import Frame
from vision.percept import CLASSES, STEP, Percept

#: Half the width of a hand and its arm, and how far fingers reach beyond what they hold, squares.
WIDE, BEYOND = 0.95, 0.7

#: How far the other arm of a player lies beside the first.
ASIDE = 4.4

#: A hand that moves less than this, squares a second, looks still.
MOVES = 0.3


class Eyes(Protocol):
    """What says what a frame holds."""

    def see(self, frame: Frame) -> Percept:
        """What one frame says."""


@dataclass(frozen=True, slots=True)
class Noise:
    """How made-up eyes fail; chances for each square, drawn anew whenever a hand was there.

    Attributes:
        vague: it can't be read for a whole scene.
        leaning: another content looks likelier by 2 to 5 nats for a whole scene.
        wrong: another content looks sure for a whole scene.
        flicker: another content looks sure in one frame.
        kings: ``shown``; ``vague``: a king or a man, who knows; ``two-tone``: men on men of the
            other colour, which read as the other side's in a third of the scenes.
    """

    vague: float = 0.0
    leaning: float = 0.0
    wrong: float = 0.0
    flicker: float = 0.0
    kings: str = "shown"


CLEAN = Noise()

#: A third of the scenes has a square that can't be read, one in thirty one that looks like
#: something else, one in three hundred one that surely does.
NOISY = Noise(vague=5e-3, leaning=5e-4, wrong=5e-5, flicker=5e-4)

#: Kings of two colours read as the other side's so often.
TURNED = 0.33

_SWAPPED = [CLASSES.index(letter) for letter in ".bBwW"]


class Given:
    """Both the lens and the eyes."""

    hands = 2

    def __init__(self, board: Board, seed: int = 0, noise: Noise = CLEAN) -> None:
        self._board = board
        self._eyes = FakeEyes(board, seed=seed, kings_show=noise.kings != "vague")
        self._noise = noise
        self._rng = np.random.default_rng([seed, 77])
        self._scene: dict[tuple[int, int], Callable[[Array], Array]] = {}
        self._turned = False
        self.both = False
        self._letters: dict[tuple[int, int], str] = {}
        self._hidden = np.zeros((board.size, board.size), bool)
        self._motion = 0.0

    def still(self, table: Table, shot: Shot) -> Iterator[Rendered]:
        """Frames without a hand, without end."""
        self._another_scene()
        frame = self._frame(table, None, 0.0, 0.0)
        while True:
            yield replace(frame, image=frame.image.copy())  # another picture, read anew

    def hand(
        self, steps: Sequence[Step], table: Table, look: Look, heading: float, shot: Shot
    ) -> Iterator[Rendered]:
        """Frames of a hand that goes through steps."""
        self._another_scene()
        for tip, speed in moments(steps, table, shot.fps):
            yield self._frame(table, tip, heading, float(np.hypot(speed[0], speed[1])))

    def see(self, frame: Frame) -> Percept:
        """What the frame that was yielded last says."""
        pieces = {self._board.at(*cell): x for cell, x in self._letters.items()}
        pieces.pop(0, None)
        stray = {cell: x for cell, x in self._letters.items() if not self._board.at(*cell)}
        covered = [self._board.at(int(r), int(c)) for r, c in np.argwhere(self._hidden)]
        percept = self._eyes.see(
            Position.of(pieces, "w"), frame.at_ns, covered=[n for n in covered if n], stray=stray,
            motion=self._motion,
        )  # fmt: skip
        # an arm hides the squares that nobody plays on as well
        percept = replace(percept, covered=tuple(int(n) for n in np.flatnonzero(self._hidden)))
        return percept if self._noise == CLEAN else self._spoilt(percept)

    def _another_scene(self) -> None:
        """Which squares will be misread from now on."""
        noise, size = self._noise, self._board.size
        self._turned = noise.kings == "two-tone" and self._rng.random() < TURNED
        self._scene = {}
        for chance, how in ((noise.vague, _vague), (noise.leaning, _leaning), (noise.wrong, _sure)):
            for cell in np.argwhere(self._rng.random((size, size)) < chance):
                self._scene[int(cell[0]), int(cell[1])] = how(self._rng)

    def _spoilt(self, percept: Percept) -> Percept:
        size, noise = percept.size, self._noise
        grid = np.frombuffer(percept.scores or b"", np.int8).reshape(size, size, 5).copy()
        for cell, letter in self._letters.items():
            if letter in "WB" and noise.kings == "vague":
                pair = slice(1, 3) if letter == "W" else slice(3, 5)
                grid[(*cell, pair)] = grid[(*cell, pair)].max() - self._rng.integers(0, 30, 2)
            if letter in "WB" and self._turned:
                grid[cell] = grid[cell][_SWAPPED]
        spoilt = dict(self._scene)
        for at in np.argwhere(self._rng.random((size, size)) < noise.flicker):
            spoilt[int(at[0]), int(at[1])] = _sure(self._rng)
        for cell, change in spoilt.items():
            grid[cell] = change(grid[cell])
        return replace(percept, scores=grid.tobytes())

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
            if self.both:  # the other arm lies towards the middle
                beside = ASIDE if across[size // 2, size // 2] > 0 else -ASIDE
                self._hidden |= (along < BEYOND) & (np.abs(across - beside) < WIDE)
        self._motion = 0.2 if self._hidden.any() and speed > MOVES else 0.0
        cover = self._hidden.astype(np.float32)
        corners = np.zeros((4, 2))
        return Rendered(np.zeros((2, 2, 3), np.uint8), corners, table.grid(), cover)


# ---------------------------------------------------------------- misreadings


def _vague(rng: np.random.Generator) -> Callable[[Array], Array]:
    """A square of which nothing can be said."""
    said = -rng.integers(8, 16, 5)
    return lambda scores: said.astype(np.int8)


def _leaning(rng: np.random.Generator) -> Callable[[Array], Array]:
    """Another content looks likelier than the true one by 2 to 5 nats."""
    return _instead(rng, float(rng.uniform(2, 5)))


def _sure(rng: np.random.Generator) -> Callable[[Array], Array]:
    """Another content looks sure."""
    return _instead(rng, 10.0)


def _instead(rng: np.random.Generator, nats: float) -> Callable[[Array], Array]:
    pick = int(rng.integers(2))

    def changed(scores: Array) -> Array:
        letter = CLASSES[int(scores.argmax())].lower()
        other = [c for c in ".wb" if c != letter][pick]
        said = np.full(5, -round(12 / STEP), np.int8)
        said[CLASSES.index(letter)] = -round(nats / STEP)
        said[CLASSES.index(other)] = 0
        return said

    return changed


# ---------------------------------------------------------------- the session alone


class Unwritten:
    """As `device.app.Watch`, but nothing is written and no lamp lit: only the session thinks."""

    def __init__(self, setup: Setup, eyes: Eyes, publish: Callable[[Json], None]) -> None:
        self.state = begin(setup)
        self._eyes, self._publish = eyes, publish
        self._rest = Rest()
        self._now_ns = 0

    def look(self, frame: Frame) -> None:
        """Take one frame."""
        percept = self._eyes.see(frame)
        self._now_ns = frame.at_ns
        if not self._rest.dull(percept, self.state.phase):
            self.feed(percept)

    def feed(self, given: Input) -> None:
        """Take one input."""
        self.state, effects = step(self.state, given)
        for effect in effects:
            if isinstance(effect, Publish):
                self._publish(effect.event)

    def finish(self) -> None:
        """There are no more pictures."""
        self.feed(Command("finish", self._now_ns))

    def close(self) -> None:
        """There is nothing to close."""
