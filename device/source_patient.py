"""A camera that may come and go: pulled out, switched off, rebooted, plugged in an hour later."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from vision.errors import BadPicture
from vision.frame import Frame

from .errors import BadSource, HardwareMissing
from .health import SECOND_NS
from .source import Source

#: Seconds between two tries to open a camera.
RETRY_S = 2.0

#: A camera that gave only errors for so long is closed and opened anew.
ENOUGH_S = 6.0


#: Version of the file of what was locked.
VERSION = 1

Locked = Mapping[str, Any]


@runtime_checkable
class Lockable(Protocol):
    """A camera that can keep exposure, white balance and focus."""

    def lock(self) -> dict[str, Any]:
        """Keep them as they are now; what was kept, for JSON."""


@runtime_checkable
class Near(Protocol):
    """A camera that can give a part of its view in full resolution."""

    def close_up(self, box: tuple[int, int, int, int]) -> NDArray[np.uint8]:
        """The part; raises BadPicture."""


class Patient:
    """Opens a camera, and opens it again whenever it is gone; says so with each try.

    What was locked stays locked in the camera that is opened next, and with ``memory`` after a
    restart too.

    Args:
        open_camera: opens it, with what was locked before; raises BadSource or HardwareMissing
            while it isn't there.
        memory: file that keeps what was locked.
        locks: whether it locks anything at all.
        now_s: monotonic seconds.
        sleep: waits for so many seconds.
    """

    def __init__(
        self,
        open_camera: Callable[[Locked | None], Source],
        memory: Path | None = None,
        locks: bool = True,
        now_s: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.settled = False
        self.count = 0
        self._open = open_camera
        self._memory = memory
        self._locks = locks
        self._locked = _remembered(memory)
        self._camera: Source | None = None
        self._now_s = now_s
        self._sleep = sleep
        self._closed = False
        self._number = 0

    def begin(self) -> None:
        """Open the camera now.

        Raises:
            BadSource, HardwareMissing: it isn't there.
        """
        if self._camera is None:
            self._camera = self._open(self._locked)

    def lock(self) -> None:
        """Keep exposure, white balance and focus as they are, where the camera can."""
        if self._locks and isinstance(self._camera, Lockable):
            self._locked = self._camera.lock()
            _remember(self._memory, self._locked)

    def close_up(self, box: tuple[int, int, int, int]) -> NDArray[np.uint8] | None:
        """A part of the view in full resolution; None where the camera has none or is gone.

        Args:
            box: x0, y0, x1, y1 in pixels of the frames.
        """
        camera = self._camera
        if not isinstance(camera, Near):
            return None
        try:
            return camera.close_up(box)
        except BadPicture:
            return None

    def frames(self) -> Iterator[Frame | BadPicture]:
        """Frames, numbered on through every loss; an error in the place of each that is missing.

        Errors have their time, too: a board that isn't seen for long is another matter than one
        that isn't seen for a moment.  Ends only when it is closed.
        """
        for given in self._all():
            if isinstance(given, BadPicture):
                given.at_ns = round(self._now_s() * SECOND_NS)
            yield given

    def _all(self) -> Iterator[Frame | BadPicture]:
        while not self._closed:
            try:
                self.begin()
            except (BadSource, HardwareMissing) as error:
                yield BadPicture(error.what, error.where, error.expected)
                if not self._closed:
                    self._sleep(RETRY_S)
                continue
            camera = self._camera
            if camera is not None:
                yield from self._of(camera)
                self._camera = None
                camera.close()

    def close(self) -> None:
        """Let the camera go."""
        self._closed = True
        if self._camera is not None:
            self._camera.close()

    def _of(self, camera: Source) -> Iterator[Frame | BadPicture]:
        """What one camera gives until it is closed or has given only errors for too long."""
        good_s = self._now_s()
        for given in camera.frames():
            if self._closed:
                return
            if isinstance(given, Frame):
                good_s = self._now_s()
                yield replace(given, number=self._number)
                self._number += 1
                continue
            yield given
            if self._now_s() - good_s >= ENOUGH_S:
                return
        if not self._closed:
            yield BadPicture("the camera has stopped", "camera", "a running camera")
            self._sleep(RETRY_S)


def _remembered(memory: Path | None) -> Locked | None:
    """What was locked; nothing where there is no such file, or one that can't be used."""
    if memory is None:
        return None
    try:
        row = json.loads(memory.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    known = isinstance(row, dict) and row.get("v") == VERSION and isinstance(row.get("kept"), dict)
    return dict(row["kept"]) if known else None


def _remember(memory: Path | None, locked: Locked) -> None:
    """Written whole or not at all."""
    if memory is None:
        return
    fresh = memory.with_name(memory.name + ".new")
    with fresh.open("w", encoding="utf-8") as out:
        json.dump({"v": VERSION, "kept": dict(locked)}, out)
        out.flush()
        os.fsync(out.fileno())
    fresh.replace(memory)
