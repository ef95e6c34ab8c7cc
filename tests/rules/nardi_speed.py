"""How long Long Nardi takes: the legal ends of the shared positions, and the shared judged cases.

    python tests/rules/nardi_speed.py

CPU time of one call, each measured three times and the least taken; first in milliseconds over
all positions, then over all cases, then for the wrong deeds of the positions.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from rules.nardi.board import Position
from rules.nardi.deeds import Deed
from rules.nardi.dice import Roll
from rules.nardi.game import NardiGame

ROOT = Path(__file__).parents[2]
SHARED = Path(os.environ.get("TORESHI_SHARED", ROOT.parent / "shared")) / "rules" / "nardi"
GAME = NardiGame()


def least(call: Callable[[], Any]) -> float:
    """Milliseconds of CPU time, the least of three calls."""
    times = []
    for _ in range(3):
        begun = time.process_time()
        call()
        times.append(time.process_time() - begun)
    return min(times) * 1e3


def all_deeds(board: Position, roll: Roll) -> list[Deed]:
    """The wrong deeds, every one."""
    return list(GAME.deeds(board, roll))


def report(name: str, times: list[float]) -> None:
    """One line about these times."""
    times.sort()
    median, p99 = times[len(times) // 2], times[int(len(times) * 0.99)]
    sys.stdout.write(
        f"{name}: {len(times)}, median {median:.2f} p99 {p99:.2f} max {times[-1]:.2f} ms\n"
    )


def main() -> None:
    """Measure all three."""
    moves, deeds = [], []
    for line in (SHARED / "positions.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        white = tuple(max(n, 0) for n in row["pts"])
        black = tuple(max(-n, 0) for n in row["pts"])
        board = Position("w" if row["side"] == "W" else "b", white, black, *row["off"])
        roll = Roll(tuple(row["dice"]), row["first"])
        moves.append(least(partial(GAME.moves, board, roll)))
        deeds.append(least(partial(all_deeds, board, roll)))
    judged = []
    for line in (SHARED / "judge_cases.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        before, after = GAME.read(row["before"]), GAME.read(row["after"])
        roll = Roll(tuple(row["dice"]), row["first"])
        judged.append(least(partial(GAME.judge, before, after, roll)))
    report("legal ends", moves)
    report("judge", judged)
    report("deeds", deeds)


if __name__ == "__main__":
    main()
