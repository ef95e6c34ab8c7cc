"""Every legal move of the rulebook's positions, an article each."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from rules.draughts.game import DraughtsGame

TABLE = Path(__file__).parents[1] / "data" / "rulebook" / "draughts.jsonl"
CASES = [json.loads(line) for line in TABLE.read_text(encoding="utf-8").splitlines()[1:]]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_lists_just_these_moves(case: dict[str, Any]) -> None:
    game = DraughtsGame.by_name(case["game"])
    position = game.read(case["fen"])
    moves = game.moves(position)
    assert sorted(game.text(position, move) for move in moves) == case["moves"]
    if "after" in case:
        assert game.write(moves[0].after) == case["after"]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_counts_what_it_lists(case: dict[str, Any]) -> None:
    game = DraughtsGame.by_name(case["game"])
    assert game.perft(game.read(case["fen"]), 1) == len(case["moves"])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("italian", "W:W21-32:B1-12"),
        ("russian", "W:W21-32:B1-12"),
        ("giveaway", "W:W21-32:B1-12"),
        ("english", "B:W21-32:B1-12"),
        ("international", "W:W31-50:B1-20"),
    ],
)
def test_begins_with_the_right_side(name: str, text: str) -> None:
    game = DraughtsGame.by_name(name)
    assert game.start() == game.read(text)


def test_only_giveaway_is_won_by_the_blocked() -> None:
    won = {n: DraughtsGame.by_name(n).variant.blocked_wins for n in ("italian", "giveaway")}
    assert won == {"italian": False, "giveaway": True}


def test_a_round_trip_gives_its_route_in_full() -> None:
    game = DraughtsGame.by_name("italian")
    (move,) = game.moves(game.read("W:WK2:BK5,6,13,14"))
    # FID 6.9: over the king on 5 first, so round by 9, 18 and 11
    assert move.path == (2, 9, 18, 11, 2)
    assert move.taken == (5, 13, 14, 6)


def test_a_capture_tells_its_victims_in_the_order_jumped() -> None:
    game = DraughtsGame.by_name("russian")
    (move,) = game.moves(game.read("W:Wf6:Be7,b6"))
    names = [game.name_of(square) for square in move.taken]
    assert (names, [game.name_of(n) for n in move.path]) == (["e7", "b6"], ["f6", "d8", "a5"])
    assert move.crowned


def test_a_king_among_many_pieces_is_no_riddle() -> None:
    # sixteen victims that can be met in thousands of orders
    game = DraughtsGame.by_name("international")
    begun = time.process_time()
    moves = game.moves(game.read("W:WK50:B7-10,17-20,27-30,37-40"))
    assert time.process_time() - begun < 5
    assert {len(move.taken) for move in moves} == {16}
