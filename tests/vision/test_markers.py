"""Corner markers: found on drawn tables, from wherever a camera may stand."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from device.marker_sheet import marker_sheet, write_sheet
from vision.errors import VisionError
from vision.frame import Frame
from vision.geometry import BoardGeometry, order_corners, project
from vision.locate import NotFound, locate
from vision.markers import CELLS, RIM, find_markers, locate_by_markers, or_by_markers, pattern
from vision.perceiver import Perceiver

Image = NDArray[np.uint8]
Points = NDArray[np.float64]

PX, ROOM = 60, 2
SEEN = {
    "above": [[170, 60], [640, 66], [634, 540], [160, 530]],
    "turned": [[420, 70], [700, 330], [400, 560], [150, 280]],
    "low": [[225, 110], [575, 120], [660, 440], [140, 430]],
}


@dataclass
class Table:
    """A board whose squares nobody can tell apart, men on it, and markers laid at its corners."""

    size: int = 8
    edge: float = 0.8
    numbers: tuple[int | None, ...] = (0, 1, 2, 3)
    turns: tuple[int, ...] = (0, 1, 2, 3)
    skew: float = 5.0
    contrast: int = 0
    view: str = "above"
    off: tuple[float, float] = (0.0, 0.0)
    corners: Points = field(init=False)

    def draw(self) -> Image:
        n = self.size
        flat = np.full(((n + 2 * ROOM) * PX,) * 2, 90, np.uint8)
        board = flat[ROOM * PX : -ROOM * PX, ROOM * PX : -ROOM * PX]
        tone = np.add.outer(np.arange(n), np.arange(n)) % 2 * self.contrast + 60
        board[:] = np.kron(tone, np.ones((PX, PX))).astype(np.uint8)
        for x in range(1, n, 2):
            cv2.circle(board, (x * PX + 30, 30), 22, 25, -1, cv2.LINE_AA)
            cv2.circle(board, (x * PX - 30, n * PX - 30), 22, 190, -1, cv2.LINE_AA)
        for corner in range(4):
            self.lay(flat, corner)
        low, high = ROOM * PX - 0.5, (ROOM + n) * PX - 0.5
        square = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
        seen = np.array(SEEN[self.view], np.float32) + np.array(self.off, np.float32)
        h = cv2.getPerspectiveTransform(square, seen)
        self.corners = order_corners(seen)
        image = cv2.warpPerspective(
            flat, h, (800, 600), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
        )
        soft = cv2.GaussianBlur(image, (0, 0), 0.7).astype(np.float64)
        noisy = soft[..., None] + np.random.default_rng(1).normal(0, 2.5, (600, 800, 3))
        return np.asarray(noisy.clip(0, 255), np.uint8)

    def lay(self, flat: NDArray[np.uint8], corner: int) -> None:
        """Lay one paper outside the board's corner, turned by quarters and by the skew."""
        number = self.numbers[corner]
        if number is None:
            return
        paper = np.where(np.pad(pattern(number), RIM), 20, 235).astype(np.uint8)
        paper = np.rot90(paper, self.turns[corner]).repeat(20, 0).repeat(20, 1)
        edge, side = self.edge * PX, len(paper)
        x, y = (ROOM + np.array([[0, 0], [1, 0], [1, 1], [0, 1]])[corner] * self.size) * PX
        left, up = np.array([[-1, -1], [0, -1], [0, 0], [-1, 0]])[corner] * edge
        turn = cv2.getRotationMatrix2D((0, 0), self.skew, 1.0)
        box = np.array([[left, up], [left + edge, up], [left, up + edge]])
        at = (box @ turn[:, :2].T + (x - 0.5, y - 0.5)).astype(np.float32)
        source = np.array([[-0.5, -0.5], [side - 0.5, -0.5], [-0.5, side - 0.5]], np.float32)
        cv2.warpAffine(
            paper, cv2.getAffineTransform(source, at), flat.shape[::-1], dst=flat,
            flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT,
        )  # fmt: skip


def miss(found: BoardGeometry | NotFound, corners: Points) -> float:
    """How far the worst corner is off, squares."""
    assert isinstance(found, BoardGeometry), found
    return float(np.hypot(*(found.corners - corners).T).max() / found.square_px())


@pytest.mark.parametrize("size", [8, 10])
@pytest.mark.parametrize("view", list(SEEN))
@pytest.mark.parametrize("skew", [0.0, 12.0])
def test_a_board_without_squares_is_found_by_its_markers(size: int, view: str, skew: float) -> None:
    table = Table(size, view=view, skew=skew)
    refused = NotFound("no board")
    assert miss(or_by_markers(table.draw(), size, refused), table.corners) < 0.08


def test_the_free_search_does_not_find_such_a_board() -> None:
    """Else the others would prove nothing."""
    assert isinstance(locate(Table().draw(), 8), NotFound)


@pytest.mark.parametrize("missing", range(4))
def test_three_markers_are_enough(missing: int) -> None:
    numbers = tuple(None if k == missing else 12 + k for k in range(4))
    table = Table(numbers=numbers, view="low", edge=1.0)
    # the corner without a marker follows from the shapes of the others
    assert miss(locate_by_markers(table.draw(), 8), table.corners) < 0.35


def test_where_squares_show_the_board_is_fitted_to_them() -> None:
    table = Table(contrast=60, edge=0.7, view="low")
    image = table.draw()
    found = or_by_markers(image, 8, NotFound("no board"))
    assert miss(found, table.corners) < 0.02
    assert isinstance(found, BoardGeometry)
    assert found.residual > 0


@pytest.mark.parametrize(
    ("numbers", "says"),
    [
        ((None, None, None, None), "no corner markers"),
        ((0, None, None, None), "only one corner marker of four"),
        ((0, None, 2, None), "only 2 corner markers of four"),
        ((0, 2, 1, 3), "not in order"),
        ((3, 2, 1, 0), "not in order"),
        ((0, 5, 10, 15), "only one corner marker"),
        ((0, 0, 2, None), "only one corner marker of four"),
    ],
)
def test_refused_with_a_sentence(numbers: tuple[int | None, ...], says: str) -> None:
    found = locate_by_markers(Table(numbers=numbers).draw(), 8)
    assert isinstance(found, NotFound)
    assert says in found.reason


def test_the_eyes_look_for_markers_when_they_find_no_board() -> None:
    weights = Path(__file__).parents[2] / "models" / "weights" / "squares.onnx"
    table = Table()
    seen = Perceiver(8, weights).see(Frame(table.draw()))
    assert seen.geometry == "found"
    np.testing.assert_allclose(np.array(seen.corners), table.corners, atol=3)


def test_a_refusal_of_another_size_stands_and_others_say_what_of_markers() -> None:
    image = Table(numbers=(0, 1, None, None)).draw()
    other = NotFound("the board has 10x10 squares, not 8x8", "size")
    assert or_by_markers(image, 8, other) == other
    plain = or_by_markers(image, 8, NotFound("no board in the picture"))
    assert isinstance(plain, NotFound)
    assert plain.reason == "no board in the picture; only 2 corner markers of four in the picture"
    bare = NotFound("no board in the picture")
    assert or_by_markers(Table(numbers=(None,) * 4).draw(), 8, bare) == bare


def test_the_larger_of_two_boards_counts() -> None:
    near, far = Table(numbers=(4, 5, 6, 7)), Table(numbers=(0, 1, 2, 3))
    image = near.draw()
    small = cv2.resize(far.draw(), (240, 180), interpolation=cv2.INTER_AREA)
    image[-180:, -160:] = cv2.resize(small, (160, 180))
    assert miss(locate_by_markers(image, 8), near.corners) < 0.05


def test_markers_as_printed_are_no_board_before_they_are_cut(tmp_path: Path) -> None:
    write_sheet(marker_sheet(30), tmp_path / "sheet.png")
    image = cv2.imread(str(tmp_path / "sheet.png"))
    assert image is not None
    image = cv2.resize(image, None, fx=0.3, fy=0.3, interpolation=cv2.INTER_AREA)
    assert set(find_markers(np.asarray(image, np.uint8))) == {0, 1, 2, 3}
    assert isinstance(locate_by_markers(np.asarray(image, np.uint8), 8), NotFound)
    # nor when a thing lies on one of them
    seen = find_markers(np.asarray(image, np.uint8))
    for three in combinations(range(4), 3):
        (hidden,) = set(range(4)) - set(three)
        covered = image.copy()
        x, y = seen[hidden].mean(axis=0).astype(int).tolist()
        cv2.circle(covered, (x, y), 30, (200, 180, 160), -1)
        assert isinstance(locate_by_markers(np.asarray(covered, np.uint8), 8), NotFound)


def test_no_two_markers_look_alike_in_any_turn() -> None:
    turned = [np.rot90(pattern(n), k).tobytes() for n in range(48) for k in range(4)]
    assert len(set(turned)) == 192
    assert all(pattern(n)[[0, -1]].all() and pattern(n)[:, [0, -1]].all() for n in range(48))
    assert pattern(0).shape == (CELLS, CELLS)


@pytest.mark.parametrize("number", [-1, 48])
def test_there_is_no_such_marker(number: int) -> None:
    with pytest.raises(VisionError, match="0 to 47"):
        pattern(number)


def test_the_drawn_tables_are_what_they_say() -> None:
    """The markers' own outlines lie where the truth has them: the drawing is right by itself."""
    table = Table(skew=0.0, turns=(0, 0, 0, 0))
    seen = find_markers(table.draw())
    square = np.array([[0, 0], [8, 0], [8, 8], [0, 8]], np.float32)
    h = cv2.getPerspectiveTransform(square, np.array(SEEN["above"], np.float32))
    expected = project(np.asarray(h, np.float64), [[8.1, 8.1], [8.7, 8.1], [8.7, 8.7], [8.1, 8.7]])
    np.testing.assert_allclose(seen[2], expected, atol=1.0)
