"""Finds the board in a picture: no markers, any turn, from above to a player's low view.

Saddle points (locate_saddles) are joined to lattices (locate_grid); the edges of a lattice say
where on it the board lies (locate_evidence) and then fix its geometry exactly (locate_fit).
Brightness is tried first, colour where that fails.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from .geometry import BoardGeometry, order_corners, project
from .locate_evidence import Edges, ToImage, Window, best_window, look_at_edges
from .locate_fit import fit_edges, read_edges
from .locate_grid import Lattice, find_lattices
from .locate_saddles import Plane, find_saddles

Image = NDArray[np.uint8]

#: Pictures are looked through at this many pixels along their longer side at most.
LOOK_PX = 1280
#: Board sizes that are told apart: a board of another of them is refused.
SIZES = (8, 10, 12)
#: A board is believed when this share of its inner edges shows.
ENOUGH = 0.42
#: How far outside the picture a corner may lie, squares.
CUT = 0.6
#: Readings that miss by more than this, RMS in squares, are no board.
WORST = 0.09


@dataclass(frozen=True, slots=True)
class NotFound:
    """No board, and why, in words for a person."""

    reason: str


def locate(image_bgr: Image, size: int) -> BoardGeometry | NotFound:
    """The board in a picture.

    Args:
        image_bgr: uint8 (H, W, 3).
        size: squares along one edge that the board must have.

    Returns:
        Its geometry, or NotFound with a reason: too dark, blurred, no board, cut off, another
        size.
    """
    factor = min(1.0, LOOK_PX / max(image_bgr.shape[:2]))
    small = image_bgr if factor == 1.0 else shrink(image_bgr, factor)
    answer: BoardGeometry | NotFound = NotFound("no board in the picture")
    for plane in planes(small):
        found = _locate_on(plane, size)
        if isinstance(found, BoardGeometry):
            return _finish(image_bgr, found, factor)
        answer = found if found.reason else answer
    return _excuse(small) or answer


def shrink(image: Image, factor: float) -> Image:
    """A picture made smaller, each pixel the mean of those that it stands for."""
    return np.asarray(
        cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8
    )


def planes(image: Image) -> Iterator[Plane]:
    """What squares may differ in: brightness, then the two axes of colour; float32, 0 to 255.

    Brightness is on a logarithmic scale, where a shadow shifts a board and leaves its contrast.
    """
    yield _brightness(image)
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB)
    for channel in (1, 2):
        # colour differs by less than brightness does
        yield np.asarray(lab[..., channel], np.float32) * 2


_LOG = np.asarray(np.log1p(np.arange(256) / 16) / np.log1p(255 / 16) * 255, np.float32)


def _brightness(image: Image) -> Plane:
    return np.asarray(_LOG[cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)], np.float32)


def _locate_on(plane: Plane, size: int) -> BoardGeometry | NotFound:
    saddles = find_saddles(plane)
    best: Board | None = None
    for lattice in find_lattices(plane, saddles)[:3]:
        board = _on_lattice(plane, lattice, size)
        if board is not None and (best is None or board.window.score > best.window.score):
            best = board
    if best is None:
        return NotFound("")
    found, n = best.geometry, best.window.size
    if n != size:
        return NotFound(f"the board has {n}x{n} squares, not {size}x{size}")
    if best.window.shown < ENOUGH or found.residual > WORST:
        return NotFound("too little of a board shows")
    h, w = plane.shape
    outside = np.maximum(-found.corners, found.corners - (w - 1, h - 1)).max()
    if outside > CUT * found.square_px():
        return NotFound("the board is cut off by the edge of the picture")
    return found


@dataclass(frozen=True, slots=True)
class Board:
    """A board that may be there.

    Attributes:
        geometry: where.
        bright: whether its first square is a bright one.
        window: how well it explains what is seen.
    """

    geometry: BoardGeometry
    bright: bool
    window: Window


def _on_lattice(plane: Plane, lattice: Lattice, size: int) -> Board | None:
    """The board on a lattice; of another size when that explains more."""
    low, high = lattice.ij.min(axis=0), lattice.ij.max(axis=0)
    most = max(SIZES)
    # more than the middle of a board must be known of it
    low, high = high - most - 1, low + most + 1
    middle = lattice.ij.mean(axis=0)
    ahead = middle + np.array([1.0, 0.0])
    step = np.hypot(*(project(lattice.h, ahead) - project(lattice.h, middle)))
    smooth = np.asarray(cv2.GaussianBlur(plane, (0, 0), max(0.6, 0.05 * float(step))), np.float32)
    edges = look_at_edges(smooth, partial(project, lattice.h), low, high, lattice.bright)
    window = _best_size(edges, size)
    h, w = plane.shape
    board = _settled(plane, partial(project, lattice.h), window, lattice.bright, (w, h))
    for _ in range(2):
        if board is None:
            return None
        # seen exactly, the edges may say better where the board ends
        around = board.geometry.size + 3
        edges = look_at_edges(
            smooth, board.geometry.to_image, (-3, -3), (around, around), board.bright
        )
        window = _best_size(edges, size)
        still = (window.x, window.y, window.size) == (0, 0, board.geometry.size)
        if still:
            return replace(board, window=window)
        board = _settled(plane, board.geometry.to_image, window, board.bright, (w, h))
    return board


def _best_size(edges: Edges, size: int) -> Window:
    most = min(edges.down.shape[0] - 1, edges.down.shape[1])
    windows = [best_window(edges, n) for n in sorted({size, *SIZES}) if n <= most]
    return max(windows, key=lambda w: w.score)


def _settled(
    plane: Plane, to_image: ToImage, window: Window, bright: bool, image_wh: tuple[int, int]
) -> Board | None:
    """The board in a window of a lattice, fitted to its edges."""
    n = window.size
    square = np.array([[0, 0], [n, 0], [n, n], [0, n]], np.float64)
    corners = to_image(square + np.array([window.x, window.y]))
    if not np.isfinite(corners).all():
        return None
    first = bright == ((window.x + window.y) % 2 == 0)
    fitted = tighten(plane, BoardGeometry(n, corners, image_wh=image_wh), first)
    return None if fitted is None else Board(fitted, first, window)


def tighten(plane: Plane, geometry: BoardGeometry, bright: bool) -> BoardGeometry | None:
    """A geometry fitted to the edges near it, in three rounds that look less and less far."""
    fitted: BoardGeometry | None = geometry
    for reach, lens in ((0.35, False), (0.3, False), (0.2, True), (0.12, True)):
        if fitted is None:
            return None
        fitted = fit_edges(fitted, read_edges(plane, fitted, bright, reach), lens)
    return fitted


def _finish(image: Image, found: BoardGeometry, factor: float) -> BoardGeometry:
    h, w = image.shape[:2]
    whole = found.scaled(1 / factor) if factor != 1.0 else found
    return replace(whole, corners=order_corners(whole.corners), image_wh=(w, h))


def _excuse(image: Image) -> NotFound | None:
    """Why nothing could be found in a picture, when the picture itself is to blame."""
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    if np.percentile(gray, 98) < 40:
        return NotFound("the picture is too dark")
    return None


def refine(image_bgr: Image, geometry: BoardGeometry) -> BoardGeometry | NotFound:
    """The board near to where it is believed to be.

    Args:
        geometry: a guess that is up to about half a square off.
    """
    px = geometry.square_px()
    factor = min(1.0, LOOK_PX / max(image_bgr.shape[:2]), 60 / px)
    small = image_bgr if factor == 1.0 else shrink(image_bgr, factor)
    h, w = small.shape[:2]
    guess = replace(geometry.scaled(factor), image_wh=(w, h), residual=0.0)
    for plane in planes(small):
        moved, bright = _nudge(plane, guess)
        fitted = tighten(plane, moved, bright)
        if fitted is None or fitted.residual > WORST:
            continue
        edges = look_at_edges(plane, fitted.to_image, (0, 0), (fitted.size, fitted.size), bright)
        if best_window(edges, fitted.size).shown >= ENOUGH:
            return _finish(image_bgr, fitted, factor)
    return _excuse(small) or NotFound("no board near the guess")


def _nudge(plane: Plane, guess: BoardGeometry) -> tuple[BoardGeometry, bool]:
    """The guess moved by up to half a square to where most edges show, and whether its first
    square is bright there.
    """
    n = guess.size
    shifts = np.linspace(-0.5, 0.5, 5)
    square = np.array([[0, 0], [n, 0], [n, n], [0, n]], np.float64)
    best = -1.0, guess, True
    for dx in shifts:
        for dy in shifts:
            corners = guess.to_image(square + np.array([dx, dy]))
            if not np.isfinite(corners).all():
                continue
            moved = replace(guess, corners=corners)
            edges = look_at_edges(plane, moved.to_image, (0, 0), (n, n), True)
            sums = edges.contrast * np.nansum(
                np.concatenate([edges.across[:, 1:-1].ravel(), edges.down[1:-1].ravel()])
            )
            value = abs(sums) * (1 - 0.05 * np.hypot(dx, dy))
            if value > best[0]:
                best = value, moved, bool(sums > 0)
    return best[1], best[2]
