"""Percepts of one scene made into one reading of the points, and of the dice at rest.

As for draughts: pictures of a board that nobody touches are not independent, so of each point,
side and count the second most favourable reading of the scene counts, and fifty equal percepts
say exactly what three say.  All numbers are whole.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ..steady import DIFFERS, FLOOR, KEPT, LEAST, Costs, Policy
from .percept import COUNTS, POINTS, SIDES, DieSeen, NardiPercept

_SHAPE = (POINTS, len(SIDES), COUNTS)


@dataclass(frozen=True, slots=True)
class Scene:
    """One steady reading of the board, points in camera order.

    Attributes:
        costs: 24 * 2 * 16 bytes: how much worse each count of a side is than the best one, in
            units of ``STEP``, 0 to FLOOR; all 0 where nothing is known.
        off: 2 * 16 bytes: the same for checkers borne off; empty when nobody looked.
        since_ns, at_ns: times of the first and of the last percept.
        number: of the last percept's frame.
        covered: points that something hides, as in a percept.
        loose: how many checkers stand on no point.
    """

    costs: bytes
    off: bytes
    since_ns: int
    at_ns: int
    number: int
    covered: tuple[int, ...]
    loose: int = 0

    def grid(self) -> Costs:
        """The costs as an int16 array (24, 2, 16)."""
        return np.frombuffer(self.costs, np.uint8).astype(np.int16).reshape(_SHAPE)


@dataclass(frozen=True, slots=True)
class Steady:
    """The percepts of the present scene, oldest first, and when it began."""

    recent: tuple[NardiPercept, ...] = ()
    since_ns: int = 0


def observe(steady: Steady, percept: NardiPercept, policy: Policy) -> tuple[Steady, Scene | None]:
    """Take one percept of a board that was found; the scene once it is steady, else None."""
    last = steady.recent[-1] if steady.recent else None
    if policy.percepts == 1 or last is None or _changed(last, percept, policy):
        steady = Steady((percept,), percept.at_ns)
    else:
        steady = replace(steady, recent=(*steady.recent, percept)[-KEPT:])
    enough = len(steady.recent) >= policy.percepts
    if not enough or percept.at_ns - steady.since_ns < policy.still_ns:
        return steady, None
    return steady, fuse(steady.recent, steady.since_ns)


def fuse(percepts: tuple[NardiPercept, ...], since_ns: int) -> Scene:
    """One reading of percepts of the same scene, which show the same points covered or not."""
    fused = _second([costs_of(percept) for percept in percepts])
    last = percepts[-1]
    covered = tuple(sorted({point for percept in percepts for point in percept.covered}))
    fused[list(covered)] = 0
    fused = np.minimum(fused, _trust(np.delete(fused, list(covered), axis=0)))
    seen_off = [_costs(p.off, (len(SIDES), COUNTS)) for p in percepts if p.off is not None]
    off = _second(seen_off).astype(np.uint8).tobytes() if seen_off else b""
    loose = min(len(percept.loose) for percept in percepts[-3:])
    costs = fused.astype(np.uint8).tobytes()
    return Scene(costs, off, since_ns, last.at_ns, last.number, covered, loose)


def _second(each: list[Costs]) -> Costs:
    stack = np.sort(np.stack(each), axis=0)
    fused: Costs = stack[1 if len(each) > 2 else 0].copy()
    fused -= fused.min(axis=-1, keepdims=True)
    return fused


def costs_of(percept: NardiPercept) -> Costs:
    """How much worse each count is than the side's best there, int16 (24, 2, 16), 0 to FLOOR."""
    return _costs(percept.counts or b"", _SHAPE)


def _costs(scores: bytes | None, shape: tuple[int, ...]) -> Costs:
    grid = np.frombuffer(scores or b"", np.int8).astype(np.int16).reshape(shape)
    return np.asarray(np.minimum(grid.max(axis=-1, keepdims=True) - grid, FLOOR), np.int16)


def holders(costs: Costs) -> Costs:
    """Costs (..., 4) of a point held by nobody, White, Black and both, from (..., 2, 16)."""
    none = costs[..., 0]
    some = costs[..., 1:].min(axis=-1)
    white, black = (none[..., 0], some[..., 0]), (none[..., 1], some[..., 1])
    return np.stack([w + b for b in black for w in white], axis=-1)


def _trust(costs: Costs) -> int:
    """The most that any point of a scene may say, from how the least sure of them read."""
    held = np.sort(holders(costs), axis=-1)
    margins = np.sort(held[:, 1] - held[:, 0])
    doubtful = int(margins[len(margins) // 12]) if len(margins) else 0
    return min(FLOOR, LEAST + 2 * doubtful)


def _changed(before: NardiPercept, now: NardiPercept, policy: Policy) -> bool:
    if now.motion > policy.motion or now.covered != before.covered:
        return True
    was, is_ = (costs_of(percept).reshape(-1, COUNTS) for percept in (before, now))
    best_was, best_is = was.argmin(axis=1), is_.argmin(axis=1)
    index = np.arange(len(was))
    apart = (was[index, best_is] >= DIFFERS) & (is_[index, best_was] >= DIFFERS)
    return bool(apart.any())


# ---------------------------------------------------------------- dice

#: So many equal readings, one after the other, are dice at rest.
READINGS = 3

#: A die read with less surety than this is one that can't be read.
SURE = 0.9

#: Dice that lie within this of where they lay, in their own edges, were not moved.
STAYS = 1.0

#: The edge of a die that does not tell its size, in board units: 14 mm on a board of 50 cm.
USUAL = 0.03


@dataclass(frozen=True, slots=True)
class Die:
    """One die at rest; ``pips`` 0 can't be read, ``flat`` is False for one that leans."""

    pips: int
    x: float
    y: float
    half: str
    size: float
    flat: bool = True

    def stays(self, other: Die) -> bool:
        """Whether the other lies where this one does."""
        apart = math.hypot(self.x - other.x, self.y - other.y)
        return apart <= STAYS * max(self.size, other.size)


Dice = tuple[Die, ...]


@dataclass(frozen=True, slots=True)
class DiceSteady:
    """Dice as the last frames showed them, how often in a row, and since when."""

    dice: Dice = ()
    times: int = 0
    since_ns: int = 0


def rest(
    steady: DiceSteady, percept: NardiPercept, needed: int = READINGS
) -> tuple[DiceSteady, Dice | None]:
    """Take the dice of one frame; those at rest when they were read equally often enough.

    An empty tuple is a board that surely has no dice on it.  Frames in which nobody looked, or
    in which a hand may hide dice, say nothing, and the reading starts again after them.
    """
    if percept.dice is None:
        return steady, None
    seen = tuple(die_of(die) for die in percept.dice)
    matched = paired(steady.dice, seen)
    same = len(matched) == len(seen) == len(steady.dice) and all(
        was.pips == is_.pips and was.flat == is_.flat and was.stays(is_) for was, is_ in matched
    )
    if not same or steady.times == 0:
        steady = DiceSteady(seen, 1, percept.at_ns)
    else:
        steady = DiceSteady(seen, steady.times + 1, steady.since_ns)
    return steady, seen if steady.times >= needed else None


def die_of(seen: DieSeen) -> Die:
    """A die of one frame; pips that are not sure count as unread."""
    pips = seen.pips if seen.p >= SURE else 0
    return Die(pips, *seen.centre, seen.half, seen.size or USUAL, flat=not seen.cocked)


def paired(before: Dice, now: Dice) -> list[tuple[Die, Die]]:
    """Each die with the one it most likely was: the nearest first."""
    pairs = sorted(
        ((math.hypot(a.x - b.x, a.y - b.y), i, k) for i, a in enumerate(before)
         for k, b in enumerate(now)),
    )  # fmt: skip
    used: tuple[set[int], set[int]] = (set(), set())
    found = []
    for _, i, k in pairs:
        if i not in used[0] and k not in used[1]:
            used[0].add(i)
            used[1].add(k)
            found.append((before[i], now[k]))
    return found
