"""After a game, or when the board is cleared: silence, until it goes on or a new one begins."""

from __future__ import annotations

from dataclasses import replace

from rules.said import Said
from vision.evidence import contents_of
from vision.infer import (
    Played,
    Seen,
    Unchanged,
)
from vision.orient import Oriented
from vision.steady import Scene

from . import session_record as record
from . import session_say as say
from .session_look import SECOND_NS, early, reading_of, view
from .session_start import fits, match, start
from .session_state import Phase, State, begin
from .session_values import Effect
from .signals import Signal

Step = tuple[State, tuple[Effect, ...]]

#: So many pieces fewer than any explanation leaves, and the board is being cleared; but not while
#: more than half of them still stand: moves that could not be followed take men off, too.
CLEARED = 4


def is_cleared(state: State, scene: Scene, squares: tuple[int, ...]) -> bool:
    """Whether so many pieces are gone that the board is being cleared."""
    contents = contents_of(state.position, state.game.board.count)
    evidence = view(state, scene)
    missing = [n for n in squares if contents[n - 1] and not evidence.best(n)]
    stand = sum(evidence.best(n) != 0 for n in range(1, state.game.board.count + 1))
    return len(missing) >= CLEARED and stand * 2 <= len(state.position.pieces())


def sweep(state: State, scene: Scene) -> Step:
    """The board is being cleared: say so once, then be silent."""
    if early(state, scene, 2 * SECOND_NS):
        return state, ()
    message = Said("the board was cleared: has the game ended, or will it be put back?")
    told = say.event(state, scene.at_ns, "unsure", squares=[], message=message, swept=True)
    line = say.append(state, scene.at_ns, "swept")
    swept = replace(state, phase="swept", done_ns=scene.since_ns)
    return swept, (line, told, say.signal(Signal.CANNOT_SEE))


def after_the_game(state: State, scene: Scene) -> Step:
    """Silence, until the game's position or the start position stands again, or play goes on."""
    opened = _opened(state, scene)
    if opened is not None:
        return opened
    if state.phase == "over" and (state.match.outcome is None or not _drawn(state)):
        return state, ()
    reading = reading_of(state, view(state, scene))
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
