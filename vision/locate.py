"""Finds the board in a picture: no markers, any turn, from above to a player's low view.

Saddle points (locate_saddles) are joined to lattices (locate_grid); the edges of a lattice say
where on it the board lies (locate_evidence) and then fix its geometry exactly (locate_fit,
locate_board).  Brightness is tried first, colour where that fails.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np

from .geometry import BoardGeometry, order_corners
from .locate_board import SIZES, Board, again, better, board_on, near
from .locate_planes import DARK, Image, Pyramid, planes, shrink

#: Pictures are looked through at this many pixels along their longer side at most; those of more
#: than COARSE at half of it first, which is enough for most.
LOOK_PX = 1280
COARSE = 900
#: Near a guess, squares of this many pixels are enough.
SQUARE_PX = 60
#: A board is believed when this share of its inner edges shows, and one of another size than was
#: asked for when SURE does.
ENOUGH = 0.42
SURE = 0.6
#: Readings that miss by more than this, RMS in squares, are no board: those of a random place miss
#: by 0.07.  Lines drawn between the squares make them miss, so with a score of CERTAIN they may
#: miss by more.
WORST = 0.055
CERTAIN = 0.3
LINED = 0.08
#: Nothing else is tried when a second look, in other colours, finds the same board with this score.
AGREED = 0.45
#: How far outside the picture a corner may lie, squares.
CUT = 0.6
#: How far a board may lie from a guess, squares.
ASTRAY = 0.8
#: A picture is dark when all but its brightest two per cent lie below DARK.  It is blurred when it
#: is not flat, and hardly anywhere changes by this share of its range within a step of 1/640 of
#: its longer side.
FLAT = 30
BLUR = 0.04


Why = Literal["dark", "blurred", "cut-off", "size", "none"]


@dataclass(frozen=True, slots=True)
class NotFound:
    """No board, and why.

    Attributes:
        reason: in words for a person.
        why: the same as a word: ``dark``, ``blurred``, ``cut-off``, ``size`` (a board of another
            size), or ``none``.
    """

    reason: str
    why: Why = "none"


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

    def look(pyramid: Pyramid) -> Board | None:
        found = board_on(pyramid, size, 1) if max(pyramid.wh) > COARSE else None
        # cameras and JPEG keep colour at half of what they keep of brightness
        enough = pyramid.colour and max(pyramid.wh) > COARSE
        if enough or (found is not None and (found.plain or found.exact)):
            return found
        return better(found, board_on(pyramid, size))

    best = _best(small, size, look)
    found = _verdict(best, size, small)
    return found if isinstance(found, NotFound) else _at_full_size(image_bgr, found, factor)


def refine(image_bgr: Image, geometry: BoardGeometry) -> BoardGeometry | NotFound:
    """The board near to where it is believed to be, as after a knock or a person's clicks.

    Args:
        image_bgr: uint8 (H, W, 3).
        geometry: a guess that is up to about half a square off.
    """
    px = geometry.square_px()
    factor = min(1.0, LOOK_PX / max(image_bgr.shape[:2]), SQUARE_PX / px)
    small = image_bgr if factor == 1.0 else shrink(image_bgr, factor)
    h, w = small.shape[:2]
    guess = replace(geometry.scaled(factor), image_wh=(w, h))
    best = _best(small, geometry.size, lambda pyramid: near(pyramid, guess), known=True)
    found = _verdict(best, geometry.size, small)
    if isinstance(found, NotFound):
        return found
    gap = min(
        float(np.abs(np.roll(found.corners, k, axis=0) - guess.corners).max()) for k in range(4)
    )
    if gap > ASTRAY * guess.square_px():
        return NotFound("no board near the guess")
    return _at_full_size(image_bgr, found, factor)


def _best(
    image: Image, size: int, look: Callable[[Pyramid], Board | None], known: bool = False
) -> Board | None:
    """The best board that ``look`` finds in any plane; no more of them than needed."""
    best: Board | None = None
    looked: Board | None = None
    for pyramid in planes(image):
        best = better(best, look(pyramid))
        if best is None or best.hopeless or best is looked:
            continue
        if best.plain:
            break
        # the colours of its squares tell more than any fixed channel
        closer = again(image, best, size, known)
        agreed = (
            closer is not None
            and closer.agrees(best)
            and (closer.window.score > AGREED or (closer.exact and best.exact))
        )
        best = looked = better(best, closer)
        if agreed:
            break
    return best


def _verdict(best: Board | None, size: int, image: Image) -> BoardGeometry | NotFound:
    """Whether what was found is a board, and the one asked for."""
    if best is None or best.window.shown < ENOUGH or best.misfit:
        return _excuse(image)
    if best.geometry.residual > (WORST if best.window.score < CERTAIN else LINED):
        return _excuse(image)
    found, n = best.geometry, best.window.size
    if n != size:
        if best.window.shown < SURE:
            return _excuse(image)
        if n == max(SIZES):
            more = f"a pattern of {n}x{n} squares or more, not a board of {size}x{size}"
            return NotFound(more, "size")
        return NotFound(f"the board has {n}x{n} squares, not {size}x{size}", "size")
    return cut_off(found, image) or found


def cut_off(geometry: BoardGeometry, image: Image) -> NotFound | None:
    """The refusal of a board that lies too far outside its picture, if it does."""
    h, w = image.shape[:2]
    outside = np.maximum(-geometry.corners, geometry.corners - (w - 1, h - 1)).max()
    if outside > CUT * geometry.square_px():
        return NotFound("the board is cut off by the edge of the picture", "cut-off")
    return None


def _at_full_size(image: Image, found: BoardGeometry, factor: float) -> BoardGeometry:
    h, w = image.shape[:2]
    whole = found.scaled(1 / factor) if factor != 1.0 else found
    return replace(whole, corners=order_corners(whole.corners), image_wh=(w, h))


def _excuse(image: Image) -> NotFound:
    """Why no board could be found in a picture."""
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.float32)
    dark, light = np.percentile(gray, (2, 98))
    if light < DARK:
        return NotFound("the picture is too dark", "dark")
    step = max(1.0, max(gray.shape) / 640)
    smooth = cv2.GaussianBlur(gray, (0, 0), step)
    slope = np.hypot(cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)) / 8
    if light - dark > FLAT and np.percentile(slope, 99.5) * step < BLUR * (light - dark):
        return NotFound("the picture is blurred", "blurred")
    return NotFound("no board in the picture, or too little of it")
