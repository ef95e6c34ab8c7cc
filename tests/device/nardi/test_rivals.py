"""Two boards that a tall stack leaves open: the likelier is written, the other is not forgotten."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from device.nardi import look
from rules.nardi.board import START
from rules.nardi.dice import ROLLS
from rules.nardi.events import Noted, Turn
from rules.nardi.game import NardiGame
from tests.device.nardi.test_session import after

GAME = NardiGame()

#: Eyes that count every stack as it is told them.
EXACT = {"blur": 0.0, "taller": 0.0}

#: 3-1 leaves ten on point 1 or eleven: the three and a one go off, or three to two, and that off.
BEFORE = "W:W3,2,1x11:B13x15:O2-0"
TEN, ELEVEN = "W:W2,1x10:B13x15:O4-0", "W:W2,1x11:B13x15:O3-0"


class Players:
    """They throw, play with a hand over the board, and throw again; nobody presses."""

    def __init__(self, board: Any, fen: str = BEFORE) -> None:
        self.board, self.turns = board, 0
        self.stands = GAME.read_board(fen)
        board.show(self.stands)

    def throw(self, one: int, two: int, seconds: float = 2.4, **errors: Any) -> None:
        """Dice elsewhere than the last ones; by them the turn before is over."""
        self.turns += 1
        self.board.dice = ()
        self.board.hand(self.stands)
        self.board.throw(one, two, x=0.2, y=0.3 if self.turns % 2 else 0.7)
        self.board.show(self.stands, seconds, **errors)

    def play(self, fen: str, **errors: Any) -> None:
        self.stands = GAME.read_board(fen)
        self.board.hand(self.stands)
        self.board.show(self.stands, 1.6, **errors)


@pytest.fixture
def players(table: Callable[..., Any]) -> Players:
    """White has played 3-1: ten are left, or eleven; ten is a little likelier."""
    players = Players(table(fen=BEFORE, eyes=EXACT))
    looks = {1: (10.45, 0)}
    players.throw(3, 1)
    players.play(TEN, misread=looks)
    players.throw(6, 4, misread=looks)
    assert players.board.said()[1:] == ["roll 3-1", "unsure", "move 3/off 1/off", "roll 6-4"]
    return players


def stood(board: Any) -> list[str]:
    """The boards after the turns that stand in the record."""
    return [GAME.write(turned.after) for turned in board.state.game.turns if turned.stands]


def later(players: Players, ten: bool) -> None:
    """Black bears off, White plays 6-6 twice; at last so few are left that they can be counted."""
    white, off = (10, 4) if ten else (11, 3)
    players.play(f"W:W2,1x{white}:B13x13:O{off}-2", misread={1: (10.5, 0)})
    players.throw(6, 6, misread={1: (10.5, 0)})
    players.play(f"B:W1x{white - 3}:B13x13:O{off + 4}-2", misread={1: (7.5, 0)})
    players.throw(5, 4, misread={1: (7.5, 0)})
    players.play(f"W:W1x{white - 3}:B13x11:O{off + 4}-4", misread={1: (7.5, 0)})
    players.throw(6, 6, misread={1: (7.5, 0)})
    players.play(f"B:W1x{white - 7}:B13x11:O{off + 8}-4")
    players.throw(3, 1, 3)


def test_a_low_stack_tells_which_of_two_boards_stood_four_turns_before(players: Players) -> None:
    later(players, ten=False)
    assert stood(players.board) == [
        "B:W2,1x11:B13x15:O3-0",
        "W:W2,1x11:B13x13:O3-2",
        "B:W1x8:B13x13:O7-2",
        "W:W1x8:B13x11:O7-4",
        "B:W1x4:B13x11:O11-4",
    ]
    (back,) = [e for e in players.board.events() if e["event"] == "takeback"]
    assert (back["plies"], back["fen"]) == (4, GAME.write(GAME.read_board(BEFORE)))
    told = [e["fen"] for e in players.board.events() if e["event"] == "move"]
    assert told[-5:] == stood(players.board)
    assert "offence" not in {e["event"] for e in players.board.events()}
    record = players.board.state.log
    assert [GAME.write(e.end) for e in record if isinstance(e, Turn)] == stood(players.board)
    notes = [event.text for event in record if isinstance(event, Noted)]
    assert notes == ["turns before this were read otherwise at first"]


def test_what_is_written_stays_when_the_low_stack_agrees(players: Players) -> None:
    later(players, ten=True)
    assert stood(players.board)[0] == "B:W2,1x10:B13x15:O4-0"
    assert "takeback" not in {e["event"] for e in players.board.events()}


def test_what_is_written_stays_as_long_as_it_fits(players: Players) -> None:
    players.play("W:W2,1x10:B13x13:O4-2", misread={1: (10.5, 0)})
    players.throw(2, 1, misread={1: (10.5, 0)})
    # upon ten two ends are as likely, nine and ten; upon eleven only ten is
    players.play("B:W1x9:B13x13:O6-2", misread={1: (9.45, 0)})
    players.throw(6, 5, misread={1: (9.45, 0)})
    assert players.board.state.side == "b"
    assert stood(players.board)[0] == "B:W2,1x10:B13x15:O4-0"
    assert "takeback" not in {e["event"] for e in players.board.events()}


@pytest.mark.parametrize(("count", "board"), [(11, ELEVEN), (10, TEN)])
def test_a_person_who_counts_the_stack_settles_it_at_once(
    count: int, board: str, players: Players
) -> None:
    table = players.board
    assert (table.state.asked.point, table.state.asked.side) == (1, "w")
    table.command("count", f"1 w{count}")
    stands = GAME.read_board(board).with_side("b")
    assert table.state.position == stands
    assert table.state.rivals == ()
    assert table.state.game.roll.dice == (6, 4), "Black's throw lies there as before"
    assert stood(table) == [GAME.write(stands)]


def test_a_count_that_no_board_agrees_with_changes_nothing_written(players: Players) -> None:
    players.board.command("count", "1 w7")
    assert stood(players.board) == ["B:W2,1x10:B13x15:O4-0"]


def test_an_unread_die_is_no_hindrance_when_only_a_tall_stack_is_left_open(
    table: Callable[..., Any],
) -> None:
    board = table(fen=BEFORE, eyes=EXACT)
    players = Players(board)
    board.dice = ()
    board.throw(3, 1, x=0.2, y=0.3, p=0.3)
    board.show(players.stands, 3)
    players.play(TEN, misread={1: (10.45, 0)})
    players.throw(6, 4, 3, misread={1: (10.45, 0)})
    assert stood(board) == ["B:W2,1x10:B13x15:O4-0"]
    assert board.said()[-1] == "roll 6-4"


def test_a_throw_that_nobody_saw_is_no_hindrance_when_only_a_tall_stack_is_left_open(
    table: Callable[..., Any],
) -> None:
    board = table(fen="B:W3,2,1x11:B14,13x10:O2-4", eyes=EXACT)
    players = Players(board, "B:W3,2,1x11:B14,13x10:O2-4")
    players.throw(2, 1)
    players.play("W:W3,2,1x11:B13x9:O2-6")
    board.press("b")
    board.show(players.stands)
    # White's throw is not seen
    board.dice = ()
    players.play(TEN.replace("13x15:O4-0", "13x9:O4-6"), misread={1: (10.45, 0)})
    players.throw(6, 4, 4, misread={1: (10.45, 0)})
    assert board.state.side == "b"
    assert stood(board)[1:] == ["B:W2,1x10:B13x9:O4-6"]
    board.command("count", "1 w11")
    assert stood(board)[1:] == ["B:W2,1x11:B13x9:O3-6"]


def test_a_scene_looks_for_the_unseen_throw_among_a_few_rolls_only(
    table: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    lots: list[list[tuple[int, int]]] = []
    search = look.turns_unseen

    def counted(state: Any, evidence: Any, rolls: Iterable[tuple[int, int]]) -> Any:
        lots.append([*rolls])
        return search(state, evidence, lots[-1])

    monkeypatch.setattr(look, "turns_unseen", counted)
    board = table(eyes=EXACT)
    board.show(START, 1.0)
    players = Players(board, GAME.write(START))
    players.throw(6, 5)
    players.play(GAME.write(after("24/18/13")))
    board.press("w")
    board.show(players.stands)
    unseen = "W:W24x14,13:B12x14,8:O0-0"
    board.hand(players.stands)
    board.throw(2, 1, x=0.7)
    for frame in range(20):
        before = len(lots)
        board.show(unseen, 0.2)
        assert len(lots) <= before + 1, f"frame {frame}"
    assert max(len(lot) for lot in lots) <= 5
    assert sorted(roll for lot in lots for roll in lot) == sorted(ROLLS)
    assert board.state.side == "w"


def test_a_stack_that_has_become_low_is_read_as_it_is_though_it_read_too_high_before(
    players: Players,
) -> None:
    # while it was tall it read as one more than was written, which may be how it looks
    players.play("W:W2,1x11:B13x13:O3-2")
    players.throw(6, 6)
    players.play("B:W1x8:B13x13:O7-2")
    players.throw(5, 4)
    players.play("W:W1x8:B13x11:O7-4")
    players.throw(6, 6)
    players.play("B:W1x4:B13x11:O11-4")
    players.throw(3, 1)
    players.play("W:W1x4:B13x9:O11-6")
    players.throw(6, 5)
    players.play("B:W1x2:B13x9:O13-6")
    players.throw(4, 2, 3)
    assert stood(players.board)[0] == "B:W2,1x11:B13x15:O3-0"
    assert stood(players.board)[-1] == "B:W1x2:B13x9:O13-6"
