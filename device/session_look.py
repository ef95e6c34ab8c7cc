"""Looking at a steady scene, and what a reading of it leads to: moves, takebacks, alarms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rules.draughts.position import Move, Position
from vision.evidence import Evidence, evidence_of
from vision.infer import (
    Played,
    Reading,
    TakenBack,
    Wrong,
    infer,
)
from vision.steady import Scene

from . import session_record as record
from . import session_turn as turn
from .modes import MODES
from .session_capture import is_capturing
from .session_doubt import doubt
from .session_hands import within_reach
from .session_state import State
from .session_values import Effect

Step = tuple[State, tuple[Effect, ...]]

SECOND_NS = 1_000_000_000

#: A capture in the making, whatever its board is called, and so a board that may be one.
MAKING_NS = 3 * SECOND_NS

#: How long a wrong board must stand still before it is an offence, where the camera runs.  A
#: chain may go on, captured men may still be lifted, a king may still be marked, a piece may be
#: in somebody's hand: never an alarm between two steps of one deed.  The other wrong boards are a
#: step of nothing: they wait only for a hand that comes back at once.
WAIT_NS = {
    "O7": 4 * SECOND_NS,
    "O12": 2 * SECOND_NS,
    "O14": 5 * SECOND_NS,
}
OTHER_WAIT_NS = 1_200_000_000

#: Between two liftings of captured men there is no alarm, however slowly the player goes about it;
#: who lifts each man after its jump has only to jump on.
LIFTING_NS = {"O9": 5 * SECOND_NS, "O11": 10 * SECOND_NS}

#: Where alarms come with the press of a clock, one that nobody presses makes them wait longer.
UNPRESSED = 4

#: Plies that may have passed between two steady scenes, and that can be taken back.
REACH = 4
BACK = 400


def view(state: State, scene: Scene) -> Evidence:
    """The scene by playing square, without what read wrongly all along."""
    evidence = evidence_of(scene, state.game.board, state.turns or 0)
    return evidence.without(state.doubts, state.strays)


def earlier(state: State) -> tuple[Position, ...]:
    """Positions that can be gone back to, oldest first."""
    return state.match.seen[-1 - BACK : -1]


def reading_of(state: State, evidence: Evidence) -> Reading:
    """What was done since the confirmed position."""
    before, unread = earlier(state), state.unread
    # no man goes without a hand
    proven = state.proven & within_reach(state) if state.proven else state.proven
    return infer(evidence, state.game, state.position, before, REACH, unread, proven)


def early(state: State, scene: Scene, wait_ns: int) -> bool:
    """Whether a scene of a running camera has not stood still for so long yet."""
    return not state.setup.settled and scene.at_ns - scene.since_ns < wait_ns


def act_on(state: State, scene: Scene, deed: Played | TakenBack | Wrong) -> Step:
    """Write down, take back or accuse, as the deed says."""
    if isinstance(deed, TakenBack):
        state, effects = record.retract(state, scene, deed.plies)
        state, noted = turn.taken_back(state, scene.at_ns, deed.plies)
        effects = (*effects, *noted)
        if not deed.moves:
            return state, effects
        state, more = record.confirm(state, scene, deed.moves)
        return state, (*effects, *more)
    if isinstance(deed, Wrong):
        return accuse(state, scene, deed)
    unmarked = record.crowns_missing(state, scene, deed.moves)
    if unmarked is not None:
        return accuse(state, scene, unmarked)
    return write_down(state, scene, deed.moves)


def write_down(state: State, scene: Scene, moves: Sequence[Move]) -> Step:
    """Write legal moves down, with what was noticed while they were made."""
    after, effects = record.confirm(state, scene, moves)
    after, noted = turn.remarks(after, scene.at_ns, state, moves)
    movers = (state.position.side, *(move.after.side for move in moves[:-1]))
    pressed = after.pressed
    # a press from before the reply ended the turn before it
    if pressed is not None and (pressed[0] in movers or pressed[1] < scene.since_ns):
        after = replace(after, pressed=None)
    return after, (*effects, *noted)


def accuse(state: State, scene: Scene, wrong: Wrong, least_ns: int = 0) -> Step:
    """Tell an offence, when it has stood for its wait or the turn is complete."""
    if turn.in_hand(wrong):
        # whoever else may have taken it off: its owner may have it in his hand (4.3)
        least_ns = max(least_ns, WAIT_NS["O7"])
    wrong = turn.out_of_turn(state, turn.same_hand(state, wrong))
    wait = max(least_ns, WAIT_NS.get(wrong.offence.code, OTHER_WAIT_NS))
    if is_capturing(state.game, wrong):
        wait = max(wait, MAKING_NS)
    if turn.lifting(state, wrong):
        wait = max(wait, LIFTING_NS[wrong.offence.code])
    if turn.turn_ended(state, wrong.by or wrong.before.side, scene):
        wait = 0
    elif state.clocks is not None and MODES[state.setup.mode].alarm == "turn":
        wait *= UNPRESSED
    if early(state, scene, wait):
        return turn.half_made(state, scene, wrong), ()
    if not state.setup.alarms:
        squares = [state.game.square(name) for name in wrong.offence.squares]
        return doubt(state, scene, squares, "this set can't be read well enough to judge that")
    effects: tuple[Effect, ...] = ()
    if wrong.before != state.position and not wrong.moves:
        # the deed of the hand that had just moved: its move is a part of it
        state, effects = record.revise(state, scene.at_ns, 1, (), "board")
    state, more = record.accuse(state, scene, wrong)
    return state, (*effects, *more)
