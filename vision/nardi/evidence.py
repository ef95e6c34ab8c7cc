"""What a steady scene says about each point, with the board lying as the game sees it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rules.nardi.board import START, Position, Side

from ..steady import FLOOR, UNITS_PER_NAT
from .percept import COUNTS, POINTS
from .priors import CONTRADICTS
from .steady import Scene, holders

#: The ways a board can lie before the camera: as White sees it, and turned by half.
WAYS = (0, 1)

#: The points of the game in camera order: 13..24 over 12..1 as White sees them; turned; and both
#: in a mirror, as they lie when the heads were set up on the wrong ends.
_AS_WHITE = (*range(13, 25), *range(12, 0, -1))
POINTS_OF: tuple[tuple[int, ...], ...] = (
    _AS_WHITE,
    _AS_WHITE[::-1],
    (*range(24, 12, -1), *range(1, 13)),
    (*range(12, 0, -1), *range(13, 25)),
)
MIRRORED = (2, 3)

#: The best way must beat the next by this: a head that is read surely.
APART = 12 * UNITS_PER_NAT

#: A point on which everything is about as likely says nothing.
KNOWS = CONTRADICTS // 2

#: What a point under a die may say at most: the die hides a checker, or looks like one.
UNDER_A_DIE = 3 * UNITS_PER_NAT

#: Stacks of so many lie over each other: their number is read by how they look, and says at most
#: so much about any other number as tall; less than a contradiction.
TALL = 5
TALL_SAYS = 20

#: Stacks up to one less are counted surely.
PLAIN = 5

Counts = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """One scene by point; index n - 1 is point n.

    Attributes:
        costs: int32 (2, 24, 16): by side (White first), point and count, 0 for the likeliest, in
            units of ``percept.STEP``.
        off: int32 (2, 16): the same for checkers borne off; zeros when not seen.
        unknown: points that say nothing.
        loose: checkers that stand on no point.
    """

    costs: Counts
    off: Counts
    unknown: frozenset[int]
    loose: int = 0

    def side(self, side: Side) -> Counts:
        """Costs (24, 16) of one side."""
        costs: Counts = self.costs[0 if side == "w" else 1]
        return costs

    def off_of(self, side: Side) -> Counts:
        """Costs (16,) of one side's checkers borne off."""
        costs: Counts = self.off[0 if side == "w" else 1]
        return costs

    def at_points(self, position: Position) -> Counts:
        """What a position costs on each point, (24,)."""
        points = np.arange(POINTS)
        return np.asarray(
            self.costs[0][points, np.minimum(position.white, COUNTS - 1)]
            + self.costs[1][points, np.minimum(position.black, COUNTS - 1)]
        )

    def misfits(self, position: Position, least: int = CONTRADICTS) -> tuple[int, ...]:
        """Points on which something else is likelier than the position by ``least`` or more."""
        return tuple(int(n) + 1 for n in np.flatnonzero(self.at_points(position) >= least))

    def best(self, side: Side, point: int) -> int:
        """The likeliest count of a side on a point."""
        return int(self.side(side)[point - 1].argmin())

    def answered(self, answers: Iterable[tuple[int, Side, int]]) -> Evidence:
        """The same, with counts that a person gave: (point, side, count)."""
        costs, unknown = self.costs.copy(), set(self.unknown)
        for point, side, count in answers:
            row = costs[0 if side == "w" else 1][point - 1]
            row[:] = 2 * FLOOR
            row[count] = 0
            unknown.discard(point)
        return replace(self, costs=costs, unknown=frozenset(unknown))

    def leaning(self, offsets: Mapping[tuple[int, Side], int], least: int = 0) -> Evidence:
        """The same, read as the same stacks read when their counts were known.

        Args:
            offsets: (point, side) -> how many checkers more than there were it read; a tall stack
                that looked like ten when it was twelve is eleven when it looks like nine.
            least: stacks that look lower than this are taken as they look.
        """
        if not offsets:
            return self
        costs = self.costs.copy()
        for (point, side), offset in offsets.items():
            row = costs[0 if side == "w" else 1][point - 1]
            read = np.clip(np.arange(COUNTS) + offset, 0, COUNTS - 1)
            # as it reads, or as it read before: a stack that shrank may be counted rightly now
            before = np.where(read >= least, row[read], row)
            row[1:] = np.minimum(row, before)[1:]
        return replace(self, costs=costs)

    def plain(self) -> Evidence:
        """The same, saying of stacks of five or more only that they are such."""
        costs = self.costs.copy()
        tall = costs.argmin(axis=-1) >= PLAIN
        costs[tall, PLAIN:] = 0
        return replace(self, costs=costs)

    def without(self, doubts: Iterable[tuple[int, Side, int]]) -> Evidence:
        """The same, saying nothing where it reads as it wrongly read before.

        Args:
            doubts: (point, side, count) as read where something else was known to stand.
        """
        flat = {(p, s) for p, s, count in doubts if self.best(s, p) == count}
        if not flat:
            return self
        costs = self.costs.copy()
        for point, side in flat:
            costs[0 if side == "w" else 1][point - 1] = 0
        return replace(self, costs=costs)


def evidence_of(scene: Scene, way: int, under: Iterable[int] = ()) -> Evidence:
    """A scene in the game's own numbering.

    Args:
        scene: in camera order.
        way: how the board lies, an index of POINTS_OF.
        under: camera points on which dice lie.
    """
    grid = scene.grid().astype(np.int32)
    for place in under:
        np.minimum(grid[place], UNDER_A_DIE, out=grid[place])
    tall = grid.argmin(axis=-1) >= TALL
    grid[tall, TALL:] = np.minimum(grid[tall, TALL:], TALL_SAYS)
    order = np.argsort(POINTS_OF[way])
    costs = grid[order].transpose(1, 0, 2).copy()
    held = np.sort(holders(grid.astype(np.int16)), axis=-1)
    mute = np.flatnonzero(held[:, 1] - held[:, 0] < KNOWS)
    unknown = frozenset(POINTS_OF[way][int(place)] for place in mute)
    shape = (2, COUNTS)
    off = np.frombuffer(scene.off, np.uint8).astype(np.int32) if scene.off else np.zeros(shape)
    return Evidence(costs, off.astype(np.int32).reshape(shape), unknown, scene.loose)


def point_under(x: float, y: float) -> int | None:
    """The camera point over which a place in board units lies; None in the middle or outside."""
    if not (0 <= x < 1 and 0 <= y <= 1) or 0.45 < y < 0.55:
        return None
    column = min(11, int(x * 12))
    return column if y < 0.5 else 12 + column


# ---------------------------------------------------------------- how the board lies


@dataclass(frozen=True, slots=True)
class Lies:
    """How the board lies, found by a known position.

    Attributes:
        way: an index of POINTS_OF; a mirrored one when the heads stand on the wrong ends.
        wrong: points that clearly hold something else than they should.
        margin: how much better than the next way; APART when only one was tried.
    """

    way: int
    wrong: tuple[int, ...]
    margin: int


def lies(scene: Scene, position: Position = START, ways: Iterable[int] = WAYS) -> Lies:
    """The way in which a position fits a scene best."""
    tried = []
    for way in ways:
        evidence = evidence_of(scene, way)
        tried.append((int(evidence.at_points(position).sum()), way, evidence.misfits(position)))
    tried.sort()
    margin = tried[1][0] - tried[0][0] if len(tried) > 1 else APART
    return Lies(tried[0][1], tried[0][2], margin)
