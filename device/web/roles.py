"""Who may ask the session for what: one table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..session_values import NAMES, By, Name

Side = Literal["w", "b"]

#: What a player may ask for, each for his own side.
PLAYERS: frozenset[Name] = frozenset(
    (
        "accept",
        "adjust",
        "agree-draw",
        "claim",
        "count",
        "decline-draw",
        "demand",
        "join",
        "offer-draw",
        "press",
        "resign",
        "roll",
        "swept",
        "takeback",
        "to-move",
        "touch",
    )
)

#: What nobody asks for by the page: it is the application's own.
NOBODY: frozenset[Name] = frozenset(("finish",))

#: What the arbiter may ask for: the last word is his.
ARBITER: frozenset[Name] = frozenset(NAMES) - NOBODY


@dataclass(frozen=True, slots=True)
class Role:
    """What one who asks is.

    Attributes:
        reads: may see the board.
        sides: the sides that he plays.
        arbiter: may rule, correct, and set up.
    """

    reads: bool = False
    sides: frozenset[Side] = frozenset()
    arbiter: bool = False


NOTHING = Role()
SPECTATOR = Role(reads=True)
#: At home everybody at the table is everything.
EVERYBODY = Role(True, frozenset(("w", "b")), True)


def may(role: Role, name: str, by: By) -> bool:
    """Whether one with this role may give this command for ``by``."""
    if by == "arbiter":
        return role.arbiter and name in ARBITER
    return by in role.sides and name in PLAYERS
