"""Fits a board's geometry to its edges, to a small part of a pixel.

Across every inner edge brightness is read along short lines; where it changes fastest, with the
right sign, lies the border of two squares.  Hundreds of such places fix the eight numbers of the
homography and the lens term by robust least squares (Gauss-Newton with Huber weights).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .errors import VisionError
from .geometry import BoardGeometry, Points, bend, inverse, project, straighten
from .locate_planes import Floats, Pyramid

#: Places along an edge where it is measured.
PLACES = np.array([0.12, 0.24, 0.5, 0.76, 0.88])
#: Steps of a reading line, to each side.
STEPS = 10
#: Finer things than this are smoothed away before, squares.
SMOOTH = 0.02
#: A step in brightness counts from this share of the board's contrast.
LEAST = 0.3
#: Readings that miss by more than this many typical misses lose weight.
HUBER = 1.5
#: How far lens terms spread; a fit that sees little of the lens stays near 0.
K1_SPREAD = 0.15


@dataclass(frozen=True, slots=True, eq=False)
class Readings:
    """Places where edges were found, n of them.

    Attributes:
        xy: float64 (n, 2), pixels.
        axis: int (n,), 0 when the edge lies on a line of constant x, 1 of constant y.
        line: float64 (n,), that constant.
        share: share of the places looked at where an edge was found.
    """

    xy: Points
    axis: NDArray[np.int64]
    line: Floats
    share: float


def read_edges(pyramid: Pyramid, geometry: BoardGeometry, bright: bool, reach: float) -> Readings:
    """Where the inner edges of a board lie, near to where its geometry has them.

    Args:
        bright: whether the first square is a bright one.
        reach: how far to either side to look, squares.
    """
    n = geometry.size
    lines, cells = np.meshgrid(np.arange(1, n), np.arange(n), indexing="ij")
    sign = np.where(((lines + cells) % 2 == 0) == bright, 1.0, -1.0)
    offset = np.linspace(-reach, reach, 2 * STEPS + 1)
    shape = (*lines.shape, len(PLACES), len(offset))
    on = np.broadcast_to(lines[..., None, None] + offset, shape)
    along = np.broadcast_to(cells[..., None, None] + PLACES[:, None], shape)
    sigma = SMOOTH * geometry.square_px()
    found = []
    for axis in (0, 1):
        board = np.stack([on, along] if axis == 0 else [along, on], axis=-1)
        xy = geometry.to_image(board)
        step = sign[..., None, None] * _slope(pyramid.sample(xy, sigma))
        at, high = _peak(step)
        place = _between(xy, at)
        found.append((place, high, np.broadcast_to(lines[..., None], high.shape)))
    tall = np.concatenate([f[1].ravel() for f in found])
    typical = float(np.nanmedian(tall[tall > 0])) if (tall > 0).any() else np.inf
    good = tall > LEAST * typical
    xy = np.concatenate([f[0].reshape(-1, 2) for f in found])
    line = np.concatenate([f[2].ravel() for f in found]).astype(np.float64)
    axes = np.repeat([0, 1], len(line) // 2)
    good &= np.isfinite(xy).all(axis=1)
    return Readings(xy[good], axes[good], line[good], float(good.mean()))


def _slope(values: Floats) -> Floats:
    """Central differences over four steps along the last axis; NaN at the ends."""
    out = np.full_like(values, np.nan)
    out[..., 2:-2] = values[..., 4:] - values[..., :-4]
    out[..., 2:-2] += values[..., 3:-1] - values[..., 1:-3]
    return out


def _peak(step: Floats) -> tuple[Floats, Floats]:
    """Index (with a fraction) and height of the highest step along the last axis; nearer to the
    middle is better.
    """
    n = step.shape[-1]
    far = np.abs(np.arange(n) - n // 2) / (n // 2)
    clean = np.nan_to_num(step, nan=-1e9)
    best = (clean * (1 - 0.4 * far**2)).argmax(axis=-1)
    best = np.clip(best, 1, n - 2)[..., None]
    a, b, c = (np.take_along_axis(clean, best + k, -1)[..., 0] for k in (-1, 0, 1))
    curve = np.minimum(a - 2 * b + c, -1e-9)
    # a neighbour of -1e9 is one that lies outside the picture
    shift = np.where((a > -1e8) & (c > -1e8), (a - c) / (2 * curve), 0)
    return best[..., 0] + np.clip(shift, -0.5, 0.5), b


def _between(xy: Points, at: Floats) -> Points:
    """Points on reading lines (..., m, 2) at indices with a fraction (...)."""
    base = np.clip(np.floor(at).astype(np.int64), 0, xy.shape[-2] - 2)
    part = (at - base)[..., None]
    a = np.take_along_axis(xy, base[..., None, None], -2)[..., 0, :]
    b = np.take_along_axis(xy, base[..., None, None] + 1, -2)[..., 0, :]
    return a * (1 - part) + b * part


def fit_edges(geometry: BoardGeometry, readings: Readings, lens: bool) -> BoardGeometry | None:
    """The geometry that puts the board's lines through the readings; None when they don't do.

    Args:
        lens: whether the lens term is fitted too, else it stays what it is.
    """
    if len(readings.xy) < 24:
        return None
    middle = readings.xy.mean(axis=0)
    unit = float(np.abs(readings.xy - middle).mean()) or 1.0
    to_unit = np.array(
        [[1 / unit, 0, -middle[0] / unit], [0, 1 / unit, -middle[1] / unit], [0, 0, 1]]
    )
    g = inverse(to_unit @ geometry.homography())
    k1 = geometry.k1
    miss = np.zeros(len(readings.xy))
    for _ in range(8):
        g = g / g[2, 2]
        miss, jacobian, px = _linearise(g, k1, readings, geometry.image_wh, middle, unit)
        spread = max(1.4826 * float(np.median(np.abs(miss * px))), 0.02)
        weight = px**2 / np.maximum(1.0, np.abs(miss * px) / (HUBER * spread))
        weight[np.abs(miss * px) > 6 * spread] = 0.0
        j = jacobian if lens else jacobian[:, :8]
        normal = j.T @ (weight[:, None] * j)
        pull = -j.T @ (weight * miss)
        if lens:
            normal[8, 8] += spread**2 / K1_SPREAD**2
            pull[8] -= k1 * spread**2 / K1_SPREAD**2
        normal += 1e-12 * np.trace(normal) * np.eye(len(normal))
        step = np.linalg.solve(normal, pull)
        g = g + np.append(step[:8], 0.0).reshape(3, 3)
        k1 += float(step[8]) if lens else 0.0
        if np.abs(step).max() < 1e-7:
            break
    return _as_geometry(geometry, inverse(g @ to_unit), k1, miss)


def _linearise(
    g: Points,
    k1: float,
    readings: Readings,
    image_wh: tuple[int, int],
    middle: Points,
    unit: float,
) -> tuple[Floats, Floats, Floats]:
    """Misses (n,) in squares, their derivatives (n, 9) by the eight numbers of ``g`` and by k1,
    and pixels per square (n,) across each edge.
    """
    flat = straighten(readings.xy, k1, image_wh)
    u = np.column_stack([(flat - middle) / unit, np.ones(len(flat))])
    w = u @ g[2]
    value = (u * g[readings.axis]).sum(axis=1) / w
    jacobian = np.zeros((len(u), 9))
    for axis in (0, 1):
        own = readings.axis == axis
        jacobian[own, 3 * axis : 3 * axis + 3] = u[own] / w[own, None]
    jacobian[:, 6:8] = -value[:, None] * u[:, :2] / w[:, None]
    # derivative of the place by the pixel, which also gives pixels per square
    slope = (g[readings.axis][:, :2] - value[:, None] * g[2, :2]) / w[:, None]
    px = unit / np.maximum(np.hypot(slope[:, 0], slope[:, 1]), 1e-9)
    tiny = 1e-4
    bent = (straighten(readings.xy, k1 + tiny, image_wh) - flat) / (tiny * unit)
    jacobian[:, 8] = (slope * bent).sum(axis=1)
    return value - readings.line, jacobian, px


def _as_geometry(
    geometry: BoardGeometry, h: Points, k1: float, miss: Floats
) -> BoardGeometry | None:
    """A fit as a geometry whose first corner is that of ``geometry``; None when it broke."""
    n = geometry.size
    square = [[0, 0], [n, 0], [n, n], [0, n]]
    with np.errstate(invalid="ignore"):
        corners = bend(project(h, square), k1, geometry.image_wh)
    residual = float(np.sqrt(np.mean(np.minimum(np.abs(miss), 0.25) ** 2)))
    try:
        return replace(geometry, corners=corners, residual=residual, k1=k1)
    except VisionError:
        return None
