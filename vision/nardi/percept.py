"""What the eyes say about one frame of a nardi board, small enough to keep in a journal.

A percept holds no pixels.  Points are in camera order: number 0 to 11 lie along ``corners[0]`` ->
``corners[1]``, 12 to 23 along ``corners[3]`` -> ``corners[2]``, both from left to right when
``corners[0]`` is thought top left.  Which of them is which point of the game is found later, by
whoever knows the game.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from ..errors import VisionError
from ..percept import STEP, Corners, GeometryState

#: Points of a board, in camera order: 12 along the top, 12 along the bottom.
POINTS = 24

#: The sides in every array: the one with the lighter checkers, the one with the darker ones.
SIDES = "wb"

#: Counts 0..15 on a point or borne off.
COUNTS = 16

Half = Literal["left", "right", "off"]


@dataclass(frozen=True, slots=True)
class DieSeen:
    """One die.

    Attributes:
        pips: 1 to 6; 0 for a die that can't be read: cocked, blurred, half hidden.
        p: how likely these pips are right, 0 to 1.
        centre: where it lies, in board units: (0, 0) is ``corners[0]``, (1, 0) ``corners[1]``,
            (1, 1) ``corners[2]``; outside 0..1 is off the board.
        half: the half of the board that it lies in, split by the bar, seen with ``corners[0]``
            top left; ``off`` beside the board or on its rim.
        size: its edge in board units along ``corners[0]`` -> ``corners[1]``; 0 when not known.
        cocked: it leans on something or stands on a checker, whether its pips could be read or not.
    """

    pips: int
    p: float
    centre: tuple[float, float]
    half: Half
    size: float = 0.0
    cocked: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.pips <= 6:
            raise VisionError(f"{self.pips} pips", "die", "0 to 6")


@dataclass(frozen=True, slots=True)
class NardiPercept:
    """What one frame says.

    Attributes:
        number, at_ns: those of the frame.
        geometry: ``found``; ``bumped`` (found again elsewhere than before); ``lost``.
        reason: why it is lost; else empty.
        corners: outer corners of the playing area in pixels, clockwise in the picture;
            ``corners[0]`` -> ``corners[1]`` runs along twelve bases of points; None when lost.
        covered: points (0..23, camera order) that something hides, sorted.
        counts: 24 * 2 * 16 signed bytes, by point, SIDES, count 0..15: log-probabilities in units
            of STEP, of each side's count by itself; a point of which nothing is known has equal
            ones.  None when lost.
        dice: those seen; None when nobody looked for dice in this frame.
        off: 2 * 16 signed bytes, by SIDES and count: the same for checkers borne off, as far as
            they are seen in a tray or beside the board; None when nobody looked.
        loose: centres, in board units, of checkers that stand on no point: on the bar, between two
            points, on the rim, in a hand.
        motion: share of the board's area that changed since the frame before, 0 to 1.
    """

    number: int
    at_ns: int
    geometry: GeometryState
    reason: str = ""
    corners: Corners | None = None
    covered: tuple[int, ...] = ()
    counts: bytes | None = None
    dice: tuple[DieSeen, ...] | None = None
    off: bytes | None = None
    loose: tuple[tuple[float, float], ...] = ()
    motion: float = 0.0

    def __post_init__(self) -> None:
        for name, values, shape in (
            ("counts", self.counts, (POINTS, len(SIDES), COUNTS)),
            ("off", self.off, (len(SIDES), COUNTS)),
        ):
            expected = int(np.prod(shape))
            if values is not None and len(values) != expected:
                raise VisionError(f"{len(values)} {name}", "percept", str(expected))

    def log_probabilities(self) -> NDArray[np.float32]:
        """Log-probabilities, float32 (24, 2, 16), of a board that was found."""
        if self.counts is None:
            raise VisionError("no counts", "percept", "a percept of a board that was found")
        flat = np.frombuffer(self.counts, np.int8).astype(np.float32) * STEP
        return flat.reshape(POINTS, len(SIDES), COUNTS)

    def to_json(self) -> dict[str, Any]:
        """The percept as JSON values; ``from_json`` reads them back equal."""
        return {
            "number": self.number,
            "at_ns": self.at_ns,
            "geometry": self.geometry,
            "reason": self.reason,
            "corners": self.corners,
            "covered": self.covered,
            "counts": _text(self.counts),
            "dice": None if self.dice is None else [asdict(die) for die in self.dice],
            "off": _text(self.off),
            "loose": self.loose,
            "motion": self.motion,
        }

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> NardiPercept:
        """The percept that ``to_json`` wrote."""
        corners, dice = row["corners"], row["dice"]
        return cls(
            number=row["number"],
            at_ns=row["at_ns"],
            geometry=row["geometry"],
            reason=row["reason"],
            corners=None if corners is None else cast("Corners", tuple((x, y) for x, y in corners)),
            covered=tuple(row["covered"]),
            counts=_bytes(row["counts"]),
            dice=None if dice is None else tuple(_die(die) for die in dice),
            off=_bytes(row["off"]),
            loose=tuple((x, y) for x, y in row["loose"]),
            motion=row["motion"],
        )


def quantise_counts(log_probabilities: NDArray[np.floating[Any]]) -> bytes:
    """Log-probabilities (24, 2, 16) or (2, 16), ``-inf`` allowed, as the bytes that are kept."""
    steps = np.rint(np.maximum(np.asarray(log_probabilities, np.float64), -1e3) / STEP)
    return np.clip(steps, -127, 0).astype(np.int8).tobytes()


def _die(row: Mapping[str, Any]) -> DieSeen:
    x, y = row["centre"]
    return DieSeen(**{**row, "centre": (x, y)})


def _text(values: bytes | None) -> str | None:
    return None if values is None else base64.b64encode(values).decode()


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else base64.b64decode(text)
