"""Every fact of Long Nardi is held by a test: change it, and the named paragraph goes red."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rules.nardi import board, dice, turn
from rules.nardi.dice import Roll
from rules.nardi.facts import CLASSIC, HEAD_EXCEPTIONS, HeadException, Rules
from rules.nardi.fen import read, write
from rules.nardi.game import NardiGame
from rules.nardi.notation import carried_out, parse

TABLE = Path(__file__).parents[1] / "data" / "rulebook" / "nardi.jsonl"
LINES = TABLE.read_text(encoding="utf-8").splitlines()[1:]
CASES = {case["id"]: case for case in map(json.loads, LINES)}

#: A changed fact, and the paragraph that it breaks.
FACTS: list[tuple[str, Rules, str]] = [
    ("head limit", replace(CLASSIC, head_limit=2), "1.2-one-from-the-head"),
    ("head limit black", replace(CLASSIC, head_limit=2), "1.2-one-from-the-head-black"),
    ("first head limit 1", replace(CLASSIC, head_limit_first=1), "3.1-first-6-6"),
    ("first head limit 3", replace(CLASSIC, head_limit_first=3), "3.1-first-6-6-black"),
    (
        "head exception without 3-3",
        replace(CLASSIC, head_exception=HeadException(frozenset({6, 4}), True)),
        "3.1-first-3-3",
    ),
    (
        "head exception any obstacle",
        replace(CLASSIC, head_exception=HEAD_EXCEPTIONS["always"]),
        "3.1-note-4-4-after-5-5",
    ),
    (
        "head exception any double",
        replace(CLASSIC, head_exception=HEAD_EXCEPTIONS["anydouble"]),
        "3.1-first-2-2",
    ),
    (
        "head exception never",
        replace(CLASSIC, head_exception=HEAD_EXCEPTIONS["never"]),
        "3.1-first-4-4",
    ),
    ("full move", replace(CLASSIC, full_move=False), "1.10-full-move"),
    ("larger die", replace(CLASSIC, larger_die=False), "3.7-either-but-not-both"),
    ("block of five", replace(CLASSIC, block_points=5), "3.4-five-is-no-block"),
    ("block of seven", replace(CLASSIC, block_points=7), "3.4-not-even-in-passing"),
    ("block timing", replace(CLASSIC, block_timing="end"), "3.4-not-even-in-passing"),
    ("block saved by", replace(CLASSIC, block_saved_by="home"), "3.4-saved-by-one-ahead"),
    (
        "block may stand",
        replace(CLASSIC, block_may_stand=False),
        "3.3-an-accepted-block-may-stand",
    ),
    (
        "off before all home",
        replace(CLASSIC, off_needs_all_home=False),
        "2.2-the-last-one-home-first",
    ),
    ("off same turn", replace(CLASSIC, off_same_turn=False), "2.2-rest-of-the-roll-bears-off"),
    (
        "off larger",
        replace(CLASSIC, off_larger_from_rearmost=False),
        "3.9-not-while-one-stands-higher",
    ),
]
#: A changed constant of the board or the dice, and the paragraph that it breaks.
CONSTANTS: list[tuple[str, Any, str, Any, str]] = [
    ("three of a double", dice, "DOUBLE_PLAYS", 3, "3.2-double-is-four-moves"),
    ("home of five", turn, "OUTSIDE", (1 << 19) - 1, "2.2-home-has-six-points"),
    ("home of seven", turn, "OUTSIDE", (1 << 17) - 1, "2.2-home-has-six-points"),
    ("black from 11", board, "HEAD", {"w": 24, "b": 11}, "1.9-over-the-seam"),
]


def holds(case: dict[str, Any], rules: Rules) -> bool:
    """Whether the paragraph's ends are what these rules give."""
    before = read(case["fen"])

    def ends(texts: list[str]) -> set[str]:
        return {write(carried_out(before, before.side, parse(text))) for text in texts}

    roll = Roll.read(case["dice"], first=case.get("first", False))
    found = {write(move.after) for move in NardiGame(rules).moves(before, roll)}
    if "ends" in case:
        return found == ends(case["ends"])
    counted = case.get("count", len(found)) == len(found)
    return counted and ends(case["has"]) <= found and not ends(case["lacks"]) & found


@pytest.mark.parametrize(("rules", "paragraph"), [f[1:] for f in FACTS], ids=[f[0] for f in FACTS])
def test_a_changed_fact_breaks_its_paragraph(rules: Rules, paragraph: str) -> None:
    assert holds(CASES[paragraph], CLASSIC)
    assert not holds(CASES[paragraph], rules)


@pytest.mark.parametrize(
    ("module", "name", "value", "paragraph"),
    [c[1:] for c in CONSTANTS],
    ids=[c[0] for c in CONSTANTS],
)
def test_a_changed_constant_breaks_its_paragraph(
    module: Any, name: str, value: Any, paragraph: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert holds(CASES[paragraph], CLASSIC)
    monkeypatch.setattr(module, name, value)
    turn.half_move.cache_clear()
    try:
        assert not holds(CASES[paragraph], CLASSIC)
    finally:
        turn.half_move.cache_clear()


def test_every_fact_is_changed_by_some_mutation() -> None:
    changed = {
        name
        for _, rules, _ in FACTS
        for name in Rules.__dataclass_fields__
        if getattr(rules, name) != getattr(CLASSIC, name)
    }
    assert changed == set(Rules.__dataclass_fields__)
