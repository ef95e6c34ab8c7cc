"""The simulated camera keeps the recording's time, and goes on with its last picture."""

from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest

from device.source_simulated import Simulated
from vision.errors import BadPicture
from vision.frame import Frame

SECOND = 1_000_000_000


class Recording:
    """Four frames, half a second apart; the third can't be read."""

    settled = False
    count = 4
    closed = False

    def frames(self) -> Iterator[Frame | BadPicture]:
        for number in range(4):
            if number == 2:
                yield BadPicture("torn", "frame 2", "a picture")
            else:
                yield Frame(np.full((2, 2, 3), number, np.uint8), number, number * SECOND // 2)

    def close(self) -> None:
        self.closed = True


class Time:
    def __init__(self) -> None:
        self.now = 100.0

    def sleep(self, seconds: float) -> None:
        assert seconds > 0
        self.now += seconds


@pytest.mark.parametrize(("speed", "ends"), [(1.0, 101.5), (5.0, 100.3)])
def test_each_frame_comes_in_its_time_and_none_is_left_out(speed: float, ends: float) -> None:
    time = Time()
    camera = Simulated(Recording(), speed, lambda: time.now, time.sleep, hold=False)
    given = list(camera.frames())
    assert [type(one).__name__ for one in given] == ["Frame", "Frame", "BadPicture", "Frame"]
    assert time.now == pytest.approx(ends)


def test_a_slow_looker_gets_every_frame_late() -> None:
    time = Time()
    seen = []
    for given in Simulated(Recording(), 1.0, lambda: time.now, time.sleep, hold=False).frames():
        seen.append(given)
        time.now += 2.0
    assert len(seen) == 4
    assert time.now == pytest.approx(108.0)


def test_the_last_picture_goes_on_with_new_numbers_and_times() -> None:
    time = Time()
    camera = Simulated(Recording(), 2.0, lambda: time.now, time.sleep)
    *_, last, held, again = islice(camera.frames(), 6)
    frames = [one for one in (last, held, again) if isinstance(one, Frame)]
    assert [frame.number for frame in frames] == [3, 4, 5]
    assert [frame.at_ns for frame in frames] == [3 * SECOND // 2, 5 * SECOND // 2, 7 * SECOND // 2]
    assert all((frame.image == 3).all() for frame in frames)
    assert time.now == pytest.approx(100 + 0.75 + 0.5 + 0.5)


def test_closing_closes_the_recording() -> None:
    recording = Recording()
    Simulated(recording).close()
    assert recording.closed
