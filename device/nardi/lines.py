"""Each line of the record of truth, done again to a nardi session: what it says, nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from rules.match import Refused
from rules.nardi import match as game_of
from rules.nardi.board import Side
from rules.nardi.dice import Roll
from rules.verdict import Offence
from vision.nardi.steady import Die

from ..session_values import Json
from . import record, rewrite
from .state import NARDI, State


def apply(state: State, line: Json) -> State:
    """The state after one line.

    Raises:
        KeyError, TypeError, ValueError, ToreshiError: it doesn't fit what stands before it.
    """
    return _LINES[line["what"]](state, line)


def _start(state: State, line: Json) -> State:
    game = replace(state.game, position=NARDI.read(line["fen"]))
    return record.started(replace(state, game=game), line["at_ns"], 0, line["way"], "")[0]


def _opening(state: State, line: Json) -> State:
    dice = tuple(Die(pips, 0.0, 0.0, "left", 0.0) for pips in line["dice"])
    game = replace(state.game, roll=None)
    return record.opened(replace(state, game=game), line["at_ns"], dice)[0]


def _roll(state: State, line: Json) -> State:
    one, two = line["dice"]
    if "bad" in line:
        return record.thrown_badly(state, line["at_ns"], (one, two))
    if not line.get("corrected"):
        return record.rolled(state, line["at_ns"], (one, two))[0]
    if state.game.roll is None:
        raise ValueError("no roll to correct")
    return rewrite.read_again(state, line["at_ns"], (one, two))[0]


def _again(state: State, line: Json) -> State:
    return record.thrown_again(state, line["at_ns"])[0]


def _move(state: State, line: Json) -> State:
    if state.game.roll is None:
        raise ValueError("nothing was thrown")
    return record.turn_over(state, line["at_ns"], NARDI.read(line["fen"]))


def _takeback(state: State, line: Json) -> State:
    return rewrite.retract(state, line["at_ns"])[0]


def _amended(state: State, line: Json) -> State:
    history = tuple(
        (Roll((turn["dice"][0], turn["dice"][1]), turn["first"]), NARDI.read(turn["fen"]))
        for turn in line["turns"]
    )
    return rewrite.amended(state, line["at_ns"], history)[0]


def _reread(state: State, line: Json) -> State:
    return rewrite.reread(state, line["at_ns"], NARDI.read(line["fen"]))[0]


def _corrected(state: State, line: Json) -> State:
    return rewrite.correct(state, line["at_ns"], NARDI.read(line["fen"]))[0]


def _offence(state: State, line: Json) -> State:
    told = {name: line[name] for name in ("code", "kind", "article", "message")}
    squares, due = tuple(line["squares"]), tuple(line["due"])
    offence = Offence(squares=squares, due=due, short=line["message"][:60], **told)
    if offence.code == "P4":
        return record.noted(state, line["at_ns"], offence)
    if state.game.roll is None:
        raise ValueError("nothing was thrown")
    after = NARDI.read_board(line["fen"])
    return record.accuse(state, line["at_ns"], 0, after, offence)[0]


def _resolved(state: State, line: Json) -> State:
    if state.game.pending is None:
        return replace(state, remark="")
    return record.resolve(state, line["at_ns"], line["how"])[0]


def _end(state: State, line: Json) -> State:
    if state.phase == "over":  # an accepted turn that ended the game has told so by itself
        return state
    game = state.game
    if line["result"] != "*" and game.result is None:
        loser: Side = "b" if line["result"] == "w" else "w"
        ended = game_of.concede(game, loser, line["reason"], line["win"])
        if isinstance(ended, Refused):
            raise ValueError(ended.what)
        game = ended
    state = replace(state, game=game, phase="over")
    return record.ended(state, line["at_ns"])


def _pause(state: State, line: Json) -> State:
    return replace(state, paused=line["what"] == "pause")


def _nothing(state: State, line: Json) -> State:
    return state


_LINES: Mapping[str, Callable[[State, Json], State]] = {
    "again": _again,
    "amended": _amended,
    "corrected": _corrected,
    "count": _nothing,
    "demanded": _nothing,
    "end": _end,
    "move": _move,
    "offence": _offence,
    "opening": _opening,
    "pause": _pause,
    "reread": _reread,
    "resolved": _resolved,
    "resume": _pause,
    "rethrow": _nothing,
    "roll": _roll,
    "start": _start,
    "takeback": _takeback,
}
