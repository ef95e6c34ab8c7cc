"""Our rules against what the shared folder holds: confirmed positions, judged cases, oracles."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from rules.draughts.game import NAMES, DraughtsGame
from rules.verdict import Legal, Offence

SHARED = Path(os.environ.get("TORESHI_SHARED", Path(__file__).parents[2].parent / "shared"))
FOLDER = SHARED / "rules" / "draughts"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="no shared folder")


@cache
def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]


def differential() -> ModuleType:
    path = Path(__file__).with_name("draughts_differential.py")
    spec = importlib.util.spec_from_file_location("draughts_differential", path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules.setdefault(spec.name, importlib.util.module_from_spec(spec))
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", NAMES)
def test_confirmed_positions(name: str) -> None:
    game = DraughtsGame.by_name(name)
    source = "russian" if name == "giveaway" else name
    for row in lines("positions.jsonl"):
        if row["variant"] != source:
            continue
        moves = game.moves(game.read_setup(row["fen"]))
        got = Counter((m.frm, m.to, frozenset(m.taken), m.crowned, m.after) for m in moves)
        wanted = Counter(
            (m["from"], m["to"], frozenset(m["captured"]), m["promoted"], game.read_setup(m["fen"]))
            for m in row["moves"]
        )
        assert got == wanted, row["fen"]


@pytest.mark.parametrize("name", NAMES)
def test_judged_cases(name: str) -> None:
    game = DraughtsGame.by_name(name)
    cases = [row for row in lines("judge_cases.jsonl") if row["game"] == name]
    assert len(cases) > 40
    for row in cases:
        verdict = game.judge(game.read(row["before"]), game.read_board(row["after"]))
        got: tuple[str, str | None, str | None, list[str]]
        if isinstance(verdict, Legal):
            got = ("legal", None, verdict.move, row["due"])
        elif isinstance(verdict, Offence):
            got = ("offence", verdict.code, None, sorted(verdict.due))
        else:
            got = ("unchanged", None, None, row["due"])
        wanted = (row["verdict"], row["code"], row["move"], sorted(row["due"]))
        assert got == wanted, row["id"]


@pytest.mark.parametrize("name", NAMES)
def test_small_run_against_the_oracles(name: str) -> None:
    wrong, told = differential().compare(DraughtsGame.by_name(name), 120, 80, seed=7)
    assert not wrong, told


def test_the_comparison_sees_a_wrong_rule() -> None:
    """The differential run itself must be able to fail."""
    module = differential()
    russian = DraughtsGame.by_name("russian")
    wrong_rules = DraughtsGame.by_name("english").variant
    impostor = DraughtsGame(wrong_rules)
    impostor.name = "russian"
    rng = random.Random(3)
    found = [module.differing_moves(impostor, p) for p in module.positions(russian, 40, rng)]
    assert any(found)
