"""Which pin of the Raspberry Pi goes to which lamp, buzzer and button."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from .errors import BadConfig

#: Pins that a Raspberry Pi leads out to its 40-pin header, by their BCM numbers.
HEADER = range(28)


@dataclass(frozen=True, slots=True)
class Pins:
    """The wiring, in BCM numbers; it keeps clear of I2C, SPI and the serial port.

    Attributes:
        white, black: three pins a side: the lamps below, in the middle and on top (green, amber,
            red); with ``rgb`` one lamp's red, green and blue.
        rgb: one lamp that changes its colour at each side, in place of three.
        buzzer: one that sounds by itself; None where there is none.
        clock_white, clock_black, arbiter: buttons to ground; None where there is none.
    """

    white: tuple[int, int, int] = (17, 27, 22)
    black: tuple[int, int, int] = (23, 24, 25)
    rgb: bool = False
    buzzer: int | None = 18
    clock_white: int | None = 5
    clock_black: int | None = 6
    arbiter: int | None = 13

    def __post_init__(self) -> None:
        seen: dict[int, str] = {}
        for name, pin in self._used():
            if type(pin) is not int or pin not in HEADER:
                raise BadConfig(f"pin {pin!r}", f"pins.{name}", "a BCM number from 0 to 27")
            if pin in seen:
                raise BadConfig(
                    f"pin {pin} is taken by pins.{seen[pin]}", f"pins.{name}", "a pin of its own"
                )
            seen[pin] = name

    def _used(self) -> list[tuple[str, Any]]:
        lamps = [(name, pin) for name in ("white", "black") for pin in getattr(self, name)]
        single = ("buzzer", "clock_white", "clock_black", "arbiter")
        rest = [(name, getattr(self, name)) for name in single]
        return lamps + [(name, pin) for name, pin in rest if pin is not None]

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Pins:
        """The wiring that ``settings`` describe; what they leave out is as by default.

        Raises:
            BadConfig: an unknown name, a pin that is no pin, or one that is taken twice.
        """
        known = [field.name for field in fields(cls)]
        for name, value in settings.items():
            if name not in known:
                raise BadConfig(f"unknown setting '{name}'", "pins", "one of " + ", ".join(known))
            three = isinstance(value, list | tuple) and len(value) == 3
            if name in ("white", "black") and not three:
                raise BadConfig(f"{value!r}", f"pins.{name}", "three BCM numbers")
            if name == "rgb" and not isinstance(value, bool):
                raise BadConfig(f"{value!r}", "pins.rgb", "true or false")
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in settings.items()
        }
        return cls(**values)
