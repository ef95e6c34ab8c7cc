"""Offences that no two positions show: what was done with the dice (§1.6, §1.7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ..said import Said
from ..verdict import Offence
from .board import NAMES, Side
from .facts import Code

#: Why a throw doesn't count (§1.6).
BadThrow = Literal["cocked", "split", "off"]
#: What was done to a die that had to lie (§1.7).
Touched = Literal["turned", "removed"]

#: The codes, as those of `facts.CODES`.
CODES: Mapping[str, Code] = {
    "P1": Code("bad-throw", ("1.6",)),
    "P4": Code("die-touched", ("1.7",)),
}

#: What is said while there is time to throw again: quietly, it is no offence yet.
RETHROW: Mapping[BadThrow, Said] = {
    "cocked": Said("a die leans or can't be read: throw both again"),
    "split": Said("the dice lie in two halves of the board: throw both again"),
    "off": Said("a die is off the board: throw both again"),
}

_PLAYED: Mapping[BadThrow, str] = {
    "cocked": "{side} played a throw of which a die leaned; both dice have to be thrown again.",
    "split": "{side} played a throw whose dice lay in two halves; both have to be thrown again.",
    "off": "{side} played a throw of which a die was off the board; both have to be thrown again.",
}
_TOUCHED: Mapping[Touched, str] = {
    "turned": "{side} turned a die of {dice} before the turn ended; dice lie until then.",
    "removed": "{side} took a die of {dice} away before the turn ended; dice lie until then.",
}


def bad_throw(side: Side, how: BadThrow) -> Offence:
    """A throw that doesn't count was played."""
    short = "That throw doesn't count. Put back, throw again."
    return _offence("P1", short, Said(_PLAYED[how], {"side": NAMES[side]}), how)


def die_touched(side: Side, how: Touched, dice: str) -> Offence:
    """A die was turned or taken away before the turn ended."""
    short = f"The dice lie till the turn ends: {dice}."
    message = Said(_TOUCHED[how], {"side": NAMES[side], "dice": dice})
    return _offence("P4", short, message, how)


def _offence(code: str, short: str, message: Said, variant: str) -> Offence:
    facts = CODES[code]
    return Offence(code, facts.kind, facts.article, (), (), short, message, variant=variant)
