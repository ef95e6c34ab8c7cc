"""The networks of dice, in one file: one finds them in a picture, one reads a single die."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from . import network
from .dice_crops import CROP_PX, FOUND_PX, MARGIN

Floats = NDArray[np.float32]

#: What a crop can show: a die that can't be read, one to six pips, no die in its middle.
CLASSES = ("0", "1", "2", "3", "4", "5", "6", "none")

#: Sides of pictures to search are multiples of this many pixels.
STEP = 16

_INPUT = {"crop_px": CROP_PX, "margin": MARGIN, "found_px": list(FOUND_PX)}


class DiceModel:
    """The loaded networks, run by onnxruntime on one thread.

    Args:
        path: the ``.onnx`` file; its card lies beside it.

    Raises:
        BadWeights: missing, changed, or made for something else.
    """

    def __init__(self, path: Path) -> None:
        wanted = {"classes": list(CLASSES), "input": _INPUT}
        self._session, card = network.load(path, wanted)
        self.sha256 = str(card["sha256"])

    def find(self, picture: Floats) -> tuple[Floats, Floats]:
        """Dice in a picture float32 (1, 3, H, W), H and W multiples of STEP.

        Returns:
            Boxes (n, 4) x0, y0, x1, y1 pixels, and how likely each one is a die's (n,); many for
            each die.
        """
        nothing = np.zeros((1, 3, CROP_PX, CROP_PX), np.float32)
        (found,) = self._session.run(["found"], {"picture": picture, "crops": nothing})
        x, y, wide, tall = found[0, :4]
        boxes = np.stack([x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2], -1)
        return boxes, found[0, 4]

    def read(self, crops: Floats) -> tuple[Floats, Floats]:
        """What crops float32 (n, 3, CROP_PX, CROP_PX) show.

        Returns:
            Probabilities (n, len(CLASSES)), and how likely the middle of a pip on top is in each
            cell of a map (n, CROP_PX // 2, CROP_PX // 2).
        """
        nothing = np.zeros((1, 3, STEP, STEP), np.float32)
        kinds, pips = self._session.run(["read", "pips"], {"picture": nothing, "crops": crops})
        return kinds, pips
