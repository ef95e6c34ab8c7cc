import itertools
import json
import math

import numpy as np
import pytest

from vision.errors import VisionError
from vision.geometry import (
    BoardGeometry,
    bend,
    homography_from_points,
    order_corners,
    project,
    straighten,
)

SLANTED = [[100.0, 100.0], [500.0, 90.0], [560.0, 600.0], [40.0, 580.0]]


def test_an_upright_board_is_a_plain_scale() -> None:
    board = BoardGeometry(8, np.array([[10, 20], [810, 20], [810, 820], [10, 820]]))
    assert board.to_image([[0.0, 0.0], [8.0, 8.0], [2.5, 1.0]]) == pytest.approx(
        np.array([[10, 20], [810, 820], [260, 120]])
    )
    assert board.to_board([[110, 220]]) == pytest.approx(np.array([[1, 2]]))
    assert board.square_px() == pytest.approx(100)


def test_the_middle_of_a_slanted_board_lies_where_its_diagonals_cross() -> None:
    # a projectivity keeps lines, and the diagonals of a square cross in its middle
    (x1, y1), (x2, y2), (x3, y3), (x4, y4) = SLANTED
    t = ((x2 - x1) * (y2 - y4) - (y2 - y1) * (x2 - x4)) / (
        (x3 - x1) * (y2 - y4) - (y3 - y1) * (x2 - x4)
    )
    crossing = [x1 + t * (x3 - x1), y1 + t * (y3 - y1)]
    board = BoardGeometry(10, np.array(SLANTED))
    assert board.to_image([5, 5]) == pytest.approx(np.array(crossing))


@pytest.mark.parametrize("k1", [-0.14, 0.0, 0.08])
def test_there_and_back(k1: float) -> None:
    board = BoardGeometry(8, np.array(SLANTED), k1=k1, image_wh=(640, 640))
    spots = np.random.default_rng(1).uniform(0, 8, (40, 2))
    assert board.to_board(board.to_image(spots)) == pytest.approx(spots, abs=1e-9)
    corners = board.to_image([[0, 0], [8, 0], [8, 8], [0, 8]])
    assert corners == pytest.approx(np.array(SLANTED), abs=1e-6)


def test_a_barrel_lens_draws_the_rim_inwards_and_leaves_the_middle() -> None:
    # division model: a pixel one half diagonal from the middle stands for one at 1 / (1 + k1)
    size = (641, 481)
    middle = np.array([320.0, 240.0])
    unit = math.hypot(641, 481) / 2
    rim = middle + unit * np.array([0.6, 0.8])
    assert straighten(middle, -0.2, size) == pytest.approx(middle)
    assert straighten(rim, -0.2, size) == pytest.approx(middle + (rim - middle) / 0.8)
    assert bend(straighten(rim, -0.2, size), -0.2, size) == pytest.approx(rim)


def test_points_behind_the_camera_are_nowhere() -> None:
    board = BoardGeometry(8, np.array([[300, 100], [340, 100], [640, 600], [0, 600]]))
    assert np.isfinite(board.to_image([4, 8])).all()
    assert np.isnan(board.to_image([4, 9])).all()


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("mirrored", [False, True])
def test_corners_come_clockwise_from_the_top_left(turn: int, mirrored: bool) -> None:
    given = np.roll(np.array(SLANTED), turn, axis=0)
    given = given[::-1] if mirrored else given
    assert order_corners(given).tolist() == SLANTED
    assert BoardGeometry.from_corners(8, given).corners.tolist() == SLANTED


def test_the_first_corner_is_the_nearest_to_the_top_left_pixel() -> None:
    diamond = [[300, 40], [560, 300], [300, 560], [40, 310]]
    # 300, 40 is 302.7 px away, 40, 310 is 312.6
    assert order_corners(diamond)[0].tolist() == [300, 40]


def test_json_keeps_every_bit() -> None:
    board = BoardGeometry(10, np.array(SLANTED) + 1 / 3, 0.012345678901, -0.07, (1280, 960))
    again = BoardGeometry.from_json(json.loads(json.dumps(board.to_json())))
    assert again == board
    assert hash(again) == hash(board)
    assert again != BoardGeometry(8, board.corners, board.residual, board.k1, board.image_wh)


def test_corners_cannot_be_written() -> None:
    board = BoardGeometry(8, np.array(SLANTED))
    with pytest.raises(ValueError, match="read-only"):
        board.corners[0, 0] = 1


def test_a_resized_picture_keeps_its_pixels_places() -> None:
    # the outer rim of a picture, at -0.5 and 639.5, stays its rim
    rim = [[-0.5, -0.5], [639.5, -0.5], [639.5, 639.5], [-0.5, 639.5]]
    half = BoardGeometry(8, np.array(rim), k1=-0.05, image_wh=(640, 640)).scaled(0.5)
    assert half.corners.tolist() == [[-0.5, -0.5], [319.5, -0.5], [319.5, 319.5], [-0.5, 319.5]]
    assert half.image_wh == (320, 320)


@pytest.mark.parametrize(
    "corners",
    [
        pytest.param([[0, 0], [9, 0], [9, 9]], id="three"),
        pytest.param([[0, 0], [9, 0], [9, 9], [0, float("nan")]], id="not a number"),
        pytest.param([[0, 0], [0, 9], [9, 9], [9, 0]], id="anticlockwise"),
        pytest.param([[0, 0], [9, 0], [0, 9], [9, 9]], id="crossed"),
        pytest.param([[0, 0], [9, 0], [2, 2], [0, 9]], id="dented"),
        pytest.param([[0, 0], [3, 0], [6, 0], [9, 0]], id="on a line"),
    ],
)
def test_impossible_corners_are_refused(corners: list[list[float]]) -> None:
    with pytest.raises(VisionError, match="expected"):
        BoardGeometry(8, np.array(corners, np.float64))


def test_a_lens_needs_the_size_of_the_picture() -> None:
    with pytest.raises(VisionError, match="image_wh"):
        BoardGeometry(8, np.array(SLANTED), k1=-0.1)


@pytest.mark.parametrize("row", [{}, {"size": 8, "corners": [], "residual": 0, "k1": 0}])
def test_json_of_something_else_is_refused(row: dict[str, object]) -> None:
    with pytest.raises(VisionError, match="board geometry"):
        BoardGeometry.from_json(row)


def test_many_points_are_fitted_by_least_squares() -> None:
    truth = np.array([[40, 3, 100], [-2, 38, 120], [0.001, 0.002, 1]])
    grid = np.stack(np.meshgrid(np.arange(9.0), np.arange(9.0)), axis=-1).reshape(-1, 2)
    noise = np.random.default_rng(2).normal(0, 0.3, grid.shape)
    found = homography_from_points(grid, project(truth, grid) + noise)
    assert np.abs(project(found, grid) - project(truth, grid)).max() < 0.5


CLICKED = np.array([[100.0, 90], [500, 95], [490, 480], [-12, 470]])


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_clicks_in_any_order_make_one_board(order: tuple[int, ...]) -> None:
    made = BoardGeometry.from_corners(8, CLICKED[list(order)])
    np.testing.assert_array_equal(made.corners, CLICKED)


@pytest.mark.parametrize(
    ("corners", "says"),
    [
        ([[0, 0], [90, 0], [90, 90]], "without a dent"),
        ([[0, 0], [90, 0], [90, 90], [0, float("nan")]], "without a dent"),
        ([[0, 0], [90, 0], [30, 30], [0, 90]], "without a dent"),
        ([[0, 0], [90, 0], [90, 0], [0, 90]], "without a dent"),
        ([[0, 0], [30, 0], [60, 0], [90, 0]], "without a dent"),
        ([[0, 0], [31, 0], [31, 31], [0, 31]], "3.9 pixels wide; expected 4 pixels"),
        ([[0, 0], [900, 0], [900, 20], [0, 20]], "2.5 pixels wide; expected 4 pixels"),
    ],
)
def test_clicks_that_are_no_board_are_refused(corners: list[list[float]], says: str) -> None:
    with pytest.raises(VisionError, match=says) as caught:
        BoardGeometry.from_corners(8, corners)
    assert str(caught.value).startswith("four corners: ")
