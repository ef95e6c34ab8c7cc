"""What the judge of Long Nardi says: the points to look at, the die, and what is due."""

from __future__ import annotations

import pytest

from rules.nardi.board import START
from rules.nardi.dice import Roll
from rules.nardi.facts import Rules
from rules.nardi.game import NardiGame
from rules.nardi.notation import carried_out, parse
from rules.verdict import Legal, Offence

GAME = NardiGame()


def offence(
    before: str, dice: str, after: str, first: bool = False, rules: Rules | None = None
) -> Offence:
    game = NardiGame(rules) if rules else GAME
    verdict = game.judge(game.read(before), game.read(after), Roll.read(dice, first))
    assert isinstance(verdict, Offence)
    assert len(verdict.short) <= 60
    return verdict


#: before, dice, first, after, code, first square, what the sentence must name, what is due
SAID = [
    (
        "W:W24x15:B12x15:O0-0", "6-5", True, "B:W24x13,19,18:B12x15:O0-0",
        "M4", "24", "2 checkers from the head on 24", ("24/18/13",),
    ),
    (
        "W:W24x15:B12x15:O0-0", "6-5", True, "B:W24x14,14:B12x15:O0-0",
        "M2", "24", "went 10 from 24 to 14; 6-5 gives 6, 5 or 11", ("24/18/13",),
    ),
    (
        "W:W24x15:B12x15:O0-0", "6-5", True, "B:W24x15:B12x15:O0-0",
        "M6", "24", "left a 6 of 6-5 unplayed, though 24/18 can be played", ("24/18/13",),
    ),
    (
        "W:W24,6x14:B14x6,13x2,12,5,1x5:O0-0", "6-5", False,
        "B:W19,6x14:B14x6,13x2,12,5,1x5:O0-0",
        "M7", "24", "must be the larger: the 6 with 24/18, not the 5", ("24/18",),
    ),
    (
        "W:W20,10,1x13:B15x15:O0-0", "6-5", False, "B:W20,4,1x13:B15x15:O0-0",
        "M8", "10", "20/14/9 plays both", ("20/14/9", "20/14 10/5"),
    ),
    (
        "W:W24x15:B12x15:O0-0", "6-6", True, "B:W24x13,18,12:B12x15:O0-0",
        "M3", "12", "12, a point that Black holds", ("24/18(2)",),
    ),
    (
        "W:W24x10,20x5:B14,12x14:O0-0", "6-5", False, "B:W24x10,20x3,15,14:B14,12x14:O0-0",
        "M3", "14", "with the 6 of 6-5 on 14", ("24/18 20/15", "24/18/13", "20/15/9"),
    ),
    (
        "B:W24x14,4:B12x15:O0-0", "4-4", True, "W:W24x14,4:B20,12x14:O0-0",
        "M3", "4", "through 4 with the 4 of 4-4, but White holds", ("12/8",),
    ),
    (
        "W:W9,2x6,1x8:B13x9:O0-6", "3-2", False, "B:W9,2x5,1x8:B13x9:O1-6",
        "B1", "9", "from 2 with the 2 of 3-2 while a checker stood on 9", ("9/6/4", "9/6 2/off"),
    ),
    (
        "W:W6,3:B13x15:O13-0", "5-1", False, "B:W5:B13x15:O14-0",
        "B2", "6", "from 3 with the 5 of 5-1, though a checker stood further back on 6",
        ("6/1 3/2", "6/1/off"),
    ),
    (
        "W:W24x10,20x5:B12x15:O0-0", "2-1", False, "B:W24x9,23,22,20x4:B12x15:O0-0",
        "M1", "22", "went backwards from 20 to 22", None,
    ),
    (
        "B:W20x15:B24x3,12x12:O0-0", "3-1", False, "W:W20x15:B24x2,12x11,9,1:O0-0",
        "M1", "1", "went backwards from 24 to 1", None,
    ),
    (
        "W:W24x8,13,11,10,9,8,7x2:B12x15:O0-0", "6-1", False,
        "B:W24x7,18,13,11,10,9,8,7,6:B12x15:O0-0",
        "M5", "6", "1 of 6-1 builds the block 11-6, and no Black checker is past it", (),
    ),
    (
        "W:W24x9,13,11,10,9,8,6:B12x15:O0-0", "6-1", False,
        "B:W24x9,11,10,9,8,6x2:B12x15:O0-0",
        "M5", "7", "through the block 11-6, made in passing with the 6 of 6-1", (),
    ),
    (
        "W:W24x10,20x5:B12x10,6x5:O0-0", "6-5", False, "B:W24x10,20x4,9:B12x10,6x4,5:O0-0",
        "P5", "6", "Black's checkers were moved", None,
    ),
    (
        "W:W24x10,20x5:B14,12x14:O0-0", "6-5", False, "B:W24x9,20x4,19,14:B12x14:O0-0",
        "B3", "14", "Black has 14 checkers instead of 15", None,
    ),
    (
        "W:W4x2,3x3:B18x15:O10-0", "6-5", False, "B:W4x2,3x4:B18x15:O9-0",
        "B3", "3", "borne off went from 10 to 9", ("4/off(2)",),
    ),
    (
        "B:W:B18x4,13x2:O15-9", "6-5", False, "W:W:B18x2,13x3:O15-10",
        "E1", "18", "White has borne off all 15", (),
    ),
    (
        "W:W24x15:B23x3,22x3,18x9:O0-0", "2-1", False, "B:W24x14,20:B23x3,22x3,18x9:O0-0",
        "M2", "24", "no move with 2-1 but moved from 24", ("pass",),
    ),
    (
        "W:W24x8,23x2,16,15,14,13,1:B12x5,11x2,10x2,9x2,8x2,7x2:O0-0", "6-6", False,
        "B:W24x7,23x2,18,16,15,14,13,1:B12x5,11x2,10x2,9x2,8x2,7x2:O0-0",
        "M6", "23", "the 6 goes 2 times with 23/17(2)", ("23/17(2)",),
    ),
    (  # 10/6 and then 2/off breaks one rule, 2/off and then 10/6 two: the fewest are told
        "W:W10,6,4,2x7,1x5:B13x8:O0-7", "6-4", False, "B:W6x2,4,2x6,1x5:B13x8:O1-7",
        "B2", "6", "from 2 with the 6 of 6-4, though a checker stood further back on 6", None,
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "dice", "first", "after", "code", "square", "words", "due"),
    SAID,
    ids=[f"{row[4]}-{k}" for k, row in enumerate(SAID)],
)
def test_what_is_said(
    before: str,
    dice: str,
    first: bool,
    after: str,
    code: str,
    square: str,
    words: str,
    due: tuple[str, ...] | None,
) -> None:
    told = offence(before, dice, after, first)
    assert told.code == code
    assert told.squares[0] == square
    assert words in told.message
    if due is not None:
        assert set(told.due) == set(due)


def test_due_names_at_most_twelve() -> None:
    told = offence("B:W24x14,2:B12x10,8x5:O0-0", "3-3", "W:W24x14,2:B12x10,8x5:O0-0")
    ends = GAME.moves(GAME.read("B:W24x14,2:B12x10,8x5:O0-0"), Roll((3, 3)))
    assert len(told.due) == (len(ends) if len(ends) <= 12 else 0)
    many = GAME.read("W:W24x8,23x2,20x2,18x2,16:B12x15:O0-0")
    assert len(GAME.moves(many, Roll((2, 1)))) > 12
    verdict = GAME.judge(many, many, Roll((2, 1)))
    assert isinstance(verdict, Offence)
    assert verdict.due == ()


def test_the_move_text_has_the_larger_die_first() -> None:
    before = GAME.read("W:W24x10,20x5:B12x15:O0-0")
    after = carried_out(before, "w", parse("24/19 20/14"))
    assert GAME.judge(before, after, Roll((5, 6))) == Legal("20/14 24/19", after)


def test_a_pass_is_legal_only_when_nothing_goes() -> None:
    locked = GAME.read("W:W24,1x14:B23x3,22x3,21x3,20x2,19x2,18x2:O0-0")
    assert GAME.judge(locked, locked, Roll((6, 5))) == Legal("pass", locked.with_side("b"))
    verdict = GAME.judge(START, START, Roll((6, 5)))
    assert isinstance(verdict, Offence)
    assert verdict.code == "M6"


# ---------------------------------------------------------------- a club's reading of §3.4

PASSING = "W:W24x9,13,11,10,9,8,6:B12x15:O0-0"
PASSED = "B:W24x9,11,10,9,8,6x2:B12x15:O0-0"


def test_block_timing_end_lets_a_block_pass() -> None:
    assert offence(PASSING, "6-1", PASSED).variant == "b"
    game = NardiGame(Rules(block_timing="end"))
    after = game.read(PASSED)
    assert game.judge(game.read(PASSING), after, Roll((6, 1))) == Legal("13/7/6", after)


def test_block_timing_end_still_forbids_one_that_stands() -> None:
    after = "B:W24x8,23,11,10,9,8,7,6:B12x15:O0-0"
    told = offence(PASSING, "6-1", after, rules=Rules(block_timing="end"))
    assert (told.code, told.variant) == ("M5", "a")


def test_block_saved_by_home_needs_one_at_home() -> None:
    before = "W:W24x9,13,11,10,9,8,6:B12x14,3:O0-0"
    after = "B:W24x8,23,11,10,9,8,7,6:B12x14,3:O0-0"
    assert isinstance(GAME.judge(GAME.read(before), GAME.read(after), Roll((6, 1))), Legal)
    told = offence(before, "6-1", after, rules=Rules(block_saved_by="home"))
    assert (told.code, told.variant) == ("M5", "a")


# ---------------------------------------------------------------- deeds

DEEDS = [
    ("M4", "W:W24x15:B12x15:O0-0", "6-5", True, ((24, "w13"), (19, "w1"), (18, "w1"))),
    ("M6", "W:W24x15:B12x15:O0-0", "6-5", True, ()),
    ("M2", "W:W24x15:B12x15:O0-0", "6-5", True, ((24, "w14"), (14, "w1"))),
    ("M3", "W:W24x15:B12x15:O0-0", "6-6", True, ((24, "w13"), (18, "w1"), (12, "w1b15"))),
    ("P5", "W:W24x15:B12x15:O0-0", "6-5", True, ((12, "b14"), (1, "b1"))),
    ("M1", "W:W20x15:B12x15:O0-0", "4-1", False, ((24, "w1"), (20, "w14"))),
    ("B1", "W:W9,6x5,4x5,3x4:B13x15:O0-0", "6-3", False, ((6, "w4"), (3, "w3"))),
    ("B3", "W:W20x15:B14,12x14:O0-0", "6-5", False, ((20, "w13"), (15, "w1"), (14, "w1"))),
    ("M7", "B:W24x14,4:B12x15:O0-0", "5-3", True, ((12, "b14"), (9, "b1"))),
    ("M8", "W:W20,10,1x13:B15x15:O0-0", "6-5", False, ((10, ""), (4, "w1"))),
    (
        "M5", "W:W24x9,13,11,10,9,8,6:B12x15:O0-0", "6-1", False,
        ((24, "w8"), (23, "w1"), (13, ""), (7, "w1")),
    ),
    ("B2", "W:W6,3:B13x15:O13-0", "5-1", False, ((6, ""), (5, "w1"), (3, ""))),
]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "before", "dice", "first", "changes"), DEEDS, ids=[row[0] for row in DEEDS]
)
def test_the_deeds_that_people_do_are_there(
    code: str, before: str, dice: str, first: bool, changes: tuple[tuple[int, str], ...]
) -> None:
    position = GAME.read(before)
    deeds = GAME.deeds(position, Roll.read(dice, first))
    found = [deed for deed in deeds if set(deed.changes) == set(changes)]
    assert [deed.code for deed in found] == [code]


def test_no_deed_is_left_when_the_game_is_over() -> None:
    position = GAME.read("B:W:B18x4,13x2:O15-9")
    assert list(GAME.deeds(position, Roll((6, 5)))) == []
