"""How a match ends other than on the board: offers, claims, resignation, time, decisions."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from ..match import Ending, Outcome, Refused, Role, opponent_of
from .match import DrawClaim, Match, noted, shown
from .position import Side

_OVER = Refused("the game is over")


def offer_draw(match: Match, side: Side) -> Match | Refused:
    """A player offers a draw; it stands until the opponent answers or moves."""
    if match.outcome is not None:
        return _OVER
    if match.offer == opponent_of(side):
        return answer_draw(match, side, agreed=True)
    match = replace(match, offer=side)
    return noted(match, side, "draw-offer", "S0 8.2", "a draw is offered")


def answer_draw(match: Match, side: Side, agreed: bool) -> Match | Refused:
    """The opponent takes or declines the draw that was offered."""
    if match.outcome is not None:
        return _OVER
    if match.offer != opponent_of(side):
        return Refused("the opponent has not offered a draw", "S0 8.2")
    match = replace(match, offer=None)
    if not agreed:
        return noted(match, side, "draw-declined", "S0 8.2", "the draw is declined")
    return _ended(match, "draw", "agreed", "S0 8.2; FMJD 7.3", "a draw was agreed")


def claim_draw(match: Match, side: Side, rule_id: str) -> Match | Refused:
    """A player claims a draw by one of the rules; opponent or arbiter must confirm it.

    A claim that the counter does not bear out is kept as unfounded, for the arbiter.
    """
    if match.outcome is not None:
        return _OVER
    rule = next((rule for rule in match.rules if rule.id == rule_id), None)
    if rule is None:
        return Refused(f"no draw rule {rule_id!r} here")
    count = shown(match, rule)
    claim = DrawClaim(side, rule_id, count, count >= rule.limit)
    text = f"claims a draw: {rule.text}; it shows {count} of {rule.limit} {rule.unit}"
    return noted(replace(match, claim=claim), side, "draw-claim", rule.article, text)


def confirm_draw(match: Match, by: Role) -> Match | Refused:
    """The opponent or the arbiter confirms the claim; an unfounded one only the arbiter can."""
    claim = match.claim
    if match.outcome is not None:
        return _OVER
    if claim is None:
        return Refused("no draw is claimed")
    rule = next(rule for rule in match.rules if rule.id == claim.rule)
    if not claim.founded and by == "opponent":
        return Refused("the counter does not show it: the arbiter decides", rule.article)
    match = replace(match, claim=None)
    return _ended(match, "draw", rule.id, rule.article, rule.text)


def reject_draw(match: Match, by: Role) -> Match | Refused:
    """The arbiter rejects the claim; what a wrong claim may cost is noted, not imposed."""
    claim = match.claim
    if claim is None:
        return Refused("no draw is claimed")
    rule = next(rule for rule in match.rules if rule.id == claim.rule)
    if by == "opponent":
        return Refused("the opponent does not agree: the arbiter decides", rule.article)
    text = "the claim is rejected"
    price = rule.wrong_claim
    if price is not None and not claim.founded:
        text += (
            f"; may cost the claimant {price.charge_s // 60} minutes,"
            f" but {price.floor_s // 60} stay on his clock"
        )
    return noted(replace(match, claim=None), claim.side, "claim-rejected", rule.article, text)


def resign(
    match: Match, side: Side, how: Literal["aloud", "stopped-clock"] = "aloud"
) -> Match | Refused:
    """A player gives up, aloud or by stopping his own clock."""
    if match.outcome is not None:
        return _OVER
    text = "resigned" if how == "aloud" else "resigned by stopping the clock"
    return _ended(match, opponent_of(side), "resigned", "S0 8.1; FMJD 7.2", text)


def flag_fell(match: Match, side: Side) -> Match | Refused:
    """A player's time is over.  A game that ended before stays as it ended."""
    if match.outcome is not None:
        return _OVER
    return _ended(match, opponent_of(side), "time", "S0 7.2", "time over")


def both_flags_fell(match: Match) -> Match | Refused:
    """Both flags are down and nobody can tell which fell first."""
    if match.outcome is not None:
        return _OVER
    return _ended(match, "draw", "both-flags", "S0 8.2", "both flags down, first one not known")


def declare(
    match: Match, ending: Ending, by: Role, text: str, article: str = "S0 8.1"
) -> Match | Refused:
    """The arbiter ends the game; a loss, of one or of both, needs the chief arbiter (S0 10.2)."""
    if by == "opponent":
        return Refused("a player can't decide the game", "S0 8.1")
    if ending in ("w", "b", "both-lost") and by != "chief-arbiter":
        return Refused("a loss is for the chief arbiter", "S0 10.2")
    return _ended(match, ending, "declared", article, text)


def reopen(match: Match, text: str) -> Match | Refused:
    """The arbiter lets an ended game go on: the last word is a person's."""
    if match.outcome is None:
        return Refused("the game is not over")
    return noted(replace(match, outcome=None), None, "reopened", "", text)


def _ended(match: Match, ending: Ending, reason: str, article: str, text: str) -> Match:
    outcome = Outcome(ending, reason, article, text)
    return replace(match, outcome=outcome, offer=None, restore=None)
