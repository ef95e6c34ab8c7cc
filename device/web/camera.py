"""Pictures for the page: what the camera sees, small, and cropped to the board."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame
from vision.percept import Corners, Percept

#: Pixels along the longer edge of what the set-up page is given.
LONGEST = 1280

#: How much around the board is shown, as a share of its longer edge: men at the edge stand up.
MARGIN = 0.08

_QUALITY = [cv2.IMWRITE_JPEG_QUALITY, 80]


def box_of(corners: Corners, size_wh: tuple[int, int]) -> tuple[int, int, int, int]:
    """The upright box (x0, y0, x1, y1) around a board in a picture, with the margin."""
    points = np.array(corners)
    low, high = points.min(axis=0), points.max(axis=0)
    extra = float((high - low).max()) * MARGIN
    x0, y0 = np.floor(low - extra).astype(int)
    x1, y1 = np.ceil(high + extra).astype(int)
    width, height = size_wh
    return max(0, int(x0)), max(0, int(y0)), min(width, int(x1)), min(height, int(y1))


def cropped(frame: Frame, corners: Corners | None) -> NDArray[np.uint8]:
    """The part of a picture that shows the board; without corners all of it."""
    if corners is None:
        return frame.image
    x0, y0, x1, y1 = box_of(corners, frame.size_wh)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return frame.image
    return frame.image[y0:y1, x0:x1]


def encoded(image: NDArray[np.uint8], longest: int = LONGEST) -> bytes:
    """A picture as JPEG, at most ``longest`` pixels along its longer edge."""
    scale = longest / max(image.shape[:2])
    if scale < 1:
        image = np.asarray(
            cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
        )
    _, data = cv2.imencode(".jpg", image, _QUALITY)
    return data.tobytes()


def numbers(frame: Frame) -> dict[str, Any]:
    """What a person can put right about a picture: its size, light, and sharpness."""
    small = cv2.resize(frame.image, (320, 240), interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    width, height = frame.size_wh
    return {
        "width": width,
        "height": height,
        "light": round(float(grey.mean()) / 255, 3),
        "burnt": round(float((grey >= 250).mean()), 3),
        "sharp": round(float(cv2.Laplacian(grey, cv2.CV_64F).var()), 1),
    }


def mounting(frame: Frame, percept: Percept) -> list[dict[str, str]]:
    """How well the camera hangs, as lines for a person; none while no board is seen."""
    return []
