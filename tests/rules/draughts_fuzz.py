"""Texts of positions and moves with bytes changed at random: a named error or a position, in time.

python tests/rules/draughts_fuzz.py --inputs 100000
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter

from rules.draughts.game import NAMES, DraughtsGame
from rules.errors import BadPosition, RulesError

SEEDS = (
    "W:W21-32:B1-12",
    "B:BK1-3,5:W.",
    "W:Wa1,c1,Ke3:Bb8,Kd4:H0:F1",
    "?:W31,32,K50:B1,K2,20",
    "W:WK46:B37,19",
)
MOVES = ("22-18", "22x15x8", "c3:e5:g7", "a1 - b2", "47x38x24x13x36")
ALPHABET = "WBK:-,.? HFx019abh8\n\0é١"


def changed(text: str, rng: random.Random) -> str:
    """One to five characters put in, taken out, replaced or doubled."""
    letters = list(text)
    for _ in range(rng.randint(1, 5)):
        at = rng.randrange(len(letters) + 1)
        deed = rng.random()
        if deed < 0.4 or not letters:
            letters.insert(at, rng.choice(ALPHABET) if deed < 0.35 else chr(rng.randrange(0x2FFF)))
        elif deed < 0.7:
            del letters[at % len(letters)]
        elif deed < 0.95:
            letters[at % len(letters)] = rng.choice(ALPHABET)
        else:
            letters[at:at] = letters[:at] * rng.randint(1, 40)
    return "".join(letters)


def one(game: DraughtsGame, rng: random.Random) -> str:
    """What became of one position and one move."""
    position, what = game.start(), "refused"
    try:
        position, what = game.read(changed(rng.choice(SEEDS), rng)), "read"
    except BadPosition as error:
        if not (error.what and error.where and error.expected):
            raise AssertionError(f"an error that says too little: {error}") from error
    if game.read(game.write(position)) != position:
        raise AssertionError(f"another position: {game.write(position)}")
    try:
        game.parse_move(position, changed(rng.choice(MOVES), rng))
    except RulesError as error:
        if not (error.what and error.expected):
            raise AssertionError(f"an error that says too little: {error}") from error
        return f"{what}, move refused"
    return f"{what}, move read"


def main() -> int:
    """Run and tell; anything but a named error is a traceback here."""
    parser = argparse.ArgumentParser(description="Fuzz the texts of draughts.")
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    rng, seen, slowest = random.Random(asked.seed), Counter[str](), 0.0
    games = [DraughtsGame.by_name(name) for name in NAMES]
    for _ in range(asked.inputs):
        begun = time.process_time()
        seen[one(rng.choice(games), rng)] += 1
        slowest = max(slowest, time.process_time() - begun)
    told = ", ".join(f"{n} {what}" for what, n in seen.most_common())
    sys.stdout.write(f"{asked.inputs} inputs: {told}; the slowest {1000 * slowest:.1f} ms\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
