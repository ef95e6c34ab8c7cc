"""Whether the machine knows what day it is: most Raspberry Pis have no clock that runs on.

Games are timed by the monotonic clock, which needs no date.  A record gets a date only when the
time was set over the network or by a clock chip, or when a person typed it; else it is unknown,
which is better than the day on which the machine was switched off last.
"""

from __future__ import annotations

import time
from pathlib import Path

#: PDN writes an unknown date like this.
UNKNOWN = "????.??.??"

#: A chip that says an earlier time has lost it; Toreshi was not there before 2026.
_MADE_S = 1_767_225_600

#: Made by systemd-timesyncd once the time is right.
_SYNCHRONISED = "run/systemd/timesync/synchronized"


def source_of_date(root: Path = Path("/")) -> str:
    """Who set the clock: ``network``, ``chip``, or empty when nobody did."""
    if (root / _SYNCHRONISED).exists():
        return "network"
    if any(_runs_on(chip) for chip in sorted(root.glob("sys/class/rtc/rtc*"))):
        return "chip"
    return ""


def _runs_on(chip: Path) -> bool:
    """Whether the system's time came from a chip, and the chip has a battery."""
    try:
        set_by_it = (chip / "hctosys").read_text("ascii").strip() == "1"
        return set_by_it and int((chip / "since_epoch").read_text("ascii")) >= _MADE_S
    except (OSError, ValueError):
        return False


def date_of_record(root: Path = Path("/"), now_s: float | None = None) -> str:
    """Today as PDN writes it, or `UNKNOWN`."""
    if not source_of_date(root):
        return UNKNOWN
    return time.strftime("%Y.%m.%d", time.localtime(now_s))
