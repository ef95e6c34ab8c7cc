"""Where the two halves of a nardi board lie in a picture.

Camera order: ``corners[0]`` is thought top left, and ``corners[0]`` -> ``corners[1]`` runs along a
row of twelve bases.  Coordinates on a half: x from 0 to 6 over its points, y from 0 at the upper
row's bases to 1 at the lower row's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import VisionError
from ..geometry import homography_from_points, inverse, project

Points = NDArray[np.float64]
Image = NDArray[np.uint8]

#: Pixels of a point's width and of the field's height in the picture of a half, and the room
#: left around the half.
POINT_PX, ALONG_PX, ROOM_X, ROOM_Y = 20, 240, 12, 16
HALF_WH = (6 * POINT_PX + 2 * ROOM_X, ALONG_PX + 2 * ROOM_Y)

#: The bar's share of the width where nobody could see it: a folding board with a usual frame.
USUAL_BAR = (0.46, 0.54)

_BOX = np.array([[0, 0], [6, 0], [6, 1], [0, 1]], np.float64)
_UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class NardiGeometry:
    """Both halves of the field.

    Attributes:
        halves: float64 (2, 4, 2), corners of the left and of the right half in pixels, each
            clockwise from its upper left; read-only.
        residual: how unsure the corners are, of the board's width; 0 for clicked ones.
    """

    halves: Points
    residual: float = 0.0

    def __post_init__(self) -> None:
        h = np.array(self.halves, np.float64)
        if h.shape != (2, 4, 2) or not np.isfinite(h).all():
            raise VisionError(f"halves {h.shape}", "nardi geometry", "2 x 4 finite points x, y")
        for half in h:
            _demand_convex(half)
        h.flags.writeable = False
        object.__setattr__(self, "halves", h)

    @classmethod
    def from_corners(
        cls,
        corners: ArrayLike,
        bar: tuple[float, float] | tuple[tuple[float, float], tuple[float, float]] = USUAL_BAR,
        residual: float = 0.0,
    ) -> NardiGeometry:
        """The geometry of four outer corners in camera order.

        ``bar``: where the bar begins and ends, shares of the board's width; one pair, or one for
        each row of bases.
        """
        c = np.asarray(corners, np.float64)
        if c.shape != (4, 2):
            raise VisionError(f"corners {c.tolist()}", "nardi geometry", "four points x, y")
        _demand_convex(c)
        upper, lower = np.broadcast_to(np.asarray(bar, np.float64), (2, 2))
        to_image = homography_from_points(_UNIT, c)
        ends = project(to_image, [[upper[0], 0], [upper[1], 0], [lower[1], 1], [lower[0], 1]])
        left = [c[0], ends[0], ends[3], c[3]]
        right = [ends[1], c[1], c[2], ends[2]]
        return cls(np.array([left, right]), residual)

    @property
    def corners(self) -> Points:
        """Outer corners (4, 2) of the playing area, camera order."""
        left, right = self.halves
        return np.array([left[0], right[1], right[2], left[3]])

    @property
    def bar(self) -> tuple[float, float]:
        """Where the bar begins and ends, shares of the board's width."""
        back = homography_from_points(self.corners, _UNIT)
        inner = np.array([self.halves[0, 1], self.halves[0, 2], *self.halves[1, [0, 3]]])
        x = project(back, inner)[:, 0]
        return float(x[:2].mean()), float(x[2:].mean())

    def board_width_px(self) -> float:
        """Width of the field in pixels, the mean of the two rows."""
        c = self.corners
        return float((np.hypot(*(c[1] - c[0])) + np.hypot(*(c[2] - c[3]))) / 2)

    def to_image(self, half: int, places: ArrayLike) -> Points:
        """Pixels (..., 2) of places (..., 2) on a half."""
        return project(homography_from_points(_BOX, self.halves[half]), places)

    def to_half(self, half: int, pixels: ArrayLike) -> Points:
        """Places (..., 2) on a half of pixels (..., 2)."""
        return project(homography_from_points(self.halves[half], _BOX), pixels)

    def to_board(self, pixels: ArrayLike) -> Points:
        """Board units (..., 2) of pixels: (0, 0) at corners[0], (1, 1) at corners[2]."""
        return project(homography_from_points(self.corners, _UNIT), pixels)

    def turned(self, quarters: int) -> NardiGeometry:
        """The same field with its corners counted from half a turn on (``quarters`` 0 or 2)."""
        if quarters % 4 == 0:
            return self
        return NardiGeometry(np.roll(self.halves[::-1], -2, axis=1), self.residual)

    def to_json(self) -> dict[str, Any]:
        """The geometry as JSON values."""
        return {"halves": self.halves.tolist(), "residual": self.residual}


def _demand_convex(corners: Points) -> None:
    edges = np.roll(corners, -1, axis=0) - corners
    ahead = np.roll(edges, -1, axis=0)
    if not (edges[:, 0] * ahead[:, 1] - edges[:, 1] * ahead[:, 0] > 0).all():
        raise VisionError(
            f"corners {np.round(corners, 1).tolist()}",
            "nardi geometry",
            "the corners of a convex four-sided figure, clockwise in the picture",
        )


def usual_order(geometry: NardiGeometry) -> NardiGeometry:
    """The geometry counted so that, of the two corners that may come first, the one nearest the
    picture's top left does.
    """
    c = geometry.corners
    return geometry.turned(0 if np.hypot(*c[0]) <= np.hypot(*c[2]) else 2)


def to_canvas() -> Points:
    """3x3 from places on a half to pixels of its picture."""
    return np.array(
        [[POINT_PX, 0, ROOM_X - 0.5], [0, ALONG_PX, ROOM_Y - 0.5], [0, 0, 1]], np.float64
    )


def half_picture(image: Image, geometry: NardiGeometry, half: int) -> Image:
    """A half from straight above, uint8 (h, w, 3) with (w, h) HALF_WH."""
    image, corners = no_finer(image, geometry.halves[half], 6 * POINT_PX)
    through = to_canvas() @ inverse(homography_from_points(_BOX, corners))
    return np.asarray(
        cv2.warpPerspective(image, through, HALF_WH, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def no_finer(image: Image, corners: Points, width: float) -> tuple[Image, Points]:
    """The part of a picture around four corners, made smaller when it has many more pixels than a
    warp to ``width`` would look at: noise and grain between them would come and go.
    """
    low = np.maximum(np.floor(corners.min(0) - 0.3 * np.ptp(corners, axis=0)), 0).astype(int)
    high = np.ceil(corners.max(0) + 0.3 * np.ptp(corners, axis=0)).astype(int) + 1
    part = image[low[1] : high[1], low[0] : high[0]]
    if part.size == 0:
        return image, corners
    corners = corners - low
    edges = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    factor = 1.5 * width / float(max(edges[0], edges[2]))
    if factor > 0.75:
        return part, corners
    small = cv2.resize(part, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), (corners + 0.5) * factor - 0.5
