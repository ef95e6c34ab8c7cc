"""Frames to percepts: following the board, and what is remembered."""

from __future__ import annotations

from typing import Any, cast

import cv2
import numpy as np
import pytest

from vision.calibrate import Calibration, Refusal
from vision.crops import SQUARE_PX
from vision.frame import Frame
from vision.model import SquareModel, Support
from vision.perceiver import Perceiver
from vision.percept import CLASSES

PX, ROOM = 60, 130
START = [
    ".b.b.b.b", "b.b.b.b.", ".b.b.b.b", "........", "........", "w.w.w.w.", ".w.w.w.w", "w.w.w.w.",
]  # fmt: skip


class ColourEyes:
    """Compares colours of the middles of squares; magenta is a hand."""

    width = 3
    sha256 = "5" * 64
    ranks = None  # told by the same eyes
    compared: list[Support]

    def __init__(self) -> None:
        self.compared = []

    def describe(self, pixels: np.ndarray, tilt: float) -> tuple[np.ndarray, np.ndarray]:
        n = pixels.shape[1] // SQUARE_PX - 1
        tiles = pixels[:, 16:-16, 16:-16].reshape(3, n, SQUARE_PX, n, SQUARE_PX)
        # as log ratios to the light, blue first
        made = 2 * tiles[::-1, :, 12:20, :, 12:20].mean(axis=(2, 4)).reshape(3, -1).T - 1
        hand = (made[:, 1] < made[:, 0] - 0.9) & (made[:, 1] < made[:, 2] - 0.9)
        return made.astype(np.float32), np.where(hand, 8.0, -8.0).astype(np.float32)

    def compare(self, made: np.ndarray, light: np.ndarray, support: Support) -> np.ndarray:
        self.compared.append(support)
        scores = np.full((len(made), 5), -12.0)
        usual = {0: -0.6, 1: 0.0, 2: 0.45, 3: -1.2}
        for kind, index in enumerate((0, 0, 1, 3)):
            rows = support.weights[:, kind] > 0 if len(support.made) else np.zeros(0, bool)
            mean = support.made[rows].mean(axis=0) if rows.any() else np.full(3, usual[kind])
            far = ((made - mean) ** 2).sum(axis=1) * 6
            fits = kind > 1 or light == kind
            scores[:, index] = np.where(fits, np.maximum(scores[:, index], -far), scores[:, index])
        return np.asarray(scores - np.log(np.exp(scores).sum(axis=1, keepdims=True)), np.float32)


def eyes(**more: Any) -> Perceiver:
    return Perceiver(8, cast(SquareModel, ColourEyes()), **more)


@pytest.fixture(autouse=True)
def _stub_counts_as_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.perceiver.SquareModel", ColourEyes)


def draw(grid: list[str], shift: tuple[int, int] = (0, 0), gain: float = 1.0) -> np.ndarray:
    """A board from above on a table."""
    n = len(grid)
    side = n * PX + 2 * ROOM
    image = np.full((side, side + 100, 3), (70, 90, 110), np.uint8)
    x0, y0 = ROOM + shift[0], ROOM + shift[1]
    cv2.rectangle(image, (x0 - 25, y0 - 25), (x0 + n * PX + 25, y0 + n * PX + 25), (40, 60, 90), -1)
    for row in range(n):
        for col in range(n):
            tone = 150 if (row + col) % 2 == 0 else 80
            at = x0 + col * PX, y0 + row * PX
            cv2.rectangle(image, at, (at[0] + PX - 1, at[1] + PX - 1), (tone,) * 3, -1)
            if grid[row][col] in "wb":
                colour = (235, 240, 250) if grid[row][col] == "w" else (45, 40, 40)
                middle = at[0] + PX // 2, at[1] + PX // 2
                cv2.circle(image, middle, int(PX * 0.38), colour, -1, cv2.LINE_AA)
    rng = np.random.default_rng(3)
    noisy = image * gain + rng.normal(0, 1.5, image.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


def frame(image: np.ndarray, number: int = 0) -> Frame:
    return Frame(image, number, number * 10**8)


def grid_of(percept: Any) -> list[str]:
    best = percept.log_probabilities().argmax(axis=-1)
    return ["".join(CLASSES[i] for i in row) for row in best]


def test_sees_a_board_and_names_the_frame() -> None:
    seen = eyes().see(Frame(draw(START), 7, 123))
    assert (seen.number, seen.at_ns, seen.geometry) == (7, 123, "found")
    assert grid_of(seen) == START
    assert seen.covered == ()
    assert seen.corners is not None
    np.testing.assert_allclose(seen.corners[0], (ROOM, ROOM), atol=2)
    np.testing.assert_allclose(seen.corners[2], (ROOM + 480, ROOM + 480), atol=2)


def test_a_picture_without_a_board_is_lost_with_a_reason() -> None:
    seen = eyes().see(frame(np.full((480, 640, 3), 128, np.uint8)))
    assert seen.geometry == "lost"
    assert seen.reason
    assert seen.scores is None


def test_turned_away_and_back() -> None:
    watcher = eyes()
    assert watcher.see(frame(draw(START), 0)).geometry == "found"
    away = watcher.see(frame(np.full_like(draw(START), 60), 1))
    assert away.geometry == "lost"
    back = watcher.see(frame(draw(START), 2))
    assert back.geometry == "found"
    assert grid_of(back) == START


@pytest.mark.parametrize("shift", [(18, 0), (-12, 15), (75, -64), (9, 9)])
def test_a_knock_is_followed_at_once(shift: tuple[int, int]) -> None:
    watcher = eyes()
    first = watcher.see(frame(draw(START), 0))
    after = watcher.see(frame(draw(START, shift), 1))
    assert after.geometry == "bumped"
    assert grid_of(after) == START
    moved = np.array(after.corners) - np.array(first.corners)
    np.testing.assert_allclose(moved, np.tile(shift, (4, 1)), atol=2)
    assert watcher.see(frame(draw(START, shift), 2)).geometry == "found"


def test_a_move_is_no_knock() -> None:
    watcher = eyes()
    first = watcher.see(frame(draw(START), 0))
    grid = list(START)
    grid[5], grid[4] = "..w.w.w.", ".w......"
    after = watcher.see(frame(draw(grid), 1))
    assert after.geometry == "found"
    assert after.corners == first.corners
    assert grid_of(after) == grid
    assert 0 < after.motion < 0.1


def test_nothing_moves_in_equal_pictures_and_in_other_light() -> None:
    watcher = eyes()
    watcher.see(frame(draw(START), 0))
    assert watcher.see(frame(draw(START), 1)).motion == 0
    dimmer = watcher.see(frame(draw(START, gain=0.7), 2))
    assert dimmer.motion < 0.05
    assert grid_of(dimmer) == START


def hand_over(image: np.ndarray) -> np.ndarray:
    out = image.copy()
    out[: ROOM + 4 * PX, ROOM + 2 * PX : ROOM + 4 * PX] = (255, 0, 255)
    return out


def test_a_hand_covers_squares_and_is_no_knock() -> None:
    watcher = eyes()
    first = watcher.see(frame(draw(START), 0))
    hidden = watcher.see(frame(hand_over(draw(START)), 1))
    assert hidden.geometry == "found"
    assert hidden.corners == first.corners
    assert set(hidden.covered) == {r * 8 + c for r in range(4) for c in (2, 3)}
    assert hidden.motion > 0.1
    spread = hidden.log_probabilities()[0, 3]
    np.testing.assert_allclose(spread, np.log(1 / 5), atol=0.2)


def test_given_corners_are_taken_as_they_are_when_no_board_shows() -> None:
    corners = [(100.0, 100.0), (400.0, 100.0), (400.0, 400.0), (100.0, 400.0)]
    seen = eyes(corners=corners).see(frame(np.full((480, 640, 3), 128, np.uint8)))
    assert seen.geometry == "found"
    np.testing.assert_allclose(np.array(seen.corners), np.array(corners))


def test_given_corners_are_made_exact() -> None:
    rough = np.array([[0, 0], [480, 0], [480, 480], [0, 480]]) + ROOM + 7.0
    seen = eyes(corners=rough).see(frame(draw(START)))
    assert seen.corners is not None
    np.testing.assert_allclose(seen.corners[0], (ROOM, ROOM), atol=2)


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (2, 0, 3, 1), (3, 2, 1, 0)])
def test_given_corners_may_lie_a_little_outside_and_in_any_order(order: tuple[int, ...]) -> None:
    # the first row reaches a third of a square beyond the picture's edge
    image = np.ascontiguousarray(draw(START)[ROOM + 20 :])
    truth = np.array([[0, -20], [480, -20], [480, 460], [0, 460]]) + np.array([ROOM, 0])
    seen = eyes(corners=(truth + 5.0)[list(order)]).see(frame(image))
    assert seen.geometry == "found"
    np.testing.assert_allclose(np.array(seen.corners), truth, atol=2)


def men_only(columns: tuple[int, ...]) -> np.ndarray:
    """Men on a board all of one colour, which nothing but clicked corners can tell of."""
    image = np.full((480 + 2 * ROOM, 580 + 2 * ROOM, 3), (90, 90, 90), np.uint8)
    for row, column in enumerate(columns):
        middle = ROOM + column * PX + PX // 2, ROOM + row * PX + PX // 2
        cv2.circle(image, middle, 23, (235, 240, 250), -1, cv2.LINE_AA)
        cv2.circle(image, (ROOM + 450 - column * 60, middle[1]), 23, (45, 40, 40), -1, cv2.LINE_AA)
    noisy = image + np.random.default_rng(3).normal(0, 1.5, image.shape)
    return np.asarray(noisy.clip(0, 255), np.uint8)


def test_a_board_that_only_a_person_sees_stays_where_it_is_and_is_found_again() -> None:
    corners = np.array([[0, 0], [480, 0], [480, 480], [0, 480]]) + ROOM
    watcher = eyes(corners=corners)
    before, after = men_only((0, 2, 1, 3, 0, 2, 1, 0)), men_only((0, 2, 1, 3, 0, 2, 1, 2))
    for number, image in enumerate((before, after, after)):
        seen = watcher.see(frame(image, number))
        assert seen.geometry == "found"
        np.testing.assert_allclose(np.array(seen.corners), corners)
    assert watcher.see(frame(np.full_like(before, 60), 3)).geometry == "lost"
    knocked = np.roll(after, 40, axis=1)
    assert watcher.see(frame(knocked, 4)).geometry == "lost"
    back = watcher.see(frame(after, 5))
    assert back.geometry == "found"
    np.testing.assert_allclose(np.array(back.corners), corners)


def test_given_corners_far_outside_are_refused_with_a_reason() -> None:
    image = np.ascontiguousarray(draw(START)[ROOM + 45 :])
    truth = np.array([[0, -45], [480, -45], [480, 435], [0, 435]]) + np.array([ROOM, 0])
    seen = eyes(corners=truth).see(frame(image))
    assert (seen.geometry, seen.corners) == ("lost", None)
    assert "cut off" in seen.reason


def test_calibrates_and_compares_with_what_it_learned() -> None:
    watcher = eyes()
    made = watcher.calibrate(frame(draw(START)))
    assert isinstance(made, Calibration)
    assert watcher.calibration is made
    watcher.see(frame(draw(START), 1))
    model = cast(ColourEyes, watcher.model)
    assert len(model.compared[-1].made) == 64


def test_calibration_needs_a_board() -> None:
    refused = eyes().calibrate(frame(np.full((480, 640, 3), 128, np.uint8)))
    assert isinstance(refused, Refusal)
    assert refused.reason.startswith("no board")


def test_learns_confirmed_squares_and_forgets_the_oldest() -> None:
    watcher = eyes()
    watcher.calibrate(frame(draw(START)))
    model = cast(ColourEyes, watcher.model)
    sizes = []
    for number in range(1, 6):
        watcher.see(frame(draw(START), number))
        sizes.append(len(model.compared[-1].made))
        watcher.learn(START)
    assert sizes[0] == 64
    assert sizes[1] > sizes[0]
    assert sizes[-1] == sizes[-2]


def test_does_not_learn_what_it_saw_otherwise() -> None:
    watcher = eyes()
    watcher.calibrate(frame(draw(START)))
    watcher.see(frame(draw(START), 1))
    watcher.learn(["w" * 8] * 8)  # only the white men are confirmed
    watcher.see(frame(draw(START), 2))
    support = cast(ColourEyes, watcher.model).compared[-1]
    assert len(support.made) == 64 + 6
    assert support.weights[64:, 2].all()
    white = support.made[:64][support.weights[:64, 2] > 0].mean(axis=0)
    np.testing.assert_allclose(support.made[64:], np.tile(white, (6, 1)), atol=0.1)
