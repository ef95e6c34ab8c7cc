"""The best board that is physically possible, whatever the rules say.

Pieces move and vanish; none comes from nowhere, so neither colour has more than it had.  Crowns
are carried: where a piece came from, its crown came from too, and only when men and kings moved at
once do the marks in the picture decide which is which.
"""

from __future__ import annotations

from rules.draughts.game import DraughtsGame
from rules.draughts.position import Position, other

from .evidence import BLACK, WHITE, Evidence, colours_of, contents_of

Contents = tuple[int, ...]
_LETTERS = {WHITE: ("w", "W"), BLACK: ("b", "B")}


def free_reading(evidence: Evidence, here: Contents, best: Contents) -> Contents:
    """The best legal board, corrected where the picture clearly says otherwise.

    Args:
        evidence: the scene.
        here: what stood there before; no colour may have more pieces than in it.
        best: the legal board that fits best.

    Returns:
        Colours by square.
    """
    misfits = evidence.misfits(best)
    here, best = colours_of(here), colours_of(best)
    board = list(best)
    for square in misfits:
        board[square - 1] = evidence.best(square)
    for colour in (WHITE, BLACK):
        new = [n for n, was in enumerate(best, 1) if board[n - 1] == colour != was]
        new.sort(key=lambda n: (_gain(evidence, n, best[n - 1]), n))
        for square in new[: max(0, board.count(colour) - here.count(colour))]:
            board[square - 1] = best[square - 1]
    return tuple(board)


def _gain(evidence: Evidence, square: int, colour: int) -> int:
    costs = evidence.costs[square - 1]
    return costs[colour] - min(costs)


def as_it_stands(
    game: DraughtsGame, before: Position, contents: Contents, evidence: Evidence
) -> Position:
    """A board of colours as a position, crowns carried from ``before``, the opponent to move.

    A king comes from a king, or stands on its last row: a man that only looks like one is a man.
    """
    was = before.pieces()
    old = colours_of(contents_of(before, game.board.count))
    pieces = {n: was[n] for n, colour in enumerate(contents, 1) if colour and old[n - 1] == colour}
    for colour, (man, king) in _LETTERS.items():
        left = [n for n, c in enumerate(old, 1) if c == colour != contents[n - 1]]
        come = [n for n, c in enumerate(contents, 1) if c == colour != old[n - 1]]
        kings = sum(was[n] == king for n in left)
        men = len(left) - kings
        # when fewer arrive than left, those that vanished may have been either: believe the marks
        come.sort(key=lambda n: (-evidence.crowns[n - 1], n))
        marked = sum(evidence.crowns[n - 1] > 0 for n in come)
        carried = min(kings, max(len(come) - men, marked))
        last = game.variant.last_row("w" if colour == WHITE else "b")
        for place, square in enumerate(come):
            crowned = last >> square - 1 & 1 or place < carried
            pieces[square] = king if crowned else man
    return Position.of(pieces, other(before.side))
