"""Every weight file is the one its card describes, and saw nothing that is kept for scoring."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
WEIGHTS = sorted((ROOT / "models" / "weights").glob("*.onnx"))
SHARED = Path(os.environ.get("TORESHI_SHARED", ROOT.parent / "shared"))
LABELS = ("labels_draughts.jsonl", "labels_nardi.jsonl", "labels_dice.jsonl")

#: All networks together, so that a Pi's card and a slow line can carry them.
MOST_BYTES = 20 * 2**20


def card_of(weights: Path) -> dict[str, Any]:
    card: dict[str, Any] = json.loads(weights.with_suffix(".json").read_text())
    return card


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_there_are_weights_and_they_are_small() -> None:
    assert WEIGHTS
    assert sum(path.stat().st_size for path in WEIGHTS) <= MOST_BYTES


@pytest.mark.parametrize("weights", WEIGHTS, ids=lambda p: p.name)
def test_card_describes_this_very_file(weights: Path) -> None:
    card = card_of(weights)
    assert card["sha256"] == sha256(weights)
    assert card["bytes"] == weights.stat().st_size
    assert card["file"] == weights.name


@pytest.mark.parametrize("weights", WEIGHTS, ids=lambda p: p.name)
def test_card_tells_what_a_user_must_know(weights: Path) -> None:
    card = card_of(weights)
    assert card["licence"] == "AGPL-3.0-or-later"
    assert card["remake"]
    assert card["scores"]
    assert card["photographs"] is not None
    assert card["drawn"]


@pytest.mark.parametrize("weights", WEIGHTS, ids=lambda p: p.name)
def test_no_scored_photograph_was_seen(weights: Path) -> None:
    photos = SHARED / "photos"
    if not photos.is_dir():
        pytest.skip("the shared photographs are not here")
    rows = [
        json.loads(line)
        for name in LABELS
        for line in (photos / name).read_text().splitlines()
        if line.strip()
    ]
    scored = {row["file"] for row in rows if row.get("use", "score") == "score"}
    assert len(scored) > 50
    hashes = {sha256(photos / name) for name in scored}
    seen = card_of(weights)["photographs"]
    assert not scored & {row["file"] for row in seen}
    assert not hashes & {row["sha256"] for row in seen}
