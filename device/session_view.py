"""What a page shows of a session: one pure function from the state to JSON.

White sits at the bottom: row 0 of every grid is Black's edge.  Codes, names and numbers only; the
one sentence in it, an offence's message, is the rules' own English one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from rules.draughts.draws import DrawRule
from rules.draughts.game import DraughtsGame
from rules.draughts.match import DrawClaim, Match, Pending, claimable, shown
from rules.draughts.position import Move, Position
from rules.draughts.record import Ply, Stand

from .session_say import offence_fields
from .session_state import State
from .session_values import VERSION

#: Positions whose moves are remembered, so that a long game's list isn't worked out anew each time.
_REMEMBERED = 2048


def view(state: State) -> dict[str, Any]:
    """The session as a page shows it.

    Args:
        state: what is known.

    Returns:
        JSON values.  ``grid`` is the board as it stands, which while an offence is pending is
        another one than ``fen``, the last confirmed position.
    """
    match, game = state.match, state.game
    stands = match.board if state.phase == "offence" else match.position
    return {
        "v": VERSION,
        "game": game.name,
        "family": game.family,
        "phase": state.phase,
        "size": game.board.size,
        "squares": squares_of(game),
        "side": match.board.side,
        "fen": game.write(match.position),
        "start": game.write(match.start),
        "first": grid_of(game, match.start),
        "grid": grid_of(game, stands),
        "plies": [
            _ply(game, before, ply) for before, ply in zip(match.seen, match.plies, strict=False)
        ],
        "taken": _taken(game, match),
        "pending": _pending(match.pending),
        "offer": match.offer,
        "claim": _claim(match.claim),
        "counters": [_counter(match, rule) for rule in match.rules],
        "outcome": _outcome(match),
        "lost": state.lost_told,
        "covered": state.cover_told,
        "unsure": bool(state.told),
    }


def squares_of(game: DraughtsGame) -> dict[str, tuple[int, int]]:
    """(row, column) of each playing square by its written name."""
    board = game.board
    return {game.name_of(n): board.cell(n) for n in range(1, board.count + 1)}


def grid_of(game: DraughtsGame, position: Position) -> list[str]:
    """Rows of letters ``.wWbB``."""
    size = game.board.size
    rows = [["."] * size for _ in range(size)]
    for square, piece in position.pieces().items():
        row, col = game.board.cell(square)
        rows[row][col] = piece
    return ["".join(row) for row in rows]


@lru_cache(maxsize=_REMEMBERED)
def _text(game: DraughtsGame, position: Position, move: Move) -> str:
    return game.text(position, move)


def _ply(game: DraughtsGame, before: Position, ply: Ply | Stand) -> dict[str, Any]:
    shared = {
        "side": before.side,
        "grid": grid_of(game, ply.after),
        "clock": None if ply.clock is None else [ply.clock.white, ply.clock.black],
        "remarks": list(ply.remarks),
    }
    if isinstance(ply, Stand):
        return {**shared, "text": "", "code": ply.code, "path": [], "taken": []}
    move = ply.move
    return {
        **shared,
        "text": _text(game, before, move),
        "code": "",
        "path": [game.name_of(n) for n in move.path],
        "taken": [game.name_of(n) for n in move.taken],
    }


def _taken(game: DraughtsGame, match: Match) -> dict[str, int]:
    """How many pieces each side has lost since the start."""
    start, now = match.start, match.position
    return {
        "w": max(0, start.white.bit_count() - now.white.bit_count()),
        "b": max(0, start.black.bit_count() - now.black.bit_count()),
    }


def _pending(pending: Pending | None) -> dict[str, Any] | None:
    if pending is None:
        return None
    return {
        "side": pending.side,
        "demanded": pending.demanded,
        **offence_fields(pending.offence),
    }


def _claim(claim: DrawClaim | None) -> dict[str, Any] | None:
    if claim is None:
        return None
    return {"side": claim.side, "rule": claim.rule, "shown": claim.shown, "founded": claim.founded}


def _counter(match: Match, rule: DrawRule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "text": rule.text,
        "article": rule.article,
        "unit": rule.unit,
        "shown": shown(match, rule),
        "limit": rule.limit,
        "claimable": rule in claimable(match),
    }


def _outcome(match: Match) -> dict[str, str] | None:
    end = match.outcome
    if end is None:
        return None
    return {
        "ending": end.ending,
        "reason": end.reason,
        "article": end.article,
        "text": end.text,
    }
