"""What the program asks of the world around it: cameras, signallers, buttons and a clock.

The session never sees any of them; the application gets them as arguments, so that tests and the
demo hand in their own.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Protocol

from vision.frame import Frame

from .buttons import Buttons, NoButtons, Press
from .errors import BadConfig
from .pins import Pins
from .signals import Signaller

__all__ = ["Buttons", "Camera", "Clock", "MonotonicClock", "Press", "Signaller", "buttons_by_name"]


class Camera(Protocol):
    """Whatever gives pictures."""

    def frames(self) -> Iterator[Frame]:
        """Pictures in the order of their times, until there are no more."""

    def close(self) -> None:
        """Let the device or the file go."""


class Clock(Protocol):
    """Monotonic time."""

    def now_ns(self) -> int:
        """Nanoseconds since some fixed moment; never goes back."""


class MonotonicClock:
    """The system's monotonic clock."""

    def now_ns(self) -> int:
        """Nanoseconds since some fixed moment."""
        return time.monotonic_ns()


def buttons_by_name(name: str, pins: Pins | None = None) -> Buttons:
    """The buttons called ``gpio`` or ``none``.

    Raises:
        BadConfig: no buttons have this name.
        HardwareMissing: ``gpio`` without gpiozero, or on a machine without such pins.
    """
    if name == "none":
        return NoButtons()
    if name == "gpio":
        from .gpio import GpioButtons

        return GpioButtons(pins or Pins())
    raise BadConfig(f"unknown buttons '{name}'", "buttons", "gpio or none")
