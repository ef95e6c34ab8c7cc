"""Geometry of a nardi board: halves, bar, order of the points."""

import numpy as np
import pytest

from vision.errors import VisionError
from vision.nardi.board import (
    ALONG_PX,
    HALF_WH,
    POINT_PX,
    ROOM_X,
    ROOM_Y,
    NardiGeometry,
    half_picture,
    usual_order,
)

CORNERS = [[100, 50], [500, 50], [500, 350], [100, 350]]


def test_the_bar_lies_between_the_halves() -> None:
    geometry = NardiGeometry.from_corners(CORNERS, (0.45, 0.55))
    assert np.allclose(geometry.corners, CORNERS)
    assert np.allclose(geometry.halves[0, 1], [280, 50])
    assert np.allclose(geometry.halves[1, 3], [320, 350])
    assert geometry.bar == pytest.approx((0.45, 0.55))


def test_a_hinged_board_may_have_a_slanting_bar() -> None:
    geometry = NardiGeometry.from_corners(CORNERS, ((0.4, 0.5), (0.5, 0.6)))
    assert np.allclose(geometry.halves[0], [[100, 50], [260, 50], [300, 350], [100, 350]])


def test_places_on_a_half_come_back() -> None:
    slanted = [[120, 60], [480, 30], [560, 380], [60, 340]]
    geometry = NardiGeometry.from_corners(slanted)
    for half in (0, 1):
        places = np.array([[0.5, 0.1], [5.5, 0.9], [3.0, 0.5]])
        assert np.allclose(geometry.to_half(half, geometry.to_image(half, places)), places)


def test_half_a_turn_counts_from_the_other_side() -> None:
    geometry = NardiGeometry.from_corners(CORNERS, (0.3, 0.5))
    turned = geometry.turned(2)
    assert np.allclose(turned.corners, np.roll(CORNERS, -2, axis=0))
    assert turned.bar == pytest.approx((0.5, 0.7))
    for either in (geometry, turned):
        assert np.allclose(usual_order(either).corners, CORNERS)


def test_corners_that_cross_are_refused() -> None:
    with pytest.raises(VisionError, match="clockwise"):
        NardiGeometry.from_corners([[0, 0], [10, 10], [10, 0], [0, 10]])


def test_a_half_is_seen_from_straight_above() -> None:
    image = np.zeros((400, 600, 3), np.uint8)
    image[50:350, 100:280] = (0, 0, 90)
    # the third point of the upper row
    image[50:150, 160:190] = (255, 255, 255)
    seen = half_picture(image, NardiGeometry.from_corners(CORNERS, (0.45, 0.55)), 0)
    assert seen.shape == (HALF_WH[1], HALF_WH[0], 3)
    white = np.argwhere(seen.min(-1) > 128)
    (top, left), (bottom, right) = white.min(0), white.max(0)
    assert abs(left - (ROOM_X + 2 * POINT_PX)) <= 1
    assert abs(right - (ROOM_X + 3 * POINT_PX - 1)) <= 1
    assert abs(top - ROOM_Y) <= 1
    assert abs(bottom - (ROOM_Y + ALONG_PX / 3)) <= 2
