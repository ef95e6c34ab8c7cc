"""A wrong turn was told: put right, played on, or still as it was."""

from __future__ import annotations

from dataclasses import replace

from rules.nardi.board import Position, Side
from vision.nardi.evidence import Evidence
from vision.nardi.infer import Played, Seen, Wrong, infer
from vision.nardi.priors import CERTAIN, CONTRADICTS
from vision.nardi.steady import Scene

from ..session_values import Effect
from . import record
from .doubt import SECOND_NS, doubt
from .state import Closing, State
from .throws import handed_over

Step = tuple[State, tuple[Effect, ...]]

#: How long a board that was put right must stand, where the camera runs: a hand may go on.
RIGHT_NS = 3 * SECOND_NS // 2

#: Another wrong board is mostly the first one being put right; it waits longer.
ANOTHER_NS = 5 * SECOND_NS


def stands(state: State, scene: Scene, evidence: Evidence) -> Step:
    """One steady scene while an offence is pending."""
    pending = state.game.pending
    assert pending is not None
    if scene.covered and not state.settled:
        return state, ()
    if _fits(evidence, pending.after, pending.before):
        return replace(state, told=""), ()
    if _fits(evidence, pending.before, pending.after):
        return _put_back(state, scene)
    mine = infer(evidence, pending.before, pending.roll, state.game.rules)
    if isinstance(mine, Seen) and isinstance(mine.deed, Played):
        return _put_right(state, scene, mine.deed)
    if _side_stands(evidence, pending.after, pending.side):
        return _played_on(state, scene)
    if isinstance(mine, Seen) and isinstance(mine.deed, Wrong):
        return _another(state, scene, mine.deed)
    return doubt(state, scene, (), "waiting for the offence to be put right")


def _fits(evidence: Evidence, board: Position, rather_than: Position) -> bool:
    """Whether a board stands, and clearly rather than another one."""
    if evidence.misfits(board):
        return False
    cost, other_cost = (int(evidence.at_points(p).sum()) for p in (board, rather_than))
    return other_cost - cost >= CERTAIN


def _side_stands(evidence: Evidence, board: Position, side: Side) -> bool:
    """Whether one side's checkers stand as on a board."""
    table = evidence.side(side)
    return all(table[n][count] < CONTRADICTS for n, count in enumerate(board.counts(side)))


def _early(state: State, scene: Scene, least_ns: int) -> bool:
    return not state.settled and scene.at_ns - scene.since_ns < least_ns


def _put_back(state: State, scene: Scene) -> Step:
    """The board before the turn stands again: its dice are to be played."""
    if _early(state, scene, RIGHT_NS):
        return state, ()
    bad_throw = _is_bad_throw(state)
    state, effects = record.resolve(state, scene.at_ns, "put-right")
    if bad_throw:
        state, more = record.thrown_again(state, scene.at_ns)
        return state, (*effects, *more)
    closing = state.closing
    dice = closing.dice if closing else ()
    # the other side's throw stays where it is, and counts when the turn has been put right
    thrown = () if dice else state.thrown
    held = replace(state, closing=None, tentative=None, thrown=thrown, ended=dice, held=dice)
    return held, effects


def _is_bad_throw(state: State) -> bool:
    pending = state.game.pending
    return pending is not None and getattr(pending.verdict, "code", "") == "P1"


def _put_right(state: State, scene: Scene, deed: Played) -> Step:
    """A right end of the turn stands."""
    if _early(state, scene, RIGHT_NS):
        return state, ()
    closing = state.closing
    state, effects = record.resolve(state, scene.at_ns, "put-right")
    state, more = record.played(state, scene.at_ns, scene.number, deed.after)
    state, last = _next(state, scene, closing)
    return state, (*effects, *more, *last)


def _next(state: State, scene: Scene, closing: Closing | None) -> Step:
    if closing is None or not closing.dice or state.phase == "over":
        return state, ()
    return handed_over(replace(state, ended=(), lying=closing.dice), scene.at_ns)


def _played_on(state: State, scene: Scene) -> Step:
    """The wrong turn stands and the other side's checkers moved: that accepts it."""
    closing = state.closing
    if closing is None or not closing.dice:
        return doubt(state, scene, (), "the other side moved before an offence was settled")
    state, effects = record.resolve(state, scene.at_ns, "accepted")
    if state.phase != "playing":
        return state, effects
    state, more = _next(state, scene, closing)
    return state, (*effects, *more)


def _another(state: State, scene: Scene, deed: Wrong) -> Step:
    """The mover changed the board to another wrong one."""
    if _early(state, scene, ANOTHER_NS):
        return state, ()
    closing = state.closing
    state, effects = record.resolve(state, scene.at_ns, "put-right")
    state, more = record.accuse(state, scene.at_ns, scene.number, deed.after, deed.offence)
    return replace(state, closing=closing), (*effects, *more)
