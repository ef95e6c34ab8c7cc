"""Broken positions and records of Long Nardi, by the hundred thousand.

    python tests/rules/nardi_fuzz.py --positions 60000 --records 60000 --seed 1

Right texts are cut, doubled, swapped and sprinkled with junk.  A text must either be read, and
then mean the same when it is written and read again, or be refused with the place of the fault.
Prints what happened and the slowest input; exit 1 on anything else than a named error.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from rules.errors import BadPosition
from rules.nardi import fen, record, sheet, sheet_in
from rules.nardi.check import check
from rules.nardi.dice import Roll
from rules.nardi.events import Header, Noted, Started, events_of
from rules.nardi.match import State, end_turn, throw
from rules.nardi.moves import legal

JUNK = [b"\xff", b"\x00", "٣".encode(), b'"', b"\\", b"{", b"}", b"[", b"(", b"?M4", b"/off", b"\n"]
JUNK += [
    b"W:",
    b":B",
    b":O0-0",
    b"x99",
    b"24",
    b"-1",
    b"1e9",
    b"null",
    b"NaN",
    b"  ",
    b"65: ",
    b";",
]


def mutated(rng: random.Random, data: bytes, most: int) -> bytes:
    """The text with one or more things done to it."""
    for _ in range(rng.randint(1, most)):
        a, b = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        b = min(b, a + rng.choice((1, 2, 5, 40)))
        kind = rng.randrange(6)
        if kind == 0:
            data = data[:a] + data[b:]
        elif kind == 1:
            data = data[:a] + rng.choice(JUNK) + data[a:]
        elif kind == 2:
            data = data[:a] + bytes([rng.randrange(256)]) + data[a + 1 :]
        elif kind == 3:
            data = data[:b] + data[a:b] + data[b:]
        elif kind == 4:
            data = data[:a] + rng.choice(JUNK) + data[b:]
        else:
            data = data[:a] + data[a:b][::-1] + data[b:]
    return data


def game(rng: random.Random, turns: int) -> State:
    """The beginning of a random game."""
    state = State()
    while len(state.turns) < turns and not state.result:
        thrown = throw(state, (rng.randint(1, 6), rng.randint(1, 6)))
        assert isinstance(thrown, State)
        assert thrown.roll
        answer = end_turn(thrown, rng.choice(legal(thrown.position, thrown.roll)).after)
        assert isinstance(answer, tuple)
        state = answer[0]
    return state


def try_position(rng: random.Random, pool: Sequence[State]) -> str:
    """One broken position."""
    right = fen.write(rng.choice(pool).position)
    text = mutated(rng, right.encode(), 2).decode("utf-8", "replace")
    refusal = None
    try:
        board = fen.read(text)
    except BadPosition as error:
        refusal = error
    if refusal:
        assert re.fullmatch("character [0-9]+", refusal.where), refusal
        assert 1 <= int(refusal.where.split()[1]) <= len(text) + 1, refusal
        assert refusal.what
        assert refusal.expected
        return "refused"
    assert fen.read(fen.write(board)) == board
    assert text.strip()[:1].lower() == board.side, "the side to move is as written"
    if not board.fault() and not board.winner():
        legal(board, Roll((rng.randint(1, 6), rng.randint(1, 6))))
        return "a position"
    return "read, no position of the game"


def try_record(rng: random.Random, pool: Sequence[State]) -> str:
    """One broken record, as lines or as a sheet, each read by both readers."""
    state = rng.choice(pool)
    short = replace(state, turns=state.turns[:6])
    events = events_of(short, Started(1, "Aslan", "Berik"))
    told = (Header(("Aslan", "Berik"), "Cup", "", 3), *events, Noted("a note"))
    readers = [record.read, sheet_in.read]
    right = record.write(told)
    if rng.random() < 0.5:
        readers.reverse()
        right = sheet.write(told, rng.choice(("seed", "own")))
    data = mutated(rng, right.encode(), 3)
    problems = []
    for read in readers:
        reading = read(data)
        assert len(reading.events) == len(reading.places)
        problems.append(len(reading.problems))
        for problem in reading.problems:
            assert problem.line >= 1
            assert problem.column >= 1
            assert problem.what
        check(reading)
        again = record.read(record.write(reading.events))
        assert again.events == reading.events
        assert not again.problems
        sheet.write(reading.events)
    return "with problems" if problems[0] else "clean"


def run(
    name: str, number: int, seed: int, once: Callable[[random.Random, Sequence[State]], str]
) -> None:
    """So many inputs, each with a seed of its own, and what came of them."""
    found: Counter[str] = Counter()
    slowest = 0.0
    rng = random.Random(seed)
    pool = [game(rng, rng.randint(0, 60)) for _ in range(100)]
    begun = time.process_time()
    for k in range(number):
        at = time.process_time()
        try:
            found[once(random.Random(f"{name} {seed} {k}"), pool)] += 1
        except Exception:
            sys.stdout.write(f"{name} {seed} {k} fails\n")
            raise
        slowest = max(slowest, time.process_time() - at)
    took = time.process_time() - begun
    sys.stdout.write(
        f"{name}: {number} inputs in {took:.0f} s of CPU time, slowest {slowest * 1e3:.0f} ms; "
    )
    sys.stdout.write(f"{dict(sorted(found.items()))}\n")
    sys.stdout.flush()


def main() -> None:
    """Run both kinds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=60_000)
    parser.add_argument("--records", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    run("positions", asked.positions, asked.seed, try_position)
    run("records", asked.records, asked.seed, try_record)


if __name__ == "__main__":
    main()
