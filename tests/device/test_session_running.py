"""Before a running camera: hands, waiting, bumps, lost boards, doubt, clearing up, new games."""

from collections.abc import Callable
from typing import Any

import pytest

from rules.draughts.position import Position

Tables = Callable[..., Any]

DUE = "W:Wc3,f2,a1:Bd4,h8"
IGNORED = "W:Wc3,g3,a1:Bd4,h8"
TAKEN = "W:We5,f2,a1:Bh8"


def running(table: Tables, **more: Any) -> Any:
    return table(settled=False, **more)


def test_before_the_start_the_wrong_square_is_named_once(table: Tables) -> None:
    board = running(table)
    board.show(board.game.start(), 12, misread={22: "."})
    assert board.said() == ["unsure"]
    told = board.events()[0]
    assert told["squares"] == ["c3"]
    assert "c3 should hold a white piece" in told["message"]
    board.show(board.game.start(), 1)
    assert board.said() == ["unsure", "start-position"]


def test_a_wrong_set_up_is_told_and_stands_after_the_first_move(table: Tables) -> None:
    board = running(table)
    pieces = dict(board.game.start().pieces())
    del pieces[board.game.square("h2")]
    short = Position.of(pieces, "w")
    board.show(short, 6)
    assert board.said() == ["unsure"]
    assert board.events()[0]["squares"] == ["h2"]
    board.hand(short)
    board.show(board.game.parse_move(short, "c3-d4").after, 1)
    assert board.said()[1:] == ["start-position", "remark", "move c3-d4"]
    assert board.state.match.start == short
    assert board.state.match.log[0].article == "S0 9.2"


def test_a_board_laid_on_the_wrong_corner_is_told(table: Tables) -> None:
    italian = table("italian")
    board = running(table)
    board.eyes = italian.eyes
    board.show(italian.game.start(), 6)
    assert "turned" in board.events()[0]["message"]


def test_nothing_is_decided_while_a_hand_is_over_the_board(table: Tables) -> None:
    board = running(table, fen=DUE)
    board.show(DUE, 2)
    before = board.game.read(DUE)
    board.hand(before, 0.8)
    ignored = board.game.read_board(IGNORED)
    for _ in range(50):
        board.now += 200_000_000
        board.feed(board.eyes.see(ignored, board.now, covered=(1, 2), motion=0.1))
    assert board.said() == ["start-position", "covered"]
    board.show(ignored, 2)
    assert board.said() == ["start-position", "covered", "offence O6"]


def test_an_alarm_waits_but_a_legal_move_does_not(table: Tables) -> None:
    board = running(table, fen=DUE)
    board.show(DUE, 2)
    board.hand(board.game.read(DUE))
    board.show(IGNORED, 1.0)
    assert board.said() == ["start-position"]
    board.show(IGNORED, 1.0)
    assert board.said() == ["start-position", "offence O6"]
    board.hand(board.game.read_board(IGNORED))
    board.show(TAKEN, 0.6)
    assert board.said()[2:] == ["resolved put-right", "move c3:e5"]


@pytest.mark.parametrize(
    "steps",
    [
        ("W:We5:Bd4,f6,a7", "W:We5:Bf6,a7", "W:Wg7:Bf6,a7", "W:Wg7:Ba7"),
        ("W:Wg7:Bd4,f6,a7", "W:Wg7:Bd4,a7", "W:Wg7:Ba7"),
        ("W:W:Bd4,f6,a7", "W:Wg7:Bd4,f6,a7", "W:Wg7:Ba7"),
    ],
    ids=["jump and lift in turn", "lift one by one afterwards", "man in the hand for a while"],
)
def test_no_alarm_between_the_steps_of_one_capture(steps: tuple[str, ...], table: Tables) -> None:
    start = "W:Wc3:Bd4,f6,a7"
    board = running(table, fen=start)
    board.show(start, 2)
    seen = start
    for position in steps:
        board.hand(board.game.read_board(seen), 0.4)
        board.show(position, 2.4)
        seen = position
    assert board.said() == ["start-position", "move c3:g7"]


def test_a_captured_man_that_stays_is_told_after_the_wait(table: Tables) -> None:
    start = "W:Wc3:Bd4,f6,a7"
    board = running(table, fen=start)
    board.show(start, 2)
    board.hand(board.game.read(start))
    board.show("W:Wg7:Bf6,a7", 6)
    assert board.said() == ["start-position", "offence O11"]


def test_no_alarm_between_liftings_however_slow(table: Tables) -> None:
    start = "W:Wc3:Bd4,f6,a7"
    board = running(table, fen=start)
    board.show(start, 2)
    board.hand(board.game.read(start))
    board.show("W:Wg7:Bd4,f6,a7", 2)
    board.hand(board.game.read_board("W:Wg7:Bd4,f6,a7"))
    board.show("W:Wg7:Bf6,a7", 8)
    assert board.said() == ["start-position"]
    board.show("W:Wg7:Bf6,a7", 4)
    assert board.said() == ["start-position", "offence O11"]


def test_two_quick_moves_under_one_hand(table: Tables) -> None:
    board = running(table)
    start = board.game.start()
    board.show(start, 2)
    position = start
    for text in ("c3-d4", "b6-a5", "b2-c3", "f6-g5"):
        position = board.game.parse_move(position, text).after
    board.hand(start, 2)
    board.show(position, 1)
    # in which order Black's two moves were made can't be seen
    told = [e["text"] for e in board.events() if e["event"] == "move"]
    assert told[0::2] == ["c3-d4", "b2-c3"]
    assert sorted(told[1::2]) == ["b6-a5", "f6-g5"]
    assert not [e for e in board.events() if e["event"] == "offence"]


def test_a_quick_legal_move_and_then_an_offence_of_the_other_side(table: Tables) -> None:
    start = "W:Wc1,f2:Bd4,h6"
    board = running(table, fen=start)
    board.show(start, 2)
    board.hand(board.game.read(start), 2)
    # f2-e3 offers a man; d4 had to take it, but h6-g5 was played
    board.show("W:Wc1,e3:Bd4,g5", 3)
    assert board.said() == ["start-position", "covered", "move f2-e3", "offence O6"]
    assert board.events()[-1]["side"] == "b"


def test_unreadable_squares_are_unsure_and_never_an_alarm(table: Tables) -> None:
    board = running(table)
    board.show(board.game.start(), 2)
    board.show(board.game.start(), 20, dim=range(1, 33))
    assert board.said() in (["start-position"], ["start-position", "unsure"])
    after = board.game.parse_move(board.game.start(), "c3-d4").after
    board.show(after, 8, dim=(17, 18, 22))
    assert "offence" not in " ".join(board.said())


def test_a_glare_that_hides_where_the_man_went_keeps_both_moves_open(table: Tables) -> None:
    board = running(table)
    board.show(board.game.start(), 2)
    board.show(board.game.parse_move(board.game.start(), "c3-d4").after, 6, dim=(17, 18))
    assert board.said() == ["start-position", "unsure"]
    assert ("cannot-see", None) in board.signals()
    board.show(board.game.parse_move(board.game.start(), "c3-d4").after, 1)
    assert board.said() == ["start-position", "unsure", "move c3-d4"]


def test_a_square_misread_all_along_raises_no_alarm(table: Tables) -> None:
    start = "W:Wc3,f2,a1:Bb6,h8"
    board = table(fen=start)
    board.show(start, misread={26: "."})  # a picture said to show it; one man can't be seen
    board.show("W:Wd4,f2,a1:Bb6,h8", misread={26: "."})
    board.show("W:Wd4,f2,a1:Ba5,h8", misread={26: "."})
    assert board.said() == ["start-position", "move c3-d4", "move b6-a5"]


def test_one_square_that_stays_odd_is_told_and_does_not_stop_the_game(table: Tables) -> None:
    board = running(table, eyes={"surety": 6.5, "spread": 0.5})
    position = board.game.start()
    board.show(position, 2)
    glare = {3: "."}
    board.show(position, 6, misread=glare)
    assert board.said() == ["start-position", "unsure"]
    assert board.events()[-1]["squares"] == ["f8"]
    for text in ("c3-d4", "b6-a5", "b2-c3"):
        position = board.game.parse_move(position, text).after
        board.show(position, 1, misread=glare)
    assert board.said()[2:] == ["move c3-d4", "move b6-a5", "move b2-c3"]
    board.show(position, 1)
    board.show(board.game.parse_move(position, "f6-g5").after, 1)
    assert board.said()[5:] == ["move f6-g5"]


def test_a_piece_between_squares_is_never_an_alarm(table: Tables) -> None:
    board = running(table, fen=DUE)
    board.show(DUE, 2)
    board.show("W:Wc3,a1:Bd4,h8", 10, stray={(6, 6): "w"})
    assert board.said() == ["start-position", "unsure"]


def test_a_board_lost_and_found_goes_on(table: Tables) -> None:
    board = running(table)
    board.show(board.game.start(), 2)
    lost = board.lose("too dark", 3)
    assert [(e["event"], e["reason"]) for e in lost] == [("board-lost", "too dark")]
    assert board.signals()[-1] == ("cannot-see", None)
    board.show(board.game.parse_move(board.game.start(), "c3-d4").after, 1)
    assert board.said() == ["start-position", "board-lost", "board-found", "move c3-d4"]


def test_a_flash_is_not_worth_a_word(table: Tables) -> None:
    board = running(table)
    board.show(board.game.start(), 2)
    board.lose("too bright", 0.4)
    board.show(board.game.start(), 2)
    assert board.said() == ["start-position"]


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_bumped_camera_that_sees_the_board_turned(turns: int, table: Tables) -> None:
    board = running(table)
    board.show(board.game.start(), 2)
    board.eyes.turns = turns
    board.show(board.game.parse_move(board.game.start(), "c3-d4").after, 3)
    assert board.said() == ["start-position", "move c3-d4"]
    assert board.state.turns == turns


def test_pieces_adjusted_on_their_squares_change_nothing(table: Tables) -> None:
    board = running(table)
    board.show(board.game.start(), 2)
    for _ in range(5):
        board.hand(board.game.start())
        board.show(board.game.start(), 3)
    assert board.said() == ["start-position"]


def test_a_cleared_board_is_silent_and_a_new_game_opens_by_itself(table: Tables) -> None:
    board = running(table)
    start = board.game.start()
    board.show(start, 2)
    moved = board.game.parse_move(start, "c3-d4").after
    board.show(moved, 1)
    board.show("W:Wd4:Bh8", 5)
    board.show("W:Wa1:B", 20)
    assert [e["event"] for e in board.events()] == ["start-position", "move", "unsure"]
    assert board.events()[-1]["swept"]
    board.show(start, 2)
    assert board.said()[3:] == ["end *", "start-position"]
    board.show(moved, 1)
    assert board.said()[-1] == "move c3-d4"
    assert len(board.state.match.plies) == 1


def test_a_cleared_board_put_back_goes_on(table: Tables) -> None:
    board = running(table)
    board.show(board.game.start(), 2)
    moved = board.game.parse_move(board.game.start(), "c3-d4").after
    board.show(moved, 1)
    board.show("W:Wd4:Bh8", 5)
    board.show(moved, 1)
    board.show(board.game.parse_move(moved, "b6-a5").after, 1)
    assert board.said() == ["start-position", "move c3-d4", "unsure", "move b6-a5"]


def test_a_board_knocked_over_is_no_alarm(table: Tables) -> None:
    board = running(table)
    board.show(board.game.start(), 2)
    board.show("W:Wa3,c5,d4,h4,e1,g1,a1,c1,f2,h2,d2,b2:Bb8,d8,f8,h8,a7,c7,e7,g7,e5,f4,b4,g5", 10)
    assert not [s for s in board.said() if s.startswith("offence")]


def test_the_end_of_a_game_is_told(table: Tables) -> None:
    board = running(table, fen="W:Wc3:Bd4")
    board.show("W:Wc3:Bd4", 2)
    board.show("W:We5:B", 1)
    assert board.said() == ["start-position", "move c3:e5", "end w"]
    assert board.events()[-1]["reason"] == "no-pieces"
    assert board.signals()[-1] == ("result", "w")
    board.show("W:We5,a1,g1:Bh2", 10)
    assert board.said()[3:] == [], "analysis never alarms"


def test_no_more_pictures_end_the_run(table: Tables) -> None:
    board = running(table)
    board.show(board.game.start(), 2)
    board.command("finish")
    assert board.said() == ["start-position", "end *"]
    assert board.events()[-1]["reason"] == "no-more-pictures"


def test_an_arm_at_rest_hides_no_move_beside_it_and_raises_no_alarm(table: Tables) -> None:
    board = running(table)
    start = board.game.start()
    board.show(start, 2)
    arm = (31, 32)
    moved = board.game.parse_move(start, "c3-d4").after
    board.show(moved, 2, covered=arm)
    assert board.said() == ["start-position", "covered"]
    board.show(moved, 3, covered=arm)
    assert board.said() == ["start-position", "covered", "move c3-d4"]
    wrong = "W:Wa3,d4,e3,g3,b2,d2,f2,h2,a1,c1,e1,g1:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,d6,f6"
    board.show(wrong, 10, covered=arm)
    assert [s for s in board.said() if s.startswith("offence")] == []


def test_a_move_under_the_arm_waits(table: Tables) -> None:
    board = running(table)
    start = board.game.start()
    board.show(start, 2)
    moved = board.game.parse_move(start, "c3-d4").after
    board.show(moved, 6, covered=(18,))
    assert "move c3-d4" not in board.said()
    board.show(moved, 1)
    assert board.said()[-1] == "move c3-d4"


def test_a_settled_picture_with_a_hand_is_covered(table: Tables) -> None:
    board = table()
    board.show(board.game.start())
    moved = board.game.parse_move(board.game.start(), "c3-d4").after
    board.show(moved, covered=range(10, 20))
    board.show(moved)
    assert board.said() == ["start-position", "covered", "move c3-d4"]


@pytest.mark.parametrize("settled", [True, False])
def test_a_game_that_went_on_unseen_is_found_again(settled: bool, table: Tables) -> None:
    board = table(settled=settled)
    position = board.game.start()
    board.show(position, 2)
    for text in ("c3-d4", "b6-a5", "d4-c5", "d6:b4", "a3:c5", "a5-b4", "c5:a3", "f6-e5"):
        position = board.game.parse_move(position, text).after
    board.show(position, 8)
    assert board.said() == ["start-position", "unsure"]
    board.show(board.game.parse_move(position, "g3-f4").after, 1)
    assert board.said() == ["start-position", "unsure", "unsure", "move g3-f4"]
    assert board.events()[2]["fen"].startswith("W:")
    assert board.state.position.side == "b"
    board.show(board.game.parse_move(board.state.position, "e5:g3").after, 1)
    assert board.said()[-1] == "move e5:g3"


def test_a_cleared_board_ends_a_pending_offence_too(table: Tables) -> None:
    board = running(table, fen="W:Wc3,f2,a1,c1,e1,g1:Bd4,h8,f8,d8")
    board.show("W:Wc3,f2,a1,c1,e1,g1:Bd4,h8,f8,d8", 2)
    board.show("W:Wc3,g3,a1,c1,e1,g1:Bd4,h8,f8,d8", 3)
    assert board.said() == ["start-position", "offence O6"]
    board.show("W:Wa1:Bh8", 6)
    assert board.events()[-1]["swept"]
    board.show(board.game.start(), 2)
    assert board.said()[3:] == ["end *", "start-position"]


def test_a_bumped_camera_while_an_offence_is_pending(table: Tables) -> None:
    board = running(table, fen="W:Wc3,f2,a1:Bd4,h8,f8")
    board.show("W:Wc3,f2,a1:Bd4,h8,f8", 2)
    board.show("W:Wc3,g3,a1:Bd4,h8,f8", 3)
    board.eyes.turns = 2
    board.show("W:Wc3,g3,a1:Bd4,h8,f8", 3)
    board.show("W:We5,f2,a1:Bh8,f8", 1)
    assert board.said() == ["start-position", "offence O6", "resolved put-right", "move c3:e5"]


def test_moves_that_could_not_be_followed_are_no_clearing_up(table: Tables) -> None:
    board = running(table)
    start = board.game.start()
    board.show(start, 2)
    pieces = dict(start.pieces())
    for square in (9, 10, 11, 21, 22, 23):
        del pieces[square]
    board.show(Position.of(pieces, "w"), 10)
    assert board.state.phase == "playing"
    assert not any(event.get("swept") for event in board.events())


def test_a_game_played_on_over_an_alarm_is_found_again(table: Tables) -> None:
    board = running(table, fen="W:Wa3,e3,g1:Bh8,f8,b8")
    board.show("W:Wa3,e3,g1:Bh8,f8,b8", 2)
    board.show("W:Wb4,f4,g1:Bh8,f8,b8", 3)
    assert board.said() == ["start-position", "offence O2"]
    # nobody minds; several moves later the board is neither put right nor one move on
    board.show("W:Wc5,f4,h2:Bg7,e7,b8", 8)
    assert board.said()[2:] == ["unsure"]
    board.show("W:Wc5,f4,h2:Bg7,e7,a7", 2)
    assert board.said()[3:] == ["resolved accepted", "unsure", "move b8-a7"]
