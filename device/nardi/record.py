"""Writing into the record: throws, turns, offences and what became of them, the end.

Each function takes a state and answers the next one with the effects that tell it; what goes to
the journal comes first, so that it is on the disk before a lamp changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from rules.match import Refused
from rules.nardi import match as game_of
from rules.nardi.board import NAMES, Position, Side, other
from rules.nardi.conduct import bad_throw, die_touched
from rules.nardi.dice import Roll
from rules.nardi.events import LEGAL, Ended, Event, Noted, Rolled, Started, Turn, turn_event
from rules.nardi.match import Turned
from rules.verdict import Legal, Offence
from vision.nardi.steady import READINGS, Dice

from ..errors import DeviceError
from ..session_values import Effect, Show
from ..signals import Signal
from . import say
from .state import NARDI, State

Step = tuple[State, tuple[Effect, ...]]
Ways = Literal["put-right", "accepted", "corrected"]


def started(state: State, at_ns: int, number: int, way: int, white_at: str) -> Step:
    """The first position stands: the game begins."""
    fresh = not state.setup.fen
    log = (*state.log, Started(1, position=state.position))
    state = replace(state, phase="opening" if fresh else "playing", way=way, log=log, told="")
    fen = NARDI.write(state.position)
    return state, (
        say.append(state, at_ns, "start", fen=fen, way=way),
        say.event(state, at_ns, "start-position", fen=fen, white_at=white_at),
        say.signal(Signal.READY),
        say.picture(state, "start", number),
        say.learn(state, state.position),
    )


# ---------------------------------------------------------------- dice


def rolled(state: State, at_ns: int, roll: tuple[int, int], dice: Dice = ()) -> Step:
    """The side to move has thrown.  A wrong turn that was pending is accepted by that (§3.3)."""
    effects: tuple[Effect, ...] = ()
    if state.game.pending is not None:
        state, effects = resolve(state, at_ns, "accepted")
    if state.remark:
        state, more = _remark_accepted(state, at_ns)
        effects = (*effects, *more)
    if state.phase == "over":
        return state, effects
    thrown = game_of.throw(state.game, roll)
    if isinstance(thrown, Refused):
        return state, effects
    side, t = state.side, say.seconds(state, at_ns)
    # dice that could not be read at first have lain there since then
    lain = state.lain_ns if state.bad else state.dice.lain_ns if dice else at_ns
    state = replace(
        fresh_turn(state),
        lain_ns=lain,
        phase="playing",
        game=thrown,
        thrown=dice,
        agree=READINGS,
        rolled_ns=at_ns,
        log=(*state.log, Rolled(roll, side, t)),
    )
    numbers = list(roll)
    return state, (
        *effects,
        say.append(state, at_ns, "roll", side=side, dice=numbers),
        say.event(state, at_ns, "roll", side=side, dice=numbers, status="counts"),
    )


def fresh_turn(state: State) -> State:
    """Nothing is known of the turn that begins."""
    return replace(
        state,
        closing=None,
        held=(),
        thrown=(),
        ended=(),
        single=(),
        bad=None,
        missing_ns=-1,
        agree=0,
        differ=0,
        both_ns=-1,
        touched=None,
        tentative=None,
        answers=(),
        asked=None,
        quiet="",
        told="",
    )


def opened(state: State, at_ns: int, dice: Dice) -> Step:
    """One die each was thrown: the larger has White and begins (§1.3)."""
    one, two = dice[0].pips, dice[1].pips
    state = replace(state, single=(), ended=dice, opening=dice, quiet="opening")
    state = replace(state, log=(*state.log, Rolled((one, two), None, say.seconds(state, at_ns))))
    again = "equal: both throw again" if one == two else ""
    status = {"status": "opening", "reason": again}
    return state, (
        say.append(state, at_ns, "opening", dice=[one, two]),
        say.event(state, at_ns, "roll", side=None, dice=[one, two], **status),
    )


# ---------------------------------------------------------------- turns


def played(state: State, at_ns: int, number: int, after: Position) -> Step:
    """A legal turn is over: write it, tell it, learn the board, and see if the game ended."""
    before, side, touched = state, state.side, state.touched
    state = turn_over(state, at_ns, after)
    turned = state.game.turns[-1]
    assert isinstance(turned.verdict, Legal), "only legal turns are played"
    text, fen = turned.verdict.move, NARDI.write(state.position)
    told = {"text": text, "fen": fen, "side": side, "dice": list(turned.roll.dice)}
    effects: tuple[Effect, ...] = (
        say.append(before, at_ns, "move", frame=number, **told),
        say.event(state, at_ns, "move", **told),
        say.signal(Signal.LEGAL, side),
        say.picture(state, text, number),
        say.learn(state, state.position),
    )
    if touched is not None and state.setup.alarms:
        state, more = _remarked(state, at_ns, number, side, touched, turned.roll)
        effects = (*effects, *more)
    state, ending = end_if_decided(state, at_ns)
    return state, (*effects, *ending)


def turn_over(state: State, at_ns: int, after: Position) -> State:
    """The state when a legal turn is over; whether that ended the game is another matter."""
    side = state.side
    game, _ = sure(game_of.end_turn(state.game, after))
    t = say.seconds(state, at_ns)
    log = (*state.log, turn_event(game.turns[-1], _number_of(state, side), t))
    ended, held = state.thrown, state.held
    state = replace(fresh_turn(state), game=game, ended=ended, held=held, log=log, rivals=())
    return replace(state, phase="playing", skipped=False, guessed=False)


def _number_of(state: State, side: Side) -> int:
    return 1 + sum(turned.stands and turned.side == side for turned in state.game.turns)


def last_turn(log: tuple[Event, ...]) -> Turn | None:
    """The last turn that a record tells."""
    return next((event for event in reversed(log) if isinstance(event, Turn)), None)


# ---------------------------------------------------------------- offences


def accuse(state: State, at_ns: int, number: int, after: Position, offence: Offence) -> Step:
    """A wrong turn is over: tell it, and wait for what becomes of it."""
    side, before = state.side, state.position
    assert state.game.roll is not None
    turned = Turned(side, state.game.roll, before, after.with_side(other(side)), offence)
    game = replace(state.game, pending=turned)
    t = say.seconds(state, at_ns)
    event = turn_event(turned, _number_of(state, side), t)
    if offence.code.startswith("P") and offence.code != "P5":
        # the record's verdict is on the turn; what was done with the dice is a note before it
        event = replace(event, verdict=_verdict_on(state, after))
        state = replace(state, log=(*state.log, Noted(_note(offence), t)))
    state = replace(state, game=game, phase="offence", told="", log=(*state.log, event))
    fields, fen = say.offence_fields(offence), NARDI.write(turned.after)
    return state, (
        say.append(state, at_ns, "offence", side=side, fen=fen, frame=number, **fields),
        say.event(state, at_ns, "offence", side=side, fen=fen, **fields),
        _alarm(side),
        say.picture(state, offence.code, number),
        *([say.picture(state, f"{offence.code}-before", state.still)] if state.still >= 0 else []),
    )


def _verdict_on(state: State, after: Position) -> str:
    verdict = NARDI.judge(state.position, after, state.game.roll)
    return verdict.code if isinstance(verdict, Offence) else LEGAL


def accuse_throw(state: State, at_ns: int, number: int, after: Position, roll: Roll) -> Step:
    """A throw that doesn't count was played (P1)."""
    assert state.bad is not None
    assert state.bad != "unread", "nobody is accused by a throw that was not read"
    offence, closing = bad_throw(state.side, state.bad), state.closing
    line = say.append(state, at_ns, "roll", side=state.side, dice=list(roll.dice), bad=state.bad)
    state = replace(thrown_badly(state, at_ns, roll.dice), closing=closing)
    state, effects = accuse(state, at_ns, number, after, offence)
    return state, (line, *effects)


def thrown_badly(state: State, at_ns: int, roll: tuple[int, int]) -> State:
    """The state with a throw that doesn't count and was played."""
    log = (*state.log, Rolled(roll, state.side, say.seconds(state, at_ns)))
    return replace(state, game=sure(game_of.throw(state.game, roll)), bad=None, log=log)


def thrown_again(state: State, at_ns: int) -> Step:
    """The throw that was put back didn't count: it is thrown again."""
    line = say.append(state, at_ns, "again")
    game = replace(state.game, roll=None)
    return replace(fresh_turn(state), game=game, ended=state.lying), (line,)


def _remarked(state: State, at_ns: int, number: int, side: Side, how: Any, roll: Roll) -> Step:
    """A die was touched during the turn that just ended (P4); the game goes on."""
    offence = die_touched(side, how, roll.text)
    fields, fen = say.offence_fields(offence), NARDI.write(state.position)
    state = noted(state, at_ns, offence)
    return state, (
        say.append(state, at_ns, "offence", side=side, fen=fen, frame=number, **fields),
        say.event(state, at_ns, "offence", side=side, fen=fen, **fields),
        _alarm(side),
        say.picture(state, offence.code, number),
    )


def noted(state: State, at_ns: int, offence: Offence) -> State:
    """An offence that leaves the game as it is: a note in the record, until the next throw."""
    note = Noted(_note(offence), say.seconds(state, at_ns))
    return replace(state, remark=offence.code, log=(*state.log, note))


def _note(offence: Offence) -> str:
    return f"{offence.code}: {offence.message} ({offence.article})"


def _alarm(side: Side) -> Show:
    return say.signal(Signal.ILLEGAL, side)


def _remark_accepted(state: State, at_ns: int) -> Step:
    code, side = state.remark, other(state.side)
    state = replace(state, remark="")
    told: Mapping[str, Any] = {"how": "accepted", "code": code, "side": side}
    return state, (
        say.append(state, at_ns, "resolved", **told),
        say.event(state, at_ns, "resolved", **told),
        say.signal(Signal.READY),
    )


def resolve(state: State, at_ns: int, how: Ways) -> Step:
    """End a pending offence: an accepted one stands, else its dice are to be played again."""
    pending = state.game.pending
    if pending is None:
        return state, ()
    answer = (game_of.accept if how == "accepted" else game_of.demand)(state.game)
    if isinstance(answer, Refused):
        what = f"{answer.what}; it has to be put right"
        said = say.event(state, at_ns, "unsure", squares=[], message=what)
        return replace(state, quiet="stand"), () if state.quiet == "stand" else (said,)
    assert isinstance(pending.verdict, Offence)
    told = {"how": how, "code": pending.verdict.code, "side": pending.side}
    effects: tuple[Effect, ...] = (
        say.append(state, at_ns, "resolved", **told),
        say.event(state, at_ns, "resolved", **told),
        say.signal(Signal.READY),
    )
    log = _resolved(state.log, how)
    if how == "accepted":
        lying = state.thrown or state.lying
        state = replace(fresh_turn(state), ended=lying)
        effects = (*effects, say.learn(replace(state, game=answer), answer.position))
    # whoever settled an offence settled what stood before it
    state = replace(state, game=answer, phase="playing", log=log, told="", rivals=())
    state, ending = end_if_decided(state, at_ns)
    return state, (*effects, *ending)


def _resolved(log: tuple[Event, ...], how: Ways) -> tuple[Event, ...]:
    """The record with what became of its last turn; of a right turn nothing has to become."""
    last = last_turn(log)
    if last is None or last.verdict == LEGAL:
        return log
    ended = replace(last, resolved="accepted" if how == "accepted" else "corrected")
    return tuple(ended if event is last else event for event in log)


# ---------------------------------------------------------------- the end


def end_if_decided(state: State, at_ns: int) -> Step:
    """End the game if the last turn ended it by itself."""
    result = state.game.result
    if result is None or state.phase == "over":
        return state, ()
    points = f"{result.points} point{'s' if result.points > 1 else ''}"
    text = f"{NAMES[result.winner]} wins {points}: {result.win}"
    state = ended(state, at_ns)
    fields = {"win": result.win, "points": result.points}
    return finish(state, at_ns, result.winner, result.reason, text, **fields)


def ended(state: State, at_ns: int) -> State:
    """The state with the result in its record, if the game has one."""
    result = state.game.result
    if result is None:
        return state
    event = Ended(result.winner, result.win, result.reason, say.seconds(state, at_ns))
    return replace(state, log=(*state.log, event))


def finish(state: State, at_ns: int, result: str, reason: str, text: str = "", **more: Any) -> Step:
    """End the game; ``result`` is ``w``, ``b`` or ``*``."""
    winner: Side | None = "w" if result == "w" else "b" if result == "b" else None
    shown = Signal.OFF if result == "*" else Signal.RESULT
    told = {"result": result, "reason": reason, "text": text, **more}
    return replace(state, phase="over", closing=None), (
        say.append(state, at_ns, "end", **told),
        say.event(state, at_ns, "end", **told),
        say.signal(shown, winner),
    )


def sure(answer: Any) -> Any:
    """What can't be refused here: the session asks only for what the game allows."""
    if isinstance(answer, Refused):
        raise DeviceError(answer.what, "match", "a deed that the rules allow")
    return answer
