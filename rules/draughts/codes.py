"""Codes of offences: their names, what else they could be called, and the FMJD article of each.

The codes follow the list of offences that the Italian, Russian and international rulebooks share
(Italian rules 9.4, FMJD annex 1 article 5.4); O4a and O8b are what two boards can show of two.
"""

from __future__ import annotations

#: Code -> kind.
KINDS = {
    "O1": "illegal-move",
    "O2": "two-moves",
    "O3": "other-piece",
    "O4a": "backward",
    "O5": "opponents-piece",
    "O6": "capture-ignored",
    "O7": "removed-without-reason",
    "O8b": "not-majority",
    "O9": "stopped-capture",
    "O11": "wrong-count",
    "O12": "removed-uncaptured",
    "O13": "removed-own",
    "O14": "not-crowned",
}

#: Code -> codes that fit as well but say less.
ALSO = {
    "O4a": ("O1",),
    "O11": ("O19",),
    "O12": ("O8", "O11"),
}

#: Code -> article of FMJD annex 1, "Irregularities".
FMJD = {
    "O1": "FMJD 5.4.2",
    "O2": "FMJD 5.4.1",
    "O3": "FMJD 5.4.3",
    "O4a": "FMJD 5.4.2",
    "O5": "FMJD 5.4.5",
    "O6": "FMJD 5.4.6",
    "O7": "FMJD 5.4.7",
    "O8b": "FMJD 5.4.8",
    "O9": "FMJD 5.4.9",
    "O11": "FMJD 5.4.11",
    "O12": "FMJD 5.4.12",
    "O13": "FMJD 5.4.14",
    "O14": "FMJD 5.4.15",
}
