"""International draughts on a hundred squares, after annex 1 of the FMJD."""

from ..codes import FMJD
from ..geometry import Board
from ..variant import Variant

VARIANT = Variant(
    name="international",
    title="International draughts",
    # FMJD 2.1, 2.4: ten by ten, the long diagonal starts at the left hand of each player.
    board=Board(10),
    # FMJD 2.8: Black on 1-20, White on 31-50.
    rows_of_men=4,
    # White begins.
    first="w",
    # FMJD 4.1-4.2: a man captures forward and backward, men and kings.
    men_capture_backward=True,
    men_capture_kings=True,
    # FMJD 4.3: a king captures close by or at a distance, and lands anywhere behind.
    kings_fly=True,
    # FMJD 4.6: of those squares it chooses one from which it takes more.
    king_must_go_on=True,
    # FMJD 3.5, 4.15: a man is crowned only where its move ends on the last row.
    crowned_in_passing=False,
    # FMJD 4.13: most pieces, a king counting as one; FMJD 4.14: free among equals.
    precedence=("most-pieces",),
    # FMJD 7.2: without a move or a piece the game is lost.
    blocked_wins=False,
    # FMJD 2.6: squares are numbers from the upper row, left to right.
    algebraic=False,
    separator="x",
    game_type="20,W,10,10,N2,0",
    # PDN 3.0, table of game types.
    points="2-1-0",
    # FMJD 6.1-6.4.
    draws={"official": ("REP3", "K25", "E16", "E5")},
    articles=FMJD | {"O8b": "FMJD 4.13, 5.4.8", "O9 land": "FMJD 4.6, 5.4.9"},
)
