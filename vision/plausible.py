"""Whether a wrong board can be the work of one deed, and hangs together, or moves were missed."""

from __future__ import annotations

from rules.draughts.game import DraughtsGame
from rules.draughts.position import Position, Side

from .evidence import FAINT, Evidence, colours_of, contents_of
from .priors import ALARM, CERTAIN


def lost_track(game: DraughtsGame, before: Position, after: Position, code: str) -> bool:
    """Whether more moves were made than could be followed.

    Two own pieces elsewhere and men of the opponent's gone are no single deed, unless two legal
    moves in a row explain them, or a capture beside which one piece was displaced.
    A piece of the opponent's on a new square is one wrong deed if nothing else changed, or if it
    is his move out of turn.  With other changes beside it, both sides have moved far sooner than
    one player moved for both.
    """
    own, foes = _of(before.side, before), _of(after.side, before)
    own_now, foes_now = _of(before.side, after), _of(after.side, after)
    risen, gone = foes_now & ~foes, foes & ~foes_now
    if gone and code != "O2" and (own_now & ~own).bit_count() > 1:
        # a capture, and another piece displaced by the sleeve
        captures = (move.after for move in game.moves(before) if move.taken)
        return not any(
            foes_now == _of(after.side, end) and (_of(before.side, end) & ~own_now).bit_count() == 1
            for end in captures
        )
    if not risen or (own == own_now and risen.bit_count() == gone.bit_count()):
        return False
    return not out_of_turn(game, before, after)


def out_of_turn(game: DraughtsGame, before: Position, after: Position) -> bool:
    """Whether the board is that after a legal move of the side whose turn it is not."""
    ends = (move.after for move in game.moves(before.with_side(after.side)))
    return (after.white, after.black) in [(end.white, end.black) for end in ends]


def _of(side: Side, position: Position) -> int:
    return position.white if side == "w" else position.black


def loose(evidence: Evidence, game: DraughtsGame, before: Position, after: Position) -> bool:
    """Whether a wrong board leaves something unexplained, or hangs on a square hard to read.

    Every square that the deed changed decides what it is called, and who is accused of what.  One
    piece from nowhere, faintly seen far from them, is no part of the story.
    """
    board = game.board
    stands, stood = contents_of(after, board.count), contents_of(before, board.count)
    pairs = zip(colours_of(stands), colours_of(stood), strict=True)
    changed = {n for n, (now, was) in enumerate(pairs, 1) if now != was}
    if changed & evidence.doubtful(stands, ALARM):
        return True
    misfits = evidence.misfits(stands, CERTAIN)
    odd = [board.cell(n) for n in misfits] + [*evidence.stray]
    strong = evidence.misfits(stands, FAINT) or evidence.stray - evidence.faint
    if len(odd) > 1 or strong or any(stands[n - 1] for n in misfits):
        return True
    cells = [board.cell(n) for n in changed]
    return any(abs(r - row) <= 1 and abs(c - col) <= 1 for r, c in odd for row, col in cells)
