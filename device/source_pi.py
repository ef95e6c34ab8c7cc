"""The Raspberry Pi's own camera, by picamera2 from Raspberry Pi OS (there is none from pip)."""

from __future__ import annotations

import importlib
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from vision.errors import BadPicture
from vision.frame import Frame

from .errors import HardwareMissing

SIZE_WH = (1536, 864)
LOOKED_AT = 5.0


class PiCamera:
    """The camera on the Pi's ribbon cable.

    Raises:
        HardwareMissing: no picamera2, or no camera.
    """

    def __init__(self) -> None:
        self.settled = False
        self.count = 0
        try:
            library: Any = importlib.import_module("picamera2")
        except ImportError as error:
            raise HardwareMissing(
                "picamera2 is not installed here",
                "SOURCE pi",
                "Raspberry Pi OS with python3-picamera2, in a venv with --system-site-packages",
            ) from error
        try:
            self._camera = library.Picamera2()
        except (RuntimeError, IndexError) as error:
            raise HardwareMissing("no camera", "SOURCE pi", "one on the cable") from error
        # picamera2's "RGB888" is B, G, R in memory, as OpenCV has it
        main = {"size": SIZE_WH, "format": "RGB888"}
        self._camera.configure(self._camera.create_video_configuration(main=main))
        self._camera.start()
        self._closed = False

    def frames(self) -> Iterator[Frame | BadPicture]:
        """At most `LOOKED_AT` frames a second, until the camera is closed."""
        number = 0
        while not self._closed:
            began = time.monotonic()
            image = np.ascontiguousarray(self._camera.capture_array("main"), np.uint8)
            yield Frame(image, number, time.monotonic_ns())
            number += 1
            time.sleep(max(0.0, 1 / LOOKED_AT - (time.monotonic() - began)))

    def close(self) -> None:
        """Stop the camera."""
        self._closed = True
        self._camera.stop()
        self._camera.close()
