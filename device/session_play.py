"""A game in progress: what a steady scene means for it."""

from __future__ import annotations

from dataclasses import replace

from rules.draughts.position import Move
from vision.evidence import Evidence, contents_of, evidence_of
from vision.heal import reread
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
from vision.steady import UNITS_PER_NAT, Scene

from . import session_record as record
from . import session_say as say
from . import session_turn as turn
from .session_after import after_the_game, is_cleared, sweep
from .session_doubt import doubt
from .session_look import OTHER_WAIT_NS, REACH, act_on, early, reading_of, view, write_down
from .session_pending import while_pending
from .session_rejoin import adrift, rejoined
from .session_state import State
from .session_values import Effect

Step = tuple[State, tuple[Effect, ...]]


#: How much worse scenes may fit moves that are put in place of those in the record.
NEARLY = 4 * UNITS_PER_NAT
FOR_SURE = 20 * UNITS_PER_NAT

#: So many plies may be taken back without a scene that shows it.
UNSEEN = 2


def play(state: State, scene: Scene) -> Step:
    """One steady scene of a game that has begun."""
    if scene.since_ns == state.done_ns and not state.setup.settled:
        if state.match.pending is None:
            state = replace(state, still=scene.number, stood_ns=scene.at_ns)
        return turn.pressed_in_vain(state, scene)
    if state.phase in ("swept", "over"):
        return after_the_game(state, scene)
    evidence = view(state, scene)
    if state.aside is not None and state.match.pending is None:
        if not evidence.misfits(contents_of(state.aside, state.game.board.count)):
            return replace(state, done_ns=scene.since_ns), ()
        state = replace(state, aside=None, phase="playing")
    if scene.covered:
        return _half_hidden(state, scene, evidence)
    if state.match.pending is not None:
        return while_pending(state, scene, evidence, state.match.pending)
    reading = reading_of(state, evidence)
    if isinstance(reading, Unexplained):
        turned = _turned(state, scene)
        if turned is not None:
            state, reading = turned
    return _told(state, scene, reading)


def _half_hidden(state: State, scene: Scene, evidence: Evidence) -> Step:
    """Something rests over some squares: only a move that is seen whole counts, and no offence."""
    reading = reading_of(state, evidence)
    if isinstance(reading, Unchanged):
        return record.settle(state, scene)
    if state.match.pending is None and isinstance(reading, Seen):
        deed = reading.deed
        here, there = state.position.pieces(), deed.after.pieces()
        changed = {n for n in here.keys() | there.keys() if here.get(n) != there.get(n)}
        if isinstance(deed, Played) and not changed & evidence.unknown:
            return record.confirm(state, scene, deed.moves)
    return doubt(state, scene, (), "something covers a part of the board")


def _told(state: State, scene: Scene, reading: Reading) -> Step:
    """What a reading leads to while no offence is pending."""
    if isinstance(reading, Unchanged) and _dark(state, scene):
        return state, ()
    if isinstance(reading, Unchanged):
        state, touched = turn.put_back(state, scene.at_ns)
        state, effects = record.settle(state, scene)
        return state, (*touched, *effects)
    astray = isinstance(reading, Unexplained) or _is_wrong(reading)
    found = rejoined(state, scene, view(state, scene)) if astray else None
    if found is not None:
        return found
    if astray:
        state, healed = _healed(state, scene, reading)
        if healed is not None:
            return healed
    if isinstance(reading, Seen) and not _unseen_end(state, scene, reading.deed):
        return act_on(state, scene, reading.deed)
    if isinstance(reading, Ambiguous | Seen):
        return doubt(state, scene, (), "several moves fit what stands on the board")
    return _unexplained(state, scene, reading)


def _dark(state: State, scene: Scene) -> bool:
    """Whether so much can't be read that nothing was understood by seeing no change."""
    return len(view(state, scene).unknown) * 4 > state.game.board.count


def _healed(state: State, scene: Scene, reading: Reading) -> tuple[State, Step | None]:
    """The record put right, if scenes that it was read from allow other moves that lead here.

    Where a wrong deed explains the board, only scenes that were nearly as good for other moves
    decide; where nothing does, a scene may also have been read wrongly for sure.
    """
    nothing = isinstance(reading, Unexplained)
    # a legal move and then one that only undoes what was read: sooner that was read wrongly
    late = nothing or (isinstance(reading, Seen) and bool(_moves_before(reading.deed)))
    tried = (scene.since_ns, late)
    if early(state, scene, OTHER_WAIT_NS):
        return state, None
    if state.reread_ns == tried:
        return _gone_back(state, scene) if nothing else (state, None)
    state = replace(state, reread_ns=tried, back=1)
    limit = FOR_SURE if late else NEARLY
    now = view(state, scene)
    story = reread(now, state.game, state.match.seen, state.trail, limit)
    if story is None:
        return _gone_back(state, scene) if nothing and state.setup.settled else (state, None)
    healed, effects = record.revise(state, scene.at_ns, story.plies, story.moves, "board")
    if healed.phase == "over":
        return state, (healed, effects)
    more: tuple[Effect, ...]
    if story.on:
        healed, more = write_down(healed, scene, story.on)
    else:
        healed, more = record.settle(record.remember(healed, scene), scene)
    return state, (healed, (*effects, *more))


def _gone_back(state: State, scene: Scene) -> tuple[State, Step | None]:
    """Moves taken back without anybody seeing it, and others played in their place.

    A running camera shows the scene again soon: each time one more move is tried.
    """
    seen = state.match.seen
    now = view(state, scene)
    while state.back <= min(UNSEEN, len(seen) - 1):
        plies = state.back
        state = replace(state, back=plies + 1)
        reading = infer(now, state.game, seen[-1 - plies], (), REACH)
        if isinstance(reading, Seen) and isinstance(reading.deed, Played) and not reading.misfits:
            deed = TakenBack(plies, reading.deed.after, reading.deed.moves)
            return state, act_on(state, scene, deed)
        if not state.setup.settled:
            break
    return state, None


def _unseen_end(state: State, scene: Scene, deed: Played | TakenBack | Wrong) -> bool:
    """Whether a man has left, and where a quiet move would have put him can't be read.

    He may as well be in somebody's hand.
    """
    if not isinstance(deed, Played) or len(deed.moves) > 1 or deed.moves[0].taken:
        return False
    return deed.moves[0].to in evidence_of(scene, state.game.board, state.turns or 0).unknown


def _moves_before(deed: Played | TakenBack | Wrong) -> tuple[Move, ...]:
    return deed.moves if isinstance(deed, Wrong) else ()


def _is_wrong(reading: Reading) -> bool:
    return isinstance(reading, Seen) and isinstance(reading.deed, Wrong)


# ---------------------------------------------------------------- nothing explains the scene


def _turned(state: State, scene: Scene) -> tuple[State, Reading] | None:
    """The scene in another turn, if the board lies in that now: the camera was moved."""
    found = orient(scene, state.game.board, state.position)
    if not isinstance(found, Oriented) or found.turns == state.turns:
        return None
    turned = replace(state, turns=found.turns, doubts=(), strays=())
    reading = reading_of(turned, view(turned, scene))
    return None if isinstance(reading, Unexplained) else (turned, reading)


def _unexplained(state: State, scene: Scene, reading: Unexplained) -> Step:
    if is_cleared(state, scene, reading.squares):
        return sweep(state, scene)
    evidence = view(state, scene)
    again = reading.squares == state.odd and scene.since_ns != state.odd_ns
    message = say.should_hold(state, state.position, reading.squares)
    several = len(reading.squares) > 1 and not reading.suspected
    if several and not early(state, scene, OTHER_WAIT_NS):
        # more than one deed: it may be a move on from here that the next scene shows
        lost = adrift(state, evidence)
        state = lost if lost.unread else replace(lost, unread=int(lost.adrift is not None))
    counted = state.unread
    state, said = doubt(state, scene, reading.squares, message)
    counts = state.unread != counted
    if counts:
        state = replace(state, odd=reading.squares, odd_ns=scene.since_ns)
    if again or (counts and not reading.suspected):
        # it was told; from here on one square that stays odd must not stop the game
        return _likely(state, scene, reading, said, counts)
    return (adrift(state, evidence), said) if counts else (state, said)


def _likely(
    state: State, scene: Scene, reading: Unexplained, said: tuple[Effect, ...], counts: bool
) -> Step:
    """Go on with the likely explanation, one square excepted, if there is one."""
    if isinstance(reading.likely, Played):
        state, more = record.confirm(state, scene, reading.likely.moves)
        return state, (*said, *more)
    if isinstance(reading.likely, Unchanged):
        return replace(record.remember(state, scene), done_ns=scene.since_ns), said
    return (adrift(state, view(state, scene)), said) if counts else (state, said)
