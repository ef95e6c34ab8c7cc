"""Pictures for the page: what the camera sees, small, and cropped to the board."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame
from vision.geometry import BoardGeometry
from vision.mounting import check_mounting
from vision.percept import Percept

#: Pixels along the longer edge of what the set-up page is given.
LONGEST = 1280

_QUALITY = [cv2.IMWRITE_JPEG_QUALITY, 80]


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


def mounting(frame: Frame, percept: Percept) -> list[dict[str, Any]]:
    """How well the camera hangs: each figure with what to do about it; none without a board."""
    if percept.corners is None or not isinstance(percept, Percept):
        return []
    geometry = BoardGeometry(percept.size, np.array(percept.corners), image_wh=frame.size_wh)
    return [check.to_json() for check in check_mounting(frame.image, geometry)]
