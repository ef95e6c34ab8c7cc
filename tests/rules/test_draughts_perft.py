"""Leaf counts of the game tree against published ones.

Start positions: the tables of the FMJD forum's perft thread (Halbersma) and of Bik, "duplicates
removed"; the other positions are the test positions of the same thread, with counts that several
programs of other authors agree on.
"""

from __future__ import annotations

import pytest

from rules.draughts.game import DraughtsGame

START = {
    "italian": (7, 49, 302, 1469, 7361, 36473),
    "russian": (7, 49, 302, 1469, 7482, 37986),
    "giveaway": (7, 49, 302, 1469, 7482, 37986),
    "english": (7, 49, 302, 1469, 7361, 36768),
    "international": (9, 81, 658, 4265, 27117),
}

POSITIONS = {
    "italian with a lone king": (
        "italian",
        "B:WK6,17,20,21,22,30:B1,3,5,9,25,28",
        (6, 47, 271, 1916, 10810),
    ),
    "italian opening": (
        "italian",
        "W:W17,18,20,22,23,24,26,27,30:B1,3,5,6,9,11,14,15,16",
        (5, 13, 42, 107, 360, 1099, 3736, 12495),
    ),
    "italian kings": (
        "italian",
        "W:W8,9,K12,17,20,K27,K28:B4,K11,K13,14,K19,21,24",
        (13, 112, 828, 6756),
    ),
    "international problem": (
        "international",
        "B:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46:BK17,K24",
        (14, 55, 1168, 5432),
    ),
    "international Woldouby": (
        "international",
        "W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26",
        (6, 12, 30, 73, 215, 590, 1944, 6269, 22369),
    ),
    "international about to crown": (
        "international",
        "W:W6,7,8,9,10:B41,42,43,44,45",
        (9, 81, 795, 7578),
    ),
    "international all kings": ("international", "W:WK31-50:BK1-20", (17, 79, 352)),
}


@pytest.mark.parametrize("name", START)
def test_start_position(name: str) -> None:
    game = DraughtsGame.by_name(name)
    counts = tuple(game.perft(game.start(), depth) for depth in range(1, len(START[name]) + 1))
    assert counts == START[name]


@pytest.mark.parametrize("title", POSITIONS)
def test_position(title: str) -> None:
    name, fen, expected = POSITIONS[title]
    game = DraughtsGame.by_name(name)
    position = game.read(fen)
    counts = tuple(game.perft(position, depth) for depth in range(1, len(expected) + 1))
    assert counts == expected


def test_nothing_played_is_one_leaf_and_a_finished_game_has_none() -> None:
    game = DraughtsGame.by_name("italian")
    assert game.perft(game.start(), 0) == 1
    assert game.perft(game.read("W:W29:B22,25,26"), 1) == 0
    assert game.perft(game.read("W:W:B1"), 3) == 0
