"""Which of two sides the checkers of each point belong to, by the picture's own colours.

Nobody knows a set's colours beforehand, but a point holds checkers of one side only, and there are
two sides: so the points fall into two groups of colour.  The network's guess of lighter and darker
begins the grouping; a known set (from a start picture) begins it better.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

#: Log-odds beyond which no colour makes us surer.
MOST = 7.0
#: Two groups nearer than this, in CIELAB units or in their own spread, are one.
LEAST_GAP, LEAST_SPREADS = 11.0, 2.2
#: Spread that light and wear give any set, CIELAB units.
_USUAL = 6.0


@dataclass(frozen=True, slots=True)
class Colours:
    """Mean colours of the lighter and the darker side, CIELAB.

    ``told`` is False where only one side was seen, or both look alike.
    """

    light: tuple[float, float, float]
    dark: tuple[float, float, float]
    told: bool = True

    def to_json(self) -> dict[str, Any]:
        """The colours as JSON values."""
        return {"light": list(self.light), "dark": list(self.dark), "told": self.told}


@dataclass(frozen=True, slots=True, eq=False)
class Patches:
    """Colours of what stands on the points.

    Attributes:
        lab: (m, 3) colours of cells; weight: (m,) how surely each shows a checker.
        point: (m,) the point of each cell.
        guess: (m,) the network's log-odds of the lighter side.
    """

    lab: Floats
    weight: Floats
    point: NDArray[np.intp]
    guess: Floats


def side_odds(
    patches: Patches, points: int, known: Colours | None = None
) -> tuple[Floats, Colours]:
    """Log-odds (points,) of the lighter side, and the colours of the sides as they are here.

    A point without patches gets 0.
    """
    guess = _per_point(patches.guess, patches, points)
    seen = np.bincount(patches.point, patches.weight, points) > 0.3
    if not seen.any():
        blank = known or Colours((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), False)
        return np.zeros(points, np.float32), blank
    odds = guess
    if known is not None and known.told:
        odds = _odds(patches, points, np.array(known.light), np.array(known.dark), _USUAL * 1.5)
    light, dark, spread = _groups(patches, odds, known)
    for _ in range(6):
        odds = _odds(patches, points, light, dark, spread)
        light, dark, spread = _groups(patches, odds, known)
    gap = float(np.linalg.norm(light - dark))
    both = (odds[seen] > 0).any() and (odds[seen] < 0).any()
    if not both or gap < max(LEAST_GAP, LEAST_SPREADS * spread):
        return _one_side(patches, points, guess, seen, known)
    if light[0] < dark[0] and (known is None or not known.told):
        light, dark, odds = dark, light, -odds
    most = MOST
    if known is None or not known.told:
        # which of two sides of one lightness is the lighter one can't be told by their picture
        most = float(np.clip((light[0] - dark[0] - 2) * 0.6, 0.5, MOST))
    odds = np.clip(odds, -most, most)
    return np.where(seen, odds, 0).astype(np.float32), _colours(light, dark, True)


def _one_side(
    patches: Patches, points: int, guess: Floats, seen: NDArray[np.bool_], known: Colours | None
) -> tuple[Floats, Colours]:
    """All checkers have one colour: which side's, a known set tells, else the network guesses."""
    mean = np.average(patches.lab, axis=0, weights=patches.weight + 1e-6)
    if known is not None and known.told:
        odds = _odds(patches, points, np.array(known.light), np.array(known.dark), _USUAL * 2)
        return np.where(seen, odds, 0).astype(np.float32), known
    level = float(np.clip(np.average(guess[seen]), -2.5, 2.5))
    return np.where(seen, level, 0).astype(np.float32), _colours(mean, mean, False)


def _colours(light: NDArray[Any], dark: NDArray[Any], told: bool) -> Colours:
    a, b = (tuple(round(float(v), 2) for v in c) for c in (light, dark))
    return Colours((a[0], a[1], a[2]), (b[0], b[1], b[2]), told)


def _per_point(values: Floats, patches: Patches, points: int) -> Floats:
    total = np.bincount(patches.point, values * patches.weight, points)
    weight = np.bincount(patches.point, patches.weight, points)
    return np.asarray(total / (weight + 1e-6), np.float32)


def _odds(
    patches: Patches, points: int, light: NDArray[Any], dark: NDArray[Any], spread: float
) -> Floats:
    """Log-odds of each point by the distances of its cells to two colours."""
    far = np.square(patches.lab - dark).sum(1) - np.square(patches.lab - light).sum(1)
    each = np.clip(far / (2 * spread**2), -8, 8).astype(np.float32)
    mean = _per_point(each, patches, points)
    count = np.bincount(patches.point, patches.weight, points)
    # cells of one checker are not independent: many of them count as a few
    return np.asarray(np.clip(mean * np.sqrt(np.clip(count / 4, 0.3, 4)), -12, 12), np.float32)


def _groups(
    patches: Patches, odds: Floats, known: Colours | None
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Mean colours of both groups and their common spread; known colours count as a few cells."""
    share = 1 / (1 + np.exp(-np.clip(odds, -12, 12)))[patches.point]
    means = []
    for part, prior in ((share, "light"), (1 - share, "dark")):
        weight = patches.weight * part
        total, mass = (weight[:, None] * patches.lab).sum(0).astype(np.float64), weight.sum()
        if known is not None and known.told:
            total, mass = total + 8 * np.array(getattr(known, prior)), mass + 8
        means.append(total / (mass + 1e-6) if mass > 1e-3 else np.full(3, 1e3))
    light, dark = means
    off = share * np.square(patches.lab - light).sum(1)
    off = off + (1 - share) * np.square(patches.lab - dark).sum(1)
    # a third of the squared distance is the spread along one axis; glare must not count
    limited = np.minimum(off, 40.0**2)
    spread = np.sqrt((limited * patches.weight).sum() / (patches.weight.sum() + 1e-6) / 3)
    return light, dark, float(max(_USUAL, spread))
