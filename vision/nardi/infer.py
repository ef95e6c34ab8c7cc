"""From a steady scene at the end of a turn to what was played: open-world, as for draughts.

Three kinds of explanation compete.  The *legal* ends of the roll, some thousand at most, are
costed all at once.  The *free* reading is the best board that is physically possible, fifteen a
side.  When that beats every legal end by a wide gap and is sure of itself, the judge names it; when
neither is so, the answer says which points would settle it.

A turn moves one side's checkers only.  So when the other side may have begun to play already, the
mover's checkers alone are asked, and nothing is said of the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rules.nardi.board import CHECKERS, HEAD, POINTS, Position, Side, other, point_at
from rules.nardi.dice import Roll
from rules.nardi.facts import CLASSIC, Rules
from rules.nardi.judge import judge
from rules.nardi.moves import text
from rules.nardi.turn import Turn
from rules.verdict import Legal, Offence

from ..steady import UNITS_PER_NAT
from .evidence import PLAIN, Evidence
from .freely import CHANGED, EARLY, NOT_THEIRS, Free, free_reading
from .percept import COUNTS
from .priors import ALARM, CERTAIN, CONTRADICTS, cost_of

#: More points than this against a legal end are a board that is being cleared or was knocked over.
UPSET = 8

#: Legal ends that are about as good are told apart by a question, if there are no more than this.
RIVALS = 8

#: A legal end that costs no more than this, all points together, is what stands.
FITS = UNITS_PER_NAT // 2

#: Legal ends that are less likely by no more than this are kept in mind: six nats.
KEPT = 6 * UNITS_PER_NAT


@dataclass(frozen=True, slots=True)
class Played:
    """A legal turn: its text, the board after it with the other side to move."""

    move: str
    after: Position


@dataclass(frozen=True, slots=True)
class Wrong:
    """A turn that the rules forbid, and the board as it stands, the other side to move."""

    after: Position
    offence: Offence


@dataclass(frozen=True, slots=True)
class Seen:
    """What was done, and by how much everything else is less likely.

    Attributes:
        deed: what was done.
        margin: to the next best explanation, in units of ``STEP``.
        close: legal ends that are not much less likely, the best first: what follows will tell.
    """

    deed: Played | Wrong
    margin: int
    close: tuple[Played, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """What a person can settle: how many checkers of a side stand on a point."""

    point: int
    side: Side


@dataclass(frozen=True, slots=True)
class Unsure:
    """It can't be told.

    Attributes:
        points: those that leave it open.
        question: the one that would settle it best.
        likely: the legal ends that are about as good, the best first.
        suspected: a wrong board explains the scene better, but not by enough.
        fits: the best legal end fits, it only has rivals.
        stands: the wrong board that is suspected.
    """

    points: tuple[int, ...]
    question: Question | None
    likely: tuple[Played, ...] = ()
    suspected: bool = False
    fits: bool = False
    stands: Position | None = None


Reading = Seen | Unsure


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """The legal ends of a turn, ready to be costed.

    Attributes:
        turn: the turn.
        places: of the mover, one an end.
        counts: (ends, 24) by index of the mover's path.
        off: (ends,) borne off.
    """

    turn: Turn
    places: tuple[int, ...]
    counts: NDArray[np.uint8]
    off: NDArray[np.intp]

    def played(self, number: int) -> Played:
        """An end as a turn."""
        place = self.places[number]
        return Played(text(self.turn.steps(self.turn.ends[place])), self.turn.after(place))


@lru_cache(maxsize=64)
def ends_of(before: Position, roll: Roll, rules: Rules = CLASSIC) -> Ends:
    """The legal ends of a roll, worked out once."""
    turn = Turn(before, roll, rules)
    places = tuple(turn.ends)
    joined = b"".join((place >> POINTS).to_bytes(POINTS, "little") for place in places)
    counts = np.frombuffer(joined, np.uint8).reshape(len(places), POINTS)
    return Ends(turn, places, counts, CHECKERS - counts.sum(axis=1, dtype=np.intp))


def infer(
    evidence: Evidence,
    before: Position,
    roll: Roll,
    rules: Rules = CLASSIC,
    moved_on: bool = False,
) -> Reading:
    """Explain what stands at the end of a turn.

    Args:
        evidence: the scene by point.
        before: the board when the dice were thrown, with the mover's side.
        roll: the dice.
        rules: the facts to play by.
        moved_on: the other side may have begun its own turn: its checkers aren't asked.
    """
    side, foe = before.side, other(before.side)
    ends = ends_of(before, roll, rules)
    costs = _costs(evidence, ends, side)
    # of two ends that cost the same the one found first, so that every machine says the same
    order = np.argsort(costs, kind="stable")
    fits = int(costs[order[0]]) + (0 if moved_on else _foe_cost(evidence, before, foe))
    if fits <= FITS:
        # no wrong board can come near: its own kind alone is dearer
        return _legal(evidence, ends, costs, order, ALARM, ())
    bears_off = bool((ends.off > before.off(side)).any())
    mine = _free(evidence, before, side, CHANGED if bears_off else EARLY)
    theirs = _free(evidence, before, foe, NOT_THEIRS)
    best = int(order[0])
    legal = int(costs[best]) + cost_of("turn")
    if not moved_on:
        legal += _foe_cost(evidence, before, foe)
    wrong = _wrong(evidence, before, roll, rules, [mine], [] if moved_on else [theirs])
    played = ends.played(best)
    misfits = _misfits(evidence, played.after, side if moved_on else None)
    if wrong is not None and wrong[0] < legal:
        gap = legal - wrong[0]
        shows = _shows(evidence, ends, before, wrong[1], moved_on)
        if gap >= ALARM and shows and _sound(evidence, before, wrong[1], mine, theirs, moved_on):
            return Seen(wrong[1], gap)
        doubtful = _doubtful(mine, side, misfits)
        # all that stands against the legal end may be how high a tall stack looks
        plainly = _misfits(evidence.plain(), played.after, side if moved_on else None)
        return Unsure(
            misfits or doubtful,
            _question(side, doubtful, misfits),
            (played,),
            suspected=True,
            fits=not shows and not plainly,
            stands=wrong[1].after,
        )
    margin = ALARM
    if wrong is not None and _shows(evidence, ends, before, wrong[1], moved_on):
        margin = wrong[0] - legal
    doubtful = _doubtful(mine, side, misfits)
    return _legal(evidence, ends, costs, order, margin, misfits, doubtful)


def _legal(
    evidence: Evidence,
    ends: Ends,
    costs: NDArray[np.int64],
    order: NDArray[np.intp],
    margin: int,
    misfits: tuple[int, ...],
    doubtful: tuple[int, ...] = (),
) -> Reading:
    """The likeliest legal end, if it is sure; ``margin`` is that to the best wrong board."""
    best, before, side = int(order[0]), ends.turn.position, ends.turn.side
    rivals = [int(n) for n in order[1 : RIVALS + 1] if costs[n] - costs[best] < CERTAIN]
    next_best = int(costs[order[1]] - costs[best]) if len(order) > 1 else ALARM
    margin = min(margin, next_best)
    close = tuple(ends.played(n) for n in (best, *rivals))
    if rivals or margin < CERTAIN:
        points = _differing(close, side) or doubtful
        return Unsure(points, _settling(close, side, points), close, fits=not misfits)
    if misfits:
        return Unsure(misfits, Question(misfits[0], side), close)
    unseen = tuple(sorted(_changed(before, close[0].after) & evidence.unknown))
    if unseen:
        # where it should have ended nothing can be read: it may stand elsewhere as well
        return Unsure(unseen, Question(unseen[0], side), close, fits=True)
    kept = tuple(ends.played(int(n)) for n in order[1:RIVALS] if costs[n] - costs[best] < KEPT)
    return Seen(close[0], margin, kept)


def may_explain(
    evidence: Evidence, before: Position, roll: Roll, rules: Rules, moved_on: bool
) -> bool:
    """Whether some legal end of a roll contradicts nothing; quicker than `infer`."""
    ends, side = ends_of(before, roll, rules), before.side
    end = ends.played(int(_costs(evidence, ends, side).argmin()))
    return not _misfits(evidence, end.after, side if moved_on else None)


def _free(evidence: Evidence, before: Position, side: Side, leaving: int) -> Free:
    counts, off = before.counts(side), before.off(side)
    return free_reading(evidence.side(side), evidence.off_of(side), counts, off, leaving)


def _costs(evidence: Evidence, ends: Ends, side: Side) -> NDArray[np.int64]:
    """What every legal end costs on the mover's side."""
    path = [point_at(side, i) - 1 for i in range(POINTS)]
    table = evidence.side(side)[path].astype(np.int64)
    each = table[np.arange(POINTS), np.minimum(ends.counts, COUNTS - 1)]
    return np.asarray(each.sum(axis=1) + evidence.off_of(side)[ends.off])


def _foe_cost(evidence: Evidence, before: Position, foe: Side) -> int:
    table = evidence.side(foe)
    return int(table[np.arange(POINTS), np.minimum(before.counts(foe), COUNTS - 1)].sum()) + int(
        evidence.off_of(foe)[min(COUNTS - 1, before.off(foe))]
    )


def _misfits(evidence: Evidence, board: Position, only: Side | None) -> tuple[int, ...]:
    """Points that contradict a board; with ``only`` a side, by that side's checkers alone."""
    if only is None:
        return evidence.misfits(board)
    table = evidence.side(only)[np.arange(POINTS), np.array(board.counts(only))]
    return tuple(int(n) + 1 for n in np.flatnonzero(table >= CONTRADICTS))


# ---------------------------------------------------------------- wrong explanations


def _wrong(
    evidence: Evidence,
    before: Position,
    roll: Roll,
    rules: Rules,
    mine: list[Free],
    theirs: list[Free],
) -> tuple[int, Wrong] | None:
    """The likeliest free board with its cost, if the judge calls it wrong.

    A checker that is gone was borne off, or lies on a stack too tall to count: each side's free
    board is taken both ways, and what the judge calls them decides.
    """
    side, foe = before.side, other(before.side)
    mine = [*mine, _free(evidence, before, side, CHANGED)]
    theirs = [*theirs, _free(evidence, before, foe, CHANGED)] if theirs else []
    rest = [(free.counts, free.off, free.cost) for free in theirs]
    found: list[tuple[int, Wrong]] = []
    for own in mine:
        for counts, off, cost in rest or [(before.counts(foe), before.off(foe), 0)]:
            sides = {side: (own.counts, own.off), foe: (counts, off)}
            after = Position(foe, sides["w"][0], sides["b"][0], sides["w"][1], sides["b"][1])
            verdict = judge(before, after, roll, rules)
            if isinstance(verdict, Offence):
                # each checker that nobody saw leave: a pile that looks low hasn't lost many
                gone = UNITS_PER_NAT * max(0, own.off - before.off(side) - 1)
                prior = cost_of(verdict.code) + gone
                found.append((own.cost + cost + prior, Wrong(after, verdict)))
    return min(found, key=lambda each: each[0], default=None)


def _sound(
    evidence: Evidence, before: Position, wrong: Wrong, mine: Free, theirs: Free, moved_on: bool
) -> bool:
    """Whether a wrong board is sure of all that changed, and leaves nothing over.

    What it can't read elsewhere explains no legal turn either, or the gap would be smaller.
    """
    side, foe = before.side, other(before.side)
    changed = _changed(before, wrong.after)
    if evidence.loose or len(changed) > UPSET or changed & evidence.unknown:
        return False
    if _misfits(evidence, wrong.after, side if moved_on else None):
        return False
    free = [(mine, side)] if moved_on else [(mine, side), (theirs, foe)]
    # how tall a stack is has no say in whether it is wrong: see `_shows`
    return all(
        margin >= CERTAIN
        for each, whose in free
        for n, margin in enumerate(each.margins)
        if n + 1 in changed and max(wrong.after.counts(whose)[n], each.counts[n]) < PLAIN
    )


def _changed(before: Position, after: Position) -> set[int]:
    """Points on which two boards differ."""
    return {
        n
        for n in range(1, POINTS + 1)
        if (before.white[n - 1], before.black[n - 1]) != (after.white[n - 1], after.black[n - 1])
    }


def _shows(evidence: Evidence, ends: Ends, before: Position, wrong: Wrong, moved_on: bool) -> bool:
    """Whether a wrong board shows without counting tall stacks: their counts may be long wrong."""
    plain, foe = evidence.plain(), other(before.side)
    table = plain.side(before.side)
    counts = np.minimum(wrong.after.counts(before.side), COUNTS - 1)
    stands = int(table[np.arange(POINTS), counts].sum())
    stands += int(evidence.off_of(before.side)[min(COUNTS - 1, wrong.after.off(before.side))])
    legal = int(_costs(plain, ends, before.side).min())
    if not moved_on:
        legal += _foe_cost(plain, before, foe)
        stands += _foe_cost(plain, wrong.after, foe)
    return legal - stands >= ALARM


def _doubtful(mine: Free, side: Side, misfits: tuple[int, ...]) -> tuple[int, ...]:
    """Points whose count is not sure, the least sure first."""
    found = [n for n in range(1, POINTS + 1) if mine.margins[n - 1] < CERTAIN]
    return tuple(sorted(found, key=lambda n: (mine.margins[n - 1], n != HEAD[side], n)))


def _question(side: Side, doubtful: tuple[int, ...], misfits: tuple[int, ...]) -> Question | None:
    points = doubtful or misfits
    return Question(points[0], side) if points else None


# ---------------------------------------------------------------- several legal ends


def _differing(ends: tuple[Played, ...], side: Side) -> tuple[int, ...]:
    """Points on which legal ends differ."""
    return tuple(
        n for n in range(1, POINTS + 1) if len({end.after.count(side, n) for end in ends}) > 1
    )


def _settling(ends: tuple[Played, ...], side: Side, points: tuple[int, ...]) -> Question | None:
    """The point whose count leaves the fewest ends, and is the easiest to count."""
    if not points:
        return None

    def worth(point: int) -> tuple[int, int, int]:
        counts = sorted(end.after.count(side, point) for end in ends)
        same = sum(a == b for a, b in pairwise(counts))
        return same, counts[-1], point

    return Question(min(points, key=worth), side)


def legal_text(before: Position, roll: Roll, after: Position, rules: Rules = CLASSIC) -> str | None:
    """The text of the legal turn between two boards; None when it isn't one."""
    verdict = judge(before, after, roll, rules)
    return verdict.move if isinstance(verdict, Legal) else None
