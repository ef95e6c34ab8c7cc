"""What the eyes say about one frame, small enough to keep in a journal.

A percept holds no pixels.  Squares are in camera order: row 0 runs along ``corners[0]`` ->
``corners[1]``, so that which way the board lies is found later, by whoever knows the game.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from .errors import VisionError

#: What can stand on a square, in this order in every array: empty, man and king of the lighter
#: side, man and king of the darker side.
CLASSES = ".wWbB"

#: A log-probability is kept as an integer number of these (nats); int8 reaches down to -15.9.
STEP = 0.125

GeometryState = Literal["found", "lost", "bumped"]
Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Percept:
    """What one frame says.

    Attributes:
        number, at_ns: those of the frame.
        size: squares along one edge of the board, 8 or 10.
        geometry: ``found``; ``bumped`` (found again elsewhere than before); ``lost``.
        reason: why it is lost; else empty.
        corners: outer corners of the playing area in pixels, clockwise in the picture, the first
            one nearest its top left; None when lost.
        covered: indices (row * size + column) of squares that something hides, sorted.
        scores: size * size * 5 signed bytes, row by row, then by CLASSES: log-probabilities in
            units of STEP; None when lost.
        motion: share of the board's area that changed since the frame before, 0 to 1.
    """

    number: int
    at_ns: int
    size: int
    geometry: GeometryState
    reason: str = ""
    corners: Corners | None = None
    covered: tuple[int, ...] = ()
    scores: bytes | None = None
    motion: float = 0.0

    def __post_init__(self) -> None:
        if self.scores is not None and len(self.scores) != self.size**2 * len(CLASSES):
            raise VisionError(
                f"{len(self.scores)} scores", "percept", f"{self.size**2 * len(CLASSES)}"
            )

    def log_probabilities(self) -> NDArray[np.float32]:
        """Log-probabilities, float32 (size, size, 5), of a board that was found."""
        if self.scores is None:
            raise VisionError("no scores", "percept", "a percept of a board that was found")
        flat = np.frombuffer(self.scores, np.int8).astype(np.float32) * STEP
        return flat.reshape(self.size, self.size, len(CLASSES))

    def to_json(self) -> dict[str, Any]:
        """The percept as JSON values; ``from_json`` reads them back equal."""
        return {
            "number": self.number,
            "at_ns": self.at_ns,
            "size": self.size,
            "geometry": self.geometry,
            "reason": self.reason,
            "corners": self.corners,
            "covered": self.covered,
            "scores": None if self.scores is None else base64.b64encode(self.scores).decode(),
            "motion": self.motion,
        }

    @classmethod
    def from_json(cls, row: dict[str, Any]) -> Percept:
        """The percept that ``to_json`` wrote."""
        corners = row["corners"]
        scores = row["scores"]
        return cls(
            number=row["number"],
            at_ns=row["at_ns"],
            size=row["size"],
            geometry=row["geometry"],
            reason=row["reason"],
            corners=None if corners is None else cast("Corners", tuple((x, y) for x, y in corners)),
            covered=tuple(row["covered"]),
            scores=None if scores is None else base64.b64decode(scores),
            motion=row["motion"],
        )


def quantise(log_probabilities: NDArray[np.floating[Any]]) -> bytes:
    """Log-probabilities (size, size, 5) as the bytes that a Percept keeps."""
    steps = np.rint(np.asarray(log_probabilities, np.float64) / STEP)
    return np.clip(steps, -127, 0).astype(np.int8).tobytes()
