"""Chains of legal plies that squares which look changed allow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rules.draughts.game import DraughtsGame
from rules.draughts.position import Move, Position

#: So many positions may be looked at for one scene.  With several kings and a dozen changed squares
#: there are thousands of chains, and nobody could say which of them was played.
POSITIONS = 250

Chain = tuple[Move, ...]


@dataclass(slots=True)
class Budget:
    """How many positions may still be looked at; below 0, some were left out."""

    left: int = POSITIONS


def chains(
    game: DraughtsGame,
    position: Position,
    changed: frozenset[int],
    plies: int,
    budget: Budget,
) -> list[Chain] | None:
    """Chains of so many plies, each of which leaves or reaches a square that looks changed.

    A square that an earlier ply of the chain reached may be left again, or cleared, without a
    trace.  One that a capture cleared and that looks as before is owed: a later ply, mostly the
    capture in return, has to fill it again.

    Returns:
        The chains; None when there are too many to look at, since some of them say nothing.
    """
    found = list(_grown(game, position, changed, plies, (), frozenset(), budget))
    return found if budget.left >= 0 else None


def _grown(
    game: DraughtsGame,
    position: Position,
    changed: frozenset[int],
    plies: int,
    done: Chain,
    owed: frozenset[int],
    budget: Budget,
) -> Iterator[Chain]:
    budget.left -= 1
    if budget.left < 0:
        return
    marked = changed | {move.to for move in done}
    for move in legal_moves(game, position):
        if move.frm in marked or move.to in changed or move.to in owed:
            chain = (*done, move)
            left = (owed | (set(move.taken) - marked)) - {move.to}
            if len(chain) == plies:
                if not left:
                    yield chain
            elif len(chain) + max(1, len(left)) <= plies:
                yield from _grown(game, move.after, changed, plies, chain, left, budget)


@lru_cache(maxsize=1024)
def legal_moves(game: DraughtsGame, position: Position) -> Sequence[Move]:
    """The legal moves of a position, which is looked at in many scenes."""
    return game.moves(position)
