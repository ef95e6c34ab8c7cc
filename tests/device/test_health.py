"""Pictures that stand still or show nothing are told from those of a quiet table."""

import math

import numpy as np
import pytest

from device.health import SECOND_NS, Doubt, Meter, Pace

RANDOM = np.random.default_rng(5)
BOARD = (np.indices((270, 480)).sum(0) % 32 * 6).astype(np.uint8)


def noisy(image: np.ndarray, spread: int = 3) -> np.ndarray:
    return np.clip(image + RANDOM.integers(0, spread, image.shape), 0, 255).astype(np.uint8)


def said(pictures: list[np.ndarray], step_s: float = 1.0) -> list[str]:
    doubt = Doubt()
    return [doubt.about(p, round(i * step_s * SECOND_NS)) for i, p in enumerate(pictures)]


def test_a_quiet_table_is_no_frozen_picture() -> None:
    assert set(said([noisy(BOARD) for _ in range(60)])) == {""}


def test_a_frozen_picture_is_said_after_five_seconds_and_no_longer_when_it_lives() -> None:
    told = said([*[BOARD] * 7, noisy(BOARD), noisy(BOARD)])
    assert told == [""] * 5 + ["the picture stands still"] * 2 + [""] * 2


def test_the_same_picture_twice_in_a_short_time_is_none() -> None:
    assert set(said([BOARD] * 12, step_s=0.2)) == {""}


@pytest.mark.parametrize("tone", [0, 128, 255])
def test_a_covered_lens_is_said_although_its_sensor_has_noise(tone: int) -> None:
    flat = np.full((270, 480), tone, np.uint8)
    told = said([noisy(flat, 2) for _ in range(7)])
    assert told[:5] == [""] * 5
    assert all("one tone" in reason for reason in told[5:])


def test_a_dark_room_still_shows_something() -> None:
    assert set(said([noisy(BOARD // 20) for _ in range(10)])) == {""}


def test_colour_pictures_are_looked_at_too() -> None:
    coloured = np.stack([BOARD] * 3, axis=2)
    assert said([coloured] * 7)[-1] == "the picture stands still"


def test_the_pace_of_pictures() -> None:
    meter = Meter()
    assert meter.pace(0) == Pace(0.0, math.inf)
    for count in range(11):
        meter.took(count * SECOND_NS // 5)
    pace = meter.pace(2 * SECOND_NS + SECOND_NS // 2)
    assert pace.fps == pytest.approx(5.0)
    assert pace.age_s == pytest.approx(0.5)
    assert meter.pace(60 * SECOND_NS).fps == 0.0
