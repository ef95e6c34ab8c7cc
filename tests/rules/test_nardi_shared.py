"""Long Nardi against the positions, counts and judged cases that were confirmed elsewhere."""

from __future__ import annotations

import csv
import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from rules.nardi.board import Position
from rules.nardi.dice import ROLLS, Roll
from rules.nardi.facts import CLASSIC, HEAD_EXCEPTIONS, Rules
from rules.nardi.game import NardiGame
from rules.verdict import Legal, Offence

SHARED = Path(os.environ.get("TORESHI_SHARED", Path(__file__).parents[2].parent / "shared"))
FOLDER = SHARED / "rules" / "nardi"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="no shared folder")

#: The readings of the file, by the facts that they change.
READINGS = {
    "end": Rules(block_timing="end"),
    "home": Rules(block_saved_by="home"),
    "bearoff_next_turn": Rules(off_same_turn=False),
    "any_die": Rules(larger_die=False),
    "anydouble": Rules(head_exception=HEAD_EXCEPTIONS["anydouble"]),
    "never_head": Rules(head_exception=HEAD_EXCEPTIONS["never"]),
    "always": Rules(head_exception=HEAD_EXCEPTIONS["always"]),
}
GAME = NardiGame()


def records(name: str) -> list[dict[str, Any]]:
    with (FOLDER / name).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def position(record: dict[str, Any]) -> Position:
    white = tuple(max(n, 0) for n in record["pts"])
    black = tuple(max(-n, 0) for n in record["pts"])
    return Position("w" if record["side"] == "W" else "b", white, black, *record["off"])


def end(after: Position) -> tuple[int, ...]:
    signed = (w - b for w, b in zip(after.white, after.black, strict=True))
    return (*signed, after.white_off, after.black_off)


def found(record: dict[str, Any], rules: Rules) -> list[tuple[int, ...]]:
    roll = Roll(tuple(record["dice"]), record["first"])
    return [end(move.after) for move in NardiGame(rules).moves(position(record), roll)]


def test_every_position_has_the_confirmed_ends() -> None:
    wrong = []
    for record in records("positions.jsonl"):
        have = found(record, CLASSIC)
        if Counter(have) != Counter(tuple(e) for e in record["ends"]):
            wrong.append(record["id"])
    assert wrong == []


@pytest.mark.parametrize("reading", READINGS)
def test_a_clubs_reading_changes_the_confirmed_ends(reading: str) -> None:
    wrong = []
    for record in records("positions.jsonl"):
        change = record["readings"].get(reading, {"extra": [], "less": []})
        want = {tuple(e) for e in record["ends"]} | {tuple(e) for e in change["extra"]}
        want -= {tuple(e) for e in change["less"]}
        if set(found(record, READINGS[reading])) != want:
            wrong.append(record["id"])
    assert wrong == []


def perft_rows() -> list[dict[str, str]]:
    with (FOLDER / "perft.tsv").open(encoding="utf-8") as lines:
        rows = (line for line in lines if not line.startswith("#"))
        return list(csv.DictReader(rows, delimiter="\t"))


def test_perft_from_the_start() -> None:
    totals = {int(r["depth"]): int(r["count"]) for r in perft_rows() if r["roll"] == "all"}
    assert totals[1] == GAME.perft(GAME.start(), 1)
    assert totals[2] == GAME.perft(GAME.start(), 2)
    assert totals[3] == GAME.perft(GAME.start(), 3)


def test_perft_by_the_first_roll() -> None:
    rows = perft_rows()
    for dice in ROLLS:
        moves = GAME.moves(GAME.start(), Roll(dice, first=True))
        name = f"{dice[0]}-{dice[1]}"
        (one,) = [r for r in rows if r["depth"] == "1" and r["roll"] == name]
        assert (name, len(moves)) == (name, int(one["count"]))
        (two,) = [r for r in rows if r["depth"] == "2" and r["roll"] == f"{name},*"]
        leaves = sum(GAME.perft(move.after, 1) for move in moves)
        assert (name, leaves) == (name, int(two["count"]))


def case_id(record: dict[str, Any]) -> str:
    return str(record["id"])


CASES = records("judge_cases.jsonl") if FOLDER.is_dir() else []


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_judged_case(case: dict[str, Any]) -> None:
    before, after = GAME.read(case["before"]), GAME.read(case["after"])
    roll = Roll(tuple(case["dice"]), case["first"])
    verdict = GAME.judge(before, after, roll)
    if isinstance(verdict, Legal):
        assert case["verdict"] == "legal"
        assert GAME.write(verdict.after) == case["after"]
        assert verdict.move == case["move"]
        return
    assert isinstance(verdict, Offence)
    assert (verdict.code, verdict.kind) == (case["code"], case["kind"])
    assert (verdict.variant or None, list(verdict.also)) == (case["variant"], case["also"])
    legal = {move.text: GAME.write(move.after) for move in GAME.moves(before, roll)}
    assert sorted(legal[text] for text in verdict.due) == case["due"]
