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


def doubt(
    state: State, scene: Scene, squares: Sequence[int], message: str
) -> tuple[State, tuple[Effect, ...]]:
    """Say ``unsure``, at once where pictures are settled, else after a wait; once for a scene."""
    key = f"{list(squares)} {message}"
    early = not state.setup.settled and scene.at_ns - scene.since_ns < PATIENCE_NS
    if early or (key == state.told and not state.setup.settled):
        return state, ()
    said = say.event(
        state, scene.at_ns, "unsure", squares=say.names(state, squares), message=message
    )
    return replace(state, told=key), (said, say.signal(Signal.CANNOT_SEE))
