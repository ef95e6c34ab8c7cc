"""A turn of which nobody saw the throw, taken from the board; and the way back from the guess."""

from __future__ import annotations

from dataclasses import replace

from rules.nardi.board import other
from vision.nardi.evidence import Evidence
from vision.nardi.infer import Played, Reading, Seen, infer
from vision.nardi.steady import Scene

from ..session_values import Effect
from . import look, record
from .doubt import SECOND_NS
from .state import State

Step = tuple[State, tuple[Effect, ...]]


def turn_unseen(state: State, scene: Scene, evidence: Evidence, reading: Reading) -> Step | None:
    """The turn before was played by a throw that nobody saw, and this one is the other side's."""
    roll = state.game.roll
    stood = scene.at_ns - scene.since_ns >= SECOND_NS
    if state.settled or state.clear or scene.covered or not stood or not state.thrown:
        return None
    if roll is None or not state.game.turns or look.plays(reading, state.position):
        return None
    found = look.turns_unseen(state, evidence)
    if len({deed.after for _, deed in found}) != 1:
        return None
    other_roll, deed = found[0]
    if not look.plainly(state, state.position, deed.after):
        return None
    thrown, lain = state.thrown, state.lain_ns
    state, effects = record.read_again(state, scene.at_ns, other_roll.dice)
    state, more = record.played(state, scene.at_ns, scene.number, deed.after)
    if state.phase == "over":
        return state, (*effects, *more)
    state, last = record.rolled(state, scene.at_ns, roll.dice, thrown)
    # a guess: nobody is accused of the turn that begins
    fit = (state.position, scene.at_ns)
    state = replace(state, lain_ns=lain, fit=fit, skipped=True, guessed=True)
    return state, (*effects, *more, *last)


def guessed_wrongly(state: State, scene: Scene, evidence: Evidence) -> tuple[Step, Played] | None:
    """There was no unseen throw: the side that was thought to have played plays this roll.

    Returns:
        the state with that turn taken back, and what was played; None when that explains nothing.
    """
    roll, turns = state.game.roll, state.game.turns
    if not state.guessed or roll is None or not turns or not turns[-1].stands:
        return None
    before = turns[-1].before
    closing, thrown = state.closing, state.thrown
    moved_on = closing is not None and closing.how == "thrown"
    reading = infer(
        evidence, before, replace(roll, first=turns[-1].roll.first), state.game.rules, moved_on
    )
    if not look.plays(reading, before):
        return None
    assert isinstance(reading, Seen)
    assert isinstance(reading.deed, Played)
    state, effects = record.retract(state, scene.at_ns)
    state, more = record.read_again(state, scene.at_ns, roll.dice, thrown)
    assert state.side == before.side == other(turns[-1].after.side)
    return (replace(state, closing=closing, guessed=False), (*effects, *more)), reading.deed
