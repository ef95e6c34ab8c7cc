"""The table of signals: each one told from the others without colour, and none that harms."""

import io
from itertools import combinations
from pathlib import Path

import pytest

from device.console import ConsoleSignaller
from device.errors import BadConfig
from device.signals import PATTERNS, STEP_NS, Lamp, NoSignaller, Shown, Signal, by_name, shown_at

#: Steps in which every pattern has repeated itself several times.
LONG = 120
EACH = list(Signal)


def light(signal: Signal, steps: int = LONG) -> str:
    """The rhythm of the light, whatever its place and colour."""
    lamps = [shown_at(signal, step * STEP_NS).lamp for step in range(steps)]
    return "".join("." if lamp is Lamp.NONE else "#" for lamp in lamps)


def flashes(rhythm: str) -> list[int]:
    """Steps at which the light goes on."""
    return [i for i, (a, b) in enumerate(zip("." + rhythm, rhythm, strict=False)) if a + b == ".#"]


def test_every_signal_has_a_pattern() -> None:
    assert set(PATTERNS) == set(Signal)


def test_rhythms_are_written_in_two_characters() -> None:
    for pattern in PATTERNS.values():
        assert set(pattern.once + pattern.then + pattern.sound) <= {"#", "."}
        assert pattern.then


@pytest.mark.parametrize(("a", "b"), [*combinations(EACH, 2)], ids=lambda s: s.value)
def test_two_signals_are_told_apart_without_colour_place_or_sound(a: Signal, b: Signal) -> None:
    assert light(a) != light(b)


#: What stays until something is done: it must be told apart by one who looks up late.
LASTING = [s for s in EACH if s is not Signal.LEGAL]


@pytest.mark.parametrize(("a", "b"), [*combinations(LASTING, 2)], ids=lambda s: s.value)
def test_two_signals_are_told_apart_by_one_who_looks_up_late(a: Signal, b: Signal) -> None:
    """However the two are shifted in time, they differ within three seconds of looking."""
    then_a, then_b = (PATTERNS[s].then * 40 for s in (a, b))
    assert all(
        then_a[i : i + 30] != then_b[j : j + 30]
        for i in range(len(PATTERNS[a].then))
        for j in range(len(PATTERNS[b].then))
    )


@pytest.mark.parametrize("signal", [s for s in EACH if s is not Signal.OFF], ids=lambda s: s.value)
def test_a_dark_lamp_means_off_and_nothing_else(signal: Signal) -> None:
    """No signal but OFF is dark for as long as a second."""
    assert "." * 10 not in light(signal)


def test_off_is_dark_and_silent() -> None:
    assert {shown_at(Signal.OFF, i * STEP_NS) for i in range(LONG)} == {Shown(Lamp.NONE, False)}


@pytest.mark.parametrize("signal", EACH, ids=lambda s: s.value)
def test_no_more_than_three_flashes_in_any_second(signal: Signal) -> None:
    """WCAG 2.2, success criterion 2.3.1."""
    starts = flashes(light(signal))
    assert all(len([s for s in starts if first <= s < first + 10]) <= 3 for first in range(LONG))


@pytest.mark.parametrize("signal", EACH, ids=lambda s: s.value)
def test_the_buzzer_sounds_once_and_is_silent_within_two_seconds(signal: Signal) -> None:
    sounds = "".join("#" if shown_at(signal, i * STEP_NS).sound else "." for i in range(LONG))
    assert "#" not in sounds[20:]


def test_what_is_only_doubt_makes_no_sound() -> None:
    """A hand over the board is no alarm."""
    assert PATTERNS[Signal.CANNOT_SEE].sound == ""
    assert PATTERNS[Signal.LEGAL].sound == ""


def test_after_a_legal_move_the_lamp_is_the_one_of_ready() -> None:
    late = 20 * STEP_NS
    assert shown_at(Signal.LEGAL, late) == shown_at(Signal.READY, late) == Shown(Lamp.GOOD, False)


@pytest.mark.parametrize(
    ("elapsed_ms", "lit"),
    [(0, True), (199, True), (200, False), (499, False), (500, True), (5_000, True)],
)
def test_a_step_lasts_a_tenth_of_a_second(elapsed_ms: int, lit: bool) -> None:
    shown = shown_at(Signal.ILLEGAL, elapsed_ms * 1_000_000)
    assert (shown.lamp is Lamp.WRONG) is lit


def test_the_console_writes_one_line_for_each_signal() -> None:
    stream = io.StringIO()
    console = ConsoleSignaller(stream)
    console.show(Signal.READY)
    console.show(Signal.MISSED_CAPTURE, "b")
    console.tick(1)
    console.close()
    assert stream.getvalue().splitlines() == [
        "[ready] Both: I see the board; play",
        "[missed-capture] Black: a capture was due and was missed",
    ]


def test_the_console_leaves_standard_output_to_the_events(
    capsys: pytest.CaptureFixture[str],
) -> None:
    by_name("console").show(Signal.FLAG, "w")
    out, err = capsys.readouterr()
    assert (out, err) == ("", "[flag] White: the time is over\n")


def test_signallers_go_by_name() -> None:
    assert isinstance(by_name("none"), NoSignaller)
    with pytest.raises(BadConfig, match=r"unknown signaller 'lamps'.*console, gpio or none"):
        by_name("lamps")


def test_the_readme_shows_the_table_as_it_is() -> None:
    text = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    for signal, pattern in PATTERNS.items():
        sound = f"`{pattern.sound}`" if pattern.sound else "silent"
        cells = (signal.value, pattern.lamp.value, f"`{pattern.then}`", sound, pattern.meaning)
        assert f"| {' | '.join(cells)} |" in text
