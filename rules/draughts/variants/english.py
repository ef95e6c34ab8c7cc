"""English draughts (checkers), after the rules of the WCDF.

They have no list of irregularities as fine as that of the FMJD, whose articles stand in for it.
"""

from ..codes import FMJD
from ..geometry import Board
from ..variant import Variant

VARIANT = Variant(
    name="english",
    title="English draughts",
    # WCDF 1.4-1.5: a dark "single corner" at each player's left; squares from 1 to 32.
    board=Board(8),
    # Twelve men on the dark squares of the first three rows.
    rows_of_men=3,
    # The dark pieces begin.
    first="b",
    # WCDF 1.17: a man captures forward only, men and kings.
    men_capture_backward=False,
    men_capture_kings=True,
    # WCDF 1.18: a king goes one square and jumps one piece at a time, all four ways.
    kings_fly=False,
    king_must_go_on=True,
    # WCDF 1.19: a capture that reaches the last row ends there with the crowning.
    crowned_in_passing=False,
    # WCDF 1.20: captures are compulsory, and any may be chosen; the one begun must be finished.
    precedence=(),
    # Without a move or a piece the game is lost.
    blocked_wins=False,
    # Squares are numbers.
    algebraic=False,
    separator="x",
    game_type="21,B,8,8,N1,0",
    # PDN 3.0, table of game types.
    points="1-1/2-0",
    # WCDF 1.32.1, 1.32.2.
    draws={"official": ("REP3e", "F40")},
    articles=FMJD
    | {
        "O4a capture": "WCDF 1.17; FMJD 5.4.2",
        "O6": "WCDF 1.20; FMJD 5.4.6",
        "O9": "WCDF 1.20; FMJD 5.4.9",
    },
)
