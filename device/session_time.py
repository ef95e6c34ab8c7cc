"""What the passing of time does: clocks run down, flags fall, buttons are held long enough."""

from __future__ import annotations

from dataclasses import replace

from rules.draughts import match_claims as claims
from rules.match import Refused

from . import clock
from . import session_record as record
from . import session_say as say
from .modes import MODES
from .session_press import holding
from .session_state import State
from .session_values import Effect
from .signals import Side, Signal

Step = tuple[State, tuple[Effect, ...]]

#: Our clocks are written down so often while they run; that much a power cut can cost.
WRITTEN_NS = 1_000_000_000


def passing(state: State, at_ns: int) -> Step:
    """Let the time go on to ``at_ns``."""
    effects: tuple[Effect, ...] = ()
    if state.held:
        state, effects = holding(state, at_ns)
    if state.clocks is None or state.clocks.running is None:
        return state, effects
    before = state.clocks.fallen
    state = replace(state, clocks=clock.advance(state.clocks, at_ns))
    now = state.clocks
    if now is None:  # never; for the type checker
        return state, effects
    for side in now.fallen:
        if side not in before:
            state, more = _fell(state, at_ns, side)
            effects = (*effects, *more)
    if at_ns - state.ticked_ns >= WRITTEN_NS:
        state = replace(state, ticked_ns=at_ns)
        effects = (*effects, say.clocks(state, at_ns, now))
    return state, effects


def _fell(state: State, at_ns: int, side: Side) -> Step:
    """A flag fell: told, and the end of the game where the mode says so."""
    told: tuple[Effect, ...] = (
        say.append(state, at_ns, "flag", side=side),
        say.event(state, at_ns, "flag", side=side),
    )
    mode = MODES[state.setup.mode]
    if mode.told == "table":
        told = (*told, say.signal(Signal.FLAG, side))
    if not mode.flag_ends:
        return state, told
    ended = claims.flag_fell(state.match, side)
    if isinstance(ended, Refused):
        return state, told
    state, more = record.end_if_decided(replace(state, match=ended), at_ns)
    return state, (*told, *more)
