"""Drawn nardi boards: the picture and its labels agree."""

from collections import Counter

import cv2
import numpy as np
import pytest

from models.synth.nardi_layout import checkers_of, sample_counts
from models.synth.nardi_plate import MARGIN, UNIT, mosaic
from models.synth.nardi_scene import NardiRendered, render_nardi, sample_nardi
from models.synth.nardi_style import NardiStyle, sample_nardi_style
from models.synth.paint import cell, split_of


@pytest.fixture(scope="module")
def seen() -> list[NardiRendered]:
    made = []
    for number in range(4):
        style = sample_nardi_style(np.random.default_rng([1, number]), "train")
        made.append(render_nardi(sample_nardi(np.random.default_rng(number), "train", style)))
    return made


def test_the_same_arguments_give_the_same_picture() -> None:
    style = sample_nardi_style(np.random.default_rng(3))
    first, second = (
        render_nardi(sample_nardi(np.random.default_rng(8), "train", style), 2) for _ in range(2)
    )
    assert np.array_equal(first.image, second.image)
    assert np.array_equal(first.halves, second.halves)


def test_every_checker_is_seen_around_its_middle(seen: list[NardiRendered]) -> None:
    shares = []
    for picture in seen:
        height, width = picture.owner.shape
        for number, (x, y) in enumerate(np.rint(picture.middles).astype(int)):
            if 0 <= x < width and 0 <= y < height and picture.points[number] >= 0:
                shares.append(picture.owner[y, x] == number + 1)
    # others may lie over a few middles, a hand over others
    assert len(shares) > 60
    assert np.mean(shares) > 0.7


def test_the_field_lies_inside_its_corners(seen: list[NardiRendered]) -> None:
    """Checkers of a point are seen in its column, between the corners of its half."""
    square = np.array([[0, 0], [6, 0], [6, 1], [0, 1]], np.float32)
    off = []
    for picture in seen:
        for half in (0, 1):
            back = cv2.getPerspectiveTransform(picture.halves[half].astype(np.float32), square)
            mine = (picture.points >= 0) & (picture.points % 12 // 6 == half)
            if not mine.any():
                continue
            at = cv2.perspectiveTransform(picture.middles[None, mine].astype(np.float32), back)[0]
            off += list(at[:, 0] - picture.points[mine] % 6 - 0.5)
    # only high layers seen aslant are shifted by more than a checker
    assert np.median(np.abs(off)) < 0.3
    assert np.quantile(np.abs(off), 0.9) < 1


@pytest.mark.parametrize("seed", range(12))
def test_each_point_gets_as_many_checkers_as_its_count_says(seed: int) -> None:
    rng = np.random.default_rng(seed)
    style, counts = sample_nardi_style(rng), sample_counts(rng)
    made = checkers_of(style, counts, rng)
    told = Counter((c.point, c.side) for c in made)
    assert told == {(p, int(c < 0)): abs(c) for p, c in enumerate(counts) if c}
    assert max(sum(c for c in counts if c > 0), -sum(c for c in counts if c < 0)) <= 15


def test_heads_of_fifteen_lie_within_the_board() -> None:
    """Fifteen never lie side by side: that would take more than the board (NOTES, section 5)."""
    counts = (0,) * 11 + (15, -15) + (0,) * 11
    for seed in range(20):
        rng = np.random.default_rng(seed)
        style = sample_nardi_style(rng)
        for checker in checkers_of(style, counts, rng):
            along = checker.y if checker.point == 11 else style.height - checker.y
            assert 0 < along < 0.75 * style.height


@pytest.mark.parametrize("split", ["train", "validation", "heldout"])
def test_paints_belong_to_their_split(split: str) -> None:
    style: NardiStyle = sample_nardi_style(np.random.default_rng(5), split)  # type: ignore[arg-type]
    for material in (style.case.frame, style.case.field, style.points.first, style.points.second):
        assert split_of(*cell(material.colour)) == split


def test_many_pictures_are_stretched_to_a_square() -> None:
    """Collections of pictures are often made square, whatever shape they had."""
    square = 0
    for number in range(60):
        scene = sample_nardi(np.random.default_rng([4, number]))
        height = round(scene.camera.height * scene.stretch)
        square += height == scene.camera.width and scene.stretch != 1.0
    assert 6 < square < 24


def test_a_mosaic_lies_in_the_frame_and_nowhere_on_the_field() -> None:
    rng = np.random.default_rng(2)
    style = next(
        s for s in (sample_nardi_style(rng) for _ in range(50))
        if s.case.rim > 0.3 and s.case.misfit == (0, 0, 0)
    )  # fmt: skip
    high, wide = style.height + 2 * MARGIN, style.width + 2 * MARGIN
    top = np.full((round(high * UNIT), round(wide * UNIT), 3), 7, np.uint8)
    mosaic(top, style, rng)
    inlaid = (top != 7).any(2)
    low, right = round(MARGIN * UNIT), round((MARGIN + 6) * UNIT)
    near = round((MARGIN + style.height) * UNIT)
    assert not inlaid[low + 1 : near - 1, low + 1 : right - 1].any()
    # all four sides of the frame
    for side in (inlaid[:low], inlaid[near:], inlaid[:, :low], inlaid[:, right:]):
        assert side.mean() > 0.01
