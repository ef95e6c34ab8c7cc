"""Nardi as the loop sees it: its session, and how its games are kept and gone on with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rules.nardi import record as written
from rules.nardi import sheet
from rules.nardi.events import Event, Header
from vision.nardi.percept import NardiPercept
from vision.nardi.steady import DiceSteady, Steady

from .. import files
from ..family import Family
from ..session_values import Effect, Json
from . import say
from .lines import apply
from .session import begin, step
from .state import NARDI, State, settings_of

#: The record as it is kept, and as people read it.
RECORD, SHEET = "game.jsonl", "game.txt"


def _again(state: State, began_ns: int, at_ns: int) -> State:
    """The state with which the session goes on; the dice of the last throw may lie there still."""
    return replace(
        state,
        began_ns=began_ns,
        steady=Steady(),
        dice=DiceSteady(),
        scene=None,
        lying=(),
        thrown=(),
        ended=(),
        closing=None,
        fit=None,
        search=None,
        lain_ns=at_ns,
        known=_last_dice(state),
        rolled_ns=at_ns,
        disturbed_ns=at_ns,
        covered_ns=-1,
        lost_ns=-1,
        cover_told=False,
        lost_told=False,
        told="",
        told_ns=at_ns,
    )


def _last_dice(state: State) -> tuple[int, ...]:
    game = state.game
    if game.roll is not None:
        return game.roll.dice
    return game.turns[-1].roll.dice if game.turns else tuple(die.pips for die in state.opening)


def _continued(state: State, at_ns: int, torn: int) -> tuple[Effect, ...]:
    fen, turns = NARDI.write(state.position), len(state.game.turns)
    event = say.event(state, at_ns, "continued", fen=fen, plies=turns, torn=torn)
    if state.phase in ("waiting", "over"):
        return (event,)
    return event, say.standing(state), say.learn(state, state.position)


def _unseen(state: State, number: int, at_ns: int, reason: str) -> NardiPercept:
    return NardiPercept(number, at_ns, "lost", reason=reason)


def _pinned(state: State) -> tuple[int, ...]:
    """The board before the turn: the last scene of it that was understood."""
    return (state.still,)


def _write(folder: Path, states: Sequence[State], tags: Json) -> None:
    """Write the record and the sheet whole: neither is ever seen half written."""
    players = (tags.get("White", ""), tags.get("Black", ""))
    rules = settings_of(states[0].setup.rules)
    header = Header(players, _event(tags), _date(tags), rules=rules)
    events: list[Event] = [header]
    for state in states:
        events += state.log
    files.write_whole(folder / RECORD, written.write(events))
    files.write_whole(folder / SHEET, sheet.write(events))


def _event(tags: Json) -> str:
    """The event, and which round and board of it, as far as that is known."""
    parts = [tags.get("Event", "")]
    parts += [f"{name.lower()} {tags[name]}" for name in ("Round", "Board") if tags.get(name)]
    return ", ".join(part for part in parts if part)


def _date(tags: Json) -> str:
    """``2026-01-31``; empty when the day is not known."""
    date = str(tags.get("Date", ""))
    return "" if "?" in date else date.replace(".", "-")


FAMILY = Family(begin, step, apply, _again, _continued, _unseen, _pinned, _write)
