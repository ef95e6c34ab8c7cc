"""Men cut out one by one: in their middle, standing up, whichever way the board lies."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.synth.scene import camera_order
from tests.vision.test_crops import camera
from vision.crops import LIFT, view_board
from vision.geometry import BoardGeometry
from vision.men import MAN_PX, SCALE, UP, cut_men, how_seen, in_light


@pytest.mark.parametrize("azimuth", [0, 30, 100, 200])
@pytest.mark.parametrize("first", range(4))
def test_what_stands_up_leans_straight_up_from_the_middle(azimuth: int, first: int) -> None:
    """A dot at the men's height is in the middle, a higher one above, one on the board below."""
    eye = camera(45, azimuth, 8)
    corners = np.roll(camera_order(eye, 8)[0], first, axis=0)
    geometry = BoardGeometry(8, corners, 0.0, 0.0, (960, 720))
    spot = np.array([2.5, 5.5])
    at = geometry.to_board(eye.project(np.array([[*spot, 0.0]])))[0]
    square = int(at[1]) * 8 + int(at[0])
    for height in (0.0, LIFT, 2 * LIFT):
        image = np.zeros((720, 960, 3), np.uint8)
        place = eye.project(np.array([[*spot, height]]))[0]
        cv2.circle(
            image, (round(place[0] * 16), round(place[1] * 16)), 48, (255, 255, 255), -1, 16, 4
        )
        view = view_board(image, geometry)
        men = cut_men(image, geometry, view, np.array([square]))
        rows, columns = np.nonzero(men[0, :, :, 0] > 128)
        lean = float(how_seen(view, geometry.square_px())[square, 0])
        up = (height / LIFT - 1) * lean - UP
        assert abs(columns.mean() - (MAN_PX - 1) / 2) < 1.5
        assert abs(rows.mean() - ((MAN_PX - 1) / 2 - up * SCALE)) < 1.5


def test_light_squares_are_white_and_the_dark_is_dark() -> None:
    """Log ratios to the light: what is as bright as it is one value in any light."""
    men = np.zeros((2, MAN_PX, MAN_PX, 3), np.uint8)
    men[0], men[1] = 200, 44
    told = in_light(men, np.array([[206.0] * 3, [50.0] * 3], np.float32))
    assert told.shape == (2, 3, MAN_PX, MAN_PX)
    np.testing.assert_allclose(told[0], told[1], atol=1e-5)
    black = in_light(np.zeros_like(men), np.full((2, 3), 240.0, np.float32))
    assert black.max() < told.min()
    assert black.min() >= -1


def test_a_red_man_is_red_first() -> None:
    """The network's channels are red, green and blue."""
    men = np.zeros((1, MAN_PX, MAN_PX, 3), np.uint8)
    men[..., 2] = 180
    told = in_light(men, np.full((1, 3), 186.0, np.float32))
    assert told[0, 0].min() > told[0, 1].max()


def test_sharpness_says_how_many_pixels_a_square_has() -> None:
    """A coarse picture is told from a sharp one; sharper than the cut is no gain."""
    eye = camera(30, 0, 8)
    geometry = BoardGeometry(8, camera_order(eye, 8)[0], 0.0, 0.0, (960, 720))
    view = view_board(np.zeros((720, 960, 3), np.uint8), geometry)
    assert how_seen(view, 20.0)[0, 1] < how_seen(view, 30.0)[0, 1] < 0
    assert how_seen(view, 100.0)[0, 1] == how_seen(view, 60.0)[0, 1] == 0
