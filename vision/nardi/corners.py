"""Pictures of the eight corners of both halves, each turned so that all of them look alike.

A corner's picture has the corner near its middle, the bases running to the right and the points
pointing down, whichever corner it is: the frame or the bar is on the left and above.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from ..geometry import homography_from_points, inverse, project
from .board import Image, NardiGeometry, Points, no_finer

#: Edge of a corner's picture in pixels, and of a cell of what the network says of it.
CORNER_PX, CORNER_CELL = 48, 2
#: How far it reaches from the corner: across in widths of a point, along in heights of the field.
ACROSS, ALONG = 2.2, 0.19

_BOX = np.array([[0, 0], [6, 0], [6, 1], [0, 1]], np.float64)
#: Widths of a board's points with its bar, about: how fine the picture has to be.
_POINTS = 13


def frames(geometry: NardiGeometry) -> Points:
    """3x3 from a corner's pixels to the picture's, (8, 3, 3): four corners of the left half,
    clockwise from its upper left, then of the right half.
    """
    step = 2 * ACROSS / CORNER_PX, 2 * ALONG / CORNER_PX
    out = []
    for half in geometry.halves:
        to_image = homography_from_points(_BOX, half)
        for x, y in _BOX:
            right, down = (1 if x == 0 else -1), (1 if y == 0 else -1)
            local = np.array([
                [right * step[0], 0, x + right * (0.5 * step[0] - ACROSS)],
                [0, down * step[1], y + down * (0.5 * step[1] - ALONG)],
                [0, 0, 1],
            ])  # fmt: skip
            out.append(to_image @ local)
    return np.array(out)


def corner_pictures(image: Image, geometry: NardiGeometry) -> tuple[NDArray[np.uint8], Points]:
    """The eight pictures, uint8 (8, 48, 48, 3), and their 3x3 to the picture's pixels."""
    back = frames(geometry)
    width = _POINTS / (2 * ACROSS) * CORNER_PX
    part, corners = no_finer(image, geometry.corners, width)
    # the same part of the picture, shifted and scaled: found again by its corners
    to_part = homography_from_points(geometry.corners, corners)
    seen = [
        cv2.warpPerspective(
            part,
            inverse(to_part @ one),
            (CORNER_PX, CORNER_PX),
            borderMode=cv2.BORDER_REPLICATE,
        )
        for one in back
    ]
    return np.asarray(np.stack(seen), np.uint8), back


def moved(back: Points, cells: Points) -> Points:
    """Pixels of the picture (8, 2) of places (8, 2) in the cells of the eight pictures."""
    at = (cells + 0.5) * CORNER_CELL - 0.5
    return np.array([project(one, place) for one, place in zip(back, at, strict=True)])


#: Widths of the bar that are tried, in widths of a point.
_BARS = np.array([0.0, 0.1, 0.3, 0.5, 0.75, 1.0, 1.3, 1.6, 2.0])
#: How far a corner may lie from where the others put it, of the board's width: hinged halves are
#: never quite in line.  Corners that all lie nearer than the second share to a flat board agree.
_ASTRAY, _FLAT = 0.03, 0.006
#: What is left of the largest gap when the corner is left out that makes it.
_MENDED = 0.6


def agreed(corners: Points, known: NDArray[np.bool_]) -> tuple[Points, NDArray[np.bool_]]:
    """Eight corners (8, 2) of which up to three lie astray, put where the others say they are.

    ``known``: those that were seen.  Also returns those that are believed.
    """
    believed = known.copy()
    width = float(np.ptp(corners, axis=0).max())
    while believed.sum() > 5:
        _, worst = _fit(corners, believed)
        if worst < _FLAT * width:
            break
        trials = []
        for one in np.flatnonzero(believed).tolist():
            without = believed.copy()
            without[one] = False
            fitted, left = _fit(corners, without)
            # the fit of all bends towards a corner astray: how far that is, only the others tell
            trials.append((left, float(np.hypot(*(fitted - corners)[one])), one))
        left, off, one = min(trials)
        if off < _ASTRAY * width or left > _MENDED * worst:
            break
        believed[one] = False
    if believed.all() or believed.sum() < 5:
        return corners, believed
    fitted, _ = _fit(corners, believed)
    return np.where(believed[:, None], corners, fitted), believed


def _fit(corners: Points, used: NDArray[np.bool_]) -> tuple[Points, float]:
    """All eight corners of the flat board that fits the used ones best, and the largest gap."""
    best, least = corners, np.inf
    for bar in _BARS:
        x = np.array([0, 6, 6, 0, 6 + bar, 12 + bar, 12 + bar, 6 + bar])
        flat = np.column_stack([x, [0, 0, 10, 10, 0, 0, 10, 10]])
        fitted = project(homography_from_points(flat[used], corners[used]), flat)
        gap = float(np.hypot(*(fitted - corners)[used].T).max())
        if gap < least:
            best, least = fitted, gap
    return best, least
