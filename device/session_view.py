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
from rules.match import Note, Sanction, opponent_of

from .clock import SECOND_NS, Clocks
from .modes import MODES
from .session_press import stands
from .session_say import offence_fields
from .session_state import State
from .session_values import VERSION, Name
from .signals import Side

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
        "mode": state.setup.mode,
        "paused": state.paused,
        "clocks": _clocks(state.clocks),
        "may": may(state),
        "sanctions": [_sanction(breach) for breach in match.sanctions],
        "notes": [_note(note) for note in match.log],
        "lost": state.lost_told,
        "covered": state.cover_told,
        "unsure": bool(state.told),
    }


def may(state: State) -> dict[str, list[Name]]:
    """What each side and the arbiter can ask for now, as names of commands."""
    match = state.match
    if state.phase in ("waiting", "over"):
        anybody: list[Name] = ["join", "to-move"] if state.joining else ["join"]
        over: list[Name] = ["reopen"] if match.outcome else ["reopen", "result"]
        more = over if state.phase == "over" else ["correct"]
        return {"w": anybody, "b": list(anybody), "arbiter": [*anybody, *more]}
    arbiter: list[Name] = ["correct", "result", "resume" if stands(state) else "pause"]
    if any(breach.decided is None for breach in match.sanctions):
        arbiter.append("rule")
    if match.pending is not None:
        arbiter += ["accept", "demand"]
    if match.claim is not None:
        arbiter += ["agree-draw", "decline-draw"]
    if state.clocks is not None or state.setup.clock == "club":
        arbiter.append("clock")
    if state.setup.clock == "club":
        arbiter.append("flag")
    if state.phase == "swept":
        arbiter.append("swept")
    if match.plies:
        arbiter.append("takeback")
    return {"w": _may(state, "w"), "b": _may(state, "b"), "arbiter": arbiter}


def _may(state: State, side: Side) -> list[Name]:
    match, claim = state.match, state.match.claim
    names: list[Name] = ["resign", "adjust"]
    if match.pending is not None and match.pending.side != side:
        names += ["accept", "demand"]
    asked = match.offer == opponent_of(side) or (claim is not None and claim.side != side)
    names += ["agree-draw", "decline-draw"] if asked else ["offer-draw"]
    touched = any(claim.side == side for claim in match.touch_claims)
    if touched or (claim is None and claimable(match)):
        names.append("claim")
    if state.phase == "swept":
        names.append("swept")
    if _takes_back(state, side):
        names.append("takeback")
    if state.clocks is not None:
        names.append("press")
    return names


def _takes_back(state: State, side: Side) -> bool:
    consent = MODES[state.setup.mode].takebacks
    free = consent == "free" or (consent == "agreed" and side == state.position.side)
    return bool(state.match.plies) and free


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


def _clocks(now: Clocks | None) -> dict[str, Any] | None:
    """Seconds left at ``at_ns``; the page counts down from there by itself."""
    if now is None:
        return None
    return {
        "w": now.left("w") / SECOND_NS,
        "b": now.left("b") / SECOND_NS,
        "grace": now.grace_ns / SECOND_NS,
        "running": now.running,
        "stopped": now.stopped,
        "made": list(now.made),
        "fallen": list(now.fallen),
        "at_ns": now.at_ns,
    }


def _sanction(breach: Sanction) -> dict[str, Any]:
    return {
        "ply": breach.ply,
        "side": breach.side,
        "code": breach.code,
        "article": breach.article,
        "proposed": breach.proposed,
        "decided": breach.decided,
        "by": breach.by,
    }


def _note(note: Note) -> dict[str, Any]:
    return {
        "ply": note.ply,
        "side": note.side,
        "code": note.code,
        "article": note.article,
        "text": note.text,
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
