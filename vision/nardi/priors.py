"""How likely each kind of turn is before the picture is looked at: one table, with the reasons.

Costs in nats for ONE board of its kind, as in `vision.priors`.  They come from how people play and
from what a mistake of the referee costs, never from pictures that results are measured on.
"""

from __future__ import annotations

from ..steady import UNITS_PER_NAT

#: Kind or code -> cost in nats.
NATS = {
    # Every turn has one of about twenty legal ends, and mostly it is one of these.
    "turn": 3.0,
    # A turn left unfinished, or a second checker off the head: the mistakes of every evening.
    "M6": 5.0,
    "M4": 5.0,
    "M2": 5.5,
    "M5": 5.0,
    "M7": 5.0,
    "M8": 5.0,
    # Borne off too early or from too low a point: miscounted, at the end of nearly every game.
    "B1": 6.0,
    "B2": 5.5,
    # On the opponent's checker, backwards: beginners, and people who know backgammon.
    "M3": 6.0,
    "M1": 7.0,
    # The opponent's checkers moved: a sleeve, a knock, a turn that was not seen; or gone, which is
    # a hit as in backgammon.
    "P5": 9.0,
    "B3": 8.0,
    "E1": 9.0,
}

#: A false alarm costs about as much as a dozen offences told late (ln 12 = 2.5 nats).
ALARM = round(2.5 * UNITS_PER_NAT)

#: A turn is written into the record and can be corrected; 4 to 1 will do.
CERTAIN = round(1.5 * UNITS_PER_NAT)

#: A point contradicts what should stand there when something else is this much likelier.
CONTRADICTS = 3 * UNITS_PER_NAT


def cost_of(kind: str) -> int:
    """The cost of a kind or code in units of ``percept.STEP``."""
    return round(NATS[kind] * UNITS_PER_NAT)
