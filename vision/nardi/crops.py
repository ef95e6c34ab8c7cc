"""Pictures as the nardi networks take them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from ..geometry import homography_from_points
from .board import Image, Points, no_finer

Floats = NDArray[np.float32]

#: Edge of the field network's picture, and of one of its cells, pixels.
FIELD_PX, CELL_PX = 192, 4
#: Room around the field in its picture from straight above, a share of the picture's edge.
FIELD_ROOM = 0.17


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


def levelled(image: Image, corners: Points) -> tuple[Image, Points]:
    """The field as if from straight above in a square of FIELD_PX with room around it, and the
    3x3 from its pixels to the picture's.

    ``corners``: outer ones (4, 2), camera order, about where they lie.
    """
    ends = np.array([FIELD_ROOM, 1 - FIELD_ROOM]) * FIELD_PX - 0.5
    square = np.array([[ends[x], ends[y]] for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))])
    part, near = no_finer(image, corners, float(ends[1] - ends[0]))
    seen = cv2.warpPerspective(
        part,
        homography_from_points(near, square),
        (FIELD_PX, FIELD_PX),
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(seen, np.uint8), homography_from_points(square, corners)
