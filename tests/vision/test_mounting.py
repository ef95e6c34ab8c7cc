"""What is said to a person who mounts a camera, on boards seen by cameras that are known."""

from __future__ import annotations

import json
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision import mounting
from vision.geometry import BoardGeometry, order_corners, project
from vision.locate import NotFound
from vision.mounting import Check, check_mounting, measure, to_json

Image = NDArray[np.uint8]

WH = (960, 720)
PX, ROOM, N = 60, 3, 8


def camera(tilt: float, away: float, focal: float = 1000.0) -> NDArray[np.float64]:
    """3x3, squares to pixels, of a camera that looks at the board's middle from a distance."""
    t = np.radians(tilt)
    look = np.array([[1, 0, 0], [0, np.cos(t), -np.sin(t)], [0, -np.sin(t), -np.cos(t)]])
    offset = -look @ [N / 2, N / 2, 0] + [0, 0, away]
    lens = np.array([[focal, 0, (WH[0] - 1) / 2], [0, focal, (WH[1] - 1) / 2], [0, 0, 1]])
    return np.asarray(lens @ np.column_stack([look[:, 0], look[:, 1], offset]))


def flat(light: float = 200.0, dark: float = 70.0) -> NDArray[np.float32]:
    """The board and its table from straight above, PX a square."""
    n = N + 2 * ROOM
    out = np.full((n, n), 110.0)
    squares = np.add.outer(np.arange(N), np.arange(N)) % 2
    out[ROOM:-ROOM, ROOM:-ROOM] = np.where(squares == 0, light, dark)
    return np.kron(out, np.ones((PX, PX))).astype(np.float32)


def seen(
    tilt: float = 20.0,
    away: float = 14.0,
    blur: float = 0.6,
    board: NDArray[np.float32] | None = None,
) -> tuple[Image, BoardGeometry]:
    h = camera(tilt, away)
    to_squares = np.array([[1 / PX, 0, 0.5 / PX - ROOM], [0, 1 / PX, 0.5 / PX - ROOM], [0, 0, 1]])
    plain = flat() if board is None else board
    image = cv2.warpPerspective(
        plain, h @ to_squares, WH, flags=cv2.INTER_LINEAR, borderValue=(110.0,)
    )
    image = cv2.GaussianBlur(image, (0, 0), blur)
    noisy = image[..., None] + np.random.default_rng(1).normal(0, 1.5, (*WH[::-1], 3))
    corners = project(h, [[0, 0], [N, 0], [N, N], [0, N]])
    geometry = BoardGeometry(N, order_corners(corners), 0.01, image_wh=WH)
    return np.asarray(noisy.clip(0, 255), np.uint8), geometry


def by_name(checks: tuple[Check, ...]) -> dict[str, Check]:
    return {check.name: check for check in checks}


def test_a_good_mounting_is_ok_in_every_figure() -> None:
    checks = check_mounting(*seen())
    assert [c.name for c in checks] == [
        "board", "whole", "angle", "size", "sharpness", "light", "glare",
    ]  # fmt: skip
    assert all(c.ok and not c.advice for c in checks), checks


@pytest.mark.parametrize("tilt", [0.0, 15.0, 35.0, 55.0, 70.0])
def test_the_angle_is_that_of_the_camera(tilt: float) -> None:
    # straight from above the perspective doesn't say how far it is off: a few degrees are lost
    assert measure(*seen(tilt)).tilt == pytest.approx(tilt, abs=5)


def test_the_smallest_square_is_the_farthest() -> None:
    # 14 squares away at a focal length of 1000 pixels
    assert measure(*seen(0)).smallest == pytest.approx(1000 / 14, rel=0.01)
    near, far = (project(camera(40, 14), [[4, y], [4, y + 1]]) for y in (7, 0))
    heights = [float(np.hypot(*(b - a))) for a, b in (near, far)]
    assert measure(*seen(40)).smallest == pytest.approx(min(heights), rel=0.05)


@pytest.mark.parametrize("blur", [4.0, 8.0, 12.0])
def test_softness_is_the_width_of_a_blurred_step(blur: float) -> None:
    # a step blurred by sigma has its steepest slope at height / (sigma * sqrt(2 pi)); on the
    # logarithmic scale that is a little less or more, and squares are 71 pixels wide
    expected = blur * np.sqrt(2 * np.pi) / (1000 / 14)
    assert measure(*seen(0, blur=blur)).softness == pytest.approx(expected, rel=0.25)


def test_light_is_that_of_the_light_squares() -> None:
    figures = measure(*seen(board=flat(120, 40)))
    assert figures.level == pytest.approx(120, abs=3)
    assert figures.clipped == 0
    assert measure(*seen(board=flat(300, 40))).clipped == pytest.approx(0.5, abs=0.06)


def washed(spots: list[tuple[int, int]], light: float = 200, dark: float = 70) -> Any:
    """A board on which a lamp is mirrored on some squares."""
    board = flat(light, dark)
    for row, column in spots:
        y, x = ((ROOM + v) * PX for v in (row, column))
        board[y : y + PX, x : x + PX] = 0.25 * board[y : y + PX, x : x + PX] + 190
    return board


def test_glare_is_where_squares_are_brighter_and_differ_less() -> None:
    spots = [(r, c) for r in (2, 3, 4) for c in (3, 4, 5)]
    figures = measure(*seen(board=washed(spots)))
    assert 3 / 64 < figures.washed < 12 / 64


@pytest.mark.parametrize("kind", ["shadow", "lamp to one side", "men", "red and green"])
def test_what_is_no_glare(kind: str) -> None:
    board = flat()
    if kind == "shadow":
        board[:, : board.shape[1] // 2] *= 0.3
    elif kind == "lamp to one side":
        board *= np.linspace(0.3, 1.2, board.shape[1], dtype=np.float32)
    elif kind == "men":
        for row in (0, 1, 2, 5, 6, 7):
            for column in range(N):
                if (row + column) % 2:
                    at = tuple(int((ROOM + v + 0.5) * PX) for v in (column, row))
                    cv2.circle(board, at, 21, 235.0 if row > 3 else 30.0, -1)
    image, geometry = seen(board=board)
    if kind == "red and green":
        lighter = image[..., 1] > 135
        image = np.where(lighter[..., None], (40, 60, 190), (75, 130, 40)).astype(np.uint8)
    assert measure(image, geometry).washed < mounting.WASHED


@pytest.mark.parametrize(
    ("how", "name", "says"),
    [
        ({"tilt": 72.0, "away": 16.0}, "angle", "mount it higher"),
        ({"away": 90.0}, "size", "nearer"),
        ({"blur": 9.0}, "sharpness", "focus"),
        ({"board": flat(9, 3)}, "light", "too dark"),
        ({"board": flat(700, 300)}, "light", "too bright"),
        ({"board": washed([(r, c) for r in range(2, 6) for c in range(2, 6)])}, "glare", "lamp"),
        ({"away": 8.0}, "whole", "cut off"),
    ],
)
def test_one_sentence_for_each_fault(how: dict[str, Any], name: str, says: str) -> None:
    check = by_name(check_mounting(*seen(**how)))[name]
    assert not check.ok
    assert says in check.advice
    assert "\n" not in check.advice


@pytest.mark.parametrize(
    ("refused", "says"),
    [
        (NotFound("the picture is too dark", "dark"), "more light"),
        (NotFound("the picture is blurred", "blurred"), "focus"),
        (NotFound("the board is cut off by the edge of the picture", "cut-off"), "back"),
        (NotFound("the board has 10x10 squares, not 8x8", "size"), "choose the game"),
        (NotFound("no board in the picture, or too little of it"), "turn the camera"),
    ],
)
def test_without_a_board_the_reason_and_a_remedy(refused: NotFound, says: str) -> None:
    (check,) = check_mounting(np.full((60, 80, 3), 90, np.uint8), refused)
    assert (check.name, check.ok) == ("board", False)
    assert check.advice.startswith(refused.reason)
    assert says in check.advice


def test_as_json() -> None:
    row = to_json(check_mounting(*seen(tilt=72.0, away=16.0)))
    assert json.loads(json.dumps(row, allow_nan=False)) == row
    assert (row["v"], row["ok"]) == (1, False)
    angle = next(c for c in row["checks"] if c["name"] == "angle")
    assert set(angle) == {"name", "ok", "value", "unit", "advice"}
    assert angle["unit"] == "degrees"
