"""How a board is compared with what it was."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.crops import GROUND_PX
from vision.geometry import BoardGeometry
from vision.track import changed, drift, furthest, in_order_of, moved

Floats = NDArray[np.float32]


def ground(size: int, shift: tuple[float, float] = (0.0, 0.0), men: int = 2) -> Floats:
    """Log brightness of a board with rows of men, moved by some squares."""
    px = 4 * GROUND_PX
    n = size + 2
    squares = np.where(np.add.outer(np.arange(n), np.arange(n)) % 2, 4.2, 5.3)
    fine = np.kron(squares, np.ones((px, px))).astype(np.float32)
    for row in range(1, men + 1):
        for column in range(1, n - 1):
            if (row + column) % 2:
                at = (column * px + px // 2, row * px + px // 2)
                cv2.circle(fine, at, px // 3, 2.5, -1, cv2.LINE_AA)
    m = np.array([[1, 0, shift[0] * px], [0, 1, shift[1] * px]], np.float64)
    seen = cv2.warpAffine(fine, m, fine.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
    small = cv2.resize(seen, (n * GROUND_PX,) * 2, interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(small[GROUND_PX:-GROUND_PX, GROUND_PX:-GROUND_PX], np.float32)


def nothing_covered(size: int) -> NDArray[np.bool_]:
    return np.zeros(size * size, bool)


@pytest.mark.parametrize("size", [8, 10])
def test_a_still_board_is_alike_in_any_light_and_noise(size: int) -> None:
    before = ground(size)
    noise = np.random.default_rng(1).normal(0, 0.02, before.shape).astype(np.float32)
    kept = before.copy()
    same = drift(before, before + 0.5 + noise, nothing_covered(size))
    assert same.likeness > 0.97
    assert same.far < 0.02
    np.testing.assert_array_equal(before, kept)


@pytest.mark.parametrize("size", [8, 10])
@pytest.mark.parametrize("shift", [(0.25, 0.0), (-0.2, 0.3)])
def test_a_shift_is_measured_and_the_board_less_alike(
    size: int, shift: tuple[float, float]
) -> None:
    gone = drift(ground(size), ground(size, shift), nothing_covered(size))
    np.testing.assert_allclose(gone.shift, shift, atol=0.06)
    assert gone.likeness < 0.6


def test_what_is_covered_counts_for_nothing() -> None:
    before, now = ground(8), ground(8)
    covered = nothing_covered(8).reshape(8, 8)
    covered[2:5, 1:7] = True
    rng = np.random.default_rng(2)
    px = GROUND_PX
    now[2 * px : 5 * px, px : 7 * px] += rng.normal(0, 2, (3 * px, 6 * px)).astype(np.float32)
    assert drift(before, now, covered.ravel()).likeness > 0.9
    assert drift(before, now, nothing_covered(8)).likeness < 0.7


def test_a_move_changes_two_squares() -> None:
    before, now = ground(8), ground(8)
    px = GROUND_PX
    now[:px, px : 2 * px], now[4 * px : 5 * px, px : 2 * px] = 4.2, 2.5
    assert changed(before, now) == pytest.approx(2 / 64)
    assert drift(before, now, nothing_covered(8)).likeness > 0.85


def test_moved_in_the_board_s_own_directions() -> None:
    corners = np.array([[100, 0], [200, 100], [100, 200], [0, 100.0]])
    board = BoardGeometry(10, corners)
    np.testing.assert_allclose(moved(board, (1, 0)).corners, corners + 10)
    np.testing.assert_allclose(moved(board, (0, 2)).corners, corners + np.array([-20, 20]))
    assert furthest(moved(board, (1, 0)), board) == pytest.approx(1.0)


def test_the_first_corner_stays_the_first() -> None:
    corners = np.array([[100, 0], [200, 100], [100, 200], [0, 100.0]])
    for turns in range(4):
        other = BoardGeometry(8, np.roll(corners + 3, turns, axis=0))
        np.testing.assert_array_equal(
            in_order_of(other, BoardGeometry(8, corners)).corners, corners + 3
        )
