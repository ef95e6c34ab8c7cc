"""A camera that is pulled out in the middle of an evening: lamps and listeners are told in time."""

from pathlib import Path
from typing import Any

import pytest

from device.app import Watch
from device.session_values import Setup
from device.signals import NoSignaller, Side, Signal
from vision.errors import BadPicture
from vision.frame import Frame
from vision.percept import Percept

SECOND = 1_000_000_000


class NoEyes:
    def see(self, frame: Frame) -> Percept:
        raise AssertionError("no frames here")

    def learn(self, grid: tuple[str, ...]) -> None:
        pass


class Lamps(NoSignaller):
    def __init__(self) -> None:
        self.shown: list[Signal] = []

    def show(self, signal: Signal, side: Side | None = None) -> None:
        self.shown.append(signal)


def gone(second: float) -> BadPicture:
    error = BadPicture("no picture", "usb:0", "a camera that gives pictures")
    error.at_ns = round(second * SECOND)
    return error


@pytest.mark.parametrize("game", ["russian", "nardi"])
def test_a_camera_without_pictures_is_said_by_the_lamps_and_once(tmp_path: Path, game: str) -> None:
    lamps, told = Lamps(), list[Any]()
    watch = Watch(Setup(game), NoEyes(), lamps, tmp_path / "game", told.append, {}, {})
    watch.look(gone(100))
    assert lamps.shown == [], "a picture that is torn is nothing to speak of"
    for second in range(101, 130):
        watch.look(gone(second))
    watch.close()
    assert lamps.shown == [Signal.CANNOT_SEE]
    (lost,) = [event for event in told if event["event"] == "board-lost"]
    assert "usb:0: no picture" in lost["reason"]
