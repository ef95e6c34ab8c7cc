"""How fast the rules of draughts are, beside py-draughts in the same run.

    python -m venv peer && peer/bin/pip install py-draughts==1.10.1
    python tests/benchmarks/rules_speed.py --peer peer/bin/python

Perft counts the leaves of the tree of legal moves from the start position: no memory of positions,
the last ply counted in bulk, in both programs.  Times are processor time, the best of three runs
that take turns, so that other work on the machine does not favour either.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator

from rules.draughts.game import NAMES, DraughtsGame
from rules.draughts.pair import known
from rules.draughts.position import Position

ROUNDS = 3
DEPTH = {"italian": 7, "russian": 7, "international": 6, "english": 7, "giveaway": 7}

#: Runs in the peer's own environment; prints {name: [leaves, seconds]}.
PEER = """
import json, sys, time
from loguru import logger
logger.remove()
from draughts import AmericanBoard, RussianBoard, StandardBoard
from draughts.engines import turbo

def perft(board, depth, filtered):
    moves = board.legal_moves
    if filtered:
        moves = [m for m in moves if m.captured_list] or moves
    if depth == 1:
        return len(moves)
    leaves = 0
    for move in moves:
        board.push(move)
        leaves += perft(board, depth - 1, filtered)
        board.pop()
    return leaves

def timed(count):
    begun = time.process_time()
    leaves = count()
    return leaves, time.process_time() - begun

print(json.dumps({
    "russian": timed(lambda: perft(RussianBoard(), 7, False)),
    "international": timed(lambda: perft(StandardBoard(), 6, False)),
    "english": timed(lambda: perft(AmericanBoard(), 7, True)),
    "english, captures left optional": timed(lambda: perft(AmericanBoard(), 6, False)),
    "international, inside its search engine": timed(
        lambda: turbo.perft_from_board(StandardBoard(), 6)
    ),
}))
"""


def tell(line: str) -> None:
    """A line of the report."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def own_rate(name: str) -> float:
    """Leaves a second of our perft."""
    game = DraughtsGame.by_name(name)
    begun = time.process_time()
    leaves = game.perft(game.start(), DEPTH[name])
    return leaves / (time.process_time() - begun)


def peer_rates(python: str) -> dict[str, float]:
    """Leaves a second of py-draughts."""
    out = subprocess.run([python, "-c", PEER], capture_output=True, text=True, check=True).stdout
    return {name: leaves / seconds for name, (leaves, seconds) in json.loads(out).items()}


def perft(peer: str | None) -> None:
    """Rates of both, best of the rounds."""
    ours, theirs = dict.fromkeys(NAMES, 0.0), dict[str, float]()
    for _ in range(ROUNDS):
        for name in NAMES:
            ours[name] = max(ours[name], own_rate(name))
        for name, rate in (peer_rates(peer) if peer else {}).items():
            theirs[name] = max(theirs.get(name, 0.0), rate)
    tell("perft, leaves a second:")
    for name in NAMES:
        share = ours[name] / ours["russian"]
        tell(f"  {name:14} {ours[name]:9,.0f}   {share:.2f} of our Russian")
    for title, rate in theirs.items():
        own = ours[title.split(",")[0]]
        tell(f"  py-draughts {title:40} {rate:9,.0f}   we are {own / rate:.2f} times as fast")


def played(game: DraughtsGame, number: int) -> Iterator[Position]:
    """Positions of random games."""
    rng = random.Random(game.name)
    while number > 0:
        position = game.start()
        for _ in range(80):
            moves = game.moves(position)
            if not moves or number <= 0:
                break
            yield position
            number -= 1
            position = rng.choice(moves).after


def lists() -> None:
    """Lists of legal moves a second, with the positions after them."""
    tell("lists of legal moves a second:")
    for name in NAMES:
        game = DraughtsGame.by_name(name)
        positions = list(played(game, 3000))
        begun = time.process_time()
        for position in positions:
            game.moves(position)
        rate = len(positions) / (time.process_time() - begun)
        tell(f"  {name:14} {rate:9,.0f}")


def judging() -> None:
    """How long a verdict takes in a position not met before, on legal moves and wrong deeds."""
    tell("judge, milliseconds:")
    for name in NAMES:
        game, rng, spent = DraughtsGame.by_name(name), random.Random(name), []
        for position in played(game, 1500):
            deeds = list(game.deeds(position))
            boards = [move.after for move in game.moves(position)[:1]]
            boards += [
                Position.of(position.pieces() | dict(deed.changes), position.side)
                for deed in rng.sample(deeds, min(2, len(deeds)))
            ]
            for after in boards:
                known.cache_clear()
                begun = time.process_time()
                game.judge(position, after)
                spent.append(1000 * (time.process_time() - begun))
        spent.sort()
        middle, late = spent[len(spent) // 2], spent[int(len(spent) * 0.99)]
        tell(f"  {name:14} median {middle:.2f}   p99 {late:.2f}   most {spent[-1]:.2f}")


def main() -> None:
    """Print the report."""
    parser = argparse.ArgumentParser(description="Speed of the rules of draughts.")
    parser.add_argument("--peer", help="a Python that has py-draughts 1.10.1")
    perft(parser.parse_args().peer)
    lists()
    judging()


if __name__ == "__main__":
    main()
