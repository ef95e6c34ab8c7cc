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
from .locate_planes import Pyramid
from .locate_saddles import Saddles

#: A ray may miss its neighbour by this angle (a lens bends edges, angles are measured roughly).
AIM = np.radians(20)
#: How many of the nearest points are looked at from each, how many of them are tried along a ray,
#: and how many that pass are kept.
AROUND = 48
TRIES = 6
KEPT = 3
#: The fainter of two neighbours has at least this share of the other's contrast.
ALIKE = 0.3
#: Fewest points that make a hypothesis, in at least two rows and two columns.
FEWEST = 6
#: How many points a lattice is grown from, one after the other, and how many rows it may grow.
SEEDS = 12
TRIES_EACH = 6
LARGE = 30
MANY = 25
GROWTH = 14
#: At last it may leap over rows that a hand hides.
LEAP = 3
#: Points of one lattice have alike contrast, to within this factor of their median.
UNLIKE = 3.0
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


def find_lattices(pyramid: Pyramid, saddles: Saddles) -> list[Lattice]:
    """Hypotheses, those with the most points first; each was grown from a point that no earlier one
    holds.  Of those with MANY points the one with the largest squares comes first: two boards may
    be in the picture, and the nearer one is meant.

    Args:
        pyramid: of the plane that the saddles were found in.
    """
    if len(saddles) < FEWEST:
        return []
    links = _links(pyramid, saddles)
    if not len(links.p):
        return []
    votes = _votes(links, _slots(links, len(saddles)))
    to, back = _best_links(links, votes, len(saddles))
    taken = np.zeros(len(saddles), bool)
    out: list[Lattice] = []
    tried = 0
    for seed in _seeds(to, back):
        if taken[seed] or tried == SEEDS:
            continue
        tried += 1
        near = _around(to, back, seed)
        lattice = _grow(saddles, *near)
        taken[near[0]] = True
        if lattice is not None and 2 * taken[lattice.index].sum() <= len(lattice.index) + 9:
            # a board and what else may look like one
            tried = max(tried, SEEDS - 4) if len(lattice.index) > LARGE else tried
            taken[lattice.index] = True
            out.append(lattice)
    return sorted(out, key=lambda lattice: (-min(len(lattice.index), MANY), -_step(lattice)))


def _step(lattice: Lattice) -> float:
    """Pixels from one point of a lattice to the next, in its middle."""
    middle = lattice.ij.mean(axis=0)
    ends = project(lattice.h, middle + np.array([[0, 0], [1, 0], [0, 1]]))
    return float(np.nan_to_num(np.hypot(*(ends[1:] - ends[0]).T)).mean())


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """Pairs of saddles that may be neighbours, n of them, each pair once from either side.

    Attributes:
        p, ray: int (n,), from which saddle, along which of its rays.
        q, back: int (n,), to which saddle, and which of its rays leads back.
        far: float64 (n,), pixels between them.
    """

    p: NDArray[np.int64]
    ray: NDArray[np.int64]
    q: NDArray[np.int64]
    back: NDArray[np.int64]
    far: NDArray[np.float64]


def _links(pyramid: Pyramid, s: Saddles) -> Links:
    """Up to KEPT possible neighbours for every ray of every saddle."""
    n = len(s)
    x, y = s.xy.T.astype(np.float32)
    every = (x - x[:, None]) ** 2
    every += (y - y[:, None]) ** 2
    np.fill_diagonal(every, np.inf)
    around = min(AROUND, n - 1)
    q = np.argpartition(every, around - 1, axis=1)[:, :around]
    q = np.take_along_axis(q, np.argsort(np.take_along_axis(every, q, 1), axis=1, kind="stable"), 1)
    p = np.broadcast_to(np.arange(n)[:, None], q.shape)
    d = s.xy[q] - s.xy[p]
    far: NDArray[np.float64] = np.hypot(d[..., 0], d[..., 1])
    towards = np.arctan2(d[..., 1], d[..., 0])[..., None]
    there = np.abs((s.rays[p] - towards + np.pi) % (2 * np.pi) - np.pi)
    here = np.abs((s.rays[q] - towards) % (2 * np.pi) - np.pi)
    ray, back = there.argmin(axis=2), here.argmin(axis=2)
    low = np.minimum(s.contrast[p], s.contrast[q])
    ok = (there.min(axis=2) < AIM) & (here.min(axis=2) < AIM)
    # what is bright clockwise of the one's ray is bright anticlockwise of the other's
    ok &= s.bright[p, ray] != s.bright[q, back]
    ok &= (low > ALIKE * np.maximum(s.contrast[p], s.contrast[q])) & (far > 3 * s.scale[p])
    ok &= _rank(ray, ok) < TRIES
    flat = np.nonzero(ok.ravel())[0]
    p, ray, q, back = (x.ravel()[flat] for x in (p, ray, q, back))
    shows = _edge_shows(pyramid, s.xy[p], s.xy[q], s.bright[p, ray], low.ravel()[flat])
    p, ray, q, back = (x[shows] for x in (p, ray, q, back))
    return Links(p, ray, q, back, far.ravel()[flat][shows])


def _rank(ray: NDArray[np.int64], ok: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How many candidates of the same row and ray come before each."""
    own = (ray[..., None] == np.arange(4)) & ok[..., None]
    before = np.cumsum(own, axis=1) - own
    return np.asarray(np.take_along_axis(before, ray[..., None], 2)[..., 0])


def _slots(links: Links, n: int) -> NDArray[np.int64]:
    """Links by saddle and ray: int (4 n, KEPT), the nearest first, -1 where there are no more."""
    slot = 4 * links.p + links.ray
    order = np.lexsort((links.far, slot))
    start = np.searchsorted(slot[order], slot[order])
    place = np.arange(len(order)) - start
    out = np.full((4 * n, KEPT), -1, np.int64)
    use = place < KEPT
    out[slot[order][use], place[use]] = order[use]
    return out


def _votes(links: Links, slots: NDArray[np.int64]) -> NDArray[np.int64]:
    """For every link, how many squares of four links it is a side of."""
    votes = np.zeros(len(links.p), np.int64)
    for turn in (1, 3):
        # rows of links walked so far, all from the same saddle on
        walk = np.arange(len(links.p))[:, None]
        for _ in range(3):
            last = walk[:, -1]
            following = slots[4 * links.q[last] + (links.back[last] + turn) % 4]
            row, column = np.nonzero(following >= 0)
            walk = np.column_stack([walk[row], following[row, column]])
        first, last = walk[:, 0], walk[:, -1]
        closed = (links.q[last] == links.p[first]) & (
            (links.back[last] + turn) % 4 == links.ray[first]
        )
        sides = links.far[walk[closed]]
        across = sides[:, :2] / sides[:, 2:]
        square = ((across > 0.4) & (across < 2.5)).all(axis=1)
        np.add.at(votes, walk[closed][square, 0], 1)
    return votes


def _best_links(
    links: Links, votes: NDArray[np.int64], n: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The neighbour of every ray that lies on squares.

    Returns:
        to (n, 4): the saddle that ray k of saddle p leads to, or -1; back (n, 4): which of that
        one's rays leads back.
    """
    slots = _slots(links, n)
    score = np.where(slots >= 0, votes[slots], 0)
    best = np.take_along_axis(slots, score.argmax(axis=1)[:, None], 1)[:, 0]
    good = score.max(axis=1) > 0
    to = np.where(good, links.q[best], -1).reshape(n, 4)
    return to, np.where(good, links.back[best], 0).reshape(n, 4)


def _edge_shows(
    pyramid: Pyramid,
    a: Points,
    b: Points,
    bright: NDArray[np.bool_],
    contrast: NDArray[np.float64],
) -> NDArray[np.bool_]:
    """Whether dark and light part all the way from points a to points b (n, 2).

    ``bright`` says whether it is bright clockwise of the way.  A man may hide two places of five.
    """
    way = b - a
    far = np.hypot(way[:, 0], way[:, 1])
    side = np.stack([-way[:, 1], way[:, 0]], axis=1) / far[:, None]
    side *= np.clip(0.12 * far, 1.5, 8.0)[:, None]
    along = np.array([0.2, 0.35, 0.5, 0.65, 0.8])
    at = a[:, None, :] + way[:, None, :] * along[:, None]
    step = pyramid.sample(at + side[:, None, :], 1.0) - pyramid.sample(at - side[:, None, :], 1.0)
    step *= np.where(bright, 1.0, -1.0)[:, None]
    return np.asarray((np.nan_to_num(step) > 0.3 * contrast[:, None]).sum(axis=1) >= 3)


def _seeds(to: NDArray[np.int64], back: NDArray[np.int64]) -> list[int]:
    """A few saddles of every joined group, those with most links; the largest groups first."""
    index = np.arange(len(to))[:, None]
    both = (to >= 0) & (to[to, back] == index)
    joined = np.where(both, to, index)
    group = np.arange(len(to))
    for _ in range(len(to)):
        lowest = np.minimum(group, group[joined].min(axis=1))
        if (lowest == group).all():
            break
        group = lowest
    many = np.bincount(group, minlength=len(to))
    order = np.lexsort((-both.sum(axis=1), group, -many[group]))
    tries: dict[int, int] = {}
    out = []
    for p in order.tolist():
        tries[group[p]] = tries.get(group[p], 0) + 1
        if both[p].any() and tries[group[p]] <= TRIES_EACH:
            out.append(p)
    return out


def _around(
    to: NDArray[np.int64], back: NDArray[np.int64], seed: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """A saddle and up to eight around it that links lead to: which, and their coordinates.

    Ray k of a saddle leads in lattice direction (k + turn) mod 4, where 0 is +x, 1 +y (rays go
    clockwise as y points down), 2 -x, 3 -y.
    """
    steps = ((1, 0), (0, 1), (-1, 0), (0, -1))
    at = {seed: (0, 0)}
    turn = {seed: 0}
    queue = deque([seed])
    while queue:
        p = queue.popleft()
        for k in range(4):
            q = int(to[p, k])
            direction = (k + turn[p]) % 4
            x, y = at[p][0] + steps[direction][0], at[p][1] + steps[direction][1]
            # links hold both ways or not at all
            if q < 0 or q in at or to[q, back[p, k]] != p or max(abs(x), abs(y)) > 1:
                continue
            at[q] = (x, y)
            turn[q] = (direction + 2 - int(back[p, k])) % 4
            queue.append(q)
    return np.array(list(at), np.int64), np.array(list(at.values()), np.int64)


def _grow(s: Saddles, members: NDArray[np.int64], ij: NDArray[np.int64]) -> Lattice | None:
    """The lattice through some joined points, grown row by row by all saddles that lie on it."""
    lattice: Lattice | None = None
    rows = 1
    for _ in range(GROWTH):
        h = _through(ij, s.xy[members])
        if h is None:
            return None
        with np.errstate(invalid="ignore"):
            local = project(inverse(h), s.xy)
            local = np.where(np.isfinite(project(h, local)), local, np.nan)
        whole = np.rint(np.nan_to_num(local, nan=1e6)).astype(np.int64)
        off = np.nan_to_num(np.hypot(*(local - whole).T), nan=9.0)
        low, high = ij.min(axis=0) - rows, ij.max(axis=0) + rows
        ok = (off < NEAR) & (whole >= low).all(axis=1) & (whole <= high).all(axis=1)
        even = _even_is_bright(s, h, local, whole)
        bright = bool((even & ok)[members].sum() * 2 >= ok[members].sum())
        ok &= even == bright
        usual = float(np.median(s.contrast[members]))
        ok &= (s.contrast > usual / UNLIKE) & (s.contrast < usual * UNLIKE)
        grown = _one_each(np.nonzero(ok)[0], whole, off)
        lattice = Lattice(h, whole[grown], grown, bright)
        if len(grown) == len(members) and (grown == members).all():
            if rows == LEAP:
                break
            rows = LEAP
        members, ij = grown, whole[grown]
    return lattice if len(members) >= FEWEST else None


def _through(ij: NDArray[np.int64], xy: Points) -> Points | None:
    """3x3, lattice coordinates to pixels; of few points an affine one.  None when they lie on a
    line.
    """
    if len(ij) < 4 or min(np.ptp(ij, axis=0)) < 1:
        return None
    if len(ij) < 6:
        ones = np.column_stack([ij, np.ones(len(ij))])
        h = np.vstack([np.linalg.lstsq(ones, xy, rcond=None)[0].T, [0.0, 0.0, 1.0]])
    else:
        h = homography_from_points(ij, xy)
    return h if abs(np.linalg.det(h)) > 1e-18 else None


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
