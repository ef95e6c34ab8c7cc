"""The wrong turns that people really make, as sparse changes of a position.

What a camera can be asked besides the legal ends: an unfinished turn, a second checker off the
head, a landing on the opponent, a miscounted die, and so on.  Each is named by the code that the
judge would give it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain

from .board import POINTS, Position, Side, other, point_at
from .dice import Roll
from .facts import CLASSIC, Rules
from .moves import turn
from .turn import BREAKS, FULL, M3, M5, Turn, pack, unpack


@dataclass(frozen=True, slots=True)
class Deed:
    """A wrong turn.

    Attributes:
        code: what the judge calls it, ``M4``.
        changes: (point, what stands there now) where that differs from the position before:
            ``w3``, ``b1``, ``w1b2`` with both colours, or an empty text.
        off: White's and Black's checkers borne off now.
    """

    code: str
    changes: tuple[tuple[int, str], ...]
    off: tuple[int, int]

    def after(self, before: Position) -> Position:
        """The position that this deed leaves, with the other side to move."""
        counts: dict[Side, list[int]] = {"w": list(before.white), "b": list(before.black)}
        for point, now in self.changes:
            for side, points in counts.items():
                points[point - 1] = _count(now, side)
        return Position(other(before.side), tuple(counts["w"]), tuple(counts["b"]), *self.off)


def _count(now: str, side: Side) -> int:
    _, found, rest = now.partition(side)
    number = rest.partition(other(side))[0]
    return int(number) if found else 0


def deeds(position: Position, roll: Roll, rules: Rules = CLASSIC) -> Iterator[Deed]:
    """Named wrong turns, the likeliest kinds first, each end once.

    Raises:
        BadPosition: when the position is none of the game.
    """
    played = turn(position, roll, rules)
    if position.winner():
        return
    seen = {played.after(place) for place in played.ends}
    kinds = (_unfinished, _bent, _miscounted, _backwards, _wrong_side, _hit)
    for code, after in chain.from_iterable(kind(played) for kind in kinds):
        # what several kinds explain is called as the first does: that is the judge's order
        if after not in seen:
            seen.add(after)
            yield _deed(code, position, after)


def _deed(code: str, before: Position, after: Position) -> Deed:
    changes = tuple(
        (p, _stands(after, p))
        for p in range(POINTS, 0, -1)
        if (before.white[p - 1], before.black[p - 1]) != (after.white[p - 1], after.black[p - 1])
    )
    return Deed(code, changes, (after.white_off, after.black_off))


def _stands(position: Position, point: int) -> str:
    sides: tuple[Side, ...] = ("w", "b")
    return "".join(f"{s}{n}" for s in sides if (n := position.count(s, point)))


Found = Iterator[tuple[str, Position]]


def _unfinished(played: Turn) -> Found:
    """Fewer dice than can be played, or the wrong one of two: M6, M7, M8."""
    going_on: dict[int, bool] = {}
    for level in reversed(played.levels):
        for node in played.settled(level):
            place = node[0]
            if place not in played.ends:
                going_on[place] = going_on.get(place, False) or bool(played.goes_on(node))
    alone = "M7" if played.playable[0] == 1 else "M8"
    for place, more in going_on.items():
        yield "M6" if more or played.roll.double else alone, played.after(place)


def _bent(played: Turn) -> Found:
    """One rule broken in a full turn or a longer one, by the rule that the judge tells first."""
    told: dict[int, str] = {}
    for k, code in enumerate(BREAKS):
        for place in _broken(played, 1 << k):
            told.setdefault(place, code)
    for place, code in told.items():
        yield code, played.after(place)


def _broken(played: Turn, rule: int) -> Iterator[int]:
    most, _ = played.playable
    for node in chain.from_iterable(played.bending(rule)[max(most, 1) :]):
        if node[2] or (rule == M5 and played.locked(node[0])):
            yield node[0]


def _miscounted(played: Turn) -> Found:
    """A legal turn of which one checker went a point too far or not far enough: M2."""
    sums = {0, *played.sums()}
    start = unpack(played.start)
    for place in played.ends:
        counts = unpack(place)
        if sum(counts) != sum(start):
            continue
        gained = [i for i in range(POINTS) if counts[i] > start[i]]
        for i in gained:
            for now in (i - 1, i + 1):
                there = _moved(counts, i, now)
                if not there or played.enemy >> now & 1 or _pips(there) - _pips(start) in sums:
                    continue
                goal = pack(there)
                if played.first_too_far_back(goal) is None:
                    yield "M2", played.after(goal)


def _backwards(played: Turn) -> Found:
    """One die taken clockwise, alone or after the other one was played right: M1."""
    for level in played.levels[:2]:
        for place, dice, _ in level:
            counts = unpack(place)
            for die in set(dice):
                for i in range(POINTS):
                    there = _moved(counts, i, i - die)
                    if not there or played.enemy >> (i - die) & 1:
                        continue
                    goal = pack(there)
                    if played.first_too_far_back(goal) is not None:
                        yield "M1", played.after(goal)


def _wrong_side(played: Turn) -> Found:
    """The opponent played this roll: P5."""
    foe = other(played.side)
    theirs = Turn(played.position.with_side(foe), replace(played.roll, first=False), played.rules)
    for place in theirs.ends:
        after = theirs.after(place).with_side(foe)
        if after.off(foe) == played.position.off(foe) and place != theirs.start:
            yield "P5", after


def _hit(played: Turn) -> Found:
    """A single opposing checker lifted off the board, as backgammon players do: B3."""
    foe = other(played.side)
    most, _ = played.playable
    for place, _, broken in chain.from_iterable(played.bending(M3)[max(most, 1) :]):
        both = place & FULL & played.enemy
        if broken and both and not both & (both - 1):
            point = point_at(played.side, both.bit_length() - 1)
            if played.position.count(foe, point) == 1:
                yield "B3", _without(played.after(place), foe, point)


def _moved(counts: tuple[int, ...], source: int, target: int) -> tuple[int, ...] | None:
    """The counts with a checker of one index on another, if there is one and both exist."""
    if not counts[source] or not 0 <= target < POINTS:
        return None
    moved = list(counts)
    moved[source] -= 1
    moved[target] += 1
    return tuple(moved)


def _pips(counts: tuple[int, ...]) -> int:
    return sum(i * n for i, n in enumerate(counts))


def _without(position: Position, side: Side, point: int) -> Position:
    counts = list(position.counts(side))
    counts[point - 1] -= 1
    if side == "w":
        return replace(position, white=tuple(counts))
    return replace(position, black=tuple(counts))
