"""What people ask of the referee at a nardi board, done or refused with the reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from rules.errors import ToreshiError
from rules.match import Refused
from rules.nardi import match as game_of
from rules.nardi.board import CHECKERS, POINTS, Side
from rules.nardi.dice import BadRoll, Roll

from ..session_values import Button, Command, Effect
from ..signals import Signal
from . import look, record, rewrite, rivals, say, throws
from .play import play
from .state import NARDI, Closing, State

Step = tuple[State, tuple[Effect, ...]]
Answer = Step | Refused

_NOTHING = Refused("no wrong turn is pending")
_OVER = Refused("the game is over")


def command(state: State, given: Command) -> Step:
    """Do what was asked, or say why not."""
    handler = _HANDLERS.get(given.name)
    answer = handler(state, given) if handler else Refused("there is no such thing in nardi")
    if not isinstance(answer, Refused):
        return answer
    told = say.event(
        state, given.at_ns, "refused", command=given.name, what=answer.what, article=answer.article
    )
    return state, (told,)


def button(state: State, given: Button) -> Step:
    """A clock button that goes down ends the turn of its side."""
    sides: Mapping[str, Side] = {"clock_white": "w", "clock_black": "b"}
    side = sides.get(given.button)
    if not given.down or side != state.side or not _in_a_turn(state):
        return state, ()
    return _ended(state, given.at_ns)


def _in_a_turn(state: State) -> bool:
    thrown = state.game.roll is not None or state.bad is not None
    return thrown and state.phase in ("opening", "playing") and state.closing is None


def _ended(state: State, at_ns: int) -> Step:
    state = replace(state, closing=Closing("press", at_ns))
    # settled pictures: what stood in the last one is what stands
    if state.settled and state.scene is not None:
        return play(state, state.scene)
    return state, ()


def _press(state: State, given: Command) -> Answer:
    if given.by not in ("", "arbiter", state.side):
        return Refused("it is the other side's turn")
    return _ended(state, given.at_ns) if _in_a_turn(state) else Refused("no throw is being played")


def _roll(state: State, given: Command) -> Answer:
    """A roll that a person tells: of the side to move, or of the other one, which ends the turn."""
    try:
        dice = Roll.read(given.value).dice
    except BadRoll as error:
        return Refused(error.what)
    if state.phase in ("waiting", "over"):
        return Refused("no game is being played")
    if state.game.roll is None and state.game.pending is None:
        return _told(state, given, dice)
    if given.by in ("", "arbiter", state.side) and state.game.pending is None:
        state, effects = rewrite.read_again(state, given.at_ns, dice)
        return throws.told(state), effects
    if state.game.pending is not None:
        return record.rolled(state, given.at_ns, dice)
    return Refused("the turn before is not over yet: press first")


def _told(state: State, given: Command, dice: tuple[int, int]) -> Step:
    lying = tuple(die for die in state.lying if die.half != "off")
    state, effects = record.rolled(state, given.at_ns, dice, lying[:2])
    state = throws.told(state)
    if state.settled and state.scene is not None:
        state, more = play(state, state.scene)
        effects = (*effects, *more)
    return state, effects


def _count(state: State, given: Command) -> Answer:
    """How many checkers stand on a point: ``12 3``, ``12 w3``; of the side that was asked for."""
    try:
        point, text = given.value.split()
        asked = state.asked.side if state.asked else state.side
        side: Side = "w" if text[0] == "w" else "b" if text[0] == "b" else asked
        number, count = int(point), int(text.lstrip("wb"))
    except (ValueError, IndexError):
        return Refused("a point and a count, as 12 w3")
    if not 1 <= number <= POINTS or not 0 <= count <= CHECKERS:
        return Refused("a point 1 to 24 and a count 0 to 15")
    if state.rivals and state.closing is None and side != state.side and not state.game.pending:
        settled = _settled(state, given, (number, side, count))
        if settled is not None:
            return settled
    answers = tuple(a for a in state.answers if a[:2] != (number, side))
    state = replace(state, answers=(*answers, (number, side, count)), asked=None, told="")
    line = say.append(state, given.at_ns, "count", point=number, side=side, count=count)
    if state.settled and state.scene is not None:
        state, effects = play(state, state.scene)
        return state, (line, *effects)
    return state, (line,)


def _settled(state: State, given: Command, told: tuple[int, Side, int]) -> Step | None:
    """A stack of the turn before, which can't have changed since: which of its ends was it?"""
    point, side, count = told
    evidence = look.view(state, state.scene) if state.scene is not None else None
    agree = rivals.counted(state, evidence, point, side, count)
    state = replace(state, asked=None, told="")
    if state.position.count(side, point) == count:
        return replace(state, rivals=agree), (say.signal(Signal.READY),)
    return rewrite.amended(state, given.at_ns, agree[0]) if agree else None


def _accept(state: State, given: Command) -> Answer:
    if state.game.pending is None:
        return _NOTHING
    if state.game.pending.after.fault():
        return Refused(f"this can't stand: {state.game.pending.after.fault()}")
    dice = state.closing.dice if state.closing else ()
    state, effects = record.resolve(state, given.at_ns, "accepted")
    if dice and state.phase == "playing":
        from .throws import handed_over

        state = replace(state, ended=(), lying=dice)
        state, more = handed_over(state, given.at_ns)
        effects = (*effects, *more)
    return state, effects


def _demand(state: State, given: Command) -> Answer:
    if state.game.pending is None:
        return _NOTHING
    line = say.append(state, given.at_ns, "demanded")
    return state, (line, say.signal(Signal.ILLEGAL, state.game.pending.side))


def _correct(state: State, given: Command) -> Answer:
    try:
        position = NARDI.read(given.value)
    except ToreshiError as error:
        return Refused(error.what)
    if position.fault():
        return Refused(position.fault())
    state, effects = record.resolve(state, given.at_ns, "corrected")
    state, more = rewrite.correct(state, given.at_ns, position)
    return state, (*effects, *more)


def _takeback(state: State, given: Command) -> Answer:
    if state.game.pending is not None or not state.game.turns:
        return Refused("no turn was played")
    return rewrite.retract(state, given.at_ns)


def _result(state: State, given: Command) -> Answer:
    if state.phase == "over":
        return _OVER
    if given.value not in ("w", "b"):
        return Refused("a game of nardi is won by one side: w or b")
    loser: Side = "b" if given.value == "w" else "w"
    return _conceded(state, given, loser, "arbiter")


def _resign(state: State, given: Command) -> Answer:
    if state.phase == "over":
        return _OVER
    if given.by not in ("w", "b"):
        return Refused("who asks? White or Black")
    return _conceded(state, given, "w" if given.by == "w" else "b", "resigned")


def _conceded(state: State, given: Command, loser: Side, reason: game_of.Reason) -> Answer:
    ended = game_of.concede(state.game, loser, reason)
    if isinstance(ended, Refused):
        return ended
    return record.end_if_decided(replace(state, game=ended), given.at_ns)


def _pause(state: State, given: Command) -> Answer:
    line = say.append(state, given.at_ns, given.name)
    told = say.event(state, given.at_ns, given.name)
    return replace(state, paused=given.name == "pause"), (line, told)


def _finish(state: State, given: Command) -> Answer:
    """No more pictures.  A right turn that stands is over as well."""
    if state.phase == "over":
        return state, ()
    effects: tuple[Effect, ...] = ()
    stood, number = state.tentative, state.scene.number if state.scene else 0
    moved = stood is not None and stood.after.with_side(state.side) != state.position
    if state.game.roll is not None and state.phase == "playing" and stood is not None and moved:
        state, effects = record.played(state, given.at_ns, number, stood.after)
    if state.phase != "over":
        state, more = record.finish(state, given.at_ns, "*", "no-more-pictures")
        effects = (*effects, *more)
    return state, effects


_HANDLERS: Mapping[str, Callable[[State, Command], Answer]] = {
    "accept": _accept,
    "correct": _correct,
    "count": _count,
    "demand": _demand,
    "finish": _finish,
    "pause": _pause,
    "press": _press,
    "resign": _resign,
    "result": _result,
    "resume": _pause,
    "roll": _roll,
    "takeback": _takeback,
}
