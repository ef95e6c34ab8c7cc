"""Counting answers: worked by hand on boards of four squares' worth."""

from __future__ import annotations

import numpy as np
import pytest

from models.evaluate.tally import Tally, Truth, figures, turn_between
from vision.answer import Answer, Status

CORNERS = ((0.0, 0.0), (20.0, 0.0), (20.0, 20.0), (0.0, 20.0))


def truth(grid: tuple[str, ...] = ("w.", ".b"), told: bool = True) -> Truth:
    return Truth("picture", np.array(CORNERS), grid, told)


def said(grid: tuple[str, ...], status: Status = "read", turn: int = 0) -> Answer:
    corners = CORNERS[turn:] + CORNERS[:turn]
    return Answer(status, "", corners, grid, tuple((0.9,) * len(row) for row in grid))  # type: ignore[arg-type]


def counts(answer: Answer, of: Truth | None = None) -> dict[str, int]:
    tally = Tally()
    tally.add(of or truth(), answer)
    keys = ("exact", "wrong", "right", "answered", "squares", "located")
    return {key: tally.counts[key] for key in keys}


def test_a_right_board() -> None:
    assert counts(said(("w.", ".b"))) == {
        "exact": 1, "wrong": 0, "right": 4, "answered": 4, "squares": 4, "located": 1,
    }  # fmt: skip


def test_a_wrong_square_in_a_sure_board_is_the_worst() -> None:
    assert counts(said(("w.", ".w"))) == {
        "exact": 0, "wrong": 1, "right": 3, "answered": 4, "squares": 4, "located": 1,
    }  # fmt: skip


def test_doubt_is_neither() -> None:
    assert counts(said(("w?", ".?"), "unsure")) == {
        "exact": 0, "wrong": 0, "right": 2, "answered": 2, "squares": 4, "located": 1,
    }  # fmt: skip


def test_a_square_nobody_can_tell_must_not_be_answered() -> None:
    assert counts(said(("w.", ".b")), truth(("w.", "?b")))["wrong"] == 1
    assert counts(said(("w.", "?b"), "unsure"), truth(("w.", "?b")))["squares"] == 3


def test_another_first_corner_is_turned_back() -> None:
    """Counted from the top right corner, row 0 runs down the right edge."""
    answer = said((".b", "w."), turn=1)
    assert turn_between(truth(), np.array(answer.corners)) == 3
    assert counts(answer)["exact"] == 1


def test_a_board_elsewhere_is_not_located() -> None:
    moved = Answer("read", "", tuple((x + 5, y) for x, y in CORNERS), ("w.", ".b"), ())  # type: ignore[arg-type]
    assert counts(moved)["wrong"] == 1
    assert counts(moved)["located"] == 0


@pytest.mark.parametrize(("told", "right"), [(True, 2), (False, 4)])
def test_sides_of_like_lightness_may_be_exchanged(told: bool, right: int) -> None:
    assert counts(said(("b.", ".w")), truth(told=told))["right"] == right


def test_kings_are_counted_apart() -> None:
    tally = Tally()
    tally.add(truth(("Ww", ".B")), said(("WW", ".b"), "unsure"))
    shown = figures(tally.counts)
    assert shown["kings found"] == "1/2"
    assert shown["men called kings"] == "1"
