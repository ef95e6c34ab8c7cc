"""The three ways in which Toreshi may behave at a table, as one table of facts.

A game recorded once gives the same moves and the same offences in each; the modes differ in when
they are told, to whom, and what else is worth a word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Moment = Literal["at-once", "turn"]
Told = Literal["table", "arbiter"]
Takebacks = Literal["free", "agreed", "arbiter"]


@dataclass(frozen=True, slots=True)
class Mode:
    """One row.

    Attributes:
        name: as on the command line.
        alarm: ``at-once``: when a wrong board has stood for its wait, or the clock was pressed;
            ``turn``: with our clock only when it was pressed, without one as at once.
        told: who hears of offences: the ``table`` by lamp and buzzer, or the ``arbiter`` alone, on
            the page.
        volume: of the buzzer, percent; 0 leaves the lamps alone.
        remarks: codes that only a sequence shows and that are noted in this mode.
        takebacks: ``free``: the board decides; ``agreed``: told as a remark, by command only
            with the opponent's consent; ``arbiter``: goes to the arbiter, by command only his.
    """

    name: str
    alarm: Moment
    told: Told
    volume: int
    remarks: frozenset[str]
    takebacks: Takebacks


_SEQUENCES = frozenset(("O10", "O16", "O18", "touch", "order"))

MODES = {
    mode.name: mode
    for mode in (
        # two players at home: nobody wants to hear of a touched piece, and a move may be tried
        Mode("home", "at-once", "table", 100, frozenset(("O18",)), "free"),
        # a club evening: other boards are near, and a turn ends with the clock
        Mode("club", "turn", "table", 40, frozenset(("O10", "O18", "touch")), "agreed"),
        # nothing at the table unless the arbiter wants it
        Mode("tournament", "turn", "arbiter", 0, _SEQUENCES, "arbiter"),
    )
}
