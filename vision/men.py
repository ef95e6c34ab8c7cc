"""Men cut out one by one, sharper than the board: to see how high each stands.

A second man on top shows by some pixels of its wall.  So each square is cut at ``MAN_PX`` pixels,
turned so that what stands up there leans straight up in the cut, which is centred where the top of
a man is (see ``crops``).  How far it leans goes with it: a wall's height says nothing without.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from .crops import (
    BRIGHTEST,
    DARKEST,
    OFFSET,
    BoardView,
    lifted_plane,
    shrunk,
)
from .geometry import BoardGeometry, Points, project

Floats = NDArray[np.float32]

#: Pixels along an edge of a cut.
MAN_PX = 64

#: Squares along an edge of a cut, and how far its middle lies up the lean from the square's.
WIDE, UP = 1.375, 0.1

#: Lean, in squares, below which nothing stands up.
_FLAT = 0.008

#: Places along an edge of a cut at which the camera's map is worked out; straight lines between.
_NODES = 9

#: Pixels of a square's edge in the cuts.
SCALE = MAN_PX / WIDE


def cut_men(
    image: NDArray[np.uint8], geometry: BoardGeometry, view: BoardView, which: NDArray[np.intp]
) -> NDArray[np.uint8]:
    """uint8 (k, MAN_PX, MAN_PX, 3): some squares.

    Args:
        image: uint8 (H, W, 3) BGR.
        geometry: of the board in it.
        view: the board, cut from the same picture.
        which: (k,), indices of the squares, row * size + column, camera order.
    """
    small, near = shrunk(image, geometry, SCALE)
    lift = lifted_plane(near, (small.shape[1], small.shape[0]))
    at = near.to_image(project(lift, _nodes(view)[which]))
    at = np.nan_to_num(at, nan=-1e4).clip(-1e4, 3e4)
    between = _between()
    # all cuts below each other: one call instead of many
    x, y = (
        (between @ at[..., i] @ between.T).astype(np.float32).reshape(len(which) * MAN_PX, MAN_PX)
        for i in (0, 1)
    )
    out = cv2.remap(small, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, np.uint8).reshape(len(which), MAN_PX, MAN_PX, 3)


def _nodes(view: BoardView) -> Points:
    """(m, _NODES, _NODES, 2): places of the nodes of each cut, board units."""
    n = view.size
    length = np.hypot(*view.lean.T)[:, None]
    flat = np.array([[0, -1], [1, 0], [0, 1], [-1, 0]], np.float64)[view.turns % 4]
    up = np.where(length > _FLAT, view.lean / np.maximum(length, _FLAT), flat)
    right = np.stack([-up[:, 1], up[:, 0]], axis=1)
    middle = np.stack(np.meshgrid(np.arange(n) + 0.5, np.arange(n) + 0.5), axis=-1).reshape(-1, 2)
    step = (np.arange(_NODES) / (_NODES - 1) - 0.5) * WIDE
    places = (
        (middle + UP * up)[:, None, None]
        + right[:, None, None] * step[None, None, :, None]
        - up[:, None, None] * step[None, :, None, None]
    )
    return np.asarray(places)


def _between() -> Points:
    """(MAN_PX, _NODES): what each pixel takes of the nodes."""
    place = (np.arange(MAN_PX) + 0.5) / MAN_PX * (_NODES - 1)
    low = np.minimum(place.astype(np.intp), _NODES - 2)
    out = np.zeros((MAN_PX, _NODES))
    rows = np.arange(MAN_PX)
    out[rows, low], out[rows, low + 1] = low + 1 - place, place - low
    return out


def in_light(men: NDArray[np.uint8], light: Floats) -> Floats:
    """float32 (m, 3, MAN_PX, MAN_PX): log ratios to the light, red first; see ``crops.normalise``.

    Args:
        men: as ``cut_men`` gives them.
        light: float32 (m, 3), what a light square shows there, BGR.
    """
    table = np.log(np.arange(256, dtype=np.float32) + np.float32(OFFSET))
    ratio = np.clip(table[men] - np.log(light)[:, None, None], DARKEST, BRIGHTEST)
    spread = (ratio - np.float32((DARKEST + BRIGHTEST) / 2)) * np.float32(2 / (BRIGHTEST - DARKEST))
    return np.ascontiguousarray(spread[..., ::-1].transpose(0, 3, 1, 2))


def how_seen(view: BoardView, square_px: float) -> Floats:
    """float32 (m, 2): how far the plane at LIFT leans over on each square, in squares, and how
    many pixels the picture has for a square, log of a share of SCALE, between a fourth and 1."""
    sharp = np.log(np.clip(square_px / SCALE, 0.25, 1.0))
    length = np.hypot(*view.lean.T)
    return np.stack([length, np.full(len(length), sharp)], axis=1).astype(np.float32)
