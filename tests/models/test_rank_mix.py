"""How much each network's word counts for a king."""

from __future__ import annotations

import numpy as np

from models.train.rank_mix import fit
from vision.answer import FITTED


def test_the_one_that_knows_counts_and_the_other_does_not() -> None:
    """Log-odds that are honest keep their size; ones that say nothing are dropped."""
    rng = np.random.default_rng(2)
    king = rng.random(60_000) < 0.4
    # two bells at -1.5 and 1.5 of width 1: the honest log-odds of a place is 3 times it
    place = np.where(king, 1.5, -1.5) + rng.normal(0, 1, len(king))
    noise = rng.normal(0, 2, len(king))
    first, second, bias = fit(np.column_stack([3 * place, noise]), king)
    assert abs(first - 1) < 0.05
    assert abs(second) < 0.05
    assert abs(bias - np.log(FITTED / (1 - FITTED))) < 0.1


def test_two_that_know_something_else_add_up() -> None:
    """Both count when they err on other men."""
    rng = np.random.default_rng(3)
    king = rng.random(60_000) < 0.3
    odds = 2 * (np.where(king, 1.0, -1.0)[:, None] + rng.normal(0, 1, (len(king), 2)))
    first, second, _ = fit(odds, king)
    assert abs(first - 1) < 0.07
    assert abs(second - 1) < 0.07
