"""The referee's whole mind in one pure function: ``step(state, input) -> (state, effects)``.

It sees percepts, buttons, commands and time as values; no pixels, camera, lamp or clock.  So the
same inputs give the same effects on every machine, and a journal of inputs is a complete report of
what happened at a table.
"""

from __future__ import annotations

from dataclasses import replace

from vision.percept import Percept
from vision.steady import RUNNING, SETTLED, Scene, Steady, observe

from . import session_say as say
from .modes import MODES
from .session_command import command
from .session_hands import arms_seen
from .session_look import SECOND_NS
from .session_play import play
from .session_press import button
from .session_start import wait_for_start
from .session_state import State, begin
from .session_time import passing
from .session_values import Button, Command, Effect, Feed, Input, Setup, Show
from .signals import Signal

__all__ = ["Setup", "State", "begin", "step"]

Step = tuple[State, tuple[Effect, ...]]

#: A board that is lost for a moment (an arm, a flash) is not worth a word.
LOST_NS = SECOND_NS
COVERED_NS = SECOND_NS

#: Something that hides squares and does not move for so long is an arm at rest, a cup, a shadow.
RESTS_NS = 3 * SECOND_NS

#: So many hidden squares of a settled picture are a hand, and the picture is not settled.
HAND = 6


def step(state: State, given: Input) -> Step:
    """Take one input.

    Args:
        state: what is known.
        given: what happened.

    Returns:
        The next state, and what is to be done about it, in order.
    """
    if state.began_ns < 0:
        state = replace(state, began_ns=given.at_ns)
    state, before = passing(state, given.at_ns)
    if isinstance(given, Percept):
        state, effects = _percept(state, given)
    elif isinstance(given, Command):
        state, effects = command(state, given)
    elif isinstance(given, Button):
        state, effects = button(state, given)
    else:
        effects = (Feed(),)
    return state, _for_the_table(state, (*before, *effects))


def _for_the_table(state: State, effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    """Effects without the signals that the players aren't to see in this mode."""
    hidden = MODES[state.setup.mode].hidden
    if not hidden:
        return effects
    return tuple(e for e in effects if not (isinstance(e, Show) and Signal(e.signal) in hidden))


def _percept(state: State, percept: Percept) -> Step:
    if percept.geometry == "lost":
        return _lost(state, percept)
    effects: tuple[Effect, ...] = ()
    if state.lost_told:
        effects = (say.event(state, percept.at_ns, "board-found"), say.standing(state))
    state = replace(state, lost_ns=-1, lost_told=False)
    if percept.geometry == "bumped":
        state = replace(state, steady=Steady())
    state, more = _covered(arms_seen(state, percept), percept)
    effects = (*effects, *more)
    if state.setup.settled and len(percept.covered) >= HAND:
        return state, effects
    policy = SETTLED if state.setup.settled else RUNNING
    steady, scene = observe(state.steady, percept, policy)
    state = replace(state, steady=steady)
    if scene is None or (scene.covered and not _rests(state, scene)):
        return state, effects
    if state.paused:
        return state, effects
    state, more = (wait_for_start if state.phase == "waiting" else play)(state, scene)
    return state, (*effects, *more)


def _lost(state: State, percept: Percept) -> Step:
    since = state.lost_ns if state.lost_ns >= 0 else percept.at_ns
    state = replace(state, lost_ns=since, steady=Steady())
    early = not state.setup.settled and percept.at_ns - since < LOST_NS
    if early or state.lost_told:
        return state, ()
    told = say.event(state, percept.at_ns, "board-lost", reason=percept.reason)
    return replace(state, lost_told=True), (told, say.signal(Signal.CANNOT_SEE))


def _covered(state: State, percept: Percept) -> Step:
    """Note a hand over the board, and say so once if it stays."""
    if not percept.covered:
        return replace(state, covered_ns=-1, cover_told=False), ()
    since = state.covered_ns if state.covered_ns >= 0 else percept.at_ns
    state = replace(state, covered_ns=since, hidden=percept.number)
    few = len(percept.covered) < HAND
    early = few if state.setup.settled else percept.at_ns - since < COVERED_NS
    if early or state.cover_told:
        return state, ()
    told = say.event(state, percept.at_ns, "covered", squares=len(percept.covered))
    return replace(state, cover_told=True), (told,)


def _rests(state: State, scene: Scene) -> bool:
    """Whether what covers the board has stayed so long that it is no hand at work."""
    return state.setup.settled or scene.at_ns - scene.since_ns >= RESTS_NS
