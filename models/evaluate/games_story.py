"""Stories of whole games: played moves, staged offences and everything else that hands do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from models.synth.arrays import Rng
from models.synth.demo import search
from models.synth.game import Grid
from rules.draughts import match as match_of
from rules.draughts.game import DraughtsGame
from rules.draughts.match import Match
from rules.draughts.match_conduct import accept, offend
from rules.draughts.position import Move, Position, other
from rules.match import Refused
from rules.verdict import Offence

from .games_acts import Act, Carry, Press, Sweep, Truth, Wait, grid_of
from .games_disturb import disturbance
from .games_staged import WrongBoard, staged_board, unlike_chain

#: Offences in a game; and codes that few positions allow, staged at once, up to so often.
OFFENCES = 8
RARE = {"O6": 1, "O8b": 3, "O9": 2, "O11": 1, "O14": 2}

#: Offences that an opponent lets stand now and then.
MAY_STAND = frozenset(("O1", "O3", "O4a", "O6", "O7", "O12", "O13"))

#: How often, for each ply: a disturbance, an offence, replies under the same cover, a takeback.
DISTURBED, WRONG, CHAINED, RETAKEN = 0.22, 0.16, 0.06, 0.02

#: How often a man is lifted and put back before another one is played; a move is made with both
#: hands; taken men are lifted in the wrong order.
TOUCHED, TWO_HANDS, DISORDERED = 0.04, 0.06, 0.3

#: Rows from a player's edge beyond which both of his arms are seen.
REACHES = 3

#: Longest that players wait for an alarm, seconds: longer than one waits between two liftings.
PATIENCE = 12.0


@dataclass(slots=True)
class Writer:
    """A story while it is written."""

    game: DraughtsGame
    mode: str
    clocked: bool
    rng: Rng
    match: Match
    acts: list[Act] = field(default_factory=list)
    staged: Counter[str] = field(default_factory=Counter)
    unseen: frozenset[str] = frozenset()

    @property
    def position(self) -> Position:
        """What stands by the rules."""
        return self.match.position

    def grid(self, position: Position | None = None) -> Grid:
        """A board as White sees it."""
        return grid_of(self.game, position or self.position)

    def truth(self, kind: str, **fields: object) -> Truth:
        """A truth of this moment."""
        return Truth(kind, len(self.match.plies), self.position.side, **fields)  # type: ignore[arg-type]

    def chance(self, share: float) -> bool:
        """True in a share of cases."""
        return bool(self.rng.random() < share)

    def rest(self) -> None:
        """The board stands still for a moment, as it does while a player thinks."""
        self.acts.append(Wait(float(self.rng.uniform(0.8, 1.3))))


def story(
    game: DraughtsGame,
    rng: Rng,
    plies: int,
    mode: str,
    clocked: bool,
    unseen: frozenset[str] = frozenset(),
) -> list[Act]:
    """A game of at most so many plies; offences of the codes ``unseen`` are not staged."""
    writer = Writer(game, mode, clocked, rng, match_of.begin(game), unseen=unseen)
    writer.acts += [Wait(2.6), writer.truth("start", fen=game.write(writer.position))]
    while len(writer.match.plies) < plies and writer.match.outcome is None:
        if writer.chance(DISTURBED):
            writer.acts += disturbance(game, writer.position, rng)
        if _stage(writer) and writer.match.outcome is not None:
            break
        if writer.chance(CHAINED) and _chain(writer):
            continue
        move = chosen(game, writer.position, rng)
        touched = writer.chance(TOUCHED) and _touch(writer, move)
        _play(writer, move, touched=touched)
        if writer.chance(RETAKEN) and writer.match.outcome is None:
            _take_back(writer)
    side = other(writer.position.side)
    writer.acts += [Wait(1.2), Sweep(side), writer.truth("swept"), Wait(3.4)]
    return writer.acts


def chosen(game: DraughtsGame, position: Position, rng: Rng) -> Move:
    """A move: long captures and crownings gladly, else good ones, a third of them at random."""
    moves = game.moves(position)
    fine = [m for m in moves if len(m.taken) > 1 or m.crowned]
    if fine and rng.random() < 0.6:
        return fine[int(rng.integers(len(fine)))]
    if rng.random() < 0.35:
        return moves[int(rng.integers(len(moves)))]
    sign = 1 if position.side == "w" else -1
    scored = [(-search(game, m.after, 1, -sign), n) for n, m in enumerate(moves)]
    best = max(score for score, _ in scored)
    good = [moves[n] for score, n in scored if score >= best - 1]
    return good[int(rng.integers(len(good)))]


# ---------------------------------------------------------------- legal moves


def _play(
    writer: Writer, move: Move, quick: bool = False, righted: bool = False, touched: bool = False
) -> None:
    """A legal move, made at once or with a man lifted late or a king marked slowly."""
    grids, what, truths = [writer.grid()], "move", []
    pause = float(writer.rng.uniform(0.8, 1.8))
    both = False
    noted = writer.mode != "home"
    if righted:
        truths.append(writer.truth("righted"))
    elif not quick:
        both = _reaches_far(writer, move) and writer.chance(TWO_HANDS)
        truths += [writer.truth("remark", code="O16")] * (both and noted)
        truths += [writer.truth("remark", code="touch")] * (touched and noted)
        early = _lifted_early(writer, move)
        if early:
            truths += early.truths
            grids.append(early.grid)
            what, pause = "victim lifted before the chain ends", 1.3
        elif len(move.taken) > 1 and writer.chance(DISORDERED):
            grids += [_standing(writer, move), _standing(writer, move, move.taken[:-1])]
            what, pause = "men lifted in the wrong order", 1.3
            truths += [writer.truth("remark", code="order")] * noted
        elif move.taken and writer.chance(0.25):
            grids.append(_standing(writer, move))
            what = "men lifted late"
        elif move.crowned and writer.chance(0.5):
            grids.append(_unmarked(writer, move))
            what = "king marked slowly"
    text, fen = writer.game.text(writer.position, move), writer.game.write(move.after)
    truths.append(writer.truth("ply", text=text, fen=fen, quick=quick, pressed=writer.clocked))
    side = writer.position.side
    grids.append(writer.grid(move.after))
    writer.acts.append(Carry(side, tuple(grids), pause, quick, tuple(truths), what, both))
    writer.match = _sure(match_of.play(writer.match, move))
    if writer.clocked:
        writer.acts.append(Press(side))
    if not quick:
        writer.rest()


@dataclass(frozen=True, slots=True)
class Early:
    """A board in the midst of a capture, and what it means."""

    grid: Grid
    truths: list[Truth]


def _lifted_early(writer: Writer, move: Move) -> Early | None:
    """The first victim off and the man on its first landing square, the chain unfinished (O10)."""
    if len(move.taken) < 2 or len(move.path) < 3 or writer.clocked or not writer.chance(0.5):
        return None
    pieces = writer.position.pieces()
    pieces[move.path[1]] = pieces.pop(move.frm)
    del pieces[move.taken[0]]
    board = Position.of(pieces, other(writer.position.side))
    verdict = writer.game.judge(writer.position, board)
    if not isinstance(verdict, Offence) or verdict.code != "O9":
        return None
    noted = [writer.truth("remark", code="O10")] if writer.mode != "home" else []
    return Early(writer.grid(board), noted)


def _touch(writer: Writer, move: Move) -> bool:
    """A man that could move is lifted and put back, before another one is played (4.3)."""
    free = sorted({m.frm for m in writer.game.moves(writer.position)} - {move.frm})
    if not free or writer.clocked:
        return False
    pieces = writer.position.pieces()
    del pieces[free[int(writer.rng.integers(len(free)))]]
    lifted = writer.grid(Position.of(pieces, writer.position.side))
    grids = (writer.grid(), lifted, writer.grid())
    writer.acts.append(Carry(writer.position.side, grids, 1.2, what="touched and put back"))
    writer.rest()
    return True


def _reaches_far(writer: Writer, move: Move) -> bool:
    """Whether the mover's arms reach well into the board."""
    size = writer.game.board.size
    rows = [writer.game.board.cell(n)[0] for n in (move.frm, move.to)]
    return min(size - 1 - r if writer.position.side == "w" else r for r in rows) >= REACHES


def _standing(writer: Writer, move: Move, men: Sequence[int] = ()) -> Grid:
    """The move made, with all captured men, or some, still on the board."""
    pieces = dict(move.after.pieces())
    before = writer.position.pieces()
    pieces.update({n: before[n] for n in men or move.taken})
    return writer.grid(Position.of(pieces, move.after.side))


def _unmarked(writer: Writer, move: Move) -> Grid:
    """The move made, with the new king not yet marked."""
    pieces = {**move.after.pieces(), move.to: writer.position.side}
    return writer.grid(Position.of(pieces, move.after.side))


def _chain(writer: Writer) -> bool:
    """Two to four plies under one cover, each the only story that leads to the last board."""
    plies = int(writer.rng.choice([2, 3, 4], p=[0.7, 0.2, 0.1]))
    here, chain = writer.position, list[Move]()
    for _ in range(plies):
        if not writer.game.moves(here):
            break
        move = chosen(writer.game, here, writer.rng)
        if chain and not unlike_chain(writer.game, writer.position, [*chain, move]):
            break
        chain.append(move)
        here = move.after
    if len(chain) < 2:
        return False
    for move in chain[:-1]:
        _play(writer, move, quick=True)
        if writer.match.outcome is not None:
            return True
    _play(writer, chain[-1])
    return True


def _take_back(writer: Writer) -> None:
    """The last move is taken back."""
    before = writer.match.previous
    if before is None or writer.clocked:
        return
    side, grids = before.position.side, (writer.grid(), writer.grid(before.position))
    writer.acts.append(Carry(side, grids, 0, False, (writer.truth("takeback"),), "takeback"))
    writer.match = _sure(match_of.take_back(writer.match))
    writer.rest()


# ---------------------------------------------------------------- offences


def _stage(writer: Writer) -> bool:
    """A wrong deed, put right or let stand, if it is time for one and the position has one."""
    total = sum(writer.staged.values())
    rare = [c for c, most in RARE.items() if writer.staged[c] < most]
    common = len(writer.match.plies) >= 3 and total < OFFENCES and writer.chance(WRONG)
    if writer.clocked and common and writer.chance(0.12):
        _press_without_move(writer)
        return True
    wrong = staged_board(
        writer.game, writer.match.seen, writer.staged, writer.rng, rare,
        rare_only=not common, unseen=writer.unseen,
    )  # fmt: skip
    if wrong is None:
        return False
    writer.staged[wrong.code] += 1
    side, fen = wrong.by, writer.game.write(wrong.board)
    late = side != writer.position.side
    truth = Truth("staged", len(writer.match.plies), side, wrong.code, "", fen, False,
                  writer.clocked and not late)  # fmt: skip
    grids = (writer.grid(), writer.grid(wrong.board))
    writer.acts.append(Carry(side, grids, 0, False, (truth,), f"offence {wrong.code}"))
    if writer.clocked and not late:
        writer.acts.append(Press(side))
    writer.acts.append(Wait(PATIENCE, alarm=True))
    if not late and wrong.code in MAY_STAND and writer.chance(0.2) and _let_stand(writer, wrong):
        return True
    _put_right(writer, wrong)
    return True


def _let_stand(writer: Writer, wrong: WrongBoard) -> bool:
    """The opponent plays on from the wrong board, which accepts it."""
    accused = _sure(offend(writer.match, wrong.offence, wrong.board))
    accepted = _sure(accept(accused))
    if accepted.outcome is not None:
        return False
    fen = writer.game.write(accepted.position)
    truth = writer.truth("accepted", code=wrong.code, fen=fen)
    writer.match = accepted
    writer.acts.append(truth)
    _play(writer, chosen(writer.game, writer.position, writer.rng))
    return True


def _put_right(writer: Writer, wrong: WrongBoard) -> None:
    """The board is put back, or at once made that of a legal move."""
    side, stands = wrong.by, writer.grid(wrong.board)
    moves = [m for m in writer.game.moves(writer.position) if wrong.code == "O14"
             and grid_shows(writer, m, wrong)]  # fmt: skip
    if moves:
        text, fen = (writer.game.text(writer.position, moves[0]),
                     writer.game.write(moves[0].after))  # fmt: skip
        truths = (writer.truth("righted"), writer.truth("ply", text=text, fen=fen, quick=True))
        grids = (stands, writer.grid(moves[0].after))
        writer.acts.append(Carry(side, grids, 0, False, truths, "king marked after an alarm"))
        writer.match = _sure(match_of.play(writer.match, moves[0]))
    else:
        grids = (stands, writer.grid())
        truth = writer.truth("righted")
        writer.acts.append(Carry(side, grids, 0, False, (truth,), "put right"))
        if writer.clocked and side == writer.position.side:
            writer.acts.append(Press(other(side)))
    writer.acts.append(Wait(float(writer.rng.uniform(1.0, 1.4))))


def grid_shows(writer: Writer, move: Move, wrong: WrongBoard) -> bool:
    """Whether a wrong board is that of a move but for its crown."""
    board = wrong.board.pieces()
    return {n: p.lower() for n, p in move.after.pieces().items()} == {
        n: p.lower() for n, p in board.items()
    }


def _press_without_move(writer: Writer) -> None:
    """The clock is pressed although nothing was played."""
    writer.staged["O18"] += 1
    side = writer.position.side
    fen = writer.game.write(writer.position)
    writer.acts += [
        Press(side),
        writer.truth("staged", code="O18", fen=fen, pressed=True),
        Wait(3.0, alarm=True),
    ]
    _play(writer, chosen(writer.game, writer.position, writer.rng), righted=True)


def _sure(answer: Match | Refused) -> Match:
    if isinstance(answer, Refused):
        raise AssertionError(answer.what)
    return answer


def rng_of(seed: int, number: int, what: int) -> Rng:
    """Chance of one game that nothing else shares."""
    return np.random.default_rng([seed, number, what])
