"""Finds the points where four squares meet.

Such a point is a saddle of brightness: going once around it one crosses dark, light, dark, light.
Men do not cover it from above, letters and frames seldom look like it, and any turn, size or lens
leaves it a saddle.  Candidates are the peaks of a ring response (after S. Bennett and J. Lasenby,
"ChESS", 2014: the two sums over opposite points, a quarter turn apart, must differ while opposite
points agree); each is then looked at all around and kept when exactly two straight edges cross.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from .locate_planes import SIGMA, Plane, Pyramid, sample

#: Sixteen points on a ring of about four pixels, in order of angle; point n + 8 is opposite n.
RING = (
    (4, 0), (4, 2), (3, 3), (2, 4), (0, 4), (-2, 4), (-3, 3), (-4, 2),
    (-4, 0), (-4, -2), (-3, -3), (-2, -4), (0, -4), (2, -4), (3, -3), (4, -2),
)  # fmt: skip
REACH = 4
#: Angles at which a candidate is looked at, and on which rings (pixels of its level).
LOOKS = 32
RADII = (3.0, 4.5)
#: Peaks kept per level: boards have at most 81 points, the rest is clutter.
PEAKS = 350


@dataclass(frozen=True, slots=True, eq=False)
class Saddles:
    """Saddle points of one picture, n of them.

    Attributes:
        xy: float64 (n, 2), pixels.
        rays: float64 (n, 4), the angles in radians at which edges leave the point, ascending;
            y points down, so that angles grow clockwise.
        bright: bool (n, 4), whether it is bright just after (clockwise of) each ray.
        contrast: float64 (n,), bright minus dark, in the units of the plane.
        scale: float64 (n,), pixels of the picture per pixel of the level it was found on.
    """

    xy: NDArray[np.float64]
    rays: NDArray[np.float64]
    bright: NDArray[np.bool_]
    contrast: NDArray[np.float64]
    scale: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.xy)


def find_saddles(pyramid: Pyramid, finest: int = 0, levels: int = 3) -> Saddles:
    """All saddle points of a plane, on ``levels`` levels from ``finest`` on.

    Returns:
        Saddles in pixels of the plane; where two levels found the same point the finer is kept.
    """
    found = [_none()]
    for level in range(finest, finest + levels):
        if min(pyramid.wh) >> level < 8 * REACH:
            break
        found.append(_on_level(pyramid, level))
    return _merge(found)


def _on_level(pyramid: Pyramid, level: int) -> Saddles:
    """The saddle points of one level, looked for once."""
    known = pyramid.notes.get(level)
    if not isinstance(known, Saddles):
        known = _look(_without_lines(pyramid, level), float(2**level))
        pyramid.notes[level] = known
    return known


def _without_lines(pyramid: Pyramid, level: int) -> Plane:
    """A smoothed level without the lines that part the squares of some boards; they are thin on
    coarse levels.
    """
    if level == 0:
        return pyramid.smooth(0)
    if level == 1:
        clean = cv2.medianBlur(pyramid.raw(1), 5)
    else:
        # a median keeps where two lines cross; this leaves neither light lines nor dark ones
        kernel = np.ones((3, 3), np.uint8)
        clean = cv2.morphologyEx(pyramid.raw(level), cv2.MORPH_OPEN, kernel)
        clean = cv2.morphologyEx(clean, cv2.MORPH_CLOSE, kernel)
    return np.asarray(cv2.GaussianBlur(clean, (0, 0), SIGMA), np.float32)


def _response(plane: Plane) -> Plane:
    """The ring response of every pixel: float32 like the plane, zero in a rim of REACH."""
    h, w = plane.shape
    ring = [plane[REACH + y : h - REACH + y, REACH + x : w - REACH + x] for x, y in RING]
    pairs = [cv2.add(ring[n], ring[n + 8]) for n in range(8)]
    total = cv2.absdiff(pairs[0], pairs[4])
    for n in range(1, 4):
        cv2.add(total, cv2.absdiff(pairs[n], pairs[n + 4], pairs[n]), total)
    for n in range(8):
        cv2.subtract(total, cv2.absdiff(ring[n], ring[n + 8], pairs[n]), total)
    out = np.zeros_like(plane)
    out[REACH : h - REACH, REACH : w - REACH] = total
    return out


def _peaks(plane: Plane) -> NDArray[np.float64]:
    """The PEAKS strongest local maxima of the response, (n, 2) as x, y."""
    response = _response(plane)
    top = cv2.dilate(response, np.ones((5, 5), np.uint8))
    ys, xs = np.nonzero((response >= top) & (response > 4.0))
    order = np.argsort(-response[ys, xs], kind="stable")[:PEAKS]
    return np.stack([xs[order], ys[order]], axis=1).astype(np.float64)


def _settle(plane: Plane, xy: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points moved to the exact middle of their saddle: one Newton step on a 5x5 fit, twice."""
    grid = np.arange(-2, 3, dtype=np.float64)
    dx, dy = np.meshgrid(grid, grid)
    around = np.stack([dx, dy], axis=-1).reshape(-1, 2)
    terms = np.stack(
        [
            np.ones(25),
            dx.ravel(),
            dy.ravel(),
            dx.ravel() ** 2 / 2,
            (dx * dy).ravel(),
            dy.ravel() ** 2 / 2,
        ],
        axis=1,
    )
    fit = np.linalg.pinv(terms)
    for _ in range(2):
        patch = np.nan_to_num(sample(plane, xy[:, None, :] + around))
        _, gx, gy, hxx, hxy, hyy = fit @ patch.T
        det = hxx * hyy - hxy**2
        det = np.where(np.abs(det) < 1e-9, 1e-9, det)
        step = np.stack([-(hyy * gx - hxy * gy) / det, -(hxx * gy - hxy * gx) / det], axis=1)
        xy = xy + np.clip(step, -1.5, 1.5)
    return xy


def _look(plane: Plane, scale: float) -> Saddles:
    """The peaks of one level around which two straight edges cross."""
    xy = _settle(plane, _peaks(plane))
    angles = np.arange(LOOKS) * (2 * np.pi / LOOKS)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    kept = []
    for radius in RADII:
        values = sample(plane, xy[:, None, :] + radius * circle)
        kept.append(_crossings(values, sample(plane, xy)))
    rays, ok = kept[0][0], kept[0][3] & kept[1][3]
    # the outer ring measures angles better, the inner one says that both see the same cross
    turn = np.angle(np.exp(1j * (kept[1][0] - rays)))
    ok &= (np.abs(turn) < np.radians(25)).all(axis=1)
    rays, bright, contrast = kept[1][0], kept[1][1], np.minimum(kept[0][2], kept[1][2])
    return Saddles(
        (xy[ok] + 0.5) * scale - 0.5,
        rays[ok],
        bright[ok],
        contrast[ok],
        np.full(int(ok.sum()), scale),
    )


def _crossings(
    values: NDArray[np.float64], centre: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.float64], NDArray[np.bool_]]:
    """Where the brightness around points crosses its middle.

    Args:
        values: (n, LOOKS) around each point, clockwise from angle 0.
        centre: (n,) of the points themselves: the level that runs through a saddle along its
            edges, also where they cross at a slant and blur has drawn it to one side.

    Returns:
        rays (n, 4), bright (n, 4), contrast (n,) as in Saddles, and whether each point is a
        proper saddle (n,): four crossings, in two opposite pairs.
    """
    n = len(values)
    clean = np.where(np.isnan(values), 0, values)
    ordered = np.sort(clean, axis=1)
    low, high = ordered[:, LOOKS // 8], ordered[:, -LOOKS // 8 - 1]
    middle = np.clip(centre, 0.75 * low + 0.25 * high, 0.25 * low + 0.75 * high)
    up = np.asarray(clean > middle[:, None])
    after = np.roll(clean, -1, axis=1)
    crossing = up != np.roll(up, -1, axis=1)
    ok = (crossing.sum(axis=1) == 4) & ~np.isnan(values).any(axis=1)
    where = np.zeros((n, 4), np.int64)
    where[ok] = np.nonzero(crossing[ok])[1].reshape(-1, 4)
    rows = np.arange(n)[:, None]
    a, b = clean[rows, where], after[rows, where]
    gap = np.where(np.abs(b - a) < 1e-9, 1e-9, b - a)
    rays = (where + np.clip((middle[:, None] - a) / gap, 0, 1)) * (2 * np.pi / LOOKS)
    bright = b > a
    opposite = np.abs(rays[:, 2:] - rays[:, :2] - np.pi)
    narrow = np.diff(rays, axis=1, append=rays[:, :1] + 2 * np.pi).min(axis=1)
    ok &= (opposite < np.radians(30)).all(axis=1) & (narrow > np.radians(22))
    ok &= high - low > 3.0
    return np.asarray(rays, np.float64), bright, np.asarray(high - low, np.float64), ok


def _merge(found: list[Saddles]) -> Saddles:
    """One list of saddles of several levels, finer ones first, repeated points left out."""
    fields = Saddles.__slots__
    every = Saddles(*(np.concatenate([getattr(s, f) for s in found]) for f in fields))
    x, y = every.xy.T.astype(np.float32)
    far = 2 * every.scale.astype(np.float32)[:, None]
    near = np.abs(x[:, None] - x) < far
    near &= np.abs(y[:, None] - y) < far
    # a point repeats an earlier one that is nearer than two pixels of its own level and has the
    # same rays; where thin lines part the squares, the finer level sees only how they cross
    later, earlier = np.nonzero(np.tril(near, -1))
    turn = every.rays[later, 0] - every.rays[earlier, 0]
    turn = (turn + np.pi / 4) % (np.pi / 2) - np.pi / 4
    repeats = np.zeros(len(every), bool)
    repeats[later[np.abs(turn) < np.radians(20)]] = True
    keep = ~repeats
    return Saddles(*(getattr(every, f)[keep] for f in fields))


def _none() -> Saddles:
    return Saddles(
        np.zeros((0, 2)), np.zeros((0, 4)), np.zeros((0, 4), bool), np.zeros(0), np.zeros(0)
    )
