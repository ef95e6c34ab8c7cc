"""What is said of drawn scenes in which no board can be found, and of those on the edge of it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from models.evaluate.locate import corner_error
from models.synth.camera import framed, sample_camera
from models.synth.light import sample_light
from models.synth.positions import start_grid
from models.synth.scene import Rendered, Scene, render
from models.synth.style import sample_style
from vision import locate_board
from vision.geometry import BoardGeometry
from vision.locate import NotFound, locate, refine
from vision.locate_grid import Lattice

Image = NDArray[np.uint8]


def drawn(size: int, seed: int, tilt: float = 30.0) -> Rendered:
    rng = np.random.default_rng([seed, size])
    style = sample_style(rng, size, "heldout")
    camera = sample_camera(rng, style, 960, 720, (tilt, tilt), (0.7, 0.7))
    camera = framed(camera, style, 0.7, np.array([0.5, 0.5]))
    camera = replace(camera, lens=replace(camera.lens, k1=0.0))
    light = sample_light(rng)
    while light.kind in ("sun", "flash"):
        light = sample_light(rng)
    return render(Scene(style, camera, light, start_grid(style), jitter=seed), seed)


@pytest.fixture(scope="module", params=[8, 10])
def board(request: pytest.FixtureRequest) -> Rendered:
    return drawn(request.param, 4)


def noisy(image: NDArray[np.floating], sigma: float = 2.0) -> Image:
    rng = np.random.default_rng(1)
    return np.asarray((image + rng.normal(0, sigma, image.shape)).clip(0, 255), np.uint8)


def found_well(image: Image, size: int, corners: NDArray[np.floating]) -> bool:
    found = locate(image, size)
    return isinstance(found, BoardGeometry) and corner_error(found, corners) < 0.2


def why(image: Image, size: int) -> str:
    found = locate(image, size)
    assert isinstance(found, NotFound), found
    assert found.reason
    return found.why


def test_the_board_itself_is_found(board: Rendered) -> None:
    assert found_well(board.image, len(board.grid), board.corners)


def test_too_dark(board: Rendered) -> None:
    assert why(noisy(board.image * 0.004, 3), len(board.grid)) == "dark"


def test_dim_but_not_too_dark(board: Rendered) -> None:
    assert found_well(noisy(board.image * 0.12, 1.5), len(board.grid), board.corners)


def test_blurred(board: Rendered) -> None:
    assert why(np.asarray(cv2.GaussianBlur(board.image, (0, 0), 40)), len(board.grid)) == "blurred"


def test_no_board(board: Rendered) -> None:
    """The table beside it, enlarged."""
    x, y = np.maximum(board.corners.min(axis=0) - 60, 20).astype(int)
    table = cv2.resize(board.image[: max(y, 40), : max(x, 40)], (960, 720))
    assert why(np.asarray(table, np.uint8), len(board.grid)) == "none"


@pytest.mark.parametrize("kept", [0.3, 1.0, 2.2])
def test_cut_off_from_six_tenths_of_a_square_on(board: Rendered, kept: float) -> None:
    size = len(board.grid)
    edges = np.roll(board.corners, -1, axis=0) - board.corners
    square = float(np.hypot(*edges.T).mean()) / size
    left = round(float(board.corners[:, 0].min()) + kept * square)
    image = np.ascontiguousarray(board.image[:, left:])
    if kept < 0.6:
        assert found_well(image, size, board.corners - np.array([left, 0]))
    else:
        assert why(image, size) == "cut-off"


@pytest.mark.parametrize("fog", [0.85, 0.965])
def test_in_fog(board: Rendered, fog: float) -> None:
    pale = board.image * (1 - fog) + 160 * fog
    assert found_well(noisy(pale, 0.8), len(board.grid), board.corners)


def test_of_two_boards_the_nearer_is_meant() -> None:
    near, far = drawn(8, 6, 10.0), drawn(8, 4, 25.0)
    beside = cv2.resize(far.image, (480, 360), interpolation=cv2.INTER_AREA)
    for corner in (0, 360):
        image = np.full((720, 1440, 3), 60, np.uint8)
        image[:, :960] = near.image
        image[corner : corner + 360, 960:] = beside
        assert found_well(image, 8, near.corners)


def test_a_lattice_that_ends_at_its_own_horizon_is_no_board(
    board: Rendered, monkeypatch: pytest.MonkeyPatch
) -> None:
    h = np.array([[40.0, 0, 300], [0, 40, 300], [-1.5, 0, 1]])
    ij = np.array([[0, 0], [0, 1], [0, 2], [-1, 0], [-1, 1], [1, 2]])
    lattice = Lattice(h, ij, np.arange(len(ij)), True)
    monkeypatch.setattr(locate_board, "find_lattices", lambda *_: [lattice])
    assert isinstance(locate(board.image, len(board.grid)), NotFound)


def collage(seed: int) -> Image:
    """Pieces of chequers of many sizes, slants and tones, men, and lines, one over the other."""
    rng = np.random.default_rng([seed, 99])
    out = np.full((240, 320, 3), rng.integers(0, 256, 3), np.uint8)
    for _ in range(int(rng.integers(1, 7))):
        n, px = int(rng.integers(2, 16)), int(rng.integers(2, 30))
        tones = rng.integers(0, 256, (2, 3))
        squares = np.add.outer(np.arange(n), np.arange(n)) % 2
        flat = tones[squares].astype(np.uint8).repeat(px, 0).repeat(px, 1)
        side = n * px
        square = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
        at = (rng.uniform(-0.3, 1.3, (4, 2)) * (320, 240)).astype(np.float32)
        h = cv2.getPerspectiveTransform(square, at)
        cv2.warpPerspective(flat, h, (320, 240), dst=out, borderMode=cv2.BORDER_TRANSPARENT)
        for _ in range(int(rng.integers(0, 9))):
            middle = rng.integers(0, (320, 240)).tolist()
            cv2.circle(out, middle, int(rng.integers(2, 16)), rng.integers(0, 256, 3).tolist(), -1)
    return noisy(out.astype(np.float64), float(rng.uniform(0, 6)))


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_in_the_picture_there_is_an_answer(seed: int) -> None:
    found = locate(collage(seed), 8)
    assert isinstance(found, BoardGeometry | NotFound)
    guess = BoardGeometry(8, np.array([[80, 40], [240, 50], [250, 200], [70, 190.0]]))
    assert isinstance(refine(collage(seed), guess), BoardGeometry | NotFound)
