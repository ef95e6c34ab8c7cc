"""A stand-in for picamera2: the part of it that we use, with a scene that the test sets.

`test_picamera2_contract.py` compares its signatures with those of the real package.  Like the real
one it refuses controls that the camera doesn't advertise, streams that were not configured, and
pictures from a camera that doesn't run.
"""

# ruff: noqa: B006 - the defaults are picamera2's

from __future__ import annotations

import enum
import types
from collections.abc import Callable
from concurrent.futures import TimeoutError as GaveNothing
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Smaller than a real one, to be quick.
SENSOR_WH = (1280, 720)


class AfModeEnum(enum.Enum):
    Manual = 0
    Auto = 1
    Continuous = 2


class Job:
    def __init__(self, result: Callable[[], Any]) -> None:
        self._result = result

    def get_result(self, timeout: float | None = None) -> Any:
        return self._result()


class Scene:
    """What the camera looks at, and how it behaves.

    Attributes:
        colour: red, green, blue of everything.
        exposures: what automatic exposure chooses, frame after frame; the last one stays.
        noise: whether the sensor has any; without it every picture is the same.
        silent: no picture comes.
        missing: there is no camera.
    """

    def __init__(self) -> None:
        self.colour = (200, 40, 10)
        self.exposures = [1000, 4000, 8000, 10_000]
        self.noise = True
        self.silent = False
        self.missing = False
        self.autofocus = True
        self.stamp: int | None = None
        self.made: list[Picamera2] = []


class Picamera2:
    scene: Scene

    def __init__(
        self, camera_num: int = 0, verbose_console: Any = None, tuning: Any = None,
        allocator: Any = None,
    ) -> None:  # fmt: skip
        if self.scene.missing:
            raise RuntimeError("Camera(s) not found")
        self.sensor_resolution = SENSOR_WH
        self.running, self.closed = False, False
        self.config: dict[str, Any] = {}
        self.controls: dict[str, Any] = {"AeEnable": True, "AwbEnable": True}
        self.log: list[str] = []
        self.count = 0
        self._random = np.random.default_rng(1)
        self.scene.made.append(self)

    @property
    def camera_controls(self) -> dict[str, Any]:
        names = ["AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains"]
        names += ["AfMode", "LensPosition"] if self.scene.autofocus else []
        return dict.fromkeys(names, (0, 1, 0))

    def create_video_configuration(
        self, main: Any = {}, lores: Any = None, raw: Any = {}, transform: Any = None,
        colour_space: Any = None, buffer_count: int = 6, controls: Any = {}, display: str = "main",
        encode: str = "main", queue: bool = True, sensor: Any = {}, use_case: str = "video",
    ) -> dict[str, Any]:  # fmt: skip
        return {
            **{"main": main, "lores": lores, "buffer_count": buffer_count, "queue": queue},
            "controls": controls,
        }

    def create_still_configuration(
        self, main: Any = {}, lores: Any = None, raw: Any = {}, transform: Any = None,
        colour_space: Any = None, buffer_count: int = 1, controls: Any = {}, display: Any = None,
        encode: Any = None, queue: bool = True, sensor: Any = {}, use_case: str = "still",
    ) -> dict[str, Any]:  # fmt: skip
        return {
            **{"main": main, "lores": lores, "buffer_count": buffer_count, "queue": queue},
            "controls": controls,
        }

    def configure(self, camera_config: Any = None) -> None:
        self.config = camera_config

    def camera_configuration(self) -> dict[str, Any]:
        return self.config

    def start(self, config: Any = None, show_preview: bool = False) -> None:
        self.running = True

    def stop(self) -> None:
        self.running = False

    def close(self) -> None:
        self.closed = True

    def set_controls(self, controls: Any) -> None:
        for name, value in controls.items():
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
            self.controls[name] = value

    def autofocus_cycle(self, wait: Any = None, signal_function: Any = None) -> Any:
        def focus() -> bool:
            if self.scene.silent:
                raise GaveNothing
            self.log.append("focus")
            return True

        return Job(focus) if wait is False else focus()

    def capture_arrays(
        self, names: Any = ["main"], wait: Any = None, signal_function: Any = None
    ) -> Any:
        job = Job(lambda: ([self._array(name) for name in names], self._metadata()))
        return job if wait is False else job.get_result()

    def wait(self, job: Job, timeout: float | None = None) -> Any:
        return job.get_result(timeout)

    def switch_mode_and_capture_array(
        self, camera_config: Any, name: str = "main", wait: Any = None,
        signal_function: Any = None, delay: int = 0,
    ) -> Any:  # fmt: skip
        job = Job(lambda: self._still(camera_config, name))
        return job if wait is False else job.get_result()

    def _still(self, camera_config: Any, name: str) -> NDArray[np.uint8]:
        self.log.append("still")
        kept, self.config = self.config, camera_config
        self.controls = {"AeEnable": True, "AwbEnable": True, **camera_config["controls"]}
        self.log.append(f"still exposed for {self._metadata()['ExposureTime']}")
        try:
            return self._array(name)
        finally:
            self.config = kept
            self.controls = {"AeEnable": True, "AwbEnable": True}

    # ---- not picamera2's -----------------------------------------------------------------

    def _array(self, name: str) -> NDArray[np.uint8]:
        if not self.running:
            raise RuntimeError("the camera doesn't run")
        if self.scene.silent:
            raise GaveNothing
        stream = self.config.get(name)
        if stream is None:
            raise RuntimeError(f"Stream {name!r} is not defined")
        width, height = stream["size"]
        grain = self._random.integers(0, 8, (height, width, 1)) if self.scene.noise else 0
        slope = np.linspace(0, 40, width)[None, :, None]
        if stream["format"] == "YUV420":
            lightness = np.broadcast_to(100 + slope + grain, (height, width, 1))[:, :, 0]
            padded = np.full((height * 3 // 2, width + 32), 128, np.uint8)  # rows have a stride
            padded[:height, :width] = lightness
            return padded
        # memory order of libcamera's RGB888 is B, G, R; see the contract test
        assert stream["format"] == "RGB888"
        colour = np.array(self.scene.colour[::-1], float)[None, None, :]
        return np.clip(colour + slope + grain, 0, 255).astype(np.uint8)

    def _metadata(self) -> dict[str, Any]:
        scene = self.scene
        automatic = scene.exposures[min(self.count, len(scene.exposures) - 1)]
        self.count += 1
        found = {
            "ExposureTime": self.controls.get("ExposureTime", automatic),
            "AnalogueGain": self.controls.get("AnalogueGain", 2.0),
            "ColourGains": self.controls.get("ColourGains", (1.5, 2.5)),
        }
        if scene.autofocus:
            found["LensPosition"] = self.controls.get("LensPosition", 1.25)
        if scene.stamp is not None:
            found["SensorTimestamp"] = scene.stamp
        return found


def modules(scene: Scene) -> dict[str, types.ModuleType]:
    """picamera2 and libcamera as they are imported, looking at a scene."""
    picamera2, libcamera = types.ModuleType("picamera2"), types.ModuleType("libcamera")
    kind = type("Picamera2", (Picamera2,), {"scene": scene})
    picamera2.Picamera2 = kind  # type: ignore[attr-defined]
    libcamera.controls = types.SimpleNamespace(AfModeEnum=AfModeEnum)  # type: ignore[attr-defined]
    return {"picamera2": picamera2, "libcamera": libcamera}
