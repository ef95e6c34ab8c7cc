"""Another reading of the last few scenes, when what stands now shows that one was read wrongly.

Each scene that a move was confirmed from is kept.  Where no legal move explains the board any
more, histories that part from the record are tried: other moves, whose boards the kept scenes also
allow, and that lead to what stands now.  So two readings stay open until a later move decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules.draughts.game import DraughtsGame
from rules.draughts.position import Move, Position

from .evidence import Evidence, contents_of
from .priors import CERTAIN, cost_of

#: Scenes that are kept, and so the number of moves that can be read anew.
KEPT = 4

#: Histories that are followed at once.
BEAM = 6

#: Squares that may differ from what stands after a first move, for a second one to be tried.
NEAR = 5


@dataclass(frozen=True, slots=True)
class Trace:
    """A scene that moves were confirmed from.

    Attributes:
        plies: in the record after them.
        moves: how many they were.
        evidence: the scene.
    """

    plies: int
    moves: int
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Reread:
    """What was really played.

    Attributes:
        plies: last ones in the record that are wrong.
        moves: those in their place.
        on: those played since.
    """

    plies: int
    moves: tuple[Move, ...]
    on: tuple[Move, ...]


_History = tuple[int, tuple[Move, ...]]


def reread(
    now: Evidence,
    game: DraughtsGame,
    seen: Sequence[Position],
    trail: Sequence[Trace],
    limit: int,
) -> Reread | None:
    """The one history that explains what stands now; None if there is none, or several.

    Args:
        now: the scene that the record doesn't lead to.
        game: the rules.
        seen: every position of the record, the start first.
        trail: the last scenes, oldest first.
        limit: how much worse the kept scenes together may fit the other history.
    """
    found: list[tuple[int, Reread, Position]] = []
    ends = len(seen) - 1
    for depth in range(1, len(trail) + 1):
        first = trail[-depth]
        if first.plies != ends:  # something stands between that no scene was kept of
            break
        base = ends = first.plies - first.moves
        for cost, moves in _histories(game, seen, trail[-depth:], limit):
            for on in _since(now, game, moves[-1].after, depth):
                after = on[-1].after if on else moves[-1].after
                contents = contents_of(after, game.board.count)
                if not now.misfits(contents):
                    prior = len(on) * cost_of("further-move") + depth * cost_of("misread")
                    total = cost + prior + now.total(contents)
                    found.append((total, Reread(len(seen) - 1 - base, moves, on), after))
    found.sort(key=lambda each: each[0])
    if not found:
        return None
    best, story, stands = found[0]
    rivals = [cost for cost, _, after in found if after != stands]
    return story if not rivals or rivals[0] - best >= CERTAIN else None


def _histories(
    game: DraughtsGame, seen: Sequence[Position], traces: Sequence[Trace], limit: int
) -> list[_History]:
    """Other moves for these scenes, from the first of them on, the best first."""
    count = game.board.count
    histories: list[_History] = [(0, ())]
    begins = seen[traces[0].plies - traces[0].moves]
    for place, trace in enumerate(traces):
        told = contents_of(seen[trace.plies], count)
        recorded = trace.evidence.total(told)
        grown: list[_History] = []
        for cost, moves in histories:
            here = moves[-1].after if moves else begins
            for chain in _chains(game, here, trace.moves):
                contents = contents_of(chain[-1].after, count)
                worse = cost + trace.evidence.total(contents) - recorded
                if worse <= limit and not (place == 0 and contents == told):
                    grown.append((worse, (*moves, *chain)))
        histories = sorted(grown, key=lambda history: history[0])[:BEAM]
    return histories


def _chains(game: DraughtsGame, position: Position, plies: int) -> Iterator[tuple[Move, ...]]:
    """All chains of one or two plies; longer ones are not read anew."""
    for move in game.moves(position) if plies in (1, 2) else ():
        if plies == 1:
            yield (move,)
        else:
            yield from ((move, reply) for reply in game.moves(move.after))


def _since(
    now: Evidence, game: DraughtsGame, position: Position, depth: int
) -> Iterator[tuple[Move, ...]]:
    """What may have been played since the last kept scene: nothing, a move, or two."""
    count = game.board.count
    yield ()
    for move in game.moves(position):
        yield (move,)
        if depth == 1 and len(now.misfits(contents_of(move.after, count))) <= NEAR:
            yield from ((move, reply) for reply in game.moves(move.after))
