"""Pictures show the board only, and go when they are old or too many."""

import os
from pathlib import Path

import numpy as np
import pytest

from device.keeping import DAY_S, box_of, cropped, tidy

NOW = 1_800_000_000.0
BOARD = ((100.0, 50.0), (300.0, 50.0), (300.0, 250.0), (100.0, 250.0))


def test_the_box_has_a_tenth_around_the_board_and_ends_at_the_picture() -> None:
    assert box_of(BOARD, (640, 480)) == (80, 30, 320, 270)
    assert box_of(BOARD, (310, 260)) == (80, 30, 310, 260)


def test_a_slanted_board_is_whole_in_its_box() -> None:
    slanted = ((200.0, 10.0), (400.0, 100.0), (350.0, 400.0), (50.0, 300.0))
    x0, y0, x1, y1 = box_of(slanted, (640, 480))
    assert x0 <= 50 - 35
    assert y0 == 0
    assert x1 >= 400 + 35
    assert y1 >= 400 + 35


def test_a_picture_is_cut_to_the_board() -> None:
    image = np.zeros((480, 640, 3), np.uint8)
    image[30:270, 80:320] = 7
    part = cropped(image, BOARD)
    assert part.shape == (240, 240, 3)
    assert (part == 7).all()
    assert cropped(image, None) is image
    beside = ((900.0, 900.0), (950.0, 900.0), (950.0, 950.0), (900.0, 950.0))
    assert cropped(image, beside) is image


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A machine that knows the day."""
    known = tmp_path / "machine" / "run/systemd/timesync/synchronized"
    known.parent.mkdir(parents=True)
    known.touch()
    return tmp_path / "machine"


def keep(games: Path, name: str, days_ago: float, size: int = 1000) -> Path:
    path = games / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x" * size)
    os.utime(path, (NOW - days_ago * DAY_S,) * 2)
    return path


def test_pictures_go_after_their_days_and_records_stay(tmp_path: Path, machine: Path) -> None:
    games = tmp_path / "games"
    old = keep(games, "a/evidence/001-O1.jpg", 31)
    new = keep(games, "b/evidence/001-O1.jpg", 29)
    record = keep(games, "a/game.pdn", 400)
    aside = keep(games, "a/evidence-1/000-start.jpg", 31)
    assert tidy(games, 30, 2000, NOW, machine) == 2
    assert not old.exists()
    assert not aside.exists()
    assert new.exists()
    assert record.exists()


def test_the_oldest_go_beyond_the_quota(tmp_path: Path, machine: Path) -> None:
    games = tmp_path / "games"
    megabyte = 1024 * 1024
    kept = [keep(games, f"g/evidence/{days}.jpg", days, megabyte) for days in (1, 2, 3, 4)]
    assert tidy(games, 30, 2, NOW, machine) == 2
    assert [path.exists() for path in kept] == [True, True, False, False]


def test_without_a_day_nothing_is_too_old(tmp_path: Path) -> None:
    games = tmp_path / "games"
    picture = keep(games, "a/evidence/001-O1.jpg", 400)
    assert tidy(games, 30, 2000, NOW, tmp_path / "nowhere") == 0
    assert picture.exists()
