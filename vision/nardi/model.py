"""The networks of the nardi eyes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..network import load
from .board import HALF_WH, POINT_PX, ROOM_X, ROOM_Y
from .corners import ACROSS, ALONG, CORNER_CELL, CORNER_PX
from .crops import CELL_PX, FIELD_PX, FIELD_ROOM, normalised

Floats = NDArray[np.float32]

FIELD_INPUT = {"picture": [FIELD_PX, FIELD_PX], "cell": CELL_PX, "room": FIELD_ROOM}
CORNER_INPUT = {
    "picture": [CORNER_PX, CORNER_PX],
    "cell": CORNER_CELL,
    "reach": [ACROSS, ALONG],
}
HALF_INPUT = {
    "picture": [HALF_WH[1], HALF_WH[0]],
    "cell": CELL_PX,
    "point": POINT_PX,
    "room": [ROOM_X, ROOM_Y],
}


class FieldModel:
    """Finds the field in a whole picture, and its corners where it is nearly straight.

    Args:
        path: the ``.onnx`` file; its card lies beside it.

    Raises:
        BadWeights: missing, changed, or made for other pictures than these.
    """

    def __init__(self, path: Path) -> None:
        self._session, card = load(path, {"input": FIELD_INPUT})
        self.sha256 = str(card["sha256"])

    def look(self, picture: NDArray[np.uint8]) -> Floats:
        """What each cell of a picture (FIELD_PX, FIELD_PX, 3) shows.

        Returns:
            float32 (6, 48, 48): probabilities of an outer corner, of a corner at the bar, of the
            field and of the bar, then cosine and sine of twice the angle of the rows.
        """
        out = self._say(picture)
        return np.concatenate([_sigmoid(out[:4]), np.tanh(out[4:6])])

    def corners(self, picture: NDArray[np.uint8]) -> Floats:
        """Probabilities (8, 48, 48) of the place of each corner of both halves in a picture
        (FIELD_PX, FIELD_PX, 3) of a field whose rows run along its upper and lower edge.

        The corners are the left half's, clockwise from its upper left, then the right half's.
        """
        return _sigmoid(self._say(picture)[6:])

    def _say(self, picture: NDArray[np.uint8]) -> Floats:
        (said,) = self._session.run(None, {"pictures": normalised(picture[None])})
        return np.asarray(said[0], np.float32)


class CornerModel:
    """Finds corners of halves in small pictures of them.

    Args:
        path: the ``.onnx`` file; its card lies beside it.

    Raises:
        BadWeights: missing, changed, or made for other pictures than these.
    """

    def __init__(self, path: Path) -> None:
        self._session, card = load(path, {"input": CORNER_INPUT})
        self.sha256 = str(card["sha256"])

    def look(self, pictures: NDArray[np.uint8]) -> Floats:
        """Probabilities (n, 24, 24) of the corner's place in pictures (n, 48, 48, 3)."""
        (said,) = self._session.run(None, {"pictures": normalised(pictures)})
        return _sigmoid(np.asarray(said[:, 0], np.float32))


class HalfModel:
    """Reads halves of the field.

    Args:
        path: the ``.onnx`` file; its card lies beside it.

    Raises:
        BadWeights: missing, changed, or made for other pictures than these.
    """

    def __init__(self, path: Path) -> None:
        self._session, card = load(path, {"input": HALF_INPUT})
        self.sha256 = str(card["sha256"])
        self._temperature = float(card["temperature"])

    def read(self, halves: NDArray[np.uint8]) -> tuple[Floats, Floats, Floats]:
        """What lies on halves (n, 272, 144, 3).

        Returns:
            cells (n, 4, 68, 36): probabilities of a checker's middle, of nothing, of the lighter
            and of the darker side; counts (n, 12, 16): log-probabilities, the upper row's six
            points from left to right, then the lower row's; hidden (n, 12): probabilities that
            something covers a point.
        """
        cells, counts, hidden = self._session.run(None, {"halves": normalised(halves)})
        kinds = np.exp(_log_softmax(cells[:, 1:], 1))
        heat = _sigmoid(cells[:, :1])
        scores = _log_softmax(counts / self._temperature, 2)
        return np.concatenate([heat, kinds], 1), scores, _sigmoid(hidden)


def _sigmoid(x: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -30, 30))), np.float32)


def _log_softmax(x: Floats, axis: int) -> Floats:
    x = x - x.max(axis=axis, keepdims=True)
    return np.asarray(x - np.log(np.exp(x).sum(axis=axis, keepdims=True)), np.float32)
