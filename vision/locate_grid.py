"""Joins saddle points to lattices: which points are neighbours on a board, and where all the
others then must lie.

Two neighbours see each other along an edge between a dark and a light square, so that each has a
ray towards the other, the same square is bright for both, and the edge shows all the way.  Joined
points get whole-number coordinates; a homography fitted to them predicts the rest.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .geometry import Points, homography_from_points, inverse, project
from .locate_saddles import Plane, Saddles, sample

#: A ray may miss its neighbour by this angle (a lens bends edges, angles are measured roughly).
AIM = np.radians(13)
#: How many of the nearest candidates are tried along a ray.
TRIES = 3
#: Fewest joined points that make a hypothesis, in at least two rows and two columns.
FEWEST = 6
#: A point belongs to the lattice when it lies this near to where it must, squares.
NEAR = 0.2


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """A hypothesis: some saddle points with whole-number coordinates on a board.

    Attributes:
        h: 3x3, lattice coordinates to pixels.
        ij: int (n, 2), coordinates x, y of its points, from an arbitrary origin.
        index: int (n,), which saddles they are.
        bright: whether the cell between (0, 0) and (1, 1), and so every cell with an even sum of
            coordinates, is a bright one.
    """

    h: Points
    ij: NDArray[np.int64]
    index: NDArray[np.int64]
    bright: bool


def find_lattices(plane: Plane, saddles: Saddles) -> list[Lattice]:
    """Hypotheses, the one with the most points first; each holds points that no earlier one has.

    Args:
        plane: float32 (H, W) that the saddles were found in.
    """
    if len(saddles) < FEWEST:
        return []
    to, back = _links(plane, saddles)
    taken = np.zeros(len(saddles), bool)
    squares = np.where(_in_a_square(to, back), to, -1)
    out: list[Lattice] = []
    for group in [*_groups(squares, back), *_groups(to, back)]:
        members = np.array([i for i in group if not taken[i]], np.int64)
        if len(members) < FEWEST:
            continue
        lattice = _fit(saddles, members, np.array([group[int(i)] for i in members]))
        if lattice is not None:
            taken[lattice.index] = True
            out.append(lattice)
    return sorted(out, key=lambda lattice: -len(lattice.index))


def _links(plane: Plane, s: Saddles) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The neighbour of every ray.

    Returns:
        to (n, 4): the saddle that ray k of saddle p leads to, or -1; back (n, 4): which of that
        one's rays leads back.
    """
    n = len(s)
    d = s.xy[None, :, :] - s.xy[:, None, :]
    far = np.hypot(d[..., 0], d[..., 1])
    np.fill_diagonal(far, np.inf)
    towards = np.arctan2(d[..., 1], d[..., 0])
    # the ray of p nearest to the direction of q, for every pair
    off = np.abs((s.rays[:, None, :] - towards[:, :, None] + np.pi) % (2 * np.pi) - np.pi)
    ray = off.argmin(axis=2)
    aims = np.take_along_axis(off, ray[:, :, None], 2)[..., 0] < AIM
    shines = np.take_along_axis(
        np.broadcast_to(s.bright[:, None, :], off.shape), ray[:, :, None], 2
    )[..., 0]
    contrast = np.minimum(s.contrast[:, None], s.contrast[None, :])
    alike = contrast > 0.4 * np.maximum(s.contrast[:, None], s.contrast[None, :])
    # what is bright clockwise of the one's ray is bright anticlockwise of the other's
    pairs = aims & aims.T & (shines != shines.T) & alike & (far > 3 * s.scale[:, None])
    to = np.full((n, 4), -1, np.int64)
    back = np.zeros((n, 4), np.int64)
    for k in range(4):
        distance = np.where(pairs & (ray == k), far, np.inf)
        nearest = np.argsort(distance, axis=1, kind="stable")[:, :TRIES]
        for t in range(nearest.shape[1]):
            q = nearest[:, t]
            p = np.nonzero((to[:, k] < 0) & np.isfinite(distance[np.arange(n), q]))[0]
            q = q[p]
            good = _edge_shows(plane, s.xy[p], s.xy[q], s.bright[p, k], contrast[p, q])
            to[p[good], k] = q[good]
            back[p[good], k] = ray[q[good], p[good]]
    return to, back


def _in_a_square(to: NDArray[np.int64], back: NDArray[np.int64]) -> NDArray[np.bool_]:
    """For every ray (n, 4), whether four links from it, turning the same way, close a square."""
    n = len(to)
    start = np.repeat(np.arange(n), 4)
    rays = np.tile(np.arange(4), n)
    closed = np.zeros(4 * n, bool)
    for turn in (1, 3):
        at, ray, alive = start, rays, np.ones(4 * n, bool)
        for _ in range(4):
            next_at, arrival = to[at, ray], back[at, ray]
            alive &= next_at >= 0
            # links hold both ways or not at all
            alive &= (to[next_at, arrival] == at) & (back[next_at, arrival] == ray)
            at, ray = next_at, (arrival + turn) % 4
        closed |= alive & (at == start) & (ray == rays)
    return closed.reshape(n, 4)


def _edge_shows(
    plane: Plane,
    a: Points,
    b: Points,
    bright: NDArray[np.bool_],
    contrast: NDArray[np.float64],
) -> NDArray[np.bool_]:
    """Whether dark and light part all the way from points a to points b (n, 2).

    ``bright`` says whether it is bright clockwise of the way.  A man may hide one place in five.
    """
    way = b - a
    far = np.hypot(way[:, 0], way[:, 1])
    side = np.stack([-way[:, 1], way[:, 0]], axis=1) / far[:, None]
    side *= np.clip(0.12 * far, 1.5, 8.0)[:, None]
    along = np.array([0.2, 0.35, 0.5, 0.65, 0.8])
    at = a[:, None, :] + way[:, None, :] * along[:, None]
    step = sample(plane, at + side[:, None, :]) - sample(plane, at - side[:, None, :])
    step *= np.where(bright, 1.0, -1.0)[:, None]
    return np.asarray((np.nan_to_num(step) > 0.3 * contrast[:, None]).sum(axis=1) >= 4)


def _groups(to: NDArray[np.int64], back: NDArray[np.int64]) -> list[dict[int, tuple[int, int]]]:
    """Joined saddles, most first, with the coordinates that walking from one of them gives.

    Ray k of a saddle leads in lattice direction (k + turn) mod 4, where 0 is +x, 1 +y (rays go
    clockwise as y points down), 2 -x, 3 -y.
    """
    steps = ((1, 0), (0, 1), (-1, 0), (0, -1))
    seen: set[int] = set()
    out: list[dict[int, tuple[int, int]]] = []
    for first in np.argsort(-(to >= 0).sum(axis=1), kind="stable").tolist():
        if first in seen or (to[first] < 0).all():
            continue
        at = {first: (0, 0)}
        turn = {first: 0}
        queue = deque([first])
        while queue:
            p = queue.popleft()
            for k in range(4):
                q = int(to[p, k])
                if q < 0 or q in at or q in seen or to[q, back[p, k]] != p:
                    continue
                direction = (k + turn[p]) % 4
                dx, dy = steps[direction]
                at[q] = (at[p][0] + dx, at[p][1] + dy)
                turn[q] = (direction + 2 - int(back[p, k])) % 4
                queue.append(q)
        seen.update(at)
        out.append(at)
    return sorted(out, key=lambda group: (-len(group), min(group)))


def _fit(s: Saddles, members: NDArray[np.int64], ij: NDArray[np.int64]) -> Lattice | None:
    """The lattice through some joined points, grown by all other saddles that lie on it."""
    for _ in range(3):
        if len(members) < FEWEST or min(np.ptp(ij, axis=0)) < 1:
            return None
        h = homography_from_points(ij, s.xy[members])
        if abs(np.linalg.det(h)) < 1e-18:
            return None
        miss = np.nan_to_num(np.hypot(*(project(inverse(h), s.xy[members]) - ij).T), nan=9.0)
        fits = miss < max(NEAR, 2.5 * float(np.median(miss)))
        members, ij = members[fits], ij[fits]
    for _ in range(12):
        if len(members) < FEWEST or min(np.ptp(ij, axis=0)) < 1:
            return None
        h = homography_from_points(ij, s.xy[members])
        if abs(np.linalg.det(h)) < 1e-18:
            return None
        with np.errstate(invalid="ignore"):
            local = project(inverse(h), s.xy)
            local = np.where(np.isfinite(project(h, local)), local, np.nan)
        whole = np.rint(np.nan_to_num(local, nan=1e6)).astype(np.int64)
        off = np.nan_to_num(np.hypot(*(local - whole).T), nan=9.0)
        low, high = ij.min(axis=0) - 1, ij.max(axis=0) + 1
        ok = (off < NEAR) & (whole >= low).all(axis=1) & (whole <= high).all(axis=1)
        even = _even_is_bright(s, h, local, whole)
        bright = bool((even & ok)[members].sum() * 2 >= ok[members].sum())
        ok &= even == bright
        grown = _one_each(np.nonzero(ok)[0], whole, off)
        if len(grown) == len(members) and (grown == members).all():
            break
        members, ij = grown, whole[grown]
    return Lattice(h, ij, members, bright)


def _even_is_bright(
    s: Saddles, h: Points, local: Points, whole: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """For every saddle, whether it says that cells with an even sum of coordinates are bright."""
    ahead = project(h, local + 0.1) - project(h, local)
    angle = np.nan_to_num(np.arctan2(ahead[:, 1], ahead[:, 0]))
    past = (angle[:, None] - s.rays) % (2 * np.pi)
    cell = s.bright[np.arange(len(s)), past.argmin(axis=1)]
    return np.asarray(cell == (whole.sum(axis=1) % 2 == 0))


def _one_each(
    index: NDArray[np.int64], whole: NDArray[np.int64], off: NDArray[np.float64]
) -> NDArray[np.int64]:
    """The saddles of ``index`` that lie nearest to their lattice point, one for each point."""
    order = index[np.argsort(off[index], kind="stable")]
    _, first = np.unique(whole[order], axis=0, return_index=True)
    return np.sort(order[first])
