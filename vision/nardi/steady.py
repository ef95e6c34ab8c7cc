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
class Lying:
    """One die in its place over some frames.

    Attributes:
        die: as it lies, with the pips that were read last; 0 when none ever were.
        reads: how often those were read one after the other; frames that couldn't tell don't count.
        since_ns: when they were first read so; before that, when it came to lie there.
        lain_ns: since when it lies there, whatever was read of it.
    """

    die: Die
    reads: int
    since_ns: int
    lain_ns: int

    def again(self, seen: Die, at_ns: int) -> Lying:
        """The same die in one more frame."""
        if not seen.pips:
            return replace(self, die=replace(seen, pips=self.die.pips))
        if seen.pips == self.die.pips:
            return replace(self, die=seen, reads=self.reads + 1)
        return replace(self, die=seen, reads=1, since_ns=at_ns)

    def known(self, needed: int) -> Die:
        """The die, unread as long as it was not read alike so often."""
        return self.die if self.reads >= needed else replace(self.die, pips=0)


@dataclass(frozen=True, slots=True)
class DiceSteady:
    """Dice as the last frames showed them.

    Attributes:
        rows: each die in its place.
        times: frames in which just these dice lay in just these places.
        torn: frames since some die reads otherwise than it did before.
    """

    rows: tuple[Lying, ...] = ()
    times: int = 0
    torn: int = 0

    @property
    def since_ns(self) -> int:
        """Since when all of them are read as they are."""
        return max((row.since_ns for row in self.rows), default=0)

    @property
    def lain_ns(self) -> int:
        """Since when all of them lie there."""
        return max((row.lain_ns for row in self.rows), default=0)


def rest(
    steady: DiceSteady, percept: NardiPercept, needed: int = READINGS
) -> tuple[DiceSteady, Dice | None]:
    """Take the dice of one frame; those at rest when they were read equally often enough.

    An empty tuple is a board that surely has no dice on it.  Frames in which nobody looked, or
    in which a hand may hide dice, say nothing, and the reading starts again after them.  A frame
    that can't read a die in its place is no other reading of it.
    """
    if percept.dice is None:
        return steady, None
    seen = tuple(die_of(die) for die in percept.dice)
    rows = steady.rows if steady.times else ()
    before = {row.die: row for row in rows}
    matched = [(before[was], is_) for was, is_ in paired(tuple(before), seen) if was.stays(is_)]
    stayed = {is_: row.again(is_, percept.at_ns) for row, is_ in matched}
    same = len(matched) == len(seen) == len(rows) and all(
        row.die.flat == is_.flat for row, is_ in matched
    )
    fresh = [Lying(is_, int(is_.pips > 0), percept.at_ns, percept.at_ns) for is_ in seen]
    now = tuple(stayed.get(row.die, row) for row in fresh)
    torn = steady.torn + 1 if any(0 < row.reads < needed for row in now) else 0
    steady = DiceSteady(now, steady.times + 1 if same and steady.times else 1, torn)
    # readings that never agree are no reading, but three frames more may make them agree
    if steady.times < needed or 0 < torn < 2 * needed:
        return steady, None
    return steady, tuple(row.known(needed) for row in now)


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
