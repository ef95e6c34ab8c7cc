"""Signallers as the commands use them."""

from __future__ import annotations

from typing import Any

from ..console import ConsoleSignaller
from ..hardware import MonotonicClock
from ..pins import Pins
from ..signals import Signaller, by_name
from ..ticking import Ticking


def signaller_for(
    name: str, stream: Any = None, pins: Pins | None = None, volume: int = 100
) -> Signaller:
    """The signaller of that name; its rhythm goes on by itself.

    Args:
        name: ``console``, ``gpio`` or ``none``.
        stream: where the console writes; None is standard error.
        pins: the wiring; None for that of docs/wiring.md.
        volume: of the buzzer, percent.

    Raises:
        BadConfig: no signaller of that name.
        HardwareMissing: no pins here.
    """
    if name == "console":
        return ConsoleSignaller(stream)
    if name == "gpio":
        return Ticking(by_name(name, pins, volume), MonotonicClock())
    return by_name(name)
