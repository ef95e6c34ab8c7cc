"""Each paragraph of Long Nardi, with the legal ends worked out from its text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rules.nardi.dice import Roll
from rules.nardi.fen import read, write
from rules.nardi.game import NardiGame
from rules.nardi.notation import carried_out, parse

TABLE = Path(__file__).parents[1] / "data" / "rulebook" / "nardi.jsonl"
CASES = [json.loads(line) for line in TABLE.read_text(encoding="utf-8").splitlines()[1:]]


def ends(case: dict[str, Any], texts: list[str]) -> set[str]:
    before = read(case["fen"])
    return {write(carried_out(before, before.side, parse(text))) for text in texts}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_paragraph(case: dict[str, Any]) -> None:
    roll = Roll.read(case["dice"], first=case.get("first", False))
    moves = NardiGame().moves(read(case["fen"]), roll)
    found = [write(move.after) for move in moves]
    assert len(found) == len(set(found)), "each end once"
    if "ends" in case:
        assert set(found) == ends(case, case["ends"])
    else:
        assert ends(case, case["has"]) <= set(found)
        assert not ends(case, case["lacks"]) & set(found)
        assert case.get("count", len(found)) == len(found)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_the_text_of_a_move_leads_to_its_end(case: dict[str, Any]) -> None:
    before = read(case["fen"])
    roll = Roll.read(case["dice"], first=case.get("first", False))
    for move in NardiGame().moves(before, roll):
        assert carried_out(before, before.side, parse(move.text)) == move.after
