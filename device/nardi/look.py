"""How a scene is looked at in a nardi game, and whether it is clear enough to accuse anybody."""

from __future__ import annotations

from collections.abc import Iterable

from rules.nardi.board import POINTS, Position
from rules.nardi.dice import ROLLS, Roll
from vision.nardi.evidence import PLAIN, POINTS_OF, Evidence, evidence_of, point_under
from vision.nardi.infer import Played, Reading, Seen, Unsure, Wrong, infer, may_explain
from vision.nardi.steady import Scene

from . import throws
from .state import Closing, State


def view(state: State, scene: Scene) -> Evidence:
    """The scene by point, read as the same stacks read before, and as people told."""
    # a low stack decides between the boards that a tall one has left open
    least = PLAIN - 1 if state.rivals else 0
    evidence = raw_view(state, scene).leaning(dict(state.offsets), least).without(state.doubts)
    return evidence.answered(state.answers)


def raw_view(state: State, scene: Scene) -> Evidence:
    """The scene by point as it reads."""
    under = {point_under(die.x, die.y) for die in state.lying} - {None}
    return evidence_of(scene, state.way or 0, [place for place in under if place is not None])


def explain(state: State, evidence: Evidence, roll: Roll) -> Reading:
    """What was done with a roll from the confirmed board."""
    return explain_from(state, evidence, state.position, roll)


def explain_from(state: State, evidence: Evidence, before: Position, roll: Roll) -> Reading:
    """What was done with a roll from a board."""
    return infer(evidence, before, roll, state.game.rules, _moved_on(state))


def may_be(state: State, evidence: Evidence, before: Position, roll: Roll) -> bool:
    """Whether some legal turn from a board contradicts nothing; quicker than explaining it."""
    return may_explain(evidence, before, roll, state.game.rules, _moved_on(state))


def _moved_on(state: State) -> bool:
    return state.closing is not None and state.closing.how == "thrown"


def played_with(state: State, evidence: Evidence) -> list[tuple[Roll, Played | Wrong]]:
    """What was played with dice of which perhaps not all could be read; legal turns first."""
    found: list[tuple[Roll, Played | Wrong]] = []
    for roll in _possible(state, evidence):
        reading = explain(state, evidence, roll)
        if isinstance(reading, Seen):
            found.append((roll, reading.deed))
    return sorted(found, key=lambda each: isinstance(each[1], Wrong))


def played_unread(state: State, evidence: Evidence) -> dict[Position, tuple[Roll, Played]]:
    """The legal turns with dice that could not all be read, by the boards that they lead to."""
    found: dict[Position, tuple[Roll, Played]] = {}
    for roll in _possible(state, evidence):
        for end in ends(explain(state, evidence, roll)):
            found.setdefault(end.after, (roll, end))
    return found


def _possible(state: State, evidence: Evidence) -> list[Roll]:
    """The rolls that the dice may show, of which some legal turn may be what stands."""
    known = sorted((die.pips for die in state.thrown if die.pips), reverse=True)
    rolls = [
        Roll(dice, state.game.first)
        for dice in ROLLS
        if known and all(dice.count(pips) >= known.count(pips) for pips in known)
    ]
    if len(known) == 2:
        return rolls
    return [roll for roll in rolls if may_be(state, evidence, state.position, roll)]


def turns_unseen(
    state: State, evidence: Evidence, rolls: Iterable[tuple[int, int]]
) -> list[tuple[Roll, Played]]:
    """Legal turns of some rolls that lead to what stands, the confirmed board left out."""
    rules, before = state.game.rules, state.position
    found = []
    for dice in rolls:
        roll = Roll(dice, state.game.first)
        if may_explain(evidence, before, roll, rules, moved_on=False):
            reading = infer(evidence, before, roll, rules)
            found += [(roll, end) for end in ends(reading) if not stays(end, before)]
    return found


def ends(reading: Reading) -> tuple[Played, ...]:
    """The legal turns that a reading leaves open, the likeliest first; () when none fits."""
    if isinstance(reading, Unsure):
        return reading.likely if reading.fits else ()
    return (reading.deed,) if isinstance(reading.deed, Played) else ()


def stays(deed: Played, before: Position) -> bool:
    """Whether a turn moves nothing."""
    return deed.after.with_side(before.side) == before


def alike(one: Position, two: Position) -> bool:
    """Whether two boards differ in nothing but how many stand on tall stacks."""
    return all(
        a == b or min(a, b) >= PLAIN - 1
        for mine, others in ((one.white, two.white), (one.black, two.black))
        for a, b in zip(mine, others, strict=True)
    )


def plays(reading: Reading, before: Position) -> bool:
    """Whether a legal turn with a checker moved is what stands."""
    deed = reading.deed if isinstance(reading, Seen) else None
    return isinstance(deed, Played) and not stays(deed, before)


def plainly(state: State, before: Position, after: Position) -> bool:
    """Whether two boards differ by more than one stack that is misread, or taller than can be told.

    A point that is held by somebody now and wasn't before, or the other way round, is plain.
    """
    side, seen = before.side, 0
    lying = {point_under(die.x, die.y) for die in state.lying} - {None}
    hidden = {POINTS_OF[state.way or 0][place] for place in lying if place is not None}
    for point in range(1, POINTS + 1):
        was, is_ = before.count(side, point), after.count(side, point)
        if was != is_ and max(was, is_) < PLAIN and point not in hidden:
            seen += 1 if was and is_ else 2
    return seen >= 2


def unclear(state: State, closing: Closing) -> str:
    """Why nobody may be accused of this turn, whatever stands there; empty when one may be."""
    if not state.setup.alarms:
        return "this set can't be read well enough to judge that"
    if closing.hasty or closing.later or state.skipped or not (state.clear or state.settled):
        return "a turn was played that could not be followed"
    if _miscounted(state):
        return "a turn was played that could not be followed"
    if not throws.is_sure(state):
        return "the dice were read now so, now otherwise: tell the roll"
    return ""


def _miscounted(state: State) -> bool:
    """Whether a low stack of the mover read otherwise than was written: more came off, or less."""
    read = [
        *((point, side) for point, side, _ in state.doubts),
        *(place for place, _ in state.offsets),
    ]
    return any(s == state.side and state.position.count(s, n) < PLAIN for n, s in read)
