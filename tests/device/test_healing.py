"""Readings that a later move puts right, doubts told once, and takebacks from far away."""

from collections.abc import Callable
from typing import Any

import pytest

from rules.draughts import pdn
from rules.draughts.match_record import record_of
from rules.draughts.position import Position

Tables = Callable[..., Any]


def running(table: Tables, **more: Any) -> Any:
    return table(settled=False, **more)


def play(board: Any, position: Position, *texts: str, **errors: Any) -> Position:
    for text in texts:
        board.hand(position)
        position = board.game.parse_move(position, text).after
        board.show(position, 1, **errors)
    return position


def texts(board: Any) -> list[str]:
    """The moves in the record."""
    (read,) = pdn.read(pdn.write([record_of(board.state.match)]))
    here, told = read.start, []
    for ply in read.plies:
        told.append(board.game.text(here, ply.move))  # type: ignore[union-attr]
        here = ply.after
    return told


@pytest.mark.parametrize("settled", [False, True])
def test_a_move_read_wrongly_is_put_right_by_the_next_one(settled: bool, table: Tables) -> None:
    board = table(settled=settled)
    start = board.game.start()
    board.show(start, 2)
    wrongly = {17: "w", 18: "."}  # b4 for d4
    after = board.game.parse_move(start, "c3-d4").after
    board.show(after, 1, misread=wrongly)
    assert board.said()[-1] == "move c3-b4"
    reply = board.game.parse_move(after, "d6-e5").after  # attacks d4, and b4 not at all
    board.show(reply, 8)
    if settled:
        board.show(reply)
    assert texts(board) == ["c3-d4", "d6-e5"]
    told = next(e for e in board.events() if e["event"] == "corrected")
    assert (told["plies"], told["moves"], told["by"]) == (1, ["c3-d4"], "board")
    assert board.said()[-1] == "move d6-e5"
    assert not [s for s in board.said() if s.startswith("offence")]


def test_an_offence_is_not_explained_away_by_an_older_move(table: Tables) -> None:
    # every scene was clear: nothing may be read anew, the wrong deed is told
    board = running(table, eyes={"surety": 12.0})
    start = board.game.start()
    board.show(start, 2)
    position = play(board, start, "c3-d4", "b6-a5", "d4-c5")
    ignored = board.game.parse_move(position.with_side("b"), "d6:b4")
    assert ignored.taken
    quiet = {n: p for n, p in position.pieces().items() if n != board.game.square("f6")}
    quiet[board.game.square("g5")] = "b"
    board.hand(position)
    board.show(Position.of(quiet, "w"), 8)
    assert board.said()[-1] == "offence O6"
    assert "corrected" not in board.said()


def test_two_readings_stay_open_until_a_later_move_decides(table: Tables) -> None:
    board = running(table)
    start = board.game.start()
    board.show(start, 2)
    after = board.game.parse_move(start, "c3-d4").after
    board.hand(start)
    board.show(after, 6, dim=(17, 18))  # d4 or b4: a glare lies over both
    assert board.said() == ["start-position", "unsure"]
    board.hand(after)
    board.show(board.game.parse_move(after, "d6-e5").after, 6, dim=(17,))
    assert board.said()[2:] == ["move c3-d4", "move d6-e5"]


@pytest.mark.parametrize("settled", [False, True])
def test_a_man_lifted_beside_a_square_that_can_not_be_read_is_no_move(
    settled: bool, table: Tables
) -> None:
    board = table(settled=settled)
    start = board.game.start()
    board.show(start, 2)
    lifted = {n: piece for n, piece in start.pieces().items() if n != board.game.square("g3")}
    board.show(Position.of(lifted, "w"), 2, dim=(20,))  # h4: g3 could only go there or to f4
    board.show(start, 2)
    assert not [s for s in board.said() if s.startswith(("move", "takeback", "offence"))]
    board.show(board.game.parse_move(start, "g3-h4").after, 2)
    assert board.said()[-1] == "move g3-h4"


@pytest.mark.parametrize("back", [1, 4, 9, 12])
def test_any_earlier_position_can_be_gone_back_to(back: int, table: Tables) -> None:
    board = running(table)
    position = board.game.start()
    board.show(position, 2)
    seen = [position]
    for text in ("c3-d4", "b6-a5", "g3-h4", "d6-c5", "f2-g3", "c7-b6", "g3-f4", "h8-g7",
                 "b2-c3", "f6-g5", "h4:f6", "g7:e5"):  # fmt: skip
        if text not in [board.game.text(position, m) for m in board.game.moves(position)]:
            text = board.game.text(position, board.game.moves(position)[0])
        position = play(board, position, text)
        seen.append(position)
    assert len(board.state.match.plies) == 12
    board.hand(position, 2)
    board.show(seen[-1 - back], 2)
    assert board.said()[-1] == "takeback"
    assert board.events()[-1]["plies"] == back
    assert board.state.position == seen[-1 - back]


def test_a_doubt_is_told_once_for_settled_pictures(table: Tables) -> None:
    board = table()
    board.show(board.game.start())
    for _ in range(5):
        board.show(board.game.start(), dim=range(1, 33))
    assert board.said() in (["start-position"], ["start-position", "unsure"])
    after = board.game.parse_move(board.game.start(), "c3-d4").after
    for _ in range(4):
        board.show(after, dim=(17, 18))
    assert board.said().count("unsure") == 1
    board.show(after)
    board.show(board.game.parse_move(after, "b6-a5").after, dim=(13, 14))
    assert board.said().count("unsure") == 2, "another doubt after something was understood"


def test_a_move_taken_back_unseen_and_others_played(table: Tables) -> None:
    board = running(table)
    position = board.game.start()
    board.show(position, 2)
    one = play(board, position, "c3-d4")
    two = play(board, one, "f6-e5")
    board.hand(two, 2)  # d4:f6 was due; Black takes his move back, and both go on
    other = board.game.parse_move(board.game.parse_move(one, "b6-a5").after, "g3-h4").after
    board.show(other, 6)
    assert texts(board) == ["c3-d4", "b6-a5", "g3-h4"]
    assert "takeback" in board.said()
    assert not [s for s in board.said() if s.startswith("offence")]


def test_more_moves_than_can_be_followed_accuse_nobody(table: Tables) -> None:
    board = running(table)
    position = board.game.start()
    board.show(position, 2)
    start = position
    for text in ("a3-b4", "f6-e5", "c3-d4", "e5:a5", "g3-h4", "h6-g5"):
        position = board.game.parse_move(position, text).after
    board.hand(start, 3)
    board.show(position, 12)
    assert not [s for s in board.said() if s.startswith("offence")]
    board.hand(position)
    # h4 takes g5; the game is found again by it, one legal move on from what stood
    board.show(board.game.parse_move(position, "h4:f6").after, 2)
    assert board.said()[-1] == "move h4:f6"


def test_a_lost_game_is_found_again_though_nothing_stands_for_long(table: Tables) -> None:
    board = running(table)
    position = board.game.start()
    board.show(position, 2)
    start = position
    for text in ("c3-d4", "b6-a5", "g3-h4", "c7-b6", "b2-c3", "d8-c7"):
        position = board.game.parse_move(position, text).after
    board.hand(start, 3)
    board.show(position, 1.8)
    board.hand(position)
    board.show(board.game.parse_move(position, "f2-g3").after, 1)
    assert board.said()[-2:] == ["unsure", "move f2-g3"]
