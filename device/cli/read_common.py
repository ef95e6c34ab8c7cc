"""What ``toreshi read`` does for every game: a file, its answer, and what goes wrong with it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from rules.errors import ToreshiError
from vision.frame import Frame
from vision.pictures import read_picture

from . import one_line

Points = list[list[float]]

#: Why nothing is found where a person clicked.
OUTSIDE = "the corners lie outside the picture"


def row_of(path: str, said: Callable[[Frame, str], dict[str, Any]]) -> dict[str, Any]:
    """The answer for one file, as the JSON line that the contract describes.

    Args:
        path: the picture.
        said: what is said of a frame, with the picture's name for what is drawn of it.
    """
    begun = time.perf_counter()
    try:
        frame = read_picture(Path(path))
    except ToreshiError as error:
        return {"file": path, "status": "error", "reason": str(error)}
    answer = said(frame, Path(path).stem)
    return {"file": path, **answer, "ms": round((time.perf_counter() - begun) * 1000, 1)}


def outside(corners: Points, frame: Frame) -> bool:
    """Whether nothing of the board can be in the picture."""
    low, high = np.min(corners, axis=0), np.max(corners, axis=0)
    return bool(np.any(high <= 0) or np.any(low >= frame.size_wh))


def heading(row: dict[str, Any]) -> str:
    """The first line of an answer for a person."""
    why = f" ({row['reason']})" if row["reason"] else ""
    return one_line(f"{row['file']}: {row['status']}{why}")
