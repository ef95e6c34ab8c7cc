"""The draw rules of the draughts games, one row of facts each.  The counting is in `match_counts`.

"n moves" in a rulebook means n moves of each side; a row says plies, twice as many.  A counter
looks at the position after each ply.  It starts after the ply that creates its condition, and
that ply itself is not counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from ..errors import UnknownGame
from .variant import Variant

#: What a ply did that may set a counter back to nothing.
Event = Literal["capture", "man", "promotion"]

#: After one of these the positions before can't come back.
IRREVERSIBLE: frozenset[Event] = frozenset(("capture", "man"))


@dataclass(frozen=True, slots=True)
class Material:
    """The pieces for which a counter runs.

    Attributes:
        lone_king: one side has a king and nothing else, the other at least one king among
            ``pieces``; without it both sides have a king, and ``pieces`` counts both together.
        pieces: the lowest and the highest number.
        all_kings: the side against the lone king has no men.
    """

    lone_king: bool
    pieces: tuple[int, int]
    all_kings: bool = False


@dataclass(frozen=True, slots=True)
class WrongClaim:
    """What a claim that the score sheet does not bear out may cost: shown, never imposed.

    Attributes:
        charge_s: seconds charged to the claimant.
        floor_s: seconds that stay on his clock in any case.
    """

    charge_s: int
    floor_s: int


@dataclass(frozen=True, slots=True)
class DrawRule:
    """One reason for a draw.

    Attributes:
        id: its name here.
        article: the rulebook article as players know it.
        text: the rule in a few words.
        unit: ``times`` the same position with the same side to move, or ``plies`` counted.
        limit: how many make the draw.
        resets: what sets the counter back to nothing.
        material: the pieces it runs for; None for any.
        road: squares on one of which the lone king must stand for a ply to count; leaving the
            road stops the counter and does not set it back.
        claim: True if a player has to claim it and the opponent or the arbiter to confirm.
        wrong_claim: the price of a wrong claim, where the rulebook names one.
    """

    id: str
    article: str
    text: str
    unit: Literal["times", "plies"]
    limit: int
    resets: frozenset[Event]
    material: Material | None = None
    road: tuple[int, ...] = ()
    claim: bool = False
    wrong_claim: WrongClaim | None = None


_CHANGED_FORCES: frozenset[Event] = frozenset(("capture", "promotion"))
_NEVER: frozenset[Event] = frozenset()

#: a1-h8 in the numbers of the Russian board.
_MAIN_ROAD = (4, 8, 11, 15, 18, 22, 25, 29)

_ALL = (
    # --- International, FMJD Annex 1 art. 6
    DrawRule(
        "REP3",
        "FMJD 6.1",
        "the same position three times",
        "times",
        3,
        IRREVERSIBLE,
    ),
    DrawRule(
        "K25",
        "FMJD 6.2",
        "25 moves each with kings only, no capture",
        "plies",
        50,
        IRREVERSIBLE,
    ),
    DrawRule(
        "E16",
        "FMJD 6.3",
        "16 moves each, three pieces against a king",
        "plies",
        32,
        _NEVER,
        Material(lone_king=True, pieces=(3, 3)),
    ),
    DrawRule(
        "E5",
        "FMJD 6.4",
        "5 moves each, one or two pieces against a king",
        "plies",
        10,
        _NEVER,
        Material(lone_king=True, pieces=(1, 2)),
    ),
    # --- Russian and giveaway, FMJD-64 art. 7.2
    DrawRule(
        "REP3r",
        "FMJD-64 7.2.3",
        "the same position three times",
        "times",
        3,
        IRREVERSIBLE,
    ),
    DrawRule(
        "T15",
        "FMJD-64 7.2.4",
        "15 moves each, three or more kings against a king",
        "plies",
        30,
        _CHANGED_FORCES,
        Material(lone_king=True, pieces=(3, 12), all_kings=True),
    ),
    DrawRule(
        "K15",
        "FMJD-64 7.2.5",
        "15 moves each with kings only, no capture",
        "plies",
        30,
        IRREVERSIBLE,
    ),
    DrawRule(
        "E30",
        "FMJD-64 7.2.6",
        "30 moves each, 4 or 5 pieces, forces unchanged",
        "plies",
        60,
        _CHANGED_FORCES,
        Material(lone_king=False, pieces=(4, 5)),
    ),
    DrawRule(
        "E60",
        "FMJD-64 7.2.6",
        "60 moves each, 6 or 7 pieces, forces unchanged",
        "plies",
        120,
        _CHANGED_FORCES,
        Material(lone_king=False, pieces=(6, 7)),
    ),
    DrawRule(
        "R5",
        "FMJD-64 7.2.7",
        "5 moves each, three pieces against a king on the main road",
        "plies",
        10,
        _NEVER,
        Material(lone_king=True, pieces=(3, 3)),
        road=_MAIN_ROAD,
    ),
    DrawRule(
        "E5r",
        "FMJD-64 7.2.8",
        "5 moves each, one or two pieces against a king",
        "plies",
        10,
        _NEVER,
        Material(lone_king=True, pieces=(1, 2)),
    ),
    # --- English, WCDF 1.32
    DrawRule(
        "REP3e",
        "WCDF 1.32.1",
        "the same position three times",
        "times",
        3,
        _NEVER,
        claim=True,
    ),
    DrawRule(
        "F40",
        "WCDF 1.32.2",
        "40 moves each, no man advanced, no capture",
        "plies",
        80,
        IRREVERSIBLE,
        claim=True,
    ),
    # --- Italian, the Kazakh rules (S0) 8.2 and FID
    DrawRule(
        "REP4",
        "S0 8.2; FID 9.3",
        "the same position four times",
        "times",
        4,
        _NEVER,
        wrong_claim=WrongClaim(charge_s=15 * 60, floor_s=3 * 60),
    ),
    DrawRule(
        "F40i",
        "S0 8.2; FID 10.4",
        "40 moves each, no man moved, no capture",
        "plies",
        80,
        IRREVERSIBLE,
        claim=True,
    ),
)

#: Row by id.
ROWS: Mapping[str, DrawRule] = MappingProxyType({row.id: row for row in _ALL})


def rules_of(variant: Variant, profile: str = "official") -> tuple[DrawRule, ...]:
    """The draw rules of a game.

    Raises:
        UnknownGame: the game has no such profile.
    """
    if profile not in variant.draws:
        profiles = " or ".join(variant.draws)
        raise UnknownGame(f"no draw rules {profile!r} for {variant.name}", "", profiles)
    return tuple(ROWS[row] for row in variant.draws[profile])
