"""Lamps, buzzer and buttons on gpiozero's own mock pins, watched for their whole course."""

import builtins
from collections.abc import Iterator
from typing import Any

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device.buttons import Press
from device.errors import HardwareMissing
from device.gpio import GpioButtons, GpioSignaller
from device.pins import Pins
from device.signals import Signal, by_name

MS = 1_000_000
THREE = Pins(
    white=(16, 17, 18), black=(5, 6, 7), buzzer=8, clock_white=9, clock_black=10, arbiter=11
)
ONE = Pins(white=(16, 17, 18), black=(5, 6, 7), rgb=True, buzzer=8, clock_white=9, clock_black=10)
NAMES = {"w good": 16, "w attend": 17, "w wrong": 18, "b good": 5, "b attend": 6, "b wrong": 7}

DARK, LIT = "." * 32, "#" * 32


@pytest.fixture
def pins() -> Iterator[Any]:
    """gpiozero's mock factory, in the place of the real one."""
    before = gpiozero.Device.pin_factory
    factory = MockFactory(pin_class=MockPWMPin)
    gpiozero.Device.pin_factory = factory
    yield factory
    factory.reset()
    gpiozero.Device.pin_factory = before


def watch(
    signaller: GpioSignaller, pins: Any, steps: int = 32, begin_ms: int = 7_000
) -> dict[str, str]:
    """Tick at every step of a tenth of a second; the course of each lamp and of the buzzer."""
    course: dict[str, str] = dict.fromkeys([*NAMES, "buzzer"], "")
    for step in range(steps):
        signaller.tick((begin_ms + step * 100) * MS)
        for name, number in {**NAMES, "buzzer": 8}.items():
            course[name] += "#" if pins.pin(number).state else "."
    return course


def at_rest(**other: str) -> dict[str, str]:
    """Both sides at rest, but for what is named."""
    rest = dict.fromkeys([*NAMES, "buzzer"], DARK) | {"w good": LIT, "b good": LIT}
    return rest | {name.replace("_", " "): course for name, course in other.items()}


MISSED = "##..##......##..##......##..##.."
LEFT = "##..##..##......##..##..##......"

#: Signal, side -> the course of 3.2 seconds of whatever differs from rest.
COURSES: list[tuple[Signal, Any, dict[str, str]]] = [
    (Signal.READY, None, {"buzzer": "#" + DARK[1:]}),
    (Signal.LEGAL, "w", {"w_good": "..###..#########################"}),
    (
        Signal.ILLEGAL,
        "w",
        {
            "w_good": DARK,
            "w_wrong": "##...##...##...##...##...##...##",
            "buzzer": "########" + DARK[8:],
        },
    ),
    (
        Signal.MISSED_CAPTURE,
        "b",
        {"b_good": DARK, "b_wrong": MISSED, "buzzer": "##..##" + DARK[6:]},
    ),
    (
        Signal.LEFT_ON_BOARD,
        "w",
        {"w_good": DARK, "w_wrong": LEFT, "buzzer": "##..##..##" + DARK[10:]},
    ),
    (
        Signal.CROWN_IT,
        "b",
        {
            "b_good": DARK,
            "b_attend": "######..##......######..##......",
            "buzzer": "######..##" + DARK[10:],
        },
    ),
    (
        Signal.CANNOT_SEE,
        None,
        {
            "w_good": DARK,
            "b_good": DARK,
            "w_attend": "###############.....############",
            "b_attend": "###############.....############",
        },
    ),
    (
        Signal.FLAG,
        "w",
        {
            "w_good": DARK,
            "w_wrong": "######..######......######..####",
            "buzzer": "######..######" + DARK[14:],
        },
    ),
    (
        Signal.RESULT,
        None,
        {
            **dict.fromkeys(
                [name.replace(" ", "_") for name in NAMES], "##..##..######......##..##..####"
            ),
            "buzzer": "##..##..######" + DARK[14:],
        },
    ),
    (Signal.OFF, None, {"w_good": DARK, "b_good": DARK}),
    (Signal.OFF, "w", {"w_good": DARK, "b_good": DARK}),
]


@pytest.mark.parametrize(
    ("signal", "side", "course"),
    COURSES,
    ids=[f"{signal.value} {side}" for signal, side, _ in COURSES],
)
def test_the_whole_course_of_a_signal(
    pins: Any, signal: Signal, side: Any, course: dict[str, str]
) -> None:
    signaller = GpioSignaller(THREE)
    signaller.show(signal, side)
    assert watch(signaller, pins) == at_rest(**course)


def test_every_signal_was_watched() -> None:
    assert {signal for signal, _, _ in COURSES} == set(Signal)


def test_a_new_signal_takes_the_place_of_the_one_before(pins: Any) -> None:
    signaller = GpioSignaller(THREE)
    signaller.show(Signal.ILLEGAL, "w")
    watch(signaller, pins, 3)
    signaller.show(Signal.MISSED_CAPTURE, "b")
    assert watch(signaller, pins, begin_ms=7_310) == at_rest(
        b_good=DARK, b_wrong=MISSED, buzzer="##..##" + DARK[6:]
    )


def test_an_alarm_goes_out_when_all_is_well_again(pins: Any) -> None:
    signaller = GpioSignaller(THREE)
    signaller.show(Signal.ILLEGAL, "w")
    watch(signaller, pins, 3)
    signaller.show(Signal.READY)
    assert watch(signaller, pins) == at_rest(buzzer="#" + DARK[1:])


def test_a_signal_shows_at_once_and_not_only_at_the_next_tick(pins: Any) -> None:
    signaller = GpioSignaller(THREE)
    signaller.show(Signal.ILLEGAL, "w")
    assert (pins.pin(18).state, pins.pin(16).state, pins.pin(8).state) == (1, 0, 1)


def test_a_late_tick_goes_on_where_the_time_is(pins: Any) -> None:
    """A frame that takes long delays a lamp, and does not slow its rhythm down."""
    signaller = GpioSignaller(THREE)
    signaller.show(Signal.ILLEGAL, "w")
    seen = []
    for at_ms in (0, 180, 230, 510, 930, 1_000, 61_000, 61_200):
        signaller.tick(at_ms * MS)
        seen.append(pins.pin(18).state)
    assert seen == [1, 1, 0, 1, 0, 1, 1, 0]


def test_pins_are_written_only_when_they_change(pins: Any) -> None:
    signaller = GpioSignaller(THREE)
    signaller.show(Signal.ILLEGAL, "w")
    pins.pin(18).clear_states()
    for step in range(200):
        signaller.tick(step * 10 * MS)
    history = [state for _, state in pins.pin(18).states]
    assert history == [1, 0, 1, 0, 1, 0, 1, 0]


def test_one_lamp_a_side_takes_the_colour(pins: Any) -> None:
    signaller = GpioSignaller(ONE)
    signaller.show(Signal.CROWN_IT, "b")
    seen = []
    for step in range(12):
        signaller.tick(step * 100 * MS)
        seen.append(tuple(pins.pin(number).state for number in (16, 17, 18, 5, 6, 7)))
    rest, amber, dark = (0, 1, 0.4), (1, 0.5, 0), (0, 0, 0)
    on, off = (*rest, *amber), (*rest, *dark)
    assert seen == [on] * 6 + [off] * 2 + [on] * 2 + [off] * 2


def test_closing_puts_everything_out_and_lets_the_pins_go(pins: Any) -> None:
    signaller = GpioSignaller(THREE)
    signaller.show(Signal.RESULT)
    signaller.close()
    assert [pins.pin(number).state for number in [*NAMES.values(), 8]] == [0] * 7
    signaller.close()
    GpioSignaller(THREE).close()


@pytest.mark.parametrize(("volume", "levels"), [(100, {0, 1}), (40, {0, 0.4})])
def test_the_buzzer_is_as_loud_as_it_is_told(pins: Any, volume: int, levels: set[float]) -> None:
    signaller = GpioSignaller(THREE, volume)
    signaller.show(Signal.MISSED_CAPTURE, "b")
    sounded = []
    for step in range(32):
        signaller.tick(step * 100 * MS)
        sounded.append(pins.pin(8).state)
    assert set(sounded) == levels
    assert "".join("#" if level else "." for level in sounded) == "##..##" + DARK[6:]
    if volume < 100:
        assert pins.pin(8).frequency <= 10_000, "lgpio makes no more pulses"
    signaller.close()


def test_a_silent_buzzer_is_not_even_claimed(pins: Any) -> None:
    with gpiozero.LED(8):
        GpioSignaller(THREE, volume=0).close()


def test_a_pin_in_use_is_told_and_the_others_are_let_go(pins: Any) -> None:
    with gpiozero.LED(7):
        with pytest.raises(HardwareMissing, match=r"GPIOPinInUse.*pin GPIO7") as kept:
            GpioSignaller(THREE)
        with gpiozero.LED(16), gpiozero.LED(6):
            assert kept.traceback, "it keeps the signaller, which else would let them go when freed"


def test_without_pins_the_line_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(cls: object) -> None:
        raise gpiozero.BadPinFactory("no chip")

    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.setattr(gpiozero.Device, "_default_pin_factory", classmethod(none))
    with pytest.raises(HardwareMissing, match=r"^gpio: no pins .*no chip.*a Raspberry Pi"):
        by_name("gpio")


def test_without_gpiozero_the_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "gpiozero":
            raise ModuleNotFoundError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(HardwareMissing, match=r"gpiozero is not installed.*python3-gpiozero"):
        by_name("gpio")


def test_a_table_without_buzzer_is_silent(pins: Any) -> None:
    signaller = GpioSignaller(
        Pins(white=(16, 17, 18), black=(5, 6, 7), buzzer=None, clock_white=9, clock_black=10)
    )
    signaller.show(Signal.ILLEGAL, "w")
    assert watch(signaller, pins)["buzzer"] == DARK


def test_buttons_are_told_once_although_they_bounce(pins: Any) -> None:
    """Each bounce is a press to gpiozero's mock, whose ``bounce_time`` does nothing."""
    buttons = GpioButtons(THREE)
    pin = pins.pin(9)
    told: list[Press] = []
    for at_ms, closed in [(0, True), (3, False), (5, True), (9, False), (11, True)]:
        pin.drive_low() if closed else pin.drive_high()
        told += buttons.poll(at_ms * MS)
    for at_ms in range(12, 200, 5):
        told += buttons.poll(at_ms * MS)
    pin.drive_high()
    for at_ms in range(200, 300, 5):
        told += buttons.poll(at_ms * MS)
    assert told == [
        Press("clock_white", True, 0),
        Press("clock_white", False, 200 * MS),
    ]


def test_two_buttons_at_once_are_both_told(pins: Any) -> None:
    buttons = GpioButtons(THREE)
    pins.pin(10).drive_low()
    pins.pin(11).drive_low()
    assert buttons.poll(0) == ()
    assert buttons.poll(20 * MS) == (Press("clock_black", True, 0), Press("arbiter", True, 0))
    buttons.close()
    GpioButtons(THREE).close()


def test_a_table_without_buttons_has_none(pins: Any) -> None:
    buttons = GpioButtons(Pins(clock_white=None, clock_black=None, arbiter=None))
    assert buttons.poll(0) == ()
