"""The board seen from straight above, and its squares one by one.

One warp of the whole board, then slices: that is what keeps a frame cheap.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from .geometry import BoardGeometry

Image = NDArray[np.uint8]


def rectify(image: Image, geometry: BoardGeometry, px: int = 48, margin: float = 0.0) -> Image:
    """The board from straight above.

    Args:
        image: uint8 (H, W, 3).
        geometry: of that picture.
        px: edge of a square in the answer, pixels.
        margin: surroundings shown on every side, squares; rounded to whole pixels.

    Returns:
        uint8 (n, n, 3) with n = size * px + 2 * round(margin * px), row 0 along corners[0] ->
        corners[1].  What lies outside the picture repeats its border.
    """
    image, geometry = _no_finer(image, geometry, px)
    pad = round(margin * px)
    n = geometry.size * px + 2 * pad
    # a lens with k1 = 0 needs the homography only, and warpPerspective is three times faster
    if geometry.k1 == 0.0:
        to_board = np.array(
            [[1 / px, 0, (0.5 - pad) / px], [0, 1 / px, (0.5 - pad) / px], [0, 0, 1]]
        )
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(
            cv2.warpPerspective(
                image,
                geometry.homography() @ to_board,
                (n, n),
                flags=flags,
                borderMode=cv2.BORDER_REPLICATE,
            ),
            np.uint8,
        )
    step = (np.arange(n) + 0.5 - pad) / px
    xy = geometry.to_image(np.stack(np.meshgrid(step, step), axis=-1)).astype(np.float32)
    return np.asarray(
        cv2.remap(image, xy[..., 0], xy[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
        np.uint8,
    )


def _no_finer(image: Image, geometry: BoardGeometry, px: int) -> tuple[Image, BoardGeometry]:
    """The picture made smaller when it has more than twice the pixels asked for: a warp looks at
    four pixels only, and noise and grain between them would come and go.
    """
    factor = 1.5 * px / geometry.square_px()
    if factor > 0.75:
        return image, geometry
    small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), geometry.scaled(factor)


def cut(image: Image, geometry: BoardGeometry, px: int = 48, margin: float = 1 / 3) -> Image:
    """Every square with some of its surroundings.

    Args:
        image: uint8 (H, W, 3).
        geometry: of that picture.
        px: edge of a crop, pixels, surroundings included.
        margin: surroundings on every side, squares.

    Returns:
        uint8 (size * size, px, px, 3), row by row; the square itself is the middle
        1 / (1 + 2 * margin) of its crop.
    """
    inner = max(1, round(px / (1 + 2 * margin)))
    pad = (px - inner + 1) // 2
    board = rectify(image, geometry, inner, pad / inner)
    windows = np.lib.stride_tricks.sliding_window_view(board, (px, px), axis=(0, 1))
    n = geometry.size
    crops = windows[: n * inner : inner, : n * inner : inner].transpose(0, 1, 3, 4, 2)
    return np.ascontiguousarray(crops.reshape(n * n, px, px, 3))
