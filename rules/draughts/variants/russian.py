"""Russian draughts."""

from ..codes import FMJD
from ..geometry import Board
from ..variant import Variant

VARIANT = Variant(
    name="russian",
    title="Russian draughts",
    board=Board(8),
    rows_of_men=3,
    first="w",
    men_capture_backward=True,
    men_capture_kings=True,
    kings_fly=True,
    king_must_go_on=True,
    crowned_in_passing=True,
    precedence=(),
    blocked_wins=False,
    algebraic=True,
    separator=":",
    game_type="25,W,8,8,A0,0",
    articles=FMJD,
)
