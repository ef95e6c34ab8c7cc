"""Long Nardi against the slow oracles of the shared folder, on random positions and turns.

    python tests/rules/nardi_differential.py --positions 20000 --pairs 5000 --seed 1

Prints each difference and the totals; exit 1 when there is any.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from rules.nardi.board import CHECKERS, POINTS, START, Position, Side, other  # noqa: E402
from rules.nardi.deeds import Deed  # noqa: E402
from rules.nardi.dice import Roll  # noqa: E402
from rules.nardi.facts import CLASSIC, HEAD_EXCEPTIONS, Rules  # noqa: E402
from rules.nardi.game import NardiGame  # noqa: E402
from rules.verdict import Legal, Offence  # noqa: E402

SHARED = Path(os.environ.get("TORESHI_SHARED", ROOT.parent / "shared")) / "rules" / "nardi"
#: Our facts and the oracle's switches for the same readings.
READINGS: list[tuple[Rules, dict[str, Any]]] = [
    (CLASSIC, {}),
    (Rules(block_timing="end"), {"block_timing": "end"}),
    (Rules(block_saved_by="home"), {"block_saved_by": "home"}),
    (Rules(head_exception=HEAD_EXCEPTIONS["always"]), {"head_exception": "always"}),
    (Rules(head_exception=HEAD_EXCEPTIONS["anydouble"]), {"head_exception": "anydouble"}),
    (Rules(off_same_turn=False), {"bearoff_same_turn": False}),
    (Rules(larger_die=False), {"larger_die": False}),
]
#: How much oftener than the others a kind of deed is tried where there is one.
RARE = {"M5": 20, "M7": 40, "M8": 40, "B1": 4, "B2": 8, "M4": 4, "M3": 2}
SIDES: tuple[Side, Side] = ("w", "b")


def load(name: str) -> Any:
    """A script of the shared folder as a module."""
    spec = importlib.util.spec_from_file_location(name, SHARED / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def roll(rng: random.Random, first: bool) -> Roll:
    """A throw; doubles a little oftener than by chance."""
    one = rng.randint(1, 6)
    return Roll((one, one if rng.random() < 0.1 else rng.randint(1, 6)), first)


def situations(rng: random.Random) -> Iterator[tuple[Position, Roll]]:
    """Positions from random games, some of which like blocks, and from checkers put at random."""
    game = NardiGame()
    while True:
        position, blocks, turns = START, rng.random() < 0.5, 0
        while not position.winner():
            thrown = roll(rng, turns < len(SIDES))
            yield position, thrown
            if rng.random() < 0.2:
                yield scattered(rng), roll(rng, rng.random() < 0.1)
            moves = game.moves(position, thrown)
            move = rng.choice(moves)
            if blocks:
                tried = rng.sample(list(moves), min(8, len(moves)))
                move = max(tried, key=lambda m: longest(m.after, position.side))
            position, turns = move.after, turns + 1


def longest(position: Position, side: Side) -> int:
    """The longest row of points of a side on the opponent's path."""
    best = row = 0
    for count in position.path(side, other(side)):
        row = row + 1 if count else 0
        best = max(best, row)
    return best


def scattered(rng: random.Random) -> Position:
    """Checkers put at random: a row of one side, and what is left near the ends of the paths."""
    counts: dict[Side, Counter[int]] = {"w": Counter(), "b": Counter()}
    side = rng.choice(SIDES)
    at, long = rng.randint(1, POINTS), rng.randint(3, 7)
    row = [(at + k - 1) % POINTS + 1 for k in range(long)]
    counts[side].update(p for p in row if rng.random() < 0.9)
    off: dict[Side, int] = {"w": 0, "b": 0}
    for mover in SIDES:
        free = [p for p in range(1, POINTS + 1) if not counts[other(mover)][p]]
        some = rng.sample(free, min(len(free), rng.randint(1, 7)))
        while counts[mover].total() + off[mover] < CHECKERS:
            if rng.random() < 0.05:
                off[mover] += 1
            else:
                counts[mover][rng.choice(some)] += 1
        off[mover] = min(off[mover], CHECKERS - 1)
    return Position.of(counts["w"], counts["b"], (off["w"], off["b"]), rng.choice(SIDES))


def signed(position: Position) -> tuple[tuple[int, ...], int, int]:
    """The oracle's form of a position."""
    pairs = zip(position.white, position.black, strict=True)
    return tuple(w - b for w, b in pairs), position.white_off, position.black_off


def compare_moves(rng: random.Random, number: int, oracle: Any) -> int:
    """How many positions have other legal ends than the oracle says."""
    differ, ends, times = 0, 0, []
    source = situations(rng)
    for k in range(number):
        position, thrown = next(source)
        if position.fault() or position.winner():
            continue
        rules, switches = READINGS[0] if k % 3 else READINGS[k // 3 % len(READINGS)]
        begun = time.process_time()
        have = {signed(m.after) for m in NardiGame(rules).moves(position, thrown)}
        times.append(time.process_time() - begun)
        side = position.side.upper()
        asked = oracle.Rules(**switches)
        want = oracle.legal(signed(position), side, thrown.dice, thrown.first, asked)[0]
        ends += len(want)
        if have != want:
            differ += 1
            say(f"moves {NardiGame().write(position)} {thrown} {switches}: {have ^ want}")
    times.sort()
    p99, most = times[int(len(times) * 0.99)] * 1e3, times[-1] * 1e3
    say(
        f"moves: {number} positions, {ends} ends, {differ} differ; ours "
        f"median {times[len(times) // 2] * 1e3:.2f} p99 {p99:.2f} max {most:.2f} ms"
    )
    return differ


def endings(rng: random.Random, position: Position, thrown: Roll) -> Position:
    """Something that might stand after a turn."""
    game = NardiGame()
    kind = rng.random()
    after = rng.choice(game.moves(position, thrown)).after
    if kind < 0.1:
        return after
    if kind < 0.6:
        deeds = by_code(game, position, thrown)
        codes = sorted(deeds)
        if codes:
            (code,) = rng.choices(codes, [RARE.get(code, 1) for code in codes])
            return rng.choice(deeds[code]).after(position)
        return after
    if kind < 0.65:
        return scattered(rng)
    for _ in range(rng.choice((1, 1, 2, 3))):
        after = shifted(rng, after if rng.random() < 0.9 else position, mover(rng, position))
    return after


def by_code(game: NardiGame, position: Position, thrown: Roll) -> dict[str, list[Deed]]:
    """The deeds of a turn by what they are, so that rare kinds are tried as often."""
    found: dict[str, list[Deed]] = {}
    for deed in game.deeds(position, thrown):
        found.setdefault(deed.code, []).append(deed)
    return found


def early(position: Position) -> bool:
    """Whether a side has borne off with a checker outside its home: an accepted B1.

    There the rules count the one that is off as past every block (§3.4), the reference judge
    does not.
    """
    return any(position.off(s) and any(position.path(s)[:18]) for s in SIDES)


def mover(rng: random.Random, position: Position) -> Side:
    """Whose checker is shifted: mostly the mover's."""
    return position.side if rng.random() < 0.8 else other(position.side)


def shifted(rng: random.Random, position: Position, side: Side) -> Position:
    """One checker somewhere else, off, or back on; rarely lost."""
    counts, off = list(position.counts(side)), position.off(side)
    held = [p for p in range(POINTS) if counts[p]]
    if held and rng.random() < 0.95:
        counts[rng.choice(held)] -= 1
    elif off:
        off -= 1
    kind = rng.random()
    if kind < 0.85:
        near = [p for p in range(POINTS) if not position.counts(other(side))[p]]
        counts[rng.choice(near if near and rng.random() < 0.8 else range(POINTS))] += 1
    elif kind < 0.97:
        off += 1
    if side == "w":
        return replace(position, white=tuple(counts), white_off=off)
    return replace(position, black=tuple(counts), black_off=off)


def compare_verdicts(rng: random.Random, number: int, reference: Any) -> int:
    """How many turns are judged otherwise than by the reference judge."""
    game = NardiGame()
    differ = 0
    codes: Counter[str] = Counter()
    times = []
    source = situations(rng)
    done = 0
    while done < number:
        position, thrown = next(source)
        if position.fault() or early(position) or rng.random() < 0.5:
            continue
        after = endings(rng, position, thrown)
        done += 1
        begun = time.process_time()
        verdict = game.judge(position, after, thrown)
        times.append(time.process_time() - begun)
        before = game.write(position)
        want = reference.judge(before, list(thrown.dice), thrown.first, game.write(after))
        if isinstance(verdict, Legal):
            have: tuple[Any, ...] = (None, None, [], verdict.move, [])
        else:
            assert isinstance(verdict, Offence)
            legal = {m.text: game.write(m.after) for m in game.moves(position, thrown)}
            due = sorted(legal[text] for text in verdict.due)
            have = (verdict.code, verdict.variant or None, list(verdict.also), None, due)
        asked = tuple(want[key] for key in ("code", "variant", "also", "move", "due"))
        codes[have[0] or "legal"] += 1
        if have != asked:
            differ += 1
            say(f"judge {before} -> {game.write(after)} {thrown}: {have} but {asked}")
    times.sort()
    say(f"judge: {number} turns, {differ} differ; {dict(sorted(codes.items()))}")
    p99, most = times[int(len(times) * 0.99)] * 1e3, times[-1] * 1e3
    say(f"  ours median {times[len(times) // 2] * 1e3:.2f} p99 {p99:.2f} max {most:.2f} ms")
    return differ


def say(line: str) -> None:
    """One line for the person who runs this."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> int:
    """Run both comparisons."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=20_000)
    parser.add_argument("--pairs", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    rng = random.Random(asked.seed)
    differ = compare_moves(rng, asked.positions, load("oracle")) if asked.positions else 0
    differ += compare_verdicts(rng, asked.pairs, load("reference_judge")) if asked.pairs else 0
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
