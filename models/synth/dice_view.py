"""The camera and the lamp over a small part of a table with dice on it, in millimetres.

The table is the plane z = 0 and the middle of the picture looks at (0, 0, 0).  Pixel (0, 0) has
its middle at (0, 0).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .arrays import Array, Rng, unit


@dataclass(frozen=True, slots=True)
class View:
    """A pinhole camera.

    Attributes:
        size: width and height of the picture, pixels.
        scale: pixels per mm at the middle of the picture.
        away: distance of the camera from there, mm.
        tilt: its angle from straight above, radians; turn: roll of the picture.
    """

    size: tuple[int, int]
    scale: float
    away: float
    tilt: float
    turn: float

    @property
    def axes(self) -> Array:
        """Rows: the camera's right, down and forward in the world."""
        c, s = np.cos(self.tilt), np.sin(self.tilt)
        right, down, ahead = np.array([1.0, 0, 0]), np.array([0, -c, -s]), np.array([0, s, -c])
        a, b = np.cos(self.turn), np.sin(self.turn)
        return np.array([a * right + b * down, a * down - b * right, ahead])

    @property
    def place(self) -> Array:
        """Where the camera is, mm."""
        return np.asarray(-self.axes[2] * self.away)

    @property
    def middle(self) -> Array:
        """The pixel on the optical axis."""
        return (np.array(self.size) - 1) / 2

    def project(self, points: Array) -> Array:
        """Pixels (..., 2) of points (..., 3)."""
        seen = (np.asarray(points) - self.place) @ self.axes.T
        return np.asarray(seen[..., :2] / seen[..., 2:] * (self.scale * self.away) + self.middle)

    def rays(self, pixels: Array) -> Array:
        """Unit directions (n, 3) of pixels (n, 2)."""
        flat = (pixels - self.middle) / (self.scale * self.away)
        return unit(np.column_stack([flat, np.ones(len(flat))]) @ self.axes)

    def plane(self, level: float = 0.0) -> Array:
        """Homography from (x, y) mm at a height to pixels."""
        square = np.array([[0, 0], [1, 0], [0, 1]], float) * 50
        corners = np.column_stack([square, np.full(3, level)])
        seen = (corners - self.place) @ self.axes.T
        seen[:, :2] = seen[:, :2] * self.scale * self.away + seen[:, 2:] * self.middle
        columns = [(seen[1] - seen[0]) / 50, (seen[2] - seen[0]) / 50, seen[0]]
        return np.stack(columns, -1)


@dataclass(frozen=True, slots=True)
class Lamp:
    """Light over the table.

    Attributes:
        towards: unit vector to the lamp.
        key, sky: linear B, G, R of the lamp and of all else.
        soft: width of a shadow's edge, as a share of the height that throws it.
        pane: half size of the lamp as mirrored, in radians; 0 for none that is seen.
    """

    towards: tuple[float, float, float]
    key: tuple[float, float, float]
    sky: tuple[float, float, float]
    soft: float
    pane: float


def sample_view(rng: Rng, size: tuple[int, int], scale: float) -> View:
    """From above for the most part, down to a player's view; a tilted camera is held upright."""
    kind = rng.choice(3, p=[0.5, 0.3, 0.2])
    tilt = np.radians([rng.uniform(0, 14), rng.uniform(10, 38), rng.uniform(35, 64)][kind])
    turn = rng.uniform(-np.pi, np.pi)
    # most tilted cameras are held upright: which way a die shows its side tells flat from leaning
    if kind == 2 or (kind == 1 and abs(turn) < 0.7 * np.pi):
        turn *= 0.5 / np.pi
    return View(size, scale, float(np.exp(rng.uniform(5.6, 7.2))), float(tilt), float(turn))


def sample_lamp(rng: Rng) -> Lamp:
    """A lamp, a window or a dull sky."""
    height = rng.uniform(0.35, 1.0)
    angle = rng.uniform(0, 2 * np.pi)
    flat = np.sqrt(1 - height**2)
    strength = rng.uniform(0.15, 1.3)
    warm = rng.normal(0, 0.12)
    tint = np.array([1 - warm, 1, 1 + warm])
    cold = rng.normal(0, 0.08)
    return Lamp(
        towards=(float(flat * np.cos(angle)), float(flat * np.sin(angle)), float(height)),
        key=tuple(np.clip(tint * strength, 0, 2).tolist()),
        sky=tuple((np.array([1 + cold, 1, 1 - cold]) * rng.uniform(0.35, 0.9)).tolist()),
        soft=float(np.exp(rng.uniform(-3.5, -0.4))),
        pane=float(rng.choice([0.0, rng.uniform(0.05, 0.35)])),
    )
