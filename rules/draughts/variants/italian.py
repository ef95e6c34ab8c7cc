"""Italian draughts."""

from ..codes import FMJD
from ..geometry import Board
from ..variant import Variant

VARIANT = Variant(
    name="italian",
    title="Italian draughts",
    board=Board(8, mirrored=True),
    rows_of_men=3,
    first="w",
    men_capture_backward=False,
    men_capture_kings=False,
    kings_fly=False,
    king_must_go_on=True,
    crowned_in_passing=False,
    precedence=("most-pieces", "with-king", "most-kings", "kings-first"),
    blocked_wins=False,
    algebraic=False,
    separator="x",
    game_type="22,W,8,8,N2,1",
    articles=FMJD,
)
