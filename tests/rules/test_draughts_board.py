"""Where the squares lie and what they are called."""

from __future__ import annotations

import pytest

from rules.draughts.game import DraughtsGame
from rules.draughts.geometry import Board

# as printed: FID 2.4 for Italy; the FMJD's picture; the picture with 1 at the top for the others
ITALIAN = """
 1  .  2  .  3  .  4  .
 .  5  .  6  .  7  .  8
 9  . 10  . 11  . 12  .
 . 13  . 14  . 15  . 16
17  . 18  . 19  . 20  .
 . 21  . 22  . 23  . 24
25  . 26  . 27  . 28  .
 . 29  . 30  . 31  . 32
"""
ENGLISH = """
 .  1  .  2  .  3  .  4
 5  .  6  .  7  .  8  .
 .  9  . 10  . 11  . 12
13  . 14  . 15  . 16  .
 . 17  . 18  . 19  . 20
21  . 22  . 23  . 24  .
 . 25  . 26  . 27  . 28
29  . 30  . 31  . 32  .
"""
INTERNATIONAL = """
 .  1  .  2  .  3  .  4  .  5
 6  .  7  .  8  .  9  . 10  .
 . 11  . 12  . 13  . 14  . 15
16  . 17  . 18  . 19  . 20  .
 . 21  . 22  . 23  . 24  . 25
26  . 27  . 28  . 29  . 30  .
 . 31  . 32  . 33  . 34  . 35
36  . 37  . 38  . 39  . 40  .
 . 41  . 42  . 43  . 44  . 45
46  . 47  . 48  . 49  . 50  .
"""


@pytest.mark.parametrize(
    ("name", "picture"),
    [
        ("italian", ITALIAN),
        ("english", ENGLISH),
        ("russian", ENGLISH),
        ("giveaway", ENGLISH),
        ("international", INTERNATIONAL),
    ],
)
def test_numbers_run_as_in_the_picture(name: str, picture: str) -> None:
    board = DraughtsGame.by_name(name).board
    rows = [line.split() for line in picture.strip().splitlines()]
    for row, line in enumerate(rows):
        for col, text in enumerate(line):
            number = 0 if text == "." else int(text)
            assert board.at(row, col) == number
            if number:
                assert board.cell(number) == (row, col)
    assert board.count == max(int(text) for line in rows for text in line if text != ".")


@pytest.mark.parametrize(
    ("number", "name"), [(1, "b8"), (4, "h8"), (5, "a7"), (18, "d4"), (29, "a1"), (32, "g1")]
)
def test_russian_names(number: int, name: str) -> None:
    game = DraughtsGame.by_name("russian")
    assert game.name_of(number) == name
    assert game.square(name) == game.square(str(number)) == number


def test_main_road_of_the_russian_board() -> None:
    game = DraughtsGame.by_name("russian")
    road = [game.square(name) for name in ("a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8")]
    assert road == [29, 25, 22, 18, 15, 11, 8, 4]


@pytest.mark.parametrize(
    "text",
    [
        "a2",
        "i1",
        "a9",
        "a0",
        "",
        "A1",
        "a",
        "33",
        "0",
        "1a",
        "١",
        "a١",
        "1" * 5000,
        "a" + "1" * 5000,
    ],
)
def test_no_such_square(text: str) -> None:
    assert DraughtsGame.by_name("russian").square(text) == 0


def test_names_are_not_read_where_they_are_not_in_use() -> None:
    assert DraughtsGame.by_name("italian").square("a1") == 0
    assert DraughtsGame.by_name("international").square("a1") == 0


def test_off_the_board_is_no_square() -> None:
    board = Board(8)
    assert [board.at(-1, 0), board.at(8, 1), board.at(0, 8), board.at(0, -1)] == [0, 0, 0, 0]
