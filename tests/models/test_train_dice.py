"""What the networks of dice learn from: boxes, crops, and marks that stay on their pips."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.train.dice_data import NONE, Spot, show, spots_of, write_boxes
from vision.dice_crops import CROP_PX

ROW = {
    "file": "a.jpg",
    "tilt": 5.0,
    "dice": [{"pips": 2, "box": [40, 80, 72, 112], "edge": 30, "marks": [[48, 88], [64, 104]]}],
}


@pytest.mark.parametrize("seed", range(12))
def test_marks_stay_on_their_pips_however_the_crop_is_turned(seed: int) -> None:
    image = np.full((320, 320, 3), 40, np.uint8)
    for x, y in ((48, 88), (64, 104)):
        cv2.circle(image, (x, y), 3, (250, 250, 250), -1)
    spot = Spot(0, (40, 80, 72, 112), 2, np.pi, ((48, 88), (64, 104)))
    crop, marks = show(image, spot, np.random.default_rng(seed))
    assert crop.shape == (CROP_PX, CROP_PX, 3)
    assert len(marks) == 2
    grey = crop.mean(-1)
    for x, y in marks:
        assert grey[round(y), round(x)] > grey.mean() + 30


def test_the_die_stays_near_the_middle_of_the_crop() -> None:
    spot = Spot(0, (40, 80, 72, 112), 2, np.pi, ((56, 96),))
    image = np.zeros((320, 320, 3), np.uint8)
    ways = [show(image, spot, np.random.default_rng(k))[1][0] for k in range(60)]
    away = np.linalg.norm(np.array(ways) - CROP_PX / 2, axis=1)
    assert away.max() < 10
    assert away.mean() > 0.5


def test_crops_without_a_die_keep_off_the_middle_of_dice() -> None:
    spots = [s for k in range(60) for s in spots_of([ROW], 320, np.random.default_rng(k))]
    none = [s for s in spots if s.label == NONE]
    assert len(none) > 20
    for spot in none:
        middle = np.array([spot.box[0] + spot.box[2], spot.box[1] + spot.box[3]]) / 2
        assert np.linalg.norm(middle - (56, 96)) > 0.45 * 32


def test_what_is_seen_from_the_side_is_hardly_turned() -> None:
    (above, *_), (side, *_) = (
        spots_of([{**ROW, "tilt": tilt}], 320, np.random.default_rng(0)) for tilt in (5.0, 40.0)
    )
    assert above.turn == pytest.approx(np.pi)
    assert side.turn < 0.5


def test_boxes_are_written_in_shares_of_the_picture(tmp_path: Path) -> None:
    folder = tmp_path / "train_1"
    folder.mkdir()
    (folder / "labels.jsonl").write_text(json.dumps(ROW) + "\n")
    (folder / "a.jpg").write_bytes(b"")
    assert write_boxes([folder], tmp_path / "out", 320) == 1
    told = (tmp_path / "out" / "labels" / "train_1_a.txt").read_text()
    assert told == "0 0.175000 0.300000 0.100000 0.100000"
    assert (tmp_path / "out" / "images" / "train_1_a.jpg").is_symlink()
