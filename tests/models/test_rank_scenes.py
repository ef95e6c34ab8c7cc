"""Men cut out of drawn scenes: each with the label of what stands there."""

from __future__ import annotations

import numpy as np
import pytest

from models.train.rank_scenes import crowned, draw_ranks


@pytest.mark.parametrize("seed", [0, 5, 11])
def test_each_cut_holds_the_man_it_tells_of(seed: int) -> None:
    """Cut for cut the lighter side's men are the lighter ones, in every picture of the set."""
    whole = draw_ranks(seed, "train", 2)
    middle = whole.men[:, 24:40, 24:40].mean(axis=3)
    bright = np.median(middle, axis=(1, 2)) / whole.light.mean(axis=1)
    for picture in np.unique(whole.picture):
        of = whole.picture == picture
        light, dark = bright[of & (whole.side == 0)], bright[of & (whole.side == 1)]
        if len(light) > 3 and len(dark) > 3:
            assert (light[:, None] > dark[None]).mean() > 0.75


def test_the_first_position_has_no_kings_and_later_ones_have_some() -> None:
    """What is known is known to be men."""
    king = []
    for seed in range(3):
        whole = draw_ranks(seed, "validation", 2)
        first = whole.picture == 0
        assert first.sum() >= 20
        assert not whole.king[first].any()
        king.append(whole.king[~first])
    assert 0.05 < np.concatenate(king).mean() < 0.9


def test_crowning_moves_nobody() -> None:
    """Only ranks change: every square keeps its side."""
    rng = np.random.default_rng(3)
    grid = tuple("." * 8 for _ in range(3)) + ("wb.WB..w",) * 2 + tuple("." * 8 for _ in range(3))
    shares = []
    for _ in range(40):
        after = crowned(rng, grid)
        assert [row.lower() for row in after] == [row.lower() for row in grid]
        shares.append(np.mean([c.isupper() for row in after for c in row if c != "."]))
    assert min(shares) < 0.2
    assert max(shares) > 0.6
