"""Finding back into a game whose moves could not all be followed.

An arm over the board for a minute, a camera that was covered: several moves were made, and what
stands now is no move from what was confirmed.  The board that stands is remembered; when the next
scene is one legal move from it, for one side only, the game goes on from there, and the record
says so.  Nobody is accused of anything.
"""

from __future__ import annotations

from dataclasses import replace

from rules.draughts import match as game_of
from rules.draughts.position import Position, Side
from rules.draughts.record import Stand
from rules.said import Said
from vision.evidence import Evidence, contents_of
from vision.freely import as_it_stands, free_reading
from vision.infer import Played, Seen, infer
from vision.steady import Scene

from . import session_record as record
from . import session_say as say
from .session_state import State
from .session_values import Effect

Step = tuple[State, tuple[Effect, ...]]

MESSAGE = Said("moves were made that could not be seen; the game goes on from the board as it is")


def adrift(state: State, evidence: Evidence) -> State:
    """Remember an unexplained board, if every square of it is clear."""
    count = state.game.board.count
    here = contents_of(state.position, count)
    free = free_reading(evidence, here, here)
    stands = as_it_stands(state.game, state.position, free, evidence)
    if evidence.stray or evidence.unknown or evidence.misfits(contents_of(stands, count)):
        return state
    return replace(state, adrift=stands)


def rejoined(state: State, scene: Scene, evidence: Evidence) -> Step | None:
    """The game gone on with, if the scene is one legal move from the board that was remembered."""
    board = state.adrift
    if board is None:
        return None
    found = [(side, deed) for side in _SIDES if (deed := one_move(state, evidence, board, side))]
    if len(found) != 1:
        return None
    side, deed = found[0]
    stands = board.with_side(side)
    fen = state.game.write(stands)
    line = say.append(state, scene.at_ns, "rejoined", fen=fen)
    told = say.event(state, scene.at_ns, "unsure", squares=[], message=MESSAGE, fen=fen)
    state = replace(state, match=game_of.go_on(state.match, Stand(stands, remarks=(MESSAGE,))))
    if state.match.outcome is not None:
        return None
    state, effects = record.confirm(state, scene, deed.moves)
    return state, (line, told, *effects)


_SIDES: tuple[Side, ...] = ("w", "b")


def one_move(state: State, evidence: Evidence, board: Position, side: Side) -> Played | None:
    """The one legal move from a board that explains the scene whole; None if there is none."""
    reading = infer(evidence, state.game, board.with_side(side), (), 1)
    if isinstance(reading, Seen) and isinstance(reading.deed, Played) and not reading.misfits:
        return reading.deed
    return None
