"""Chains of legal plies that squares which look changed allow."""

from __future__ import annotations

from collections.abc import Iterator

from rules.draughts.game import DraughtsGame
from rules.draughts.position import Move, Position


def chains(
    game: DraughtsGame,
    position: Position,
    changed: frozenset[int],
    reach: int,
    done: tuple[Move, ...] = (),
    owed: frozenset[int] = frozenset(),
) -> Iterator[tuple[Move, ...]]:
    """Chains of plies each of which leaves or reaches a square that looks changed.

    A square that an earlier ply of the chain reached may be left again, or cleared, without a
    trace.  One that a capture cleared and that looks as before is ``owed``: a later ply, mostly
    the capture in return, has to fill it again.
    """
    marked = changed | {move.to for move in done}
    for move in game.moves(position):
        if move.frm in marked or move.to in changed or move.to in owed:
            chain = (*done, move)
            left = (owed | (set(move.taken) - marked)) - {move.to}
            if not left:
                yield chain
            if len(chain) + max(1, len(left)) <= reach:
                yield from chains(game, move.after, changed, reach, chain, left)
