"""Throw broken PDN at the reader: bytes mutated from real games, and pieces of PDN at random.

usage: python tests/fuzz/pdn.py [--inputs 100000] [--seed 1]

For every input: no exception, every fault has a place inside the text, and each game that was
read can be written and reads back the same.  Prints the number of inputs, games and faults, the
slowest input, and what went wrong; exit 1 if anything did.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rules.draughts import pdn

GAMES = Path(__file__).parents[1] / "data" / "games"

SMALL = (
    b'[GameType "25,W,8,8,A0,0"]\n[FEN "W:Wc3,Ka1:Bd4,h8"]\n\n'
    b"1. c3:e5 h8-g7 2. a1-b2 {[%clk 0:01:00]} *\n",
    b'[GameType "22"]\n[FEN "B:WK5,31:BK4,19"]\n1... 19-23 $1 (4-7) 2. 31-28! 1-0\n',
    b'[GameType "20"]\n1. 32-28 19-23 2. 28x19 14x23 /FEN "W:W31-50:B1-20"/\n'
    b"{[%offence O6] x} 3. 37-32 2-0\n",
    b'[Event "a"]\n1. 11-15 23-19 ; line\n% line\n2. 9-13 22-18 3. 15x22 25x18 1/2-1/2\n\n'
    b'[Event "b"]\n*\n',
)

#: What a file is made of, and what it should not be.
PIECES = (
    '[Event "',
    '"]',
    '[FEN "',
    '[GameType "25"]',
    '[GameType "20"]',
    '[Result "1-0"]',
    '/FEN "',
    '"/',
    "W:W31-50:B1-20",
    "W:Wa1,Kc3:Bh8",
    "?:W22:B11",
    "B::",
    "c3-d4",
    "c3:e5",
    "a1b2",
    "32-28",
    "19-23",
    "28x19",
    "3228",
    "12...",
    "1/2-1/2",
    "[%clk 1:00:00]",
    "[%offence O6]",
    "1.",
    "…",
    "-",
    "$7",
    "!?",
    "(?)",
    "*",
    "1-0",
    "2-0",
    "0-0",
    ";",
    "%",
    "{",
    "}",
    "(",
    ")",
    "\n",
    "\r\n",
    " ",
    "\t",
    "\\",
    '"',
    "½",
    "ф",
    "\ufeff",
    "\x00",
)


def seeds() -> list[bytes]:
    """Real games, one at a time, and small ones that use everything."""
    found = list(SMALL)
    for path in sorted(GAMES.glob("*.pdn")):
        blocks = path.read_bytes().split(b"\n\n[")
        found += [b"[" + block for block in blocks[1:]]
    return found


def mutated(source: bytes, random_: random.Random) -> bytes:
    """A few bytes changed, lost, doubled, moved, or cut."""
    data = bytearray(source)
    for _ in range(random_.choice((1, 1, 2, 3, 8))):
        if not data:
            break
        at = random_.randrange(len(data))
        to = min(len(data), at + random_.randrange(1, 20))
        kind = random_.randrange(6)
        if kind == 0:
            data[at] = random_.randrange(256)
        elif kind == 1:
            data[at] = ord(random_.choice('[]{}()"/\\;%*:.-xKWB0123456789 \n'))
        elif kind == 2:
            del data[at:to]
        elif kind == 3:
            data[at:at] = data[at:to]
        elif kind == 4:
            piece = bytes(data[at:to])
            del data[at:to]
            place = random_.randrange(len(data) + 1)
            data[place:place] = piece
        else:
            data[at:at] = random_.choice(PIECES).encode()
    return bytes(data)


def inputs(number: int, seed: int) -> Iterator[bytes]:
    """The inputs of one run, the same for the same seed: a real game among eight."""
    random_, sources = random.Random(seed), seeds()
    for index in range(number):
        if index % 4 == 3:
            words = random_.choices(PIECES, k=random_.randrange(1, 40))
            yield random_.choice(("", " ")).join(words).encode()
        else:
            yield mutated(random_.choice(SMALL if index % 8 else sources), random_)


def check(data: bytes) -> tuple[int, int]:
    """Numbers of games and faults; AssertionError tells what went wrong."""
    games = faults = 0
    text = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    lines = text.split(b"\n")
    for record in pdn.read(data):
        games += 1
        faults += len(record.faults)
        for fault in record.faults:
            assert 1 <= fault.line <= len(lines), fault
            assert 1 <= fault.column <= len(lines[fault.line - 1]) + 1, fault
            assert fault.what, fault
        if record.game:
            plain = replace(record, faults=())
            written = pdn.write_game(plain)
            assert pdn.read(written) == (plain,), written
    return games, faults


def main() -> int:
    """Run; the exit code says whether all went well."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    games = faults = wrong = 0
    slowest, began = 0.0, time.process_time()
    for data in inputs(arguments.inputs, arguments.seed):
        start = time.process_time()
        try:
            found = check(data)
        except Exception as error:
            wrong += 1
            sys.stdout.write(f"{type(error).__name__}: {error}\n  input {data!r}\n")
            found = (0, 0)
        games, faults = games + found[0], faults + found[1]
        slowest = max(slowest, time.process_time() - start)
    took = time.process_time() - began
    sys.stdout.write(
        f"{arguments.inputs} inputs, {games} games, {faults} faults told, {wrong} wrong;"
        f" {took:.0f} s, slowest input {slowest * 1000:.0f} ms\n"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
