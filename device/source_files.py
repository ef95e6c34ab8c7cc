"""Pictures from files: a folder in name order, or a video."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from vision.errors import BadPicture
from vision.frame import Frame
from vision.pictures import read_picture

from .errors import BadSource

SUFFIXES = (".jpg", ".jpeg", ".png", ".bmp", ".webp")
SECOND_NS = 1_000_000_000

#: Frames a second that are looked at; the rest of a faster video is passed over.
LOOKED_AT = 5.0


class Folder:
    """The pictures of a folder in name order.

    Args:
        path: the folder; files that are no pictures by their name are left alone.
        fps: pictures a second; None when each shows a settled position.

    Raises:
        BadSource: there are none.
    """

    def __init__(self, path: Path, fps: float | None) -> None:
        self._paths = sorted(p for p in path.iterdir() if p.suffix.lower() in SUFFIXES)
        if not self._paths:
            raise BadSource("no pictures", str(path), f"files named {', '.join(SUFFIXES)}")
        self.settled = fps is None
        self.count = len(self._paths)
        self._step_ns = round(SECOND_NS / (fps or 1.0))

    def frames(self) -> Iterator[Frame | BadPicture]:
        """One after the other; an error in the place of a picture that can't be read."""
        for number, path in enumerate(self._paths):
            try:
                yield read_picture(path, number, number * self._step_ns)
            except BadPicture as error:
                yield error

    def close(self) -> None:
        """Nothing is held open."""


class Video:
    """A video file.

    Args:
        path: the file.
        fps: its pace; None to believe the file.

    Raises:
        BadSource: not a video, or one that ends at once.
    """

    def __init__(self, path: Path, fps: float | None) -> None:
        self.settled = False
        self._path = path
        self._video = cv2.VideoCapture(str(path))
        if not self._video.isOpened() or not self._video.grab():
            self._video.release()
            raise BadSource("not a video, or one without a frame", str(path), "a video file")
        pace = fps or self._video.get(cv2.CAP_PROP_FPS)
        if not 0.1 <= pace <= 1000:
            pace = LOOKED_AT
        self._pace = pace
        self._every = max(1, round(pace / LOOKED_AT))
        frames = max(0, round(self._video.get(cv2.CAP_PROP_FRAME_COUNT)))
        self.count = -(-frames // self._every)

    def frames(self) -> Iterator[Frame | BadPicture]:
        """About `LOOKED_AT` frames a second."""
        grabbed, number = True, 0
        while grabbed:
            if number % self._every == 0:
                whole, image = self._video.retrieve()
                if not whole:
                    return
                at_ns = round(number * SECOND_NS / self._pace)
                yield Frame(np.asarray(image, np.uint8), number, at_ns)
            grabbed, number = self._video.grab(), number + 1

    def close(self) -> None:
        """Close the file."""
        self._video.release()
