"""Dice as the networks see them: a picture at a scale, and one die in a small square.

Training cuts crops with the same functions, so that nothing differs from what was learnt.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Box = tuple[float, float, float, float]

#: Edge of the square that a die is read in, pixels.
CROP_PX = 48

#: Edge of what the square shows, in the longer edges of the die's box.
MARGIN = 1.45

#: Sizes of dice, in the longer edge of their box, that the finding network was trained on; pixels.
FOUND_PX = (9.0, 48.0)

#: Grey around pictures that end.
GREY = 114


def crop_map(
    box: Box, edge: int = CROP_PX, turn: float = 0.0, zoom: float = 1.0
) -> NDArray[np.float64]:
    """Affine map (2, 3) from the picture to a square around a die, pixel middles to pixel middles.

    ``turn`` in radians and ``zoom`` are for training, which shows dice otherwise than they were.
    """
    middle = np.array([(box[0] + box[2]) / 2, (box[1] + box[3]) / 2])
    scale = edge / (MARGIN * max(box[2] - box[0], box[3] - box[1], 1.0)) * zoom
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    turned = np.array([[c, -s], [s, c]])
    # a box from x0 to x1 has its middle half a pixel before (x0 + x1) / 2, counted in pixel middles
    shift = np.full(2, (edge - 1) / 2) - turned @ (middle - 0.5)
    return np.column_stack([turned, shift])


def cut(image: Image, box: Box) -> Image:
    """The square around a die, uint8 BGR (CROP_PX, CROP_PX, 3)."""
    longer = MARGIN * max(box[2] - box[0], box[3] - box[1], 1.0)
    shrink = int(longer / CROP_PX / 1.5)
    if shrink > 1:  # averaged first: thinning out pixels would let pips vanish
        image, box = _shrunk(image, box, shrink)
    return np.asarray(
        cv2.warpAffine(
            image,
            crop_map(box),
            (CROP_PX, CROP_PX),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=(GREY, GREY, GREY),
        ),
        np.uint8,
    )


def _shrunk(image: Image, box: Box, factor: int) -> tuple[Image, Box]:
    """The part around the box, averaged over squares of ``factor`` pixels, and the box in it."""
    reach = MARGIN * max(box[2] - box[0], box[3] - box[1])
    tall, wide = image.shape[:2]
    x0 = int(np.clip((box[0] + box[2]) / 2 - reach, 0, wide - 1))
    y0 = int(np.clip((box[1] + box[3]) / 2 - reach, 0, tall - 1))
    x1 = int(np.clip((box[0] + box[2]) / 2 + reach, x0 + 1, wide))
    y1 = int(np.clip((box[1] + box[3]) / 2 + reach, y0 + 1, tall))
    part = image[y0:y1, x0:x1]
    across, down = max(1, (x1 - x0) // factor), max(1, (y1 - y0) // factor)
    small = cv2.resize(part, (across, down), interpolation=cv2.INTER_AREA)
    fx, fy = across / (x1 - x0), down / (y1 - y0)
    inner = ((box[0] - x0) * fx, (box[1] - y0) * fy, (box[2] - x0) * fx, (box[3] - y0) * fy)
    return np.asarray(small, np.uint8), inner


def as_input(images: list[Image]) -> NDArray[np.float32]:
    """Pictures of one size as networks take them: R, G, B, 0 to 1, (n, 3, H, W)."""
    stack = np.stack(images)[..., ::-1].transpose(0, 3, 1, 2)
    return np.asarray(stack / np.float32(255), np.float32, "C")
