"""What stays of pictures: the board only, for some weeks, and not more than fits.

Records and journals stay; pictures of people's boards go.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.percept import Corners

from .date import source_of_date

DAY_S = 24 * 3600.0
MEGABYTE = 1024 * 1024

#: How much around the board is kept, as a share of its longer edge: men at the edge stand up.
MARGIN = 0.1


def box_of(corners: Corners, size_wh: tuple[int, int]) -> tuple[int, int, int, int]:
    """The upright box (x0, y0, x1, y1) around a board in a picture, with the margin."""
    points = np.array(corners)
    low, high = points.min(axis=0), points.max(axis=0)
    extra = float((high - low).max()) * MARGIN
    x0, y0 = np.floor(low - extra).astype(int)
    x1, y1 = np.ceil(high + extra).astype(int)
    width, height = size_wh
    return max(0, int(x0)), max(0, int(y0)), min(width, int(x1)), min(height, int(y1))


def cropped(image: NDArray[np.uint8], corners: Corners | None) -> NDArray[np.uint8]:
    """The part of a picture (H, W, 3) that shows the board; without corners all of it."""
    if corners is None:
        return image
    height, width = image.shape[:2]
    x0, y0, x1, y1 = box_of(corners, (width, height))
    if x1 - x0 < 2 or y1 - y0 < 2:
        return image
    return image[y0:y1, x0:x1]


@dataclass(frozen=True, slots=True)
class _Picture:
    path: Path
    made_s: float
    size: int


def tidy(
    games: Path,
    days: float = 30.0,
    megabytes: float = 2000.0,
    now_s: float | None = None,
    root: Path = Path("/"),
) -> int:
    """Remove pictures that are too old, then the oldest ones beyond the quota.

    Args:
        games: folder of all games.
        days: how long a picture is kept.
        megabytes: how much all pictures may take.
        now_s: seconds since 1970; None asks the machine.
        root: where the machine says who set its clock.

    Returns:
        How many were removed.  On a machine that doesn't know the day none is too old.
    """
    now = time.time() if now_s is None else now_s
    pictures = sorted(_pictures(games), key=lambda one: one.made_s)
    knows_the_day = bool(source_of_date(root))
    removed, left = 0, sum(one.size for one in pictures)
    for one in pictures:
        old = knows_the_day and now - one.made_s > days * DAY_S
        if old or left > megabytes * MEGABYTE:
            left -= one.size
            with suppress(OSError):
                one.path.unlink()
                removed += 1
    return removed


def _pictures(games: Path) -> Iterator[_Picture]:
    for path in games.glob("*/evidence*/*.jpg"):
        with suppress(OSError):
            told = path.lstat()
            yield _Picture(path, told.st_mtime, told.st_size)
