"""Which men are kings: beside each other, beside what is known, and whichever comes first."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from models.train.rank_scenes import RankSet, draw_ranks
from vision.errors import BadWeights
from vision.men import MAN_PX, in_light
from vision.model import SquareModel, Support
from vision.ranks import RankModel

SHIPPED = Path(__file__).parents[2] / "models" / "weights"


@pytest.fixture(scope="module")
def ranks() -> RankModel:
    return RankModel(SHIPPED / "ranks.onnx")


@pytest.fixture(scope="module")
def sets() -> list[RankSet]:
    """Sets that training never saw."""
    return [draw_ranks(seed, "heldout", 2) for seed in range(4)]


def described(ranks: RankModel, whole: RankSet) -> np.ndarray:
    return ranks.describe(in_light(whole.men, whole.light), whole.how)


def kinds_of(whole: RankSet, at: np.ndarray) -> np.ndarray:
    return np.asarray(np.eye(4, dtype=np.float32)[whole.side[at] + 2 * whole.king[at]])


def test_kings_stand_out_of_men(ranks: RankModel, sets: list[RankSet]) -> None:
    """Where the mark can be seen, nearly every king has higher odds than nearly every man."""
    above = []
    for whole in sets:
        made = described(ranks, whole)
        (first,) = np.nonzero(whole.picture == 0)
        for picture in (1, 2):
            (at,) = np.nonzero(whole.picture == picture)
            odds = ranks.log_odds(
                made[at], whole.side[at].astype(np.intp), made[first], kinds_of(whole, first)
            )
            kings, men = odds[whole.king[at] & (whole.show[at] > 0.1)], odds[~whole.king[at]]
            above.append((kings[:, None] > men[None]).ravel())
    pairs = np.concatenate(above)
    assert len(pairs) > 100
    assert pairs.mean() > 0.9


def test_the_order_of_men_is_nothing(ranks: RankModel, sets: list[RankSet]) -> None:
    """Any order of the men asked about, and of the known ones, gives each the same odds."""
    whole = sets[0]
    made = described(ranks, whole)
    (known,) = np.nonzero(whole.picture == 0)
    (at,) = np.nonzero(whole.picture == 1)
    known, order = known[:8], np.random.default_rng(1).permutation(len(at))
    side, kinds = whole.side.astype(np.intp), kinds_of(whole, known)
    first = ranks.log_odds(made[at], side[at], made[known], kinds)
    again = ranks.log_odds(made[at[order]], side[at[order]], made[known[::-1]], kinds[::-1])
    np.testing.assert_allclose(first[order], again, atol=1e-3)


def test_ranks_change_nothing_but_ranks() -> None:
    """Empty, lighter or darker: as the reader of squares has it."""
    model = SquareModel(SHIPPED / "squares.onnx")
    rng = np.random.default_rng(5)
    made = rng.normal(0, 1, (64, model.width)).astype(np.float32)
    light = (np.arange(64) % 2).astype(np.float32)
    known = Support(made[:12], np.eye(6, dtype=np.float32)[np.arange(12) % 4])
    before, after = model.unranked(made, light, known), model.compare(made, light, known)
    np.testing.assert_allclose(after[:, 0], before[:, 0], atol=1e-5)
    for man in (1, 3):
        first, second = (np.logaddexp(s[:, man], s[:, man + 1]) for s in (before, after))
        np.testing.assert_allclose(first, second, atol=1e-4)
    assert np.abs(after - before).max() > 0.1


def test_nobody_is_asked_about_no_men(ranks: RankModel) -> None:
    nothing = np.zeros((0, ranks.width), np.float32)
    told = ranks.log_odds(nothing, np.zeros(0, np.intp), nothing, np.zeros((0, 4), np.float32))
    assert told.shape == (0,)


def test_cuts_of_another_size_are_refused(tmp_path: Path) -> None:
    for name in ("ranks.onnx", "ranks.json"):
        shutil.copy(SHIPPED / name, tmp_path)
    path = tmp_path / "ranks.json"
    card = json.loads(path.read_text())
    path.write_text(json.dumps({**card, "input": {**card["input"], "man_px": MAN_PX // 2}}))
    with pytest.raises(BadWeights, match="input"):
        RankModel(tmp_path / "ranks.onnx")


def test_a_reader_of_squares_may_tell_ranks_by_itself(tmp_path: Path) -> None:
    """Its card names the other network, or none: a runner-up needs no second file."""
    for name in ("squares.onnx", "squares.json"):
        shutil.copy(SHIPPED / name, tmp_path)
    with pytest.raises(BadWeights, match="ranks"):
        SquareModel(tmp_path / "squares.onnx")
    path = tmp_path / "squares.json"
    card = json.loads(path.read_text())
    del card["ranks"]
    path.write_text(json.dumps(card))
    alone, both = SquareModel(tmp_path / "squares.onnx"), SquareModel(SHIPPED / "squares.onnx")
    assert both.ranks is not None
    assert alone.ranks is None
    assert both.width == alone.width + both.ranks.width
    assert both.sha256 != alone.sha256
