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
from dataclasses import dataclass
from functools import lru_cache

from rules.draughts.deeds import Changes
from rules.draughts.game import DraughtsGame
from rules.draughts.position import Move, Position, Side
from rules.verdict import Offence

from .chains import chains
from .evidence import Evidence, code_of, colours_of, contents_of
from .freely import as_it_stands, free_reading
from .plausible import loose, lost_track, out_of_turn
from .priors import ALARM, CERTAIN, LEAST_OFFENCE, PROVEN, cost_of
from .steady import DIFFERS

#: More changed squares than this are not looked through for chains of moves.
CHANGED = 12

#: More squares than this against every legal board are a board that is being cleared or was knocked
#: over, which is nobody's offence (9.3): one wrong deed leaves fewer.
UPSET = 6

#: Beyond so many plies back one more makes a takeback no less likely.
FAR = 5

#: Offences that clearing the board begins with, and how many pieces may be gone by one of them.
LIKE_CLEARING, LIFTED = frozenset({"O7"}), 2

#: Offences that legal moves look like when one before them was not seen: more than one piece stands
#: elsewhere, or men are gone that no single move takes.
LIKE_A_MISSED_MOVE = frozenset({"O1", "O2", "O3", "O5", "O7", "O12", "O13"})

Contents = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """Legal plies, one or more."""

    moves: tuple[Move, ...]
    after: Position


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The board stands as it stood some plies ago, or another move was made from there.

    Attributes:
        plies: how many were taken back.
        after: the board now.
        moves: what was played in their place; mostly nothing.
    """

    plies: int
    after: Position
    moves: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class Wrong:
    """An offence, after no, one or more legal plies.

    Attributes:
        moves: legal plies played before it under the same cover.
        before: the position it was committed in.
        after: the board as it stands, the opponent to move.
        offence: its name and reason.
        by: who committed it; None for the side to move in ``before``.
    """

    moves: tuple[Move, ...]
    before: Position
    after: Position
    offence: Offence
    by: Side | None = None


Deed = Played | TakenBack | Wrong


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The confirmed position still stands."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One explanation is much better than the others and fits by itself.

    Attributes:
        deed: what was done.
        margin: how much better than the next explanation, in units of ``percept.STEP``.
        misfits: squares that read otherwise all the same.
    """

    deed: Deed
    margin: int
    misfits: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several legal explanations are about as good."""

    deeds: tuple[Deed, ...]


@dataclass(frozen=True, slots=True)
class Unexplained:
    """Nothing fits well enough.

    Attributes:
        squares: those that stand against the best legal explanation.
        likely: that explanation, if one square alone stands against it, and one that it does not
            touch: most likely that square is misread.
        suspected: a wrong deed explains the scene even better, but not by enough.
    """

    squares: tuple[int, ...]
    likely: Played | Unchanged | None = None
    suspected: bool = False


Reading = Unchanged | Seen | Ambiguous | Unexplained


_Rival = tuple[int, Wrong]


@dataclass(frozen=True, slots=True)
class _Candidate:
    cost: int
    contents: Contents
    deed: Played | TakenBack | None


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
    legal = _legal(evidence, game, position, earlier, reach, unread)
    best = legal[0]
    rivals = [c for c in legal[1:] if c.contents != best.contents]
    margin = rivals[0].cost - best.cost if rivals else ALARM
    misfits = evidence.misfits(best.contents)
    wrong = None
    if _leaves_room(evidence, best):
        wrong = _wrong(evidence, game, position, best, reach if not unread else 1)
    likely = _likely(best, misfits) if margin >= CERTAIN else None
    if wrong is not None and wrong[0] < best.cost:
        gap = best.cost - wrong[0]
        needed = ALARM * (1 + unread) - _trusted(best, wrong[1], game.board.count, proven)
        if gap >= needed and _sound(evidence, game, wrong[1], unread):
            return Seen(wrong[1], gap)
        return Unexplained(misfits, likely if gap < ALARM else None, suspected=True)
    if wrong is not None and not _same(wrong[1].after, best.contents, game.board.count):
        # of two stories of the same board the legal one is believed
        margin = min(margin, wrong[0] - best.cost)
    if misfits and (likely is None or best.deed is None or margin < CERTAIN):
        return Unexplained(misfits, likely)
    if margin < CERTAIN and rivals:
        close = [c.deed for c in (best, *rivals) if c.cost - best.cost < CERTAIN]
        return Ambiguous(tuple(deed for deed in close if deed is not None))
    return Unchanged() if best.deed is None else Seen(best.deed, margin, misfits)


def _leaves_room(evidence: Evidence, best: _Candidate) -> bool:
    """Whether a wrong board could come near the best legal one.

    Each differs from it on a square at least, and is an offence.
    """
    prior = best.cost - evidence.total(best.contents)
    return bool(evidence.doubtful(best.contents, max(1, prior + CERTAIN - LEAST_OFFENCE)))


def _trusted(best: _Candidate, wrong: Wrong, count: int, proven: frozenset[int]) -> int:
    """How much less surety is asked of a wrong board that shows on one proven square."""
    stands = zip(
        colours_of(contents_of(wrong.after, count)), colours_of(best.contents), strict=True
    )
    apart = [n for n, (now, legal) in enumerate(stands, 1) if now != legal]
    return PROVEN if len(apart) == 1 and apart[0] in proven else 0


def _likely(best: _Candidate, misfits: tuple[int, ...]) -> Played | Unchanged | None:
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


# ---------------------------------------------------------------- legal explanations


def _legal(
    evidence: Evidence,
    game: DraughtsGame,
    position: Position,
    earlier: Sequence[Position],
    reach: int,
    unread: int,
) -> list[_Candidate]:
    """Legal explanations, the best first; of equal boards the simplest comes first."""
    count = game.board.count
    here = contents_of(position, count)
    found = [_Candidate(evidence.total(here), here, None)]
    found += [_played(evidence, game, (move,), unread) for move in game.moves(position)]
    for plies, back in enumerate(reversed(earlier), 1):
        contents = contents_of(back, count)
        cost = cost_of("takeback") + min(plies - 1, FAR) * cost_of("further-takeback")
        found.append(_Candidate(evidence.total(contents) + cost, contents, TakenBack(plies, back)))
    if earlier:
        found += _instead(evidence, game, earlier[-1], here)
    best = min(found, key=lambda c: c.cost)
    # longer chains only when no single ply explains the scene
    if reach > 1 and evidence.misfits(best.contents):
        changed = frozenset(evidence.misfits(here, DIFFERS))
        several = chains(game, position, changed, reach) if len(changed) <= CHANGED else ()
        found += [_played(evidence, game, chain, unread) for chain in several if len(chain) > 1]
    return sorted(found, key=lambda c: c.cost)


def _instead(
    evidence: Evidence, game: DraughtsGame, back: Position, here: Contents
) -> Iterator[_Candidate]:
    """Another move in place of the last one, which was not yet let go when it was read."""
    for move in game.moves(back):
        contents = contents_of(move.after, game.board.count)
        if contents != here:
            cost = cost_of("takeback") + cost_of("move")
            deed = TakenBack(1, move.after, (move,))
            yield _Candidate(evidence.total(contents) + cost, contents, deed)


def _played(
    evidence: Evidence, game: DraughtsGame, moves: tuple[Move, ...], unread: int
) -> _Candidate:
    after = moves[-1].after
    contents = contents_of(after, game.board.count)
    expected = min(len(moves), 1 + unread)
    prior = expected * cost_of("move") + (len(moves) - expected) * cost_of("further-move")
    return _Candidate(evidence.total(contents) + prior, contents, Played(moves, after))


# ---------------------------------------------------------------- wrong explanations


def _wrong(
    evidence: Evidence, game: DraughtsGame, position: Position, best: _Candidate, reach: int
) -> _Rival | None:
    """The best wrong board: the free reading, or a named deed; None when there is none."""
    found = list(_named(evidence, game, position))
    free = free_reading(evidence, contents_of(position, game.board.count), best.contents)
    if free != colours_of(best.contents) and len(evidence.misfits(best.contents)) <= UPSET:
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
    for move in game.moves(position):
        after = colours_of(contents_of(move.after, game.board.count))
        over = not game.moves(move.after)
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


def _same(position: Position, contents: Contents, count: int) -> bool:
    """Whether a position shows the same colours as a board."""
    return colours_of(contents_of(position, count)) == colours_of(contents)


@lru_cache(maxsize=16)
def _boards(game: DraughtsGame, position: Position) -> tuple[Changes, ...]:
    """The boards after wrong deeds in a position, which is looked at in many scenes."""
    return tuple(game.wrong_boards(position))
