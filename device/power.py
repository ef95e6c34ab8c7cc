"""Switching the machine off, and what ails its power supply."""

from __future__ import annotations

import os
from pathlib import Path

from .buttons import Name, Press
from .errors import DeviceError

SECOND_NS = 1_000_000_000

#: In the service's folder under /run; `toreshi-off.path` waits for it.
SWITCH_OFF = "switch-off"


class LongPress:
    """Notices that a button has been held down for long.

    Args:
        button: which.
        hold_ns: how long.
    """

    def __init__(self, button: Name, hold_ns: int) -> None:
        self._button = button
        self._hold_ns = hold_ns
        self._since_ns: int | None = None
        self._told = False

    def update(self, presses: tuple[Press, ...], now_ns: int) -> bool:
        """Take what was pressed and let go until now; True once for each long press."""
        for press in presses:
            if press.button == self._button:
                self._since_ns = press.at_ns if press.down else None
                self._told = False
        if self._since_ns is None or self._told or now_ns - self._since_ns < self._hold_ns:
            return False
        self._told = True
        return True


def ask_to_switch_off(folder: Path | None = None) -> None:
    """Ask the system to shut down in order; the service itself has no right to.

    Args:
        folder: where the request is left; None takes the one that systemd gave.

    Raises:
        DeviceError: no service manager that would see it.
    """
    given = os.environ.get("RUNTIME_DIRECTORY", "").split(":")[0]
    place = folder or (Path(given) if given else None)
    if place is None:
        raise DeviceError("nobody to ask", "switch-off", "Toreshi as a service")
    try:
        (place / SWITCH_OFF).touch()
    except OSError as error:
        raise DeviceError(
            error.strerror or "not written", str(place), "a writable folder"
        ) from error


def undervoltage(sys: Path = Path("/sys")) -> bool | None:
    """Whether a Raspberry Pi gets too little voltage now; None where nothing tells.

    The kernel's hwmon driver raspberrypi-hwmon asks the firmware every two seconds.
    """
    for name in sorted(sys.glob("class/hwmon/hwmon*/name")):
        try:
            if name.read_text("ascii").strip() == "rpi_volt":
                return (name.parent / "in0_lcrit_alarm").read_text("ascii").strip() == "1"
        except (OSError, UnicodeDecodeError):
            continue
    return None
