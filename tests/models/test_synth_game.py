"""Frames of a drawn game tell the story that they were asked for."""

from __future__ import annotations

import numpy as np
import pytest

from models.synth.camera import sample_camera
from models.synth.game import Deed, Pace, Step, Table, deeds, frames, moments
from models.synth.light import sample_light
from models.synth.pieces import place
from models.synth.positions import start_grid
from models.synth.style import sample_style

EMPTY = ("........",) * 4


def with_rows(*rows: str) -> tuple[str, ...]:
    return (*EMPTY, *rows)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param(
            with_rows("........", "w.......", "........", "........"),
            with_rows(".w......", "........", "........", "........"),
            [Deed((5, 0), (4, 1), "w")],
            id="a quiet move",
        ),
        pytest.param(
            with_rows("........", ".b......", "w.......", "........"),
            with_rows("..w.....", "........", "........", "........"),
            [Deed((6, 0), (4, 2), "w"), Deed((5, 1), None, ".")],
            id="a capture",
        ),
        pytest.param(
            with_rows("........", "........", "........", "w......."),
            with_rows("........", "........", "........", "W......."),
            [Deed((7, 0), (7, 0), "W")],
            id="a crowning late",
        ),
        pytest.param(
            with_rows("........", "........", "........", "........"),
            with_rows("...b....", "........", "........", "........"),
            [Deed(None, (4, 3), "b")],
            id="a man put back",
        ),
    ],
)
def test_deeds_lead_from_one_position_to_the_next(
    before: tuple[str, ...], after: tuple[str, ...], expected: list[Deed]
) -> None:
    assert deeds(before, after) == expected


def test_a_game_shows_every_position_and_a_hand_in_between() -> None:
    rng = np.random.default_rng(7)
    style = sample_style(rng, 8, "train")
    camera = sample_camera(rng, style, 480, 360, tilt_deg=(15, 30))
    first = start_grid(style)
    row, column = next((5, c) for c in range(1, 7) if first[5][c] == "w")
    rows = [list(line) for line in first]
    rows[row][column], rows[4][column + 1] = ".", "w"
    grids = [first, tuple("".join(line) for line in rows)]
    pace = Pace(rest=(0.4, 0.6))
    story = list(frames(style, camera, sample_light(rng), grids, rng, fps=5, pace=pace))
    still = [truth for _, truth in story if truth["settled"]]
    assert [truth["board"] for truth in still] == [grids[t["ply"]] for t in still]
    assert {truth["ply"] for truth in still} == {0, 1}
    moving = [truth for _, truth in story if not truth["settled"]]
    assert any("?" in line for truth in moving for line in truth["grid"])
    assert any(sum(line.count("w") for line in t["board"]) == 11 for t in moving), "in the air"
    assert [truth["frame"] for _, truth in story] == list(range(len(story)))
    assert all(image.shape == (360, 480, 3) for image, _ in story)
    images = [image for image, truth in story if truth["settled"]]
    assert not np.array_equal(images[0], images[1]), "noise differs from frame to frame"


def test_a_hand_shoves_a_man_and_wipes_men_off() -> None:
    rng = np.random.default_rng(3)
    style = sample_style(rng, 8, "train")
    grid = with_rows("........", "w.......", "........", "......b.")
    standing = {(p.row, p.column): p for p in place(style, grid, rng)}
    table = Table(style, standing, [], rng)
    steps = [
        Step((0.5, 12.0, 1.5), 0.0),
        Step((1.2, 5.5, 0.2), 0.4, "shove", (5, 0), by=(0.7, 0.0)),
        Step((6.0, 7.0, 0.2), 0.4, "sweep"),
    ]
    tips = [tip for tip, _ in moments(steps, table, 5)]
    assert len(tips) == 4
    assert tips[-1] == pytest.approx([6.0, 7.0, 0.2])
    left = table.standing[(5, 0)]
    assert (left.x, left.y) == pytest.approx((1.2, 5.5))
    assert list(table.standing) == [(5, 0)]
    assert len(table.beside) == 1
