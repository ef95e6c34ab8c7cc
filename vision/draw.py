"""What the eyes found, drawn over the picture for people to check."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from .geometry import BoardGeometry, Points
from .percept import CLASSES

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]

#: B, G, R.  Lines show on wood and on print; men are marked so that neither light nor dark ones
#: swallow the mark.
LINE: Colour = (60, 220, 60)
BORDER: Colour = (40, 40, 230)
MARK: dict[str, Colour] = {
    "w": (255, 255, 255),
    "W": (255, 255, 255),
    "b": (30, 30, 30),
    "B": (30, 30, 30),
    "?": (0, 165, 255),
}
#: Sub-pixel places, as OpenCV's drawing takes them: pixels times 2 to this power.
SHIFT = 4


def overlay(
    image: Image,
    geometry: BoardGeometry,
    grid: Sequence[str] | None = None,
    highlight: Collection[int] = (),
) -> Image:
    """A copy of the picture with the board's lines and what stands on its squares.

    Args:
        image: uint8 (H, W, 3).
        geometry: of that picture.
        grid: rows in camera order, ``.wWbB?``; men are marked with a ring, kings with two, what
            can't be told with a cross.
        highlight: indices (row * size + column) of squares to outline, such as those of an
            offence.
    """
    out = image.copy()
    thick = max(1, round(geometry.square_px() / 40))
    n = geometry.size
    for k in range(n + 1):
        colour = BORDER if k in (0, n) else LINE
        for ends in ([[k, 0], [k, n]], [[0, k], [n, k]]):
            _path(out, _between(geometry, ends), colour, thick)
    for index in sorted(highlight):
        row, column = divmod(index, n)
        _path(out, _square(geometry, row, column), MARK["?"], 3 * thick)
    for row, contents in enumerate(grid or ()):
        for column, what in enumerate(contents):
            if what != CLASSES[0]:
                _mark(out, geometry, row, column, what, thick)
    cv2.circle(
        out, _pixel(geometry.corners[0]), 4 * thick * 2**SHIFT, BORDER, -1, cv2.LINE_AA, SHIFT
    )
    return out


def _mark(
    out: Image, geometry: BoardGeometry, row: int, column: int, what: str, thick: int
) -> None:
    """One man, king or doubt; outlined in the other shade so that it shows on either."""
    middle = np.array([column + 0.5, row + 0.5])
    turn = np.linspace(0, 2 * np.pi, 33)
    circle = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    shapes: list[Points] = [middle + 0.22 * circle]
    if what in "WB":
        shapes.append(middle + 0.11 * circle)
    if what == "?":
        arm = 0.15 * np.array([[-1.0, -1.0], [1.0, 1.0]])
        shapes = [middle + arm, middle + arm * np.array([1.0, -1.0])]
    colour = MARK[what]
    other: Colour = (0, 0, 0) if sum(colour) > 384 else (255, 255, 255)
    for shape in shapes:
        _path(out, geometry.to_image(shape), other, 3 * thick)
    for shape in shapes:
        _path(out, geometry.to_image(shape), colour, thick)


def _between(geometry: BoardGeometry, ends: Sequence[Sequence[float]]) -> Points:
    """A line of the board in pixels, in pieces since a lens may bend it."""
    a, b = np.asarray(ends, np.float64)
    part = np.linspace(0, 1, 17)[:, None]
    return geometry.to_image(a * (1 - part) + b * part)


def _square(geometry: BoardGeometry, row: int, column: int) -> Points:
    x, y = column, row
    return geometry.to_image([[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1], [x, y]])


def _path(out: Image, points: Points, colour: Colour, thick: int) -> None:
    seen = points[np.isfinite(points).all(axis=1)]
    # far outside the picture whole numbers would overflow
    fixed = np.rint(np.clip(seen, -1e5, 1e5) * 2**SHIFT).astype(np.int32)
    cv2.polylines(out, [fixed.reshape(-1, 1, 2)], False, colour, thick, cv2.LINE_AA, SHIFT)


def _pixel(point: Points) -> tuple[int, int]:
    x, y = np.rint(np.clip(point, -1e5, 1e5) * 2**SHIFT).astype(int).tolist()
    return x, y
