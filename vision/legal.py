"""Legal explanations of a scene: nothing done, a move, a chain of them, moves taken back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules.draughts.game import DraughtsGame
from rules.draughts.position import Move, Position

from .chains import Budget, chains, legal_moves
from .evidence import Evidence, Scales, contents_of
from .priors import ALARM, cost_of
from .readings import Played, TakenBack
from .steady import DIFFERS

#: More changed squares than this are not looked through for chains of moves.
CHANGED = 12

#: Beyond so many plies back one more makes a takeback no less likely.
FAR = 5


@dataclass(frozen=True, slots=True)
class Candidate:
    """A legal explanation.

    Attributes:
        cost: of what is seen and of what was done, in units of ``percept.STEP``.
        stands: the board by it.
        deed: what was done; None for nothing.
    """

    cost: int
    stands: Position
    deed: Played | TakenBack | None

    def shows(self, other: Candidate) -> bool:
        """Whether both leave the same board."""
        return self.stands.with_side("w") == other.stands.with_side("w")


def legal(
    evidence: Evidence,
    game: DraughtsGame,
    position: Position,
    earlier: Sequence[Position],
    reach: int,
    unread: int,
) -> list[Candidate]:
    """Legal explanations, the best first; of equal boards the simplest comes first.

    Args:
        evidence, game, position, earlier, reach, unread: as for `infer.infer`.
    """
    scales = Scales(evidence, position)
    found = [Candidate(scales.of(position), position, None)]
    found += [_played(scales, (move,), unread) for move in legal_moves(game, position)]
    for plies, back in enumerate(reversed(earlier), 1):
        cost = cost_of("takeback") + min(plies - 1, FAR) * cost_of("further-takeback")
        found.append(Candidate(scales.of(back) + cost, back, TakenBack(plies, back)))
    if earlier:
        found += _instead(scales, game, earlier[-1], position)
    best = min(found, key=lambda c: c.cost)
    # longer chains only when no single ply explains the scene
    if reach > 1 and evidence.misfits(contents_of(best.stands, game.board.count)):
        found += _several(evidence, scales, game, position, best.cost, reach, unread)
    return sorted(found, key=lambda c: c.cost)


def _several(
    evidence: Evidence,
    scales: Scales,
    game: DraughtsGame,
    position: Position,
    best: int,
    reach: int,
    unread: int,
) -> list[Candidate]:
    """Chains of two plies and more, as long as one more ply could make them likelier."""
    changed = frozenset(evidence.misfits(contents_of(position, game.board.count), DIFFERS))
    found: list[Candidate] = []
    budget = Budget()
    for plies in range(2, reach + 1 if len(changed) <= CHANGED else 2):
        if best + ALARM <= _prior(plies, unread):
            break
        longer = chains(game, position, changed, plies, budget)
        if longer is None:
            break
        found += [_played(scales, chain, unread) for chain in longer]
        best = min((best, *(c.cost for c in found)))
    return found


def _instead(
    scales: Scales, game: DraughtsGame, back: Position, here: Position
) -> Iterator[Candidate]:
    """Another move in place of the last one, which was not yet let go when it was read."""
    cost = cost_of("takeback") + cost_of("move")
    for move in legal_moves(game, back):
        if move.after != here:
            deed = TakenBack(1, move.after, (move,))
            yield Candidate(scales.of(move.after) + cost, move.after, deed)


def _played(scales: Scales, moves: tuple[Move, ...], unread: int) -> Candidate:
    after = moves[-1].after
    return Candidate(scales.of(after) + _prior(len(moves), unread), after, Played(moves, after))


def _prior(plies: int, unread: int) -> int:
    """What so many plies ask to be believed."""
    expected = min(plies, 1 + unread)
    return expected * cost_of("move") + (plies - expected) * cost_of("further-move")
