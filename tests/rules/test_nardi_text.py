"""Long Nardi as text: positions, dice, moves and settings, and what is said of bad ones."""

from __future__ import annotations

import re

import pytest

from rules.errors import BadMove, BadPosition, IllegalMove
from rules.nardi.board import START, Position, index, point_at
from rules.nardi.dice import ROLLS, BadRoll, Roll, begins
from rules.nardi.facts import CLASSIC, CODES, HEAD_EXCEPTIONS, BadSetting, rules_by
from rules.nardi.fen import read, read_line, write, write_line
from rules.nardi.game import NardiGame
from rules.nardi.notation import carried_out, parse, renumbered, text

GAME = NardiGame()


def test_the_start_as_text() -> None:
    assert write(GAME.start()) == "W:W24x15:B12x15:O0-0"
    assert read("W:W24x15:B12x15:O0-0") == START


def test_points_of_a_side_are_written_from_high_to_low() -> None:
    board = Position.of({3: 1, 24: 2, 10: 12}, {1: 7, 12: 1}, (0, 7), "b")
    assert write(board) == "B:W24x2,10x12,3:B12,1x7:O0-7"


@pytest.mark.parametrize(
    "written",
    [
        "W:B12x15:W24x15:O0-0",
        "W:O0-0:B12x15:W24x15",
        " W : W24x15 : B12x15 : O0-0 ",
        "W:W24x15:B12x15:O0-0.",
        "W:W24 x 15,3x0:B12x15:O0 - 0 . ",
    ],
)
def test_other_orders_and_spaces_are_read(written: str) -> None:
    assert read(written) == START


def test_a_point_in_both_lists_is_read_and_written() -> None:
    board = read("W:W24x13,18,12:B12x15:O0-0")
    assert board.both() == (12,)
    assert write(board) == "W:W24x13,18,12:B12x15:O0-0"
    assert board.fault() == "point 12 holds both colours"


def test_an_empty_list_is_a_side_that_is_all_off() -> None:
    board = read("B:W:B18x4,13x2:O15-9")
    assert board.winner() == "w"
    assert write(board) == "B:W:B18x4,13x2:O15-9"


@pytest.mark.parametrize(
    ("written", "what", "where"),
    [
        ("", "side to move ''", "character 1"),
        ("X:W24:B12:O0-0", "side to move 'X'", "character 1"),
        ("w:W24:B12:O0-0", "side to move 'w'", "character 1"),
        ("W:W24x15:B12x15", "no part O", "character 16"),
        ("W:W24x15:O0-0", "no part B", "character 14"),
        ("W:W24x15:W12x15:O0-0", "part 'W12x15'", "character 10"),
        ("W:W24x15:B12x15:O0-0:O0-0", "part 'O0-0'", "character 22"),
        ("W:W25:B12x15:O0-0", "point '25'", "character 4"),
        ("W:W24x15, 0:B12x15:O0-0", "point ' 0'", "character 11"),
        ("W:W24x15,:B12x15:O0-0", "point ''", "character 10"),
        ("W:W24x15,24:B12x15:O0-0", "point 24 twice", "character 10"),
        ("W:W24x-1:B12x15:O0-0", "point '24x-1'", "character 4"),
        ("W:W24x150:B12x15:O0-0", "point '24x150'", "character 4"),
        ("W:WK24:B12x15:O0-0", "point 'K24'", "character 4"),
        ("W:W1-6:B12x15:O0-0", "point '1-6'", "character 4"),
        ("W:W٣:B12x15:O0-0", "point '٣'", "character 4"),
        ("W:W24x15:B12x15:O0", "borne off '0'", "character 18"),
        ("W:W24x15:B12x15:O0-0-0", "borne off '0-0-0'", "character 18"),
        ("W:W24x15:B12x15:Z", "part 'Z'", "character 17"),
    ],
)
def test_bad_positions_are_named_with_their_place(written: str, what: str, where: str) -> None:
    with pytest.raises(BadPosition) as caught:
        read(written)
    assert (caught.value.what, caught.value.where) == (what, where)
    assert caught.value.expected


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ("W:W24x14:B12x15:O0-0", "White has 14 checkers with those borne off"),
        ("W:W24x15:B12x15:O0-1", "Black has 16 checkers with those borne off"),
        ("W:W24x14,12:B12x15:O0-0", "point 12 holds both colours"),
    ],
)
def test_what_is_no_position_of_the_game_is_refused(written: str, fault: str) -> None:
    with pytest.raises(BadPosition, match=re.escape(fault)):
        GAME.moves(read(written), Roll((6, 5)))
    with pytest.raises(BadPosition, match=re.escape(fault)):
        GAME.judge(read(written), START, Roll((6, 5)))


def test_a_position_of_wrong_shape_is_refused() -> None:
    with pytest.raises(BadPosition, match="23 and 24 points"):
        Position("w", (0,) * 23, (0,) * 24)
    with pytest.raises(BadPosition, match="a count of -1"):
        Position("w", (-1,) * 24, (0,) * 24)
    with pytest.raises(BadPosition, match="point 25"):
        Position.of({25: 1}, {})


def test_puzzle_lines() -> None:
    line = "W 24:9,13 B 12:15 off 0/0 turn W dice 6-1 first"
    board, roll = read_line(line)
    assert board == Position.of({24: 9, 13: 1}, {12: 15})
    assert roll == Roll((6, 1), first=True)
    assert write_line(board, roll) == line
    with pytest.raises(BadPosition, match="line"):
        read_line("W 24:9,13 B 12:15 off 0/0 turn X")


# ---------------------------------------------------------------- paths (§1.2, §1.9, §2.1)


def test_the_paths() -> None:
    white = [point_at("w", i) for i in range(24)]
    black = [point_at("b", i) for i in range(24)]
    assert white == list(range(24, 0, -1))
    assert black == [*range(12, 0, -1), *range(24, 12, -1)]
    assert [index("b", p) for p in black] == list(range(24))
    assert START.path("b") == (15, *(0,) * 23)
    assert START.path("b", "w") == (*(0,) * 12, 15, *(0,) * 11)


# ---------------------------------------------------------------- dice (§1.3, §3.2)


def test_dice() -> None:
    assert Roll((5, 6)) == Roll((6, 5)) == Roll.read("5-6") == Roll.read(" 65 ")
    assert Roll((5, 6)).to_play == (6, 5)
    assert Roll((2, 2)).to_play == (2, 2, 2, 2)
    assert Roll.read("6,1", first=True).first
    assert len(ROLLS) == 21 == len({frozenset(roll) for roll in ROLLS})


@pytest.mark.parametrize("dice", [(0, 1), (7, 1), (6,), (6, 5, 4), (6, True), (6.0, 5), ("6", "5")])
def test_bad_dice(dice: tuple[int, int]) -> None:
    with pytest.raises(BadRoll):
        Roll(dice)


@pytest.mark.parametrize("written", ["", "6", "6-7", "0-1", "6-5-4", "six", "6--------5", "٣-٣"])
def test_bad_dice_as_text(written: str) -> None:
    with pytest.raises(BadRoll) as caught:
        Roll.read(written)
    assert caught.value.where == "dice"


def test_no_move_without_a_roll() -> None:
    with pytest.raises(BadRoll, match="no dice"):
        GAME.moves(START)
    with pytest.raises(BadRoll, match="no dice"):
        GAME.judge(START, START)


@pytest.mark.parametrize(("one", "two", "white"), [(6, 1, 0), (2, 5, 1), (4, 4, None)])
def test_1_3_the_larger_die_begins(one: int, two: int, white: int | None) -> None:
    assert begins(one, two) == white


# ---------------------------------------------------------------- moves


@pytest.mark.parametrize(
    ("steps", "written"),
    [
        ((), "pass"),
        (((24, 18), (18, 13)), "24/18/13"),
        (((24, 18), (20, 15)), "24/18 20/15"),
        (((24, 18), (24, 18)), "24/18(2)"),
        (((4, 0), (4, 0)), "4/off(2)"),
        (((24, 21), (24, 21), (21, 18), (21, 18)), "24/21/18(2)"),
    ],
)
def test_move_text(steps: tuple[tuple[int, int], ...], written: str) -> None:
    assert text(steps) == written
    assert text(parse(written)) == written
    assert sorted(parse(written)) == sorted(steps)


@pytest.mark.parametrize(
    ("written", "where"),
    [
        ("24", "character 1"),
        ("24/18 25/1", "character 7"),
        ("24/0", "character 1"),
        ("off/24", "character 1"),
        ("24/18(0)", "character 1"),
        ("24/18(16)", "character 1"),
        ("24/off/18", "character 1"),
        ("24/18 pass", "character 7"),
        ("24-18", "character 1"),
    ],
)
def test_bad_moves_are_named_with_their_place(written: str, where: str) -> None:
    with pytest.raises(BadMove) as caught:
        parse(written)
    assert caught.value.where == where


def test_a_step_needs_a_checker() -> None:
    with pytest.raises(IllegalMove, match="no White checker on 12"):
        carried_out(START, "w", ((12, 6),))


def test_own_numbering_counts_from_the_own_head() -> None:
    steps = ((12, 6), (1, 24), (13, 0))
    assert renumbered(steps, "b") == ((24, 18), (13, 12), (1, 0))
    assert renumbered(renumbered(steps, "b"), "b") == steps
    assert renumbered(steps, "w") == steps


# ---------------------------------------------------------------- settings and articles


def test_settings_of_a_club() -> None:
    assert rules_by({}) == CLASSIC
    rules = rules_by(
        {"block_timing": "end", "block_saved_by": "home", "head_exception": "anydouble"}
    )
    assert (rules.block_timing, rules.block_saved_by) == ("end", "home")
    assert rules.head_exception == HEAD_EXCEPTIONS["anydouble"]


@pytest.mark.parametrize("settings", [{"block": "each"}, {"block_timing": "never"}])
def test_bad_settings(settings: dict[str, str]) -> None:
    with pytest.raises(BadSetting) as caught:
        rules_by(settings)
    assert caught.value.expected.startswith("one of")


def test_articles_are_cited_as_players_know_them() -> None:
    assert CODES["M4"].article == "Long Nardi §1.2; §3.1"
    assert CODES["M5"].article == "Long Nardi §3.4"
