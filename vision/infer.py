"""From a steady scene to what was done: open-world, so "none of what I know" is an answer.

Three kinds of explanation compete.  *Legal* ones: nothing was done, a move, a chain of moves, a
move taken back.  The *free* reading: the best board that is physically possible (no piece from
nowhere).  And *named* wrong deeds, which carry further where a square is hard to read.  Only when
a wrong board beats every legal one by a wide gap, and fits by itself, is it an offence; when
nothing fits, the answer says on which squares.  All hypotheses are sparse changes of the
confirmed position, and all costs are whole numbers of ``percept.STEP``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from rules.draughts.deeds import Changes
from rules.draughts.game import DraughtsGame
from rules.draughts.position import Move, Position
from rules.verdict import Offence

from .chains import legal_moves
from .evidence import Evidence, code_of, colours_of, contents_of
from .freely import as_it_stands, free_reading
from .legal import Candidate, legal
from .plausible import loose, lost_track, out_of_turn
from .priors import ALARM, CERTAIN, LEAST_OFFENCE, PROVEN, cost_of
from .readings import (
    Ambiguous,
    Deed,
    Played,
    Reading,
    Seen,
    TakenBack,
    Unchanged,
    Unexplained,
    Wrong,
)

#: More squares than this against every legal board are a board that is being cleared or was knocked
#: over, which is nobody's offence (9.3): one wrong deed leaves fewer.
UPSET = 6

#: Offences that clearing the board begins with, and how many pieces may be gone by one of them.
LIKE_CLEARING, LIFTED = frozenset({"O7"}), 2

#: Offences that legal moves look like when one before them was not seen: more than one piece stands
#: elsewhere, or men are gone that no single move takes.
LIKE_A_MISSED_MOVE = frozenset({"O1", "O2", "O3", "O5", "O7", "O12", "O13"})

#: Offences that are steps of a capture as long as its turn has not ended.
HALF_WAY = frozenset({"O9", "O11"})

__all__ = [
    "Ambiguous",
    "Deed",
    "Played",
    "Reading",
    "Seen",
    "TakenBack",
    "Unchanged",
    "Unexplained",
    "Wrong",
    "infer",
]

Contents = tuple[int, ...]

_Rival = tuple[int, Wrong]


def infer(
    evidence: Evidence,
    game: DraughtsGame,
    position: Position,
    earlier: Sequence[Position] = (),
    reach: int = 4,
    unread: int = 0,
    proven: frozenset[int] = frozenset(),
) -> Reading:
    """Explain a scene.

    Args:
        evidence: the scene by playing square.
        game: the rules.
        position: what was confirmed last, with the side to move.
        earlier: positions before it, oldest first; back to any of them is a takeback.
        reach: how many plies may have been played since.
        unread: scenes since then that couldn't be explained.  Each may hide a move, which makes
            chains likelier; and an offence must be as much clearer, since what it was committed
            from is less certain.
        proven: squares that were read rightly and surely a moment ago, by eyes that have not been
            caught misreading: an offence that shows on one of them alone is believed sooner.
    """
    found = legal(evidence, game, position, earlier, reach, unread)
    best = found[0]
    rivals = [c for c in found[1:] if not c.shows(best)]
    margin = rivals[0].cost - best.cost if rivals else ALARM
    stands = contents_of(best.stands, game.board.count)
    misfits = evidence.misfits(stands)
    wrong = None
    if _leaves_room(evidence, stands, best.cost):
        wrong = _wrong(evidence, game, position, stands, reach if not unread else 1)
    likely = _likely(best, misfits) if margin >= CERTAIN else None
    if wrong is not None and wrong[0] < best.cost:
        gap = best.cost - wrong[0]
        needed = ALARM * (1 + unread) - _trusted(stands, wrong[1], proven)
        if gap >= needed and _sound(evidence, game, wrong[1], unread):
            return Seen(wrong[1], gap)
        return Unexplained(misfits, likely if gap < ALARM else None, suspected=True)
    if wrong is not None and not _same(wrong[1].after, stands, game.board.count):
        # of two stories of the same board the legal one is believed
        margin = min(margin, wrong[0] - best.cost)
    if misfits and (likely is None or best.deed is None or margin < CERTAIN):
        return Unexplained(misfits, likely)
    if isinstance(best.deed, Played) and len(best.deed.moves) > 1:
        stopped = _stopped(evidence, game, position, best)
        if stopped is not None:
            return Ambiguous((best.deed, stopped))
    if margin < CERTAIN and rivals:
        close = [c.deed for c in (best, *rivals) if c.cost - best.cost < CERTAIN]
        return Ambiguous(tuple(deed for deed in close if deed is not None))
    return Unchanged() if best.deed is None else Seen(best.deed, margin, misfits)


def _leaves_room(evidence: Evidence, best: Contents, cost: int) -> bool:
    """Whether a wrong board could come near the best legal one.

    Each differs from it on a square at least, and is an offence.
    """
    prior = cost - evidence.total(best)
    return bool(evidence.doubtful(best, max(1, prior + CERTAIN - LEAST_OFFENCE)))


def _trusted(best: Contents, wrong: Wrong, proven: frozenset[int]) -> int:
    """How much less surety is asked of a wrong board that shows on one proven square."""
    boards = zip(colours_of(contents_of(wrong.after, len(best))), colours_of(best), strict=True)
    apart = [n for n, (now, legal) in enumerate(boards, 1) if now != legal]
    return PROVEN if len(apart) == 1 and apart[0] in proven else 0


def _likely(best: Candidate, misfits: tuple[int, ...]) -> Played | Unchanged | None:
    """The best legal explanation, if one square that it does not touch is all against it."""
    if len(misfits) != 1 or isinstance(best.deed, TakenBack):
        return None
    if best.deed is None:
        return Unchanged()
    touched = {n for move in best.deed.moves for n in (*move.path, *move.taken)}
    return best.deed if touched.isdisjoint(misfits) else None


def _sound(evidence: Evidence, game: DraughtsGame, deed: Wrong, unread: int) -> bool:
    """Whether a wrong board leaves nothing unexplained, and isn't likelier something else."""
    missed = unread and deed.offence.code in LIKE_A_MISSED_MOVE
    before, after = deed.before, deed.after
    lifted = (before.white | before.black).bit_count() - (after.white | after.black).bit_count()
    clearing = deed.offence.code in LIKE_CLEARING and lifted > LIFTED
    return not (missed or clearing or loose(evidence, game, before, after))


# ---------------------------------------------------------------- wrong explanations


def _wrong(
    evidence: Evidence, game: DraughtsGame, position: Position, best: Contents, reach: int
) -> _Rival | None:
    """The best wrong board: the free reading, or a named deed; None when there is none."""
    found = list(_named(evidence, game, position))
    free = free_reading(evidence, contents_of(position, game.board.count), best)
    if free != colours_of(best) and len(evidence.misfits(best)) <= UPSET:
        found += _free(evidence, game, position, free, reach)
    return min(found, key=lambda pair: pair[0], default=None)


def _named(evidence: Evidence, game: DraughtsGame, position: Position) -> Iterator[_Rival]:
    """The named wrong deed that fits best, if the game lists any."""
    contents = contents_of(position, game.board.count)
    found: list[tuple[int, int, Changes]] = []
    for place, changes in enumerate(_boards(game, position)):
        cost = 0
        for square, piece in changes:
            costs = evidence.costs[square - 1]
            cost += costs[code_of(piece)] - costs[contents[square - 1]]
        found.append((cost, place, changes))
    best: _Rival | None = None
    base = evidence.total(contents)
    for cost, _, changes in sorted(found):  # to name a board takes longer than to weigh it
        if best is not None and base + cost + LEAST_OFFENCE >= best[0]:
            break
        board = list(contents)
        for square, piece in changes:
            board[square - 1] = code_of(piece)
        for rival in _judged(evidence, game, (), position, colours_of(board)):
            best = rival if best is None else min(best, rival, key=lambda pair: pair[0])
    if best is not None:
        yield best


def _free(
    evidence: Evidence, game: DraughtsGame, position: Position, free: Contents, reach: int
) -> Iterator[_Rival]:
    """A free board as a deed of the side to move, or of its opponent after a legal move."""
    yield from _judged(evidence, game, (), position, free)
    if reach < 2:
        return
    here = colours_of(contents_of(position, game.board.count))
    for move in legal_moves(game, position):
        after = colours_of(contents_of(move.after, game.board.count))
        over = not legal_moves(game, move.after)
        if not over and all(a == f for h, a, f in zip(here, after, free, strict=True) if h != a):
            yield from _judged(evidence, game, (move,), move.after, free)


def _judged(
    evidence: Evidence,
    game: DraughtsGame,
    moves: tuple[Move, ...],
    before: Position,
    contents: Contents,
) -> Iterator[_Rival]:
    after = as_it_stands(game, before, contents, evidence)
    verdict = game.judge(before, after)
    if not isinstance(verdict, Offence) or (moves and verdict.code in LIKE_A_MISSED_MOVE):
        return
    if not lost_track(game, before, after, verdict.code):
        # a legal move of the other side is a second move in a row far sooner than a hand that
        # moves the opponent's man
        again = verdict.code == "O5" and out_of_turn(game, before, after)
        prior = cost_of("O2" if again else verdict.code)
        if moves:
            prior += cost_of("move") + len(moves) * cost_of("further-move")
        stands = contents_of(after, game.board.count)
        yield evidence.total(stands) + prior, Wrong(moves, before, after, verdict)


def _stopped(
    evidence: Evidence, game: DraughtsGame, position: Position, best: Candidate
) -> Wrong | None:
    """A capture that may have stopped half way, if that leaves the board of a chain of plies.

    A king that pauses in the midst of its capture stands where moves to and fro could have led
    it; which it was, the next scene tells.
    """
    board = colours_of(contents_of(best.stands, game.board.count))
    begun: list[tuple[tuple[Move, ...], Position]] = [((), position)]
    begun += [((move,), move.after) for move in legal_moves(game, position)]
    for moves, before in begun:
        for cost, wrong in _judged(evidence, game, moves, before, board):
            if wrong.offence.code in HALF_WAY and cost < best.cost + CERTAIN:
                return wrong
    return None


def _same(position: Position, contents: Contents, count: int) -> bool:
    """Whether a position shows the same colours as a board."""
    return colours_of(contents_of(position, count)) == colours_of(contents)


@lru_cache(maxsize=16)
def _boards(game: DraughtsGame, position: Position) -> tuple[Changes, ...]:
    """The boards after wrong deeds in a position, which is looked at in many scenes."""
    return tuple(game.wrong_boards(position))
