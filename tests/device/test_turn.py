"""What only a sequence shows, and the three modes over one recorded game."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from device.session_view import view

Tables = Callable[..., Any]

DUE = "W:Wc3,f2,a1:Bd4,h8"
IGNORED = "W:Wc3,g3,a1:Bd4,h8"
TAKEN = "W:We5,f2,a1:Bh8"
CHAIN = "W:Wc3:Bd4,f6,a7"


def running(table: Tables, **more: Any) -> Any:
    return table(settled=False, **more)


def remarks(board: Any) -> list[tuple[str, str]]:
    return [(e["code"], e["side"]) for e in board.events() if e["event"] == "remark"]


# ---------------------------------------------------------------- out of turn


def test_two_moves_in_a_row_are_told_of_the_side_that_made_them(table: Tables) -> None:
    board = table()
    board.show(board.game.start())
    board.play("c3-d4")
    here = board.state.position.with_side("w")
    board.show(board.game.parse_move(here, "e3-f4").after)
    assert board.said()[-1] == "offence O2"
    assert board.events()[-1]["side"] == "w"
    assert board.state.match.sanctions[-1].side == "w"
    board.show(board.state.position)
    assert board.said()[-1] == "resolved put-right"
    board.play("b6-a5")
    assert board.said()[-1] == "move b6-a5"


def test_two_moves_in_a_row_and_the_opponent_plays_on(table: Tables) -> None:
    board = table()
    board.show(board.game.start())
    board.play("c3-d4")
    twice = board.game.parse_move(board.state.position.with_side("w"), "e3-f4").after
    board.show(twice)
    board.show(board.game.parse_move(twice.with_side("b"), "b6-a5").after)
    assert board.said()[-2:] == ["resolved accepted", "move b6-a5"]
    assert board.state.position.side == "w"


def test_before_any_move_an_opponents_piece_moved_is_the_movers_offence(table: Tables) -> None:
    board = table(eyes={"surety": 14.0})
    board.show(board.game.start())
    moved = board.game.parse_move(board.game.start().with_side("b"), "b6-a5").after
    board.show(moved)
    assert board.said()[-1] == "offence O5"
    assert board.events()[-1]["side"] == "w"


# ---------------------------------------------------------------- the clock


def clocked(table: Tables, **more: Any) -> Any:
    """A game with our clocks; Black has set White's going."""
    board = running(table, clock="5+3", **more)
    board.show(more.get("fen") or board.game.start(), 2)
    board.press("clock_black")
    return board


def test_a_clock_pressed_without_a_move(table: Tables) -> None:
    board = clocked(table)
    board.show(board.game.start(), 1)
    board.press("clock_white")
    assert view(board.state)["clocks"]["running"] == "b"
    board.show(board.game.start(), 1.4)
    assert board.said()[-1] == "offence O18"
    assert board.events()[-1]["side"] == "w"
    clocks = view(board.state)["clocks"]
    assert (clocks["running"], clocks["made"]) == ("w", [0, 0]), "the press is void"
    board.hand(board.game.start())
    board.show(board.game.parse_move(board.game.start(), "c3-d4").after, 1)
    assert board.said()[-2:] == ["resolved put-right", "move c3-d4"]


def test_a_clock_pressed_after_the_move_is_no_offence(table: Tables) -> None:
    board = clocked(table)
    moved = board.game.parse_move(board.game.start(), "c3-d4").after
    board.hand(board.game.start())
    board.press("clock_white")  # the hand goes from the man to the clock at once
    board.show(moved, 3)
    reply = board.game.parse_move(moved, "b6-a5").after
    board.hand(moved)
    board.show(reply, 1)
    board.press("clock_black")
    board.show(reply, 3)
    assert [s for s in board.said() if s != "press"] == [
        "start-position", "move c3-d4", "move b6-a5",
    ]  # fmt: skip
    assert view(board.state)["clocks"]["made"] == [1, 1]


def test_the_press_that_sets_the_first_clock_going_is_no_offence(table: Tables) -> None:
    board = clocked(table)
    board.show(board.game.start(), 5)
    assert board.said() == ["start-position", "press"]


def test_an_alarm_comes_with_the_press_and_not_after_the_wait(table: Tables) -> None:
    board = clocked(table, fen=CHAIN)
    board.hand(board.game.read(CHAIN))
    board.show("W:Wg7:Bf6,a7", 1)
    assert board.said()[-1] == "press"
    board.press("clock_white")
    board.show("W:Wg7:Bf6,a7", 0.4)
    assert board.said()[-1] == "offence O11"


def test_a_captured_man_lifted_after_the_press_is_a_remark(table: Tables) -> None:
    board = clocked(table, fen=CHAIN)
    board.hand(board.game.read(CHAIN))
    board.show("W:Wg7:Bf6,a7", 1)
    board.press("clock_white")
    board.hand(board.game.read_board("W:Wg7:Bf6,a7"))
    board.show("W:Wg7:Ba7", 1)
    assert remarks(board) == [("O18", "w")]
    assert board.state.match.plies


def test_a_flag_that_falls_ends_the_game(table: Tables) -> None:
    board = clocked(table)
    board.command("clock", "w 3 b 100", "arbiter")
    board.wait(4)
    assert board.said()[-2:] == ["flag", "end b"]
    assert ("flag", "w") in board.signals()
    assert view(board.state)["clocks"]["fallen"] == ["w"]


def test_times_are_in_the_record(table: Tables) -> None:
    board = clocked(table)
    board.wait(10)
    board.hand(board.game.start())
    board.show(board.game.parse_move(board.game.start(), "c3-d4").after, 1)
    (ply,) = board.state.match.plies
    assert ply.clock.black == 300
    assert 287 <= ply.clock.white <= 289


# ---------------------------------------------------------------- half-made turns


@pytest.mark.parametrize(("mode", "told"), [("home", []), ("club", [("O10", "w")])])
def test_men_lifted_before_the_chain_ends(mode: str, told: Any, table: Tables) -> None:
    board = running(table, fen=CHAIN, mode=mode)
    board.show(CHAIN, 2)
    seen = CHAIN
    for position in ("W:We5:Bd4,f6,a7", "W:We5:Bf6,a7", "W:Wg7:Bf6,a7", "W:Wg7:Ba7"):
        board.hand(board.game.read_board(seen), 0.4)
        board.show(position, 1)
        seen = position
    assert remarks(board) == told
    assert [s for s in board.said() if s != "remark"] == ["start-position", "move c3:g7"]


@pytest.mark.parametrize(
    ("mode", "adjusts", "told"),
    [("home", False, []), ("club", False, [("touch", "w")]), ("club", True, [])],
)
def test_a_piece_lifted_put_back_and_another_one_played(
    mode: str, adjusts: bool, told: Any, table: Tables
) -> None:
    board = running(table, fen="W:Wa3,c3,e3:Bh8,b8", mode=mode, eyes={"surety": 14.0})
    board.show("W:Wa3,c3,e3:Bh8,b8", 2)
    if adjusts:
        board.command("adjust", by="w")
    board.hand(board.game.read("W:Wa3,c3,e3:Bh8,b8"))
    board.show("W:Wa3,e3:Bh8,b8", 1)  # c3 is lifted
    board.show("W:Wa3,c3,e3:Bh8,b8", 1)
    board.hand(board.game.read("W:Wa3,c3,e3:Bh8,b8"))
    board.show("W:Wb4,c3,e3:Bh8,b8", 1)
    assert remarks(board) == told
    assert board.said()[:1] == ["start-position"]
    assert "move a3-b4" in board.said()
    assert not [s for s in board.said() if s.startswith("offence")]


def test_a_touched_piece_can_be_demanded(table: Tables) -> None:
    board = running(table, fen="W:Wa3,c3,e3:Bh8,b8", mode="club", eyes={"surety": 14.0})
    board.show("W:Wa3,c3,e3:Bh8,b8", 2)
    board.show("W:Wa3,e3:Bh8,b8", 1)
    board.show("W:Wa3,c3,e3:Bh8,b8", 1)
    board.show("W:Wb4,c3,e3:Bh8,b8", 1)
    board.command("claim", "touch", "b")
    assert view(board.state)["pending"]["code"] == "touch"
    board.show("W:Wb4,c3,e3:Bh8,b8", 2)
    board.hand(board.game.read_board("W:Wb4,c3,e3:Bh8,b8"))
    board.show("W:Wa3,d4,e3:Bh8,b8", 1)
    assert board.said()[-2:] == ["resolved put-right", "move c3-d4"]


# ---------------------------------------------------------------- a second offence


def test_a_second_offence_closes_the_first(table: Tables) -> None:
    board = table(fen=DUE, eyes={"surety": 14.0})
    board.show(DUE)
    board.show(IGNORED)
    board.show("W:Wc3,f2,b2:Bd4,h8")  # f2 is back, a1 went instead
    assert board.said() == [
        "start-position", "offence O6", "resolved put-right", "offence O6",
    ]  # fmt: skip
    board.show(TAKEN)
    assert board.said()[4:] == ["resolved put-right", "move c3:e5"]


# ---------------------------------------------------------------- modes


@pytest.mark.parametrize("mode", ["home", "club", "tournament"])
def test_the_same_game_in_each_mode(mode: str, table: Tables) -> None:
    board = running(table, fen=DUE, mode=mode)
    board.show(DUE, 2)
    board.hand(board.game.read(DUE))
    board.show(IGNORED, 3)
    board.hand(board.game.read_board(IGNORED))
    board.show(TAKEN, 1)
    board.show("W:We5,f2,a1:Bg7", 1)
    board.show(TAKEN, 1)
    board.show("W:We5,f2,a1:Bg7", 1)
    said = [s for s in board.said() if s != "remark"]
    assert said == [
        "start-position", "offence O6", "resolved put-right", "move c3:e5", "move h8-g7",
        "takeback", "move h8-g7",
    ]  # fmt: skip
    offence = next(e for e in board.events() if e["event"] == "offence")
    signals = {signal for signal, _ in board.signals()}
    if mode == "tournament":
        assert offence["to"] == "arbiter"
        assert not signals & {"legal", "missed-capture"}, "nothing at the table"
    else:
        assert "to" not in offence
        assert {"legal", "missed-capture"} <= signals
    assert remarks(board) == ([] if mode == "home" else [("takeback", "b")])


@pytest.mark.parametrize(("mode", "waits"), [("home", False), ("club", True)])
def test_with_a_clock_a_club_hears_of_it_when_the_turn_is_complete(
    mode: str, waits: bool, table: Tables
) -> None:
    board = clocked(table, fen=DUE, mode=mode)
    board.hand(board.game.read(DUE))
    board.show(IGNORED, 3)
    assert ("offence O6" in board.said()) is not waits
    board.press("clock_white")
    board.show(IGNORED, 0.6)
    assert "offence O6" in board.said()


def test_a_flag_in_a_tournament_is_for_the_arbiter(table: Tables) -> None:
    board = clocked(table, mode="tournament")
    board.command("clock", "w 2", "arbiter")
    board.wait(3)
    assert board.said()[-1] == "flag"
    assert ("flag", "w") not in board.signals()
    board.command("flag", "w", "arbiter")
    assert board.said()[-1] == "end b"


# ---------------------------------------------------------------- the order of lifting, and hands


@pytest.mark.parametrize(
    ("mode", "lifted", "told"),
    [
        ("club", "W:Wg7:Bd4,a7", [("order", "w")]),
        ("club", "W:Wg7:Bf6,a7", []),
        ("home", "W:Wg7:Bd4,a7", []),
    ],
)
def test_captured_men_lifted_in_another_order(
    mode: str, lifted: str, told: Any, table: Tables
) -> None:
    board = running(table, fen=CHAIN, mode=mode)
    board.show(CHAIN, 2)
    board.hand(board.game.read(CHAIN))
    board.show("W:Wg7:Bd4,f6,a7", 1)
    board.hand(board.game.read_board("W:Wg7:Bd4,f6,a7"))
    board.show(lifted, 1)
    board.hand(board.game.read_board(lifted))
    board.show("W:Wg7:Ba7", 1)
    assert remarks(board) == told
    assert [s for s in board.said() if s != "remark"] == ["start-position", "move c3:g7"]


@pytest.mark.parametrize(
    ("arms", "turns", "told"),
    [
        ([(0, 4), (5, 3)], 0, True),
        ([(0, 4), (5, 3)], 2, True),
        ([(0, 4), (5, 7)], 0, False),
        ([(0, 4)], 0, False),
        ([(0, 4), (2, 4)], 0, False),
    ],
    ids=["both arms", "the board turned", "an elbow on the edge", "one arm", "a wide one"],
)
def test_a_move_with_both_hands_is_a_remark(
    arms: list[tuple[int, int]], turns: int, told: bool, table: Tables
) -> None:
    """Arms are two squares wide, from White's edge at a column up to a row."""
    board = running(table, mode="club", turns=turns)
    start = board.game.start()
    board.show(start, 2)
    hidden = np.zeros((8, 8), bool)
    for column, row in arms:
        hidden[row:, column : column + 2] = True
    covered = tuple(int(n) for n in np.flatnonzero(np.rot90(hidden, -turns)))
    for _ in range(5):
        board.now += 200_000_000
        percept = board.eyes.see(start, board.now, motion=0.2)
        board.feed(replace(percept, covered=covered))
    board.show(board.game.parse_move(start, "c3-d4").after, 1)
    assert "move c3-d4" in board.said()
    assert (("O16", "w") in remarks(board)) is told
    board.hand(board.state.position)
    board.show(board.game.parse_move(board.state.position, "b6-a5").after, 1)
    assert ("O16", "b") not in remarks(board)


def test_a_chain_that_stops_after_a_lifting_is_told_in_time(table: Tables) -> None:
    board = running(table, fen=CHAIN)
    board.show(CHAIN, 2)
    board.hand(board.game.read(CHAIN))
    board.show("W:We5:Bd4,f6,a7", 1)
    board.hand(board.game.read_board("W:We5:Bd4,f6,a7"))
    board.show("W:We5:Bf6,a7", 4)
    assert board.said() == ["start-position"]
    board.show("W:We5:Bf6,a7", 2)
    assert board.said() == ["start-position", "offence O9"]


@pytest.mark.parametrize(("stood", "code", "side"), [(0.6, "O13", "w"), (2.0, "O7", "b")])
def test_a_man_taken_off_by_the_hand_that_has_just_moved(
    stood: float, code: str, side: str, table: Tables
) -> None:
    fen = "W:Wc3,f2,a1,h2:Bd4,h8,b8"
    board = running(table, fen=fen)
    board.show(fen, 2)
    for _ in range(3):
        board.hand(board.game.read(fen))
        board.show(fen, 1)
    board.hand(board.game.read(fen))
    # the captured man is laid aside, and then White's own man on a1 as well
    board.show("W:We5,f2,a1,h2:Bh8,b8", stood)
    board.hand(board.game.read_board("W:We5,f2,a1,h2:Bh8,b8"), squares=range(21, 33))
    board.show("W:We5,f2,h2:Bh8,b8", 6)
    assert board.said()[-1] == f"offence {code}"
    assert board.events()[-1]["side"] == side
    board.hand(board.game.read_board("W:We5,f2,h2:Bh8,b8"))
    board.show("W:We5,f2,a1,h2:Bh8,b8", 1)
    assert "resolved put-right" in board.said()[-2:]
    assert board.said()[-1] == ("move c3:e5" if code == "O13" else "resolved put-right")
    assert len(board.state.match.plies) == 1
    assert board.state.position.side == "b"


def test_an_accepted_offence_of_the_same_hand_is_one_ply(table: Tables) -> None:
    fen = "W:Wc3,f2,a1,h2:Bd4,h8,b8"
    board = running(table, fen=fen)
    for _ in range(4):
        board.show(fen, 2)
        board.hand(board.game.read(fen))
    board.show("W:We5,f2,a1,h2:Bh8,b8", 0.6)
    board.hand(board.game.read_board("W:We5,f2,a1,h2:Bh8,b8"), squares=range(21, 33))
    board.show("W:We5,f2,h2:Bh8,b8", 6)
    board.hand(board.game.read_board("W:We5,f2,h2:Bh8,b8"))
    board.show("W:We5,f2,h2:Ba7,h8", 1)
    assert board.said()[-2:] == ["resolved accepted", "move b8-a7"]
    assert [getattr(ply, "code", "") for ply in board.state.match.plies] == ["O13", ""]


def test_presses_of_plies_that_were_read_together_are_no_offence(table: Tables) -> None:
    board = clocked(table)
    start = board.game.start()
    first = board.game.parse_move(start, "c3-d4").after
    second = board.game.parse_move(first, "b6-a5").after
    board.hand(start, 1)
    board.press("clock_white")
    board.hand(first, 1)
    board.show(second, 3)
    assert board.said()[-2:] == ["move c3-d4", "move b6-a5"]
