"""The three ways in which Toreshi may behave at a table, as one table of facts.

A game recorded once gives the same moves and the same offences in each; the modes differ in when
they are told, to whom, and what else is worth a word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .signals import Signal

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
        hidden: signals that are kept from the table.  No wink for a legal move, either: its absence
            would tell of an illegal one.
        flag_ends: a flag of ours that falls ends the game; else the arbiter says so.
    """

    name: str
    alarm: Moment
    told: Told
    volume: int
    remarks: frozenset[str]
    takebacks: Takebacks
    flag_ends: bool
    hidden: frozenset[Signal] = frozenset()


#: All that only a sequence shows.
_SEQUENCES = frozenset(("O10", "O16", "O18", "order", "takeback", "touch"))

_JUDGEMENTS = frozenset(
    (
        Signal.LEGAL,
        Signal.ILLEGAL,
        Signal.MISSED_CAPTURE,
        Signal.LEFT_ON_BOARD,
        Signal.CROWN_IT,
        Signal.FLAG,
    )
)

MODES = {
    mode.name: mode
    for mode in (
        # two players at home: nobody wants to hear of a touched piece, and a move may be tried
        Mode("home", "at-once", "table", 100, frozenset(("O18",)), "free", True),
        # a club evening: other boards are near, and a turn ends with the clock
        Mode("club", "turn", "table", 40, _SEQUENCES, "agreed", True),
        # nothing at the table unless the arbiter wants it
        Mode("tournament", "turn", "arbiter", 0, _SEQUENCES, "arbiter", False, _JUDGEMENTS),
    )
}
