"""The network's file: only the one its card describes is run, and it answers as it should."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from vision.crops import CHANNELS, SQUARE_PX
from vision.errors import BadWeights
from vision.model import KINDS, SquareModel, Support, nothing_known

SHIPPED = Path(__file__).parents[2] / "models" / "weights" / "squares.onnx"


@pytest.fixture(scope="module")
def model() -> SquareModel:
    return SquareModel(SHIPPED)


def copy_to(folder: Path) -> Path:
    for name in ("squares", "ranks"):
        for suffix in (".onnx", ".json"):
            shutil.copy(SHIPPED.with_name(name + suffix), folder)
    return folder / SHIPPED.name


def changed_card(folder: Path, **fields: object) -> Path:
    path = copy_to(folder)
    card = json.loads(path.with_suffix(".json").read_text())
    path.with_suffix(".json").write_text(json.dumps({**card, **fields}))
    return path


def test_refuses_missing_files(tmp_path: Path) -> None:
    with pytest.raises(BadWeights, match="can't be read"):
        SquareModel(tmp_path / "none.onnx")
    path = copy_to(tmp_path)
    path.with_suffix(".json").unlink()
    with pytest.raises(BadWeights, match=r"squares\.json.*can't be read"):
        SquareModel(path)


def test_refuses_a_file_that_its_card_does_not_describe(tmp_path: Path) -> None:
    path = copy_to(tmp_path)
    path.write_bytes(path.read_bytes() + b"x")
    with pytest.raises(BadWeights, match=r"hash .* expected .* as its card says"):
        SquareModel(path)


def test_refuses_a_card_that_is_none(tmp_path: Path) -> None:
    path = copy_to(tmp_path)
    path.with_suffix(".json").write_text("[]")
    with pytest.raises(BadWeights, match="not a card"):
        SquareModel(path)


@pytest.mark.parametrize(
    ("field", "value"), [("classes", "wb."), ("kinds", 3), ("input", {"channels": 5})]
)
def test_refuses_a_network_made_for_something_else(
    tmp_path: Path, field: str, value: object
) -> None:
    with pytest.raises(BadWeights, match=field):
        SquareModel(changed_card(tmp_path, **{field: value}))


def test_refuses_what_is_no_network(tmp_path: Path) -> None:
    path = copy_to(tmp_path)
    path.write_bytes(b"hello")
    card = json.loads(path.with_suffix(".json").read_text())
    digest = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"  # of hello
    path.with_suffix(".json").write_text(json.dumps({**card, "sha256": digest}))
    with pytest.raises(BadWeights, match="not a network"):
        SquareModel(path)


@pytest.mark.parametrize("size", [8, 10])
def test_describes_every_square_by_what_lies_around_it(model: SquareModel, size: int) -> None:
    rng = np.random.default_rng(1)
    side = (size + 1) * SQUARE_PX
    pixels = rng.normal(0, 0.5, (CHANNELS, side, side)).astype(np.float32)
    lean = np.full((size * size, 2), 0.1, np.float32)
    made, covered = model.describe(pixels, lean)
    assert model.ranks is not None
    assert made.shape == (size * size, model.width - model.ranks.width)
    assert covered.shape == (size * size,)
    pixels[:, : 2 * SQUARE_PX, : 2 * SQUARE_PX] = 0  # the first square and half of its neighbours
    moved = np.abs(model.describe(pixels, lean)[0] - made).max(axis=1)
    assert moved[0] == moved.max()
    assert moved[-1] < moved[0] / 100


def test_scores_are_log_probabilities(model: SquareModel) -> None:
    rng = np.random.default_rng(2)
    made = rng.normal(0, 1, (64, model.width)).astype(np.float32)
    scores = model.compare(made, np.ones(64, np.float32), nothing_known(model.width))
    assert scores.shape == (64, 5)
    np.testing.assert_allclose(np.exp(scores).sum(axis=1), 1, atol=1e-4)


def test_support_squares_count_by_their_kind_not_their_place(model: SquareModel) -> None:
    rng = np.random.default_rng(3)
    made = rng.normal(0, 1, (20, model.width)).astype(np.float32)
    light = (np.arange(20) % 2).astype(np.float32)
    known = rng.normal(0, 1, (12, model.width)).astype(np.float32)
    weights = np.eye(KINDS, dtype=np.float32)[np.arange(12) % KINDS]
    order = rng.permutation(12)
    first = model.compare(made, light, Support(known, weights))
    second = model.compare(made, light, Support(known[order], weights[order]))
    np.testing.assert_allclose(first, second, atol=1e-3)
    unlike = model.compare(made, light, Support(known, weights[order]))
    assert np.abs(first - unlike).max() > 0.01


def test_a_support_square_of_no_kind_changes_nothing(model: SquareModel) -> None:
    rng = np.random.default_rng(4)
    made = rng.normal(0, 1, (8, model.width)).astype(np.float32)
    light = np.ones(8, np.float32)
    known = rng.normal(0, 1, (KINDS, model.width)).astype(np.float32)
    weights = np.eye(KINDS, dtype=np.float32)
    more = Support(
        np.concatenate([known, made]), np.concatenate([weights, np.zeros((8, KINDS), np.float32)])
    )
    np.testing.assert_allclose(
        model.compare(made, light, Support(known, weights)),
        model.compare(made, light, more),
        atol=1e-4,
    )
