"""Where pictures come from: a folder, a video, a camera on USB or in the network, the Pi's own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

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


def open_source(text: str, fps: float | None = None) -> Source:
    """The source that a person named.

    Args:
        text: ``pi``, ``usb:0``, an address, or a path.
        fps: frames a second: the pace of a folder's pictures, or of a video that names none.

    Raises:
        BadSource: nothing there, or nothing in it.
        HardwareMissing: no such camera on this machine.
    """
    # OpenCV's video library writes to standard error by itself, beside the line that we write
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    if text == "pi":
        from .source_pi import PiCamera

        return PiCamera()
    if text.startswith("usb:"):
        from .source_live import LiveCamera

        number = text.removeprefix("usb:")
        if not number.isdecimal():
            raise BadSource(f"camera {text!r}", "SOURCE", "usb:0, usb:1, ...")
        return LiveCamera(int(number))
    if text.startswith(("rtsp://", "http://", "https://")):
        from .source_live import LiveCamera

        return LiveCamera(text)
    return _from_path(Path(text), fps)


def _from_path(path: Path, fps: float | None) -> Source:
    from .source_files import Folder, Video

    if path.is_dir():
        return Folder(path, fps)
    if path.is_file():
        return Video(path, fps)
    raise BadSource("no such file or folder", str(path), _EXPECTED)
