"""Counting answers about dice."""

from __future__ import annotations

import numpy as np
import pytest

from models.evaluate.dice import Tally, paired, score, wilson
from models.synth.dice import DicePicture, Truth
from vision.dice import Die


def die(pips: int, x: float, size: float = 20.0) -> Die:
    return Die(pips, 0.99, (x, 50.0, x + size, 50.0 + size), "read" if pips else "unsure")


def truth(pips: int, x: float, size: float = 20.0) -> Truth:
    return Truth(pips, (x, 50.0, x + size, 50.0 + size), size)


# R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3 (score, no correction)
@pytest.mark.parametrize(
    ("part", "whole", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_interval_is_wilsons(part: int, whole: int, low: float, high: float) -> None:
    assert wilson(part, whole) == pytest.approx((low, high), abs=5e-5)


def test_each_answer_goes_with_one_die_the_nearest_first() -> None:
    truths = [truth(3, 10), truth(4, 26)]
    assert paired(truths, [die(4, 27), die(3, 12)]) == {0: 1, 1: 0}
    assert paired(truths, [die(3, 12)]) == {0: 0}
    assert paired(truths, [die(3, 200)]) == {}


def test_a_number_for_an_unreadable_die_is_wrong() -> None:
    tally = Tally()
    tally.add(truth(0, 10), die(3, 10))
    tally.add(truth(0, 10), die(0, 10))
    tally.add(truth(0, 10), None)
    assert dict(tally.counts) == {"unreadable": 3, "WRONG": 1}


def test_right_unread_missed_wrong_and_extra() -> None:
    told = [die(2, 100), die(0, 150), die(5, 200), die(6, 400), die(0, 500)]
    truths = (truth(2, 100), truth(3, 150), truth(4, 200), truth(1, 300))
    picture = DicePicture(np.zeros((640, 640, 3), np.uint8), truths, 5.0)
    counts = score([picture], lambda _: told)["all"].counts
    assert {k: v for k, v in counts.items() if v} == {
        "dice": 4, "right": 1, "unread": 1, "WRONG": 1, "missed": 1, "extra": 1,
    }  # fmt: skip
