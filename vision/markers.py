"""Printed corner markers: where the board lies when its own squares don't say so.

Four square ArUco markers (S. Garrido-Jurado et al., "Automatic generation and detection of highly
reliable fiducial markers under occlusion", 2014), each with a white rim of one cell, are put down
so that a corner of the paper touches a corner of the playing area.  Which way each of them is
turned does not matter: it is the corner nearest the others that touches.  One set of markers is
four numbers in a row, clockwise around the board, so that neighbouring tables can have their own.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from .errors import VisionError
from .geometry import BoardGeometry, Points, homography_from_points, inverse, order_corners, project
from .locate import NotFound, refine
from .track import furthest

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

NONE = "no corner markers in the picture"
#: Markers lie where the board's squares do to this, squares.
CLOSE = 0.35

#: Cells along the edge of a marker, its black rim included, and of its paper.
CELLS = 6
RIM = 1
PAPER = CELLS + 2 * RIM
#: Sets that the dictionary holds.
SETS = 12
#: Markers of which the fourth corner can be worked out.
FEWEST = 3
#: The markers of a flat board, all of one size, fit a plane to this, RMS in squares.
WORST = 0.12
#: Papers are between these sizes, squares.
SMALLEST, LARGEST = 0.15, 3.0

#: A paper lies straight to this angle, radians.
SKEWED = np.radians(25)

_OUTLINE = np.array([[0, 0], [CELLS, 0], [CELLS, CELLS], [0, CELLS]], np.float64)


def pattern(number: int) -> NDArray[np.bool_]:
    """The cells of a marker without its white rim, bool (CELLS, CELLS), row by row; True is black.

    Args:
        number: 0 to 4 * SETS - 1.
    """
    if not 0 <= number < 4 * SETS:
        raise VisionError(f"marker {number}", "corner markers", f"0 to {4 * SETS - 1}")
    return np.asarray(cv2.aruco.generateImageMarker(_dictionary(), number, CELLS) == 0)


def find_markers(image_bgr: Image) -> dict[int, Points]:
    """The markers in a picture: their numbers, and the corners (4, 2) of their black squares in
    pixels, clockwise.  A number that is seen twice is left out.
    """
    options = cv2.aruco.DetectorParameters()
    options.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    options.cornerRefinementWinSize = 4
    # the usual 3 % of the picture's edge is more than a far marker has
    options.minMarkerPerimeterRate = 0.015
    gray = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    found, numbers, _ = cv2.aruco.ArucoDetector(_dictionary(), options).detectMarkers(gray)
    if numbers is None:
        return {}
    flat = [int(n) for n in np.ravel(numbers)]
    return {
        number: np.asarray(corners, np.float64).reshape(4, 2)
        for number, corners in zip(flat, found, strict=True)
        if number < 4 * SETS and flat.count(number) == 1
    }


def locate_by_markers(image_bgr: Image, size: int) -> BoardGeometry | NotFound:
    """The board whose corners four markers touch, or three of them.

    Args:
        image_bgr: uint8 (H, W, 3).
        size: squares along one edge.

    Where several sets of markers are in the picture the largest board counts.
    """
    seen = find_markers(image_bgr)
    wh = (image_bgr.shape[1], image_bgr.shape[0])
    boards: list[BoardGeometry] = []
    refused = NotFound(NONE)
    for number in sorted({n // 4 for n in seen}):
        own = {n % 4: corners for n, corners in seen.items() if n // 4 == number}
        found = _board(own, size, wh)
        if isinstance(found, NotFound):
            refused = found
        else:
            boards.append(found)
    return max(boards, key=BoardGeometry.square_px) if boards else refused


def or_by_markers(image_bgr: Image, size: int, refused: NotFound) -> BoardGeometry | NotFound:
    """The board by its markers, fitted to its squares where they show, when the search for it gave
    ``refused``; that refusal when no markers help.
    """
    if refused.why == "size":  # a board is there, and it is not the one asked for
        return refused
    found = locate_by_markers(image_bgr, size)
    if isinstance(found, NotFound):
        some = found.reason != NONE
        return replace(refused, reason=f"{refused.reason}; {found.reason}") if some else refused
    near = refine(image_bgr, found)
    if isinstance(near, NotFound) or furthest(near, found) > CLOSE:
        return found
    return near


def _board(own: dict[int, Points], size: int, wh: tuple[int, int]) -> BoardGeometry | NotFound:
    """The board of one set of markers, numbered 0 to 3 clockwise."""
    if len(own) < FEWEST:
        many = "one corner marker" if len(own) == 1 else f"{len(own)} corner markers"
        return NotFound(f"only {many} of four in the picture")
    order = sorted(own)
    around = np.array([own[k].mean(axis=0) for k in order])
    # of three the middle one's neighbours stand on a diagonal, so that their middle is the board's
    (opposite,) = {0, 1, 2, 3} - set(own) or {0}
    sides = [own[k].mean(axis=0) for k in order if (k - opposite) % 2]
    middle = around.mean(axis=0) if len(own) == 4 else np.mean(sides, axis=0)
    touching = {k: _inward(corners, middle) for k, corners in own.items()}
    if not _clockwise(around):
        return NotFound("the corner markers are not in order: 1, 2, 3, 4 clockwise from above")
    fit = _fit(own, touching, size)
    if fit is None:
        return NotFound("the corner markers do not lie flat at the corners of one board")
    h, miss = fit
    square = _square(size)
    # each paper's own corner where it is seen: it knows the lens there, the plane does not
    corners = [_tip(own[k], touching[k]) if k in own else project(h, square[k]) for k in range(4)]
    try:
        return BoardGeometry(size, order_corners(np.array(corners)), miss, image_wh=wh)
    except VisionError:
        return NotFound("the corner markers do not lie at the corners of a board")


def _inward(corners: Points, middle: Points) -> int:
    """Which corner of a marker points to the middle of all."""
    own = corners.mean(axis=0)
    away = corners - own
    way = (middle - own) / max(float(np.hypot(*(middle - own))), 1e-9)
    return int(np.argmax(away @ way))


def _clockwise(around: Points) -> bool:
    edges = np.roll(around, -1, axis=0) - around
    turns = edges[:, 0] * np.roll(edges[:, 1], -1) - edges[:, 1] * np.roll(edges[:, 0], -1)
    return bool((turns > 0).all())


def _tip(corners: Points, touching: int) -> Points:
    """The corner of a marker's paper that touches the board, pixels."""
    h = homography_from_points(_OUTLINE, corners)
    outward = np.sign(_OUTLINE[touching] - CELLS / 2)
    return project(h, _OUTLINE[touching] + RIM * outward)


def _square(size: int) -> Points:
    return np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float64)


def _on_board(k: int, touching: int, size: int, paper: float, skew: float) -> Points:
    """Where the corners of marker ``k`` lie on the board's plane, squares, when its paper's corner
    ``touching`` touches the playing area.

    Args:
        paper: edge of the paper, squares.
        skew: by which it is turned about the corner that touches, radians.
    """
    near, far = RIM * paper / PAPER, (RIM + CELLS) * paper / PAPER
    away = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64)[k]
    # clockwise from the one that touches: along y first where the paper lies to the other side
    side = (far, near) if away[0] * away[1] > 0 else (near, far)
    own = np.array([(near, near), side, (far, far), side[::-1]]) * away
    turn = np.array([[np.cos(skew), -np.sin(skew)], [np.sin(skew), np.cos(skew)]])
    return np.asarray(_square(size)[k] + np.roll(own, touching, axis=0) @ turn.T)


def _fit(
    own: dict[int, Points], touching: dict[int, int], size: int
) -> tuple[Points, float] | None:
    """The board's plane, 3x3 from squares to pixels, and how far the markers' corners lie from it,
    RMS in squares; None when they don't lie on one.

    The size of the papers is not known, nor how straight they lie: the best of many sizes, then
    of those around it, then turned as they are seen to be.
    """
    order = sorted(own)
    pixels = np.concatenate([own[k] for k in order])
    far = max(float(np.hypot(*(a.mean(0) - b.mean(0)))) for a, b in combinations(own.values(), 2))
    unit = far / (size * np.sqrt(2))
    skews = dict.fromkeys(order, 0.0)

    def best_of(papers: Floats) -> tuple[float, float, Points]:
        tried = []
        for paper in papers.tolist():
            places = [_on_board(k, touching[k], size, paper, skews[k]) for k in order]
            h = homography_from_points(np.concatenate(places), pixels)
            gap = project(h, np.concatenate(places)) - pixels
            gap = np.nan_to_num(np.hypot(gap[:, 0], gap[:, 1]), nan=1e6)
            tried.append((float(np.sqrt((gap**2).mean())), paper, h))
        return min(tried, key=lambda fit: fit[0])

    miss, paper, h = best_of(np.geomspace(SMALLEST, LARGEST, 25))
    for spread in (0.12, 0.06, 0.03, 0.015, 0.008, 0.004):
        for k in order:
            flat = _on_board(k, touching[k], size, paper, 0.0)
            skews[k] = _turned(flat, project(inverse(h), own[k]))
        miss, paper, h = best_of(paper * np.linspace(1 - spread, 1 + spread, 7))
    straight = max(abs(skew) for skew in skews.values()) < SKEWED
    return (h, float(miss / unit)) if straight and miss < WORST * unit else None


def _turned(a: Points, b: Points) -> float:
    """The angle by which points ``b`` are turned against points ``a``, radians, clockwise."""
    a, b = a - a.mean(axis=0), b - b.mean(axis=0)
    with np.errstate(invalid="ignore"):
        angle = np.arctan2((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum(), (a * b).sum())
    return float(np.nan_to_num(angle))


def _dictionary() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
