"""English draughts."""

from ..codes import FMJD
from ..geometry import Board
from ..variant import Variant

VARIANT = Variant(
    name="english",
    title="English draughts",
    board=Board(8),
    rows_of_men=3,
    first="b",
    men_capture_backward=False,
    men_capture_kings=True,
    kings_fly=False,
    king_must_go_on=True,
    crowned_in_passing=False,
    precedence=(),
    blocked_wins=False,
    algebraic=False,
    separator="x",
    game_type="21,B,8,8,N1,0",
    articles=FMJD,
)
