"""The network that reads squares."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from . import network
from .crops import BRIGHTEST, CHANNELS, DARKEST, LIFT, OFFSET, ROOM, SQUARE_PX
from .percept import CLASSES

Floats = NDArray[np.float32]

#: What a square that is known can hold, in the order of a support's weights: empty dark,
#: empty light, man of the lighter side, man of the darker side, king of the lighter side, king of
#: the darker side.
KINDS = 6

#: What the network is made for; its card says the same.
INPUT = {
    "channels": CHANNELS,
    "square_px": SQUARE_PX,
    "room": ROOM,
    "lift": LIFT,
    "offset": OFFSET,
    "range": [DARKEST, BRIGHTEST],
}

#: Edge in pixels of the smallest board, of one square, which stands in where none is looked at.
_LEAST = round((1 + 2 * ROOM) * SQUARE_PX)


@dataclass(frozen=True, slots=True, eq=False)
class Support:
    """Squares whose contents are known: what the network compares with.

    Attributes:
        made: float32 (k, width), their descriptions.
        weights: float32 (k, KINDS), which kind each one is.
    """

    made: Floats
    weights: Floats


class SquareModel:
    """The loaded network.

    Args:
        path: the ``.onnx`` file; its card lies beside it.

    Raises:
        BadWeights: missing, changed, or made for other crops than these.
    """

    def __init__(self, path: Path) -> None:
        wanted = {"classes": CLASSES, "input": INPUT, "kinds": KINDS}
        self._session, card = network.load(path, wanted)
        self.sha256 = str(card["sha256"])
        self.width = int(card["width"])

    def describe(self, pixels: Floats, lean: Floats) -> tuple[Floats, Floats]:
        """Descriptions (m, width) of a board's squares, and the log-odds (m,) of being covered.

        Args:
            pixels: (CHANNELS, P, P), as ``crops.normalise`` makes them.
            lean: (m, 2), as ``crops.upright_lean`` gives it.
        """
        nothing = np.zeros((1, self.width), np.float32)
        made, covered = self._session.run(
            ["made", "covered"],
            {
                "boards": pixels[None],
                "lean": lean[None],
                "queries": nothing,
                "light": np.ones(1, np.float32),
                "support": nothing,
                "weights": np.zeros((1, KINDS), np.float32),
            },
        )
        return made[0], covered[0]

    def compare(self, made: Floats, light: Floats, support: Support) -> Floats:
        """Log-probabilities (m, 5) of all squares of one board.

        Args:
            made: (m, width), their descriptions.
            light: (m,), 1 for light squares.
            support: what is known of this set; may be empty.
        """
        known = len(support.made) > 0
        nothing = np.zeros((1, self.width), np.float32)
        (scores,) = self._session.run(
            ["scores"],
            {
                "boards": np.zeros((1, CHANNELS, _LEAST, _LEAST), np.float32),
                "lean": np.zeros((1, 1, 2), np.float32),
                "queries": made,
                "light": light,
                "support": support.made if known else nothing,
                "weights": support.weights if known else np.zeros((1, KINDS), np.float32),
            },
        )
        return np.asarray(scores, np.float32)


def nothing_known(width: int) -> Support:
    """The support of a board that nothing is known of."""
    return Support(np.zeros((0, width), np.float32), np.zeros((0, KINDS), np.float32))
