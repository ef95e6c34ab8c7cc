"""Cameras that come and go, with a clock that the test holds."""

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from device.errors import BadSource
from device.source_patient import ENOUGH_S, RETRY_S, Patient
from vision.errors import BadPicture
from vision.frame import Frame

GOOD, BAD = "good", "bad"


class Scripted:
    """A camera that gives what a script says, a second each."""

    settled, count = False, 0

    def __init__(self, script: list[str], clock: list[float]) -> None:
        self.script, self.clock, self.closed = script, clock, False

    def frames(self) -> Iterator[Frame | BadPicture]:
        for number, kind in enumerate(self.script):
            self.clock[0] += 1
            if kind == GOOD:
                yield Frame(np.zeros((2, 2, 3), np.uint8), number, 0)
            else:
                yield BadPicture("the picture stands still", "usb:0", "a running camera")

    def close(self) -> None:
        self.closed = True


class Locking(Scripted):
    """One that can keep its exposure."""

    def lock(self) -> dict[str, Any]:
        return {"ExposureTime": 8000}


class Desk:
    """Opens one camera after the other; None where it isn't plugged in."""

    def __init__(self, *scripts: list[str] | None, kind: type[Scripted] = Scripted) -> None:
        self.scripts = iter(scripts)
        self.clock = [0.0]
        self.slept: list[float] = []
        self.made: list[Scripted] = []
        self.locked: list[Any] = []
        self.kind = kind

    def open(self, locked: Any) -> Scripted:
        self.locked.append(locked)
        script = next(self.scripts, None)
        if script is None:
            raise BadSource("no picture", "usb:0", "a camera that gives pictures")
        self.made.append(self.kind(script, self.clock))
        return self.made[-1]

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.clock[0] += seconds

    def patient(self, memory: Path | None = None) -> Patient:
        return Patient(self.open, memory, now_s=lambda: self.clock[0], sleep=self.sleep)


def taken(patient: Patient, count: int) -> list[str]:
    frames = itertools.islice(patient.frames(), count)
    return [str(f.number) if isinstance(f, Frame) else f.what for f in frames]


def test_a_camera_that_is_not_there_is_said_and_found_when_it_is() -> None:
    desk = Desk(None, None, [GOOD] * 3)
    assert taken(desk.patient(), 5) == ["no picture", "no picture", "0", "1", "2"]
    assert desk.slept == [RETRY_S, RETRY_S]


def test_beginning_with_a_camera_that_is_not_there_is_an_error() -> None:
    with pytest.raises(BadSource, match="usb:0: no picture"):
        Desk(None).patient().begin()


def test_a_camera_that_ends_is_opened_again_and_frames_are_numbered_on() -> None:
    desk = Desk([GOOD] * 2, None, [GOOD] * 2)
    said = taken(desk.patient(), 6)
    assert said == ["0", "1", "the camera has stopped", "no picture", "2", "3"]
    assert desk.made[0].closed


def test_a_camera_that_gives_only_errors_for_long_is_opened_again() -> None:
    desk = Desk([GOOD, *[BAD] * 20], [GOOD] * 2)
    still = "the picture stands still"
    assert taken(desk.patient(), 1 + int(ENOUGH_S) + 2) == ["0", *[still] * int(ENOUGH_S), "1", "2"]
    assert desk.made[0].closed


def test_errors_have_the_time_at_which_no_picture_came() -> None:
    desk = Desk([GOOD, BAD], None, [GOOD])
    given = itertools.islice(desk.patient().frames(), 4)
    times = [each.at_ns / 1e9 for each in given if isinstance(each, BadPicture)]
    assert times == [2.0, 2.0, 2.0 + RETRY_S], "torn, stopped, not there"


def test_a_short_trouble_does_not_open_it_again() -> None:
    desk = Desk([GOOD, BAD, BAD, GOOD, *[BAD] * 4, GOOD])
    said = taken(desk.patient(), 9)
    assert [s for s in said if s.isdigit()] == ["0", "1", "2"]
    assert len(desk.made) == 1


def test_what_was_locked_stays_locked_in_the_next_camera(tmp_path: Path) -> None:
    memory = tmp_path / "camera.json"
    desk = Desk([GOOD], [GOOD], kind=Locking)
    patient = desk.patient(memory)
    frames = patient.frames()
    next(frames)
    patient.lock()
    assert [getattr(f, "number", None) for f in itertools.islice(frames, 2)] == [None, 1]
    assert desk.locked == [None, {"ExposureTime": 8000}]
    again = Desk([GOOD], kind=Locking)
    taken(again.patient(memory), 1)
    assert again.locked == [{"ExposureTime": 8000}], "after a restart, too"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"v": 9, "kept": {}}', '{"v": 1}'])
def test_a_memory_that_can_not_be_used_is_forgotten(tmp_path: Path, text: str) -> None:
    memory = tmp_path / "camera.json"
    memory.write_text(text)
    desk = Desk([GOOD])
    taken(desk.patient(memory), 1)
    assert desk.locked == [None]


def test_the_memory_is_written_whole(tmp_path: Path) -> None:
    memory = tmp_path / "camera.json"
    patient = Desk([GOOD], kind=Locking).patient(memory)
    patient.begin()
    patient.lock()
    assert json.loads(memory.read_text()) == {"v": 1, "kept": {"ExposureTime": 8000}}
    assert [path.name for path in tmp_path.iterdir()] == ["camera.json"]


def test_a_camera_that_is_not_to_be_locked_is_not(tmp_path: Path) -> None:
    desk = Desk([GOOD], kind=Locking)
    patient = Patient(desk.open, tmp_path / "camera.json", locks=False)
    patient.begin()
    patient.lock()
    assert list(tmp_path.iterdir()) == []


def test_a_camera_that_can_not_lock_is_left_alone(tmp_path: Path) -> None:
    patient = Desk([GOOD]).patient(tmp_path / "camera.json")
    patient.begin()
    patient.lock()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("when", [0, 1, 3])
def test_closing_ends_it_at_any_time(when: int) -> None:
    desk = Desk([GOOD, GOOD], None, [GOOD])
    patient = desk.patient()
    frames = patient.frames()
    for _ in range(when):
        next(frames)
    patient.close()
    assert list(frames) == []
