"""Where pictures come from: a folder, a video, a camera on USB or in the network, the Pi's own."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from vision.errors import BadPicture
from vision.frame import Frame

from .errors import BadSource

_EXPECTED = "pi, usb:N, rtsp://..., http://..., a video file or a folder of pictures"


class Source(Protocol):
    """A camera, with what the session has to know of it.

    Attributes:
        settled: every picture shows a settled position.
        count: how many pictures there will be; 0 if nobody knows.
    """

    settled: bool
    count: int

    def frames(self) -> Iterator[Frame | BadPicture]:
        """Pictures in the order of their times; an error in the place of one that can't be read."""

    def close(self) -> None:
        """Let the device or the file go."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a running camera is asked for; it may give something else.

    Attributes:
        size_wh: width and height in pixels.
        looked_at: frames a second that are looked at.
        memory: file that keeps what `Patient.lock` locked; None forgets it.
        lock: whether exposure, white balance and focus stay after calibration.
        patient: a camera that isn't there is waited for; else that is an error at once.
    """

    size_wh: tuple[int, int] = (2304, 1296)
    looked_at: float = 5.0
    memory: Path | None = None
    lock: bool = True
    patient: bool = False


def open_source(text: str, fps: float | None = None, wish: Wish | None = None) -> Source:
    """The source that a person named.

    Args:
        text: ``pi``, ``usb:0``, an address, or a path.
        fps: frames a second: the pace of a folder's pictures, or of a video that names none.
        wish: what a running camera is asked for.

    Returns:
        A running camera comes as one that is opened again whenever it is gone.

    Raises:
        BadSource: nothing there, or nothing in it.
        HardwareMissing: no such camera on this machine.
    """
    # OpenCV's video library writes to standard error by itself, beside the line that we write
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    if not is_camera(text):
        return _from_path(Path(text), fps)
    from .source_patient import Patient

    wanted = wish or Wish()
    camera = Patient(lambda kept: open_camera(text, wanted, kept), wanted.memory, wanted.lock)
    if not wanted.patient:
        camera.begin()
    return camera


def is_camera(text: str) -> bool:
    """Whether a source is a camera, which may come and go, and not a file."""
    return text == "pi" or text.startswith(("usb:", "rtsp://", "http://", "https://"))


def without_password(address: str) -> str:
    """The address as it may be shown and logged."""
    return re.sub(r"://[^/@]*@", "://", address)


def open_camera(text: str, wish: Wish, locked: Mapping[str, Any] | None = None) -> Source:
    """A running camera, opened once.

    Args:
        text: ``pi``, ``usb:0`` or an address.
        wish: what it is asked for.
        locked: exposure, white balance and focus as a Pi's camera kept them before.

    Raises:
        BadSource: it gives no picture, or has a name that is none.
        HardwareMissing: no such camera on this machine.
    """
    if text == "pi":
        from .source_pi import PiCamera

        return PiCamera(wish.size_wh, wish.looked_at, locked)
    from .source_live import LiveCamera

    if not text.startswith("usb:"):
        return LiveCamera(text, None, wish.looked_at)
    number = text.removeprefix("usb:")
    if not number.isdecimal():
        raise BadSource(f"camera {text!r}", "SOURCE", "usb:0, usb:1, ...")
    return LiveCamera(int(number), wish.size_wh, wish.looked_at)


def _from_path(path: Path, fps: float | None) -> Source:
    from .source_files import Folder, Video

    if path.is_dir():
        return Folder(path, fps)
    if path.is_file():
        return Video(path, fps)
    raise BadSource("no such file or folder", str(path), _EXPECTED)
