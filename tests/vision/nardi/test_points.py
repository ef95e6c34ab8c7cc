"""Counts settled by conservation, and the answer of one picture."""

import numpy as np
import pytest

from vision.nardi.answer import HEADS, MIRRORED, Start, answer, fen_of, learn_start, text_of
from vision.nardi.board import NardiGeometry
from vision.nardi.points import PointsRead, between, by_side, in_order, room_left, settled
from vision.nardi.sides import Colours

COLOURS = Colours((80.0, 0.0, 0.0), (20.0, 0.0, 0.0))


def read(
    stands: dict[int, str], spread: dict[int, dict[int, float]] | None = None, told: bool = True
) -> PointsRead:
    """A clear read of what stands, with other probabilities of some counts."""
    counts = np.full((24, 16), np.log(1e-4))
    counts[:, 0] = np.log(0.998)
    odds = np.zeros(24)
    for point, text in stands.items():
        counts[point] = np.log(1e-4)
        counts[point, int(text[1:])] = np.log(0.998)
        odds[point] = 6.0 if text[0] == "w" else -6.0
    for point, row in (spread or {}).items():
        counts[point] = np.log(1e-4)
        for count, p in row.items():
            counts[point, count] = np.log(p)
    colours = COLOURS if told else Colours(COLOURS.dark, COLOURS.dark, False)
    return PointsRead(
        counts.astype(np.float32), odds.astype(np.float32), np.zeros(24, np.float32), colours
    )


def test_a_head_is_settled_by_the_checkers_elsewhere() -> None:
    """13 or 12 on the head, three elsewhere: a side has fifteen, so it is 12."""
    stands = {11: "w13", 12: "b15", 3: "w2", 5: "w1"}
    unsure = read(stands, {11: {12: 0.42, 13: 0.55}})
    best = settled(unsure.joint()).argmax(1)
    assert text_of(int(best[11])) == "w12"


def test_more_than_fifteen_is_never_preferred() -> None:
    unsure = read({0: "w8", 1: "w7", 20: "b3"}, {0: {8: 0.3, 9: 0.68}})
    assert text_of(int(settled(unsure.joint())[0].argmax())) == "w8"


def test_fewer_than_fifteen_stay_possible() -> None:
    """Checkers may be borne off: clear counts are not bent to make fifteen."""
    said = answer(read({0: "w2", 23: "b1"}))
    assert said.points[0] == "w2"
    assert said.points[23] == "b1"


def test_room_left_is_the_convolution_of_the_others() -> None:
    alone = np.zeros((2, 16))
    alone[0, [1, 2]] = 0.5
    alone[1, [3, 4]] = [0.25, 0.75]
    totals = np.zeros(16)
    totals[5] = 1.0
    left = room_left(alone, totals)
    assert left[0, 1] == pytest.approx(0.75)
    assert left[0, 2] == pytest.approx(0.25)
    assert left[1, 4] == pytest.approx(0.5)
    assert left[0, 3] == 0


def test_each_side_has_its_own_counts() -> None:
    rows = np.exp(by_side(read({4: "b3"}).joint()))
    assert rows.shape == (24, 2, 16)
    assert rows[4, 1, 3] > 0.98
    assert rows[4, 0, 0] > 0.98
    assert np.allclose(rows.sum(2), 1, atol=1e-3)


def test_points_are_in_camera_order() -> None:
    """Left half: upper 0 to 5, lower 12 to 17; right half: upper 6 to 11, lower 18 to 23."""
    halves = np.array([[*range(0, 6), *range(12, 18)], [*range(6, 12), *range(18, 24)]])
    assert in_order(halves.astype(np.float32)).tolist() == list(range(24))


def test_a_clear_board_is_read() -> None:
    said = answer(read({11: "w15", 12: "b15"}))
    assert said.status == "read"
    assert said.points[11:13] == ("w15", "b15")
    assert set(said.points[:11]) == {""}


def test_a_doubtful_count_makes_the_board_unsure() -> None:
    said = answer(read({0: "w2", 9: "b2"}, {0: {2: 0.6, 3: 0.38}}))
    assert said.status == "unsure"
    assert said.points[0] == "?"
    assert said.points[9] == "b2"


def test_a_board_is_read_only_when_every_point_is_beyond_doubt() -> None:
    """Points of 0.93 are answered, but a board with such points is not read."""
    spread = {0: {2: 0.93, 1: 0.06}, 5: {3: 0.93, 4: 0.06}}
    stands = {0: "w2", 5: "b3", 9: "b2"}
    said = answer(read(stands, spread))
    assert said.points[0] == "w2"
    assert said.points[5] == "b3"
    assert said.status == "unsure"
    assert "beyond doubt" in said.reason
    assert answer(read(stands)).status == "read"


def test_hidden_points_cover_the_board() -> None:
    seen = read({0: "w2", 9: "b2"})
    seen.hidden[[3, 4]] = 0.9
    said = answer(seen)
    assert said.status == "covered"
    assert said.points[3] == "?"


def test_a_lone_side_is_not_read() -> None:
    assert answer(read({0: "w2"}, told=False)).status == "unsure"
    assert answer(read({0: "w2"}, told=False), known=True).status == "read"


@pytest.mark.parametrize(("heads", "mirrored"), [(HEADS, False), (MIRRORED, True)])
def test_the_start_tells_whose_side_is_whose(heads: tuple[int, int], mirrored: bool) -> None:
    for white, black in (heads, heads[::-1]):
        # how many of a heap are seen doesn't matter
        start = learn_start(read({white: "w9", black: "b15"}))
        assert isinstance(start, Start)
        assert start.white_head == white
        assert start.mirrored is mirrored


@pytest.mark.parametrize("stands", [{0: "w15", 1: "b15"}, {11: "w15"}, {11: "w15", 12: "w15"}])
def test_other_positions_are_no_start(stands: dict[int, str]) -> None:
    assert isinstance(learn_start(read(stands)), str)


def test_the_path_runs_counterclockwise_from_the_head() -> None:
    """White's head is 24, Black's 12; both walk to lower numbers (rules/nardi/board.py)."""
    numbers = Start(COLOURS, 11).point_numbers()
    assert numbers[11] == 24
    assert numbers[0] == 13
    assert numbers[12] == 12
    assert numbers[23] == 1
    turned = Start(COLOURS, 12).point_numbers()
    assert (turned[12], turned[23], turned[11], turned[0]) == (24, 13, 12, 1)
    mirrored = Start(COLOURS, 0).point_numbers()
    assert (mirrored[0], mirrored[11], mirrored[23], mirrored[12]) == (24, 13, 12, 1)


def test_the_position_is_written_once_the_start_is_known() -> None:
    said = answer(read({11: "w13", 5: "w2", 12: "b14"}), known=True)
    assert fen_of(said, Start(COLOURS, 11)) == "W:W24x13,18x2:B12x14:O0-1"


def test_a_checker_between_two_points_makes_both_doubtful() -> None:
    geometry = NardiGeometry.from_corners([[0, 0], [1300, 0], [1300, 1200], [0, 1200]])
    heat = np.zeros((2, 68, 36), np.float32)
    # cells: three of room, five a point; the right half's border of its second and third point
    heat[1, 50, 12:14] = 0.9, 0.85
    # in the middle of the third point, upper row
    heat[0, 8, 15] = 0.9
    loose, points = between(heat, geometry)
    assert points == [19, 20]
    assert loose[0][0] == pytest.approx((0.54 + 2 / 6 * 0.46), abs=0.02)
    assert loose[0][1] == pytest.approx(46.5 / 60, abs=0.01)


def test_points_beside_a_loose_checker_are_not_answered() -> None:
    seen = read({0: "w2", 9: "b2"})
    said = answer(
        PointsRead(
            seen.counts, seen.odds, seen.hidden, seen.colours, ((0.1, 0.1),), frozenset({0, 1})
        )
    )
    assert said.status == "unsure"
    assert said.points[:3] == ("?", "?", "")
