"""Rewriting the record: what was read or written wrongly, and only later could be told."""

from __future__ import annotations

from dataclasses import replace

from rules.match import Refused
from rules.nardi import match as game_of
from rules.nardi.board import Position
from rules.nardi.events import Event, Noted, Rolled, Turn, turn_event
from rules.nardi.match import Turned
from rules.verdict import Legal
from vision.nardi.steady import Dice

from ..session_values import Effect
from ..signals import Signal
from . import say
from .record import fresh_turn, last_turn, sure
from .state import NARDI, History, State

Step = tuple[State, tuple[Effect, ...]]


def read_again(state: State, at_ns: int, numbers: tuple[int, int], dice: Dice = ()) -> Step:
    """The roll that is being played is another one than was read at first."""
    assert state.game.roll is not None
    roll = replace(state.game.roll, dice=numbers)
    t, side = say.seconds(state, at_ns), state.side
    note = Noted(f"the roll was read as {state.game.roll.text} at first", t)
    log = (*state.log, note, Rolled(numbers, side, t))
    game = replace(state.game, roll=roll)
    state = replace(state, game=game, thrown=dice or state.thrown, tentative=None, log=log)
    shown = list(numbers)
    return state, (
        say.append(state, at_ns, "roll", side=side, dice=shown, corrected=True),
        say.event(state, at_ns, "roll", side=side, dice=shown, status="counts", corrected=True),
    )


def retract(state: State, at_ns: int) -> Step:
    """The last turn that stood is undone; its dice are to be played."""
    back = game_of.take_back(state.game)
    if isinstance(back, Refused):
        return state, ()
    t = say.seconds(state, at_ns)
    log = (*state.log, Noted("the last turn was taken back", t))
    gone = last_turn(log)
    log = tuple(event for event in log if event is not gone)
    state = replace(state, game=back, phase="playing", log=log, rivals=())
    fen = NARDI.write(state.position)
    return state, (
        say.append(state, at_ns, "takeback", plies=1, fen=fen),
        say.event(state, at_ns, "takeback", plies=1, fen=fen, message=""),
    )


def reread(state: State, at_ns: int, position: Position) -> Step:
    """What stood before this turn was another board than was written; only now it can be told."""
    fen = NARDI.write(position)
    note = Noted(f"the board before this turn was {fen}", say.seconds(state, at_ns))
    game = replace(state.game, position=position)
    state = replace(state, game=game, log=(*state.log, note), doubts=(), offsets=())
    return state, (say.append(state, at_ns, "reread", fen=fen),)


def correct(state: State, at_ns: int, position: Position) -> Step:
    """Go on from a position that the arbiter gave."""
    note = Noted(f"corrected by the arbiter: {NARDI.write(position)}", say.seconds(state, at_ns))
    game = replace(state.game, position=position, roll=None, pending=None, result=None)
    state = replace(fresh_turn(state), game=game, phase="playing", log=(*state.log, note))
    state = replace(state, rivals=(), doubts=(), offsets=(), ended=state.lying)
    state = replace(state, skipped=False, guessed=False)
    fen = NARDI.write(position)
    return state, (
        say.append(state, at_ns, "corrected", fen=fen),
        say.signal(Signal.READY),
        say.learn(state, position),
    )


def amended(state: State, at_ns: int, history: History) -> Step:
    """The last turns were others than were written; the roll that is being played stays.

    Args:
        state: with no wrong turn pending.
        at_ns: now.
        history: those turns as they were, all of them right and none of them the last of the game.
    """
    game = state.game
    for _ in history:
        game = sure(game_of.take_back(game))
    before, told, moves = game.position, [], []
    for roll, after in history:
        game, verdict = sure(game_of.end_turn(replace(game, roll=roll), after))
        assert isinstance(verdict, Legal), "a turn is rewritten as a right one"
        side, fen = game.turns[-1].side, NARDI.write(game.position)
        told.append({"dice": list(roll.dice), "first": roll.first, "fen": fen})
        moves.append({"text": verdict.move, "fen": fen, "side": side, "dice": list(roll.dice)})
    log = _rewritten(state.log, game.turns[-len(history) :])
    log = (*log, Noted("turns before this were read otherwise at first", say.seconds(state, at_ns)))
    game = replace(game, roll=state.game.roll)
    state = replace(state, game=game, log=log, rivals=(), doubts=(), offsets=(), tentative=None)
    fen = NARDI.write(before)
    return state, (
        say.append(state, at_ns, "amended", turns=told),
        say.event(state, at_ns, "takeback", plies=len(history), fen=fen, message=""),
        *(say.event(state, at_ns, "move", **move) for move in moves),
        say.learn(state, state.position),
    )


def _rewritten(log: tuple[Event, ...], turns: tuple[Turned, ...]) -> tuple[Event, ...]:
    """The record with its last turns told anew, each in its place."""
    places = [n for n, event in enumerate(log) if isinstance(event, Turn)][-len(turns) :]
    events = list(log)
    for place, turned in zip(places, turns, strict=True):
        was = events[place]
        assert isinstance(was, Turn), "only turns are rewritten"
        events[place] = turn_event(turned, was.number, was.t)
    return tuple(events)
