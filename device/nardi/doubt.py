"""What the session says when it can't tell: nothing at first, then once, and what would help."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vision.nardi.infer import Question
from vision.nardi.steady import Scene

from ..session_values import Effect
from ..signals import Signal
from . import say
from .state import State

Step = tuple[State, tuple[Effect, ...]]

SECOND_NS = 1_000_000_000

#: How long a scene must stand still and unexplained before the players are told.
PATIENCE_NS = 4 * SECOND_NS

#: A doubt in other words waits for so long after one that was told.
AGAIN_NS = 15 * SECOND_NS


def doubt(
    state: State,
    scene: Scene,
    points: Sequence[int],
    message: str,
    question: Question | None = None,
) -> Step:
    """Say ``unsure``, at once where pictures are settled, else after a wait and not over again."""
    key = f"{list(points)} {message}"
    if key == state.told:
        return state, ()
    if not state.settled:
        soon = state.told and scene.at_ns - state.told_ns < AGAIN_NS
        if scene.at_ns - since(state, scene) < PATIENCE_NS or soon:
            return state, ()
    return asked(state, scene, points, message, question)


def asked(
    state: State,
    scene: Scene,
    points: Sequence[int],
    message: str,
    question: Question | None = None,
) -> Step:
    """Say ``unsure`` now."""
    key = f"{list(points)} {message}"
    if key == state.told:
        return state, ()
    more = {}
    if question is not None:
        more = {"question": {"side": question.side, "point": question.point}}
    said = say.event(
        state, scene.at_ns, "unsure", squares=say.points(points), message=message, **more
    )
    state = replace(state, told=key, told_ns=scene.at_ns, asked=question)
    return state, (said, say.signal(Signal.CANNOT_SEE))


def since(state: State, scene: Scene) -> int:
    """Since when the scene has stood still after the turn was over."""
    return max(scene.since_ns, state.closing.at_ns if state.closing else 0)


def quietly(state: State, at_ns: int, key: str, message: str) -> Step:
    """Say something once that needs no lamp."""
    if state.quiet == key:
        return state, ()
    said = say.event(state, at_ns, "unsure", squares=[], message=message)
    return replace(state, quiet=key), (said,)
