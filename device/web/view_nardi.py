"""What the page shows of a nardi session; the same shape as a draughts one where both have it."""

from __future__ import annotations

from typing import Any

from rules.nardi.board import Side
from rules.nardi.match import Turned
from rules.said import Said
from rules.verdict import Offence

from ..nardi.say import asks, offence_fields
from ..nardi.state import NARDI, State
from ..session_values import VERSION, Name
from .past_nardi import board

#: Why a game ended, in a few words.
_REASONS = {
    "borne-off": Said("all checkers are borne off"),
    "resigned": Said("resigned"),
    "time": Said("time over"),
    "arbiter": Said("the arbiter decided"),
}
_WINS = {"oin": Said("oin, 1 point"), "mars": Said("mars, 2 points")}


def view(state: State) -> dict[str, Any]:
    """The session as the page shows it.

    Args:
        state: what is known.

    Returns:
        JSON values.  ``points`` is the board as it stands, which while a wrong turn is pending is
        another one than ``fen``, the last confirmed position.
    """
    game = state.game
    stands = game.pending.after if game.pending is not None else game.position
    return {
        "v": VERSION,
        "game": "nardi",
        "family": "nardi",
        "phase": "playing" if state.phase == "opening" else state.phase,
        "side": game.position.side,
        "fen": NARDI.write(game.position),
        **board(stands),
        "confirmed": board(game.position),
        "roll": None if game.roll is None else list(game.roll.dice),
        "bad": bool(state.bad),
        "plies": [_turn(turned) for turned in game.turns if turned.stands],
        "taken": {"w": game.position.off("w"), "b": game.position.off("b")},
        "pending": _pending(game.pending),
        "offer": None,
        "claim": None,
        "counters": [],
        "outcome": _outcome(state),
        "mode": state.setup.mode,
        "paused": state.paused,
        "clocks": None,
        "may": may(state),
        "sanctions": [],
        "notes": [],
        "ask": None
        if state.asked is None
        else {"text": asks(state.asked), "point": state.asked.point},
        "lost": state.lost_told,
        "covered": state.cover_told,
        "unsure": bool(state.told),
    }


def may(state: State) -> dict[str, list[Name]]:
    """What each side and the arbiter can ask for now, as names of commands."""
    if state.phase in ("waiting", "over"):
        return {"w": [], "b": [], "arbiter": []}
    arbiter: list[Name] = ["correct", "result", "resume" if state.paused else "pause"]
    if state.game.pending is not None:
        arbiter += ["accept", "demand"]
    elif state.game.turns:
        arbiter.append("takeback")
    if state.asked is not None:
        arbiter.append("count")
    arbiter.append("roll")
    return {"w": _may(state, "w"), "b": _may(state, "b"), "arbiter": arbiter}


def _may(state: State, side: Side) -> list[Name]:
    names: list[Name] = ["resign"]
    pending = state.game.pending
    if pending is not None and pending.side != side:
        names += ["accept", "demand"]
    if side == state.side and state.game.roll is not None and pending is None:
        names.append("press")
    if side == state.side:
        names.append("roll")
        if state.asked is not None:
            names.append("count")
    return names


def _turn(turned: Turned) -> dict[str, Any]:
    verdict = turned.verdict
    return {
        "side": turned.side,
        "text": "" if isinstance(verdict, Offence) else verdict.move,
        "code": verdict.code if isinstance(verdict, Offence) else "",
        "dice": list(turned.roll.dice),
        **board(turned.after),
        "remarks": [verdict.message] if isinstance(verdict, Offence) else [],
        "path": [],
        "taken": [],
    }


def _pending(pending: Turned | None) -> dict[str, Any] | None:
    if pending is None or not isinstance(pending.verdict, Offence):
        return None
    return {"side": pending.side, "demanded": False, **offence_fields(pending.verdict)}


def _outcome(state: State) -> dict[str, Any] | None:
    end = state.game.result
    if end is None:
        return None
    text = Said("{why}; {win}", {"why": _REASONS[end.reason], "win": _WINS[end.win]})
    return {"ending": end.winner, "reason": end.reason, "article": "", "text": text}
