"""Percepts of one scene made into one reading.

Pictures of a board that nobody touches are not independent: what one misreads, the next misreads
too.  So percepts are never added up.  Of each square and class the second most favourable reading
of the scene counts (of two percepts the more favourable one): a class is ruled out only when all
percepts but one rule it out, and fifty equal percepts say exactly what three say.  All numbers
are whole, so that every machine gets the same ones.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .percept import CLASSES, STEP, Percept

#: Costs are counted in these units, the ones in which percepts keep log-probabilities.
UNITS_PER_NAT = round(1 / STEP)

#: No square says more than this about any class: 9 nats, a misreading in 8,000 that looks sure.
#: So one weird square can't outweigh what several squares say together.
FLOOR = 9 * UNITS_PER_NAT

#: What a sure square says at least, in a scene of which a twentieth can't be read at all: 2 nats.
LEAST = 2 * UNITS_PER_NAT

#: Percepts kept of a scene; more add nothing but work.
KEPT = 5

#: Two readings of a square differ when each prefers its own class by this much: 2 nats.
DIFFERS = 2 * UNITS_PER_NAT

Costs = NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class Policy:
    """When a scene counts as steady.

    Attributes:
        percepts: how many must agree.
        still_ns: for how long they must have agreed.
        motion: more change than this share of the board between frames is movement.
    """

    percepts: int
    still_ns: int
    motion: float


#: Each picture was taken of a settled board.
SETTLED = Policy(percepts=1, still_ns=0, motion=1.0)

#: A camera that runs: a hand that slows down over the board is not still for so long.
RUNNING = Policy(percepts=3, still_ns=350_000_000, motion=0.02)


@dataclass(frozen=True, slots=True)
class Scene:
    """One steady reading of the board, squares in camera order.

    Attributes:
        costs: size * size * 5 bytes: how much worse each class is than the best one, in units of
            ``STEP``, 0 to FLOOR; all 0 where nothing is known.
        size: squares along an edge.
        since_ns, at_ns: times of the first and of the last percept.
        number: of the last percept's frame.
        covered: squares that something hides, as in a percept.
    """

    costs: bytes
    size: int
    since_ns: int
    at_ns: int
    number: int
    covered: tuple[int, ...]

    def grid(self) -> Costs:
        """The costs as an int16 array (size, size, 5)."""
        flat = np.frombuffer(self.costs, np.uint8).astype(np.int16)
        return flat.reshape(self.size, self.size, len(CLASSES))


@dataclass(frozen=True, slots=True)
class Steady:
    """The percepts of the present scene, oldest first, and when it began.

    Attributes:
        recent: the last ones of the scene.
        since_ns: when it began.
        held: the scene before, while the present one is a single frame that nobody moved for: the
            next frame tells whether it was a slip of the eyes.
    """

    recent: tuple[Percept, ...] = ()
    since_ns: int = 0
    held: Steady | None = None


def observe(steady: Steady, percept: Percept, policy: Policy) -> tuple[Steady, Scene | None]:
    """Take one percept of a board that was found; the scene once it is steady, else None."""
    last = steady.recent[-1] if steady.recent else None
    if policy.percepts == 1 or last is None:
        steady = Steady((percept,), percept.at_ns)
    elif not _changed(last, percept, policy):
        steady = _with(steady, percept)
    elif steady.held and not _changed(steady.held.recent[-1], percept, policy):
        steady = _with(steady.held, percept)
    else:
        quiet = percept.motion <= policy.motion and percept.covered == last.covered
        held = replace(steady, held=None) if quiet and len(steady.recent) > 1 else None
        steady = Steady((percept,), percept.at_ns, held)
    enough = len(steady.recent) >= policy.percepts
    if not enough or percept.at_ns - steady.since_ns < policy.still_ns:
        return steady, None
    return steady, fuse(steady.recent, steady.since_ns)


def _with(steady: Steady, percept: Percept) -> Steady:
    return Steady((*steady.recent, percept)[-KEPT:], steady.since_ns)


def fuse(percepts: tuple[Percept, ...], since_ns: int) -> Scene:
    """One reading of percepts of the same scene, which show the same squares covered or not."""
    each = np.stack([costs_of(percept) for percept in percepts])
    each.sort(axis=0)
    fused = each[1 if len(percepts) > 2 else 0].copy()
    fused -= fused.min(axis=-1, keepdims=True)
    last = percepts[-1]
    covered = tuple(sorted({square for percept in percepts for square in percept.covered}))
    flat = fused.reshape(-1, len(CLASSES))
    flat[list(covered)] = 0
    flat = np.minimum(flat, _trust(np.delete(flat, list(covered), axis=0)))
    return Scene(
        flat.astype(np.uint8).tobytes(), last.size, since_ns, last.at_ns, last.number, covered
    )


def _trust(costs: Costs) -> int:
    """The most that any square of a scene may say, from how the least sure of them read.

    Where a twentieth of the squares is doubtful (glare, a shadow, little light, a set unlike those
    of the training), squares that look sure are wrong more often as well.
    """
    margins = np.sort(np.sort(colours(costs), axis=-1)[:, 1])
    doubtful = int(margins[len(margins) // 20]) if len(margins) else 0
    return min(FLOOR, LEAST + 2 * doubtful)


def colours(grid: Costs) -> Costs:
    """Costs (..., 3) of empty, white and black from those of the five classes (..., 5)."""
    empty, white, black = grid[..., 0], grid[..., 1:3].min(axis=-1), grid[..., 3:5].min(axis=-1)
    return np.stack([empty, white, black], axis=-1)


def costs_of(percept: Percept) -> Costs:
    """How much worse each class is than the square's best, int16 (size, size, 5), 0 to FLOOR."""
    scores = np.frombuffer(percept.scores or b"", np.int8).astype(np.int16)
    grid = scores.reshape(percept.size, percept.size, len(CLASSES))
    return np.asarray(np.minimum(grid.max(axis=-1, keepdims=True) - grid, FLOOR), np.int16)


def _changed(before: Percept, now: Percept, policy: Policy) -> bool:
    if now.motion > policy.motion or now.covered != before.covered:
        return True
    was, is_ = (colours(costs_of(percept)).reshape(-1, 3) for percept in (before, now))
    best_was, best_is = was.argmin(axis=1), is_.argmin(axis=1)
    index = np.arange(len(was))
    apart = (was[index, best_is] >= DIFFERS) & (is_[index, best_was] >= DIFFERS)
    return bool(apart.any())
