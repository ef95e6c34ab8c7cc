"""Touching pieces, marking kings and pressing the clock (S0 3.7, 4.2-4.7, 7.3)."""

from __future__ import annotations

from dataclasses import replace

from ..match import Refused, opponent_of
from ..verdict import Offence
from .match import Match, Pending, Touch, noted
from .position import Side


def adjust(match: Match, side: Side) -> Match:
    """A player says "I adjust": what he touches until his move binds him to nothing (S0 4.2)."""
    if side != match.position.side:
        text = "adjusts in the opponent's turn: improper, no sanction"
        return noted(match, side, "O17", "S0 4.2", text)
    return replace(match, touch=replace(match.touch, adjusting=True))


def touch(match: Match, side: Side, square: int) -> Match:
    """A player touches the piece on a square.

    Touching his own piece ends his right to complain of what was touched before (S0 4.7).
    """
    own = match.position.piece(square).lower() == side
    if not own:
        return match
    claims = tuple(claim for claim in match.touch_claims if claim.side != side)
    match = replace(match, touch_claims=claims)
    if side != match.position.side:
        text = "touched a piece in the opponent's turn: improper, no sanction"
        return noted(match, side, "O17", "S0 4.2", text)
    if match.touch.adjusting or square in match.touch.squares:
        return match
    return replace(match, touch=Touch((*match.touch.squares, square)))


def claim_touch(match: Match, side: Side) -> Match | Refused:
    """A player demands that the piece the opponent touched be played (S0 4.3).

    The move made instead becomes a pending offence, demanded to be put right: the position before
    it is the current one again.
    """
    claim = next((claim for claim in match.touch_claims if claim.side == side), None)
    before = match.previous
    if claim is None or before is None:
        return Refused("nothing to claim: it ends when the claimant touches a piece", "S0 4.7")
    offender = opponent_of(side)
    name = match.game.name_of(claim.square)
    message = f"The piece on {name} was touched first and has to be played."
    short = f"touched {name} first: play it"
    offence = Offence("touch", "touch-move", "S0 4.3", (name,), claim.due, short, message)
    pending = Pending(offender, offence, before.position, match.position, demanded=True)
    back = replace(before, pending=pending, touch=Touch(), sanctions=match.sanctions, log=match.log)
    return noted(back, offender, "touch", "S0 4.3", message)


def mark_king(match: Match, square: int) -> Match:
    """A new king has been marked, by either player (S0 3.7, FMJD 3.6)."""
    left = tuple(crown for crown in match.crowning if crown.square != square)
    return replace(match, crowning=left)


def press_clock(match: Match, side: Side) -> Match:
    """A player presses his clock; noted where he has not moved, or not crowned his new king."""
    if match.outcome is None and side == match.position.side and match.pending is None:
        text = "pressed the clock without a move"
        return noted(match, side, "O18", "S0 7.3", text)
    unmarked = [crown for crown in match.crowning if crown.side == side]
    for crown in unmarked:
        text = f"pressed the clock before the new king on {match.game.name_of(crown.square)} "
        match = noted(match, side, "O14", "S0 3.7; FMJD 5.4.15", text + "was marked")
    left = tuple(crown for crown in match.crowning if crown not in unmarked)
    return replace(match, crowning=left)
