"""What the network that finds nardi fields is taught: labels lie where the corners are."""

import cv2
import numpy as np
import pytest

from models.train import nardi_fields
from models.train.nardi_fields import CELLS, FieldSample, field_sample
from models.train.nardi_scenes import Stored
from models.train.nardi_strange import elsewhere, hiding
from vision.nardi.board import NardiGeometry
from vision.nardi.crops import CELL_PX

HALVES = NardiGeometry.from_corners([[150, 120], [500, 140], [520, 400], [120, 380]]).halves
#: Corners of the halves that are outer ones, in the order of the halves.
OUTER = {0, 3, 5, 6}


def scene() -> Stored:
    """A grey picture with a green dot on each outer corner and a red one on each at the bar."""
    image = np.full((480, 640, 3), 90, np.uint8)
    for k, (x, y) in enumerate(np.rint(HALVES.reshape(8, 2)).astype(int).tolist()):
        cv2.circle(image, (x, y), 7, (0, 255, 0) if k in OUTER else (0, 0, 255), -1)
    none = np.zeros(0)
    return Stored(
        image, np.zeros((480, 640), np.uint8), HALVES, np.zeros((0, 2)), np.zeros(24, np.int8),
        none, none, np.zeros(24), 0.8,
    )  # fmt: skip


@pytest.fixture
def samples(monkeypatch: pytest.MonkeyPatch) -> list[FieldSample]:
    monkeypatch.setattr(nardi_fields, "recoloured", lambda picture, _: picture)
    rng = np.random.default_rng(3)
    return [field_sample(scene(), rng) for _ in range(60)]


def colour_at(sample: FieldSample, heat: np.ndarray) -> np.ndarray:
    row, column = np.unravel_index(int(heat.argmax()), heat.shape)
    x, y = (int(v * CELL_PX + CELL_PX // 2) for v in (column, row))
    around = sample.picture[y - 2 : y + 3, x - 2 : x + 3].reshape(-1, 3)
    return np.asarray(around.max(0), int)


def inside(heat: np.ndarray) -> bool:
    row, column = np.unravel_index(int(heat.argmax()), heat.shape)
    return bool(heat.max() > 0.8 and 1 < row < CELLS - 2 and 1 < column < CELLS - 2)


def test_heat_lies_on_the_corners_of_its_kind(samples: list[FieldSample]) -> None:
    looked = 0
    for sample in samples:
        for kind, channel in ((0, 1), (1, 2)):
            if inside(sample.heat[kind]):
                seen = colour_at(sample, sample.heat[kind])
                looked += 1
                assert seen[channel] == seen.max() > 110
    assert looked > 60


def test_the_corners_of_a_level_field_are_told_apart(samples: list[FieldSample]) -> None:
    told = [s for s in samples if s.level and s.corners.max() > 0]
    assert len(told) > 20
    for sample in told:
        seen = {k: heat for k, heat in enumerate(sample.corners) if inside(heat)}
        at = {k: np.unravel_index(int(heat.argmax()), heat.shape) for k, heat in seen.items()}
        for k, heat in seen.items():
            assert (colour_at(sample, heat)[1] > 110) == (k in OUTER)
        for first, second in ((0, 1), (1, 4), (4, 5), (3, 2), (2, 7), (7, 6)):
            if first in at and second in at:
                assert at[first][1] <= at[second][1]
        for upper, lower in ((0, 3), (1, 2), (4, 7), (5, 6)):
            if upper in at and lower in at:
                assert at[upper][0] < at[lower][0]


def test_a_field_is_not_told_where_its_rows_run_the_wrong_way(samples: list[FieldSample]) -> None:
    across = [s for s in samples if s.level and s.corners.max() == 0]
    assert across
    for sample in across:
        # the rows run down the picture: twice their angle is near half a turn
        assert sample.angle[0] < -0.5


def test_other_surroundings_leave_the_field_as_it_is() -> None:
    image, rng = scene().image, np.random.default_rng(1)
    ground = np.full_like(image, 200)
    for _ in range(10):
        out = elsewhere(image, HALVES, ground, rng)
        mask = np.zeros(image.shape[:2], np.uint8)
        corners = NardiGeometry(HALVES).corners
        cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), 1)
        inner = cv2.erode(mask, np.ones((9, 9), np.uint8)) > 0
        assert np.array_equal(out[inner], image[inner])
        assert (out[:20] == 200).all()


def test_what_hides_a_corner_lies_near_one() -> None:
    image, rng = scene().image, np.random.default_rng(2)
    out = hiding(image, HALVES, np.full_like(image, 200), rng)
    changed = np.argwhere((out != image).any(-1))[:, ::-1]
    assert len(changed) > 50
    gaps = np.hypot(*(changed[:, None] - HALVES.reshape(8, 2)[None]).transpose(2, 0, 1)).min(1)
    assert gaps.max() < 120
