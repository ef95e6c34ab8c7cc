"""Going on after a power cut from what the journal's own lines say was confirmed.

Percepts are not looked at again: four hours of them would take minutes on a small computer, while
the confirmed lines of an evening are read at once.  What was only in somebody's eyes (a scene half
seen, a doubt) is gone; every move, offence, decision and clock that was told is there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rules.errors import ToreshiError

from . import journal
from .errors import BadJournal
from .family import Effects, State, family_of
from .journal import Past
from .session_values import Json, Setup, Show
from .signals import Signal


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What a journal's lines say.

    Attributes:
        state: the session at the end of them, without what was half seen.
        finished: the session at the end of each game that was over before the present one.
        last_ns: time of the last row.
    """

    state: State
    finished: tuple[State, ...] = ()
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
    told = Rebuilt(family_of(setup.game).begin(setup))
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
    state = told.state
    opens = line["what"] == "start" and state.phase != "waiting"
    finished = (*told.finished, state) if opens else told.finished
    return replace(told, state=family_of(state.setup.game).apply(state, line), finished=finished)


# ---------------------------------------------------------------- going on


def go_on(told: Rebuilt, at_ns: int, torn: int, seen: bool = True) -> tuple[State, Effects]:
    """The session after a power cut, and what is said of it.

    Args:
        told: what the journal says.
        at_ns: now; the clock of the machine may have begun anew.
        torn: bytes of the journal's end that were lost.
        seen: whether the board is; until it is, no lamp says that one may play.
    """
    state = again(told, at_ns)
    effects = family_of(state.setup.game).continued(state, at_ns, torn)
    if seen:
        return state, effects
    blind = Show(Signal.CANNOT_SEE.value)
    effects = tuple(blind if isinstance(effect, Show) else effect for effect in effects)
    return replace(state, lost_told=blind in effects), effects


def again(told: Rebuilt, at_ns: int) -> State:
    """The state with which the session goes on: times count on from where they were."""
    state = told.state
    passed = max(0, told.last_ns - max(0, state.began_ns)) if state.began_ns >= 0 else 0
    return family_of(state.setup.game).again(state, at_ns - passed, at_ns)


def unfinished(past: Past) -> bool:
    """Whether a journal's game was still being played, or waited for, when it ends."""
    return bool(past.rows) and rebuilt(past).state.phase != "over"
