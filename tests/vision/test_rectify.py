import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.geometry import BoardGeometry
from vision.rectify import cut, rectify

Image = NDArray[np.uint8]
UPRIGHT = BoardGeometry(8, np.array([[99.5, 49.5], [499.5, 49.5], [499.5, 449.5], [99.5, 449.5]]))


def coloured() -> Image:
    """Squares of 50 pixels, each of a colour that says which it is, on gray."""
    out = np.full((520, 640, 3), 128, np.uint8)
    for row in range(8):
        for column in range(8):
            box = out[50 + 50 * row : 100 + 50 * row, 100 + 50 * column : 150 + 50 * column]
            box[:] = (30 * row, 30 * column, 200)
    return out


@pytest.mark.parametrize("px", [20, 50, 48])
def test_every_square_lands_in_its_place(px: int) -> None:
    board = rectify(coloured(), UPRIGHT, px)
    assert board.shape == (8 * px, 8 * px, 3)
    middles = board[px // 2 :: px, px // 2 :: px]
    rows, columns = np.mgrid[:8, :8]
    assert (middles[..., 0] == 30 * rows).all()
    assert (middles[..., 1] == 30 * columns).all()


def test_a_copy_at_its_own_scale_is_exact() -> None:
    image = coloured()
    assert (rectify(image, UPRIGHT, 50) == image[50:450, 100:500]).all()
    with_rim = rectify(image, UPRIGHT, 50, margin=0.4)
    assert (with_rim == image[30:470, 80:520]).all()


def test_the_border_repeats_beyond_the_picture() -> None:
    corner = BoardGeometry(8, UPRIGHT.corners - (100, 50))
    image = coloured()[50:, 100:]
    seen = rectify(np.ascontiguousarray(image), corner, 50, margin=0.5)
    assert (seen[:25, 30] == image[0, 5]).all()


@pytest.mark.parametrize("k1", [0.0, -0.12])
def test_a_slanted_bent_board_comes_out_straight(k1: float) -> None:
    slanted = BoardGeometry(
        8, np.array([[200, 60], [480, 90], [600, 500], [60, 430]]), k1=k1, image_wh=(640, 520)
    )
    y, x = np.mgrid[:520, :640].astype(np.float64)
    places = slanted.to_board(np.stack([x, y], axis=-1))
    image = np.zeros((520, 640, 3), np.uint8)
    image[..., :2] = np.rint(np.clip(np.nan_to_num(places) * 25 + 20, 0, 255))
    board = rectify(image, slanted, 40)
    steps = (np.arange(320) + 0.5) / 40 * 25 + 20
    assert np.abs(board[..., 0] - steps[None, :]).max() < 2.5
    assert np.abs(board[..., 1] - steps[:, None]).max() < 2.5
    # half a pixel would be 0.31
    assert abs(float((board[..., 0] - steps[None, :]).mean())) < 0.15


@pytest.mark.parametrize(("px", "margin"), [(48, 1 / 3), (40, 0.0), (33, 0.25)])
def test_crops_are_row_by_row_with_the_square_in_the_middle(px: int, margin: float) -> None:
    crops = cut(coloured(), UPRIGHT, px, margin)
    assert crops.shape == (64, px, px, 3)
    rows, columns = np.divmod(np.arange(64), 8)
    assert (crops[:, px // 2, px // 2, 0] == 30 * rows).all()
    assert (crops[:, px // 2, px // 2, 1] == 30 * columns).all()
    inner = px / (1 + 2 * margin)
    own = (crops == crops[:, px // 2, px // 2][:, None, None]).all(axis=-1)
    # the middle square is as large as the margin leaves it, to a pixel at either end
    assert own[:, px // 2].sum(axis=1) == pytest.approx(inner, abs=2)


def test_neighbours_show_in_the_margin() -> None:
    crop = cut(coloured(), UPRIGHT, 48, 1 / 3)[3 * 8 + 4]
    assert crop[24, 2].tolist() == [90, 90, 200]  # row 3, column 3, to the left
    assert crop[2, 24].tolist() == [60, 120, 200]  # row 2, column 4, above


def test_fine_noise_does_not_come_through_when_shrunk() -> None:
    # white noise of spread 60, averaged over about 3 x 3 pixels, is left with a third of it
    noise = np.random.default_rng(0).normal(128, 60, (1600, 1600)).clip(0, 255).astype(np.uint8)
    image = cv2.merge([noise, noise, noise])
    whole = BoardGeometry(8, np.array([[0, 0], [1599, 0], [1599, 1599], [0, 1599]]))
    assert rectify(np.asarray(image, np.uint8), whole, 40).std() < 25
