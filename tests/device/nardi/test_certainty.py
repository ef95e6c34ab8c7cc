"""Whatever the eyes do, an alarm at a nardi board needs certainty; else it can't be told."""

from collections.abc import Callable
from typing import Any

import pytest

from rules.nardi.board import START
from rules.nardi.game import NardiGame
from tests.device.nardi.test_session import HOME, after
from vision.nardi.fake import die

GAME = NardiGame()


@pytest.fixture
def running(table: Callable[..., Any]) -> Any:
    board = table()
    board.show(START, 1.0)
    return board


def kinds(board: Any) -> list[str]:
    return [event["event"] for event in board.events()]


def test_a_die_that_can_not_be_read_is_not_a_die_that_leans(table: Callable[..., Any]) -> None:
    board = table(fen=HOME)
    board.show(HOME)
    board.dice = (die(6, 0.2), die(0, 0.3, p=0.3))
    board.show(HOME, 4)
    assert kinds(board)[1:] == ["unsure"]
    assert "can't be read" in board.events()[-1]["message"]
    played = after("6/off 5/off", HOME, "6-5")
    board.show(played, 2)
    board.dice = ()
    board.show(played, 8)
    assert "offence" not in kinds(board)


def test_a_roll_of_which_one_die_is_unread_is_told_by_the_only_turn_that_fits(running: Any) -> None:
    running.dice = (die(6, 0.2), die(0, 0.3, p=0.3))
    running.show(START, 3)
    played = after("24/18/13")
    running.show(played, 3)
    running.press("w")
    running.show(played, 3)
    assert running.said()[-2:] == ["roll 6-5", "move 24/18/13"]


def test_a_turn_after_a_throw_that_nobody_saw_accuses_nobody(running: Any) -> None:
    moved = after("24/18/13")
    running.throw(6, 5)
    running.show(START)
    running.show(moved)
    running.press("w")
    running.dice = ()
    running.show(moved)
    # Black's throw is not seen; White's next one is
    unseen = GAME.read_board("W:W24x14,13:B12x14,8:O0-0")
    running.show(unseen, 2)
    running.throw(2, 1)
    running.show(unseen, 2)
    later = GAME.read_board("B:W24x14,10:B12x14,8:O0-0")
    running.show(later, 3)
    running.press("b")
    running.show(later, 4)
    running.press("w")
    running.show(later, 4)
    assert "offence" not in kinds(running)


def test_dice_that_read_now_so_now_otherwise_accuse_nobody(running: Any) -> None:
    running.throw(6, 5)
    running.show(START)
    played = after("24/18/14", dice="6-4")
    for pips in (4, 5, 5, 5, 4, 5, 5, 5):
        running.throw(6, pips)
        running.show(START, 0.2)
    running.throw(6, 5)
    running.show(played, 2)
    running.press("w")
    running.show(played, 4)
    assert "offence" not in kinds(running)
    assert running.events()[-1]["event"] == "unsure"


def test_a_die_that_is_not_found_for_a_while_was_not_taken_away(running: Any) -> None:
    running.throw(6, 5)
    running.show(START)
    both, running.dice = running.dice, running.dice[:1]
    running.show(START, 5)
    running.dice = both
    running.show(after("24/18/13"))
    running.press("w")
    running.show(after("24/18/13"))
    assert running.said()[1:] == ["roll 6-5", "move 24/18/13"]


def test_a_die_that_reads_otherwise_for_a_moment_was_not_turned(running: Any) -> None:
    running.throw(6, 5)
    running.show(START)
    running.hand(START)
    running.throw(6, 4)
    running.show(START, 0.8)
    running.throw(6, 5)
    running.show(after("24/18/13"), 2)
    running.press("w")
    running.show(after("24/18/13"))
    assert running.said()[1:] == ["roll 6-5", "move 24/18/13"]


def test_a_set_that_reads_badly_accuses_nobody_of_a_roll_not_played(
    table: Callable[..., Any],
) -> None:
    board = table(alarms=False)
    board.show(START, 1.0)
    moved = after("24/18/13")
    board.throw(6, 5)
    board.show(START)
    board.show(moved)
    board.press("w")
    board.show(moved)
    for one, two, x in ((3, 1, 0.7), (4, 2, 0.2)):
        board.dice = ()
        board.hand(moved)
        board.show(moved, 1)
        board.throw(one, two, x=x)
        board.show(moved, 3)
    board.show("W:W24x13,20,11:B12x15:O0-0", 3)
    assert "offence" not in kinds(board)


SPARSE = "W:W24x13,20,14:B23,12x13,7:O0-0"
HALF_PLAYED = "B:W24x13,20,9:B23,12x13,7:O0-0"


def unfinished(table: Callable[..., Any], dim: Any) -> Any:
    """Half of 5-4 was played, and some points can't be read at first."""
    board = table(fen=SPARSE)
    board.show(SPARSE)
    board.throw(5, 4)
    board.show(SPARSE)
    stands = GAME.read_board(HALF_PLAYED)
    board.hand(stands)
    board.show(stands, 1.4, dim=dim)
    board.press("w")
    board.show(stands, 3, dim=dim)
    return board


def test_a_point_that_can_not_be_read_hides_no_offence_elsewhere(table: Callable[..., Any]) -> None:
    assert unfinished(table, dim=(7,)).said()[-1] == "offence M6"


def test_a_turn_is_not_thought_to_have_ended_where_nothing_can_be_read(
    table: Callable[..., Any],
) -> None:
    # 24/20 would do as well, if one more stood on 20
    board = unfinished(table, dim=(20,))
    assert board.said()[1:] == ["roll 5-4"]
    board.show(HALF_PLAYED, 3)
    assert board.said()[-1] == "offence M6"


def test_a_leaning_die_is_an_offence_though_it_was_played_at_once(
    table: Callable[..., Any],
) -> None:
    board = table(fen=HOME)
    board.show(HOME)
    board.dice = (die(6, 0.2), die(5, 0.3, cocked=True))
    board.show(HOME, 1.2)
    played = after("6/off 5/off", HOME, "6-5")
    board.hand(played)
    board.show(played, 2)
    board.dice = ()
    board.show(played, 6)
    assert "offence P1" in board.said()


def test_a_leaning_die_that_is_thrown_again_and_played_at_once(table: Callable[..., Any]) -> None:
    board = table(fen=HOME)
    board.show(HOME)
    board.dice = (die(6, 0.2), die(5, 0.3, cocked=True))
    board.show(HOME, 2)
    board.dice = ()
    board.hand(GAME.read(HOME))
    board.show(HOME, 0.4)
    board.throw(4, 3, x=0.7)
    board.show(HOME, 0.4)
    played = after("4/off 5/2", HOME, "4-3")
    board.hand(played)
    board.show(played, 2)
    board.press("w")
    board.show(played, 2)
    assert board.said()[1:] == ["rethrow 6-5", "roll 4-3", "move 4/off 5/2"]


def test_a_turn_whose_throw_nobody_saw_is_told_by_the_next_throw(running: Any) -> None:
    moved = after("24/18/13")
    running.throw(6, 5)
    running.show(START)
    running.show(moved)
    running.press("w")
    running.dice = ()
    running.show(moved)
    unseen = GAME.read_board("W:W24x14,13:B12x14,8:O0-0")
    running.hand(unseen)
    running.show(unseen, 1)
    running.hand(unseen)
    running.throw(2, 1)
    running.show(unseen, 3)
    fens = [event["fen"] for event in running.events() if event["event"] == "move"]
    assert fens[1:] == [GAME.write(unseen)]
    assert running.state.side == "w"
    assert running.state.game.roll is not None
    assert running.state.game.roll.dice == (2, 1)


def test_a_die_taken_away_beside_a_stack_that_reads_low_is_noticed(running: Any) -> None:
    low = {24: (12, 0)}
    running.throw(6, 5, x=0.86, y=0.2)
    running.show(START, misread=low)
    running.dice = running.dice[:1]
    running.hand(START)
    running.show(START, 4, misread=low)
    running.show(after("24/18/13"), misread=low)
    running.press("w")
    running.show(after("24/18/13"), misread=low)
    assert running.said()[2:] == ["move 24/18/13", "offence P4"]


@pytest.mark.parametrize(("seconds", "told"), [(1.8, "move 24/18/13"), (4, "offence B3")])
def test_a_checker_that_reads_as_nothing_for_a_moment_is_not_gone(
    seconds: float, told: str, table: Callable[..., Any]
) -> None:
    before = "W:W24x15:B12x14,8:O0-0"
    board = table(fen=before)
    board.show(before)
    board.throw(6, 5)
    board.show(before)
    played = after("24/18/13", before)
    board.hand(played)
    board.show(played)
    board.press("w")
    board.show(played, seconds, misread={8: (0, 0)})
    board.show(played)
    assert board.said()[2] == told


def test_a_die_taken_away_by_a_hand_that_hid_neither_is_noticed(running: Any) -> None:
    running.throw(6, 5)
    running.show(START, 2)
    running.hand(START)
    running.dice = running.dice[:1]
    running.show(START, 4)
    running.hand(START)
    running.show(after("24/18/13"))
    running.press("w")
    assert running.show(after("24/18/13"))[-1]["event"] == "offence"
    assert running.said()[-1] == "offence P4"


def told(board: Any, later: int) -> Any:
    """One die can't be read and a person tells that it is a five; then it reads as something."""
    board.show(SPARSE)
    one = die(5, 0.2, 0.3)
    board.dice = (one, die(0, 0.3, 0.3, p=0.3))
    board.show(SPARSE, 3)
    board.command("roll", "5-4", "w")
    board.hand(GAME.read(SPARSE))
    board.show(SPARSE, 0.4)
    board.dice = (one, die(later, 0.3, 0.3))
    board.show(SPARSE, 0.2)
    board.dice = (one, die(later or 4, 0.3, 0.3, p=0.99 if later else 0.3))
    board.show(SPARSE, 2.4)
    return board


@pytest.mark.parametrize("later", [0, 4])
def test_a_roll_that_a_person_told_is_sure(later: int, table: Callable[..., Any]) -> None:
    board = told(table(fen=SPARSE), later)
    stands = GAME.read_board(HALF_PLAYED)
    board.hand(stands)
    board.show(stands)
    board.press("w")
    board.show(stands, 3)
    assert board.said()[2:] == ["roll 5-4", "offence M6"]


def test_a_die_that_is_read_after_a_person_told_it_was_not_turned(
    table: Callable[..., Any],
) -> None:
    board = told(table(fen=SPARSE), 4)
    stands = after("14/9 24/20", SPARSE, "5-4", first=False)
    board.hand(stands)
    board.show(stands)
    board.press("w")
    board.show(stands, 3)
    assert board.said()[2:] == ["roll 5-4", "move 14/9 24/20"]
