"""A capture is complete when the last captured man is off; before that nothing is an offence."""

from collections.abc import Callable
from typing import Any

import pytest

from device.session_capture import passes_through
from rules.draughts.game import DraughtsGame

Tables = Callable[..., Any]

#: White's king takes g5, d4 and d2 on its way to e1, where a quiet move leads as well.
RING = "W:WKh4:Bg5,d4,d2,h2,b8"

#: c3 takes d4, and f6 takes back where d4 stood.
RETURN = "W:Wc3,a1,h2:Bd4,f6,g7,b8"

#: c5 takes d4; f2 stands behind it, and g1 behind that.
BEHIND = "B:Wd4,f2,g1,a1:Bc5,b8,h8"


def at(table: Tables, fen: str, **more: Any) -> Any:
    """A game that has begun from a position, and a hand over it."""
    board = table(settled=False, fen=fen, **more)
    board.show(fen, 2)
    board.hand(board.game.read(fen))
    return board


def goes_on(board: Any, *stands: tuple[str, float]) -> None:
    """Boards that stand for so many seconds, a hand between them."""
    for number, (position, seconds) in enumerate(stands):
        if number:
            board.hand(board.game.read_board(stands[number - 1][0]))
        board.show(position, seconds)


def deeds(board: Any) -> list[str]:
    return [s for s in board.said() if s.startswith(("move", "offence", "resolved", "corrected"))]


@pytest.mark.parametrize(
    ("board", "through"),
    [
        ("W:WKe1:Bg5,d4,d2,h2,b8", True),
        ("W:WKe1:Bg5,d4,h2,b8", True),
        ("W:WKf6:Bd4,d2,h2,b8", True),
        ("W:WKe1:Bh2,b8", False),  # complete
        ("W:WKf2:Bg5,d4,d2,h2,b8", False),  # a quiet move to where no capture leads
        ("W:WKe1:Bg5,d4,d2,b8", False),  # h2 was not jumped
        ("W:WKe1:Bg5,d4,d2,h2,a7", False),
    ],
)
def test_boards_that_a_capture_passes_through(board: str, through: bool) -> None:
    game = DraughtsGame.by_name("russian")
    assert passes_through(game, game.read(RING), game.read_board(board)) is through


def test_a_king_that_could_have_come_quietly_may_still_lift_what_it_took(table: Tables) -> None:
    board = at(table, RING, mode="club")
    goes_on(
        board,
        ("W:WKe1:Bg5,d4,d2,h2,b8", 2.4),
        ("W:WKe1:Bg5,d4,h2,b8", 1.4),
        ("W:WKe1:Bh2,b8", 1),
    )
    assert deeds(board) == ["move h4:e1"]
    assert [e["code"] for e in board.events() if e["event"] == "remark"] == ["order"]


def test_if_it_lifts_nothing_the_capture_was_ignored(table: Tables) -> None:
    board = at(table, RING)
    goes_on(board, ("W:WKe1:Bg5,d4,d2,h2,b8", 4))
    assert deeds(board) == ["offence O6"]


@pytest.mark.parametrize(
    ("stands", "told"),
    [
        ([("W:We5,a1,h2:Bd4,g7,b8", 2.6), ("W:Wa1,h2:Bd4,g7,b8", 1)], ["move f6:d4"]),
        ([("W:We5,a1,h2:Bd4,g7,b8", 4)], ["offence O11"]),
    ],
    ids=["lifted late", "never lifted"],
)
def test_a_quick_capture_in_return_is_not_laid_to_the_hand_before(
    stands: list[tuple[str, float]], told: list[str], table: Tables
) -> None:
    board = at(table, RETURN)
    goes_on(board, ("W:We5,a1,h2:Bf6,g7,b8", 0.6), *stands)
    assert deeds(board) == ["move c3:e5", *told]
    if "offence" in told[0]:
        assert board.events()[-1]["side"] == "b"


@pytest.mark.parametrize(
    ("stands", "told"),
    [
        (
            [("W:Wf2,g1,a1:Be3,b8,h8", 1.4), ("W:Wf2,g1,a1:Bb8,h8", 1)],
            ["resolved accepted", "move d4:f2"],
        ),
        ([("W:Wf2,g1,a1:Be3,b8,h8", 4)], ["resolved put-right", "move c5:e3"]),
    ],
    ids=["the opponent takes back", "put right"],
)
def test_an_opponent_who_captures_on_from_a_wrong_board_accepts_it(
    stands: list[tuple[str, float]], told: list[str], table: Tables
) -> None:
    board = at(table, BEHIND)
    goes_on(board, ("W:Wd4,g1,a1:Be3,b8,h8", 3), *stands)
    assert deeds(board) == ["offence O12", *told]


@pytest.mark.parametrize("accepted", [True, False])
def test_a_man_lifted_early_from_a_wrong_board(accepted: bool, table: Tables) -> None:
    fen = "B:Wc3,a1:Bc7,f6,a7,h8"
    board = at(table, fen, mode="club")
    goes_on(
        board,
        ("W:Wc3,a1:Bd4,f6,a7,h8", 2),
        ("W:We5,a1:Bf6,a7,h8", 1.4),
        ("W:Wg7,a1:Ba7,h8" if accepted else fen.replace("B:", "W:", 1), 1),
    )
    after = ["resolved accepted", "move c3:g7"] if accepted else ["resolved put-right"]
    assert deeds(board) == ["offence O1", *after]
    told = [(e["code"], e["side"]) for e in board.events() if e["event"] == "remark"]
    assert told == ([("O10", "w")] if accepted else [])
    assert board.state.half == (), "what comes next is another turn"


@pytest.mark.parametrize(("held", "told"), [(3.0, []), (5.0, ["offence O12"])])
def test_a_man_in_its_owners_hand_is_not_laid_to_the_hand_before(
    held: float, told: list[str], table: Tables
) -> None:
    board = at(table, "W:Wc3,f2,a1,h2:Bd4,h8,b8", eyes={"surety": 14.0})
    goes_on(
        board,
        ("W:We5,f2,a1,h2:Bh8,b8", 0.6),
        ("W:We5,f2,a1,h2:Bh8", held),
        ("W:We5,f2,a1,h2:Bh8,b8", 1),
    )
    assert [s for s in deeds(board) if s.startswith("offence")] == told
    assert board.state.position.side == "b"
    assert len(board.state.match.plies) == 1
