"""Offences on the board: told once, put right, let stand, taken back; and what is none."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rules.draughts.game import DraughtsGame
from rules.draughts.position import Position

SHARED = Path(os.environ.get("TORESHI_SHARED", Path(__file__).parents[2].parent / "shared"))
CASES = SHARED / "rules" / "draughts" / "judge_cases.jsonl"

#: A capture is due: c3 takes d4.  The positions of this little game are written out by hand.
DUE = "W:Wc3,f2,a1:Bd4,h8"
IGNORED = "W:Wc3,g3,a1:Bd4,h8"  # f2-g3 instead
TAKEN = "W:We5,f2,a1:Bh8"
PLAYED_ON = "W:Wg3,a1:Bb2,h8"  # d4 takes c3 and stops on b2, where a1 can take it

Tables = Callable[..., Any]


def cases(step: int = 4) -> list[Any]:
    """Every fourth judged case of the shared table that two settled pictures can show."""
    if not CASES.exists():
        return []
    rows = [json.loads(line) for line in CASES.read_text().splitlines()][::step]
    shown = [row for row in rows if shows(row)]
    return [pytest.param(row, id=f"{row['id']} {row['code'] or row['verdict']}") for row in shown]


def shows(row: dict[str, Any]) -> bool:
    """Not: crowns alone, a piece from nowhere, both sides' pieces elsewhere (two legal moves)."""
    game = DraughtsGame.by_name(row["game"])
    before, after = (game.read_board(row[key]) for key in ("before", "after"))
    if row["code"] == "O1":
        pairs = ((before.white, after.white), (before.black, after.black))
        nowhere = any(now.bit_count() > was.bit_count() for was, now in pairs)
        boards = [before, *(move.after for move in game.moves(before))]
        crowns = (after.white, after.black) in [(board.white, board.black) for board in boards]
        return not nowhere and not crowns
    if row["code"] == "O5":
        return not (after.white & ~before.white and after.black & ~before.black)
    return True


@pytest.mark.skipif(not CASES.exists(), reason="../shared is not here")
@pytest.mark.parametrize("row", cases())
def test_judged_cases_seen_by_sure_eyes(row: dict[str, Any], table: Tables) -> None:
    board = table(
        row["game"], fen=row["before"], white_at="bottom", kings="marked", eyes={"surety": 14.0}
    )
    board.show(row["before"])
    board.show(row["after"])
    told = [s for s in board.said() if s != "start-position" and not s.startswith("end")]
    code = row["code"] or row["verdict"]
    wanted = {"legal": [f"move {row['move']}"], "unchanged": []}.get(code, [f"offence {code}"])
    assert told == wanted


def test_an_offence_is_told_once(table: Tables) -> None:
    board = table(fen=DUE)
    for position in (DUE, IGNORED, IGNORED, IGNORED):
        board.show(position)
    assert board.said() == ["start-position", "offence O6"]
    told = board.events()[1]
    assert told["due"] == ["c3:e5"]
    assert (told["side"], told["verdict"], told["v"]) == ("w", "offence", 1)
    assert ("missed-capture", "w") in board.signals()


def test_put_right_to_the_position_before(table: Tables) -> None:
    board = table(fen=DUE)
    for position in (DUE, IGNORED, DUE, TAKEN):
        board.show(position)
    assert board.said() == ["start-position", "offence O6", "resolved put-right", "move c3:e5"]


def test_put_right_and_the_due_capture_made_at_once(table: Tables) -> None:
    board = table(fen=DUE)
    for position in (DUE, IGNORED, TAKEN):
        board.show(position)
    assert board.said() == ["start-position", "offence O6", "resolved put-right", "move c3:e5"]
    assert board.signals()[-1] == ("legal", "w")


def test_the_opponent_plays_on_from_the_board_as_it_is(table: Tables) -> None:
    # Black takes c3 with d4: b2 is empty, so the capture that White missed is turned on him
    board = table(fen=DUE)
    for position in (DUE, IGNORED, PLAYED_ON):
        board.show(position)
    assert board.said() == [
        "start-position", "offence O6", "resolved accepted", "move d4:b2",
    ]  # fmt: skip
    board.show("W:Wg3,c3:Bh8")
    assert board.said()[-1] == "move a1:c3"
    assert len(board.state.match.plies) == 3


def test_a_second_offence_of_the_opponent_after_accepting(table: Tables) -> None:
    # Black must take c3 but goes h8-g7
    board = table(fen=DUE)
    for position in (DUE, IGNORED, "W:Wc3,g3,a1:Bd4,g7"):
        board.show(position)
    assert board.said() == ["start-position", "offence O6", "resolved accepted", "offence O6"]
    assert board.events()[-1]["side"] == "b"


def test_a_chain_stopped_half_way_is_completed(table: Tables) -> None:
    # c3 takes d4 and f6 and ends on g7; it stops on e5 with d4 lifted
    board = table(fen="W:Wc3:Bd4,f6,a7")
    board.show("W:Wc3:Bd4,f6,a7")
    board.show("W:We5:Bf6,a7")
    board.show("W:Wg7:Ba7")
    assert board.said() == ["start-position", "offence O9", "resolved put-right", "move c3:g7"]


def test_a_captured_man_left_on_the_board_is_lifted(table: Tables) -> None:
    board = table(fen=DUE)
    board.show(DUE)
    board.show("W:We5,f2,a1:Bd4,h8")
    board.show(TAKEN)
    assert board.said() == ["start-position", "offence O11", "resolved put-right", "move c3:e5"]
    assert ("left-on-board", "w") in board.signals()


def test_an_own_man_put_back_and_another_move_made(table: Tables) -> None:
    board = table(fen="W:Wa3,c3,e3:Bh8,b8")
    board.show("W:Wa3,c3,e3:Bh8,b8")
    board.show("W:Wa3,d4:Bh8,b8")  # c3-d4, and e3 is gone as well
    board.show("W:Wb4,c3,e3:Bh8,b8")
    assert board.said() == ["start-position", "offence O13", "resolved put-right", "move a3-b4"]


def test_one_man_gone_needs_sure_eyes(table: Tables) -> None:
    sure = table(fen=DUE, eyes={"surety": 14.0})
    sure.show(DUE)
    sure.show("W:Wc3,f2,a1:Bd4")
    assert sure.said() == ["start-position", "offence O7"]
    doubtful = table(fen=DUE, eyes={"surety": 5.0, "spread": 0.3})
    doubtful.show(DUE)
    doubtful.show("W:Wc3,f2,a1:Bd4")
    assert doubtful.said() == ["start-position", "unsure"]


def test_a_king_left_unmarked_where_marks_are_seen(table: Tables) -> None:
    start, unmarked, marked = "W:WKh2,c7:Ba5", "W:WKh2,b8:Ba5", "W:WKh2,Kb8:Ba5"
    board = table(fen=start)
    board.show(start)
    board.show(unmarked)
    board.show(marked)
    assert board.said() == ["start-position", "offence O14", "resolved put-right", "move c7-b8"]
    assert ("crown-it", "w") in board.signals()


def test_a_king_left_unmarked_and_played_on(table: Tables) -> None:
    start = "W:WKh2,c7:Ba5"
    board = table(fen=start)
    board.show(start)
    board.show("W:WKh2,b8:Ba5")
    board.show("W:WKh2,b8:Bb4")
    assert board.said() == ["start-position", "offence O14", "resolved accepted", "move a5-b4"]
    board.show("W:WKh2,e5:Bb4")
    assert board.said()[-1] == "move b8-e5", "a king all the same"


def test_a_king_without_a_mark_is_no_offence_where_marks_were_never_seen(table: Tables) -> None:
    board = table(fen="W:Wc7:Ba5")
    board.show("W:Wc7:Ba5")
    board.show("W:Wb8:Ba5")
    board.show("W:Wb8:Bb4")
    assert board.said() == ["start-position", "move c7-b8", "move a5-b4"]


def test_a_move_taken_back(table: Tables) -> None:
    board = table()
    board.show(board.game.start())
    board.play("c3-d4")
    after_one = board.state.position
    board.play("b6-a5")
    board.show(after_one)
    assert board.said() == ["start-position", "move c3-d4", "move b6-a5", "takeback"]
    assert board.state.position == after_one
    board.play("f6-e5")
    assert board.said()[-1] == "move f6-e5"
    assert [ply.move.to for ply in board.state.match.plies] == [18, 15]


def test_both_moves_taken_back(table: Tables) -> None:
    board = table()
    board.show(board.game.start())
    board.play("c3-d4", "b6-a5")
    board.show(board.game.start())
    assert board.events()[-1]["event"] == "takeback"
    assert board.events()[-1]["plies"] == 2


def test_another_move_in_place_of_one_read_too_early(table: Tables) -> None:
    board = table()
    start = board.game.start()
    board.show(start)
    board.play("c3-d4")
    board.show(board.game.parse_move(start, "c3-b4").after)
    assert board.said() == ["start-position", "move c3-d4", "takeback", "move c3-b4"]


@pytest.mark.parametrize("name", ["accept", "correct"])
def test_the_arbiter_decides(name: str, table: Tables) -> None:
    board = table(fen=DUE)
    board.show(DUE)
    board.show(IGNORED)
    if name == "accept":
        board.command("accept")
        assert board.said()[-1] == "resolved accepted"
        board.show(PLAYED_ON)
        assert board.said()[-1] == "move d4:b2"
    else:
        board.command("correct", "W:Wc3,f2,a1:Bd4,h8")
        assert board.said()[-1] == "resolved corrected"
        board.show(TAKEN)
        assert board.said()[-1] == "move c3:e5"


def test_without_calibration_moves_are_followed_and_nobody_is_accused(table: Tables) -> None:
    before, ignored = "W:Wc3,f2,a1:Bd4,h8", "B:Wc3,g3,a1:Bd4,h8"
    trusted = table(fen=before)
    trusted.show(before)
    assert [e["code"] for e in trusted.show(ignored) if e["event"] == "offence"] == ["O6"]
    doubted = table(fen=before, alarms=False)
    doubted.show(before)
    assert [e["event"] for e in doubted.show(ignored)] == ["unsure"]
    moved = doubted.show("B:We5,f2,a1:Bh8")
    assert [e["text"] for e in moved if e["event"] == "move"] == ["c3:e5"]


@pytest.mark.parametrize(("touched", "told"), [(True, True), (False, False)])
def test_a_man_that_is_gone_is_an_offence_only_where_a_hand_has_been(
    touched: bool, told: bool, table: Tables
) -> None:
    board = table(settled=False)
    position = board.game.start()
    board.show(position, 2)
    for text in ("c3-d4", "b6-a5", "b2-c3", "f6-g5"):
        board.hand(position)
        position = board.game.parse_move(position, text).after
        board.show(position, 2)
    square = board.game.square("g1")
    gone = {n: piece for n, piece in position.pieces().items() if n != square}
    board.hand(position, squares=[square, 28] if touched else [1, 2])
    board.show(Position.of(gone, "b"), 7)
    assert (board.said()[-1] == "offence O7") is told
    assert told or board.said()[-1] == "unsure"
