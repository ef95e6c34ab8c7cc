"""International draughts."""

from ..codes import FMJD
from ..geometry import Board
from ..variant import Variant

VARIANT = Variant(
    name="international",
    title="International draughts",
    board=Board(10),
    rows_of_men=4,
    first="w",
    men_capture_backward=True,
    men_capture_kings=True,
    kings_fly=True,
    king_must_go_on=True,
    crowned_in_passing=False,
    precedence=("most-pieces",),
    blocked_wins=False,
    algebraic=False,
    separator="x",
    game_type="20,W,10,10,N2,0",
    articles=FMJD,
)
