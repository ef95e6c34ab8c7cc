"""Each line of the record of truth, done again to a session: what it says, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from rules.draughts import match as game_of
from rules.draughts import match_conduct as conduct
from rules.draughts import match_touch as touching
from rules.draughts.match import Match
from rules.draughts.record import Clock, Stand
from rules.match import Ending, Note, Outcome, Refused
from rules.verdict import Offence

from . import clock
from .session_command import command
from .session_record import pending_after, revised
from .session_rejoin import MESSAGE
from .session_state import State, begin, clocks_of
from .session_values import NAMES, Command, Json
from .signals import SIDES


def apply(state: State, line: Json) -> State:
    """The state after one line.

    Raises:
        KeyError, TypeError, ValueError, ToreshiError: it doesn't fit what stands before it.
    """
    what = line["what"]
    if what in _LINES:
        return _LINES[what](state, line)
    if what in NAMES:
        asked = Command(what, line["at_ns"], line.get("value", ""), line.get("by", ""))
        return command(state, asked)[0]
    raise ValueError(f"no line '{what}'")


def _start(state: State, line: Json) -> State:
    marks = state.match.marks_kings
    first = state.game.read(line["fen"])
    fresh = state if state.phase == "waiting" else begin(replace(state.setup, fen=""))
    match = game_of.begin(state.game, first, marks_kings=marks)
    return replace(
        fresh, match=match, phase="playing", turns=line["turns"], began_ns=state.began_ns,
        marks=state.marks, clocks=clocks_of(state.setup), joining=None,
    )  # fmt: skip


def _first(state: State, line: Json) -> State:
    first = state.game.read(line["fen"])
    match = game_of.begin(state.game, first, marks_kings=state.match.marks_kings)
    return replace(state, match=match)


def _move(state: State, line: Json) -> State:
    match = state.match
    if match.outcome is not None:  # played on after a draw
        match = replace(match, outcome=None, rules=(), counts=())
    move = state.game.parse_move(match.board, line["text"])
    shown = Clock(*line["clock"]) if "clock" in line else None
    played = _sure(game_of.play(match, move, shown))
    return replace(state, match=played, phase="playing", aside=None)


def _takeback(state: State, line: Json) -> State:
    match = state.match
    stood = match.pending.board if match.pending else match.position
    asked = line.get("asked", False)
    back = replace(match, pending=None) if asked else match
    for _ in range(line["plies"]):
        back = _sure(game_of.take_back(back))
    phase, aside = ("taking-back", stood) if asked else ("playing", None)
    return replace(state, match=back, phase=phase, aside=aside)  # type: ignore[arg-type]


def _revised(state: State, line: Json) -> State:
    return replace(state, match=revised(state, line["plies"], line["moves"]), phase="playing")


def _corrected(state: State, line: Json) -> State:
    ply = Stand(state.game.read(line["fen"]), remarks=("corrected by the arbiter",))
    return replace(state, match=game_of.go_on(state.match, ply), phase="playing")


def _rejoined(state: State, line: Json) -> State:
    ply = Stand(state.game.read(line["fen"]), remarks=(MESSAGE,))
    return replace(state, match=game_of.go_on(state.match, ply))


def _offence(state: State, line: Json) -> State:
    told = {name: line[name] for name in ("code", "kind", "article", "message")}
    squares, due = tuple(line["squares"]), tuple(line["due"])
    offence = Offence(squares=squares, due=due, short=line["message"][:60], **told)
    board = state.game.read_board(line["fen"])
    side = None if line["side"] == state.position.side else line["side"]
    match = _sure(conduct.offend(state.match, offence, board, side))
    return replace(state, match=match, phase="offence")


def _resolved(state: State, line: Json) -> State:
    return replace(state, match=pending_after(state.match, line["how"]), phase="playing")


def _end(state: State, line: Json) -> State:
    match = state.match
    if line["result"] != "*" and match.outcome is None:
        ending = cast("Ending", line["result"])
        text = line["text"] or line["reason"]
        outcome = Outcome(ending, line["reason"], line.get("article", ""), text)
        match = replace(match, outcome=outcome, pending=None, offer=None, restore=None)
    clocks = state.clocks and clock.stop(state.clocks, line["at_ns"])
    return replace(state, match=match, phase="over", clocks=clocks, paused=False)


def _clocks(state: State, line: Json) -> State:
    if state.clocks is None:
        return state
    left, made = line["left_ns"], line["made"]
    turn = line["turn"] if line["turn"] in SIDES else None
    fallen = tuple(line["fallen"])
    clocks = clock.restored(state.clocks, (left[0], left[1]), (made[0], made[1]), turn, fallen)
    return replace(state, clocks=clocks)


def _touched(state: State, line: Json) -> State:
    match = state.match
    for name in line["squares"]:
        match = touching.touch(match, match.position.side, state.game.square(name))
    return replace(state, match=match)


def _remark(state: State, line: Json) -> State:
    match = state.match
    note = Note(len(match.plies), line["side"], line["code"], line["article"], line["text"])
    return replace(state, match=replace(match, log=(*match.log, note)))


def _swept(state: State, line: Json) -> State:
    return replace(state, phase="swept")


def _put_back(state: State, line: Json) -> State:
    return replace(state, phase="offence" if state.match.pending else "playing")


def _pause(state: State, line: Json) -> State:
    return replace(state, paused=True)


def _resume(state: State, line: Json) -> State:
    return replace(state, paused=False)


def _flag(state: State, line: Json) -> State:
    return state


def _sure(answer: Match | Refused) -> Match:
    if isinstance(answer, Refused):
        raise ValueError(answer.what)
    return answer


_LINES: dict[str, Callable[[State, Json], State]] = {
    "clocks": _clocks,
    "corrected": _corrected,
    "end": _end,
    "first": _first,
    "flag": _flag,
    "move": _move,
    "offence": _offence,
    "pause": _pause,
    "put-back": _put_back,
    "rejoined": _rejoined,
    "remark": _remark,
    "resolved": _resolved,
    "resume": _resume,
    "revised": _revised,
    "start": _start,
    "swept": _swept,
    "takeback": _takeback,
    "touched": _touched,
}
