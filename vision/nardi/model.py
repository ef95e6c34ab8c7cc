"""The networks of the nardi eyes, run by onnxruntime on one thread.

Each weight file lies beside a card of the same name ending in ``.json`` with its hash and with what
it expects; a file without its card, or another than the card describes, is refused.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import BadWeights
from .board import HALF_WH, POINT_PX, ROOM_X, ROOM_Y
from .corners import ACROSS, ALONG, CORNER_CELL, CORNER_PX
from .crops import CELL_PX, FIELD_PX, normalised

Floats = NDArray[np.float32]

FIELD_INPUT = {"picture": [FIELD_PX, FIELD_PX], "cell": CELL_PX}
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
    """Finds the field.

    Args:
        path: the ``.onnx`` file; its card lies beside it.

    Raises:
        BadWeights: missing, changed, or made for other pictures than these.
    """

    def __init__(self, path: Path) -> None:
        self._session, card = load(path, FIELD_INPUT)
        self.sha256 = str(card["sha256"])

    def look(self, picture: NDArray[np.uint8]) -> Floats:
        """What each cell of a picture (FIELD_PX, FIELD_PX, 3) shows.

        Returns:
            float32 (6, 32, 32): probabilities of an outer corner, of a corner at the bar, of the
            field and of the bar, then cosine and sine of twice the angle of the rows.
        """
        (said,) = self._session.run(None, {"pictures": normalised(picture[None])})
        out = np.asarray(said[0], np.float32)
        return np.concatenate([_sigmoid(out[:4]), np.tanh(out[4:])])


class CornerModel:
    """Finds corners of halves in small pictures of them.

    Args:
        path: the ``.onnx`` file; its card lies beside it.

    Raises:
        BadWeights: missing, changed, or made for other pictures than these.
    """

    def __init__(self, path: Path) -> None:
        self._session, card = load(path, CORNER_INPUT)
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
        self._session, card = load(path, HALF_INPUT)
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


def load(path: Path, wanted: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """A session for a weight file, and its card.

    Raises:
        BadWeights: see the classes.
    """
    place = path.with_suffix(".json")
    try:
        card = json.loads(_bytes(place))
    except ValueError:
        card = None
    if not isinstance(card, dict):
        raise BadWeights("not a card", str(place), "the JSON object that describes the weights")
    data = _bytes(path)
    found = hashlib.sha256(data).hexdigest()
    if found != card.get("sha256"):
        told = str(card.get("sha256"))[:12]
        raise BadWeights(f"hash {found[:12]}…", str(path), f"{told}… as its card says")
    if card.get("input") != wanted:
        raise BadWeights(f"input {card.get('input')}", str(place), f"{wanted}")
    return _session(data, path), card


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadWeights(f"can't be read ({error.strerror})", str(path), "a weight file") from None


def _session(data: bytes, path: Path) -> Any:
    # read at import time by onnxruntime, which else reports to its maker's server
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    runtime = importlib.import_module("onnxruntime")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return runtime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime raises classes of its own, one for each kind of fault
        first = str(error).splitlines()[0][:80]
        raise BadWeights(f"not a network ({first})", str(path), "an ONNX file") from None
