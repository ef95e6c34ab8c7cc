"""Debouncing with a clock that the test holds, and the wiring's settings."""

import pytest

from device.buttons import Debouncer, NoButtons
from device.errors import BadConfig
from device.hardware import MonotonicClock, buttons_by_name
from device.pins import Pins

MS = 1_000_000


def run(*levels: tuple[int, int]) -> list[tuple[int, int]]:
    """Feed (milliseconds, level); what was believed, as (when it was told, when it began)."""
    debouncer = Debouncer(20 * MS)
    told = []
    for at_ms, level in levels:
        began = debouncer.update(bool(level), at_ms * MS)
        if began is not None:
            told.append((at_ms, began // MS))
    return told


@pytest.mark.parametrize(
    ("levels", "told"),
    [
        pytest.param([(0, 0), (50, 0)], [], id="never pressed"),
        pytest.param([(0, 1), (19, 1)], [], id="not yet stable"),
        pytest.param([(0, 1), (20, 1), (25, 1)], [(20, 0)], id="clean press, told once"),
        pytest.param([(0, 1), (5, 0), (7, 1), (26, 1), (27, 1)], [(27, 0)], id="bounces"),
        pytest.param([(0, 1), (5, 0), (30, 0), (60, 0)], [], id="a glitch is forgotten"),
        pytest.param(
            [(0, 1), (5, 0), (30, 0), (40, 1), (60, 1)], [(60, 40)], id="a glitch before a press"
        ),
        pytest.param(
            [(0, 1), (20, 1), (90, 0), (95, 1), (97, 0), (117, 0)],
            [(20, 0), (117, 90)],
            id="release bounces too",
        ),
        pytest.param([(0, 1), (500, 1)], [(500, 0)], id="polled late"),
        pytest.param([(0, 1), (20, 1), (30, 0), (35, 1), (90, 1)], [(20, 0)], id="held through"),
    ],
)
def test_a_contact_is_believed_when_it_stands_still(
    levels: list[tuple[int, int]], told: list[tuple[int, int]]
) -> None:
    assert run(*levels) == told


def test_a_table_may_have_no_buttons() -> None:
    buttons = buttons_by_name("none")
    assert isinstance(buttons, NoButtons)
    assert buttons.poll(0) == ()
    buttons.close()
    with pytest.raises(BadConfig, match=r"unknown buttons 'keys'.*gpio or none"):
        buttons_by_name("keys")


def test_the_clock_never_goes_back() -> None:
    clock = MonotonicClock()
    times = [clock.now_ns() for _ in range(100)]
    assert times == sorted(times)


def test_settings_stand_in_for_the_wiring_of_the_readme() -> None:
    pins = Pins.of({"white": [2, 3, 4], "buzzer": None, "rgb": True})
    assert (pins.white, pins.black, pins.buzzer, pins.rgb) == ((2, 3, 4), (23, 24, 25), None, True)


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"lamp": 3}, r"^pins: unknown setting 'lamp'; expected one of white, black"),
        ({"white": [2, 3]}, r"^pins\.white: \[2, 3\]; expected three BCM numbers"),
        ({"white": [2, 3, 28]}, r"^pins\.white: pin 28; expected a BCM number from 0 to 27"),
        ({"buzzer": "18"}, r"^pins\.buzzer: pin '18'; expected a BCM number"),
        ({"buzzer": True}, r"^pins\.buzzer: pin True; expected a BCM number"),
        ({"arbiter": 17}, r"^pins\.arbiter: pin 17 is taken by pins\.white; expected a pin of"),
        ({"rgb": 1}, r"^pins\.rgb: 1; expected true or false"),
    ],
)
def test_bad_settings_name_the_key(settings: dict[str, object], line: str) -> None:
    with pytest.raises(BadConfig, match=line):
        Pins.of(settings)
