"""Waiting for the first position: find out how the board lies, or say which square is wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules.draughts import match as game_of
from rules.draughts.geometry import Board
from rules.draughts.position import Position
from rules.match import Note
from rules.said import Said
from vision.evidence import evidence_of
from vision.orient import TURNS_OF, NothingFits, Orientation, Oriented, orient
from vision.steady import Scene

from . import session_say as say
from .session_doubt import doubt
from .session_record import confirm, end_if_decided, remember
from .session_rejoin import adrift, one_move
from .session_state import State
from .session_values import Effect
from .signals import Signal

Step = tuple[State, tuple[Effect, ...]]

#: With a position from outside and settled pictures the first picture is said to show it; so many
#: squares of it may be read wrongly.
MISREAD = 2

_EDGES = {turns: edge for edge, turns in TURNS_OF.items()}


def wait_for_start(state: State, scene: Scene) -> Step:
    """Begin the game if the first position stands on the board; else say what is wrong."""
    found = match(state, scene)
    hidden = len(scene.covered) > (MISREAD if state.setup.settled else 0)
    if isinstance(found, Oriented) and fits(state, found) and not hidden:
        return start(state, scene, found)
    if state.adrift is not None and state.turns is not None and not hidden:
        begun = _begun_wrongly(state, scene, state.adrift, state.turns)
        if begun is not None:
            return begun
    counted = state.unread
    state, said = doubt(state, scene, *_wrong(state, scene, found))
    if state.unread != counted and isinstance(found, Oriented) and not hidden:
        stands = adrift(state, evidence_of(scene, state.game.board, found.turns))
        state = replace(stands, turns=found.turns)
    return state, said


def _begun_wrongly(state: State, scene: Scene, board: Position, turns: int) -> Step | None:
    """The game that two people play although the set-up was said to be wrong.

    It was to be set right before the first move; after it the game counts (9.2).
    """
    first = state.match.start.side
    evidence = evidence_of(scene, state.game.board, turns)
    deed = one_move(state, evidence, board, first)
    if deed is None:
        return None
    begun = game_of.begin(state.game, board.with_side(first), marks_kings=bool(state.marks))
    state = replace(state, match=begun, adrift=None, unread=0)
    state, effects = start(state, scene, Oriented(turns, 0, (), ()))
    text = "set up wrongly, found after the first move; the game goes on"
    told: dict[str, Any] = {
        "code": "wrong-setup", "side": None, "article": "S0 9.2", "squares": [], "text": text
    }  # fmt: skip
    note = Note(0, None, "wrong-setup", "S0 9.2", text)
    state = replace(state, match=replace(state.match, log=(*state.match.log, note)))
    line = say.append(state, scene.at_ns, "remark", **told)
    event = say.event(state, scene.at_ns, "remark", **told)
    state, moved = confirm(state, scene, deed.moves)
    return state, (*effects, line, event, *moved)


def match(state: State, scene: Scene) -> Orientation:
    """The first position against the scene, in every turn or in the one that was told."""
    edge = state.setup.white_at
    turns = range(4) if not edge else (TURNS_OF[edge],)
    return orient(scene, state.game.board, state.match.start, turns)


def fits(state: State, found: Oriented) -> bool:
    """Whether a match is good enough to begin from."""
    asserted = state.setup.settled and state.setup.fen
    return len(found.wrong) <= (MISREAD if asserted else 0)


def start(state: State, scene: Scene, found: Oriented) -> Step:
    """Begin the game."""
    state = replace(state, phase="playing", turns=found.turns, told="", done_ns=scene.since_ns)
    state = remember(state, scene)
    fen = state.game.write(state.match.start)
    effects: tuple[Effect, ...] = (
        say.append(state, scene.at_ns, "start", fen=fen, turns=found.turns),
        say.event(state, scene.at_ns, "start-position", fen=fen, white_at=_EDGES[found.turns]),
        say.signal(Signal.READY),
        say.picture(state, "start", scene.number),
        say.learn(state, state.match.start),
    )
    state, ending = end_if_decided(state, scene.at_ns)
    return state, (*effects, *ending)


def _wrong(state: State, scene: Scene, found: Orientation) -> tuple[tuple[int, ...], str]:
    if isinstance(found, Oriented):
        return found.wrong, say.should_hold(state, state.match.start, found.wrong)
    if not state.setup.fen and _lies_turned(state, scene):
        return (), Said("the board lies turned by a quarter: the other corner belongs on the right")
    if isinstance(found, NothingFits):
        return found.nearest.wrong, Said("waiting for the first position")
    return (), Said("it can't be told from which edge White plays")


def _lies_turned(state: State, scene: Scene) -> bool:
    """Whether the first position stands on the squares of the other colour."""
    board = state.game.board
    other = Board(board.size, not board.mirrored)
    found = orient(scene, other, state.match.start)
    return isinstance(found, Oriented) and not found.wrong
