"""What people ask for by command or button: done, or refused with the reason."""

from collections.abc import Callable
from typing import Any

import pytest

from device.session_values import NAMES, Command, input_from_json, to_json
from device.session_view import view

Tables = Callable[..., Any]

DUE = "W:Wc3,f2,a1:Bd4,h8"
IGNORED = "W:Wc3,g3,a1:Bd4,h8"


@pytest.fixture
def begun(table: Tables) -> Any:
    board = table()
    board.show(board.game.start())
    board.play("c3-d4", "b6-a5")
    return board


@pytest.fixture
def accused(table: Tables) -> Any:
    """White has missed a capture."""
    board = table(fen=DUE)
    board.show(DUE)
    board.show(IGNORED)
    assert board.said()[-1] == "offence O6"
    return board


def told(events: list[dict[str, Any]]) -> list[str]:
    return [event["event"] for event in events]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("phase", ["waiting", "playing", "over"])
def test_every_command_is_answered_at_any_time(name: Any, phase: str, table: Tables) -> None:
    board = table(clock="5")
    if phase != "waiting":
        board.show(board.game.start())
    if phase == "over":
        board.command("result", "draw")
    for by in ("", "w", "b", "arbiter"):
        for value in ("", "w", "7", "nonsense"):
            board.command(name, value, by)
    view(board.state)


def test_old_commands_have_no_by_in_a_journal() -> None:
    assert to_json(Command("accept", 5)) == {
        "is": "command", "name": "accept", "at_ns": 5, "value": "",
    }  # fmt: skip
    asked = Command("accept", 5, by="w")
    assert input_from_json(to_json(asked)) == asked


# ---------------------------------------------------------------- offences


def test_the_offender_can_not_let_his_own_offence_stand(accused: Any) -> None:
    assert told(accused.command("accept", by="w")) == ["refused"]
    assert accused.command("accept", by="b")[0]["by"] == "b"
    assert accused.said()[-1] == "resolved accepted"


def test_a_demand_is_recorded_and_who_may_decide_is_shown(accused: Any) -> None:
    assert {"accept", "demand"} <= set(view(accused.state)["may"]["b"])
    assert not {"accept", "demand"} & set(view(accused.state)["may"]["w"])
    assert told(accused.command("demand", by="b")) == ["demand"]
    assert view(accused.state)["pending"]["demanded"]
    assert accused.state.match.log[-1].code == "demand"


def test_the_arbiter_rules_on_a_breach(accused: Any) -> None:
    assert told(accused.command("rule", "warning", "b")) == ["refused"]
    assert told(accused.command("rule", "warning", "arbiter")) == ["rule"]
    assert view(accused.state)["sanctions"][0]["decided"] == "warning"
    assert told(accused.command("rule", "warning", "arbiter")) == ["refused"]
    assert told(accused.command("rule", "0 loss", "arbiter")) == ["rule", "end"]
    assert accused.events()[-1]["result"] == "b"


# ---------------------------------------------------------------- the position


def test_moves_taken_back_by_word_wait_for_the_board(begun: Any) -> None:
    stood = begun.state.position
    assert told(begun.command("takeback", "2")) == ["takeback"]
    assert begun.state.phase == "taking-back"
    begun.show(stood)
    assert told(begun.events())[-1] == "takeback", "the board still stands: nothing is said"
    begun.show(begun.game.start())
    begun.play("e3-f4")
    assert begun.said()[-1] == "move e3-f4"
    assert len(begun.state.match.plies) == 1


def test_more_moves_than_were_made_can_not_be_taken_back(begun: Any) -> None:
    assert told(begun.command("takeback", "3")) == ["refused"]


@pytest.mark.parametrize(
    ("mode", "by", "answer"),
    [
        ("home", "w", "takeback"), ("home", "b", "takeback"), ("club", "b", "refused"),
        ("club", "w", "takeback"), ("tournament", "w", "refused"),
        ("tournament", "arbiter", "takeback"),
    ],
)  # fmt: skip
def test_who_may_take_back_is_a_matter_of_the_mode(
    mode: str, by: str, answer: str, table: Tables
) -> None:
    board = table(mode=mode)
    board.show(board.game.start())
    board.play("c3-d4", "b6-a5")  # Black moved last: White's word is consent
    assert ("takeback" in view(board.state)["may"][by]) is (answer == "takeback")
    assert told(board.command("takeback", "1", by)) == [answer]


def test_the_last_move_was_another_one(begun: Any) -> None:
    begun.command("correct", "b6-c5", "arbiter")
    assert begun.events()[-1]["moves"] == ["b6-c5"]
    begun.show(begun.game.parse_move(begun.state.position, "d4:b6").after)
    assert begun.said()[-1] == "move d4:b6"
    assert len(begun.state.match.plies) == 3


def test_a_position_of_the_arbiters_before_the_game(table: Tables) -> None:
    board = table()
    board.command("correct", "B:Wc3,a1:Bd4,h8", "arbiter")
    board.show("W:Wc3,a1:Bd4,h8")
    assert board.said() == ["start-position"]
    board.show("W:Wa1:Bb2,h8")
    assert board.said()[-1] == "move d4:b2"


# ---------------------------------------------------------------- the end


def test_nobody_resigns_a_game_that_has_not_begun(table: Tables) -> None:
    board = table()
    board.command("resign", by="w")
    assert board.state.phase == "waiting"
    assert board.state.match.outcome is None


def test_resigning(begun: Any) -> None:
    assert told(begun.command("resign")) == ["refused"]
    begun.command("resign", by="w")
    assert begun.said()[-1] == "end b"
    assert begun.events()[-1]["reason"] == "resigned"
    assert begun.signals()[-1] == ("result", "b")


def test_a_draw_is_offered_and_agreed_or_played_past(begun: Any) -> None:
    begun.command("offer-draw", by="w")
    assert view(begun.state)["offer"] == "w"
    assert told(begun.command("agree-draw", by="w")) == ["refused"]
    assert "agree-draw" in view(begun.state)["may"]["b"]
    begun.command("decline-draw", by="b")
    assert view(begun.state)["offer"] is None
    begun.command("offer-draw", by="b")
    begun.command("agree-draw", by="w")
    assert begun.said()[-1] == "end draw"
    assert begun.events()[-1]["reason"] == "agreed"


def test_a_result_nobody_knew_can_be_given_afterwards(begun: Any) -> None:
    begun.command("finish")
    assert begun.said()[-1] == "end *"
    begun.command("result", "w")
    assert begun.said()[-1] == "end w"
    assert told(begun.command("result", "b")) == ["refused"]
    begun.command("reopen", by="arbiter")
    begun.play("a3-b4")
    assert begun.said()[-1] == "move a3-b4"


def test_flags_of_a_clock_that_is_not_ours(table: Tables) -> None:
    board = table(clock="club")
    board.show(board.game.start())
    board.play("c3-d4")
    assert "flag" in view(board.state)["may"]["arbiter"]
    board.command("clock", "w 1500 b 12", "arbiter")
    assert view(board.state)["plies"][0]["clock"] == [1500, 12]
    board.command("flag", "b", "arbiter")
    assert (board.said()[-1], board.events()[-1]["reason"]) == ("end w", "time")


def test_a_claim_that_the_counter_does_not_bear_out_is_for_the_arbiter(table: Tables) -> None:
    board = table("english")
    board.show(board.game.start())
    rule = next(r["id"] for r in view(board.state)["counters"])
    assert told(board.command("claim", rule, "w")) == ["claim"]
    assert view(board.state)["claim"]["founded"] is False
    assert told(board.command("agree-draw", by="b")) == ["refused"]
    assert told(board.command("decline-draw", by="arbiter")) == ["decline-draw"]
    assert view(board.state)["claim"] is None


def test_clearing_up_asks_and_takes_the_answer(table: Tables) -> None:
    board = table(settled=False)
    board.show(board.game.start(), 2)
    board.show("W:Wa1:Bh8", 5)
    assert view(board.state)["phase"] == "swept"
    board.command("swept", "ended")
    assert board.said()[-1] == "end *"
    board.command("result", "draw")
    assert board.said()[-1] == "end draw"


# ---------------------------------------------------------------- buttons


def test_holding_ones_own_button_resigns_and_a_press_does_not(begun: Any) -> None:
    begun.press("clock_white", 2.5)
    assert begun.state.phase == "playing"
    begun.press("clock_white", 3.5)
    assert begun.said()[-1] == "end b"


def test_both_buttons_held_are_a_draw(begun: Any) -> None:
    from device.buttons import Press

    begun.feed(Press("clock_white", True, begun.now))
    begun.wait(0.5)
    begun.feed(Press("clock_black", True, begun.now))
    begun.wait(2.9)
    assert begun.state.phase == "playing", "White held on before, but no longer alone"
    begun.wait(0.2)
    assert begun.said()[-1] == "end draw"


def test_the_arbiters_button_pauses_and_goes_on(begun: Any) -> None:
    begun.press("arbiter")
    assert view(begun.state)["paused"]
    begun.play("a3-b4")
    assert begun.said()[-1] == "paused", "nothing is judged meanwhile"
    begun.press("arbiter")
    begun.show(begun.game.parse_move(begun.state.position, "a3-b4").after)
    assert begun.said()[-2:] == ["resumed", "move a3-b4"]


# ---------------------------------------------------------------- joining


MIDST = "B:Wc3,e3,g1,Kd8:Bb6,h6,a5,e7"


def test_joining_a_running_game_asks_only_for_what_it_can_not_see(table: Tables) -> None:
    board = table(settled=False, eyes={"surety": 12.0})
    board.show(MIDST, 2)
    assert [e["what"] for e in board.command("join")] == ["to-move"]
    board.command("to-move", "b")
    assert board.said()[-1] == "start-position"
    assert board.state.position == board.game.read(MIDST)
    board.show(board.game.parse_move(board.state.position, "b6-c5").after, 1)
    assert board.said()[-1] == "move b6-c5"


def test_kings_without_marks_are_told_in_joining(table: Tables) -> None:
    board = table(settled=False, eyes={"surety": 12.0, "kings_show": False})
    board.show(MIDST, 2)
    board.command("join", "b d8 bottom")
    assert board.state.position == board.game.read(MIDST)


@pytest.mark.parametrize("words", ["b d4", "x", "b c9"])
def test_joining_with_words_that_do_not_fit_is_refused(words: str, table: Tables) -> None:
    board = table(settled=False, eyes={"surety": 12.0})
    board.show(MIDST, 2)
    assert told(board.command("join", words)) == ["refused"]
    assert board.state.phase == "waiting"


def test_nobody_joins_a_game_that_is_being_played(begun: Any) -> None:
    assert told(begun.command("join", "w")) == ["refused"]
