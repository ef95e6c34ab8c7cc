"""Finding and reading dice: what is answered, what is doubted, and where it lies."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.dice import SURE, Die, answer, count_pips, find_dice, status_of
from vision.dice_crops import CROP_PX, GREY, MARGIN, crop_map, cut
from vision.dice_model import CLASSES, DiceModel, Floats

Image = np.ndarray


class Spots(DiceModel):
    """Networks that take red squares for dice, as many pips as their green says times 30."""

    def __init__(self, doubt: float = 0.0) -> None:
        self.doubt = doubt
        self.seen: list[tuple[int, ...]] = []

    def find(self, picture: Floats) -> tuple[Floats, Floats]:
        self.seen.append(picture.shape)
        red = (picture[0, 0] > 0.5).astype(np.uint8)
        _, _, stats, _ = cv2.connectedComponentsWithStats(red)
        x, y, wide, tall = stats[1:, :4].T
        # the less of a die shows, the surer: parts must be dropped for better reasons
        scores = (0.95 - wide / 1000).astype(np.float32)
        return np.stack([x, y, x + wide, y + tall], -1).astype(np.float32), scores

    def read(self, crops: Floats) -> tuple[Floats, Floats]:
        middle = crops[:, :, CROP_PX // 2, CROP_PX // 2]
        out = np.full((len(crops), len(CLASSES)), 0.001 + self.doubt, np.float32)
        for k, (red, green, _) in enumerate(middle):
            out[k, round(float(green) * 255 / 30) if red > 0.5 else 7] = 1.0
        out /= out.sum(-1, keepdims=True)
        return out, np.zeros((len(crops), CROP_PX // 2, CROP_PX // 2), np.float32)


def board(*dice: tuple[int, int, int, int], size: tuple[int, int] = (480, 640)) -> Image:
    """A grey picture with squares at (x, y, edge, pips)."""
    image = np.full((*size, 3), 60, np.uint8)
    for x, y, edge, pips in dice:
        image[y : y + edge, x : x + edge] = (20, 30 * pips, 255)
    return image


def test_every_die_is_answered_with_its_box_in_the_whole_picture() -> None:
    dice = find_dice(board((400, 300, 30, 5), (100, 50, 30, 2)), Spots())
    assert [d.pips for d in dice] == [2, 5]
    assert np.allclose(dice[0].box, (100, 50, 130, 80), atol=4)
    assert np.allclose(dice[1].box, (400, 300, 430, 330), atol=4)
    assert status_of(dice) == "read"


def test_only_the_region_is_searched_and_boxes_stay_those_of_the_picture() -> None:
    image = board((400, 300, 30, 5), (100, 50, 30, 2))
    (die,) = find_dice(image, Spots(), region=(350, 250, 500, 400))
    assert die.pips == 5
    assert np.allclose(die.box, (400, 300, 430, 330), atol=4)
    assert find_dice(image, Spots(), region=(350, 250, 350, 400)) == ()
    assert find_dice(image, Spots(), region=(600, 440, 9000, 9000)) == ()


def test_with_a_known_size_one_scale_is_searched() -> None:
    eyes = Spots()
    dice = find_dice(board((100, 50, 60, 3)), eyes, scale=60.0)
    assert [d.pips for d in dice] == [3]
    assert len(eyes.seen) == 1
    blind = Spots()
    find_dice(board((100, 50, 60, 3)), blind)
    assert len(blind.seen) == 3


def test_a_large_picture_is_read_in_tiles_that_miss_nothing() -> None:
    """4608 x 2592 pixels take two tiles by two; a die on their seam is found once, and whole."""
    spots = [
        (x, y, 60, 1 + (x + y) // 7 % 6) for x in range(20, 4500, 430) for y in (30, 1300, 2500)
    ]
    # one tile ends at x = 2376, the next begins at 2231
    spots += [(2353, 700, 60, 3), (2203, 700, 60, 4)]
    eyes = Spots()
    dice = find_dice(board(*spots, size=(2592, 4608)), eyes, scale=27.0)
    assert len(eyes.seen) > 1
    assert all(shape[2] % 16 == 0 and shape[3] % 16 == 0 for shape in eyes.seen)
    found = sorted((*(round(v / 10) for v in d.box), d.pips) for d in dice)
    want = [(x, y, x + edge, y + edge, pips) for x, y, edge, pips in spots]
    assert found == sorted((*(round(v / 10) for v in box), pips) for *box, pips in want)
    assert len(dice) == len(spots)


def test_nothing_is_found_on_an_empty_board_or_in_a_tiny_picture() -> None:
    assert find_dice(board(), Spots()) == ()
    assert status_of(()) == "none"
    assert find_dice(board(size=(9, 9)), Spots()) == ()


def test_a_doubtful_die_is_there_but_has_no_number() -> None:
    (die,) = find_dice(board((100, 50, 30, 4)), Spots(doubt=0.9))
    assert die.pips == 0
    assert die.p < SURE
    assert die.status == "unsure"
    assert status_of([die, Die(3, 1.0, die.box, "read")]) == "unsure"


def test_a_find_that_a_close_look_denies_is_no_die() -> None:
    class Blind(Spots):
        def read(self, crops: Floats) -> tuple[Floats, Floats]:
            kinds, pips = super().read(crops)
            kinds[:] = np.eye(len(CLASSES))[7]
            return kinds, pips

    assert find_dice(board((100, 50, 30, 4)), Blind()) == ()


def test_what_is_much_larger_than_the_other_dice_is_none() -> None:
    dice = find_dice(board((100, 50, 30, 4), (200, 50, 30, 5), (300, 100, 120, 6)), Spots())
    assert [d.pips for d in dice] == [4, 5]


def test_a_number_is_answered_only_when_it_is_sure() -> None:
    def look(**likely: float) -> Floats:
        return np.array([likely.get(f"p{k}", 0.002) for k in range(8)], np.float32)

    pips, p = answer(look(p5=0.98))
    assert pips == 5
    assert p == pytest.approx(0.98 / 0.992, abs=1e-4)
    assert answer(look(p5=0.85, p4=0.13))[0] == 0
    assert answer(look(p0=0.95))[0] == 0


def spots(*places: tuple[int, int]) -> Floats:
    """A map with a pip in each place, as soft as networks make them."""
    y, x = np.mgrid[: CROP_PX // 2, : CROP_PX // 2]
    away = [np.square(x - u) + np.square(y - v) for u, v in places]
    return np.asarray(np.max([0.9 * np.exp(-a / 2) for a in away], axis=0), np.float32)


@pytest.mark.parametrize("number", range(1, 7))
def test_pips_are_counted(number: int) -> None:
    places = [(5, 5), (11, 6), (17, 7), (6, 15), (12, 16), (18, 17)][:number]
    assert count_pips(spots(*places)) == number
    assert count_pips(spots(*places) * np.float32(0.5)) == 0


def test_a_count_settles_a_doubt_and_another_raises_one() -> None:
    class Counting(Spots):
        counted = 5

        def read(self, crops: Floats) -> tuple[Floats, Floats]:
            kinds = np.zeros((len(crops), len(CLASSES)), np.float32)
            kinds[:, 5], kinds[:, 6] = 0.9, 0.1
            row = [(3 + 4 * k % 20, 4 + 6 * (k // 5)) for k in range(self.counted)]
            return kinds, np.stack([spots(*row)] * len(crops))

    (die,) = find_dice(board((100, 50, 30, 5)), Counting())
    assert die.pips == 5
    other = Counting()
    other.counted = 6
    (die,) = find_dice(board((100, 50, 30, 5)), other)
    assert die.pips == 0


def test_the_crop_has_the_die_in_its_middle_and_a_margin_around() -> None:
    box = (100.0, 40.0, 130.0, 60.0)
    to_crop = crop_map(box)
    middle = to_crop @ np.array([114.5, 49.5, 1])  # of pixels 100 to 129 and 40 to 59
    assert middle == pytest.approx([(CROP_PX - 1) / 2] * 2)
    assert np.linalg.norm(to_crop[:, 0]) == pytest.approx(CROP_PX / (30 * MARGIN))


def test_beyond_the_picture_a_crop_is_grey() -> None:
    crop = cut(np.zeros((40, 40, 3), np.uint8), (-30.0, -30.0, 0.0, 0.0))
    assert (crop[:20, :20] == GREY).all()


def test_small_bright_pips_of_a_large_die_survive_the_crop() -> None:
    """Thinning out every eighth pixel would miss or exaggerate them; their mean light stays."""
    image = np.zeros((800, 800, 3), np.uint8)
    image[::8, ::8] = 255
    crop = cut(image, (200.0, 200.0, 600.0, 600.0))
    assert crop.mean() == pytest.approx(255 / 64, rel=0.25)
    assert crop.max() < 40
