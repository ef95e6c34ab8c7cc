"""Joining a game that has begun: the board as it stands becomes the first position.

The colours are read; who is to move, and which pieces are kings where their marks don't show, is
for a person to say.  So is the edge at which White sits, where the pieces don't tell it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import cast

from rules.draughts import match as game_of
from rules.draughts.position import Position
from rules.errors import ToreshiError
from rules.match import Refused
from vision.evidence import BLACK, WHITE, Evidence, evidence_of
from vision.orient import CONTRADICTS, TURNS_OF, Oriented
from vision.steady import Scene, fuse

from . import session_say as say
from .session_start import start
from .session_state import State, clocks_of
from .session_values import Effect
from .signals import Side

Step = tuple[State, tuple[Effect, ...]]


def join(state: State, at_ns: int, words: str) -> Step | Refused:
    """Begin from the board as it stands, or ask for what isn't known.

    Args:
        state: what is known; a game that is being played is left as it is.
        at_ns: when.
        words: ``w`` or ``b`` to move, squares that hold kings, an edge, in any order.
    """
    if state.phase not in ("waiting", "over", "swept"):
        return Refused("a game is being played")
    if not state.steady.recent or state.cover_told or state.lost_told:
        return Refused("the board can't be seen now")
    edge, side, kings, strange = "", "", set(), ""
    for word in words.replace(",", " ").split():
        if word in TURNS_OF:
            edge = word
        elif word in ("w", "b"):
            side = word
        elif square := state.game.square(word):
            kings.add(square)
        else:
            strange = word
    if strange:
        return Refused(f"'{strange}' is no side, no edge and no square")
    scene = fuse(state.steady.recent, state.steady.since_ns)
    turns = _turns(state, scene, edge)
    if turns is None:
        return _ask(state, at_ns, "white-at")
    read = _read(state, evidence_of(scene, state.game.board, turns), kings)
    if isinstance(read, Refused):
        return read
    state = replace(state, turns=turns, joining=read)
    return to_move(state, at_ns, side) if side else _ask(state, at_ns, "to-move")


def to_move(state: State, at_ns: int, side: str) -> Step | Refused:
    """Begin from the board that was read for joining."""
    if state.joining is None or state.turns is None:
        return Refused("no running game is being joined")
    if side not in ("w", "b"):
        return Refused(f"'{side}' is no side; expected w or b")
    try:
        text = state.game.write(state.joining.with_side(cast("Side", side)))
        position = state.game.read(text)
    except ToreshiError as error:
        return Refused(f"no position of this game: {error.what}")
    match = game_of.begin(state.game, position, marks_kings=bool(state.marks))
    scene = fuse(state.steady.recent, state.steady.since_ns)
    fresh = replace(state, phase="waiting", match=match, joining=None, unread=0, adrift=None,
                    clocks=clocks_of(state.setup), pressed=None)  # fmt: skip
    return start(fresh, scene, Oriented(state.turns, 0, (), ()))


def _ask(state: State, at_ns: int, what: str) -> Step:
    return state, (say.event(state, at_ns, "ask", what=what),)


def _turns(state: State, scene: Scene, edge: str) -> int | None:
    """How the board lies: as told, as it lay before, or by which side's men stand where."""
    edge = edge or state.setup.white_at
    if edge:
        return TURNS_OF[edge]
    if state.turns is not None:
        return state.turns
    lean = {}
    for turns in range(4):
        evidence = evidence_of(scene, state.game.board, turns)
        if not evidence.stray:
            lean[turns] = _lean(state, evidence)
    best = max(lean, key=lambda turns: lean[turns], default=None)
    # men go forward, so White's stand lower on the whole; close to nothing tells nothing
    return best if best is not None and lean[best] > 1.0 else None


def _lean(state: State, evidence: Evidence) -> float:
    """By how many rows White's pieces stand lower than Black's, on average."""
    board = state.game.board
    rows: dict[int, list[int]] = {WHITE: [], BLACK: []}
    for square in range(1, board.count + 1):
        if colour := evidence.best(square):
            rows[colour].append(board.cell(square)[0])
    if not rows[WHITE] or not rows[BLACK]:
        return 0.0
    return sum(rows[WHITE]) / len(rows[WHITE]) - sum(rows[BLACK]) / len(rows[BLACK])


def _read(state: State, evidence: Evidence, kings: Collection[int]) -> Position | Refused:
    count = state.game.board.count
    contents = [evidence.best(square) for square in range(1, count + 1)]
    unsure = sorted(evidence.doubtful(contents, CONTRADICTS))
    if unsure:
        return Refused(f"can't tell what stands on {', '.join(say.names(state, unsure[:4]))}")
    pieces = {}
    for square, colour in enumerate(contents, 1):
        if colour:
            letter = "w" if colour == WHITE else "b"
            crowned = square in kings or evidence.shows_king(square)
            pieces[square] = letter.upper() if crowned else letter
    empty = [square for square in kings if square not in pieces]
    if empty:
        return Refused(f"no piece stands on {', '.join(say.names(state, empty))}")
    return Position.of(pieces, state.game.variant.first)
