"""Buttons: a clock is pressed, held down to resign, both to agree on a draw; the arbiter's pauses.

Nothing here needs a keyboard: a game's result can be told with the two buttons of the clock.
"""

from __future__ import annotations

from dataclasses import replace

from rules.draughts import match_claims as claims
from rules.match import Refused

from . import clock
from . import session_record as record
from . import session_say as say
from .buttons import Press
from .session_state import State
from .session_values import Effect
from .signals import Side, Signal

Step = tuple[State, tuple[Effect, ...]]

#: So long a button is held for it to mean more than a press; nobody rests a hand on it so long
#: unawares, as the buzzer sounds half way.
HOLD_NS = 3_000_000_000

_SIDES: dict[str, Side] = {"clock_white": "w", "clock_black": "b"}


def button(state: State, press: Press) -> Step:
    """A button went down or came up."""
    held = dict(state.held)
    if press.down:
        held[press.button] = press.at_ns
    else:
        held.pop(press.button, None)
    state = replace(state, held=tuple(sorted(held.items())))
    if not press.down:
        return state, ()
    side = _SIDES.get(press.button)
    return pressed(state, side, press.at_ns) if side else _arbiter(state, press.at_ns)


def pressed(state: State, side: Side, at_ns: int) -> Step:
    """A side ends its turn: its clock stands, the other one's runs.

    Whether it had moved is seen on the board a moment later.
    """
    if state.phase in ("waiting", "over", "swept") or state.paused:
        return state, ()
    before = state.clocks
    if before is not None and before.stopped is not None:  # after a power cut
        before = clock.resume(before, at_ns)
    clocks = before and clock.press(before, side, at_ns, state.position.side)
    if before is not None and clocks is not None and clocks.running == before.running:
        return state, ()
    state = replace(state, clocks=clocks, pressed=(side, at_ns))
    effects: tuple[Effect, ...] = (say.event(state, at_ns, "press", side=side),)
    if clocks is not None:
        effects = (say.clocks(state, at_ns, clocks), *effects)
    return state, effects


def holding(state: State, at_ns: int) -> Step:
    """What buttons say that have been down for long enough."""
    long = {_SIDES[name] for name, since in state.held
            if name in _SIDES and at_ns - since >= HOLD_NS}  # fmt: skip
    down = {_SIDES[name] for name, _ in state.held if name in _SIDES}
    if not long or state.match.outcome is not None or state.phase == "waiting":
        return state, ()
    if len(down) == 2:
        if len(long) < 2:
            return state, ()
        return record.decide(replace(state, held=()), at_ns, "draw", "agreed")
    (side,) = long
    resigned = claims.resign(state.match, side)
    if isinstance(resigned, Refused):
        return state, ()
    state = replace(state, match=replace(resigned, pending=None), held=())
    return record.end_if_decided(state, at_ns)


def _arbiter(state: State, at_ns: int) -> Step:
    """The arbiter's button calls him, and lets the game go on again."""
    if state.phase in ("waiting", "over"):
        return state, ()
    if stands(state):
        return resume(state, at_ns, "arbiter")
    return pause(state, at_ns, "arbiter")


def stands(state: State) -> bool:
    """Whether it goes on only when somebody says so: after a pause, or a power cut with clocks."""
    return state.paused or (state.clocks is not None and state.clocks.stopped is not None)


def pause(state: State, at_ns: int, by: str) -> Step:
    """Nothing is judged until `resume`; our clocks stand."""
    clocks = state.clocks and clock.pause(state.clocks, at_ns)
    line = say.append(state, at_ns, "pause")
    told = say.event(state, at_ns, "paused", by=by)
    return replace(state, paused=True, clocks=clocks), (line, told, say.signal(Signal.CANNOT_SEE))


def resume(state: State, at_ns: int, by: str) -> Step:
    """The game goes on from where it was."""
    clocks = state.clocks and clock.resume(state.clocks, at_ns)
    line = say.append(state, at_ns, "resume")
    told = say.event(state, at_ns, "resumed", by=by)
    state = replace(state, paused=False, clocks=clocks, done_ns=-1)
    return state, (line, told, say.signal(Signal.READY))
