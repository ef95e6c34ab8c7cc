"""A throw or a turn that was missed: the game catches up by what lies and stands there later."""

from collections.abc import Callable
from typing import Any

from rules.nardi.game import NardiGame
from tests.device.nardi.test_session import HOME, after
from vision.nardi.fake import die

GAME = NardiGame()

#: A point that surely reads otherwise for as long as the throw lies there.
MISREAD = {2: (3, 0)}


def leaning(board: Any) -> None:
    """A throw with a die that leans, taken up again."""
    board.show(HOME)
    board.dice = (die(6, 0.2), die(5, 0.3, cocked=True))
    board.show(HOME, 2)
    board.dice = ()
    board.hand(GAME.read(HOME))
    board.show(HOME, 0.4)


def test_the_throw_after_a_leaning_die_counts_though_the_board_was_misread_meanwhile(
    table: Callable[..., Any],
) -> None:
    board = table(fen=HOME)
    leaning(board)
    board.throw(4, 3, x=0.7)
    board.show(HOME, 2, misread=MISREAD)
    played = after("4/off 5/2", HOME, "4-3")
    board.hand(played)
    board.show(played, 2)
    board.press("w")
    board.show(played, 2)
    assert board.said()[1:] == ["rethrow 6-5", "roll 4-3", "move 4/off 5/2"]


def test_the_throw_after_a_leaning_die_counts_though_the_next_one_lies_there_already(
    table: Callable[..., Any],
) -> None:
    board = table(fen=HOME)
    leaning(board)
    board.throw(4, 3, x=0.7)
    board.show(HOME, 1, misread=MISREAD)
    played = after("4/off 5/2", HOME, "4-3")
    board.hand(played)
    board.show(played, 0.8)
    board.dice = ()
    board.hand(played)
    board.throw(2, 1, x=0.7, y=0.2)
    board.show(played, 3)
    board.show(after("14/off 14/13", GAME.write(played), "2-1"), 2)
    board.press("b")
    board.show(after("14/off 14/13", GAME.write(played), "2-1"), 2)
    turns = ["roll 4-3", "move 4/off 5/2", "roll 2-1", "move 14/off 14/13"]
    assert board.said()[1:] == ["rethrow 6-5", *turns]


BEFORE = "B:W24x7,19,18,17,15x3,13x2:B23,21,14,12x9,10,7,2:O0-0"


def thrown_before_a_misread_board(table: Callable[..., Any], misread: Any) -> Any:
    """White has thrown 1-1 and not played it, and the board reads as if it had played more."""
    board = table(fen=BEFORE)
    board.show(BEFORE)
    board.throw(5, 4, x=0.7)
    board.show(BEFORE)
    stands = after("2/21 10/6", BEFORE, "5-4", first=False)
    board.hand(stands)
    board.show(stands)
    board.press("b")
    board.show(stands)
    board.dice = ()
    board.hand(stands)
    board.throw(1, 1, x=0.2)
    board.show(stands, 3, misread=misread)
    return board


def test_one_stack_that_is_misread_is_no_turn_that_nobody_saw(table: Callable[..., Any]) -> None:
    board = thrown_before_a_misread_board(table, {18: (2, 0), 24: (6, 0)})
    assert board.said()[1:] == ["roll 5-4", "move 2/21 10/6", "roll 1-1"]
    assert board.state.side == "w"


def test_a_turn_that_was_guessed_is_taken_back_when_the_throw_is_played_after_all(
    table: Callable[..., Any],
) -> None:
    board = thrown_before_a_misread_board(table, {16: (1, 0), 24: (6, 0)})
    assert board.state.side == "b", "a turn was guessed"
    played = GAME.read_board("B:W24x7,17x2,16,15x3,13x2:B23,21x2,14,12x9,7,6:O0-0")
    board.hand(played)
    board.show(played, 2)
    board.dice = ()
    board.hand(played)
    board.show(played, 6)
    assert "offence" not in {event["event"] for event in board.events()}
    assert board.state.position == played


def test_after_a_throw_that_was_not_read_and_not_played_wrong_turns_are_told_again(
    table: Callable[..., Any],
) -> None:
    board = table(fen=HOME)
    board.show(HOME)
    board.dice = (die(6, 0.2), die(0, 0.3, p=0.3))
    board.show(HOME, 3)
    board.dice = ()
    board.hand(GAME.read(HOME))
    board.show(HOME, 1)
    board.throw(4, 3, x=0.7)
    board.show(HOME, 2)
    played = after("4/off 5/2", HOME, "4-3")
    board.hand(played)
    board.show(played, 2)
    board.press("w")
    board.show(played, 2)
    board.dice = ()
    board.hand(played)
    board.throw(2, 1, x=0.7, y=0.2)
    board.show(played, 2)
    half = GAME.read_board("W:W6x3,5x3,4x3,2x3:B18x3,17x4,16x4,14,13:O3-2")
    board.hand(half)
    board.show(half, 2)
    board.press("b")
    board.show(half, 3)
    assert board.said()[-1] == "offence M6"


def test_nobody_is_accused_of_bearing_off_too_few_from_a_stack_that_was_miscounted(
    table: Callable[..., Any],
) -> None:
    # there are nine on the point, as it turns out when the stack is low
    board = table(fen="W:W1x8:B13x15:O7-0")
    mine, theirs = 9, 15

    def stands() -> str:
        return f"W:W1x{mine}:B13x{theirs}:O{15 - mine}-{15 - theirs}"

    board.show(stands())
    for turn in range(7):
        board.dice = ()
        board.hand(GAME.read_board(stands()))
        board.throw(6, 4, x=0.6, y=0.2 if turn % 2 else 0.35)
        board.show(stands(), 2)
        mine, theirs = (mine, theirs - 2) if turn % 2 else (mine - 2, theirs)
        board.hand(GAME.read_board(stands()))
        board.show(stands(), 2)
        board.press("b" if turn % 2 else "w")
        board.show(stands(), 3)
    kinds = [event["event"] for event in board.events()]
    assert "offence" not in kinds
    assert kinds.count("move") >= 6
