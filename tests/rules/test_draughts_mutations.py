"""Every fact of the draughts games is held by a test: change it, and the named case goes red."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rules.draughts.game import DraughtsGame
from rules.draughts.geometry import Board
from rules.draughts.variant import Variant

TABLE = Path(__file__).parents[1] / "data" / "rulebook" / "draughts.jsonl"
CASES = {
    case["id"]: case for case in map(json.loads, TABLE.read_text(encoding="utf-8").splitlines()[1:])
}

ITALIAN = DraughtsGame.by_name("italian").variant
RUSSIAN = DraughtsGame.by_name("russian").variant
INTERNATIONAL = DraughtsGame.by_name("international").variant
ENGLISH = DraughtsGame.by_name("english").variant

#: a fact changed, and the case of the rulebook that it breaks
FACTS: list[tuple[str, Variant, str]] = [
    (
        "italian board not mirrored",
        replace(ITALIAN, board=Board(8)),
        "italian-2.3-dark-corner-at-the-right",
    ),
    (
        "italian men capture backward",
        replace(ITALIAN, men_capture_backward=True),
        "italian-5.3-man-captures-forward-only",
    ),
    (
        "italian men take kings",
        replace(ITALIAN, men_capture_kings=True),
        "italian-5.4-man-never-takes-king",
    ),
    ("italian kings fly", replace(ITALIAN, kings_fly=True), "italian-3.8-king-all-ways-one"),
    (
        "italian crowned in passing",
        replace(ITALIAN, crowned_in_passing=True),
        "italian-5.16-crowning-ends-the-capture",
    ),
    (
        "italian without most pieces",
        replace(ITALIAN, precedence=ITALIAN.precedence[1:]),
        "italian-6.6-most-pieces",
    ),
    (
        "italian without the king's right",
        replace(ITALIAN, precedence=("most-pieces", "most-kings", "kings-first")),
        "italian-6.7-with-the-king",
    ),
    (
        "italian without most kings",
        replace(ITALIAN, precedence=("most-pieces", "with-king", "kings-first")),
        "italian-6.8-most-kings-not-the-first",
    ),
    (
        "italian without kings first",
        replace(ITALIAN, precedence=ITALIAN.precedence[:3]),
        "italian-6.9-kings-first",
    ),
    (
        "italian king before number",
        replace(ITALIAN, precedence=("with-king", "most-pieces", "most-kings", "kings-first")),
        "italian-6.6-most-pieces",
    ),
    (
        "russian men capture forward only",
        replace(RUSSIAN, men_capture_backward=False),
        "russian-man-captures-all-ways",
    ),
    ("russian kings short", replace(RUSSIAN, kings_fly=False), "russian-king-flies"),
    (
        "russian landing free",
        replace(RUSSIAN, king_must_go_on=False),
        "russian-king-must-land-where-it-goes-on",
    ),
    (
        "russian crowned at the end",
        replace(RUSSIAN, crowned_in_passing=False),
        "russian-crowned-in-passing-goes-on-as-king",
    ),
    (
        "russian majority",
        replace(RUSSIAN, precedence=("most-pieces",)),
        "russian-free-choice",
    ),
    ("russian numbers", replace(RUSSIAN, algebraic=False), "russian-free-choice"),
    ("russian x", replace(RUSSIAN, separator="x"), "russian-free-choice"),
    (
        "international free choice",
        replace(INTERNATIONAL, precedence=()),
        "international-4.13-most-pieces",
    ),
    (
        "international crowned in passing",
        replace(INTERNATIONAL, crowned_in_passing=True),
        "international-4.15-passes-last-row",
    ),
    (
        "international kings short",
        replace(INTERNATIONAL, kings_fly=False),
        "international-4.3-king-afar",
    ),
    (
        "international king worth more",
        replace(INTERNATIONAL, precedence=("most-pieces", "most-kings")),
        "international-4.13-king-counts-one",
    ),
    (
        "english men capture backward",
        replace(ENGLISH, men_capture_backward=True),
        "english-1.17-man-forward-only",
    ),
    (
        "english men don't take kings",
        replace(ENGLISH, men_capture_kings=False),
        "english-man-takes-king",
    ),
    ("english majority", replace(ENGLISH, precedence=("most-pieces",)), "english-1.20-free-choice"),
    (
        "english board mirrored",
        replace(ENGLISH, board=Board(8, mirrored=True)),
        "english-black-begins",
    ),
]


def holds(variant: Variant, case: dict[str, Any]) -> bool:
    """Whether a game of these facts plays a case as the rulebook does."""
    game = DraughtsGame(variant)
    position = DraughtsGame.by_name(case["game"]).read(case["fen"])
    moves = game.moves(position)
    same = sorted(game.text(position, move) for move in moves) == case["moves"]
    return same and (
        "after" not in case
        or moves[0].after == DraughtsGame.by_name(case["game"]).read_board(case["after"])
    )


@pytest.mark.parametrize(("what", "variant", "case"), FACTS, ids=[what for what, _, _ in FACTS])
def test_a_changed_fact_breaks_its_case(what: str, variant: Variant, case: str) -> None:
    told = CASES[case]
    assert holds(DraughtsGame.by_name(told["game"]).variant, told)
    assert not holds(variant, told)


@pytest.mark.parametrize(
    ("what", "variant", "text"),
    [
        ("side", replace(ENGLISH, first="w"), "B:W21-32:B1-12"),
        ("rows", replace(ENGLISH, rows_of_men=2), "B:W21-32:B1-12"),
        ("rows of hundred", replace(INTERNATIONAL, rows_of_men=3), "W:W31-50:B1-20"),
    ],
)
def test_a_changed_start_is_another_start(what: str, variant: Variant, text: str) -> None:
    right = DraughtsGame.by_name(variant.name)
    assert right.start() == right.read(text)
    assert DraughtsGame(variant).start() != right.read(text)
