"""The planes in which a board is looked for: brightness, colours, and each of them finer and
coarser.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from .geometry import BoardGeometry

Image = NDArray[np.uint8]
Plane = NDArray[np.float32]
Floats = NDArray[np.float64]

#: Smoothing of each level, in its own pixels.
SIGMA = 0.8
#: Levels of a pyramid, each half as fine as the one before.
LEVELS = 4
#: Brightness on a logarithmic scale, on which a shadow shifts a board and leaves its contrast; the
#: 16 keeps the noise of black from growing.
LOG = np.asarray(np.log1p(np.arange(256) / 16) / np.log1p(255 / 16) * 255, np.float32)


#: A picture is pale when all but its darkest and brightest parts lie within this; it is stretched
#: to it, but by no more than STRETCH, or else noise would look like something.
#: In the dark, where all lies below DARK of 255, nothing but noise would grow.
DARK = 40
PALE, PALE_ENDS, STRETCH = 60.0, (0.5, 99.5), 4.0


class Pyramid:
    """One plane, finer and coarser, each level made when it is asked for.

    A pixel of level k stands for 2 ** k of the plane, middles kept.

    Attributes:
        colour: whether it is of colour rather than of brightness.
        notes: what was found on each level, for those who would look again.
    """

    def __init__(self, plane: Plane, colour: bool = False) -> None:
        self.colour = colour
        self.notes: dict[int, object] = {}
        self._raw = [plane]
        self._smooth: dict[int, Plane] = {}

    @property
    def wh(self) -> tuple[int, int]:
        """Width and height of the plane itself."""
        return self._raw[0].shape[1], self._raw[0].shape[0]

    def raw(self, level: int) -> Plane:
        """A level, each pixel the mean of those that it stands for."""
        while len(self._raw) <= level:
            last = self._raw[-1]
            size = max(2, last.shape[1] // 2), max(2, last.shape[0] // 2)
            # halves of odd sizes lose their last row, so that middles stay where they must be
            even = last[: 2 * size[1], : 2 * size[0]]
            half = cv2.resize(even, size, interpolation=cv2.INTER_AREA)
            self._raw.append(np.asarray(half, np.float32))
        return self._raw[level]

    def smooth(self, level: int) -> Plane:
        """A level, smoothed by SIGMA."""
        if level not in self._smooth:
            blurred = cv2.GaussianBlur(self.raw(level), (0, 0), SIGMA)
            self._smooth[level] = np.asarray(blurred, np.float32)
        return self._smooth[level]

    def sample(self, xy: Floats, sigma: float) -> Floats:
        """Values at pixels (..., 2) of the plane, smoothed by about ``sigma`` of its pixels; NaN
        outside.
        """
        level = round(float(np.clip(np.log2(max(sigma, 0.1) / SIGMA), 0, LEVELS - 1)))
        # the level before would do as well, and smaller pictures have fewer levels
        while level and min(self.wh) >> level < 16:
            level -= 1
        return sample(self.smooth(level), (xy + 0.5) / 2**level - 0.5)


def sample(plane: Plane, xy: Floats) -> Floats:
    """Values of a plane at points (..., 2), between pixels linearly; NaN outside the picture."""
    h, w = plane.shape
    flat = np.asarray(xy, np.float64).reshape(-1, 2)
    x, y = flat[:, 0], flat[:, 1]
    with np.errstate(invalid="ignore"):
        inside = (x >= -0.5) & (x <= w - 0.5) & (y >= -0.5) & (y <= h - 0.5)
    x = np.where(inside, x, 0.0).clip(0, w - 1)
    y = np.where(inside, y, 0.0).clip(0, h - 1)
    left = np.minimum(x.astype(np.int64), max(w - 2, 0))
    up = np.minimum(y.astype(np.int64), max(h - 2, 0))
    fx, fy = x - left, y - up
    at = up * w + left
    right, down = min(1, w - 1), w * min(1, h - 1)
    values = plane.reshape(-1)
    top = values[at] * (1 - fx) + values[at + right] * fx
    low = values[at + down] * (1 - fx) + values[at + down + right] * fx
    out = np.where(inside, top * (1 - fy) + low * fy, np.nan)
    return out.reshape(np.shape(xy)[:-1])


def shrink(image: Image, factor: float) -> Image:
    """A picture made smaller, each pixel the mean of those that it stands for."""
    return np.asarray(
        cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8
    )


def planes(image: Image) -> Iterator[Pyramid]:
    """What squares may differ in: brightness, then the two axes of colour; 0 to 255.

    A pale picture, as through fog or a dirty lens, is stretched.
    """
    bright = LOG[cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)]
    low, high = np.percentile(bright[::8, ::8], PALE_ENDS)
    pale = PALE / max(high - low, 1.0) if high > LOG[DARK] else 1.0
    yield Pyramid(bright * np.float32(np.clip(pale, 1.0, STRETCH)))
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB)
    for channel in (1, 2):
        # colour differs by less than brightness does
        yield Pyramid(np.asarray(lab[..., channel], np.float32) * 2, colour=True)


def contrast_plane(image: Image, geometry: BoardGeometry, bright: bool) -> Pyramid:
    """The mixture of the logarithms of blue, green and red in which the light and the dark
    squares of a board differ most, by what they spread (R. A. Fisher's discriminant).

    Args:
        bright: whether the board's first square is a bright one.
    """
    n = geometry.size
    x, y = np.meshgrid(np.arange(n), np.arange(n))
    # near the corners of squares, where men seldom stand
    spots = np.array([[a, b] for a in (0.14, 0.86) for b in (0.14, 0.86)])
    at = geometry.to_image(np.stack([x, y], axis=-1)[..., None, :] + spots)
    logs = [LOG[image[..., channel]] for channel in range(3)]
    colours = np.stack([np.median(sample(log, at), axis=-1) for log in logs], axis=-1)
    light = ((x + y) % 2 == 0) == bright
    seen = np.isfinite(colours).all(axis=-1)
    a, b = colours[seen & light], colours[seen & ~light]
    if min(len(a), len(b)) < 4:
        return Pyramid(logs[1])
    middle_a, middle_b = np.median(a, axis=0), np.median(b, axis=0)
    rest = np.concatenate([a - middle_a, b - middle_b])
    # a covered square or two must not count for more than all others
    spread = np.cov(np.clip(rest, -60, 60).T) + 25 * np.eye(3)
    mix = np.linalg.solve(spread, middle_a - middle_b)
    mix = mix / (np.abs(mix).sum() or 1.0)
    return Pyramid(np.asarray(sum(np.float32(m) * p for m, p in zip(mix, logs, strict=True))))
