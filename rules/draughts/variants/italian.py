"""Italian draughts (dama italiana), after the rulebook of the FID."""

from ..codes import FMJD
from ..geometry import Board
from ..variant import Variant

VARIANT = Variant(
    name="italian",
    title="Italian draughts",
    # FID 2.3-2.4: a dark corner at each player's right hand; squares count from the top left.
    board=Board(8, mirrored=True),
    # FID 2.6: Black on 1-12, White on 21-32; the two rows between are free.
    rows_of_men=3,
    # Italian rules 3.1: White begins, unless the lot says otherwise; then the position says so.
    first="w",
    # Italian rules 5.3: a man captures forward only, and (5.4) never a king.
    men_capture_backward=False,
    men_capture_kings=False,
    # Italian rules 3.8, 5.5: a king goes one square and jumps one piece at a time, all four ways.
    kings_fly=False,
    king_must_go_on=True,
    # Italian rules 5.16: a capture that reaches the last row ends there.
    crowned_in_passing=False,
    # FID 6.6-6.9: most pieces; then with a king; then most kings; then kings met first.
    precedence=("most-pieces", "with-king", "most-kings", "kings-first"),
    # Italian rules 8.1: without a move or a piece the game is lost.
    blocked_wins=False,
    # Italian rules 6: squares are written as numbers.
    algebraic=False,
    separator="x",
    game_type="22,W,8,8,N2,1",
    # PDN 3.0, table of game types.
    points="1-1/2-0",
    # S0 8.2, FID 9.3 and 10.4.
    draws={"official": ("REP4", "F40i")},
    articles=FMJD
    | {
        "O1": "Italian rules 9.4(1); FMJD 5.4.2",
        "O1 man-takes-king": "Italian rules 5.4, 9.4(1)",
        "O2": "Italian rules 9.4(2); FMJD 5.4.1",
        "O3": "Italian rules 9.4(3); FMJD 5.4.3",
        "O4a": "Italian rules 9.4(4)",
        "O5": "Italian rules 9.4(5); FMJD 5.4.5",
        "O6": "FID 6.1; FMJD 5.4.6",
        "O7": "Italian rules 9.4(7); FMJD 5.4.7",
        "O8b most-pieces": "FID 6.6; FMJD 5.4.8",
        "O8b with-king": "FID 6.7; FMJD 5.4.8",
        "O8b most-kings": "FID 6.8; FMJD 5.4.8",
        "O8b kings-first": "FID 6.9; FMJD 5.4.8",
        "O9": "Italian rules 9.4(9); FMJD 5.4.9",
        "O11": "Italian rules 9.4(11); FMJD 5.4.11",
        "O12": "Italian rules 9.4(12); FMJD 5.4.12",
        "O13": "Italian rules 9.4(13); FMJD 5.4.14",
        "O14": "Italian rules 3.7; FMJD 5.4.15",
    },
)
