"""Russian draughts (shashki), after the code of the Russian federation and of FMJD-64."""

from ..codes import FMJD
from ..geometry import Board
from ..variant import Variant

VARIANT = Variant(
    name="russian",
    title="Russian draughts",
    # The main road a1-h8 starts at the left hand of each player.
    board=Board(8),
    # Twelve men on the dark squares of the first three rows.
    rows_of_men=3,
    # White begins.
    first="w",
    # A man captures forward and backward, men and kings.
    men_capture_backward=True,
    men_capture_kings=True,
    # A king goes and captures over any distance of empty squares.
    kings_fly=True,
    # Of the squares behind a piece taken the king has to choose one from which it takes more.
    king_must_go_on=True,
    # A man that reaches the last row in a capture becomes a king at once and goes on as one.
    crowned_in_passing=True,
    # Of several captures any may be chosen; the one begun must be finished.
    precedence=(),
    # Without a move or a piece the game is lost.
    blocked_wins=False,
    # Files a-h from White's left, ranks 1-8 from White; ":" is the sign of a capture.
    algebraic=True,
    separator=":",
    game_type="25,W,8,8,A0,0",
    # PDN 3.0, table of game types.
    points="1-1/2-0",
    # FMJD-64 7.2.3-7.2.8; the rules page S1 knows no other automatic draw than the 15 moves.
    draws={
        "official": ("REP3r", "T15", "K15", "E30", "E60", "R5", "E5r"),
        "site": ("K15",),
    },
    articles=FMJD | {"O9 land": "FMJD 4.6, 5.4.9"},
)
