"""Wrong boards to stage: one of each code that a position allows, unlike any legal play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from models.synth.arrays import Rng
from rules.draughts.game import DraughtsGame
from rules.draughts.position import Move, Position, Side, other
from rules.verdict import Offence

from .games_acts import colours

#: A wrong deed changes no more squares than this.
MOST_CHANGED = 6

#: More men gone than this, and nothing moved, is a board that is being cleared.
LIFTED = 2

#: A set has shown how it marks kings when one has stood for so many plies.
SHOWN = 3

#: Earlier positions that a board may be taken back to.
BACK = 6


@dataclass(frozen=True, slots=True)
class WrongBoard:
    """A board after a wrong deed.

    Attributes:
        board: as it stands, the opponent of ``by`` to move.
        offence: what the rules call it.
        code, by: what the referee should say, and of whom.
    """

    board: Position
    offence: Offence
    code: str
    by: Side


def staged_board(
    game: DraughtsGame,
    seen: Sequence[Position],
    staged: Counter[str],
    rng: Rng,
    rare: Collection[str],
    rare_only: bool,
    unseen: Collection[str] = (),
) -> WrongBoard | None:
    """A wrong board after the last position seen, of a code that was staged least so far.

    Boards that legal moves or a takeback also lead to are left out: nobody could tell them apart.

    Args:
        game: the rules.
        seen: the positions of the game.
        staged: how often each code was staged.
        rng: chance.
        rare: codes that few positions allow.
        rare_only: whether only those are wanted.
        unseen: codes that nothing on this set shows.
    """
    position = seen[-1]
    kings = sum(bool(p.white_kings | p.black_kings) for p in seen[:-1]) >= SHOWN
    by_code: dict[str, list[Position]] = {}
    for deed in game.deeds(position):
        allowed = _allowed(position, deed.changes, kings) and (kings or deed.code != "O14")
        if allowed and deed.code not in unseen and (not rare_only or deed.code in rare):
            pieces = {**position.pieces(), **dict(deed.changes)}
            board = Position.of(pieces, other(position.side))
            by_code.setdefault(deed.code, []).append(board)
    if not by_code:
        return None
    legal, again = set(_legal(game, seen)), set(_again(game, seen))
    codes = sorted(by_code, key=lambda c: (c not in rare, staged[c], rng.random()))
    for code in codes:
        for n in rng.permutation(len(by_code[code]))[:12]:
            board = by_code[code][int(n)]
            verdict = game.judge(position, board)
            if not isinstance(verdict, Offence) or verdict.code != code:
                continue
            if colours(board) in legal and code != "O14":
                continue
            if code == "O5" and colours(board) in again:
                # only the sequence tells: whoever moved last has moved once more
                back = board.with_side(position.side)
                return WrongBoard(back, verdict, "O2", other(position.side))
            return WrongBoard(board, verdict, code, position.side)
    return None


def _allowed(position: Position, changes: Sequence[tuple[int, str]], kings: bool) -> bool:
    """Whether a deed is one that people do, and that a camera can tell.

    An unmarked king can't be told before the set has shown how it marks them.
    """
    gone = sum(piece == "." for _, piece in changes)
    only_gone = gone == len(changes)
    own = {piece for _, piece in changes} - {"."}
    crown_only = own and not gone and all(
        position.piece(n).lower() == piece.lower() for n, piece in changes
    )  # fmt: skip
    return len(changes) <= MOST_CHANGED and not (only_gone and gone > LIFTED) and (
        kings or not crown_only
    )  # fmt: skip


def _again(game: DraughtsGame, seen: Sequence[Position]) -> Iterator[tuple[int, int]]:
    """Colours of boards after one more move of the side that has just moved."""
    if len(seen) > 1:
        yield from (colours(m.after) for m in game.moves(seen[-1].with_side(other(seen[-1].side))))


def _legal(game: DraughtsGame, seen: Sequence[Position]) -> Iterator[tuple[int, int]]:
    """Colours of boards that two legal plies, a takeback or another last move lead to."""
    yield from (colours(p) for p in seen[-1 - BACK :])
    roots = [seen[-1], *seen[-2:-1]]
    for root in roots:
        for move in game.moves(root):
            yield colours(move.after)
            for reply in game.moves(move.after):
                yield colours(reply.after)


def unlike_chain(game: DraughtsGame, position: Position, chain: Sequence[Move]) -> bool:
    """Whether no other chain of so many plies leads to the board that this one leads to."""
    goal = colours(chain[-1].after)
    ways = 0
    layer = [position]
    for depth in range(len(chain)):
        if len(layer) > 3000:
            return False
        after = [move.after for here in layer for move in game.moves(here)]
        if depth == len(chain) - 1:
            ways = sum(colours(p) == goal for p in after)
        layer = after
    return ways == 1
