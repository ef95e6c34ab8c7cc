"""Draughts as the loop sees it: its session, and how its games are kept and gone on with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rules.draughts.match_record import record_of
from vision.percept import Percept
from vision.steady import Steady

from . import files
from . import session_say as say
from .family import Family
from .resume_lines import apply
from .session import begin, step
from .session_state import State
from .session_values import Effect, Json


def _again(state: State, began_ns: int, at_ns: int) -> State:
    """The state with which the session goes on: clocks stand, times count from now."""
    return replace(
        state,
        began_ns=began_ns,
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


def _continued(state: State, at_ns: int, torn: int) -> tuple[Effect, ...]:
    fen = state.game.write(state.position)
    event = say.event(state, at_ns, "continued", fen=fen, plies=len(state.match.plies), torn=torn)
    if state.phase in ("waiting", "over") or state.turns is None:
        return (event,)
    return event, say.standing(state), say.learn(state, state.match.board)


def _unseen(state: State, number: int, at_ns: int, reason: str) -> Percept:
    return Percept(number, at_ns, state.game.board.size, "lost", reason=reason)


def _pinned(state: State) -> tuple[int, ...]:
    """Before the deed, and while a hand was over the board."""
    return state.still, state.hidden


def _write(folder: Path, states: Sequence[State], tags: Json) -> None:
    files.write_record(folder, [record_of(state.match, tags) for state in states])


FAMILY = Family(begin, step, apply, _again, _continued, _unseen, _pinned, _write)
