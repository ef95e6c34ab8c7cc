"""A nardi game before made-up eyes: throws, ends of turns, offences and what becomes of them."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from device.nardi.session import begin, step
from device.session_values import Setup, input_from_json, to_json
from rules.nardi.board import START
from rules.nardi.dice import Roll
from rules.nardi.game import NardiGame
from vision.nardi.fake import die

GAME = NardiGame()
HOME = "W:W6x3,5x4,4x4,2x2:B18x3,17x4,16x4,14x2:O2-2"


def after(
    text: str, fen: str = "W:W24x15:B12x15:O0-0", dice: str = "6-5", first: bool = True
) -> Any:
    roll = Roll.read(dice, first)
    position = GAME.read(fen)
    return next(m.after for m in GAME.moves(position, roll) if m.text == text)


@pytest.fixture
def running(table: Callable[..., Any]) -> Any:
    """A running camera that has seen the start position."""
    board = table()
    board.show(START, 1.0)
    return board


def test_the_start_is_told_with_the_edge_of_white(running: Any) -> None:
    (event,) = running.events()
    assert (event["event"], event["white_at"]) == ("start-position", "bottom")


def test_the_board_may_lie_turned(table: Callable[..., Any]) -> None:
    board = table(eyes={"way": 1})
    assert board.show(START, 1.0)[0]["white_at"] == "top"


def test_mirrored_heads_are_said_and_nothing_begins(table: Callable[..., Any]) -> None:
    board = table(settled=True, eyes={"way": 2})
    (event,) = board.show(START)
    assert event["event"] == "unsure"
    assert "mirrored" in event["message"]


def test_three_equal_readings_before_a_roll_counts(running: Any) -> None:
    running.throw(6, 5)
    running.show(START, 0.4)
    assert running.said() == ["start-position"]
    running.show(START, 0.2)
    assert running.said()[1:] == ["roll 6-5"]


def test_readings_that_differ_do_not_count(running: Any) -> None:
    for pips in (5, 4, 5, 3, 5, 5):
        running.throw(6, pips)
        running.show(START, 0.2)
    assert running.said() == ["start-position"]


def test_nothing_is_said_before_the_turn_ends(running: Any) -> None:
    running.throw(6, 5)
    running.show(START)
    before = len(running.effects)
    running.show(after("24/18/13"), 3)
    running.show("B:W24x13,20,10:B12x15:O0-0", 3)
    assert running.said(before) == []


@pytest.mark.parametrize("how", ["press", "gone", "thrown"])
def test_a_turn_ends_by_the_button_the_dice_or_the_next_throw(running: Any, how: str) -> None:
    running.throw(6, 5)
    running.show(START)
    running.show(after("24/18/13"))
    if how == "press":
        running.press("w")
    elif how == "gone":
        running.dice = ()
    else:
        running.throw(3, 1, x=0.7)
    running.show(after("24/18/13"))
    assert running.said()[:3] == ["start-position", "roll 6-5", "move 24/18/13"]
    assert running.said()[3:] == (["roll 3-1"] if how == "thrown" else [])


def test_one_die_each_is_the_opening_roll(running: Any) -> None:
    running.dice = (die(3, 0.2),)
    running.show(START, 2)
    running.dice = (die(3, 0.2), die(5, 0.7))
    running.show(START)
    running.dice = ()
    running.show(START)
    running.throw(6, 5)
    running.show(START)
    assert running.said()[1:] == ["opening 3-5", "roll 6-5"]
    assert running.state.side == "w"


def test_an_equal_opening_is_thrown_again(running: Any) -> None:
    running.dice = (die(4, 0.2), die(4, 0.7))
    running.show(START)
    assert running.events()[-1]["reason"] == "equal: both throw again"


@pytest.mark.parametrize(
    ("why", "dice"),
    [
        ("split", (die(6, 0.2), die(5, 0.8))),
        ("cocked", (die(6, 0.2), die(5, 0.3, cocked=True))),
        ("cocked", (die(6, 0.2), die(0, 0.3, p=0.3, cocked=True))),
        ("off", (die(6, 0.2), die(5, 1.2))),
    ],
)
def test_a_bad_throw_is_said_quietly_and_is_an_offence_only_if_played(
    table: Callable[..., Any], why: str, dice: Any
) -> None:
    here = GAME.read(HOME)
    board = table(fen=HOME)
    board.show(here)
    board.dice = dice
    board.show(here, 3)
    assert board.said()[1:] == ["rethrow " + "-".join(str(d.pips) for d in dice if d.pips)]
    assert board.signals()[-1][0] == "ready", "no lamp, no sound"
    played = after("6/off 5/off", HOME, "6-5")
    board.show(played, 2)
    board.dice = ()
    board.show(played, 6)
    offence = next(e for e in board.events() if e["event"] == "offence")
    assert (offence["code"], offence["side"]) == ("P1", "w")
    assert offence["article"] == "Long Nardi §1.6"


def test_a_bad_throw_that_is_thrown_again_is_nothing(table: Callable[..., Any]) -> None:
    here = GAME.read(HOME)
    board = table(fen=HOME)
    board.show(here)
    board.dice = (die(6, 0.2), die(5, 0.8))
    board.show(here, 2)
    board.dice = ()
    board.show(here, 2)
    board.throw(4, 3)
    board.show(here)
    assert board.said()[1:] == ["rethrow 6-5", "roll 4-3"]


def test_split_dice_may_count_in_a_club(table: Callable[..., Any]) -> None:
    board = table(fen=HOME, rules="split=counts")
    board.show(HOME)
    board.dice = (die(6, 0.2), die(5, 0.8))
    board.show(HOME)
    assert board.said()[1:] == ["roll 6-5"]


def test_a_die_that_is_turned_is_noticed_at_the_end_of_the_turn(running: Any) -> None:
    running.throw(6, 5)
    running.show(START)
    running.hand(START)
    running.throw(6, 4)
    running.show(START, 2)
    assert running.said()[1:] == ["roll 6-5"]
    running.show(after("24/18/13"))
    running.press("w")
    running.show(after("24/18/13"))
    assert running.said()[2:] == ["move 24/18/13", "offence P4"]
    running.dice = ()
    running.show(after("24/18/13"))
    running.throw(2, 1, x=0.7)
    running.show(after("24/18/13"))
    assert running.said()[4:] == ["resolved accepted", "roll 2-1"]


def test_a_die_that_is_taken_away_is_noticed(running: Any) -> None:
    running.throw(6, 5)
    running.show(START)
    running.dice = running.dice[:1]
    running.hand(START)
    running.show(START, 4)
    running.show(after("24/18/13"))
    running.press("w")
    running.show(after("24/18/13"))
    assert running.said()[2:] == ["move 24/18/13", "offence P4"]


def test_dice_picked_up_one_after_the_other_after_the_turn_are_no_offence(running: Any) -> None:
    running.throw(6, 5)
    running.show(START)
    running.show(after("24/18/13"))
    running.dice = running.dice[:1]
    running.show(after("24/18/13"), 3)
    running.dice = ()
    running.show(after("24/18/13"))
    assert running.said()[1:] == ["roll 6-5", "move 24/18/13"]


def test_a_first_reading_that_was_wrong_is_corrected_without_a_hand(running: Any) -> None:
    running.throw(6, 5)
    running.show(START, 0.8)
    running.throw(6, 4)
    running.show(START, 3)
    assert running.said()[1:] == ["roll 6-5", "roll 6-4"]
    assert running.state.game.roll == Roll((6, 4), True)


def wrong(running: Any) -> str:
    """An unfinished turn that is over."""
    running.throw(6, 5)
    running.show(START)
    board = "B:W24x14,18:B12x15:O0-0"
    running.show(board)
    running.press("w")
    running.show(board, 2)
    assert running.said()[-1] == "offence M6"
    assert running.signals()[-1] == ("illegal", "w")
    return board


def test_an_offence_that_is_put_right(running: Any) -> None:
    wrong(running)
    running.show(after("24/18/13"), 3)
    assert running.said()[-2:] == ["resolved put-right", "move 24/18/13"]
    assert ("ready", None) in running.signals(), "the lamp goes out by itself"


def test_an_offence_that_is_put_back_and_played_anew(running: Any) -> None:
    wrong(running)
    running.show(START, 3)
    assert running.said()[-1] == "resolved put-right"
    running.show(after("24/18/13"), 2)
    running.press("w")
    running.show(after("24/18/13"))
    assert running.said()[-1] == "move 24/18/13"


def test_a_throw_of_the_other_side_accepts_an_offence(running: Any) -> None:
    board = wrong(running)
    running.dice = ()
    running.hand(GAME.read_board(board))
    running.show(board)
    running.throw(2, 1, x=0.7)
    running.show(board)
    assert running.said()[-2:] == ["resolved accepted", "roll 2-1"]
    assert running.state.side == "b"


def test_an_offence_is_told_once(running: Any) -> None:
    board = wrong(running)
    before = len(running.effects)
    running.show(board, 10)
    assert running.said(before) == []


def test_people_accept_demand_and_correct(running: Any) -> None:
    wrong(running)
    running.command("demand", by="b")
    assert running.state.phase == "offence"
    running.command("accept", by="b")
    assert running.said()[-1] == "resolved accepted"
    running.command("correct", "W:W24x14,18:B12x14,6:O0-0", by="arbiter")
    assert running.state.side == "w"
    assert running.command("demand", by="b")[0]["event"] == "refused"


def test_a_roll_can_be_told_and_corrected(running: Any) -> None:
    running.command("roll", "6-5", by="w")
    running.command("roll", "6-4", by="w")
    assert running.said()[1:] == ["roll 6-5", "roll 6-4"]
    running.show(after("24/18/14", dice="6-4"), 3)
    assert running.said()[-1] == "move 24/18/14"
    assert running.command("roll", "7-1")[0]["event"] == "refused"


def test_a_pass_and_a_turn_that_was_not_played(table: Callable[..., Any]) -> None:
    shut = "W:W24x15:B23x3,22x3,21x3,20x2,19x2,18x2:O0-0"
    board = table(fen=shut)
    board.show(shut)
    board.throw(6, 5)
    board.show(shut)
    board.press("w")
    board.show(shut)
    assert board.said()[1:] == ["roll 6-5", "move pass"]


def unplayed(running: Any) -> Any:
    """White has played, Black threw 3-1 and did nothing, and the dice were thrown again."""
    moved = after("24/18/13")
    running.throw(6, 5)
    running.show(START)
    running.show(moved)
    running.press("w")
    running.show(moved)
    for one, two, x in ((3, 1, 0.7), (4, 2, 0.2)):
        running.dice = ()
        running.hand(moved)
        running.show(moved, 1)
        running.throw(one, two, x=x)
        running.show(moved, 3)
    assert running.said()[-1] == "unsure", "by whom it was thrown can't be seen"
    return moved


def test_a_roll_that_was_not_played_is_told_when_the_other_side_plays_on(running: Any) -> None:
    unplayed(running)
    running.show("W:W24x13,20,11:B12x15:O0-0", 3)
    assert running.said()[5:] == ["offence M6", "resolved accepted", "roll 4-2"]


def test_a_roll_that_the_same_side_threw_again_is_no_offence(running: Any) -> None:
    unplayed(running)
    running.show("W:W24x14,13:B12x14,6:O0-0", 3)
    assert running.said()[5:] == ["roll 4-2"]
    assert running.state.side == "b"


def test_a_first_roll_that_nobody_played_was_the_opening_throw(running: Any) -> None:
    running.throw(6, 5)
    running.show(START)
    running.dice = ()
    running.hand(START)
    running.show(START, 1)
    running.throw(2, 1, x=0.7)
    running.show(START, 3)
    assert running.said()[1:] == ["roll 6-5", "opening 6-5", "roll 2-1"]


def test_a_question_is_asked_and_its_answer_taken(table: Callable[..., Any]) -> None:
    # two stacks that nobody can see: was the one played from 5 or from 4?
    fen = "W:W6x7,5x8:B18x15:O0-0"
    board = table(settled=True, fen=fen)
    board.show(fen)
    board.throw(1, 3)
    board.show(fen)
    end = after("6/3 6/5", fen, "3-1")
    board.show(end, dim=(6, 5, 4, 2))
    events = board.press("w")
    assert [e["event"] for e in events] == ["unsure"]
    assert events[0]["question"]["side"] == "w"
    for _ in range(4):
        point = board.events()[-1]["question"]["point"]
        (event,) = board.command("count", f"{point} {end.count('w', point)}")
        if event["event"] == "move":
            break
    assert event["fen"] == GAME.write(end)


def test_a_journal_of_inputs_gives_the_same_effects_again(running: Any) -> None:
    wrong(running)
    running.show(after("24/18/13"), 3)
    state = begin(Setup("nardi"))
    for given, effects in zip(running.inputs, running.effects, strict=True):
        state, again = step(state, input_from_json(json.loads(json.dumps(to_json(given)))))
        assert again == effects
