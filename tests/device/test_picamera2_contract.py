"""The stand-in against the real picamera2 package, and our configuration through the real code.

picamera2 comes from PyPI without what it needs on a Pi; missing libraries are stubbed while it is
imported.  Nothing here proves that a camera works: README lists what never ran on hardware.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import inspect
import sys
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import pytest

from device.source_pi import BUFFERS, LORES_WH, MAIN_FORMAT, SIZE_WH, PiCamera

from . import stand_in_picamera2 as stand_in

#: What picamera2 imports and only a Pi, or a larger installation, has.
STUBBED = (
    *("libcamera", "pykms", "kms", "prctl", "PIL", "simplejpeg", "av", "videodev2", "piexif"),
    *("pidng", "libarchive", "jsonschema", "OpenEXR", "PyQt5", "PyQt6", "v4l2"),
)


class Stubs:
    """Finds any module of `STUBBED`, each as a mock."""

    def find_spec(
        self, name: str, path: object = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name.split(".")[0] not in STUBBED:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        return MagicMock(name=spec.name, __path__=[], __spec__=spec, __name__=spec.name)

    def exec_module(self, module: ModuleType) -> None:
        pass


@pytest.fixture(scope="module")
def real() -> Iterator[Any]:
    """The real package."""
    if importlib.util.find_spec("picamera2") is None:
        pytest.skip("picamera2 is not installed: pip install --no-deps picamera2")
    before, stubs = set(sys.modules), Stubs()
    sys.meta_path.append(stubs)
    try:
        yield importlib.import_module("picamera2")
    finally:
        sys.meta_path.remove(stubs)
        for name in set(sys.modules) - before:
            if name.split(".")[0] in (*STUBBED, "picamera2"):
                del sys.modules[name]


USED = (
    *("create_video_configuration", "create_still_configuration", "configure", "start", "stop"),
    *("close", "set_controls", "capture_arrays", "wait", "autofocus_cycle"),
    *("switch_mode_and_capture_array", "camera_configuration", "__init__"),
)


def shape(function: Any) -> list[tuple[str, Any, bool]]:
    """Name, kind and whether there is a default, of each parameter."""
    parameters = inspect.signature(function).parameters.values()
    return [(p.name, p.kind, p.default is not p.empty) for p in parameters]


@pytest.mark.parametrize("name", USED)
def test_the_stand_in_takes_what_the_real_one_takes(real: Any, name: str) -> None:
    ours, theirs = getattr(stand_in.Picamera2, name), getattr(real.Picamera2, name)
    assert shape(ours) == shape(theirs)


@pytest.mark.parametrize("name", ["capture_arrays", "create_video_configuration"])
@pytest.mark.parametrize("argument", ["names", "buffer_count", "queue", "wait"])
def test_defaults_that_we_leave_are_the_same(real: Any, name: str, argument: str) -> None:
    ours = inspect.signature(getattr(stand_in.Picamera2, name)).parameters
    theirs = inspect.signature(getattr(real.Picamera2, name)).parameters
    if argument in ours:
        assert ours[argument].default == theirs[argument].default


def test_camera_controls_is_a_property_there_too(real: Any) -> None:
    assert isinstance(real.Picamera2.camera_controls, property)
    assert isinstance(stand_in.Picamera2.camera_controls, property)


def test_everything_that_we_call_is_in_the_contract(real: Any) -> None:
    """By the names in our source."""
    source = inspect.getsource(sys.modules[PiCamera.__module__])
    for name in dir(real.Picamera2):
        if f"self._camera.{name}(" in source:
            assert name in USED


@pytest.fixture
def bare(real: Any) -> Any:
    """A real Picamera2 as far as configurations go, with the numbers of Camera Module 3."""
    # it would close itself when it is freed, which takes an open one
    kind = type("Bare", (real.Picamera2,), {"__del__": lambda self: None})
    camera: Any = object.__new__(kind)
    camera.camera, camera.is_open = object(), False
    camera.sensor_format, camera.sensor_resolution = "SRGGB10_CSI2P", (4608, 2592)
    camera.camera_properties_ = {"ColorFilterArrangement": 0}
    camera.camera_ctrl_info = {}
    return camera


@pytest.mark.parametrize("size_wh", [SIZE_WH, (1536, 864), (4608, 2592)])
def test_our_configuration_goes_through_the_real_code(bare: Any, size_wh: tuple[int, int]) -> None:
    ours = object.__new__(PiCamera)
    ours._camera = bare
    made = ours._configuration(size_wh)
    assert made["main"]["size"] == size_wh, "no alignment changes it"
    assert (made["main"]["format"], made["lores"]["format"]) == ("RGB888", "YUV420")
    assert made["lores"]["size"] == LORES_WH
    assert (made["buffer_count"], made["queue"]) == (BUFFERS, False)
    bare.check_stream_config(made["main"], "main")
    bare.check_stream_config(made["lores"], "lores")


def test_a_close_up_goes_through_the_real_code_with_what_is_locked(bare: Any) -> None:
    kept = {"AeEnable": False, "ExposureTime": 8000}
    made = bare.create_still_configuration(
        main={"size": tuple(bare.sensor_resolution), "format": MAIN_FORMAT}, controls=kept
    )
    assert made["main"]["size"] == (4608, 2592)
    assert made["controls"] | kept == made["controls"]
    bare.check_stream_config(made["main"], "main")


def test_an_odd_size_is_refused_by_the_real_code(bare: Any) -> None:
    """Else the check above could not fail."""
    with pytest.raises(RuntimeError, match="even"):
        bare.check_stream_config({"format": MAIN_FORMAT, "size": (2303, 1296)}, "main")


def test_a_key_that_streams_do_not_have_is_refused_by_the_real_code(bare: Any) -> None:
    with pytest.raises(ValueError, match="Bad key"):
        bare.create_video_configuration(main={"sise": (1, 1)})


def test_red_stays_red_through_the_real_code(real: Any) -> None:
    """The order of channels, by picamera2's own reading of a buffer.

    libcamera's RGB888 is DRM's, a 24-bit number with red on top, so its bytes in memory are blue,
    green, red.  picamera2 hands them on as they lie, and names the order BGR when it makes a
    picture of them.
    """
    red = 0xC8_28_0A.to_bytes(3, "little")
    buffer = np.frombuffer(red * 8, np.uint8)
    helpers = importlib.import_module("picamera2.request").Helpers(SimpleNamespace())
    config = {"format": MAIN_FORMAT, "size": (4, 2), "stride": 12, "framesize": 24}
    array = helpers.make_array(buffer, config)
    assert array.shape == (2, 4, 3)
    assert array[0, 0].tolist() == [0x0A, 0x28, 0xC8], "blue, green, red: as OpenCV has it"
    assert helpers._get_pil_mode(MAIN_FORMAT) == "BGR"


def test_the_stand_in_gives_the_same_order(real: Any) -> None:
    scene = stand_in.Scene()
    scene.colour = (0xC8, 0x28, 0x0A)
    camera = stand_in.modules(scene)["picamera2"].Picamera2()
    camera.configure({"main": {"size": (64, 32), "format": MAIN_FORMAT}, "lores": None})
    camera.start()
    blue, green, red = camera.capture_arrays(["main"])[0][0].mean((0, 1))
    assert blue < green < red
