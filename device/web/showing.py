"""What is shown to whom: in a tournament offences are for the arbiter's eyes alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..modes import MODES
from .roles import Role

#: Events that tell of an offence.
_OFFENCES = frozenset(("offence", "resolved"))

#: Commands that say that there is one.
_DECISIONS = frozenset(("accept", "demand"))

Values = Mapping[str, Any]


def hides(values: Values, role: Role) -> bool:
    """Whether offences are hidden from this role."""
    plan = values.get("plan")
    return plan is not None and MODES[plan["mode"]].told == "arbiter" and not role.arbiter


def event_for(values: Values, role: Role, event: Values) -> bool:
    """Whether an event is for this role."""
    return event.get("event") not in _OFFENCES or not hides(values, role)


def kept_from(values: Values, role: Role, command: str) -> bool:
    """Whether a command would ask about what is hidden from this role."""
    return command in _DECISIONS and hides(values, role)


def shown_to(values: Values, role: Role) -> dict[str, Any]:
    """What is shown, for one role."""
    shown = dict(values)
    game = shown.get("game")
    if game is None or not hides(values, role):
        return shown
    shown["pictures"] = []
    game = {**game, "notes": [], "sanctions": []}
    game["plies"] = [{**ply, "remarks": []} for ply in game["plies"]]
    game["may"] = {
        who: [name for name in names if name not in _DECISIONS]
        for who, names in game.get("may", {}).items()
    }
    if game.get("pending") is not None:
        game.update(pending=None, phase="playing", side=game["fen"][:1].lower())
        game.update(_last_confirmed(game))
    shown["game"] = game
    return shown


def _last_confirmed(game: Values) -> dict[str, Any]:
    """The board that is confirmed, in place of the one that stands now."""
    if "confirmed" in game:
        return dict(game["confirmed"])
    return {"grid": game["plies"][-1]["grid"] if game["plies"] else game["first"]}
