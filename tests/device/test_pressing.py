"""Buttons that are read by themselves, on gpiozero's mock pins, with a clock the test holds."""

import threading
from collections.abc import Iterator
from typing import Any

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device.buttons import NoButtons, Press
from device.gpio import GpioButtons
from device.hardware import MonotonicClock
from device.pins import Pins
from device.power import SECOND_NS, LongPress
from device.pressing import Pressing

MS = 1_000_000
PINS = Pins()


class Clock:
    def __init__(self) -> None:
        self.now = 0

    def now_ns(self) -> int:
        return self.now


@pytest.fixture
def pins() -> Iterator[Any]:
    before = gpiozero.Device.pin_factory
    factory = MockFactory(pin_class=MockPWMPin)
    gpiozero.Device.pin_factory = factory
    yield factory
    factory.reset()
    gpiozero.Device.pin_factory = before


def test_presses_are_handed_on_and_a_long_one_is_noticed(pins: Any) -> None:
    clock = Clock()
    taken: list[Press] = []
    held: list[int] = []
    pressing = Pressing(
        GpioButtons(PINS),
        clock,
        taken.append,
        LongPress("arbiter", 5 * SECOND_NS),
        lambda: held.append(clock.now),
    )

    def run(ms: int) -> None:
        for _ in range(ms // 5):
            clock.now += 5 * MS
            pressing.look()

    clock_white, arbiter = pins.pin(PINS.clock_white), pins.pin(PINS.arbiter)
    run(100)
    for level in (0, 1, 0):  # bounces for 10 ms
        clock_white.drive_low() if level == 0 else clock_white.drive_high()
        run(5)
    run(80)
    clock_white.drive_high()
    run(100)
    arbiter.drive_low()
    run(6000)
    arbiter.drive_high()
    run(100)
    pressing.close()
    assert taken == [
        Press("clock_white", True, 105 * MS),
        Press("clock_white", False, 200 * MS),
        Press("arbiter", True, 300 * MS),
        Press("arbiter", False, 6300 * MS),
    ]
    assert held == [300 * MS + 5 * SECOND_NS]


def test_the_thread_reads_by_itself_and_goes_on_after_a_failure() -> None:
    seen: list[Press] = []
    enough = threading.Event()

    class Buttons(NoButtons):
        closed = False

        def poll(self, now_ns: int) -> tuple[Press, ...]:
            return (Press("arbiter", True, now_ns),)

        def close(self) -> None:
            self.closed = True

    def take(press: Press) -> None:
        seen.append(press)
        if len(seen) == 1:
            raise ValueError("a listener's mistake")
        if len(seen) == 3:
            enough.set()

    buttons = Buttons()
    pressing = Pressing(buttons, MonotonicClock(), take)
    pressing.start()
    assert enough.wait(5)
    pressing.close()
    count = len(seen)
    assert buttons.closed
    assert len(seen) == count
