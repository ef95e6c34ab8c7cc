"""Going on after a power cut from what the journal's own lines say was confirmed.

Percepts are not looked at again: four hours of them would take minutes on a small computer, while
the confirmed lines of an evening are read at once.  What was only in somebody's eyes (a scene half
seen, a doubt) is gone; every move, offence, decision and clock that was told is there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rules.draughts.match import Match
from rules.errors import ToreshiError
from vision.steady import Steady

from . import journal
from . import session_say as say
from .errors import BadJournal
from .journal import Past
from .resume_lines import apply
from .session_state import State, begin
from .session_values import Effect, Json, Setup
from .signals import Signal

Step = tuple[State, tuple[Effect, ...]]


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What a journal's lines say.

    Attributes:
        state: the session at the end of them, without what was half seen.
        finished: games that were over before the present one.
        last_ns: time of the last row.
    """

    state: State
    finished: tuple[Match, ...] = ()
    last_ns: int = 0


def rebuilt(past: Past) -> Rebuilt:
    """The session that a journal tells of.

    Raises:
        BadJournal: lines that don't fit each other.
        UnknownGame, BadPosition: a head that names no game or no position.
    """
    return rebuild(past.setup, journal.inputs(past))


def rebuild(setup: Setup, rows: Iterable[tuple[int, Json, list[Json]]]) -> Rebuilt:
    """As `rebuilt`, from inputs with their effects as `journal.inputs` gives them."""
    told = Rebuilt(begin(setup))
    for number, given, effects in rows:
        told = _taken(told, given)
        lines = [effect["line"] for effect in effects if effect["is"] == "append"]
        for line in lines:
            try:
                told = _line(told, line)
            except (KeyError, TypeError, ValueError, ToreshiError) as error:
                what = f"a line '{line.get('what')}' that doesn't fit: {error}"
                raise BadJournal(what, f"journal, row {number}", "lines of one game") from error
    return told


def _taken(told: Rebuilt, given: Json) -> Rebuilt:
    """An input: only its time matters, and that it may be another power cut."""
    at_ns = given["at_ns"]
    state = told.state
    if state.began_ns < 0:
        state = replace(state, began_ns=at_ns)
    if given["is"] == "resumed":
        state = again(replace(told, state=state), at_ns)
    return replace(told, state=state, last_ns=at_ns)


def _line(told: Rebuilt, line: Json) -> Rebuilt:
    opens = line["what"] == "start" and told.state.phase != "waiting"
    finished = (*told.finished, told.state.match) if opens else told.finished
    return replace(told, state=apply(told.state, line), finished=finished)


# ---------------------------------------------------------------- going on


def go_on(told: Rebuilt, at_ns: int, torn: int) -> Step:
    """The session after a power cut, and what is said of it.

    Args:
        told: what the journal says.
        at_ns: now; the clock of the machine may have begun anew.
        torn: bytes of the journal's end that were lost.
    """
    state = again(told, at_ns)
    fen = state.game.write(state.position)
    event = say.event(state, at_ns, "continued", fen=fen, plies=len(state.match.plies), torn=torn)
    pending = state.match.pending
    shown = say.alarm(pending.offence, pending.side) if pending else say.signal(Signal.READY)
    if state.phase in ("waiting", "over") or state.turns is None:
        return state, (event,)
    return state, (event, shown, say.learn(state, state.match.board))


def again(told: Rebuilt, at_ns: int) -> State:
    """The state with which the session goes on: clocks stand, times count from now."""
    state = told.state
    passed = max(0, told.last_ns - max(0, state.began_ns)) if state.began_ns >= 0 else 0
    return replace(
        state,
        began_ns=at_ns - passed,
        steady=Steady(),
        clocks=state.clocks and replace(state.clocks, at_ns=at_ns),
        held=(),
        pressed=None,
        covered_ns=-1,
        lost_ns=-1,
        cover_told=False,
        lost_told=False,
        done_ns=-1,
        told="",
        told_ns=at_ns,
        ticked_ns=at_ns,
    )


def unfinished(past: Past) -> bool:
    """Whether a journal's game was still being played, or waited for, when it ends."""
    return bool(past.rows) and rebuilt(past).state.phase != "over"
