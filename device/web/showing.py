"""What is shown to whom: in a tournament offences are for the arbiter's eyes alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..modes import MODES
from .roles import Role

#: Events that tell of an offence.
_OFFENCES = frozenset(("offence", "resolved"))

Values = Mapping[str, Any]


def hides(values: Values, role: Role) -> bool:
    """Whether offences are hidden from this role."""
    plan = values.get("plan")
    return plan is not None and MODES[plan["mode"]].told == "arbiter" and not role.arbiter


def event_for(values: Values, role: Role, event: Values) -> bool:
    """Whether an event is for this role."""
    return event.get("event") not in _OFFENCES or not hides(values, role)


def shown_to(values: Values, role: Role) -> dict[str, Any]:
    """What is shown, for one role."""
    shown = dict(values)
    game = shown.get("game")
    if not hides(values, role) or game is None:
        return shown
    shown["pictures"] = []
    if game.get("pending") is not None:
        game = {**game, "pending": None, "phase": "playing", "side": game["fen"][:1].lower()}
        plies = game["plies"]
        game["grid"] = plies[-1]["grid"] if plies else game["first"]
    shown["game"] = game
    return shown
