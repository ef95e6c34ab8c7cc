"""Cutting squares out: at the right height, upright, and divided by the right light."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.synth.camera import Camera, Lens, axes_of, framed
from models.synth.scene import camera_order
from models.synth.style import sample_style
from vision.crops import (
    BRIGHTEST,
    CHANNELS,
    DARKEST,
    GROUND_PX,
    LIFT,
    OFFSET,
    ROOM,
    SQUARE_PX,
    BoardView,
    kinds_apart,
    lifted_plane,
    light_field,
    light_parity,
    normalise,
    upright,
    upright_lean,
    view_board,
)
from vision.geometry import BoardGeometry, project

LENS = Lens(60, 0.0, 0.5, 0.005, 0.0, 90, 0.0, 0.0, 1.0, 1.0, False)


def camera(tilt: float, azimuth: float, size: int) -> Camera:
    axes = axes_of(np.radians(tilt), np.radians(azimuth), 0.0)
    made = Camera(960, 720, LENS, (0, 0, 1.0), tuple(map(tuple, axes)), tilt)
    style = sample_style(np.random.default_rng(1), size)
    return framed(made, style, 0.8, np.array([0.5, 0.5]))


@pytest.mark.parametrize("size", [8, 10])
@pytest.mark.parametrize("azimuth", [0, 20, 90, 200])
@pytest.mark.parametrize("tilt", [15, 30, 50])
def test_lift_agrees_with_a_true_camera(size: int, azimuth: int, tilt: int) -> None:
    """A place at the men's height falls where the camera that took the picture puts it."""
    eye = camera(tilt, azimuth, size)
    corners, first = camera_order(eye, size)
    geometry = BoardGeometry(size, corners)
    lift = lifted_plane(geometry, (960, 720))
    spots = np.array([[1.0, 1.0], [size / 2, size / 2], [size - 1.5, 2.0], [3.0, size - 0.5]])
    turned = geometry.to_board(eye.project(np.column_stack([spots, np.zeros(4)])))
    truth = geometry.to_board(eye.project(np.column_stack([spots, np.full(4, LIFT)])))
    assert np.abs(project(lift, turned) - truth).max() < 0.03
    assert np.abs(turned - truth).max() > 0.03
    assert first in range(4)


@pytest.mark.parametrize("azimuth", [0, 20, 100, 200])
@pytest.mark.parametrize("first", range(4))
def test_lean_is_where_the_top_of_a_man_goes(azimuth: int, first: int) -> None:
    """Along the axes of the board turned upright, whichever corner is counted first."""
    eye = camera(40, azimuth, 8)
    corners = np.roll(camera_order(eye, 8)[0], first, axis=0)
    geometry = BoardGeometry(8, corners)
    view = view_board(np.zeros((720, 960, 3), np.uint8), geometry)
    middles = np.stack(np.meshgrid(np.arange(8) + 0.5, np.arange(8) + 0.5), axis=-1).reshape(-1, 2)
    tops = np.column_stack([middles, np.full(64, LIFT)])
    feet = np.column_stack([middles, np.zeros(64)])
    places = geometry.to_board(eye.project(feet))
    shift = geometry.to_board(eye.project(tops)) - places
    index = (np.floor(places[:, 1]) * 8 + np.floor(places[:, 0])).astype(int)
    assert np.abs(view.lean[index] - shift).max() < 0.03
    lean = upright_lean(view)
    assert lean[:, 1].max() < -0.05  # everything stands up there
    order = upright(np.arange(64), view.turns)
    np.testing.assert_allclose(np.hypot(*lean.T), np.hypot(*view.lean[order].T), rtol=1e-5)


@pytest.mark.parametrize(("azimuth", "turns"), [(0, 0), (90, 0), (180, 0), (270, 0)])
def test_crops_stand_upright(azimuth: int, turns: int) -> None:
    """The camera's grid lies upright in its picture whichever way the board is turned."""
    eye = camera(40, azimuth, 8)
    geometry = BoardGeometry(8, camera_order(eye, 8)[0])
    view = view_board(np.zeros((720, 960, 3), np.uint8), geometry)
    assert view.turns == turns
    assert view.tilt > 0.08


def test_a_board_lying_on_its_side_is_turned() -> None:
    """Corners counted from the top right: the far edge is the grid's left one."""
    eye = camera(40, 0, 8)
    corners = np.roll(camera_order(eye, 8)[0], -1, axis=0)
    view = view_board(np.zeros((720, 960, 3), np.uint8), BoardGeometry(8, corners))
    up = np.zeros((9 * SQUARE_PX, 9 * SQUARE_PX, 3), np.uint8)
    up[:, : SQUARE_PX + 4] = 255  # the far edge
    light = np.full((8, 8, 3), 128.0, np.float32)
    turned = normalise(replace(view, lifted=up), light)
    assert turned[:, :SQUARE_PX].min() > 0.6
    assert turned[:, -SQUARE_PX:].max() < -0.9


@pytest.mark.parametrize("turns", range(4))
def test_squares_of_the_upright_board_are_brought_back(turns: int) -> None:
    """The square whose pixels lie at a place upright is the one that upright() puts there."""
    rng = np.random.default_rng(turns)
    tones = rng.integers(30, 200, (8, 8)).astype(np.uint8)
    lifted = np.pad(np.kron(tones, np.ones((SQUARE_PX, SQUARE_PX), np.uint8)), SQUARE_PX // 2)
    view = replace(flat(60, 180, 0), lifted=np.repeat(lifted[..., None], 3, 2), turns=turns)
    seen = normalise(view, np.full((8, 8, 3), 128.0, np.float32))[0, SQUARE_PX::SQUARE_PX]
    middles = seen[:8, SQUARE_PX::SQUARE_PX][:, :8].reshape(-1)
    order = np.argsort(upright(tones.reshape(-1), turns), kind="stable")
    assert (np.diff(middles[order]) >= -1e-6).all()
    numbers = np.arange(64)
    np.testing.assert_array_equal(upright(upright(numbers, turns), -turns), numbers)


def flat(dark: int, light: int, parity: int, size: int = 8) -> BoardView:
    """An empty board in even light."""
    squares = np.add.outer(np.arange(size), np.arange(size)) % 2 == parity
    tones = np.kron(np.where(squares, light, dark), np.ones((GROUND_PX, GROUND_PX)))
    side = round((size + 2 * ROOM) * SQUARE_PX)
    lifted = np.full((side, side, 3), 128, np.uint8)
    ground = np.repeat(tones[..., None], 3, 2).astype(np.uint8)
    return BoardView(size, lifted, ground, 0, 0.0, np.zeros((size * size, 2), np.float32))


@pytest.mark.parametrize("parity", [0, 1])
def test_light_squares_are_told_by_brightness(parity: int) -> None:
    view = flat(60, 180, parity)
    assert light_parity(view) == parity
    assert kinds_apart(view, parity) == pytest.approx(np.log((180 + OFFSET) / (60 + OFFSET)))


@pytest.mark.parametrize("parity", [0, 1])
def test_light_squares_are_told_by_colour_seen_before(parity: int) -> None:
    """Red and green of one brightness: only what was learned tells them."""
    view = flat(100, 100, parity)
    light = np.add.outer(np.arange(8), np.arange(8)) % 2 == parity
    red = np.kron(light, np.ones((GROUND_PX, GROUND_PX))) > 0
    ground = view.ground.copy()
    ground[red] = (40, 60, 200)
    ground[~red] = (40, 200, 60)
    seen = replace(view, ground=ground)
    apart = np.array([0.0, -1.2, 1.2], np.float32)
    assert light_parity(seen, apart) == parity
    assert light_parity(seen, -apart) == 1 - parity


def test_light_field_ignores_a_man_on_a_light_square() -> None:
    view = flat(60, 180, 0)
    ground = view.ground.copy()
    ground[:GROUND_PX, :GROUND_PX] = 20
    field = light_field(replace(view, ground=ground), 0)
    assert field == pytest.approx(180 + OFFSET, rel=0.08)


def test_normalised_squares_are_log_ratios_to_their_light() -> None:
    side = 9 * SQUARE_PX
    lifted = np.full((side, side, 3), 90, np.uint8)
    lifted[:, side // 2 :] = 255
    light = np.full((8, 8, 3), 90 + OFFSET, np.float32)
    out = normalise(replace(flat(60, 180, 0), lifted=lifted), light)
    assert out.shape == (CHANNELS, side, side)
    assert out[:, :, : side // 2] == pytest.approx((0 - DARKEST) / (BRIGHTEST - DARKEST) * 2 - 1)
    ratio = np.log((255 + OFFSET) / (90 + OFFSET))
    assert ratio > BRIGHTEST - 0.01
    assert out.max() == pytest.approx(1.0)  # clipped


def test_normalised_colours_are_red_first() -> None:
    side = 9 * SQUARE_PX
    lifted = np.full((side, side, 3), (20, 60, 200), np.uint8)
    light = np.full((8, 8, 3), 128.0, np.float32)
    red, green, blue = normalise(replace(flat(60, 180, 0), lifted=lifted), light)[:, 5, 5]
    assert red > green > blue
