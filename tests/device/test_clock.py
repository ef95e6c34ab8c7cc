"""Clocks as values: every kind of control, presses, pauses, flags."""

import pytest

from device import clock
from device.clock import SECOND_NS, Clocks, Stage, control_of
from device.errors import BadConfig

MINUTE = 60 * SECOND_NS


def begun(text: str, at_s: float = 0.0) -> Clocks:
    """Clocks with White's time running."""
    return clock.run(clock.begin(control_of(text)), "w", ns(at_s))


def ns(seconds: float) -> int:
    return round(seconds * SECOND_NS)


def left(clocks: Clocks) -> tuple[float, float]:
    return clocks.left_ns[0] / SECOND_NS, clocks.left_ns[1] / SECOND_NS


@pytest.mark.parametrize(
    ("text", "stages"),
    [
        ("15", [Stage(0, 15 * MINUTE)]),
        ("25+5", [Stage(0, 25 * MINUTE, 5 * SECOND_NS)]),
        ("0.5d3", [Stage(0, 30 * SECOND_NS, 0, 3 * SECOND_NS)]),
        (
            "40/90+30, 30+30",
            [Stage(40, 90 * MINUTE, 30 * SECOND_NS), Stage(0, 30 * MINUTE, 30 * SECOND_NS)],
        ),
        ("50/120,25/60", [Stage(50, 120 * MINUTE), Stage(25, 60 * MINUTE)]),
    ],
)
def test_controls_as_people_write_them(text: str, stages: list[Stage]) -> None:
    assert control_of(text) == tuple(stages)


@pytest.mark.parametrize("text", ["", "0", "fast", "15+", "15,10", "-5", "15+5+5", "1e3", "15;5"])
def test_what_is_no_control_is_refused(text: str) -> None:
    with pytest.raises(BadConfig, match="time control"):
        control_of(text)


def test_time_runs_for_one_side_and_a_press_adds_the_increment() -> None:
    clocks = clock.press(begun("5+3"), "w", ns(10), "w")
    assert left(clocks) == (293, 300)
    clocks = clock.press(clocks, "b", ns(14), "b")
    assert left(clocks) == (293, 299)
    assert clocks.made == (1, 1)
    assert clocks.running == "w"


def test_a_delay_is_used_up_first_and_never_saved() -> None:
    clocks = begun("5d3")
    assert left(clock.advance(clocks, ns(2))) == (300, 300)
    assert left(clock.advance(clock.advance(clocks, ns(2)), ns(7))) == (296, 300)
    pressed = clock.press(clock.press(clocks, "w", ns(2), "w"), "b", ns(7), "b")
    assert left(pressed) == (300, 298)
    assert left(clock.advance(pressed, ns(11))) == (299, 298)


def test_moves_in_time_bring_the_next_stage_once() -> None:
    clocks = begun("2/1,1")
    for move in range(3):
        clocks = clock.press(clocks, "w", ns(20 * move + 10), "w")
        clocks = clock.press(clocks, "b", ns(20 * move + 20), "b")
        expected = (50, 50) if move == 0 else (100 - 10 * (move - 1), 100 - 10 * (move - 1))
        assert left(clocks) == expected


def test_a_press_while_the_other_ones_time_runs_does_nothing() -> None:
    clocks = clock.press(begun("5+3"), "b", ns(4), "w")
    assert (clocks.running, clocks.made, left(clocks)) == ("w", (0, 0), (296, 300))


def test_the_other_side_sets_the_first_clock_going() -> None:
    clocks = clock.press(clock.begin(control_of("5+3")), "b", ns(9), "w")
    assert (clocks.running, clocks.made, left(clocks)) == ("w", (0, 0), (300, 300))
    first = clock.press(clock.begin(control_of("5+3")), "w", ns(9), "w")
    assert (first.running, first.made, left(first)) == ("b", (1, 0), (303, 300))


def test_a_flag_falls_once_and_gets_no_more_time() -> None:
    clocks = clock.advance(begun("0.1+5"), ns(5.9))
    assert clocks.fallen == ()
    assert clocks.seconds("w") == 1
    clocks = clock.advance(clocks, ns(6))
    assert clocks.fallen == ("w",)
    assert clocks.seconds("w") == 0
    clocks = clock.press(clocks, "w", ns(7), "w")
    assert clocks.left("w") == 0
    assert clock.advance(clocks, ns(30)).fallen == ("w", "b")


def test_a_pause_costs_nobody_anything() -> None:
    clocks = clock.pause(begun("5d3"), ns(1))
    assert clocks.running is None
    assert clock.press(clocks, "w", ns(5), "w") == clock.advance(clocks, ns(5))
    clocks = clock.advance(clock.resume(clocks, ns(100)), ns(103))
    assert left(clocks) == (299, 300), "two seconds of the delay were left"


def test_a_press_can_be_made_void() -> None:
    pressed = clock.press(begun("1/5+3,10"), "w", ns(10), "w")
    assert left(pressed) == (893, 300)
    void = clock.void(pressed, "w", ns(12))
    assert (void.running, void.made, left(void)) == ("w", (0, 0), (290, 298))


def test_an_arbiter_sets_times_and_the_flag_stands_again() -> None:
    fallen = clock.advance(begun("0.1"), ns(7))
    again = clock.set_to(fallen, ns(60), ns(30))
    assert (again.fallen, left(again)) == ((), (60, 30))


def test_a_moment_that_is_over_changes_nothing() -> None:
    clocks = clock.advance(begun("5"), ns(10))
    assert clock.advance(clocks, ns(4)) == clocks
