"""Where the checkers lie: how many on each point, and how people pile them up."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .arrays import Array, Rng
from .nardi_style import NardiStyle

#: Signed counts of 24 points, far row left to right, then near row left to right: above 0 the
#: lighter side's, below 0 the darker side's.
Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Checker:
    """One checker.

    Attributes:
        x, y: its middle on the perfect board; base: height of its bottom.
        side: 0 lighter, 1 darker.
        point: 0 to 23, or -1 beside all points.
        edge: it stands on its edge, its axis along y.
        turn, tone: rotation of its face; lightness, 1 is usual.
    """

    x: float
    y: float
    base: float
    side: int
    point: int
    edge: bool
    turn: float
    tone: float


BACKGAMMON = (5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, -5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2)


def sample_counts(rng: Rng) -> Counts:
    """A random position of nardi or backgammon, or no position at all."""
    kind = rng.random()
    if kind < 0.1:
        counts = np.array(BACKGAMMON)
    elif kind < 0.24:
        counts = np.zeros(24, int)
        # heads lie crosswise: the far right point and the near left one, or the other two
        counts[11], counts[12] = 15, -15
    elif kind < 0.34:
        counts = np.array(BACKGAMMON)
        for _ in range(int(rng.integers(1, 14))):
            stroll(counts, rng)
    elif kind < 0.66:
        counts = np.zeros(24, int)
        counts[11], counts[12] = 15, -15
        for _ in range(int(rng.integers(1, 30))):
            stroll(counts, rng)
    else:
        counts = scattered(rng)
    if rng.random() < 0.5:
        counts = counts.reshape(2, 12)[:, ::-1].reshape(-1)
    if rng.random() < 0.5:
        counts = -counts
    if rng.random() < 0.5:
        counts = counts[::-1]
    return tuple(int(c) for c in counts)


def stroll(counts: Array, rng: Rng) -> None:
    """Move one checker of each side to another free point."""
    for sign in (1, -1):
        own = np.flatnonzero(counts * sign > 0)
        free = np.flatnonzero(counts * sign >= 0)
        if len(own):
            counts[rng.choice(own)] -= sign
            counts[rng.choice(free)] += sign


def scattered(rng: Rng) -> Array:
    """Checkers spread over random points."""
    counts = np.zeros(24, int)
    places = rng.permutation(24)
    cut = int(rng.integers(2, 16))
    for sign, own in ((1, places[:cut]), (-1, places[cut : cut + int(rng.integers(2, 12))])):
        if not len(own):
            continue
        total = int(rng.choice(np.array([15, rng.integers(1, 16)])))
        share = rng.dirichlet(np.full(len(own), float(rng.choice([0.4, 1.5]))))
        for place in rng.choice(own, total, p=share):
            counts[place] += sign
    return counts


def checkers_of(style: NardiStyle, counts: Counts, rng: Rng) -> list[Checker]:
    """All checkers on the points."""
    habit = rng.choice(["shingle", "layer", "edge"], p=[0.45, 0.4, 0.15])
    room = float(rng.uniform(0.42, 0.5))
    made = []
    for point, count in enumerate(counts):
        if count:
            piled = pile(style, point, abs(count), (str(habit), room), rng)
            made += [replace(checker, side=int(count < 0)) for checker in piled]
    return made


def pile(
    style: NardiStyle, point: int, count: int, habit: tuple[str, float], rng: Rng
) -> list[Checker]:
    """The checkers of one point: side by side, overlapped, in layers, or on edge."""
    look = style.checkers
    d, room = look.diameter, habit[1] * style.height
    kind = habit[0] if rng.random() < 0.85 else str(rng.choice(["shingle", "layer", "edge"]))
    step = d * (1 + look.tight)
    fits = int(room // step)
    if count <= fits and kind == "edge":
        kind = "layer"
    start = style.points.gap * rng.random() * 0.5 + d * (0.5 + abs(rng.normal(0, look.sloppy)))
    if kind == "shingle" and (count > fits or rng.random() < 0.04):
        along, base = shingled(style, count, start, room, rng)
    elif kind == "edge":
        along = start - d / 2 + look.thick * (0.5 + 1.04 * np.arange(count))
        base = np.zeros(count)
    else:
        along, base = layered(style, count, start, min(max(fits, 2), 7), rng)
    made = []
    lean = rng.normal(0, look.sloppy)
    edge = kind == "edge" and count > fits
    for k in range(count):
        off = lean * d * 0.5 + rng.normal(0, look.sloppy) * d * (0.3 if base[k] else 1.0)
        off = float(np.clip(off, -0.3, 0.3))
        y = float(along[k])
        far = point < 12
        made.append(
            Checker(
                style.point_x(point % 12) + off,
                y if far else style.height - y,
                float(base[k]),
                side=0,
                point=point,
                edge=edge,
                turn=float(rng.uniform(0, 6.283)),
                tone=float(np.exp(rng.normal(0, 0.04))),
            )
        )
    return made


def shingled(
    style: NardiStyle, count: int, start: float, room: float, rng: Rng
) -> tuple[Array, Array]:
    """Places along the point and heights of checkers that overlap like shingles."""
    look = style.checkers
    length = min(room * rng.uniform(0.8, 1.15), look.diameter * count * rng.uniform(0.55, 0.9))
    pitch = max(0.12, (length - look.diameter) / max(1, count - 1))
    steps = pitch * (1 + rng.normal(0, 0.06, count))
    along = start + np.cumsum(steps) - steps[0]
    base = look.thick * np.minimum(np.arange(count), 1.5) * 0.9
    return along, base


def layered(style: NardiStyle, count: int, start: float, row: int, rng: Rng) -> tuple[Array, Array]:
    """Places along the point and heights of checkers in layers of ``row``."""
    look = style.checkers
    row = min(row, int(rng.choice([row, 5, 5])))
    offset = float(rng.choice([0.0, 0.5]))
    along, base = [], []
    left, layer = count, 0
    while left:
        here = min(left, max(1, row - (layer if offset else 0)))
        gaps = look.diameter * (1 + look.tight * rng.random(here) * 2)
        places = start + offset * layer * look.diameter + np.cumsum(gaps) - gaps[0]
        along += list(places + rng.normal(0, look.sloppy * 0.3, here) * look.diameter)
        base += [layer * look.thick] * here
        left -= here
        layer += 1
    return np.array(along), np.array(base)
