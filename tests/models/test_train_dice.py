"""What the networks of dice learn from: boxes, crops, and marks that stay on their pips."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.train.dice_data import COCKED, NONE, Spot, show, spots_of, write_boxes
from models.train.dice_photos import folds, photo_spots, photos_of
from vision.dice_crops import CROP_PX
from vision.dice_model import DiceModel, Floats

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


def test_the_reader_is_shown_dice_as_they_are_found_and_wrong_finds_as_none() -> None:
    found = [[(42.0, 81.0, 75.0, 114.0), (200.0, 200.0, 230.0, 232.0)]]
    spots = [s for k in range(40) for s in spots_of([ROW], 320, np.random.default_rng(k), found)]
    dice = [s.box for s in spots if s.label == 2]
    assert set(dice) == {found[0][0], (40, 80, 72, 112)}
    assert dice.count(found[0][0]) > len(dice) / 2
    assert sum(s.label == NONE and s.box == found[0][1] for s in spots) == 40


def test_a_leaning_die_is_a_kind_of_its_own_and_a_hidden_one_is_not() -> None:
    for cocked, label in ((True, COCKED), (False, 0)):
        die = {"pips": 0, "box": [40, 80, 72, 112], "edge": 30, "marks": [], "cocked": cocked}
        spots = spots_of([{**ROW, "dice": [die]}], 320, np.random.default_rng(0))
        assert [s.label for s in spots if s.label != NONE] == [label]


class OneFind(DiceModel):
    """Networks that find a die and something else at their first look."""

    def __init__(self) -> None:
        self.looks = 0

    def find(self, picture: Floats) -> tuple[Floats, Floats]:
        self.looks += 1
        boxes = np.array([[30, 30, 60, 62], [100, 100, 130, 130]], np.float32)
        return boxes, np.array([0.9, 0.8] if self.looks == 1 else [0.0, 0.0], np.float32)


def photographs(root: Path) -> None:
    """Two series of photographs, one of which is kept for scoring."""
    rows = [{"file": f"six_{k}.png", "use": "train"} for k in (10, 9, 2, 1)]
    rows += [{"file": "kept.png", "use": "score"}, {"file": "untold.png"}]
    for row in rows:
        cv2.imwrite(str(root / row["file"]), np.full((200, 200, 3), 90, np.uint8))
    dice = [{"pips": 6, "box": [55, 52, 95, 80]}]
    lines = [json.dumps(row | {"dice": dice}) for row in rows]
    (root / "labels_dice.jsonl").write_text("\n".join(lines))


def test_only_photographs_marked_for_training_are_read(tmp_path: Path) -> None:
    photographs(tmp_path)
    photos = photos_of(tmp_path)
    assert [p.file for p in photos] == ["six_1.png", "six_2.png", "six_9.png", "six_10.png"]
    assert [p.fold for p in photos] == [0, 0, 1, 1]
    assert photos[0].dice == ((6, (55.0, 52.0, 95.0, 80.0)),)


def test_each_series_gives_its_first_half_to_one_fold_and_its_second_to_the_other() -> None:
    names = ["a_1", "a_2", "a_3", "b_1", "b_2"]
    assert folds([{"file": f"{name}.jpg"} for name in names]) == [0, 0, 1, 0, 1]


def test_a_photographed_die_is_shown_in_the_box_that_was_found_around_its_face(
    tmp_path: Path,
) -> None:
    photographs(tmp_path)
    (photo, *_) = photos_of(tmp_path)
    die, other = photo_spots([photo], OneFind(), 7)
    assert (die.picture, die.label, die.mapped) == (7, 6, False)
    assert np.allclose(die.box, np.array([30, 30, 60, 62]) / 0.6)
    assert other.label == NONE
