"""How long the session thinks about one percept: ``python tests/benchmarks/session_speed.py``.

Whole games at random before a camera that runs at 5 frames a second, with hands, and offences
that stand for a while.  Times are of one thread's processor, milliseconds.  A busy machine makes
single percepts look several times dearer; as a step is pure, a dear one is repeated from cold
caches, and the least time counts.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time

from device.session import Setup, State, begin, step
from rules.draughts.game import NAMES, DraughtsGame
from rules.draughts.position import Position
from vision import infer
from vision.chains import legal_moves
from vision.evidence import contents_of
from vision.fake import FakeEyes
from vision.percept import Percept

FRAME_NS = 200_000_000

#: A percept dearer than this is repeated, up to so many times.
DEAR_MS, TRIES = 8.0, 5


def main() -> None:
    """Print one line for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(NAMES))
    parser.add_argument("--plies", type=int, default=80)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for name in options.games:
        times = whole_game(name, options.plies, options.seed)
        times.sort()
        told = f"{name}: {len(times)} percepts, median {statistics.median(times):.2f} ms"
        sys.stdout.write(
            f"{told}, p99 {times[len(times) * 99 // 100]:.1f}, worst {times[-1]:.1f}\n"
        )


def whole_game(name: str, plies: int, seed: int) -> list[float]:
    """Milliseconds of each percept of one game."""
    game, rng = DraughtsGame.by_name(name), random.Random(seed)
    eyes = FakeEyes(game.board, seed=seed, surety=7.0, spread=1.3)
    state, now, times = begin(Setup(name)), 0, []

    def show(position: Position, frames: int, hand: bool = False) -> None:
        nonlocal state, now
        middle = range(game.board.count // 3, game.board.count // 2)
        for _ in range(frames):
            now += FRAME_NS
            more = {"covered": middle, "motion": 0.2} if hand else {}
            percept = eyes.see(position, now, **more)  # type: ignore[arg-type]
            tries = [_timed(state, percept)]
            while tries[-1][0] > DEAR_MS and len(tries) < TRIES:
                _forget()
                tries.append(_timed(state, percept))
            times.append(min(took for took, _ in tries))
            state = tries[-1][1]

    position = game.start()
    show(position, 10)
    for ply in range(plies):
        moves = game.moves(position)
        if not moves:
            break
        after = rng.choice(moves).after
        if ply % 10 == 5:  # something wrong stands for a while
            deeds = list(game.deeds(position))
            wrong = rng.choice(deeds)
            pieces = {**position.pieces(), **dict(wrong.changes)}
            board = {n: piece for n, piece in pieces.items() if piece != "."}
            show(position, 3, hand=True)
            show(Position.of(board, after.side), 25)
        if ply % 10 == 8:  # an unexplained board: two pieces more than there were
            odd = {**after.pieces(), **dict.fromkeys(_empty(game, after)[:2], "w")}
            show(Position.of(odd, after.side), 25)
        show(position, 3, hand=True)
        show(after, 6)
        position = after
    return times


def _timed(state: State, percept: Percept) -> tuple[float, State]:
    began = time.thread_time()
    after, _ = step(state, percept)
    return (time.thread_time() - began) * 1000, after


def _forget() -> None:
    """Empty what is kept of positions that were looked at before."""
    for kept in (legal_moves, contents_of, infer._boards):
        kept.cache_clear()


def _empty(game: DraughtsGame, position: Position) -> list[int]:
    taken = position.pieces()
    return [n for n in range(1, game.board.count + 1) if n not in taken]


if __name__ == "__main__":
    main()
