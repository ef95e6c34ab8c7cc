"""Lamps, buzzer and buttons on the pins of a Raspberry Pi, by gpiozero.

Import this module only when such hardware was asked for.  Nothing here starts a thread or
sleeps: whoever runs the loop passes the time in.  gpiozero's own ``blink`` and ``bounce_time``
are not used: the one runs in threads, the other loses edges (gpiozero issues 550 and 1090).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from .buttons import STABLE_NS, Debouncer, Name, Press
from .errors import HardwareMissing
from .pins import Pins
from .signals import SIDES, Lamp, Side, Signal, shown_at

#: Red, green and blue of one lamp in place of three.  The green leans to blue and the amber is
#: dimmed, so that most people with weak colour sight tell them from red.
_COLOURS: dict[Lamp, tuple[float, float, float]] = {
    Lamp.GOOD: (0, 1, 0.4),
    Lamp.ATTEND: (1, 0.5, 0),
    Lamp.WRONG: (1, 0, 0),
    Lamp.ALL: (1, 1, 1),
    Lamp.NONE: (0, 0, 0),
}
#: Pulses a second for a buzzer that is not to be loud: above what it sounds at, and within the
#: 10,000 that lgpio can make.
PULSES_HZ = 8_000

_PLACES = (Lamp.GOOD, Lamp.ATTEND, Lamp.WRONG)


class GpioSignaller:
    """Plays the patterns of ``signals`` on lamps and a buzzer.

    Args:
        pins: the wiring.
        volume: of the buzzer, percent; 0 leaves it silent.

    Raises:
        HardwareMissing: no gpiozero, no such pins, or a pin is in use.
    """

    def __init__(self, pins: Pins, volume: int = 100) -> None:
        self._stack = ExitStack()
        gpiozero = _gpiozero()
        with _claiming(self._stack):
            self._lamps = {
                side: self._lamp(gpiozero, numbers, pins.rgb)
                for side, numbers in zip(SIDES, (pins.white, pins.black), strict=True)
            }
            self._buzz: Callable[[bool], None] = lambda on: None
            if pins.buzzer is not None and volume > 0:
                self._buzz = self._buzzer(gpiozero, pins.buzzer, volume)
        self._signals: dict[Side, Signal] = dict.fromkeys(SIDES, Signal.OFF)
        self._since_ns: int | None = None
        self._loud: tuple[Side, ...] = ()
        self._lit: dict[Side, Lamp] = {}
        self._sounding = False

    def _lamp(self, gpiozero: Any, numbers: tuple[int, int, int], rgb: bool) -> Any:
        if rgb:
            one = self._stack.enter_context(gpiozero.RGBLED(*numbers))
            return lambda lamp: setattr(one, "color", _COLOURS[lamp])
        three = [self._stack.enter_context(gpiozero.LED(number)) for number in numbers]

        def light(lamp: Lamp) -> None:
            for place, led in zip(_PLACES, three, strict=True):
                led.value = lamp in (place, Lamp.ALL)

        return light

    def _buzzer(self, gpiozero: Any, pin: int, volume: int) -> Callable[[bool], None]:
        """An active buzzer is as loud as the share of the time in which it has current."""
        if volume >= 100:
            loud = self._stack.enter_context(gpiozero.Buzzer(pin))
            return lambda on: loud.on() if on else loud.off()
        soft = self._stack.enter_context(gpiozero.PWMOutputDevice(pin, frequency=PULSES_HZ))
        return lambda on: setattr(soft, "value", volume / 100 if on else 0)

    def show(self, signal: Signal, side: Side | None = None) -> None:
        """Begin ``signal`` at ``side``; its rhythm counts from the next tick."""
        rest = Signal.OFF if signal is Signal.OFF else Signal.READY
        told = SIDES if side is None else (side,)
        self._signals = {each: signal if each in told else rest for each in SIDES}
        self._loud = told
        self._since_ns = None
        self._apply(0)

    def tick(self, now_ns: int) -> None:
        """Set lamps and buzzer to what is due now."""
        if self._since_ns is None:
            self._since_ns = now_ns
        self._apply(now_ns - self._since_ns)

    def close(self) -> None:
        """Let the pins go, which puts everything out."""
        self._stack.close()

    def _apply(self, elapsed_ns: int) -> None:
        due = {side: shown_at(self._signals[side], elapsed_ns) for side in SIDES}
        for side, shown in due.items():
            if self._lit.get(side) is not shown.lamp:
                self._lit[side] = shown.lamp
                self._lamps[side](shown.lamp)
        sound = any(due[side].sound for side in self._loud)
        if sound is not self._sounding:
            self._sounding = sound
            self._buzz(sound)


class GpioButtons:
    """The clock buttons and the arbiter's, each between its pin and ground.

    Args:
        pins: the wiring.
        stable_ns: how long a contact has to stand still to be believed.

    Raises:
        HardwareMissing: no gpiozero, no such pins, or a pin is in use.
    """

    def __init__(self, pins: Pins, stable_ns: int = STABLE_NS) -> None:
        self._stack = ExitStack()
        self._buttons: dict[Name, tuple[Any, Debouncer]] = {}
        gpiozero = _gpiozero()
        wired: dict[Name, int | None] = {
            "clock_white": pins.clock_white,
            "clock_black": pins.clock_black,
            "arbiter": pins.arbiter,
        }
        with _claiming(self._stack):
            for name, pin in wired.items():
                if pin is not None:
                    button = self._stack.enter_context(gpiozero.Button(pin))
                    self._buttons[name] = (button, Debouncer(stable_ns))

    def poll(self, now_ns: int) -> tuple[Press, ...]:
        """Presses and releases that have become certain since the last call."""
        presses = []
        for name, (button, debouncer) in self._buttons.items():
            down = bool(button.is_pressed)
            at_ns = debouncer.update(down, now_ns)
            if at_ns is not None:
                presses.append(Press(name, down, at_ns))
        return tuple(presses)

    def close(self) -> None:
        """Let the pins go."""
        self._stack.close()


def _gpiozero() -> Any:
    try:
        import gpiozero
    except ImportError as error:
        raise HardwareMissing(
            "gpiozero is not installed", "gpio", "python3-gpiozero from Raspberry Pi OS"
        ) from error
    return gpiozero


@contextmanager
def _claiming(stack: ExitStack) -> Iterator[None]:
    """Let all pins go again when one can't be had, and say why in our own words."""
    from gpiozero import GPIOZeroError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # each factory that gpiozero tries in vain warns
            yield
    except (GPIOZeroError, OSError) as error:
        stack.close()
        raise HardwareMissing(
            f"no pins ({type(error).__name__}: {error})", "gpio", "a Raspberry Pi with free pins"
        ) from error
