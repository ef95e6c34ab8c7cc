"""Whether the camera still looks at the board as it did: cheap enough for every frame.

The board as it was last registered is compared with the board as the old geometry shows it now.
What people do on the board changes it here and there; a knock of the camera shifts all of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from .crops import GROUND_PX
from .geometry import BoardGeometry

Floats = NDArray[np.float32]

#: A square has changed when its brightness has, by this much (log), against the whole board's.
CHANGED = 0.10


@dataclass(frozen=True, slots=True)
class Drift:
    """How the board lies against where it lay.

    Attributes:
        shift: (x, y) in squares by which it moved.
        likeness: correlation of the edges that were there with those that are, over what is not
            covered, at no shift; 1 when nothing changed.
    """

    shift: tuple[float, float]
    likeness: float

    @property
    def far(self) -> float:
        """Length of the shift, squares."""
        return float(np.hypot(*self.shift))


def drift(before: Floats, now: Floats, covered: NDArray[np.bool_]) -> Drift:
    """Compare two grounds (size * GROUND_PX square, log brightness) of one board.

    Args:
        before: as it was registered.
        now: as the old geometry shows it.
        covered: (size * size,), squares that count for nothing.
    """
    size = round(len(covered) ** 0.5)
    open_squares = ~covered.reshape(size, size)
    mask = np.kron(open_squares, np.ones((GROUND_PX, GROUND_PX))).astype(np.float32)
    share = max(float(mask.mean()), 1e-6)
    a, b = (mask * (e - (e * mask).mean() / share) for e in (_edges(before), _edges(now)))
    power = float(np.sqrt(float((a * a).sum()) * float((b * b).sum()))) + 1e-9
    likeness = float((a * b).sum()) / power
    # phaseCorrelate lays its window on what it is given, in place
    window = cv2.createHanningWindow(a.shape[::-1], cv2.CV_32F)
    (dx, dy), response = cv2.phaseCorrelate(a.copy(), b.copy(), window)
    shift = (dx / GROUND_PX, dy / GROUND_PX) if response > 0.1 else (0.0, 0.0)
    return Drift(shift, likeness)


def _edges(ground: Floats) -> Floats:
    smooth = cv2.GaussianBlur(ground, (0, 0), 1.0)
    return np.hypot(cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1))


def changed(before: Floats, now: Floats) -> float:
    """Share of the squares whose looks changed between two grounds, 0 to 1."""
    size = len(before) // GROUND_PX
    gap = now - before
    gap = np.abs(gap - np.median(gap))
    tiles = gap.reshape(size, GROUND_PX, size, GROUND_PX).mean(axis=(1, 3))
    return float((tiles > CHANGED).mean())


def moved(geometry: BoardGeometry, shift: tuple[float, float]) -> BoardGeometry:
    """The geometry of a board that moved by ``shift`` squares as the old geometry shows them."""
    n = geometry.size
    square = np.array([[0, 0], [n, 0], [n, n], [0, n]], np.float64) + np.array(shift)
    corners = geometry.to_image(square)
    return BoardGeometry(n, corners, geometry.residual, geometry.k1, geometry.image_wh)


def in_order_of(geometry: BoardGeometry, before: BoardGeometry) -> BoardGeometry:
    """The geometry with its corners counted from the same one as before.

    A board that lies at 45 degrees would else change its first corner with every knock, and the
    squares of a game their places.
    """
    gaps = [
        float(np.abs(np.roll(geometry.corners, -k, axis=0) - before.corners).sum())
        for k in range(4)
    ]
    corners = np.roll(geometry.corners, -int(np.argmin(gaps)), axis=0)
    return BoardGeometry(geometry.size, corners, geometry.residual, geometry.k1, geometry.image_wh)


def furthest(a: BoardGeometry, b: BoardGeometry) -> float:
    """By how much the corners of two geometries of one picture differ at most, squares."""
    gap = np.hypot(*(a.corners - b.corners).T)
    return float(gap.max() / b.square_px())
