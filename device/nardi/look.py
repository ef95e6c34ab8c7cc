"""How a scene is looked at in a nardi game, and whether it is clear enough to accuse anybody."""

from __future__ import annotations

from rules.nardi.board import POINTS, Position
from rules.nardi.dice import ROLLS, Roll
from vision.nardi.evidence import PLAIN, POINTS_OF, Evidence, evidence_of, point_under
from vision.nardi.infer import Played, Reading, Seen, Wrong, infer, may_explain
from vision.nardi.steady import Scene

from . import throws
from .state import Closing, State


def view(state: State, scene: Scene) -> Evidence:
    """The scene by point, read as the same stacks read before, and as people told."""
    evidence = raw_view(state, scene).leaning(dict(state.offsets)).without(state.doubts)
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


def _moved_on(state: State) -> bool:
    return state.closing is not None and state.closing.how == "thrown"


def played_with(state: State, evidence: Evidence) -> list[tuple[Roll, Played | Wrong]]:
    """What was played with dice of which perhaps not all could be read; legal turns first."""
    known = sorted((die.pips for die in state.thrown if die.pips), reverse=True)
    if not known:
        return []
    found: list[tuple[Roll, Played | Wrong]] = []
    for dice in ROLLS:
        roll = Roll(dice, state.game.first)
        if all(dice.count(pips) >= known.count(pips) for pips in known):
            before, rules, whole = state.position, state.game.rules, len(known) == 2
            if whole or may_explain(evidence, before, roll, rules, _moved_on(state)):
                reading = explain(state, evidence, roll)
                if isinstance(reading, Seen):
                    found.append((roll, reading.deed))
    return sorted(found, key=lambda each: isinstance(each[1], Wrong))


def turns_unseen(state: State, evidence: Evidence) -> list[tuple[Roll, Played]]:
    """Legal turns of whatever roll that lead to what stands, the confirmed board left out."""
    rules, before = state.game.rules, state.position
    found = []
    for dice in ROLLS:
        roll = Roll(dice, state.game.first)
        if may_explain(evidence, before, roll, rules, moved_on=False):
            reading = infer(evidence, before, roll, rules)
            deed = reading.deed if isinstance(reading, Seen) else None
            if isinstance(deed, Played) and deed.after.with_side(before.side) != before:
                found.append((roll, deed))
    return found


def plays(reading: Reading, before: Position) -> bool:
    """Whether a legal turn with a checker moved is what stands."""
    deed = reading.deed if isinstance(reading, Seen) else None
    return isinstance(deed, Played) and deed.after.with_side(before.side) != before


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
