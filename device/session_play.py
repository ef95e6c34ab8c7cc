"""A game in progress: what a steady scene means for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rules.draughts.match import Pending
from rules.draughts.position import Move, Position
from vision.evidence import Evidence, contents_of, evidence_of
from vision.infer import (
    Ambiguous,
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
from . import session_say as say
from . import session_turn as turn
from .modes import MODES
from .session_doubt import doubt
from .session_rejoin import adrift, rejoined
from .session_start import fits, match, start
from .session_state import Phase, State, begin
from .session_values import Effect
from .signals import Signal

Step = tuple[State, tuple[Effect, ...]]

SECOND_NS = 1_000_000_000

#: How long a wrong board must stand still before it is an offence, where the camera runs.  A
#: chain may go on, captured men may still be lifted, a king may still be marked, a piece may be
#: in somebody's hand: never an alarm between two steps of one deed.
WAIT_NS = {
    "O7": 4 * SECOND_NS,
    "O9": 3 * SECOND_NS,
    "O11": 3 * SECOND_NS,
    "O12": 2 * SECOND_NS,
    "O13": 3 * SECOND_NS,
    "O14": 5 * SECOND_NS,
}
OTHER_WAIT_NS = 1_200_000_000

#: A second offence while one is pending is mostly the first being put right; it waits longer.
PENDING_WAIT_NS = 4 * SECOND_NS

#: Where alarms come with the press of a clock, one that nobody presses makes them wait longer.
UNPRESSED = 4

#: Plies that may have passed between two steady scenes, and that can be taken back.
REACH = 4
BACK = 6

#: So many pieces fewer than any explanation leaves, and the board is being cleared.
CLEARED = 4


def play(state: State, scene: Scene) -> Step:
    """One steady scene of a game that has begun."""
    if scene.since_ns == state.done_ns and not state.setup.settled:
        return turn.pressed_in_vain(state, scene)
    if state.phase in ("swept", "over"):
        return _after_the_game(state, scene)
    evidence = view(state, scene)
    if state.aside is not None and state.match.pending is None:
        if not evidence.misfits(contents_of(state.aside, state.game.board.count)):
            return replace(state, done_ns=scene.since_ns), ()
        state = replace(state, aside=None, phase="playing")
    if scene.covered:
        return _half_hidden(state, scene, evidence)
    if state.match.pending is not None:
        return _pending(state, scene, evidence, state.match.pending)
    reading = _infer(state, evidence)
    if isinstance(reading, Unexplained):
        turned = _turned(state, scene)
        if turned is not None:
            state, reading = turned
    return _told(state, scene, reading)


def _half_hidden(state: State, scene: Scene, evidence: Evidence) -> Step:
    """Something rests over some squares: only a move that is seen whole counts, and no offence."""
    reading = _infer(state, evidence)
    if isinstance(reading, Unchanged):
        return record.settle(state, scene)
    if state.match.pending is None and isinstance(reading, Seen):
        deed = reading.deed
        here, there = state.position.pieces(), deed.after.pieces()
        changed = {n for n in here.keys() | there.keys() if here.get(n) != there.get(n)}
        if isinstance(deed, Played) and not changed & evidence.unknown:
            return record.confirm(state, scene, deed.moves)
    return doubt(state, scene, (), "something covers a part of the board")


def view(state: State, scene: Scene) -> Evidence:
    """The scene by playing square, without what read wrongly all along."""
    evidence = evidence_of(scene, state.game.board, state.turns or 0)
    return evidence.without(state.doubts, state.strays)


def _earlier(state: State) -> tuple[Position, ...]:
    return state.match.seen[-1 - BACK : -1]


def _infer(state: State, evidence: Evidence) -> Reading:
    before, unread = _earlier(state), state.unread
    return infer(evidence, state.game, state.position, before, REACH, unread)


def _told(state: State, scene: Scene, reading: Reading) -> Step:
    """What a reading leads to while no offence is pending."""
    if isinstance(reading, Unchanged):
        state, touched = turn.put_back(state, scene.at_ns)
        state, effects = record.settle(state, scene)
        return state, (*touched, *effects)
    astray = isinstance(reading, Unexplained) or _is_wrong(reading)
    found = rejoined(state, scene, view(state, scene)) if astray else None
    if found is not None:
        return found
    if isinstance(reading, Seen):
        return _seen(state, scene, reading.deed)
    if isinstance(reading, Ambiguous):
        return doubt(state, scene, (), "several moves fit what stands on the board")
    return _unexplained(state, scene, reading)


def _is_wrong(reading: Reading) -> bool:
    return isinstance(reading, Seen) and isinstance(reading.deed, Wrong)


def _seen(state: State, scene: Scene, deed: Played | TakenBack | Wrong) -> Step:
    if isinstance(deed, TakenBack):
        state, effects = record.retract(state, scene, deed.plies)
        state, noted = turn.taken_back(state, scene.at_ns, deed.plies)
        effects = (*effects, *noted)
        if not deed.moves:
            return state, effects
        state, more = record.confirm(state, scene, deed.moves)
        return state, (*effects, *more)
    if isinstance(deed, Wrong):
        return _accuse(state, scene, deed)
    unmarked = record.crowns_missing(state, scene, deed.moves)
    if unmarked is not None:
        return _accuse(state, scene, unmarked)
    return _played(state, scene, deed.moves)


def _played(state: State, scene: Scene, moves: Sequence[Move]) -> Step:
    """Write legal moves down, with what was noticed while they were made."""
    after, effects = record.confirm(state, scene, moves)
    after, noted = turn.remarks(after, scene.at_ns, state, moves)
    if after.pressed is not None and after.pressed[0] != after.position.side:
        after = replace(after, pressed=None)
    return after, (*effects, *noted)


def _early(state: State, scene: Scene, wait_ns: int) -> bool:
    """Whether a scene of a running camera has not stood still for so long yet."""
    return not state.setup.settled and scene.at_ns - scene.since_ns < wait_ns


def _accuse(state: State, scene: Scene, wrong: Wrong, least_ns: int = 0) -> Step:
    wrong = turn.out_of_turn(state, wrong)
    wait = max(least_ns, WAIT_NS.get(wrong.offence.code, OTHER_WAIT_NS))
    if turn.turn_ended(state, wrong.by or wrong.before.side, scene):
        wait = 0
    elif state.clocks is not None and MODES[state.setup.mode].alarm == "turn":
        wait *= UNPRESSED
    if _early(state, scene, wait):
        return turn.half_made(state, scene, wrong), ()
    if not state.setup.alarms:
        squares = [state.game.square(name) for name in wrong.offence.squares]
        return doubt(state, scene, squares, "this set can't be read well enough to judge that")
    return record.accuse(state, scene, wrong)


# ---------------------------------------------------------------- an offence is pending


def _pending(state: State, scene: Scene, evidence: Evidence, pending: Pending) -> Step:
    """Put right, played on, or still as it was."""
    game = state.game
    back = infer(evidence, game, pending.before, _earlier(state), 2)
    on = infer(evidence, game, state.match.board, (), 2)
    if isinstance(on, Unchanged):
        return _stands(state, scene, pending)
    if isinstance(back, Unchanged):
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
    if _cleared(state, scene, squares):
        return _swept(state, scene)
    found = orient(scene, state.game.board, state.match.board)
    if isinstance(found, Oriented) and found.turns != state.turns and not found.wrong:
        return replace(state, turns=found.turns, doubts=(), strays=()), ()
    return doubt(state, scene, squares, "waiting for the offence to be put right")


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
            return _accuse(state, scene, deed, PENDING_WAIT_NS)
        if _early(state, scene, PENDING_WAIT_NS):
            return state, ()
    state, effects = record.resolve(state, scene.at_ns, "put-right")
    state, more = _seen(state, scene, deed)
    return state, (*effects, *more)


def _played_on(state: State, scene: Scene, deed: Played | TakenBack | Wrong) -> Step:
    """The opponent did something, which accepts what stood before it."""
    if isinstance(deed, Wrong) and _early(state, scene, PENDING_WAIT_NS):
        return state, ()
    state, effects = record.resolve(state, scene.at_ns, "accepted")
    if state.phase == "over":
        return state, effects
    state, more = _seen(state, scene, deed)
    return state, (*effects, *more)


# ---------------------------------------------------------------- nothing explains the scene


def _turned(state: State, scene: Scene) -> tuple[State, Reading] | None:
    """The scene in another turn, if the board lies in that now: the camera was moved."""
    found = orient(scene, state.game.board, state.position)
    if not isinstance(found, Oriented) or found.turns == state.turns:
        return None
    turned = replace(state, turns=found.turns, doubts=(), strays=())
    reading = _infer(turned, view(turned, scene))
    return None if isinstance(reading, Unexplained) else (turned, reading)


def _unexplained(state: State, scene: Scene, reading: Unexplained) -> Step:
    if _cleared(state, scene, reading.squares):
        return _swept(state, scene)
    evidence = view(state, scene)
    again = reading.squares == state.odd and scene.since_ns != state.odd_ns
    message = say.should_hold(state, state.position, reading.squares)
    state, said = doubt(state, scene, reading.squares, message)
    if said:
        state = replace(state, odd=reading.squares, odd_ns=scene.since_ns)
    if again or (said and not reading.suspected):
        # it was told; from here on one square that stays odd must not stop the game
        return _likely(state, scene, reading, said)
    return (adrift(state, evidence), said) if said else (state, said)


def _cleared(state: State, scene: Scene, squares: tuple[int, ...]) -> bool:
    """Whether so many pieces are gone that the board is being cleared."""
    contents = contents_of(state.position, state.game.board.count)
    evidence = view(state, scene)
    missing = [n for n in squares if contents[n - 1] and not evidence.best(n)]
    return len(missing) >= CLEARED


def _likely(state: State, scene: Scene, reading: Unexplained, said: tuple[Effect, ...]) -> Step:
    """Go on with the likely explanation, one square excepted, if there is one."""
    if isinstance(reading.likely, Played):
        state, more = record.confirm(state, scene, reading.likely.moves)
        return state, (*said, *more)
    if isinstance(reading.likely, Unchanged):
        return replace(record.remember(state, scene), done_ns=scene.since_ns), said
    return (adrift(state, view(state, scene)), said) if said else (state, said)


def _swept(state: State, scene: Scene) -> Step:
    if _early(state, scene, 2 * SECOND_NS):
        return state, ()
    message = "the board was cleared: has the game ended, or will it be put back?"
    told = say.event(state, scene.at_ns, "unsure", squares=[], message=message, swept=True)
    line = say.append(state, scene.at_ns, "swept")
    swept = replace(state, phase="swept", done_ns=scene.since_ns)
    return swept, (line, told, say.signal(Signal.CANNOT_SEE))


def _after_the_game(state: State, scene: Scene) -> Step:
    """Silence, until the game's position or the start position stands again, or play goes on."""
    opened = _opened(state, scene)
    if opened is not None:
        return opened
    if state.phase == "over" and (state.match.outcome is None or not _drawn(state)):
        return state, ()
    reading = _infer(state, view(state, scene))
    if state.phase == "swept" and isinstance(reading, Unchanged):
        phase: Phase = "offence" if state.match.pending else "playing"
        back = replace(state, phase=phase, told="", done_ns=scene.since_ns)
        line = say.append(state, scene.at_ns, "put-back")
        return back, (line, say.signal(Signal.READY))
    if state.phase == "over" and isinstance(reading, Seen) and isinstance(reading.deed, Played):
        # nobody can make two players stop: what they play after a draw is recorded, uncounted
        on = replace(state.match, outcome=None, rules=(), counts=())
        return record.confirm(replace(state, match=on), scene, reading.deed.moves)
    return state, ()


def _drawn(state: State) -> bool:
    outcome = state.match.outcome
    return outcome is not None and outcome.ending == "draw"


def _opened(state: State, scene: Scene) -> Step | None:
    """A new game, if its first position stands on the board, whichever way it lies now."""
    setup = replace(state.setup, fen="")
    fresh = replace(begin(setup), began_ns=state.began_ns, steady=state.steady, marks=state.marks)
    found = match(fresh, scene)
    if not isinstance(found, Oriented) or not fits(fresh, found):
        return None
    effects: tuple[Effect, ...] = ()
    if state.phase == "swept":
        _, effects = record.finish(state, scene.at_ns, "*", "swept")
    fresh, more = start(fresh, scene, found)
    return fresh, (*effects, *more)
