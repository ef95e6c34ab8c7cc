"""A second look at dice in the camera's full resolution: when it is taken, and what it may say."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from device.nardi.close_up import EVERY_S, CloseUp, taker
from vision.dice import Die

FRAME = np.zeros((400, 600, 3), np.uint8)
REGION = (50, 50, 550, 350)


def die(pips: int, x: float, y: float = 200, edge: float = 12) -> Die:
    box = (x, y, x + edge, y + edge)
    return Die(pips, 0.97 if pips else 0.5, box, "read" if pips else "unsure")


class Desk:
    """A camera whose frames are half as large as its sensor, and what is seen in each."""

    def __init__(self, stream: list[Die], near: list[int] | None) -> None:
        self.stream, self.near = stream, near
        self.boxes: list[Any] = []
        self.now_s = 100.0
        self.looks = CloseUp(self.find, self.take, lambda: self.now_s)

    def find(self, image: Any, region: Any, edge: float) -> Sequence[Die]:
        if image is FRAME:
            return self.stream
        assert edge == pytest.approx(24), "dice are twice as large in it"
        x, y = self.boxes[-1][:2]
        places = [(2 * (each.box[0] - x), 2 * (each.box[1] - y)) for each in self.stream]
        return [die(pips, *at, 24) for pips, at in zip(self.near or [], places, strict=True)]

    def take(self, box: Any) -> Any:
        self.boxes.append(box)
        if self.near is None:
            return None
        return np.zeros((2 * (box[3] - box[1]), 2 * (box[2] - box[0]), 3), np.uint8)

    def see(self) -> list[int]:
        self.now_s += 1
        return [each.pips for each in self.looks(FRAME, REGION, 12)]


def test_what_the_stream_can_not_read_is_read_once_it_lies_still() -> None:
    desk = Desk([die(5, 200), die(0, 240)], [5, 3])
    assert desk.see() == [5, 0], "it may roll still"
    assert [desk.see() for _ in range(5)] == [[5, 3]] * 5
    assert len(desk.boxes) == 1, "one close-up for one throw"
    x0, y0, x1, y1 = desk.boxes[0]
    assert max(x0, y0) <= 200
    assert x1 >= 252
    assert y1 >= 212


def test_dice_that_are_read_cost_no_close_up() -> None:
    desk = Desk([die(5, 200), die(2, 240)], [6, 6])
    assert [desk.see() for _ in range(5)] == [[5, 2]] * 5
    assert desk.boxes == []


def test_two_looks_that_differ_are_no_answer() -> None:
    desk = Desk([die(5, 200), die(0, 240)], [6, 3])
    desk.see()
    assert desk.see() == [0, 3]


def test_another_throw_is_looked_at_anew_and_not_too_often() -> None:
    desk = Desk([die(0, 200), die(0, 240)], [1, 2])
    desk.see()
    assert desk.see() == [1, 2]
    desk.stream, desk.near = [die(0, 300), die(0, 340)], [3, 4]
    assert desk.see() == [0, 0], "what was read belongs to the dice that lay there"
    said = [desk.see() for _ in range(int(EVERY_S))]
    assert said[0] == [0, 0], "the stream stood still just now"
    assert said[-1] == [3, 4]
    assert len(desk.boxes) == 2


def test_a_camera_without_close_ups_is_asked_once_and_changes_nothing() -> None:
    desk = Desk([die(0, 200)], None)
    assert [desk.see() for _ in range(5)] == [[0]] * 5
    assert len(desk.boxes) == 1
    assert taker(lambda: None)((0, 0, 1, 1)) is None
    assert taker(lambda: object())((0, 0, 1, 1)) is None
