"""The camera: where it stands, its lens, and where things fall in its picture.

Board coordinates are (x, y, height) in squares: x along the columns, y along the rows as White
sees the board (row 0 far), height up.  Image axes are x right, y down, in pixels.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .arrays import Array, Rng
from .paint import Split, split_of
from .style import Style


@dataclass(frozen=True, slots=True)
class Lens:
    """A sort of camera.

    Attributes:
        fov_deg: angle of view along the longer edge of the picture.
        k1: radial distortion, division model (A. Fitzgibbon, CVPR 2001): a pixel at radius d, in
            half diagonals, belongs to the ideal radius s d / (1 + k1 d^2); s is 1, or for a
            barrel 1 + k1, so that the corners of the picture stay in their place.
        softness: blur of lens and focus, pixels.
        noise: sensor noise at a bright lamp, in display levels of 1.
        sharpen: strength of the sharpening, 0 to 1.5.
        quality: JPEG quality.
        vignette: loss of light in the corners, 0 to 1.
        contrast: strength of the tone curve, 0 to 1.
        saturation: 1 is true.
        detail: smaller than 1 for pictures that were enlarged.
        blotchy: whether noise was smeared by a denoiser.
        veil: stray light in a dusty lens, of the mean.
    """

    fov_deg: float
    k1: float
    softness: float
    noise: float
    sharpen: float
    quality: int
    vignette: float
    contrast: float
    saturation: float
    detail: float
    blotchy: bool
    veil: float = 0.0

    @property
    def spread(self) -> float:
        """The factor s of the distortion."""
        return 1 + min(0.0, self.k1)

    def cell(self) -> tuple[int, int, int]:
        """What says which split the lens belongs to."""
        return round(self.fov_deg), round(self.k1 * 100), round(self.contrast * 20)


@dataclass(frozen=True, slots=True)
class Camera:
    """A lens that looks at a board.

    Attributes:
        width, height: the picture's, pixels.
        lens: the sort of camera.
        position: of its eye, board coordinates.
        axes: rows are the image's right, down and forward directions in board coordinates.
        tilt_deg: angle between looking straight down and the direction of view.
    """

    width: int
    height: int
    lens: Lens
    position: tuple[float, float, float]
    axes: tuple[tuple[float, ...], ...]
    tilt_deg: float

    @property
    def focal(self) -> float:
        """Focal length in pixels."""
        longer = max(self.width, self.height)
        return float(longer / 2 / np.tan(np.radians(self.lens.fov_deg) / 2))

    def homography(self, height: float) -> Array:
        """3x3 from board coordinates on the plane of a height to undistorted pixels."""
        axes, eye = np.array(self.axes), np.array(self.position)
        offset = axes @ (np.array([0, 0, height]) - eye)
        intrinsic = np.array([
            [self.focal, 0, (self.width - 1) / 2],
            [0, self.focal, (self.height - 1) / 2],
            [0, 0, 1.0],
        ])
        return np.asarray(intrinsic @ np.stack([axes[:, 0], axes[:, 1], offset], -1))

    def project_ideal(self, points: Array) -> Array:
        """Undistorted pixels (N, 2) of board points (N, 3)."""
        seen = (np.asarray(points, float) - np.array(self.position)) @ np.array(self.axes).T
        depth = np.maximum(seen[:, 2:], 1e-3)
        middle = np.array([(self.width - 1) / 2, (self.height - 1) / 2])
        return np.asarray(seen[:, :2] / depth * self.focal + middle)

    def project(self, points: Array) -> Array:
        """Pixels (N, 2) of board points (N, 3), as the lens shows them."""
        middle = np.array([(self.width - 1) / 2, (self.height - 1) / 2])
        ideal = (self.project_ideal(points) - middle) / (self.half_diagonal * self.lens.spread)
        inside = np.maximum(0, 1 - 4 * self.lens.k1 * (ideal**2).sum(-1, keepdims=True))
        return np.asarray(middle + ideal * (2 * self.half_diagonal / (1 + np.sqrt(inside))))

    @property
    def half_diagonal(self) -> float:
        """Half of the picture's diagonal, pixels."""
        return float(np.hypot(self.width, self.height) / 2)

    def undistort(self, pixels: Array) -> Array:
        """Undistorted pixels of distorted ones, any shape (..., 2)."""
        middle = np.array([(self.width - 1) / 2, (self.height - 1) / 2])
        off = (pixels - middle) / self.half_diagonal
        shrunk = 1 + self.lens.k1 * (off**2).sum(-1, keepdims=True)
        return np.asarray(middle + off * (self.half_diagonal * self.lens.spread) / shrunk)


def sample_lens(rng: Rng, split: Split) -> Lens:
    """A random sort of camera that belongs to the split."""
    while True:
        angles = [rng.uniform(30, 50), rng.uniform(50, 70), rng.uniform(70, 88)]
        bends = [0.0, rng.uniform(-0.05, 0.02), rng.uniform(-0.14, -0.05)]
        blurs = [rng.uniform(0.3, 0.7), rng.uniform(0.7, 1.5)]
        lens = Lens(
            fov_deg=float(rng.choice(angles, p=[0.25, 0.5, 0.25])),
            k1=float(rng.choice(bends, p=[0.3, 0.5, 0.2])),
            softness=float(rng.choice(blurs, p=[0.7, 0.3])),
            noise=float(np.exp(rng.uniform(np.log(0.0025), np.log(0.02)))),
            sharpen=float(rng.choice([0.0, rng.uniform(0.2, 1.3)], p=[0.35, 0.65])),
            quality=int(rng.integers(50, 96)),
            vignette=float(rng.uniform(0.0, 0.35)),
            contrast=float(rng.uniform(0.0, 0.8)),
            saturation=float(rng.uniform(0.62, 1.25)),
            detail=float(rng.choice([1.0, rng.uniform(0.5, 0.9)], p=[0.8, 0.2])),
            blotchy=bool(rng.random() < 0.4),
            veil=float(rng.choice([0.0, rng.uniform(0.0, 0.2)], p=[0.4, 0.6])),
        )
        if split_of(*lens.cell()) == split:
            return lens


def axes_of(tilt: float, azimuth: float, roll: float) -> Array:
    """Rows right, down, forward of a camera; angles in radians."""
    right = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
    near = np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])
    up = np.array([0, 0, 1.0])
    down = np.cos(tilt) * near - np.sin(tilt) * up
    forward = -np.sin(tilt) * near - np.cos(tilt) * up
    turned = np.cos(roll) * right + np.sin(roll) * down
    return np.stack([turned, -np.sin(roll) * right + np.cos(roll) * down, forward])


def sample_camera(
    rng: Rng,
    style: Style,
    width: int = 960,
    height: int = 720,
    tilt_deg: tuple[float, float] = (0, 50),
    fill: tuple[float, float] | None = None,
) -> Camera:
    """A random camera that sees the whole board, or nearly.

    ``fill`` is how much of the picture the squares take along the tighter edge.  Left out, most
    boards take up much of the picture, and a few are cut a little at its edges.
    """
    tilt = float(np.radians(rng.uniform(*tilt_deg)))
    side = rng.choice(4) * np.pi / 2
    azimuth = side + float(rng.normal(0, 0.12) if rng.random() < 0.8 else rng.uniform(-0.8, 0.8))
    roll = float(rng.normal(0, 0.04))
    lens = sample_lens(rng, style.split)
    axes = axes_of(tilt, azimuth, roll)
    camera = Camera(width, height, lens, (0, 0, 1.0), tuple(map(tuple, axes)), np.degrees(tilt))
    fills = ((0.5, 0.75), (0.75, 0.97), (0.97, 1.04))
    share = float(rng.uniform(*(fill or fills[int(rng.choice(3, p=[0.28, 0.62, 0.1]))])))
    place = rng.uniform(0.15, 0.85, 2)
    return framed(camera, style, share, place)


def framed(camera: Camera, style: Style, share: float, place: Array) -> Camera:
    """The camera moved so that the board takes its share of the picture, at its place in it."""
    size, axes = style.size, np.array(camera.axes)
    edge = np.array([[0, 0, 0], [size, 0, 0], [size, size, 0], [0, size, 0.0]])
    target = np.array([size / 2, size / 2, 0.0])
    distance = size * 2.0
    picture = np.array([camera.width, camera.height], float)
    for _ in range(12):
        camera = replace(camera, position=tuple(target - axes[2] * distance))
        seen = camera.project(edge)
        low, high = seen.min(0), seen.max(0)
        distance *= float(np.clip(((high - low) / picture).max() / share, 0.6, 1.6))
        free = picture - (high - low)
        wanted = np.where(free > 0, free * place, free / 2)
        shift = low - wanted
        step = shift[0] * axes[0] + shift[1] * axes[1]
        ground = step - axes[2] * step[2] / axes[2, 2]
        target = target + ground * (distance / camera.focal) * 0.8
    return replace(camera, position=tuple(target - axes[2] * distance))


def bumped(camera: Camera, rng: Rng, degrees: float, shift: float) -> Camera:
    """The camera after a knock: turned by up to some degrees and moved by some squares."""
    turn = np.radians(rng.normal(0, degrees, 3))
    skew = np.array([[0, -turn[2], turn[1]], [turn[2], 0, -turn[0]], [-turn[1], turn[0], 0]])
    axes = (np.eye(3) + skew) @ np.array(camera.axes)
    u, _, v = np.linalg.svd(axes)
    position = np.array(camera.position) + rng.normal(0, shift, 3)
    return replace(camera, axes=tuple(map(tuple, u @ v)), position=tuple(position))
