"""Cameras that run: on USB or in the network, by OpenCV."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import BadPicture
from vision.frame import Frame

from .errors import BadSource, Silent
from .health import SECOND_NS, Doubt
from .source import without_password

#: Frames a second that are looked at.
LOOKED_AT = 5.0

#: After so long without a picture that is said.
SILENT_S = 3.0

#: How long OpenCV may wait for a stream, so that closing never hangs.
_PATIENCE_MS = 5000

#: Encoders send a scene in which nothing moves as the same picture again for many seconds, until
#: the next key frame; a sensor on USB never does.
_FROZEN_NS = {"usb": 5 * SECOND_NS, "stream": 60 * SECOND_NS}


class LiveCamera:
    """A running camera, of which always the newest frame is taken.

    A thread takes frames as fast as the camera gives them, since OpenCV hands them out in order and
    a slow reader would fall further and further behind; only those that are wanted are decoded.
    It gives up when the camera does; `Patient` opens it again.

    Args:
        address: number of a USB camera, or the address of a stream.
        size_wh: what a USB camera is asked for; None leaves it to the camera.
        looked_at: frames a second that are looked at.

    Raises:
        BadSource: it can't be opened, or gives no picture.
    """

    def __init__(
        self,
        address: int | str,
        size_wh: tuple[int, int] | None = None,
        looked_at: float = LOOKED_AT,
    ) -> None:
        self.settled = False
        self.count = 0
        self._where = f"usb:{address}" if isinstance(address, int) else without_password(address)
        self._pace_s = 1 / looked_at
        kind = "usb" if isinstance(address, int) else "stream"
        self._doubt = Doubt(frozen_ns=_FROZEN_NS[kind])
        self._camera = _opened(address, size_wh)
        if not self._camera.isOpened() or not self._camera.grab():
            self._camera.release()
            raise BadSource("no picture", self._where, "a camera that gives pictures")
        self._newest: tuple[cv2.typing.MatLike, int] | None = None
        self._fresh = threading.Condition()
        self._wanted = threading.Event()
        self._wanted.set()
        self._closed = False
        self._ended = False
        self._reader = threading.Thread(target=self._read, name="camera", daemon=True)
        self._reader.start()

    def frames(self) -> Iterator[Frame | BadPicture]:
        """The newest frame each time, at most so many a second; an error while there is none.

        Ends when the camera is closed, or has ended by itself.
        """
        number, next_s = 0, time.monotonic()
        while not self._closed:
            next_s = max(next_s + self._pace_s, time.monotonic())
            self._wanted.set()
            with self._fresh:
                self._fresh.wait_for(self._waited_for, SILENT_S)
                taken, self._newest = self._newest, None
            if self._closed:
                return
            if taken is not None:
                yield self._looked(taken[0], number, taken[1])
                number += 1
            elif self._ended:
                return
            else:
                yield Silent("the camera gives no pictures", self._where, "a running camera")
            time.sleep(max(0.0, next_s - time.monotonic()))

    def close(self) -> None:
        """Stop reading and let the camera go."""
        self._closed = True
        with self._fresh:
            self._fresh.notify_all()
        self._reader.join(timeout=2 * _PATIENCE_MS / 1000)
        if not self._reader.is_alive():  # else the reader is inside the camera still
            self._camera.release()

    def _waited_for(self) -> bool:
        return self._newest is not None or self._closed or self._ended

    def _looked(self, image: cv2.typing.MatLike, number: int, at_ns: int) -> Frame | BadPicture:
        """The frame, unless it is none: grey where colour was asked for, or not live."""
        array: NDArray[np.uint8] = np.asarray(image)
        if array.dtype != np.uint8 or array.ndim != 3 or array.shape[2] != 3:
            what = f"the camera gives {array.dtype} {array.shape}"
            return BadPicture(what, self._where, "pictures in colour, 8 bits")
        if reason := self._doubt.about(array, at_ns):
            return BadPicture(reason, self._where, "a running camera")
        return Frame(array, number, at_ns)

    def _read(self) -> None:
        try:
            self._take()
        finally:
            self._ended = True
            with self._fresh:
                self._fresh.notify()

    def _take(self) -> None:
        while not self._closed:
            if not self._camera.grab():
                return
            at_ns = time.monotonic_ns()
            if not self._wanted.is_set():
                continue
            whole, image = self._camera.retrieve()
            if not whole:
                return
            self._wanted.clear()
            with self._fresh:
                self._newest = image, at_ns
                self._fresh.notify()


def _opened(address: int | str, size_wh: tuple[int, int] | None) -> cv2.VideoCapture:
    cv2.utils.logging.setLogLevel(
        0
    )  # else OpenCV writes two lines of its own for each try, for days
    if isinstance(address, int):
        camera = cv2.VideoCapture(address)
        if size_wh and camera.isOpened():
            # without it most cameras give large pictures uncompressed, and only a few a second
            camera.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
            camera.set(cv2.CAP_PROP_FRAME_WIDTH, size_wh[0])
            camera.set(cv2.CAP_PROP_FRAME_HEIGHT, size_wh[1])
        return camera
    patience = [
        *(cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, _PATIENCE_MS),
        *(cv2.CAP_PROP_READ_TIMEOUT_MSEC, _PATIENCE_MS),
    ]
    return cv2.VideoCapture(address, cv2.CAP_FFMPEG, patience)
