"""Drawn dice show what their labels say: pips are counted in the picture, not in the code."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.synth.dice import FLAT, attitude, draw_dice, truths
from models.synth.dice_draw import Die, Light, draw_die
from models.synth.dice_look import sample_die
from models.synth.dice_trace import DieLook, normals, top_face
from models.synth.dice_view import Lamp, View
from models.synth.paint import cell, split_of

WHITE = DieLook(
    body=(0.95, 0.95, 0.95), pip=(0.05, 0.05, 0.05), one=(0.05, 0.05, 0.05), one_size=1.0,
    rounding=0.2, ball=2.0, pip_radius=0.2, pip_gap=0.5, hollow=0.0, gloss=0.0, shine=20.0,
    clear=0.0, veins=0.0, numbers=(), seed=3,
)  # fmt: skip
LAMP = Lamp((0.0, 0.0, 1.0), (0.6, 0.6, 0.6), (0.5, 0.5, 0.5), 0.1, 0.0)
ABOVE = View((120, 120), 6.0, 600.0, 0.0, 0.0)


def scene(view: View = ABOVE) -> Light:
    wide, tall = view.size
    return Light(view, LAMP, np.ones((tall, wide), np.float32))


def picture_of(die: Die, view: View = ABOVE) -> tuple[np.ndarray, np.ndarray, float]:
    """Display levels of a die on black, whose pixels are its own, and its whole area."""
    wide, tall = view.size
    picture, owner = np.zeros((tall, wide, 3), np.float32), np.zeros((tall, wide), np.int32)
    area = draw_die(picture, owner, 1, die, scene(view))
    return np.sqrt(np.clip(picture, 0, 1)), owner, area


def lying(look: DieLook, seed: int) -> Die:
    turn = attitude(np.random.default_rng(seed), cocked=False)
    return Die(look, 12.0, np.array([0.0, 0.0, 6.0]), turn, (0.0, 0.0))


def dark_spots(levels: np.ndarray, owner: np.ndarray) -> int:
    """Separate dark areas inside the die."""
    inside = cv2.erode((owner == 1).astype(np.uint8), np.ones((5, 5), np.uint8))
    dark = ((levels[..., 1] < 0.4) & (inside > 0)).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(dark)
    return int(sum(stats[1:count, cv2.CC_STAT_AREA] > 20))


@pytest.mark.parametrize("seed", range(24))
def test_as_many_pips_are_seen_from_above_as_the_label_says(seed: int) -> None:
    die = lying(WHITE, seed)
    levels, owner, _ = picture_of(die)
    assert dark_spots(levels, owner) == top_face(die.turn)[0]


def test_every_number_comes_up() -> None:
    assert {top_face(lying(WHITE, seed).turn)[0] for seed in range(24)} == {1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize("seed", range(6))
def test_opposite_faces_add_up_to_seven(seed: int) -> None:
    turn = lying(WHITE, seed).turn
    over = turn @ np.diag([-1.0, -1.0, -1.0])
    assert top_face(turn)[0] + top_face(over)[0] == 7


def test_seen_from_the_side_the_top_counts() -> None:
    """At 40 degrees a side face shows as well; its pips are in no label."""
    low = replace(ABOVE, tilt=float(np.radians(40)))
    die = lying(WHITE, 2)
    levels, owner, _ = picture_of(die, low)
    assert dark_spots(levels, owner) > top_face(die.turn)[0]
    (truth,) = truths([die], owner, {1: float((owner == 1).sum())}, low, 0.0)
    assert truth.pips == top_face(die.turn)[0]


def test_the_box_holds_all_of_the_die() -> None:
    low = replace(ABOVE, tilt=float(np.radians(50)))
    die = lying(WHITE, 4)
    levels, owner, area = picture_of(die, low)
    (truth,) = truths([die], owner, {1: area}, low, 0.0)
    rows, columns = np.nonzero(levels[..., 1] > 0.2)
    assert truth.box[0] <= columns.min() + 1
    assert truth.box[2] >= columns.max()
    assert truth.box[1] <= rows.min() + 1
    assert truth.box[3] >= rows.max()


@pytest.mark.parametrize(
    ("smear", "shake"), [((40.0, 0.3), 0.0), ((0.0, 0.0), 40.0)], ids=["rolls", "shaken"]
)
def test_a_smeared_die_is_unreadable(smear: tuple[float, float], shake: float) -> None:
    die = replace(lying(WHITE, 1), smear=smear)
    _, owner, area = picture_of(die)
    (truth,) = truths([die], owner, {1: area}, ABOVE, shake)
    assert truth.pips == 0


def test_a_cocked_die_is_unreadable() -> None:
    turn = attitude(np.random.default_rng(5), cocked=True)
    die = Die(WHITE, 12.0, np.array([0.0, 0.0, 8.0]), turn, (0.0, 0.0))
    assert top_face(turn)[1] < FLAT
    _, owner, area = picture_of(die)
    (truth,) = truths([die], owner, {1: area}, ABOVE, 0.0)
    assert truth.pips == 0


def test_a_die_that_is_mostly_hidden_is_in_no_list_and_half_a_die_unreadable() -> None:
    die = lying(WHITE, 1)
    _, owner, area = picture_of(die)
    rows = np.flatnonzero((owner == 1).any(1))
    for hidden, told in ((0.3, [0]), (0.8, [])):
        seen = owner.copy()
        seen[: int(rows[0] + hidden * len(rows))] = 0
        assert [t.pips for t in truths([die], seen, {1: area}, ABOVE, 0.0)] == told


def test_a_cube_with_numerals_is_no_die() -> None:
    die = lying(replace(WHITE, numbers=("2", "64", "4", "32", "8", "16")), 1)
    _, owner, area = picture_of(die)
    assert truths([die], owner, {1: area}, ABOVE, 0.0) == ()


def test_one_seed_one_picture() -> None:
    first, second = (draw_dice(np.random.default_rng(9), size=160) for _ in range(2))
    assert np.array_equal(first.image, second.image)
    assert first.dice == second.dice
    assert first.image.shape == (160, 160, 3)


def test_held_out_dice_have_colours_that_training_has_not() -> None:
    for k in range(40):
        look = sample_die(np.random.default_rng(k), "heldout")
        assert {split_of(*cell(c)) for c in (look.body, look.pip, look.one)} == {"heldout"}


@pytest.mark.parametrize("seed", range(8))
def test_each_mark_lies_on_a_pip_of_the_top_face(seed: int) -> None:
    low = replace(ABOVE, tilt=float(np.radians(25)), turn=0.4)
    die = lying(WHITE, seed)
    levels, owner, area = picture_of(die, low)
    (truth,) = truths([die], owner, {1: area}, low, 0.0)
    assert len(truth.marks) == truth.pips
    assert all(levels[round(y), round(x), 1] < 0.3 for x, y in truth.marks)


def test_as_many_dice_lean_as_are_asked_for() -> None:
    for share, told in ((0.0, {False}), (1.0, {True})):
        drawn = [draw_dice(np.random.default_rng(k), size=160, leaning=share) for k in range(6)]
        assert {die.cocked for picture in drawn for die in picture.dice} == told
        assert all(die.pips == 0 for p in drawn for die in p.dice if die.cocked)


def test_a_ray_that_misses_a_rounded_die_has_a_normal_that_is_a_number() -> None:
    """One that isn't would spread over all of the picture when it is blurred."""
    with np.errstate(all="raise"):
        found = normals(np.zeros((2, 3), np.float32), replace(WHITE, ball=1.4))
    assert np.isfinite(found).all()
