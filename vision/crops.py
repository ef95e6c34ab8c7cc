"""Crops of squares, ready for the network: seen at the height of the men, in their own light.

A board seen from the side shows men standing up out of their squares.  So the crops are cut from
the plane that lies ``LIFT`` squares above the board: men are centred there however the camera
looks, and a second man on top of one still fits.  The whole board is turned by quarter turns so
that things stand up in the crop as they do in a picture of a table.

Light differs over a board and changes during a game.  Every crop is divided by what a light
square would show there, which the light squares around it tell; the network sees the logarithm.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from .geometry import BoardGeometry, Points, homography_from_points, project, straighten

#: Pixels of a square's edge as the network sees it.
SQUARE_PX = 32

#: Channels of the board as the network sees it: red, green, blue; see ``normalise``.
CHANNELS = 3

#: Log ratios to the light at which black and white are.
DARKEST, BRIGHTEST = -3.0, 1.0

#: Height above the board, in squares, of the plane that crops are cut from.  A man is 0.15 to 0.3
#: squares high, a king of two men twice that.
LIFT = 0.15

#: Room around the board in the rectified picture, in squares.
ROOM = 0.5

#: Pixels of a square's edge where the light is measured.
GROUND_PX = 8

#: Added before the logarithm is taken, so that noise in the dark does not look large.
OFFSET = 6.0

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class BoardView:
    """A board cut out of one picture.

    Attributes:
        size: squares along one edge.
        lifted: uint8 (P, P, 3), the board at the height of the men with ROOM around, SQUARE_PX a
            square, camera order.
        ground: uint8 (size * GROUND_PX, size * GROUND_PX, 3), the board itself.
        turns: quarter turns (counterclockwise, as numpy.rot90) that stand the crops upright.
        tilt: squares by which the plane at LIFT appears to shift in the middle of the board; 0
            straight from above, 0.15 at 45 degrees.
        lean: float32 (size * size, 2), by how many squares right and down that plane appears to
            shift in the middle of each square, camera order.
    """

    size: int
    lifted: NDArray[np.uint8]
    ground: NDArray[np.uint8]
    turns: int
    tilt: float
    lean: Floats


def view_board(image: NDArray[np.uint8], geometry: BoardGeometry) -> BoardView:
    """Cut the board out of a picture."""
    n = geometry.size
    small, near = shrunk(image, geometry, SQUARE_PX)
    lift = lifted_plane(near, (small.shape[1], small.shape[0]))
    shift = project(lift, [[n / 2, n / 2]])[0] - n / 2
    tilt = float(np.hypot(*shift))
    turns = int(np.rint(np.degrees(np.arctan2(shift[0], -shift[1])) / 90)) % 4 if tilt > 0.03 else 0
    side = _axis(-ROOM, n + ROOM, round((n + 2 * ROOM) * SQUARE_PX))
    flat = _axis(0, n, n * GROUND_PX)
    return BoardView(
        n,
        _sample(small, near, lift, side),
        _sample(small, near, None, flat),
        turns,
        tilt,
        _lean(lift, n),
    )


def _lean(lift: Points, n: int) -> Floats:
    middles = np.stack(np.meshgrid(np.arange(n) + 0.5, np.arange(n) + 0.5), axis=-1)
    shift = project(lift, middles) - middles
    return np.asarray(np.nan_to_num(shift).clip(-1, 1).reshape(n * n, 2), np.float32)


def _axis(start: float, stop: float, count: int) -> Points:
    """``count`` middles of equal steps from start to stop."""
    return start + (np.arange(count) + 0.5) * (stop - start) / count


#: Places in a square, along an edge, at which the camera's map is worked out; those between lie
#: on straight lines, to less than a hundredth of a pixel.
_NODES = 4


def _sample(
    image: NDArray[np.uint8], geometry: BoardGeometry, lift: Points | None, axis: Points
) -> NDArray[np.uint8]:
    """The board at places (x, y) of which both run over ``axis``, board units."""
    first = np.floor(axis[0] * _NODES) / _NODES
    count = int(np.ceil((axis[-1] - first) * _NODES)) + 1
    nodes = first + np.arange(count) / _NODES
    grid = np.stack(np.meshgrid(nodes, nodes), axis=-1)
    at = geometry.to_image(grid if lift is None else project(lift, grid))
    at = np.nan_to_num(at, nan=-1e4).clip(-1e4, 3e4)
    place = (axis - first) * _NODES
    low = np.minimum(place.astype(np.intp), count - 2)
    between = np.zeros((len(axis), count))
    rows = np.arange(len(axis))
    between[rows, low], between[rows, low + 1] = low + 1 - place, place - low
    x, y = ((between @ at[..., i] @ between.T).astype(np.float32) for i in (0, 1))
    out = cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, np.uint8)


def shrunk(
    image: NDArray[np.uint8], geometry: BoardGeometry, square_px: float
) -> tuple[NDArray[np.uint8], BoardGeometry]:
    """The picture at about a scale of so many pixels a square, so that sampling does not alias."""
    factor = 1.2 * square_px / geometry.square_px()
    if factor >= 0.8:
        return image, geometry
    h, w = image.shape[:2]
    size = max(1, round(w * factor)), max(1, round(h * factor))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), geometry.scaled(factor)


def lifted_plane(geometry: BoardGeometry, image_wh: tuple[int, int]) -> Points:
    """3x3, a place on the plane at LIFT -> the place on the board that hides behind it.

    The camera's focal length follows from the board's own perspective where that is strong enough,
    else it is that of a usual lens (R. Hartley and A. Zisserman, Multiple View Geometry, 8.8).
    """
    n = geometry.size
    square = np.array([[0, 0], [n, 0], [n, n], [0, n]], np.float64)
    middle = (np.array(image_wh) - 1) / 2
    unit = float(max(image_wh))
    corners = (straighten(geometry.corners, geometry.k1, geometry.image_wh) - middle) / unit
    h = homography_from_points(square, corners)
    f = _focal(h)
    pose = h / np.array([[f], [f], [1.0]])
    scale = np.sqrt(np.linalg.norm(pose[:, 0]) * np.linalg.norm(pose[:, 1]))
    normal = np.cross(pose[:, 0], pose[:, 1]) / scale  # points away from the camera's side
    lifted = h.copy()
    lifted[:, 2] -= LIFT * normal * np.array([f, f, 1.0])
    out = np.linalg.inv(h) @ lifted
    return np.asarray(out / out[2, 2])


def _focal(h: Points) -> float:
    """Focal length in units of the picture's longer side, between a wide and a long lens.

    Both conditions on a rotation's columns are linear in 1 / f^2; a usual lens (f = 1) is mixed in
    with a weight that only a board seen nearly straight from above leaves standing.
    """
    a, b = h[:, 0], h[:, 1]
    scale = np.hypot(np.linalg.norm(a[:2]), np.linalg.norm(b[:2])) ** 2
    lhs = np.array([a[:2] @ b[:2], a[:2] @ a[:2] - b[:2] @ b[:2]]) / scale
    rhs = -np.array([a[2] * b[2], a[2] ** 2 - b[2] ** 2]) / scale
    weight = 0.003
    u = (lhs @ rhs + weight**2) / (lhs @ lhs + weight**2)
    return float(1 / np.sqrt(np.clip(u, 1 / 9, 4.0)))


def light_parity(view: BoardView, apart: Floats | None = None) -> int:
    """0 when the square at row 0, column 0 is a light one, else 1.

    Only what lies outside the men counts: the corners of each square.

    Args:
        view: the board.
        apart: how light squares differed from dark ones (``kinds_apart``) when the board was
            seen before; on a red and green board brightness alone does not tell them.
    """
    gap = kinds_apart(view, 0)
    along = gap.mean() if apart is None else gap @ apart
    return int(along < 0)


def kinds_apart(view: BoardView, parity: int) -> Floats:
    """float32 (3,): log colour of the light squares over that of the dark ones.

    Args:
        view: the board.
        parity: of the light squares, as ``light_parity`` says.
    """
    colour = _corner_colour(view)
    other = np.add.outer(np.arange(view.size), np.arange(view.size)) % 2 != parity
    gap = np.median(colour[~other], axis=0) - np.median(colour[other], axis=0)
    return np.asarray(gap, np.float32)


def _tiles(view: BoardView) -> Floats:
    """float32 (size, size, GROUND_PX, GROUND_PX, 3): the ground, square by square."""
    n, g = view.size, GROUND_PX
    return view.ground.reshape(n, g, n, g, 3).transpose(0, 2, 1, 3, 4).astype(np.float32)


def _corner_colour(view: BoardView) -> Floats:
    """float32 (size, size, 3): log colour of each square's corners, the median of the four."""
    tiles = _tiles(view)
    corners = np.stack([tiles[:, :, y, x] for y in (1, -2) for x in (1, -2)])
    return np.asarray(np.median(np.log(corners + OFFSET), axis=0), np.float32)


def light_field(view: BoardView, parity: int) -> Floats:
    """float32 (size, size, 3): what an empty light square shows, or would show, on each square.

    A light square that differs much from those around it (a man on it, a hand) counts little.
    """
    n = view.size
    value = _outside_men(view)
    light = (np.add.outer(np.arange(n), np.arange(n)) % 2 == parity).astype(np.float32)
    weight = light.copy()
    for _ in range(3):
        field = _smooth(value * weight[..., None]) / (_smooth(weight)[..., None] + 1e-6)
        away = np.abs(value - field).max(axis=-1) / 0.25
        weight = light / (1 + away**2)
    return np.asarray(np.exp(field), np.float32)


def _outside_men(view: BoardView) -> Floats:
    """float32 (size, size, 3): log colour of each square where no man stands on it.

    Its four corners, of which the second brightest counts: men next door may lean over some.
    """
    tiles = _tiles(view)
    near, far = slice(0, 2), slice(GROUND_PX - 2, GROUND_PX)
    corners = np.stack(
        [tiles[:, :, y, x].mean(axis=(2, 3)) for y in (near, far) for x in (near, far)]
    )
    return np.asarray(np.log(np.sort(corners, axis=0)[2] + OFFSET), np.float32)


def _smooth(values: Floats) -> Floats:
    out = cv2.GaussianBlur(values, (0, 0), 1.0, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(out, np.float32)


def normalise(view: BoardView, light: Floats) -> Floats:
    """float32 (CHANNELS, P, P), the board as the network sees it, upright.

    Log ratios to the light, from a twentieth of it to nearly three times as much, spread over the
    range that pictures have.

    Args:
        view: the board.
        light: float32 (size, size, 3), its light field.
    """
    side = view.lifted.shape[0]
    at = _axis(-ROOM, view.size + ROOM, side).astype(np.float32) - 0.5
    x, y = np.meshgrid(at, at)
    field = cv2.remap(np.log(light), x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    table = np.log(np.arange(256, dtype=np.float32) + np.float32(OFFSET))
    ratio = np.clip(cv2.LUT(view.lifted, table) - field, DARKEST, BRIGHTEST)
    spread = (ratio - np.float32((DARKEST + BRIGHTEST) / 2)) * np.float32(2 / (BRIGHTEST - DARKEST))
    return np.ascontiguousarray(np.rot90(spread, view.turns)[:, :, ::-1].transpose(2, 0, 1))


def upright(values: NDArray[Any], turns: int) -> NDArray[Any]:
    """What belongs to squares in camera order (m, ...), in the order of the upright board."""
    n = math.isqrt(len(values))
    grid = np.rot90(values.reshape(n, n, *values.shape[1:]), turns)
    return np.ascontiguousarray(grid).reshape(values.shape)


def upright_lean(view: BoardView) -> Floats:
    """float32 (m, 2): the view's lean in the order, and along the axes, of the upright board."""
    lean = view.lean
    for _ in range(view.turns % 4):
        lean = np.stack([lean[:, 1], -lean[:, 0]], axis=1)
    return upright(lean, view.turns)
