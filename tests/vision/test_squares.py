"""What is known of a game besides its pictures."""

from __future__ import annotations

import numpy as np

from vision.squares import STRAY, less_strays, lightness


def test_a_doubtful_piece_where_nobody_plays_counts_less_and_a_clear_one_hardly() -> None:
    doubtful, clear = [0.5, 0.4, 0.02, 0.04, 0.04], [1e-5, 1e-5, 1e-5, 0.99996, 1e-5]
    scores = np.log(np.array([doubtful, clear, doubtful, clear], np.float32))
    light = np.array([1, 1, 0, 0], np.float32)
    on_dark = np.exp(less_strays(scores, light, True))
    np.testing.assert_allclose(on_dark.sum(axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(on_dark[2:], np.exp(scores[2:]), atol=1e-5)
    odds = on_dark[0, 0] / on_dark[0, 1:].sum()
    np.testing.assert_allclose(odds, np.exp(STRAY), rtol=1e-3)
    assert on_dark[1, 3] > 0.99
    on_light = np.exp(less_strays(scores, light, False))
    np.testing.assert_allclose(on_light[:2], np.exp(scores[:2]), atol=1e-5)


def test_green_men_look_lighter_than_red_ones_of_a_larger_mean() -> None:
    red, green = np.log(np.array([[0.7, 0.15, 0.15], [0.1, 0.5, 0.12]], np.float32))
    assert red.mean() > green.mean()
    light = lightness(np.stack([red, green]))
    assert light[1] > light[0]
    np.testing.assert_allclose(lightness(np.log([[0.3, 0.3, 0.3]])), np.log(0.3), rtol=1e-5)
