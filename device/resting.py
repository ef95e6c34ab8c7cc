"""Which percepts of a board at rest are worth keeping: a journal must not fill the disk overnight.

Only boards at which nobody plays count: before the first move, after the last, and swept.  What is
left out is not seen by the session either, so a journal still replays to the same effects.
"""

from __future__ import annotations

from dataclasses import dataclass

from vision.nardi.percept import NardiPercept
from vision.percept import Percept

#: Phases in which a board may lie untouched for days.
RESTING = frozenset({"waiting", "over", "swept"})

#: Share of the board that may change between two frames of a board that nobody touches.
STILL = 0.01

#: A board is at rest when nothing has moved for so long; then one percept in so long is kept.
REST_NS, SELDOM_NS = 30_000_000_000, 5_000_000_000


@dataclass(slots=True)
class Rest:
    """How long the board has been left alone."""

    _still_ns: int = -1
    _kept_ns: int = -1

    def dull(self, percept: Percept | NardiPercept, phase: str) -> bool:
        """Whether this percept may be left out."""
        untouched = percept.geometry == "found" and not percept.covered and percept.motion < STILL
        if phase not in RESTING or not untouched:
            self._still_ns = -1
        elif self._still_ns < 0:
            self._still_ns = percept.at_ns
        at_rest = self._still_ns >= 0 and percept.at_ns - self._still_ns >= REST_NS
        if at_rest and percept.at_ns - self._kept_ns < SELDOM_NS:
            return True
        self._kept_ns = percept.at_ns
        return False
