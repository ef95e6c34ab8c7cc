"""The classical way to read dice, which the networks are measured against, and photo scores."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.evaluate.dice_photos import score_photos, told
from models.evaluate.dice_spots import find_classically
from models.train.dice_photos import Photo
from vision.dice import Die

PLACES = [(-1, -1), (1, 1), (0, 0), (-1, 1), (1, -1), (-1, 0), (1, 0)]


def table(*dice: tuple[int, int, int], dark: bool = True, step: int = 11) -> np.ndarray:
    """Square dice at (x, y, pips) on grey, pips ``step`` pixels apart."""
    image = np.full((200, 300, 3), 120, np.uint8)
    body, pip = (235, 25) if dark else (25, 235)
    for x, y, pips in dice:
        half = 2 * step - 2
        image[y - half : y + half, x - half : x + half] = body
        for u, v in PLACES[:pips]:
            cv2.circle(image, (x + step * u, y + step * v), 5, (pip, pip, pip), -1, cv2.LINE_AA)
    return cv2.GaussianBlur(image, (3, 3), 0.8)


@pytest.mark.parametrize("dark", [True, False])
def test_spots_that_lie_together_are_counted_as_one_die(dark: bool) -> None:
    dice = find_classically(table((60, 60, 2), (160, 60, 5), (230, 140, 3), dark=dark))
    seen = sorted((round((d.box[0] + d.box[2]) / 2, -1), d.pips) for d in dice)
    assert seen == [(60, 2), (160, 5), (230, 3)]


def test_more_than_six_spots_are_no_number() -> None:
    (die,) = find_classically(table((100, 100, 7), step=15))
    assert (die.pips, die.status) == (0, "unsure")


def test_photographs_are_scored_by_their_top_faces() -> None:
    faces = ((4, (40.0, 40.0, 60.0, 60.0)), (2, (100.0, 40.0, 120.0, 60.0)))
    photo = Photo("a.jpg", "", np.zeros((9, 9, 3), np.uint8), faces, 0)
    answers = [
        Die(4, 1.0, (35.0, 38.0, 66.0, 75.0), "read"),
        Die(0, 0.6, (95.0, 38.0, 126.0, 75.0), "unsure"),
        Die(6, 1.0, (160.0, 38.0, 190.0, 75.0), "read"),
        Die(0, 0.6, (200.0, 38.0, 230.0, 75.0), "unsure"),
    ]
    counts = score_photos([photo], lambda _: answers)
    assert {k: v for k, v in counts.items() if v} == {
        "dice": 2,
        "right": 1,
        "unread": 1,
        "extra": 1,
    }
    assert told(counts).startswith("real: 2 dice, right 1 = 50.00 %")
