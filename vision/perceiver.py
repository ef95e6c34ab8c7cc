"""Frames to percepts: everything that is made of pixels, and all that is remembered of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .calibrate import Calibration, Refusal, calibrate
from .errors import VisionError
from .frame import Frame
from .geometry import BoardGeometry
from .locate import NotFound, cut_off, locate, refine
from .markers import or_by_markers
from .model import KINDS, SquareModel, Support
from .percept import CLASSES, Corners, GeometryState, Percept, quantise
from .squares import COVERED, Seen, less_strays, look, read
from .track import Drift, changed, drift, furthest, in_order_of, moved

#: A shift that calls for a closer look, one that is taken over, and one that counts as a knock,
#: in squares.
SHIFTED, STEADY, BUMPED = 0.08, 0.03, 0.15

#: Likeness of the board to what it was, from which on it lies where it did to about a tenth of a
#: square, whatever stands on it now; and the least of any board that lies where it did.
ALIKE, UNLIKE = 0.85, 0.45

#: More covered squares than this share: a hand, or a board that lies elsewhere.
HIDDEN = 0.15

#: Open squares of a share below this don't say where the board lies.
TOO_FEW = 0.12

#: How long the board may be hidden, and its place unsure, before it counts as lost, nanoseconds.
PATIENCE = 1_500_000_000

#: Squares of each kind that are kept of a confirmed position, and how many positions.
_LEARNED, _POSITIONS = 6, 3


class Perceiver:
    """The eyes of one board.

    Args:
        size: squares along one edge.
        weights: the network's file.
        calibration: what was learned of this set, if anything.
        corners: (4, 2) pixels that a person gave; the board is not searched for then.

    Raises:
        BadWeights: the network's file can't be used.
    """

    def __init__(
        self,
        size: int,
        weights: Path | SquareModel,
        calibration: Calibration | None = None,
        corners: ArrayLike | None = None,
    ) -> None:
        self.size = size
        self.model = weights if isinstance(weights, SquareModel) else SquareModel(weights)
        self.calibration = calibration
        self._given = None if corners is None else BoardGeometry.from_corners(size, corners)
        self._geometry: BoardGeometry | None = None
        self._last: BoardGeometry | None = None  # where it was before it was lost
        self._reference: NDArray[np.float32] | None = None
        self._seen: Seen | None = None
        self._scores: NDArray[np.float32] | None = None
        self._by_edges = True  # whether the board's own squares say where it lies
        # where a board lies whose own squares don't say it, and how it looks there
        self._blind: tuple[BoardGeometry, NDArray[np.float32]] | None = None
        self._due = False  # whether its place must be measured again before it is believed
        self._doubted_from: int | None = None  # since when nobody knows where it lies
        self._learned: list[Support] = []

    @property
    def geometry(self) -> BoardGeometry | None:
        """Where the board was last."""
        return self._geometry

    def see(self, frame: Frame) -> Percept:
        """What one frame says; the board is followed from frame to frame."""
        before = self._seen
        state, reason = self._follow(frame)
        if self._geometry is None or self._seen is None:
            return Percept(frame.number, frame.at_ns, self.size, "lost", reason)
        seen = self._seen
        scores = read(self.model, seen, self._support())
        if self.calibration is not None:
            scores = less_strays(scores, seen.light, self.calibration.on_dark)
        self._scores = scores
        unsure = self._doubted_from is not None
        hidden = np.nonzero((seen.covered > COVERED) | unsure)[0]
        same_place = before is not None and state == "found"
        motion = changed(before.ground, seen.ground) if before is not None and same_place else 0.0
        return Percept(
            number=frame.number,
            at_ns=frame.at_ns,
            size=self.size,
            geometry=state,
            corners=_corners(self._geometry),
            covered=tuple(int(i) for i in hidden),
            scores=quantise(
                _doubted(scores, np.ones_like(seen.covered) if unsure else seen.covered).reshape(
                    self.size, self.size, len(CLASSES)
                )
            ),
            motion=motion,
        )

    def calibrate(self, frame: Frame, swap: bool = False) -> Calibration | Refusal:
        """Learn from a frame with the start position, and go on with what was learned."""
        _, reason = self._follow(frame)
        if self._geometry is None or self._seen is None:
            return Refusal(f"no board: {reason}", "let the camera see the whole board, in light")
        made = calibrate(self.model, self._seen, self._geometry, swap)
        if isinstance(made, Calibration):
            self.calibration = made
            self._learned.clear()
        return made

    def describe(self, frame: Frame) -> Seen | None:
        """All squares of a frame as the network describes them; None where no board is found."""
        self._follow(frame)
        return None if self._geometry is None else self._seen

    def learn(self, grid: Sequence[str]) -> None:
        """Take squares of the last frame as examples, now that the game has confirmed them.

        Args:
            grid: rows in camera order, characters of CLASSES or ``?``.
        """
        if self._seen is None or self._scores is None:
            return
        seen, labels = self._seen, np.array([CLASSES.find(c) for row in grid for c in row])
        if len(labels) != self.size**2:
            return
        # a square that is read otherwise is no good example, whatever the game says
        agreed = (labels >= 0) & (self._scores.argmax(axis=1) == labels)
        agreed &= seen.covered < COVERED / 2
        kinds = np.stack(
            [
                agreed & (labels == 0) & (seen.light == 0),
                agreed & (labels == 0) & (seen.light == 1),
                agreed & (labels == 1),
                agreed & (labels == 3),
                agreed & (labels == 2),
                agreed & (labels == 4),
            ],
            axis=1,
        )
        kept = kinds & (np.cumsum(kinds, axis=0) <= _LEARNED)
        rows = kept.any(axis=1)
        self._learned.append(Support(seen.made[rows], kept[rows].astype(np.float32)))
        del self._learned[:-_POSITIONS]
        # what stands there now is what to compare with, once it is known to lie where it did:
        # a camera that sags would else be followed by nobody
        self._due = True

    def _support(self) -> Support | None:
        known = [] if self.calibration is None else [self.calibration.support]
        if not known:
            return None
        known += self._learned
        return Support(
            np.concatenate([s.made for s in known]),
            np.concatenate([s.weights for s in known]).reshape(-1, KINDS),
        )

    def _look(self, frame: Frame, geometry: BoardGeometry) -> Seen:
        apart = None if self.calibration is None else self.calibration.apart
        return look(self.model, frame.image, geometry, apart)

    def _follow(self, frame: Frame) -> tuple[GeometryState, str]:
        """Set geometry and squares for this frame; None when the board is lost."""
        geometry, reference = self._geometry, self._reference
        if geometry is None or reference is None:
            return self._find(frame)
        seen = self._seen = self._look(frame, geometry)
        covered = seen.covered > COVERED
        # a board that lies elsewhere looks covered, too
        hidden = bool(covered.mean() > HIDDEN)
        gone = drift(reference, seen.ground, covered)
        alike = gone.likeness > (ALIKE if self._by_edges else UNLIKE) and gone.far < SHIFTED
        if alike and (~covered).mean() > TOO_FEW and (hidden or not self._due):
            return self._sure()
        if hidden:
            gone = drift(reference, seen.ground, np.zeros_like(covered))
        near = self._near(frame, geometry, gone)
        if isinstance(near, BoardGeometry):
            near = in_order_of(near, geometry)
            step = furthest(near, geometry)
            if step < STEADY:
                self._by_edges = True
                self._reference = reference if hidden else seen.ground
                self._due = hidden
                return self._sure()
            there = self._look(frame, near)
            if step < 1.0 and drift(reference, there.ground, there.covered > COVERED).likeness > (
                ALIKE if hidden else UNLIKE
            ):
                return self._register(frame, near, there)
        if alike and not hidden:
            return self._sure()
        return self._find(frame, hidden or gone.likeness > UNLIKE)

    def _near(self, frame: Frame, geometry: BoardGeometry, gone: Drift) -> BoardGeometry | NotFound:
        """The board near to where it seems to have moved."""
        try:
            guess = moved(geometry, gone.shift)
        except VisionError:  # beyond the horizon: no shift of a camera
            guess = geometry
        return refine(frame.image, guess)

    def _sure(self) -> tuple[GeometryState, str]:
        self._doubted_from = None
        return "found", ""

    def _find(self, frame: Frame, hidden: bool = False) -> tuple[GeometryState, str]:
        """Search the whole picture; a board that may be ``hidden`` is not lost at once."""
        before = self._last
        found = self._search(frame)
        if hidden and isinstance(found, BoardGeometry) and not self._familiar(frame, found):
            found = NotFound("too much of the board is hidden")
        if isinstance(found, NotFound):
            if hidden and self._doubted_from is None:
                self._doubted_from = frame.at_ns
            if hidden and frame.at_ns - (self._doubted_from or 0) < PATIENCE:
                return "found", ""
            self._geometry = self._seen = self._reference = self._doubted_from = None
            return "lost", found.reason
        if before is not None:
            found = in_order_of(found, before)
        return self._register(frame, found)

    def _familiar(self, frame: Frame, found: BoardGeometry) -> bool:
        """Whether what is seen of a board that is mostly hidden looks as it did before."""
        if self._reference is None or self._last is None:
            return True
        there = self._look(frame, in_order_of(found, self._last))
        covered = there.covered > COVERED
        return drift(self._reference, there.ground, covered).likeness > ALIKE

    def _search(self, frame: Frame) -> BoardGeometry | NotFound:
        if self._given is not None and self._last is None:
            near = refine(frame.image, self._given)
            self._by_edges = isinstance(near, BoardGeometry) and furthest(near, self._given) < 0.35
            at = near if self._by_edges and isinstance(near, BoardGeometry) else self._given
            return cut_off(at, frame.image) or at
        found = locate(frame.image, self.size)
        by_edges = isinstance(found, BoardGeometry)
        if isinstance(found, NotFound):
            found = or_by_markers(frame.image, self.size, found)
        if isinstance(found, NotFound) and self._blind is not None:
            found = self._where_it_was(frame, *self._blind) or found
        if isinstance(found, BoardGeometry):
            # a search in vain, as in the dark, says nothing of a board that keeps its place
            self._by_edges = by_edges
        return found

    def _where_it_was(
        self, frame: Frame, geometry: BoardGeometry, before: NDArray[np.float32]
    ) -> BoardGeometry | None:
        """The place of a board that shows no squares, when the picture is as it was."""
        now = self._look(frame, geometry)
        gone = drift(before, now.ground, now.covered > COVERED)
        return geometry if gone.likeness > UNLIKE and gone.far < SHIFTED else None

    def _register(
        self, frame: Frame, geometry: BoardGeometry, seen: Seen | None = None
    ) -> tuple[GeometryState, str]:
        before = self._last
        self._geometry = self._last = geometry
        self._seen = seen or self._look(frame, geometry)
        self._reference = self._seen.ground
        self._due, self._doubted_from = False, None
        self._blind = None if self._by_edges else (geometry, self._reference)
        knocked = before is not None and furthest(geometry, before) > BUMPED
        return ("bumped" if knocked else "found"), ""


def _doubted(scores: NDArray[np.float32], covered: NDArray[np.float32]) -> NDArray[np.float32]:
    """Log-probabilities with nothing said of squares that something hides."""
    hidden = np.clip((covered[:, None] - 0.2) / 0.6, 0, 1)
    even = 1 / len(CLASSES)
    mixed = np.exp(scores) * (1 - hidden) + even * hidden
    return np.asarray(np.log(np.maximum(mixed, 1e-7)), np.float32)


def _corners(geometry: BoardGeometry) -> Corners:
    a, b, c, d = ((float(x), float(y)) for x, y in geometry.corners)
    return (a, b, c, d)
