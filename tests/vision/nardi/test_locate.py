"""Finding a nardi board, with a stand-in for the network that sees painted boards perfectly."""

from typing import cast

import cv2
import numpy as np
import pytest

from vision.geometry import homography_from_points, project
from vision.nardi.board import NardiGeometry, Points
from vision.nardi.corners import CORNER_PX, agreed, corner_pictures, moved
from vision.nardi.crops import CELL_PX, FIELD_PX, normalised, squeezed
from vision.nardi.locate import CELLS, Locator, NotFound, rough_corners, tops
from vision.nardi.model import CornerModel, FieldModel, Floats

BAR = (0.46, 0.54)
_UNIT = [[0, 0], [1, 0], [1, 1], [0, 1]]


def bells(places: Points) -> Floats:
    heat = np.zeros((CELLS, CELLS), np.float32)
    rows, columns = np.mgrid[:CELLS, :CELLS]
    for x, y in (places + 0.5) / CELL_PX - 0.5:
        heat = np.maximum(heat, np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * 0.85**2)))
    return heat.astype(np.float32)


class PaintedField:
    """Sees a white field with a blue bar, whose length runs from row to row."""

    def look(self, picture: np.ndarray) -> Floats:
        # white and blue both have much blue
        field = (picture[..., 0] > 110).astype(np.uint8)
        bar = field & (picture[..., 2] < 110).astype(np.uint8)
        said = np.zeros((6, CELLS, CELLS), np.float32)
        if bar.sum() < 8:
            return said
        hull = cv2.convexHull(np.argwhere(field)[:, ::-1].astype(np.int32))
        corners = cv2.approxPolyDP(hull, 0.05 * cv2.arcLength(hull, True), True)
        said[0] = bells(corners.reshape(-1, 2).astype(float))
        box = cv2.boxPoints(cv2.minAreaRect(np.argwhere(bar)[:, ::-1].astype(np.float32)))
        said[1] = bells(box.astype(float))
        said[2], said[3] = (
            cv2.resize(m.astype(np.float32), (CELLS, CELLS), interpolation=cv2.INTER_AREA)
            for m in (field, bar)
        )
        edges = np.roll(box, -1, axis=0) - box
        short = edges[int(np.argmin(np.hypot(*edges.T)))]
        twice = 2 * np.arctan2(short[1], short[0])
        said[4], said[5] = np.cos(twice), np.sin(twice)
        return said

    def corners(self, picture: np.ndarray) -> Floats:
        """The corners of two white parts that lie side by side."""
        heat = np.zeros((8, CELLS, CELLS), np.float32)
        count, names, stats, middles = cv2.connectedComponentsWithStats(
            (picture.min(-1) > 110).astype(np.uint8)
        )
        parts = [k for k in range(1, count) if stats[k, cv2.CC_STAT_AREA] > 400]
        if len(parts) != 2:
            return heat
        parts.sort(key=lambda k: middles[k][0])
        across, down = np.abs(middles[parts[1]] - middles[parts[0]])
        if down > across:
            return heat
        for half, part in enumerate(parts):
            ys, xs = np.nonzero(names == part)
            for corner, towards in enumerate(([-1, -1], [1, -1], [1, 1], [-1, 1])):
                far = int((xs * towards[0] + ys * towards[1]).argmax())
                heat[4 * half + corner] = bells(np.array([[float(xs[far]), float(ys[far])]]))
        return heat


class PaintedCorner:
    """Sees the upper left corner of the white part that lies right and below."""

    def look(self, pictures: np.ndarray) -> Floats:
        heat = np.zeros((8, 24, 24), np.float32)
        rows, columns = np.mgrid[:24, :24]
        for one, picture in enumerate(pictures):
            white = (picture.min(-1) > 110).astype(np.uint8)
            _, names = cv2.connectedComponents(white)
            mine = np.argwhere((names == names[40, 40]) & (white > 0))
            if not len(mine):
                continue
            y, x = mine[mine.sum(1).argmin()]
            if min(x, y) > 1:
                at = (np.array([x, y]) + 0.5) / 2 - 0.5
                heat[one] = np.exp(-((columns - at[0]) ** 2 + (rows - at[1]) ** 2) / 2)
        return heat


def painted(corners: Points) -> np.ndarray:
    image = np.full((600, 800, 3), 30, np.uint8)
    cv2.fillConvexPoly(image, np.rint(corners).astype(np.int32), (255, 255, 255))
    through = homography_from_points(_UNIT, corners)
    bar = project(through, [[BAR[0], 0], [BAR[1], 0], [BAR[1], 1], [BAR[0], 1]])
    cv2.fillConvexPoly(image, np.rint(bar).astype(np.int32), (255, 0, 0))
    return image


def turned(degrees: float) -> Points:
    angle = np.radians(degrees)
    spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    box = np.array([[-220, -180], [220, -180], [220, 180], [-220, 180]])
    return np.asarray(box @ spin.T + np.array([400, 300]))


@pytest.fixture
def locator() -> Locator:
    return Locator(cast("FieldModel", PaintedField()), cast("CornerModel", PaintedCorner()))


@pytest.mark.parametrize("degrees", [0, 20, 45, 90, 130, 180, 250, 330])
def test_rows_are_found_whichever_way_the_board_lies(locator: Locator, degrees: float) -> None:
    corners = turned(degrees)
    found = locator.find(painted(corners))
    assert isinstance(found, NardiGeometry)
    gaps = [np.hypot(*(np.roll(found.corners, k, axis=0) - corners).T).max() for k in (0, 2)]
    assert min(gaps) < 0.03 * 400
    assert found.bar == pytest.approx(BAR, abs=0.02)
    first, third = np.hypot(*found.corners[0]), np.hypot(*found.corners[2])
    assert first <= third


@pytest.mark.parametrize("degrees", [0, 90])
def test_the_first_look_knows_the_rows(degrees: float) -> None:
    corners = turned(degrees)
    picture, back = squeezed(painted(corners))
    rough = rough_corners(PaintedField().look(picture))
    assert rough is not None
    seen = project(back, (rough + 0.5) * CELL_PX - 0.5)
    rows, columns = seen[1] - seen[0], corners[1] - corners[0]
    assert abs(rows @ columns) > 0.95 * np.hypot(*rows) * np.hypot(*columns)


def test_a_board_seen_aslant_is_found(locator: Locator) -> None:
    corners = np.array([[250, 120], [560, 140], [680, 520], [130, 480]], float)
    found = locator.find(painted(corners))
    assert isinstance(found, NardiGeometry)
    assert np.hypot(*(found.corners - corners).T).max() < 0.03 * 450


def test_a_known_place_is_found_again_after_a_knock(locator: Locator) -> None:
    corners = turned(5)
    before = NardiGeometry.from_corners(corners + np.array([12, -9]), BAR)
    found = locator.refine(painted(corners), before)
    assert isinstance(found, NardiGeometry)
    assert np.hypot(*(found.corners - corners).T).max() < 0.012 * 400


def test_a_corner_that_a_hand_hides_moves_along_with_the_others(locator: Locator) -> None:
    corners = turned(5)
    image = painted(corners)
    x, y = np.rint(corners[0]).astype(int)
    cv2.circle(image, (int(x), int(y)), 60, (20, 60, 90), -1)
    before = NardiGeometry.from_corners(corners + np.array([12, -9]), BAR)
    found = locator.refine(image, before)
    assert isinstance(found, NardiGeometry)
    assert np.hypot(*(found.corners - corners).T).max() < 0.02 * 400


def test_halves_that_do_not_quite_meet_keep_their_own_corners(locator: Locator) -> None:
    corners = turned(0)
    image = np.full((600, 800, 3), 30, np.uint8)
    halves = NardiGeometry.from_corners(corners, BAR).halves.copy()
    halves[1] += np.array([4, 9])
    for half in halves:
        cv2.fillConvexPoly(image, np.rint(half).astype(np.int32), (255, 255, 255))
    found = locator.refine(image, NardiGeometry.from_corners(corners, BAR))
    assert isinstance(found, NardiGeometry)
    assert np.hypot(*(found.halves - halves).reshape(8, 2).T).max() < 5


def test_no_board_and_darkness_are_said(locator: Locator) -> None:
    for level, reason in ((90, "no board"), (2, "too dark")):
        said = locator.find(np.full((300, 400, 3), level, np.uint8))
        assert isinstance(said, NotFound)
        assert reason in said.reason


def test_one_corner_far_astray_is_outvoted() -> None:
    # least squares bend so far towards one wrong corner that no gap alone looks large
    true = NardiGeometry.from_corners(turned(5), BAR).halves.reshape(8, 2)
    rng = np.random.default_rng(4)
    for wrong in range(8):
        corners = true + rng.normal(0, 1, (8, 2))
        corners[wrong] += (50, 10)
        settled, believed = agreed(corners, np.ones(8, bool))
        assert np.flatnonzero(~believed).tolist() == [wrong]
        assert np.hypot(*(settled - true).T).max() < 12


def test_halves_a_little_out_of_line_are_all_believed() -> None:
    halves = NardiGeometry.from_corners(turned(5), BAR).halves.copy()
    halves[1] += np.array([3, 5])
    settled, believed = agreed(halves.reshape(8, 2), np.ones(8, bool))
    assert believed.all()
    assert np.array_equal(settled, halves.reshape(8, 2))


class TwoPlaces:
    """Closer looks that also see a hotter corner elsewhere, six cells to the right of the true."""

    def look(self, pictures: np.ndarray) -> Floats:
        heat = PaintedCorner().look(pictures)
        return np.asarray(np.maximum(heat * 0.7, np.roll(heat, 6, axis=2)), np.float32)


def test_of_two_places_the_look_at_the_field_decides() -> None:
    corners = turned(5)
    locator = Locator(cast("FieldModel", PaintedField()), cast("CornerModel", TwoPlaces()))
    found = locator.find(painted(corners))
    assert isinstance(found, NardiGeometry)
    gaps = [np.hypot(*(np.roll(found.corners, k, axis=0) - corners).T).max() for k in (0, 2)]
    assert min(gaps) < 0.02 * 400


def test_clicked_corners_stay_and_are_counted_along_the_rows(locator: Locator) -> None:
    corners = turned(0)
    for first in range(4):
        found = locator.clicked(painted(corners), np.roll(corners, -first, axis=0))
        along = found.corners[1] - found.corners[0]
        assert abs(along[0]) > abs(along[1]), first
        assert {tuple(c) for c in found.corners} == {tuple(c) for c in corners}
    assert found.bar == pytest.approx(BAR, abs=0.02)


def test_peaks_are_placed_within_a_cell() -> None:
    heat = bells(np.array([[40.0, 61.3], [90.5, 30.0]]))
    places, strengths = tops(heat, 5)
    at = (places + 0.5) * CELL_PX - 0.5
    assert np.allclose(sorted(at.tolist()), [[40.0, 61.3], [90.5, 30.0]], atol=0.2)
    assert strengths.min() > 0.8


def test_whole_pictures_are_squeezed_to_places_that_come_back() -> None:
    corners = turned(0)
    small, back = squeezed(painted(corners))
    assert small.shape == (FIELD_PX, FIELD_PX, 3)
    ys, xs = np.nonzero(small.min(-1) > 128)
    seen = project(back, np.array([[xs.min(), ys.min()], [xs.max(), ys.max()]], float))
    assert np.allclose(seen, [corners[0], corners[2]], atol=8)


def test_all_corners_look_alike_once_they_are_turned() -> None:
    corners = turned(30)
    pictures, back = corner_pictures(painted(corners), NardiGeometry.from_corners(corners, BAR))
    for picture in pictures:
        assert picture.shape == (CORNER_PX, CORNER_PX, 3)
        assert (picture[26:40, 26:40] > 200).all()
        assert (picture[:20, 26:40, 2] < 60).all()
        assert (picture[26:40, 16:21, 2] < 60).all()
    middle = np.full((8, 2), 11.5)
    expected = NardiGeometry.from_corners(corners, BAR).halves.reshape(8, 2)
    assert np.allclose(moved(back, middle), expected, atol=0.01)


def test_pictures_are_normalised_each_by_itself() -> None:
    rng = np.random.default_rng(1)
    bright = rng.integers(150, 255, (16, 16, 3))
    both = normalised(np.stack([bright, bright // 3]).astype(np.uint8))
    assert np.allclose(both.mean((1, 2, 3)), 0, atol=1e-4)
    assert np.abs(both[0] - both[1]).max() < 0.5
