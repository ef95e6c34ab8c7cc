"""One picture from a camera."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .errors import BadPicture


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture, and when it was taken.

    Attributes:
        image: uint8 array (H, W, 3), channels B, G, R as OpenCV has them; read-only.
        number: counts the frames of one source from 0.
        at_ns: monotonic time of exposure in nanoseconds.
    """

    image: NDArray[np.uint8]
    number: int = 0
    at_ns: int = 0

    def __post_init__(self) -> None:
        if self.image.dtype != np.uint8 or self.image.ndim != 3 or self.image.shape[2] != 3:
            raise BadPicture(
                f"picture array of {self.image.dtype} {self.image.shape}",
                f"frame {self.number}",
                "uint8 (H, W, 3) in BGR order",
            )
        self.image.flags.writeable = False

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.image.shape[1], self.image.shape[0]
