"""The Raspberry Pi's own camera, by picamera2 from Raspberry Pi OS.

Three looks at one board: the main stream is read, the small one tells quickly whether the camera
lives, and a close-up in the sensor's full resolution shows dice.  Exposure, white balance and
focus settle before the first frame is given, and stay as they are once `lock` was called, since
a calibration knows colours only in one light.

picamera2 is loaded when a camera is opened, and never else.
"""

from __future__ import annotations

import importlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import TimeoutError as GaveNothing
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.errors import BadPicture
from vision.frame import Frame

from .errors import HardwareMissing, Silent
from .health import SECOND_NS, Doubt

#: The field of view is the whole one in this mode of Camera Module 3, and a die still has its pips.
SIZE_WH = (2304, 1296)
LORES_WH = (480, 270)
LOOKED_AT = 5.0

#: picamera2's "RGB888" lies in memory as B, G, R, which is what OpenCV and `Frame` have.
MAIN_FORMAT, LORES_FORMAT = "RGB888", "YUV420"

#: Fewer halve the frame rate, more exhaust the memory for pictures (picamera2 issues 891 and 950).
BUFFERS = 4

#: Seconds without a picture after which that is said.
SILENT_S = 3.0

#: Seconds that a close-up may take: two changes of mode and a long exposure.
CLOSE_UP_S = 5.0

#: Seconds in which a lens has found its focus, or never will.
FOCUS_S = 10.0

#: Frames that exposure and colours have to stay within `_STEADY` of each other, and how many are
#: waited for at most.
_STEADY_FRAMES, _MOST_FRAMES = 5, 60
_STEADY = 0.03

#: What a camera is told to keep, each with what it is called in a frame's metadata.
_KEPT = ("ExposureTime", "AnalogueGain", "ColourGains", "LensPosition")

_WHERE = "SOURCE pi"


class PiCamera:
    """The camera on the Pi's ribbon cable.

    Args:
        size_wh: of the main stream, pixels; even numbers.
        looked_at: frames a second that are given.
        locked: what an earlier `lock` answered, to have the same colours after a restart.
        sleep: waits for so many seconds.

    Raises:
        HardwareMissing: no picamera2, or no camera.
    """

    def __init__(
        self,
        size_wh: tuple[int, int] = SIZE_WH,
        looked_at: float = LOOKED_AT,
        locked: Mapping[str, Any] | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.settled = False
        self.count = 0
        self._sleep = sleep
        self._pace_s = 1 / looked_at
        self._closed = False
        self._kept: dict[str, Any] = {}
        self._doubt = Doubt()
        self._one_at_a_time = threading.Lock()  # close-ups are asked for in another thread
        library = _library("picamera2")
        self._words: Any = _library("libcamera").controls
        try:
            self._camera = library.Picamera2()
        except (RuntimeError, IndexError) as error:
            raise HardwareMissing("no camera", _WHERE, "one on the cable, and enabled") from error
        try:
            self._camera.configure(self._configuration(size_wh))
            self._camera.start()
            if locked:
                self._keep(locked)
            else:
                self._settle()
        except (RuntimeError, GaveNothing) as error:
            self.close()
            raise HardwareMissing(
                f"the camera doesn't start ({error or 'no picture'})", _WHERE, "one that works"
            ) from error

    def _configuration(self, size_wh: tuple[int, int]) -> dict[str, Any]:
        made: dict[str, Any] = self._camera.create_video_configuration(
            main={"size": size_wh, "format": MAIN_FORMAT},
            lores={"size": LORES_WH, "format": LORES_FORMAT},
            buffer_count=BUFFERS,
            # else the first picture is one from before the request (picamera2 issues 426 and 849)
            queue=False,
        )
        return made

    # ------------------------------------------------------------------ pictures

    def frames(self) -> Iterator[Frame | BadPicture]:
        """At most so many frames a second, until the camera is closed; errors in between."""
        number = 0
        while not self._closed:
            began = time.monotonic()
            try:
                (main, lores), about = self._take(["main", "lores"])
            except (GaveNothing, RuntimeError):
                yield Silent("the camera gives no pictures", _WHERE, "a camera that runs")
                continue
            at_ns = _moment(about, time.monotonic_ns())
            yield self._looked(main, lores, number, at_ns)
            number += 1
            self._sleep(max(0.0, self._pace_s - (time.monotonic() - began)))

    def close_up(self, box: tuple[int, int, int, int]) -> NDArray[np.uint8]:
        """A part of the view in the sensor's full resolution; the stream stands still meanwhile.

        Args:
            box: x0, y0, x1, y1 in pixels of the main stream.

        Returns:
            uint8 (H, W, 3), B, G, R.

        Raises:
            BadPicture: the camera gives none.
        """
        try:
            whole = self._whole()
        except (GaveNothing, RuntimeError) as error:
            raise BadPicture(
                "the camera gives no close-up", _WHERE, "a camera that runs"
            ) from error
        width, height = self._camera.camera_configuration()["main"]["size"]
        wide, high = whole.shape[1] / width, whole.shape[0] / height
        x0, y0, x1, y1 = box
        part = whole[round(y0 * high) : round(y1 * high), round(x0 * wide) : round(x1 * wide)]
        return np.ascontiguousarray(part, np.uint8)

    def _whole(self) -> NDArray[np.uint8]:
        """All of the view in the sensor's full resolution."""
        still = self._camera.create_still_configuration(
            main={"size": tuple(self._camera.sensor_resolution), "format": MAIN_FORMAT},
            controls=self._kept,
        )
        with self._one_at_a_time:
            job = self._camera.switch_mode_and_capture_array(still, "main", wait=False)
            whole: NDArray[np.uint8] = self._camera.wait(job, timeout=CLOSE_UP_S)
        # another mode begins with its own controls, and so does the one before it again
        self._camera.set_controls(self._kept)
        return whole

    def _take(self, names: list[str]) -> tuple[list[NDArray[np.uint8]], dict[str, Any]]:
        with self._one_at_a_time:
            job = self._camera.capture_arrays(names, wait=False)
            taken: tuple[list[NDArray[np.uint8]], dict[str, Any]] = self._camera.wait(
                job, timeout=SILENT_S
            )
        return taken

    def _looked(
        self, main: NDArray[np.uint8], lores: NDArray[np.uint8], number: int, at_ns: int
    ) -> Frame | BadPicture:
        # the upper two thirds are the lightness, the rest is colour
        lightness = lores[: LORES_WH[1], : LORES_WH[0]]
        if reason := self._doubt.about(lightness, at_ns):
            return BadPicture(reason, _WHERE, "a camera that runs")
        return Frame(np.ascontiguousarray(main[:, :, :3], np.uint8), number, at_ns)

    # ------------------------------------------------------------------ exposure, colour, focus

    def _settle(self) -> None:
        """Focus once, then wait until exposure and colours keep still."""
        if self._can("AfMode"):
            self._camera.wait(self._camera.autofocus_cycle(wait=False), timeout=FOCUS_S)
        steady = 0
        before: tuple[float, ...] = ()
        for _ in range(_MOST_FRAMES):
            about = self._take(["lores"])[1]
            now = (
                float(about.get("ExposureTime", 0)) * float(about.get("AnalogueGain", 1)),
                *(float(gain) for gain in about.get("ColourGains", ())),
            )
            steady = steady + 1 if before and _near(now, before) else 0
            if steady >= _STEADY_FRAMES:
                return
            before = now

    def lock(self) -> dict[str, Any]:
        """Keep exposure, white balance and focus as they are now; what was kept, for JSON."""
        about = self._take(["lores"])[1]
        kept = {name: about[name] for name in _KEPT if name in about}
        if "ColourGains" in kept:
            kept["ColourGains"] = [float(gain) for gain in kept["ColourGains"]]
        self._keep(kept)
        return kept

    def unlock(self) -> None:
        """Let exposure, white balance and focus find their way again."""
        self._kept = {}
        self._set({"AeEnable": True, "AwbEnable": True})
        self._settle()

    def _keep(self, kept: Mapping[str, Any]) -> None:
        controls: dict[str, Any] = {"AeEnable": False, "AwbEnable": False}
        controls |= {name: kept[name] for name in _KEPT if name in kept}
        if "ColourGains" in controls:
            controls["ColourGains"] = tuple(controls["ColourGains"])
        if "LensPosition" in controls and self._can("AfMode"):
            controls["AfMode"] = self._words.AfModeEnum.Manual
        self._kept = {k: v for k, v in controls.items() if self._can(k)}
        self._camera.set_controls(self._kept)

    def _set(self, controls: Mapping[str, Any]) -> None:
        """Set what this camera has; picamera2 refuses the rest."""
        self._camera.set_controls({k: v for k, v in controls.items() if self._can(k)})

    def _can(self, control: str) -> bool:
        return control in self._camera.camera_controls

    def close(self) -> None:
        """Stop the camera and let it go."""
        if not self._closed:
            self._closed = True
            self._camera.stop()
            self._camera.close()


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise HardwareMissing(
            f"{name} is not installed here",
            _WHERE,
            "Raspberry Pi OS with python3-picamera2, in a venv with --system-site-packages",
        ) from error


def _near(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    if len(a) != len(b):
        return False
    return all(abs(x - y) <= _STEADY * max(abs(x), abs(y), 1e-6) for x, y in zip(a, b, strict=True))


def _moment(about: Mapping[str, Any], now_ns: int) -> int:
    """When the sensor took it; the kernel's clock for it is ours unless the machine slept."""
    stamp = about.get("SensorTimestamp")
    if isinstance(stamp, int) and 0 <= now_ns - stamp < 2 * SECOND_NS:
        return stamp
    return now_ns
