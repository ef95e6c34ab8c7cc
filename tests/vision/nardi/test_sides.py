"""Sides by the picture's own colours."""

import numpy as np
import pytest

from vision.nardi.sides import Colours, Patches, side_odds


def patches(colours: dict[int, tuple[float, float, float]], guess: dict[int, float]) -> Patches:
    """Ten cells a point around a colour (CIELAB), with the network's guess for each point."""
    rng = np.random.default_rng(1)
    lab, point, told = [], [], []
    for where, colour in colours.items():
        lab.append(np.array(colour) + rng.normal(0, 3, (10, 3)))
        point += [where] * 10
        told += [guess.get(where, 0.0)] * 10
    return Patches(
        np.concatenate(lab).astype(np.float32),
        np.ones(len(point), np.float32),
        np.array(point),
        np.array(told, np.float32),
    )


LIGHT, DARK = (80.0, 5.0, 15.0), (30.0, 10.0, 5.0)


def test_the_lighter_group_is_the_lighter_side() -> None:
    seen = patches({0: LIGHT, 5: DARK, 7: LIGHT, 20: DARK}, {0: 1.0, 5: -1.0})
    odds, colours = side_odds(seen, 24)
    assert (odds[[0, 7]] > 3).all()
    assert (odds[[5, 20]] < -3).all()
    assert (odds[[1, 2, 23]] == 0).all()
    assert colours.told
    assert colours.light[0] == pytest.approx(80, abs=3)


def test_one_wrong_guess_of_the_network_is_put_right_by_the_colour() -> None:
    colours = {p: LIGHT if p % 2 else DARK for p in range(8)}
    guess = {p: 1.5 if p % 2 else -1.5 for p in range(8)}
    guess[3] = -2.0
    odds, _ = side_odds(patches(colours, guess), 24)
    assert odds[3] > 3


def test_guesses_that_call_the_lighter_side_the_darker_are_turned_round() -> None:
    odds, colours = side_odds(patches({0: LIGHT, 1: DARK}, {0: -2.0, 1: 2.0}), 24)
    assert odds[0] > 0 > odds[1]
    assert colours.light[0] > colours.dark[0]


def test_a_lone_side_is_not_split() -> None:
    seen = patches({p: DARK for p in range(6)}, {0: -0.5, 1: 0.5})
    odds, colours = side_odds(seen, 24)
    assert not colours.told
    assert np.ptp(odds[:6]) < 0.01
    assert np.abs(odds).max() < 3


def test_a_known_set_tells_a_lone_side() -> None:
    seen = patches({p: DARK for p in range(6)}, {p: 1.0 for p in range(6)})
    odds, _ = side_odds(seen, 24, Colours(LIGHT, DARK))
    assert (odds[:6] < -3).all()


def test_sides_of_one_lightness_stay_doubtful() -> None:
    red, green = (50.0, 55.0, 30.0), (51.0, -40.0, 30.0)
    odds, _ = side_odds(patches({0: red, 1: green}, {0: -1.0, 1: 1.0}), 24)
    assert np.abs(odds).max() < 3
    known, _ = side_odds(patches({0: red, 1: green}, {}), 24, Colours(green, red))
    assert known[0] < -3 < 3 < known[1]


def test_nothing_seen_gives_no_side() -> None:
    empty = Patches(
        np.zeros((0, 3), np.float32),
        np.zeros(0, np.float32),
        np.zeros(0, np.intp),
        np.zeros(0, np.float32),
    )
    odds, colours = side_odds(empty, 24)
    assert (odds == 0).all()
    assert not colours.told
