"""What the session says when a scene can't be explained: nothing at first, then once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vision.steady import Scene

from . import session_say as say
from .session_state import State
from .session_values import Effect
from .signals import Signal

#: How long a scene must stand still and unexplained before the players are told.
PATIENCE_NS = 4_000_000_000

#: A doubt in other words, while one was told and nothing came of it, waits for so long.
AGAIN_NS = 15_000_000_000


def doubt(
    state: State, scene: Scene, squares: Sequence[int], message: str
) -> tuple[State, tuple[Effect, ...]]:
    """Say ``unsure`` once, until something is understood again or it is another doubt.

    Where pictures are settled each one counts, and may hide a move; where the camera runs a scene
    has to stand for a while.
    """
    key = f"{list(squares)} {message}"
    if state.setup.settled and state.told:
        return replace(state, told=key, unread=state.unread + 1), ()
    if not state.setup.settled:
        soon = state.told and scene.at_ns - state.told_ns < AGAIN_NS
        if scene.at_ns - scene.since_ns < PATIENCE_NS or key == state.told or soon:
            return state, ()
    said = say.event(
        state, scene.at_ns, "unsure", squares=say.names(state, squares), message=message
    )
    state = replace(state, told=key, told_ns=scene.at_ns, unread=state.unread + 1)
    return state, (said, say.signal(Signal.CANNOT_SEE))
