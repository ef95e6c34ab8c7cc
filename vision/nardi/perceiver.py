"""Frames of a nardi board to percepts: everything made of pixels, and what is remembered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from ..crops import GROUND_PX
from ..dice import Die, find_dice
from ..dice_model import DiceModel
from ..frame import Frame
from ..geometry import homography_from_points
from ..percept import Corners, GeometryState
from ..track import changed, drift
from .board import NardiGeometry, Points
from .evidence import point_under
from .locate import Locator, NotFound
from .percept import DieSeen, Half, NardiPercept, quantise_counts
from .points import PointReader, PointsRead, by_side
from .sides import Colours

#: The field is watched for shifts as so many tiles along an edge: a point's width each.
TILES = 12

#: A shift that calls for a closer look, and one that counts as a knock, in points' widths.
SHIFTED, BUMPED = 0.08, 0.3

#: Below this likeness the camera looks at something else, or much of the board is hidden.
UNLIKE = 0.45

#: Probability from which something lies over a point.
HIDDEN = 0.5

#: Edge of a die, in widths of a point: from 9 mm on a board of 60 cm to 16 mm on one of 40 cm.
_DIE = 0.3
#: Dice are looked for so far beside the field, in its widths.
_BESIDE = 0.12
#: A find that can't be read and looks like no number more than this is most likely no die.
_MAYBE = 0.6
#: A die whose middle lies within so much of the field's edge or the bar's, in board units, lies
#: on the rim and leans.
_RIM = 0.006


class Looks(Protocol):
    """What finds dice: `find_dice` with its networks."""

    def __call__(
        self, image: NDArray[np.uint8], region: tuple[int, int, int, int], edge: float
    ) -> Sequence[Die]:
        """The dice in a region, of about that edge in pixels."""


def looks_of(model: DiceModel) -> Looks:
    """The finder of dice that the networks make."""
    return lambda image, region, edge: find_dice(image, model, region, edge)


class NardiPerceiver:
    """The eyes of one nardi board.

    Args:
        locator: finds the field.
        reader: reads the points.
        dice: finds dice; None where dice are told by people.
        colours: of this set, where a start picture taught them.
        corners: (4, 2) pixels that a person gave; the field is not searched for then.
    """

    def __init__(
        self,
        locator: Locator,
        reader: PointReader,
        dice: Looks | None = None,
        colours: Colours | None = None,
        corners: Points | None = None,
    ) -> None:
        self._locator = locator
        self._reader = reader
        self._dice = dice
        self._colours = colours
        self._given = corners
        self._geometry: NardiGeometry | None = None
        self._reference: NDArray[np.float32] | None = None
        self._ground: NDArray[np.float32] | None = None
        self._read: PointsRead | None = None

    def see(self, frame: Frame) -> NardiPercept:
        """What one frame says; the board is followed from frame to frame."""
        before = self._ground
        state, reason = self._follow(frame)
        geometry = self._geometry
        if state == "lost" or geometry is None:
            self._ground = None
            return NardiPercept(frame.number, frame.at_ns, "lost", reason)
        now = _ground_of(frame, geometry)
        self._ground = now
        read = self._reader.read(frame.image, geometry, self._colours)
        self._read = read
        hidden = tuple(int(n) for n in np.flatnonzero(read.hidden > HIDDEN))
        still = before is not None and state == "found"
        return NardiPercept(
            number=frame.number,
            at_ns=frame.at_ns,
            geometry=state,
            corners=_corners_of(geometry),
            covered=hidden,
            counts=quantise_counts(by_side(read.joint())),
            dice=self._look_for_dice(frame, geometry, np.exp(read.counts[:, 0]) < 0.5),
            loose=tuple(read.loose),
            motion=round(changed(before, now), 4) if still and before is not None else 0.0,
        )

    def learn(self, points: tuple[str, ...]) -> None:
        """The game has confirmed what stands: this set's colours are known from here on."""
        if self._read is not None and self._read.colours.told and any(points):
            self._colours = self._read.colours

    def _follow(self, frame: Frame) -> tuple[GeometryState, str]:
        """Where the field is now."""
        before = self._geometry
        if before is not None and self._reference is not None:
            covered = np.zeros(TILES * TILES, bool)
            if self._read is not None:
                covered = _tiles(self._read.hidden > HIDDEN)
            if covered.mean() > 0.5:
                return "found", ""
            seen = drift(self._reference, _ground_of(frame, before), covered)
            if seen.likeness >= UNLIKE and seen.far < SHIFTED:
                return "found", ""
        found = self._searched(frame, before)
        if isinstance(found, NotFound):
            if before is None:
                return "lost", found.reason
            found = self._locator.find(frame.image)
            if isinstance(found, NotFound):
                self._geometry = None
                return "lost", found.reason
        self._geometry = found
        self._reference = _ground_of(frame, found)
        if before is None:
            return "found", ""
        gap = float(np.abs(found.corners - before.corners).max()) * TILES
        far = gap / before.board_width_px() > BUMPED
        return ("bumped" if far else "found"), ""

    def _searched(self, frame: Frame, before: NardiGeometry | None) -> NardiGeometry | NotFound:
        if self._given is not None:
            return self._locator.clicked(frame.image, self._given)
        if before is None:
            return self._locator.find(frame.image)
        found = self._locator.refine(frame.image, before)
        return found if isinstance(found, NotFound) else _in_order_of(found, before)

    def _look_for_dice(
        self, frame: Frame, geometry: NardiGeometry, held: NDArray[np.bool_]
    ) -> tuple[DieSeen, ...] | None:
        if self._dice is None:
            return None
        corners, width = geometry.corners, geometry.board_width_px()
        low = np.maximum(corners.min(0) - width * _BESIDE, 0).astype(int)
        high = np.minimum(corners.max(0) + width * _BESIDE, frame.size_wh).astype(int)
        region = (int(low[0]), int(low[1]), int(high[0]), int(high[1]))
        seen = self._dice(frame.image, region, width / 13 * _DIE)
        dice = (die_on_board(die, geometry) for die in seen if die.pips or die.p >= _MAYBE)
        return tuple(die for die in dice if die.pips or not _on_checkers(die, held))


def _on_checkers(die: DieSeen, held: NDArray[np.bool_]) -> bool:
    """Whether a find lies where checkers do: unread it is most likely their rims or ornaments."""
    place = point_under(*die.centre)
    return place is not None and bool(held[place])


def die_on_board(die: Die, geometry: NardiGeometry) -> DieSeen:
    """A die as a percept tells it: where it lies on the board, and whether it lies flat."""
    x0, y0, x1, y1 = die.box
    places = geometry.to_board([[(x0 + x1) / 2, (y0 + y1) / 2]])
    x, y = (round(float(v), 4) for v in places[0])
    left, right = geometry.bar
    inside = 0 <= x <= 1 and 0 <= y <= 1
    half: Half = "off" if not inside else "left" if x < (left + right) / 2 else "right"
    rims = [abs(y), abs(1 - y), abs(x), abs(1 - x)]
    leans = inside and (min(rims) < _RIM or left - _RIM < x < right + _RIM)
    size = round(max(x1 - x0, y1 - y0) / geometry.board_width_px(), 4)
    return DieSeen(die.pips, die.p, (x, y), half, size, leans)


def _in_order_of(found: NardiGeometry, before: NardiGeometry) -> NardiGeometry:
    """The geometry with its corners counted from the same one as before."""
    turned = found.turned(2)
    gaps = [float(np.abs(g.corners - before.corners).sum()) for g in (found, turned)]
    return found if gaps[0] <= gaps[1] else turned


def _ground_of(frame: Frame, geometry: NardiGeometry) -> NDArray[np.float32]:
    """The field from straight above, log brightness, TILES * GROUND_PX square."""
    edge = TILES * GROUND_PX
    square = np.array([[0, 0], [edge, 0], [edge, edge], [0, edge]], np.float64)
    through = homography_from_points(geometry.corners, square)
    grey = cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY)
    # smooth, so that the sensor's noise is no movement
    grey = cv2.GaussianBlur(grey, (0, 0), max(0.5, geometry.board_width_px() / edge / 2))
    flat = cv2.warpPerspective(grey, through, (edge, edge), borderMode=cv2.BORDER_REPLICATE)
    flat = cv2.GaussianBlur(flat, (0, 0), 1.5)
    return np.asarray(np.log(flat.astype(np.float32) + 8.0), np.float32)


def _tiles(hidden: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Points in camera order as tiles: each covers half a column."""
    rows = np.repeat(hidden.reshape(2, TILES), TILES // 2, axis=0)
    return np.asarray(rows.reshape(-1), np.bool_)


def _corners_of(geometry: NardiGeometry) -> Corners:
    a, b, c, d = ((round(float(x), 1), round(float(y), 1)) for x, y in geometry.corners)
    return a, b, c, d
