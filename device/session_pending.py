"""While an offence is pending: put right, played on, or still as it was."""

from __future__ import annotations

from dataclasses import replace

from rules.draughts.match import Pending
from vision.evidence import Evidence, evidence_of
from vision.infer import (
    Played,
    Reading,
    Seen,
    TakenBack,
    Unchanged,
    Unexplained,
    Wrong,
    infer,
)
from vision.orient import Oriented, orient
from vision.priors import cost_of
from vision.steady import Scene

from . import session_record as record
from . import session_turn as turn
from .session_after import is_cleared, sweep
from .session_capture import making
from .session_doubt import doubt
from .session_look import MAKING_NS, SECOND_NS, accuse, act_on, earlier, early, view
from .session_rejoin import adrift, rejoined
from .session_state import State
from .session_values import Effect

Step = tuple[State, tuple[Effect, ...]]

#: A second offence while one is pending is mostly the first being put right; it waits longer.
PENDING_WAIT_NS = 4 * SECOND_NS


def while_pending(state: State, scene: Scene, evidence: Evidence, pending: Pending) -> Step:
    """Put right, played on, or still as it was."""
    game = state.game
    back = infer(evidence, game, pending.before, earlier(state), 2)
    on = infer(evidence, game, state.match.board, (), 2)
    if isinstance(on, Unchanged):
        return _stands(state, scene, pending)
    half = making(game, on)
    if half is not None and early(state, scene, MAKING_NS):
        # the opponent may be capturing on from the board as it stands, his victim not yet lifted
        return turn.half_made(state, scene, half), ()
    if isinstance(back, Unchanged):
        state = replace(state, half=())
        state, effects = record.resolve(state, scene.at_ns, "put-right")
        state, more = record.settle(state, scene)
        return state, (*effects, *more)
    if isinstance(back, Seen) and _story(back) <= _story(on):
        return _put_right(state, scene, back.deed)
    if isinstance(on, Seen):
        return _played_on(state, scene, on.deed)
    return _neither(state, scene, back)


def _neither(state: State, scene: Scene, back: Reading) -> Step:
    """Neither put right nor played on: the board was cleared, the camera moved, or it goes on."""
    squares = back.squares if isinstance(back, Unexplained) else ()
    if is_cleared(state, scene, squares):
        return sweep(state, scene)
    found = orient(scene, state.game.board, state.match.board)
    if isinstance(found, Oriented) and found.turns != state.turns and not found.wrong:
        return replace(state, turns=found.turns, doubts=(), strays=()), ()
    now = view(state, scene)
    if state.adrift is not None:
        # they have long played on: that accepts what stood, and the game is found again
        accepted, effects = record.resolve(state, scene.at_ns, "accepted")
        joined = None if accepted.phase == "over" else rejoined(accepted, scene, now)
        if joined is not None:
            return joined[0], (*effects, *joined[1])
    counted = state.unread
    state, said = doubt(state, scene, squares, "waiting for the offence to be put right")
    return (adrift(state, now) if state.unread != counted else state), said


def _stands(state: State, scene: Scene, pending: Pending) -> Step:
    """Nothing moved; but a king may have been marked since."""
    if pending.offence.code == "O14":
        board = state.match.board
        moves = [move for move in state.game.moves(pending.before) if move.after == board]
        seen = evidence_of(scene, state.game.board, state.turns or 0)
        if moves and seen.shows_king(moves[0].to):
            state, effects = record.resolve(state, scene.at_ns, "put-right")
            state, more = record.confirm(state, scene, moves)
            return state, (*effects, *more)
    return replace(state, done_ns=scene.since_ns, told=""), ()


def _story(reading: Reading) -> int:
    """How much a reading asks to be believed: the priors of what it says was done."""
    if not isinstance(reading, Seen):
        return 1 << 30
    deed = reading.deed
    if isinstance(deed, TakenBack):
        return cost_of("takeback") + deed.plies * cost_of("further-takeback")
    plies = cost_of("move") + len(deed.moves) * cost_of("further-move")
    return plies + (cost_of(deed.offence.code) if isinstance(deed, Wrong) else 0)


def _put_right(state: State, scene: Scene, deed: Played | TakenBack | Wrong) -> Step:
    """The offender changed the board again."""
    pending = state.match.pending
    if isinstance(deed, Wrong):
        if pending is not None and deed.offence == pending.offence:
            return replace(state, done_ns=scene.since_ns), ()
        if not deed.moves:
            return accuse(state, scene, deed, PENDING_WAIT_NS)
        if early(state, scene, PENDING_WAIT_NS):
            return state, ()
    state, effects = record.resolve(replace(state, half=()), scene.at_ns, "put-right")
    state, more = act_on(state, scene, deed)
    return state, (*effects, *more)


def _played_on(state: State, scene: Scene, deed: Played | TakenBack | Wrong) -> Step:
    """The opponent did something, which accepts what stood before it."""
    if isinstance(deed, Wrong) and early(state, scene, PENDING_WAIT_NS):
        return state, ()
    state, effects = record.resolve(state, scene.at_ns, "accepted")
    if state.phase == "over":
        return state, effects
    state, more = act_on(state, scene, deed)
    return state, (*effects, *more)
