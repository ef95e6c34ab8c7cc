"""The referee of a nardi board in one pure function: ``step(state, input) -> (state, effects)``.

As for draughts it sees percepts, buttons, commands and time as values, and a journal of inputs is
a complete report of what happened at a table.
"""

from __future__ import annotations

from dataclasses import replace

from rules.nardi.board import START
from vision.nardi.evidence import APART, MIRRORED, WAYS, Lies, evidence_of, lies
from vision.nardi.percept import NardiPercept
from vision.nardi.steady import READINGS, Scene, Steady, observe, rest
from vision.steady import RUNNING, SETTLED

from ..modes import MODES
from ..session_values import Button, Command, Effect, Feed, Input, Show
from ..signals import Signal
from . import learned, record, say, throws
from .command import button, command
from .doubt import SECOND_NS, doubt
from .play import play
from .state import State, begin

__all__ = ["State", "begin", "step"]

Step = tuple[State, tuple[Effect, ...]]

#: A board that is lost for a moment (an arm, a flash) is not worth a word.
LOST_NS = SECOND_NS
COVERED_NS = SECOND_NS

#: Something that hides points and does not move for so long is no hand at work.
RESTS_NS = 3 * SECOND_NS

#: So many hidden points of a settled picture are a hand, and the picture is not settled.
HAND = 4


def step(state: State, given: Input | NardiPercept) -> Step:
    """Take one input.

    Args:
        state: what is known.
        given: what happened.

    Returns:
        The next state, and what is to be done about it, in order.
    """
    if state.began_ns < 0:
        state = replace(state, began_ns=given.at_ns)
    if isinstance(given, NardiPercept):
        state, effects = _percept(state, given)
    elif isinstance(given, Command):
        state, effects = command(state, given)
    elif isinstance(given, Button):
        state, effects = button(state, given)
    else:
        return state, (Feed(),)
    hidden = MODES[state.setup.mode].hidden
    return state, tuple(
        e for e in effects if not (isinstance(e, Show) and Signal(e.signal) in hidden)
    )


def _percept(state: State, percept: NardiPercept) -> Step:
    if percept.geometry == "lost":
        return _lost(state, percept)
    effects: tuple[Effect, ...] = ()
    if state.lost_told:
        effects = (say.event(state, percept.at_ns, "board-found"), say.standing(state))
    state = replace(state, lost_ns=-1, lost_told=False)
    if percept.geometry == "bumped":
        state = replace(state, steady=Steady())
    state, more = _covered(state, percept)
    effects = (*effects, *more)
    if state.settled and len(percept.covered) >= HAND:
        return state, effects
    state, more = _dice(state, percept)
    effects = (*effects, *more)
    policy = SETTLED if state.settled else RUNNING
    steady, scene = observe(state.steady, percept, policy)
    state = replace(state, steady=steady)
    if scene is None or state.paused or (scene.covered and not _rests(state, scene)):
        return state, effects
    state = replace(state, scene=scene)
    if state.phase == "waiting":
        state, more = _wait_for_start(state, scene, percept)
    else:
        state, more = play(state, scene)
    return state, (*effects, *more)


def _dice(state: State, percept: NardiPercept) -> Step:
    """Take the dice of a frame; a hand or movement may hide some, but makes none."""
    disturbed = bool(percept.covered) or percept.motion > RUNNING.motion
    if disturbed:
        state = replace(state, disturbed_ns=percept.at_ns)
    if percept.dice and not disturbed:
        state = throws.witness(state, percept.dice)
    on_board = [die for die in percept.dice or () if die.half != "off"]
    if not state.settled and disturbed and len(on_board) < 2:
        return replace(state, dice=replace(state.dice, times=0)), ()
    dice, at_rest = rest(state.dice, percept, 1 if state.settled else READINGS)
    state = replace(state, dice=dice)
    if at_rest is None:
        return state, ()
    return throws.lie(state, at_rest, percept.at_ns)


def _lost(state: State, percept: NardiPercept) -> Step:
    since = state.lost_ns if state.lost_ns >= 0 else percept.at_ns
    dice = replace(state.dice, times=0)
    state = replace(state, lost_ns=since, steady=Steady(), dice=dice, disturbed_ns=percept.at_ns)
    early = not state.settled and percept.at_ns - since < LOST_NS
    if early or state.lost_told:
        return state, ()
    told = say.event(state, percept.at_ns, "board-lost", reason=percept.reason)
    return replace(state, lost_told=True), (told, say.signal(Signal.CANNOT_SEE))


def _covered(state: State, percept: NardiPercept) -> Step:
    """Note a hand over the board, and say so once if it stays."""
    if not percept.covered:
        return replace(state, covered_ns=-1, cover_told=False), ()
    since = state.covered_ns if state.covered_ns >= 0 else percept.at_ns
    state = replace(state, covered_ns=since)
    few = len(percept.covered) < HAND
    early = few if state.settled else percept.at_ns - since < COVERED_NS
    if early or state.cover_told:
        return state, ()
    told = say.event(state, percept.at_ns, "covered", squares=len(percept.covered))
    return replace(state, cover_told=True), (told,)


def _rests(state: State, scene: Scene) -> bool:
    """Whether what covers the board has stayed so long that it is no hand at work."""
    return state.settled or scene.at_ns - scene.since_ns >= RESTS_NS


# ---------------------------------------------------------------- the start


def _wait_for_start(state: State, scene: Scene, percept: NardiPercept) -> Step:
    """Begin the game if the first position stands on the board; else say what is wrong."""
    edges = {way: _white_at(percept, way) for way in WAYS}
    told = state.setup.white_at
    ways = [way for way in WAYS if not told or edges[way] == told]
    found = lies(scene, state.position, ways or WAYS)
    if scene.covered:
        return state, ()
    if not found.wrong and found.margin >= APART:
        lying = state.lying
        number, edge = scene.number, edges[found.way]
        state, effects = record.started(state, scene.at_ns, number, found.way, edge)
        # dice that lay there while the board was set up are no throw; in settled pictures they are
        state = replace(state, ended=() if state.settled else lying)
        state = learned.remember(state, evidence_of(scene, found.way))
        state, more = throws.lie(state, lying, scene.at_ns)
        return state, (*effects, *more)
    return _not_yet(state, scene, found)


def _not_yet(state: State, scene: Scene, found: Lies) -> Step:
    if not found.wrong:
        message = "it can't be told from which edge White plays"
        return doubt(state, scene, (), message)
    if not state.setup.fen and not lies(scene, START, MIRRORED).wrong:
        message = "the heads are mirrored: each belongs on the other end of its row"
        return doubt(state, scene, (12, 24), message)
    return doubt(state, scene, found.wrong[:4], "waiting for the first position")


def _white_at(percept: NardiPercept, way: int) -> str:
    """Edge of the picture at which White sits: the row of its home, the points 1 to 6."""
    corners = percept.corners
    if corners is None:
        return "bottom"
    middle = [sum(c[k] for c in corners) / 4 for k in (0, 1)]
    one, two = (corners[3], corners[2]) if way == 0 else (corners[0], corners[1])
    x, y = ((one[k] + two[k]) / 2 - middle[k] for k in (0, 1))
    if abs(y) >= abs(x):
        return "bottom" if y > 0 else "top"
    return "right" if x > 0 else "left"
