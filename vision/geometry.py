"""Where the board lies in a picture: board coordinates to pixels and back.

Board units are squares: (0, 0) lies at ``corners[0]``, x runs along ``corners[0]`` ->
``corners[1]`` (the columns of row 0), y along ``corners[0]`` -> ``corners[3]``, and the playing
area ends at (size, size).  Pixels are those of OpenCV: the middle of the first pixel is (0, 0).

The camera is a pinhole with one radial term, the division model (A. Fitzgibbon, CVPR 2001): a
pixel d, counted from the middle of the picture in half diagonals, belongs to the straight-lined
place u = d / (1 + k1 |d|^2).  It has a closed inverse, and one number covers the usual lenses:
k1 < 0 is a barrel (wide lens), k1 > 0 a pincushion, 0 a lens that keeps lines straight.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import VisionError

Points = NDArray[np.float64]

#: Squares narrower than this, pixels, can't be meant by somebody who clicks corners.
LEAST_PX = 4.0


def homography_from_points(src: ArrayLike, dst: ArrayLike) -> Points:
    """The 3x3 homography that carries ``src`` to ``dst``, by least squares (exact for four).

    Args:
        src, dst: (n, 2) points, n >= 4, not all but one on a line.

    The points are centred and scaled first (R. Hartley, "In defense of the eight-point
    algorithm", 1997), else pixels and squares differ too much in size.
    """
    a, ta = _normalised(np.asarray(src, np.float64))
    b, tb = _normalised(np.asarray(dst, np.float64))
    rows = np.zeros((2 * len(a), 9))
    ones = np.column_stack([a, np.ones(len(a))])
    rows[0::2, 0:3] = ones
    rows[0::2, 6:9] = -b[:, :1] * ones
    rows[1::2, 3:6] = ones
    rows[1::2, 6:9] = -b[:, 1:] * ones
    # four points leave a null vector that only the full decomposition has
    _, _, vt = np.linalg.svd(rows, full_matrices=len(a) == 4)
    h = np.linalg.inv(tb) @ vt[-1].reshape(3, 3) @ ta
    return np.asarray(h / np.linalg.norm(h) * np.sign(h[2, 2] or 1.0))


def _normalised(points: Points) -> tuple[Points, Points]:
    middle = points.mean(axis=0)
    spread = np.abs(points - middle).mean() or 1.0
    t = np.array(
        [[1 / spread, 0, -middle[0] / spread], [0, 1 / spread, -middle[1] / spread], [0, 0, 1]]
    )
    return (points - middle) / spread, t


def project(h: Points, points: ArrayLike) -> Points:
    """Points (..., 2) through a homography; NaN where they lie behind the camera."""
    p = np.asarray(points, np.float64)
    out = p @ h[:, :2].T + h[:, 2]
    w = out[..., 2:]
    return np.asarray(out[..., :2] / np.where(w > 1e-12, w, np.nan))


def inverse(h: Points) -> Points:
    """The homography back."""
    return np.asarray(np.linalg.inv(h), np.float64)


def straighten(points: ArrayLike, k1: float, image_wh: tuple[int, int]) -> Points:
    """Pixels (..., 2) of a lens with term ``k1`` as those of a lens that keeps lines straight."""
    p = np.asarray(points, np.float64)
    if k1 == 0.0:
        return p
    middle, unit = _lens(image_wh)
    d = (p - middle) / unit
    return np.asarray(middle + unit * d / (1 + k1 * (d**2).sum(axis=-1, keepdims=True)))


def bend(points: ArrayLike, k1: float, image_wh: tuple[int, int]) -> Points:
    """The inverse of ``straighten``; NaN where the lens can't see."""
    p = np.asarray(points, np.float64)
    if k1 == 0.0:
        return p
    middle, unit = _lens(image_wh)
    u = (p - middle) / unit
    inside = 1 - 4 * k1 * (u**2).sum(axis=-1, keepdims=True)
    return np.asarray(middle + unit * u * 2 / (1 + np.sqrt(np.where(inside >= 0, inside, np.nan))))


def _lens(image_wh: tuple[int, int]) -> tuple[Points, float]:
    w, h = image_wh
    return np.array([(w - 1) / 2, (h - 1) / 2]), float(np.hypot(w, h) / 2)


def order_corners(corners: ArrayLike) -> Points:
    """Four corners (4, 2), clockwise in the picture, the first one nearest its top left."""
    c = np.asarray(corners, np.float64)
    middle = c.mean(axis=0)
    # y points down in a picture, so that growing angles run clockwise
    c = c[np.argsort(np.arctan2(c[:, 1] - middle[1], c[:, 0] - middle[0]), kind="stable")]
    return np.roll(c, -int(np.argmin(np.hypot(c[:, 0], c[:, 1]))), axis=0)


@dataclass(frozen=True, slots=True, eq=False)
class BoardGeometry:
    """Where the playing area of a board lies in a picture.

    Attributes:
        size: squares along one edge.
        corners: float64 (4, 2), its outer corners in pixels, clockwise in the picture, the first
            one nearest its top left; read-only.  They may lie outside the picture.
        residual: how far the lines between squares that were seen lie from where the geometry
            puts them, RMS in squares; 0 when nobody measured (clicked corners).
        k1: the lens term, 0 for none.
        image_wh: width and height of the picture; needed when ``k1`` is not 0.
    """

    size: int
    corners: Points
    residual: float = 0.0
    k1: float = 0.0
    image_wh: tuple[int, int] = (0, 0)
    #: The homography, once somebody asked for it.
    _known: list[Points] = field(default_factory=list, init=False, repr=False)

    def __post_init__(self) -> None:
        c = np.array(self.corners, np.float64)
        if c.shape != (4, 2) or not np.isfinite(c).all():
            raise VisionError(f"corners {c.tolist()}", "board geometry", "four finite points x, y")
        if self.size < 2:
            raise VisionError(f"size {self.size}", "board geometry", "2 squares or more")
        edges = np.roll(c, -1, axis=0) - c
        turns = edges[:, 0] * np.roll(edges[:, 1], -1) - edges[:, 1] * np.roll(edges[:, 0], -1)
        if not (turns > 0).all():
            raise VisionError(
                f"corners {np.round(c, 1).tolist()}",
                "board geometry",
                "the corners of a convex four-sided figure, clockwise in the picture",
            )
        if self.k1 != 0.0 and min(self.image_wh) <= 0:
            raise VisionError("a lens term without a picture size", "board geometry", "image_wh")
        c.flags.writeable = False
        object.__setattr__(self, "corners", c)

    @classmethod
    def from_corners(cls, size: int, corners: ArrayLike) -> BoardGeometry:
        """The geometry of four corners given in any order, as from clicks.

        Raises:
            VisionError: they can't be those of a board that can be read.
        """
        c = np.asarray(corners, np.float64)
        try:
            made = cls(size, order_corners(c) if c.shape == (4, 2) else c)
        except VisionError as error:
            raise VisionError(
                error.what, "four corners", "those of a board, in any order, without a dent"
            ) from None
        edges = np.roll(made.corners, -1, axis=0) - made.corners
        least = float(np.hypot(edges[:, 0], edges[:, 1]).min() / size)
        if least < LEAST_PX:
            raise VisionError(
                f"corners so near each other that squares are {least:.1f} pixels wide",
                "four corners",
                f"{LEAST_PX:g} pixels or more",
            )
        return made

    @classmethod
    def from_homography(
        cls,
        size: int,
        h: Points,
        residual: float = 0.0,
        k1: float = 0.0,
        image_wh: tuple[int, int] = (0, 0),
    ) -> BoardGeometry:
        """The geometry of a homography from board units to straightened pixels, turned so that
        the first corner is the right one.
        """
        square = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float64)
        corners = bend(project(h, square), k1, image_wh)
        return cls(size, order_corners(corners), residual, k1, image_wh)

    def homography(self) -> Points:
        """3x3, board units to straightened pixels."""
        if not self._known:
            n = self.size
            square = [[0, 0], [n, 0], [n, n], [0, n]]
            flat = straighten(self.corners, self.k1, self.image_wh)
            self._known.append(homography_from_points(square, flat))
            self._known[0].flags.writeable = False
        return self._known[0]

    def to_image(self, xy_board: ArrayLike) -> Points:
        """Pixels (..., 2) of points (..., 2) in board units; NaN where the camera can't see."""
        return bend(project(self.homography(), xy_board), self.k1, self.image_wh)

    def to_board(self, xy_image: ArrayLike) -> Points:
        """Board units (..., 2) of pixels (..., 2); NaN beyond the board's horizon."""
        return project(inverse(self.homography()), straighten(xy_image, self.k1, self.image_wh))

    def square_px(self) -> float:
        """Edge of a square in pixels, the mean over the board's four edges."""
        edges = np.roll(self.corners, -1, axis=0) - self.corners
        return float(np.hypot(edges[:, 0], edges[:, 1]).mean() / self.size)

    def scaled(self, factor: float) -> BoardGeometry:
        """The same board in the same picture, resized by ``factor`` (pixel middles kept)."""
        w, h = self.image_wh
        return replace(
            self,
            corners=(self.corners + 0.5) * factor - 0.5,
            image_wh=(round(w * factor), round(h * factor)),
        )

    def to_json(self) -> dict[str, Any]:
        """The geometry as JSON values; ``from_json`` reads them back equal."""
        return {
            "size": self.size,
            "corners": self.corners.tolist(),
            "residual": self.residual,
            "k1": self.k1,
            "image_wh": list(self.image_wh),
        }

    @classmethod
    def from_json(cls, row: dict[str, Any]) -> BoardGeometry:
        """The geometry that ``to_json`` wrote."""
        try:
            w, h = row["image_wh"]
            return cls(
                int(row["size"]),
                np.array(row["corners"], np.float64),
                float(row["residual"]),
                float(row["k1"]),
                (int(w), int(h)),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise VisionError(
                f"no board geometry: {error}", "JSON", "what to_json writes"
            ) from error

    def _key(self) -> tuple[Any, ...]:
        return self.size, self.corners.tobytes(), self.residual, self.k1, self.image_wh

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BoardGeometry) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())
