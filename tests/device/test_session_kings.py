"""Kings are known by the rules: what the eyes think of rank loses no move and accuses nobody."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

Tables = Callable[..., Any]


def crowned(table: Tables, **more: Any) -> Any:
    """White's man has just become a king on a7-b8."""
    board = table(settled=False, fen="W:Wa7,c1,e1:Bh8,h6", **more)
    board.show("W:Wa7,c1,e1:Bh8,h6", 2)
    board.hand(board.game.read_board("W:Wa7,c1,e1:Bh8,h6"))
    return board


def played(board: Any, text: str, **errors: Any) -> None:
    before = board.state.position
    board.hand(before)
    board.show(board.game.parse_move(before, text).after, 2, **errors)


@pytest.mark.parametrize("letter", ["b", "B"])
def test_a_king_of_two_colours_that_reads_as_the_other_sides_loses_no_move(
    letter: str, table: Tables
) -> None:
    board = crowned(table)
    board.show("W:WKb8,c1,e1:Bh8,h6", 3, misread={1: letter})
    played(board, "h6-g5", misread={1: letter})
    played(board, "b8-e5", misread={15: letter})
    played(board, "g5-f4", misread={15: letter})
    played(board, "e5:h2", misread={28: letter})
    assert [e["text"] for e in board.events() if e["event"] == "move"] == [
        "a7-b8", "h6-g5", "b8-e5", "g5-f4", "e5:h2",
    ]  # fmt: skip
    assert [s for s in board.said() if s.startswith(("offence", "unsure"))] == []


def test_a_king_captured_while_it_reads_as_the_other_sides(table: Tables) -> None:
    board = crowned(table)
    board.show("W:WKb8,c1,e1:Bh8,h6", 3, misread={1: "b"})
    played(board, "h6-g5", misread={1: "b"})
    played(board, "b8-f4", misread={20: "b"})
    played(board, "g5:e3")
    assert board.said()[-1].startswith("move g5:e3")


def test_a_man_that_looks_like_a_king_for_a_moment_proves_no_marks(table: Tables) -> None:
    fen = "W:Wa7,g5:Ba3,a5"
    board = table(settled=False, fen=fen)
    board.show(fen, 2)
    plain = {1: "w"}  # nobody marks kings here
    played(board, "a7-b8", misread=plain)
    played(board, "a5-b4")
    for text in ("g5-h6", "b4-c3", "h6-g7", "c3-b2"):
        played(board, text, misread=plain)
    played(board, "g7-f8", misread={1: "w", 3: "w"})
    board.show(board.state.position, 8, misread={1: "w", 3: "w"})
    assert board.said()[-1] == "move g7-f8"


def test_a_king_that_misses_its_mark_is_told_where_others_have_theirs(table: Tables) -> None:
    fen = "W:Wa7,Kg1:Bh8,a3"
    board = table(settled=False, fen=fen)
    board.show(fen, 2)
    played(board, "g1-e3")
    played(board, "h8-g7")
    board.hand(board.state.position)
    board.show("W:Wb8,Ke3:Bg7,a3", 7)
    assert board.said()[-1] == "offence O14"
    # either hand may mark it, late
    board.hand(board.game.read_board("W:Wb8,Ke3:Bg7,a3"))
    board.show("W:WKb8,Ke3:Bg7,a3", 1)
    assert board.said()[-2:] == ["resolved put-right", "move a7-b8"]


@pytest.mark.parametrize(("crown", "told"), [("W", True), ("w", False)])
def test_a_new_king_that_has_its_mark_shows_that_they_are_marked(
    crown: str, told: bool, table: Tables
) -> None:
    fen = "W:Wa7,c7:Bh8,h6"
    board = table(settled=False, fen=fen)
    board.show(fen, 2)
    played(board, "a7-b8", misread={1: crown})
    played(board, "h6-g5")
    board.hand(board.state.position)
    board.show("W:WKb8,d8:Bh8,g5", 7)
    assert (board.said()[-1] == "offence O14") is told


@pytest.mark.parametrize("touched", [False, True])
def test_a_man_that_looks_vague_for_a_moment_was_not_marked(touched: bool, table: Tables) -> None:
    fen = "W:Wa7,Kg1:Bh8,a3"
    board = table(settled=False, fen=fen)
    board.show(fen, 2)
    played(board, "g1-e3")
    played(board, "h8-g7")
    bare = board.game.read_board("W:Wb8,Ke3:Bg7,a3")
    board.hand(board.state.position)
    board.show(bare, 2)
    if touched:
        board.hand(bare)
        board.show(bare, 2)
    cell = board.game.board.cell(board.game.square("b8"))
    for _ in range(4):
        board.now += 200_000_000
        percept = board.eyes.see(bare, board.now)
        grid = np.frombuffer(percept.scores, np.int8).reshape(8, 8, 5).copy()
        grid[(*cell, 2)] = grid[(*cell, 1)] - 16
        board.feed(replace(percept, scores=grid.tobytes()))
    board.show(bare, 4)
    assert board.said()[-1] == "offence O14"


def test_kings_that_are_vague_from_above_are_no_reason_for_an_alarm(table: Tables) -> None:
    fen = "W:Wa7,Kg1:Bh8,a3"
    board = table(settled=False, fen=fen, eyes={"kings_show": False})
    board.show(fen, 2)
    played(board, "g1-e3")
    played(board, "h8-g7")
    played(board, "a7-b8")
    board.show(board.state.position, 10)
    assert [s for s in board.said() if s.startswith(("offence", "unsure"))] == []


def test_an_illegal_move_is_called_the_same_whatever_the_man_looks_like(table: Tables) -> None:
    fen = "W:Wc3,g1:Bh8,a7"
    board = table(settled=False, fen=fen, eyes={"surety": 12.0})
    board.show(fen, 2)
    played(board, "c3-d4")
    played(board, "h8-g7")
    board.hand(board.state.position)
    back = board.game.read_board("W:We3,g1:Bg7,a7")
    board.show(back, 4, misread={board.game.square("e3"): "W"})
    assert board.said()[-1] == "offence O4a"
