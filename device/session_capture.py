"""Captures in the making: boards that a legal capture passes through before it is complete.

A capture is complete when the last captured man is off (S0 5.13).  Until then its piece may stand
on any landing square and its victims may be off or not, in any order (5.9): whatever such a board
would be called if the turn ended with it, the next thing that the hand does may make it right.
"""

from __future__ import annotations

from rules.draughts.game import DraughtsGame
from rules.draughts.position import Position, Side, other
from vision.chains import legal_moves
from vision.infer import Reading, Seen, Wrong

#: Offences that say themselves that a capture is not complete: the piece stands further on,
#: victims still stand.
CAPTURING = frozenset(("O9", "O11"))


def is_capturing(game: DraughtsGame, wrong: Wrong) -> bool:
    """Whether a wrong board may be a capture that is not complete yet.

    A flying king that stands where a quiet move also leads to, with its victims untouched, is
    called O6; it may still lift them.
    """
    if wrong.offence.code in CAPTURING:
        return True
    return wrong.by is None and passes_through(game, wrong.before, wrong.after)


def passes_through(game: DraughtsGame, before: Position, board: Position) -> bool:
    """Whether a legal capture of the side to move in ``before`` passes through a board.

    Some of its victims still stand there.
    """
    own, foes = _of(before.side, before), _of(other(before.side), before)
    own_now, foes_now = _of(before.side, board), _of(other(before.side), board)
    for move in legal_moves(game, before):
        taken = sum(1 << square - 1 for square in move.taken)
        if not foes_now & taken or foes_now & ~foes or foes & ~foes_now & ~taken:
            continue
        rest = own & ~(1 << move.frm - 1)
        if any(own_now == rest | 1 << square - 1 for square in move.path[1:]):
            return True
    return False


def making(game: DraughtsGame, reading: Reading) -> Wrong | None:
    """The capture in the making as which a scene reads, if nothing else was played before it."""
    deed = reading.deed if isinstance(reading, Seen) else None
    begun = isinstance(deed, Wrong) and not deed.moves and is_capturing(game, deed)
    return deed if isinstance(deed, Wrong) and begun else None


def _of(side: Side, position: Position) -> int:
    return position.white if side == "w" else position.black
