"""Pictures as the nardi networks take them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from .board import Image, Points

Floats = NDArray[np.float32]

#: Edge of the field network's picture, and of one of its cells, pixels.
FIELD_PX, CELL_PX = 128, 4


def normalised(pictures: NDArray[np.uint8]) -> Floats:
    """Pictures (n, h, w, 3) as float32 (n, 3, h, w), each with mean 0 and spread 1."""
    flat = pictures.astype(np.float32).transpose(0, 3, 1, 2)
    mean = flat.mean((1, 2, 3), keepdims=True)
    spread = flat.std((1, 2, 3), keepdims=True)
    return np.ascontiguousarray((flat - mean) / (spread + 4))


def squeezed(image: Image) -> tuple[Image, Points]:
    """A whole picture as a square of FIELD_PX, and the 3x3 from its pixels to the picture's."""
    height, width = image.shape[:2]
    small = cv2.resize(image, (FIELD_PX, FIELD_PX), interpolation=cv2.INTER_AREA)
    fx, fy = width / FIELD_PX, height / FIELD_PX
    back = np.array([[fx, 0, fx / 2 - 0.5], [0, fy, fy / 2 - 0.5], [0, 0, 1]])
    return np.asarray(small, np.uint8), back
