"""The Pi's camera on a stand-in for picamera2."""

import sys
import time
from typing import Any

import numpy as np
import pytest

from device.errors import HardwareMissing
from device.source import Wish, open_camera
from device.source_patient import Patient
from device.source_pi import LORES_WH, PiCamera
from vision.errors import BadPicture
from vision.frame import Frame

from . import stand_in_picamera2 as stand_in

SMALL = (640, 360)


@pytest.fixture
def scene(monkeypatch: pytest.MonkeyPatch) -> stand_in.Scene:
    made = stand_in.Scene()
    for name, module in stand_in.modules(made).items():
        monkeypatch.setitem(sys.modules, name, module)
    return made


def opened(size_wh: tuple[int, int] = SMALL, **more: Any) -> PiCamera:
    return PiCamera(size_wh, sleep=lambda seconds: None, **more)


def test_frames_are_in_the_order_of_opencv(scene: stand_in.Scene) -> None:
    scene.colour = (200, 40, 10)
    frame = next(opened().frames())
    assert isinstance(frame, Frame)
    assert frame.size_wh == SMALL
    blue, green, red = frame.image.mean((0, 1))
    assert blue < green < red


def test_frames_are_numbered_and_timed(scene: stand_in.Scene) -> None:
    frames = opened().frames()
    taken = [next(frames) for _ in range(3)]
    assert [f.number for f in taken if isinstance(f, Frame)] == [0, 1, 2]
    times = [f.at_ns for f in taken if isinstance(f, Frame)]
    assert times == sorted(times)


def test_the_time_is_that_of_the_sensor(scene: stand_in.Scene) -> None:
    camera = opened()
    scene.stamp = time.monotonic_ns() - 80_000_000
    frame = next(camera.frames())
    assert isinstance(frame, Frame)
    assert frame.at_ns == scene.stamp


@pytest.mark.parametrize("stamp", [0, 2**62])
def test_a_stamp_of_another_clock_is_not_believed(scene: stand_in.Scene, stamp: int) -> None:
    camera = opened()
    scene.stamp = stamp
    before = time.monotonic_ns()
    frame = next(camera.frames())
    assert isinstance(frame, Frame)
    assert before <= frame.at_ns <= time.monotonic_ns()


def test_exposure_has_settled_before_the_first_frame(scene: stand_in.Scene) -> None:
    scene.exposures = [1000, 2000, 4000, 8000, 9000, 10_000]
    opened()
    (made,) = scene.made
    assert made.log == ["focus"]
    # the last that differs, and five that don't
    assert made.count == len(scene.exposures) + 5


def test_light_that_never_settles_is_not_waited_for_for_ever(scene: stand_in.Scene) -> None:
    scene.exposures = [1000, 4000] * 200
    opened()
    assert scene.made[0].count == 60


def test_a_camera_without_autofocus_is_not_asked_for_it(scene: stand_in.Scene) -> None:
    scene.autofocus = False
    camera = opened()
    assert scene.made[0].log == []
    assert "LensPosition" not in camera.lock()


def test_what_is_locked_stays_and_can_be_kept_as_json(scene: stand_in.Scene) -> None:
    camera = opened()
    kept = camera.lock()
    assert kept == {
        "ExposureTime": 10_000,
        "AnalogueGain": 2.0,
        "ColourGains": [1.5, 2.5],
        "LensPosition": 1.25,
    }
    controls = scene.made[0].controls
    assert (controls["AeEnable"], controls["AwbEnable"]) == (False, False)
    assert controls["AfMode"] is stand_in.AfModeEnum.Manual
    assert controls["ExposureTime"] == 10_000
    assert controls["ColourGains"] == (1.5, 2.5)


def test_what_was_locked_is_set_again_without_looking(scene: stand_in.Scene) -> None:
    kept = opened().lock()
    camera = open_camera("pi", Wish(SMALL), {**kept, "ExposureTime": 7777})
    assert isinstance(next(camera.frames()), Frame)
    again = scene.made[1]
    assert again.controls["ExposureTime"] == 7777
    assert again.controls["LensPosition"] == 1.25
    assert again.log == [], "no new focus"


def test_what_another_camera_had_is_left_out(scene: stand_in.Scene) -> None:
    """picamera2 refuses controls that a camera doesn't have."""
    kept = opened().lock()
    scene.autofocus = False
    opened(locked=kept)
    assert "LensPosition" not in scene.made[1].controls
    assert scene.made[1].controls["ExposureTime"] == kept["ExposureTime"]


def test_unlocking_lets_exposure_find_its_way(scene: stand_in.Scene) -> None:
    camera = opened()
    camera.lock()
    camera.unlock()
    assert scene.made[0].controls["AeEnable"] is True
    assert scene.made[0].controls["AwbEnable"] is True


def test_a_close_up_has_the_sensors_resolution(scene: stand_in.Scene) -> None:
    camera = opened()
    part = camera.close_up((320, 180, 400, 225))
    scale = stand_in.SENSOR_WH[0] / SMALL[0]
    assert part.shape == (round(45 * scale), round(80 * scale), 3)
    # the scene is lighter to the right: the part is the right one, not the left one
    left = camera.close_up((0, 180, 80, 225))
    assert part.mean() > left.mean() + 5
    assert scene.made[0].log.count("still") == 2
    assert scene.made[0].controls["AeEnable"] is True, "nothing was locked"
    assert isinstance(next(camera.frames()), Frame), "the stream goes on"


def test_a_close_up_keeps_what_is_locked(scene: stand_in.Scene) -> None:
    camera = opened()
    camera.lock()
    scene.exposures = [333]  # what automatic exposure would choose now
    camera.close_up((0, 0, 80, 45))
    made = scene.made[0]
    assert "still exposed for 10000" in made.log
    assert (made.controls["AeEnable"], made.controls["ExposureTime"]) == (False, 10_000)


def test_a_close_up_comes_through_the_camera_that_is_opened_again_and_again(
    scene: stand_in.Scene,
) -> None:
    patient = Patient(lambda kept: opened())
    assert patient.close_up((0, 0, 80, 45)) is None, "it isn't open yet"
    frames = patient.frames()
    assert isinstance(next(frames), Frame)
    part = patient.close_up((0, 0, 80, 45))
    assert part is not None
    assert part.shape == (90, 160, 3)
    scene.silent = True
    assert patient.close_up((0, 0, 80, 45)) is None, "a camera that gives nothing is no failure"


def test_silence_is_said_and_over_when_pictures_come(scene: stand_in.Scene) -> None:
    frames = opened().frames()
    scene.silent = True
    assert "gives no pictures" in str(next(frames))
    scene.silent = False
    assert isinstance(next(frames), Frame)


def test_a_picture_that_stands_still_is_said(
    scene: stand_in.Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = opened().frames()
    now = time.monotonic_ns()
    monkeypatch.setattr(time, "monotonic_ns", lambda: now)
    assert isinstance(next(frames), Frame)
    scene.noise = False
    said: list[str] = []
    for _ in range(8):
        now += 1_000_000_000
        given = next(frames)
        said.append("" if isinstance(given, Frame) else given.what)
    assert said == [""] * 5 + ["the picture stands still"] * 3
    scene.noise = True
    assert isinstance(next(frames), Frame)


def test_the_small_stream_is_read_without_its_padding(scene: stand_in.Scene) -> None:
    """Rows of YUV420 come with a stride; what lies beyond the picture is no picture."""
    camera = opened()
    seen: list[tuple[int, ...]] = []
    camera._doubt.about = lambda image, at_ns: seen.append(image.shape) or ""  # type: ignore[func-returns-value,method-assign]
    next(camera.frames())
    assert seen == [(LORES_WH[1], LORES_WH[0])]


def test_no_camera_is_said(scene: stand_in.Scene) -> None:
    scene.missing = True
    with pytest.raises(HardwareMissing, match=r"no camera; expected one on the cable"):
        opened()


def test_a_camera_that_does_not_start_is_let_go(scene: stand_in.Scene) -> None:
    scene.silent = True
    with pytest.raises(HardwareMissing, match="doesn't start"):
        opened()
    assert scene.made[0].closed


def test_closing_ends_the_frames(scene: stand_in.Scene) -> None:
    camera = opened()
    frames = camera.frames()
    next(frames)
    camera.close()
    camera.close()
    assert list(frames) == []
    assert (scene.made[0].running, scene.made[0].closed) == (False, True)


def test_pictures_are_arrays_of_our_own(scene: stand_in.Scene) -> None:
    """A frame may be kept as evidence long after the camera has gone on."""
    frames = opened().frames()
    first = next(frames)
    assert isinstance(first, Frame)
    copy = first.image.copy()
    for _ in range(4):
        assert not isinstance(next(frames), BadPicture)
    assert np.array_equal(first.image, copy)
