"""Giveaway (Poddavki): Russian draughts with the goal turned round."""

from dataclasses import replace

from .russian import VARIANT as RUSSIAN

VARIANT = replace(
    RUSSIAN,
    name="giveaway",
    title="Giveaway (Poddavki)",
    blocked_wins=True,
    # PDN 3.0 has no number for it.
    tag="Poddavki",
)
