"""When a board counts as read, and when not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.answer import SURE_ALONE, SURE_CALIBRATED, answer, log_odds
from vision.percept import CLASSES, Percept, quantise

CORNERS = ((0.0, 0.0), (80.0, 0.0), (80.0, 80.0), (0.0, 80.0))
START = [
    ".b.b.b.b", "b.b.b.b.", ".b.b.b.b", "........", "........", "w.w.w.w.", ".w.w.w.w", "w.w.w.w.",
]  # fmt: skip


def percept(
    grid: list[str],
    odds: float = 9.0,
    doubt: dict[int, float] | None = None,
    covered: tuple[int, ...] = (),
) -> Percept:
    """Eyes that see ``grid``, each square with these log-odds against all else."""
    n = len(grid)
    scores = np.zeros((n * n, 5))
    for i, letter in enumerate("".join(grid)):
        mine = (doubt or {}).get(i, odds)
        p = 1 / (1 + np.exp(-mine))
        scores[i] = np.log((1 - p) / 4)
        scores[i, CLASSES.index(letter)] = np.log(p)
    return Percept(0, 0, n, "found", "", CORNERS, covered, quantise(scores.reshape(n, n, 5)), 0.0)


def test_a_sure_board_is_read() -> None:
    said = answer(percept(START), calibrated=True)
    assert said.status == "read"
    assert said.grid == tuple(START)
    assert said.corners == CORNERS
    assert min(min(row) for row in said.confidence) > 0.99


def test_log_odds_are_against_all_other_classes_together() -> None:
    p = np.array([[0.5, 0.2, 0.1, 0.1, 0.1]])
    odds, best = log_odds(np.log(p))
    assert odds[0] == pytest.approx(0.0, abs=1e-9)
    assert best[0] == 0


@pytest.mark.parametrize("calibrated", [True, False])
def test_one_doubtful_square_is_enough(calibrated: bool) -> None:
    sure = SURE_CALIBRATED if calibrated else SURE_ALONE
    assert answer(percept(START, doubt={9: sure + 0.3}), calibrated).status == "read"
    said = answer(percept(START, doubt={9: sure - 0.6}), calibrated)
    assert said.status == "unsure"
    assert said.grid[1] == "b?b.b.b."
    assert said.reason == "1 square can't be told"


def test_many_small_doubts_are_a_doubt() -> None:
    """Each square would be answered, but some of them are wrong by all likelihood."""
    assert answer(percept(START, odds=6.5), True).status == "read"
    said = answer(percept(START, odds=4.0), True)
    assert said.status == "unsure"
    assert said.reason.endswith("squares may be wrong")
    assert said.grid == tuple(START)


@pytest.mark.parametrize(("king", "told"), [(0.005, "w"), (0.02, "?"), (0.2, "?"), (0.6, "W")])
def test_near_the_end_a_doubtful_mark_is_a_kings(king: float, told: str) -> None:
    """A board of two pieces: kings are usual there, and nearly never on a full one."""
    seen = percept([".b......", *["........"] * 6, "w......."])
    scores = seen.log_probabilities().copy()
    scores[7, 0] = np.log([1e-4, (1 - king), king, 1e-4, 1e-4])
    said = answer(replace(seen, scores=quantise(scores)), True)
    assert said.grid[7][0] == told


@pytest.mark.parametrize(
    ("king", "told"), [(0.02, "w"), (0.5, "w"), (0.8, "?"), (0.98, "?"), (0.997, "W")]
)
def test_the_rank_of_a_piece_is_a_question_of_its_own(king: float, told: str) -> None:
    """A doubtful crown makes the side no less sure, and a sure side no crown."""
    seen = percept(START)
    scores = seen.log_probabilities().copy()
    scores[7, 0] = np.log([1e-4, (1 - king), king, 1e-4, 1e-4])
    said = answer(replace(seen, scores=quantise(scores)), True)
    assert said.grid[7][0] == told
    assert said.status == ("unsure" if told == "?" else "read")


def test_alone_needs_to_be_surer() -> None:
    assert SURE_ALONE > SURE_CALIBRATED


def test_a_hidden_square_is_never_answered() -> None:
    said = answer(percept(START, covered=(0, 1, 8)), True)
    assert said.status == "covered"
    assert said.grid[0].startswith("??.b")
    assert said.grid[1].startswith("?.b")


def test_one_hidden_square_is_a_doubt() -> None:
    assert answer(percept(START, covered=(30,)), True).status == "unsure"


@pytest.mark.parametrize("piece", ["w", "B"])
def test_more_men_than_a_side_has_are_not_believed(piece: str) -> None:
    grid = list(START)
    grid[3] = "." * 2 + piece + "." * 5
    said = answer(percept(grid), True)
    assert said.status == "unsure"
    assert "13" in said.reason


def test_a_lost_board_says_why() -> None:
    said = answer(Percept(0, 0, 8, "lost", "too dark"), True)
    assert (said.status, said.reason) == ("not-found", "too dark")
    assert said.grid == ()
