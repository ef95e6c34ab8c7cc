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

from .errors import VisionError
from .geometry import BoardGeometry, order_corners, project
from .locate_evidence import Edges, ToImage, Window, best_window, look_at_edges
from .locate_fit import fit_edges, read_edges
from .locate_grid import Lattice, find_lattices
from .locate_saddles import Plane, find_saddles, sample

Image = NDArray[np.uint8]

#: Pictures are looked through at this many pixels along their longer side at most.
LOOK_PX = 1280
#: Board sizes that are told apart: a board of another of them is refused.
SIZES = (8, 10, 12)
#: A board is believed when this share of its inner edges shows.
ENOUGH = 0.42
#: And one of another size than was asked for when this share does.
SURE = 0.6
#: Nothing else is tried once this share shows.
PLAIN = 0.85
#: How far outside the picture a corner may lie, squares.
CUT = 0.6
#: At most this many lattices are looked at in each plane.
MOST = 6
#: A first fit that misses by less than this needs no second that looks as far.
NEAR = 0.03
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
    best: Board | None = None
    for plane in planes(small):
        best = _better(best, _board_on(plane, size))
        if best is not None and not best.plain:
            # the colours of its squares tell more than any fixed channel
            best = _better(best, _again(small, best, size))
        if best is not None and best.plain:
            break
    found = _verdict(best, size, small)
    if isinstance(found, NotFound):
        return found
    return _finish(image_bgr, found, factor)


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


def _board_on(plane: Plane, size: int) -> Board | None:
    """The best board that one plane shows."""
    places = []
    for lattice in find_lattices(plane, find_saddles(plane))[:MOST]:
        window = _place(plane, lattice, size)
        if window is not None:
            places.append((window, lattice))
    best: Board | None = None
    h, w = plane.shape
    for window, lattice in sorted(places, key=lambda place: -place[0].score)[:2]:
        to_image = partial(project, lattice.h)
        board = _settled(plane, to_image, window, lattice.bright, (w, h))
        best = _better(best, None if board is None else _ends(plane, board, size))
    return best


def _better(one: Board | None, other: Board | None) -> Board | None:
    if one is None or other is None:
        return one or other
    return other if other.window.score > one.window.score else one


def _again(image: Image, board: Board, size: int) -> Board | None:
    """A board looked at once more, in the mixture of colours that parts its squares best."""
    plane = contrast_plane(image, board.geometry, board.bright)
    fitted = tighten(plane, board.geometry, board.bright)
    if fitted is None:
        return None
    return _ends(plane, replace(board, geometry=fitted), size)


def contrast_plane(image: Image, geometry: BoardGeometry, bright: bool) -> Plane:
    """The mixture of the logarithms of blue, green and red in which the light and the dark
    squares of a board differ most, by what they spread (R. A. Fisher's discriminant); about 0 to
    255.
    """
    n = geometry.size
    x, y = np.meshgrid(np.arange(n), np.arange(n))
    # near the corners of squares, where men seldom stand
    spots = np.array([[a, b] for a in (0.14, 0.86) for b in (0.14, 0.86)])
    at = geometry.to_image(np.stack([x, y], axis=-1)[..., None, :] + spots)
    logs = [np.asarray(_LOG[image[..., c]], np.float32) for c in range(3)]
    colours = np.stack([np.median(sample(plane, at), axis=-1) for plane in logs], axis=-1)
    light = ((x + y) % 2 == 0) == bright
    seen = np.isfinite(colours).all(axis=-1)
    a, b = colours[seen & light], colours[seen & ~light]
    if min(len(a), len(b)) < 4:
        return logs[1]
    gap = np.median(a, axis=0) - np.median(b, axis=0)
    rest = np.concatenate([a - np.median(a, axis=0), b - np.median(b, axis=0)])
    spread = np.cov(np.clip(rest, -60, 60).T) + 25 * np.eye(3)
    mix = np.linalg.solve(spread, gap)
    mix /= np.abs(mix).sum() or 1.0
    plane = sum(np.float32(m) * p for m, p in zip(mix, logs, strict=True))
    return np.asarray(plane, np.float32)


def _verdict(best: Board | None, size: int, image: Image) -> BoardGeometry | NotFound:
    """Whether what was found is a board, and the one asked for."""
    if best is None:
        return _excuse(image) or NotFound("no board in the picture")
    found, n = best.geometry, best.window.size
    if n != size and best.window.shown > SURE:
        return NotFound(f"the board has {n}x{n} squares, not {size}x{size}")
    if n != size or best.window.shown < ENOUGH or found.residual > WORST:
        return _excuse(image) or NotFound("too little of a board shows")
    h, w = image.shape[:2]
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

    @property
    def plain(self) -> bool:
        """Whether there is nothing to doubt."""
        n = self.window.size
        return self.window.shown > PLAIN and self.window.score > 0.75 * n * (n - 1)


def _place(plane: Plane, lattice: Lattice, size: int) -> Window | None:
    """Where on a lattice the board lies; of another size when that explains more."""
    # a few points may be mistaken ones
    low, high = np.percentile(lattice.ij, (5, 95), axis=0).astype(np.int64)
    most = max(SIZES)
    if (high - low > most).any():
        return None
    low, high = high - most - 1, low + most + 1
    middle = lattice.ij.mean(axis=0)
    ahead = middle + np.array([1.0, 0.0])
    step = np.hypot(*(project(lattice.h, ahead) - project(lattice.h, middle)))
    smooth = smoothed(plane, float(step))
    edges = look_at_edges(smooth, partial(project, lattice.h), low, high, lattice.bright)
    return _best_size(edges, size)


def _ends(plane: Plane, board: Board, size: int) -> Board | None:
    """A board looked at once more for where it ends, now that its edges are known exactly."""
    current: Board | None = board
    for _ in range(2):
        if current is None:
            return None
        found, n = current.geometry, current.geometry.size
        smooth = smoothed(plane, found.square_px())
        edges = look_at_edges(smooth, found.to_image, (-3, -3), (n + 3, n + 3), current.bright)
        window = _best_size(edges, size)
        if (window.x, window.y, window.size) == (0, 0, n):
            return replace(current, window=window)
        current = _settled(plane, found.to_image, window, current.bright, found.image_wh)
    return current


def smoothed(plane: Plane, square_px: float) -> Plane:
    """A plane without what is finer than a twentieth of a square."""
    sigma = max(0.6, 0.05 * square_px)
    return np.asarray(cv2.GaussianBlur(plane, (0, 0), sigma), np.float32)


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
    first = bright == ((window.x + window.y) % 2 == 0)
    try:
        guess = BoardGeometry(n, corners, image_wh=image_wh)
    except VisionError:  # beyond the horizon of a lattice that is none
        return None
    fitted = tighten(plane, guess, first)
    return None if fitted is None else Board(fitted, first, window)


def tighten(plane: Plane, geometry: BoardGeometry, bright: bool) -> BoardGeometry | None:
    """A geometry fitted to the edges near it, in rounds that look less and less far."""
    fitted = fit_edges(geometry, read_edges(plane, geometry, bright, 0.35), lens=False)
    if fitted is not None and fitted.residual > NEAR:
        fitted = fit_edges(fitted, read_edges(plane, fitted, bright, 0.3), lens=False)
    for reach in (0.2, 0.12):
        if fitted is None:
            return None
        fitted = fit_edges(fitted, read_edges(plane, fitted, bright, reach), lens=True)
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
            moved = replace(guess, corners=guess.to_image(square + np.array([dx, dy])))
            edges = look_at_edges(plane, moved.to_image, (0, 0), (n, n), True)
            sums = edges.contrast * np.nansum(
                np.concatenate([edges.across[:, 1:-1].ravel(), edges.down[1:-1].ravel()])
            )
            value = abs(sums) * (1 - 0.05 * np.hypot(dx, dy))
            if value > best[0]:
                best = value, moved, bool(sums > 0)
    return best[1], best[2]
