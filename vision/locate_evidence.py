"""Weighs where on a lattice the board lies, by its edges.

Every edge between two cells of a lattice either shows (one side is brighter by as much as squares
of this board differ, and it is the side that must be) or it does not.  On the board all edges
show but those that a man, a hand or the picture's end hides; beyond it hardly any does, and along
its border the same frame meets light and dark squares in turn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from .locate_planes import Floats, Pyramid

#: Lattice points (..., 2) to pixels (..., 2).
ToImage = Callable[[Floats], Floats]

#: Places along an edge that are looked at, and how far to either side, in squares.  Men hide the
#: middle of an edge first, so it is left out.
PLACES = np.array([0.14, 0.22, 0.3, 0.7, 0.78, 0.86])
ASIDE = 0.13
#: An edge shows when it has this share of the contrast of the board's other edges.
SHOWS = 0.4
TOO_MUCH = 3.0
#: An edge counts for what it shows less this; one outside the picture counts for OUTSIDE, so that
#: a hidden row inside the picture is believed before an unseen one outside it.
FREE = 0.5
LOWEST = 0.0
OUTSIDE = -0.65
#: Where between dark and light a frame may lie; it may be lighter or darker than any square.
LIGHTEST = (-0.6, 1.6)
#: And its place must be the same all along to within this.
ALIKE = 0.5
#: The cells beyond a border show edges among themselves by less than this.
PLAIN = 0.3
#: What a sure border counts for, what one that runs through a window counts against it; one
#: outside the picture hardly counts.
BORDER = 4.0
WITHIN = 25.0
BORDER_OUTSIDE = -0.1


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """How well each edge of a part of a lattice shows: 1 as it should, 0 not at all, NaN outside
    the picture.

    Attributes:
        x0, y0: the lattice point that index 0 stands for.
        across: float64 (ny, nx + 1), [y, x] between the cells (x - 1, y) and (x, y).
        down: float64 (ny + 1, nx), [y, x] between the cells (x, y - 1) and (x, y).
        contrast: bright minus dark across an edge that shows, in the units of the plane.
    """

    x0: int
    y0: int
    across: Floats
    down: Floats
    contrast: float


@dataclass(frozen=True, slots=True)
class Window:
    """A place where the board may lie.

    Attributes:
        x, y: the lattice point of its first corner.
        size: squares along one edge.
        gain: how much of what is seen it explains; each inner edge adds up to 0.5.  Tells windows
            of one lattice apart.
        score: its gain as a share of that of a board in full view.  Tells lattices apart.
        shown: share of its inner edges that show, of all of them.
        inside: share of its inner edges inside the picture.
        borders: how surely each side (top, right, bottom, left) is the board's border, 0 to 1;
            NaN outside the picture.
    """

    x: int
    y: int
    size: int
    gain: float
    score: float
    shown: float
    inside: float
    borders: tuple[float, ...]


def look_at_edges(
    pyramid: Pyramid,
    to_image: ToImage,
    low: ArrayLike,
    high: ArrayLike,
    bright: bool,
    square_px: float,
) -> Edges:
    """All edges of the cells from lattice point ``low`` to lattice point ``high``.

    Args:
        bright: whether cells with an even sum of coordinates are the bright ones.
        square_px: about how large they are; finer things than a twentieth of it are smoothed away.
    """
    (x0, y0), (x1, y1) = np.asarray(low).tolist(), np.asarray(high).tolist()
    look = partial(_steps, pyramid, to_image, 0.05 * square_px, bright)
    across = look((x0, x1 + 1), (y0, y1), 0)
    down = look((x0, x1), (y0, y1 + 1), 1)
    return _scaled(x0, y0, across, down)


def exchanged(edges: Edges) -> Edges:
    """What the same edges say when the bright and the dark cells change places."""
    return _scaled(edges.x0, edges.y0, -edges.across * edges.contrast, -edges.down * edges.contrast)


def _scaled(x0: int, y0: int, across: Floats, down: Floats) -> Edges:
    """Steps in brightness as Edges."""
    both = np.concatenate([across.ravel(), down.ravel()])
    positive = both[both > 0.25 * np.nanmax(both, initial=1.0)]
    contrast = float(np.median(positive)) if len(positive) else 1.0
    return Edges(x0, y0, across / contrast, down / contrast, contrast)


def _steps(
    pyramid: Pyramid,
    to_image: ToImage,
    sigma: float,
    bright: bool,
    xs: tuple[int, int],
    ys: tuple[int, int],
    axis: int,
) -> Floats:
    """Brightness steps over the edges that start at lattice points xs[0].. x ys[0]..: over those
    along y when ``axis`` is 0, along x when it is 1; positive where bright and dark are as they
    must be.
    """
    x, y = np.meshgrid(np.arange(*xs), np.arange(*ys))
    start = np.stack([x, y], axis=-1)[..., None, :].astype(np.float64)
    aside = np.eye(2)[axis] * ASIDE
    at = start + np.eye(2)[1 - axis] * PLACES[:, None]
    step = pyramid.sample(to_image(at + aside), sigma) - pyramid.sample(to_image(at - aside), sigma)
    with np.errstate(invalid="ignore"):
        middle = np.median(step, axis=-1)
    return middle * np.where(((x + y) % 2 == 0) == bright, 1.0, -1.0)


def best_window(edges: Edges, size: int) -> Window:
    """The place of a board of ``size`` squares that explains the edges best.

    The part of the lattice that was looked at must be at least as large as the board.
    """
    # sums over the inner edges of each window, by the edges along y and those along x
    fields = [
        _box(of(edges.across)[:, 1:-1], size, size - 1)
        + _box(of(edges.down)[1:-1, :], size - 1, size)
        for of in (_worth, _shows, _seen)
    ]
    worth, shows, seen = fields[0], *(f / (2 * size * (size - 1)) for f in fields[1:])
    ny, nx = worth.shape
    top, bottom, above, below = _rims(edges.down, edges.across, size)
    left, right, before, beyond = (side.T for side in _rims(edges.across.T, edges.down.T, size))
    borders = np.stack([top[:ny, :nx], right[:ny, :nx], bottom[:ny, :nx], left[:ny, :nx]], axis=-1)
    sides = np.where(np.isnan(borders), BORDER_OUTSIDE, 2 * borders - 1).sum(axis=-1)
    within = np.maximum.reduce([x[:ny, :nx] for x in (above, below, before, beyond)])
    full = size * (size - 1) + 4 * BORDER
    gain = worth + BORDER * sides - WITHIN * np.clip((within - 0.65) / 0.25, 0, 1)
    y, x = divmod(int(gain.argmax()), nx)
    return Window(
        edges.x0 + x,
        edges.y0 + y,
        size,
        float(gain[y, x]),
        float(gain[y, x] / full),
        float(shows[y, x]),
        float(seen[y, x]),
        tuple(borders[y, x].tolist()),
    )


def worth_inside(edges: Edges) -> float:
    """How much of what is seen a board explains that fills what was looked at, -0.5 to 0.5 an inner
    edge; its borders are left out.
    """
    return float(_worth(edges.across[:, 1:-1]).mean() + _worth(edges.down[1:-1, :]).mean()) / 2


def _worth(field: Floats) -> Floats:
    clean = np.nan_to_num(field)
    # a step much larger than those of the board is none of its
    shown = np.clip(clean, LOWEST, 1.0) * np.clip(TOO_MUCH - clean, 0.0, 1.0)
    return np.where(np.isnan(field), OUTSIDE, shown - FREE)


def _shows(field: Floats) -> Floats:
    clean = np.nan_to_num(field)
    return ((clean > SHOWS) & (clean < TOO_MUCH)).astype(np.float64)


def _seen(field: Floats) -> Floats:
    return (~np.isnan(field)).astype(np.float64)


def _box(field: Floats, height: int, width: int) -> Floats:
    """Sums over every box of a field."""
    boxes = np.lib.stride_tricks.sliding_window_view(field, (height, width))
    return np.asarray(boxes.sum(axis=(2, 3)))


def _rims(down: Floats, across: Floats, size: int) -> tuple[Floats, Floats, Floats, Floats]:
    """For windows by their first row: how surely their first line is the board's border, how
    surely their last is, and the same of the lines just inside either, the surest of them.
    """
    line = _borders(down, size)
    crossing = np.lib.stride_tricks.sliding_window_view(across[:, 1:-1], size - 1, axis=1)
    with np.errstate(invalid="ignore"):
        # a frame shows no edges of its own
        plain = ~(crossing.mean(axis=2) > PLAIN)
    rows = len(line) - size
    opening = line.copy()
    opening[1:] *= plain
    closing = line.copy()
    closing[:-1] *= plain
    inside = [np.nan_to_num(opening[k : k + rows]) for k in range(1, size // 2)]
    outside = [np.nan_to_num(closing[size - k : size - k + rows]) for k in range(1, size // 2)]
    return (
        opening[:rows],
        closing[size:],
        np.maximum.reduce(inside),
        np.maximum.reduce(outside),
    )


def _borders(field: Floats, size: int) -> Floats:
    """How surely ``size`` edges in a row, from each edge of a field on, part the board from a
    frame of one colour, 0 to 1; NaN where less than half of them lie in the picture.

    The frame lies at some share v of the way from dark to light, so that edges show by v and by
    1 - v in turn; inside the board they all show by 1, on a plain table by 0.
    """
    runs = np.lib.stride_tricks.sliding_window_view(field, size, axis=1)
    share = np.sort(np.where(np.arange(size) % 2 == 0, runs, 1 - runs), axis=2)
    seen = np.isfinite(share).mean(axis=2)
    with np.errstate(invalid="ignore"):
        sane = (share > LIGHTEST[0]) & (share < LIGHTEST[1])
        alike = (share[..., None, :] >= share[..., None]) & (
            share[..., None, :] < share[..., None] + ALIKE
        )
    best = (alike & sane[..., None, :] & sane[..., None]).mean(axis=3).max(axis=2)
    return np.where(seen < 0.5, np.nan, best)
