"""A camera that isn't there: a recorded game in its own time, then its last picture for ever."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from vision.errors import BadPicture
from vision.frame import Frame

from .source import Source

SECOND_NS = 1_000_000_000

#: Seconds between two pictures after the recording, when only the last one is shown.
HELD_S = 1.0


class Simulated:
    """Gives the frames of a recording when their time has come.

    Args:
        recording: where the frames come from; a video or a folder of pictures.
        speed: how many times faster than recorded.
        now_s: monotonic seconds.
        sleep: waits for so many seconds.
        hold: whether the last picture goes on being shown; else the source ends.
    """

    def __init__(
        self,
        recording: Source,
        speed: float = 1.0,
        now_s: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        hold: bool = True,
    ) -> None:
        self.settled = recording.settled
        self.count = recording.count
        self._recording = recording
        self._speed = speed
        self._now_s = now_s
        self._sleep = sleep
        self._hold = hold

    def frames(self) -> Iterator[Frame | BadPicture]:
        """Every frame of the recording, none left out, however slowly they are taken."""
        began = self._now_s()
        last: Frame | None = None
        for given in self._recording.frames():
            if isinstance(given, Frame):
                last = given
                self._sleep_until(began + given.at_ns / SECOND_NS / self._speed)
            yield given
        while self._hold and last is not None:
            self._sleep_until(self._now_s() + HELD_S / self._speed)
            at_ns = last.at_ns + round(HELD_S * SECOND_NS)
            last = replace(last, number=last.number + 1, at_ns=at_ns)
            yield last

    def close(self) -> None:
        """Let the recording go."""
        self._recording.close()

    def _sleep_until(self, until_s: float) -> None:
        left = until_s - self._now_s()
        if left > 0:
            self._sleep(left)
