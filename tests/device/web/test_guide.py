"""Setting up a position on the real board: what is missing and what is too much, in every turn."""

import numpy as np
import pytest

from device.web.guide import CONTRADICTED, guide
from rules.draughts.game import DraughtsGame
from vision.fake import FakeEyes
from vision.orient import TURNS_OF
from vision.percept import CLASSES, Percept, quantise

RUSSIAN = DraughtsGame.by_name("russian")
WANTED = RUSSIAN.read("W:Wc3,e3,Kg5:Bd6,f6")


@pytest.mark.parametrize("turns", range(4))
def test_what_is_missing_and_what_is_too_much(turns: int) -> None:
    stands = RUSSIAN.read_board("W:Wc3,g5:Bd6,f6,h8")
    found = guide(FakeEyes(RUSSIAN.board, turns).see(stands), RUSSIAN, WANTED)
    assert found is not None
    assert found.missing == (("e3", "w"),)  # a man counts for the king on g5
    assert found.extra == ("h8",)
    assert found.turns == turns
    assert not found.done


@pytest.mark.parametrize("turns", range(4))
def test_the_position_stands(turns: int) -> None:
    found = guide(FakeEyes(RUSSIAN.board, turns).see(WANTED), RUSSIAN, WANTED)
    assert found is not None
    assert found.done
    assert found.grid[3] == "......W."


def test_a_piece_off_the_playing_squares_is_too_much() -> None:
    percept = FakeEyes(RUSSIAN.board).see(WANTED, stray={(0, 0): "w"})
    found = guide(percept, RUSSIAN, WANTED)
    assert found is not None
    assert found.extra == ("a8",)


def test_a_hand_hinders_and_a_doubt_does_not() -> None:
    hand = FakeEyes(RUSSIAN.board).see(WANTED, covered=[RUSSIAN.square("c3")])
    found = guide(hand, RUSSIAN, WANTED)
    assert found is not None
    assert found.hidden == ("c3",)
    assert not found.done
    for gap, done in ((CONTRADICTED - 0.5, True), (CONTRADICTED + 0.5, False)):
        found = guide(doubting("c3", "w", "b", gap), RUSSIAN, WANTED)
        assert found is not None
        assert found.done == done, gap


def doubting(square: str, should: str, other: str, gap: float) -> Percept:
    """A clear board but for one square, which reads likelier as something else."""
    logs = np.full((8, 8, 5), -12.0)
    for row, line in enumerate(rows()):
        for col, letter in enumerate(line):
            logs[row, col, CLASSES.index(letter)] = 0.0
    row, col = RUSSIAN.board.cell(RUSSIAN.square(square))
    logs[row, col, CLASSES.index(should)] = -gap
    logs[row, col, CLASSES.index(other)] = 0.0
    corners = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    return Percept(0, 0, 8, "found", corners=corners, scores=quantise(logs))


def rows() -> list[str]:
    grid = [["."] * 8 for _ in range(8)]
    for square, piece in WANTED.pieces().items():
        row, col = RUSSIAN.board.cell(square)
        grid[row][col] = piece
    return ["".join(row) for row in grid]


def test_the_edge_at_which_white_sits_may_be_told() -> None:
    percept = FakeEyes(RUSSIAN.board, TURNS_OF["top"]).see(WANTED)
    right, wrong = (guide(percept, RUSSIAN, WANTED, edge) for edge in ("top", "bottom"))
    assert right is not None
    assert wrong is not None
    assert right.done
    assert not wrong.done


def test_no_board_or_one_of_another_size_is_no_guide() -> None:
    lost = Percept(0, 0, 8, "lost", "too dark")
    assert guide(lost, RUSSIAN, WANTED) is None
    big = DraughtsGame.by_name("international")
    assert guide(FakeEyes(RUSSIAN.board).see(WANTED), big, big.start()) is None
