"""What people ask of the referee on a page or by a button, done or refused with the reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from rules.draughts import match as game_of
from rules.draughts import match_claims as claims
from rules.draughts import match_conduct as conduct
from rules.draughts import match_touch as touching
from rules.draughts.match import Match
from rules.draughts.record import Clock
from rules.errors import ToreshiError
from rules.match import MEASURES, Ending, Measure, Refused, decide, opponent_of

from . import clock, session_join
from . import session_record as record
from . import session_say as say
from .modes import MODES
from .session_press import pause, pressed, resume, stands
from .session_state import State
from .session_values import Command, Effect
from .signals import Side, Signal

Step = tuple[State, tuple[Effect, ...]]
Answer = Step | Refused

_OVER = Refused("the game is over")
_WHO = Refused("who asks? White or Black")
_ENDINGS: tuple[Ending, ...] = ("w", "b", "draw", "both-lost", "annulled")


def command(state: State, given: Command) -> Step:
    """Do what was asked, or say why not."""
    answer = _HANDLERS[given.name](state, given)
    return refused(state, given, answer) if isinstance(answer, Refused) else answer


def refused(state: State, given: Command, why: Refused) -> Step:
    """The event that tells whoever asked."""
    told = say.event(
        state, given.at_ns, "refused", command=given.name, what=why.what, article=why.article
    )
    return state, (told,)


# ---------------------------------------------------------------- offences


def _accept(state: State, given: Command) -> Answer:
    return _undecided(state, given) or record.resolve(state, given.at_ns, "accepted", given.by)


def _demand(state: State, given: Command) -> Answer:
    no = _undecided(state, given)
    return no or _done(state, given, conduct.demand(state.match), Signal.ILLEGAL)


def _undecided(state: State, given: Command) -> Refused | None:
    """Why this person can't decide about a pending offence, if he can't."""
    pending = state.match.pending
    if pending is None:
        return Refused("no offence is pending")
    if given.by == pending.side:
        return Refused("the opponent or the arbiter decides", "S0 9.4")
    return None


def _rule(state: State, given: Command) -> Answer:
    """A measure on one breach, the last undecided one if none is named."""
    if given.by not in ("arbiter", ""):
        return Refused("an opponent gives no sanctions", "S0 10.1")
    number, _, word = given.value.rpartition(" ")
    log = state.match.sanctions
    if word not in (*MEASURES, "none"):
        return Refused(f"no measure '{word}'", "S0 10.1")
    last = next((n for n in reversed(range(len(log))) if log[n].decided is None), -1)
    index = last if not number else int(number) if number.isdecimal() else -1
    measure: Measure = word
    decided = decide(log, index, measure, "chief-arbiter")
    if isinstance(decided, Refused):
        return decided
    breach = decided[index]
    match = replace(state.match, sanctions=decided)
    answer = _done(state, given, match, None, breach=index, side=breach.side)
    if isinstance(answer, Refused):
        return answer
    state, effects = answer
    ending: Ending | None = None
    if measure in ("loss", "exclusion"):
        ending = opponent_of(breach.side)
    elif measure == "loss-of-both":
        ending = "both-lost"
    if ending is None or state.match.outcome is not None:
        return state, effects
    text = f"{measure} for {breach.code}"
    ended = claims.declare(state.match, ending, "chief-arbiter", text, "S0 10.2")
    return _also(effects, _ended(state, given, ended))


# ---------------------------------------------------------------- the position


def _correct(state: State, given: Command) -> Answer:
    """The arbiter says what the position is, or what the last move was."""
    if state.phase == "over":
        return _OVER
    try:
        position = state.game.read(given.value)
    except ToreshiError:
        return _last_was(state, given)
    if state.phase == "waiting":
        match = game_of.begin(state.game, position, marks_kings=state.match.marks_kings)
        line = say.append(state, given.at_ns, "first", fen=state.game.write(position))
        return replace(state, match=match, told=""), (line,)
    state, effects = record.resolve(state, given.at_ns, "corrected", given.by)
    return _also(effects, record.correct(state, given.at_ns, position))


def _last_was(state: State, given: Command) -> Answer:
    previous = state.match.previous
    wanted = Refused(f"'{given.value}' is no position and no move that could be played")
    if previous is None:
        return wanted
    try:
        move = state.game.parse_move(previous.position, given.value)
    except ToreshiError:
        return wanted
    state, effects = record.resolve(state, given.at_ns, "corrected", given.by)
    return _also(effects, record.revise(state, given.at_ns, 1, (move,), "arbiter"))


def _takeback(state: State, given: Command) -> Answer:
    if state.phase in ("over", "waiting"):
        return Refused("no game is being played")
    plies = int(given.value) if given.value.isdecimal() else 1 if not given.value else 0
    if not 1 <= plies <= len(state.match.plies):
        return Refused("there are not so many moves to take back")
    consent = MODES[state.setup.mode].takebacks
    if consent == "arbiter" and given.by != "arbiter":
        return Refused("the arbiter decides")
    if consent == "agreed" and given.by == opponent_of(state.position.side):
        return Refused("the opponent has to agree")
    return record.unplay(state, given.at_ns, plies)


def _swept(state: State, given: Command) -> Answer:
    if state.phase != "swept":
        return Refused("the board was not cleared")
    if given.value == "ended":
        return record.finish(state, given.at_ns, "*", "swept")
    if given.value == "put-back":
        return replace(state, told=""), (say.signal(Signal.CANNOT_SEE),)
    return Refused(f"'{given.value}'; expected ended or put-back")


def _join(state: State, given: Command) -> Answer:
    return session_join.join(state, given.at_ns, given.value)


def _to_move(state: State, given: Command) -> Answer:
    return session_join.to_move(state, given.at_ns, given.value)


# ---------------------------------------------------------------- the end


def _finish(state: State, given: Command) -> Answer:
    if state.phase == "over":
        return state, ()
    reason = "swept" if state.phase == "swept" else "no-more-pictures"
    return record.finish(state, given.at_ns, "*", reason)


def _result(state: State, given: Command) -> Answer:
    ending = next((ending for ending in _ENDINGS if ending == given.value), None)
    if state.match.outcome is not None:
        return _OVER
    if ending is None:
        return Refused(f"no result '{given.value}'")
    return record.decide(state, given.at_ns, ending, "told")


def _reopen(state: State, given: Command) -> Answer:
    if state.phase != "over":
        return Refused("the game is not over")
    if given.by not in ("arbiter", ""):
        return Refused("the arbiter decides")
    match = state.match
    if match.outcome is not None:
        reopened = claims.reopen(match, "goes on")
        match = match if isinstance(reopened, Refused) else reopened
    state = replace(state, phase="playing")
    return _done(state, given, match, Signal.READY)


def _resign(state: State, given: Command) -> Answer:
    if state.phase == "waiting":
        return Refused("no game is being played")
    side = _side(given)
    return _ended(state, given, claims.resign(state.match, side)) if side else _WHO


def _flag(state: State, given: Command) -> Answer:
    if given.value == "both":
        return _ended(state, given, claims.both_flags_fell(state.match))
    if given.value not in ("w", "b"):
        return Refused(f"whose flag? '{given.value}'")
    return _ended(state, given, claims.flag_fell(state.match, cast("Side", given.value)))


def _offer(state: State, given: Command) -> Answer:
    side = _side(given)
    return _settled(state, given, claims.offer_draw(state.match, side)) if side else _WHO


def _agree(state: State, given: Command) -> Answer:
    return _answered(state, given, agreed=True)


def _decline(state: State, given: Command) -> Answer:
    return _answered(state, given, agreed=False)


def _answered(state: State, given: Command, agreed: bool) -> Answer:
    """The answer to a draw that was offered, or that is claimed."""
    match, side = state.match, _side(given)
    if match.claim is not None and side != match.claim.side:
        role = "opponent" if side else "arbiter"
        act = claims.confirm_draw if agreed else claims.reject_draw
        return _settled(state, given, act(match, role))  # type: ignore[arg-type]
    if side is None:
        side = opponent_of(match.offer) if match.offer else None
    if side is None:
        return Refused("no draw is offered", "S0 8.2")
    return _settled(state, given, claims.answer_draw(match, side, agreed))


def _claim(state: State, given: Command) -> Answer:
    side = _side(given)
    if side is None:
        return _WHO
    if given.value != "touch":
        return _settled(state, given, claims.claim_draw(state.match, side, given.value))
    claimed = touching.claim_touch(state.match, side)
    if isinstance(claimed, Refused):
        return claimed
    state = replace(state, phase="offence")
    return _done(state, given, claimed, Signal.ILLEGAL)


# ---------------------------------------------------------------- hands


def _adjust(state: State, given: Command) -> Answer:
    side = _side(given)
    return _done(state, given, touching.adjust(state.match, side), None) if side else _WHO


def _touch(state: State, given: Command) -> Answer:
    side, square = _side(given), state.game.square(given.value)
    if side is None:
        return _WHO
    if not square:
        return Refused(f"no square '{given.value}'")
    return _done(state, given, touching.touch(state.match, side, square), None)


# ---------------------------------------------------------------- clocks


def _pause(state: State, given: Command) -> Answer:
    if state.paused or state.phase in ("waiting", "over"):
        return Refused("no game is being played")
    return pause(state, given.at_ns, given.by)


def _resume(state: State, given: Command) -> Answer:
    if not stands(state):
        return Refused("nothing is paused")
    return resume(state, given.at_ns, given.by)


def _clock(state: State, given: Command) -> Answer:
    """Set our clocks; or note what the club's own show after the last move."""
    if state.clocks is None and (state.setup.clock != "club" or not state.match.plies):
        return Refused("no clock to set")
    if given.by not in ("arbiter", ""):
        return Refused("the arbiter sets clocks")
    left = _times(given.value)
    if left is None:
        return Refused(f"no times '{given.value}'; expected w SECONDS b SECONDS")
    if state.clocks is None:
        *plies, last = state.match.plies
        shown = Clock(*(None if s not in left else left[s] // clock.SECOND_NS for s in ("w", "b")))
        match = replace(state.match, plies=(*plies, replace(last, clock=shown)))
        return _done(state, given, match, None)
    clocks = clock.advance(state.clocks, given.at_ns)
    white, black = left.get("w", clocks.left("w")), left.get("b", clocks.left("b"))
    clocks = clock.set_to(clocks, white, black)
    answer = _done(replace(state, clocks=clocks), given, state.match, None)
    return _also((say.clocks(state, given.at_ns, clocks),), answer)


def _times(text: str) -> dict[str, int] | None:
    """Nanoseconds by side; None where the text says anything else."""
    words = text.split()
    try:
        seconds = dict(zip(words[::2], map(float, words[1::2]), strict=True))
    except ValueError:
        return None
    sound = all(side in ("w", "b") and 0 <= s < 360_000 for side, s in seconds.items())
    return {side: round(s * 1e9) for side, s in seconds.items()} if seconds and sound else None


def _press(state: State, given: Command) -> Answer:
    side = _side(given)
    return pressed(state, side, given.at_ns) if side else _WHO


# ---------------------------------------------------------------- inside


def _side(given: Command) -> Side | None:
    return given.by if given.by in ("w", "b") else None


def _done(
    state: State, given: Command, match: Match | Refused, signal: Signal | None, **fields: object
) -> Answer:
    """The command as a line and an event, after the match took it."""
    if isinstance(match, Refused):
        return match
    told = {"value": given.value, "by": given.by, **fields}
    line = say.append(state, given.at_ns, given.name, **told)
    event = say.event(state, given.at_ns, given.name, **told)
    shown = (say.signal(signal),) if signal else ()
    return replace(state, match=match), (line, event, *shown)


def _settled(state: State, given: Command, match: Match | Refused) -> Answer:
    """As `_done`, and the end of the game where that is what it led to."""
    answer = _done(state, given, match, None)
    if isinstance(answer, Refused):
        return answer
    state, effects = answer
    return _also(effects, record.end_if_decided(state, given.at_ns))


def _ended(state: State, given: Command, match: Match | Refused) -> Answer:
    if isinstance(match, Refused):
        return match
    state = replace(state, match=replace(match, pending=None))
    return record.end_if_decided(state, given.at_ns)


def _also(before: tuple[Effect, ...], answer: Answer) -> Answer:
    if isinstance(answer, Refused):
        return answer
    state, effects = answer
    return state, (*before, *effects)


def _no_dice(state: State, given: Command) -> Answer:
    """What is asked of the referee at a nardi board only."""
    return Refused("that belongs to a game with dice")


_HANDLERS: dict[str, Callable[[State, Command], Answer]] = {
    "accept": _accept,
    "adjust": _adjust,
    "agree-draw": _agree,
    "claim": _claim,
    "clock": _clock,
    "correct": _correct,
    "count": _no_dice,
    "decline-draw": _decline,
    "demand": _demand,
    "finish": _finish,
    "flag": _flag,
    "join": _join,
    "offer-draw": _offer,
    "pause": _pause,
    "press": _press,
    "reopen": _reopen,
    "resign": _resign,
    "result": _result,
    "resume": _resume,
    "roll": _no_dice,
    "rule": _rule,
    "swept": _swept,
    "takeback": _takeback,
    "to-move": _to_move,
    "touch": _touch,
}
