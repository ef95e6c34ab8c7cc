"""Cameras that run: on USB or in the network, by OpenCV."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import cv2
import numpy as np

from vision.errors import BadPicture
from vision.frame import Frame

from .errors import BadSource

#: Frames a second that are looked at.
LOOKED_AT = 5.0

#: After so long without a picture that is said, and the camera is opened anew.
SILENT_S = 3.0


class LiveCamera:
    """A running camera, of which always the newest frame is taken.

    A thread reads as fast as the camera gives, since OpenCV hands out frames in order and a slow
    reader would fall further and further behind.

    Args:
        address: number of a USB camera, or the address of a stream.

    Raises:
        BadSource: it can't be opened, or gives no picture.
    """

    def __init__(self, address: int | str) -> None:
        self.settled = False
        self.count = 0
        self._address = address
        self._where = f"usb:{address}" if isinstance(address, int) else address
        self._camera = cv2.VideoCapture(address)
        if not self._camera.isOpened() or not self._camera.grab():
            self._camera.release()
            raise BadSource("no picture", self._where, "a camera that gives pictures")
        self._newest: tuple[cv2.typing.MatLike, int] | None = None
        self._fresh = threading.Condition()
        self._closed = False
        self._reader = threading.Thread(target=self._read, name="camera", daemon=True)
        self._reader.start()

    def frames(self) -> Iterator[Frame | BadPicture]:
        """The newest frame each time, at most `LOOKED_AT` a second; an error while there is none.

        Ends only when the camera is closed.
        """
        number, next_s = 0, time.monotonic()
        while not self._closed:
            next_s = max(next_s + 1 / LOOKED_AT, time.monotonic())
            with self._fresh:
                self._fresh.wait_for(lambda: self._newest is not None or self._closed, SILENT_S)
                taken, self._newest = self._newest, None
            if self._closed:
                return
            if taken is None:
                yield BadPicture("the camera gives no pictures", self._where, "a running camera")
                continue
            image, at_ns = taken
            yield Frame(np.asarray(image, np.uint8), number, at_ns)
            number += 1
            time.sleep(max(0.0, next_s - time.monotonic()))

    def close(self) -> None:
        """Stop reading and let the camera go."""
        self._closed = True
        with self._fresh:
            self._fresh.notify_all()
        self._reader.join(timeout=2 * SILENT_S)
        self._camera.release()

    def _read(self) -> None:
        while not self._closed:
            whole, image = self._camera.read()
            if whole:
                with self._fresh:
                    self._newest = image, time.monotonic_ns()
                    self._fresh.notify()
            elif not self._closed:
                time.sleep(SILENT_S / 3)
                self._camera.open(self._address)
