"""How likely each kind of thing is before the picture is looked at: one table, with the reasons.

Numbers are costs in nats (minus the logarithm of a probability), counted against "nothing was
done", for ONE hypothesis of its kind, so the number of moves to choose from is in them.  They
come from how people play and from what a mistake of the referee costs, never from pictures that
results are measured on.
"""

from __future__ import annotations

from .steady import UNITS_PER_NAT

#: Kind or code -> cost in nats.
NATS = {
    # A turn is played sooner or later; there are about ten moves to choose from (ln 10 = 2.3).
    "move": 2.0,
    # A second ply under the same cover: one scene in ten at a quick pace, and ten moves again.
    "further-move": 4.5,
    # Back to an earlier position, for each ply: one move in two hundred at home.
    "takeback": 5.5,
    "further-takeback": 1.5,
    # A confirmed move that was another one, for each scene read wrongly: one in five hundred.
    "misread": 6.0,
    # Offences happen once or twice in a hundred plies.  Those that beginners make in good faith
    # (a capture not seen, a chain not finished, a man left standing) are the likeliest.
    "O6": 5.0,
    "O8b": 5.0,
    "O9": 5.0,
    "O11": 5.0,
    "O14": 5.0,
    # One piece gone and nothing else: it shows on one square only, so the eyes must be quite sure.
    "O7": 5.5,
    # A wrong square, a man moved backward, one piece too many taken off.
    "O1": 7.0,
    "O4a": 7.0,
    "O12": 7.0,
    "O13": 7.0,
    # Two pieces displaced at once, or one of the opponent's: nobody does that unawares.
    "O2": 9.0,
    "O3": 9.0,
    "O5": 12.0,
}

#: A false alarm in front of two players costs about as much as a dozen offences told late, so
#: the odds for an offence must be better than 12 to 1 (ln 12 = 2.5 nats) after all priors.
ALARM = round(2.5 * UNITS_PER_NAT)

#: A move is written into the record and can be corrected from the next scene; 4 to 1 will do.
CERTAIN = round(1.5 * UNITS_PER_NAT)


#: An offence that shows on one square alone hangs on that square.  Most misreadings have a cause
#: that lasts, so where the same square was read rightly and surely a moment ago, by eyes that were
#: not caught misreading in this game, a fresh one is seven times rarer than the eyes say (2 nats).
PROVEN = round(2.0 * UNITS_PER_NAT)


def cost_of(kind: str) -> int:
    """The cost of a kind or code in units of ``percept.STEP``."""
    return round(NATS[kind] * UNITS_PER_NAT)


#: The cost of the likeliest offence.
LEAST_OFFENCE = min(cost_of(kind) for kind in NATS if kind.startswith("O"))
