"""The network that reads squares, run by onnxruntime on one thread.

A weight file lies beside a card of the same name ending in ``.json`` that holds its hash and what
it expects; a file without its card, or another than the card describes, is refused.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .crops import BRIGHTEST, CHANNELS, DARKEST, LIFT, OFFSET, ROOM, SQUARE_PX
from .errors import BadWeights
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
        card = _read_card(path)
        data = _read(path)
        self.sha256 = hashlib.sha256(data).hexdigest()
        if self.sha256 != card.get("sha256"):
            raise BadWeights(
                f"hash {self.sha256[:12]}…",
                str(path),
                f"{str(card.get('sha256'))[:12]}… as its card says",
            )
        for field, wanted in (("classes", CLASSES), ("input", INPUT), ("kinds", KINDS)):
            if card.get(field) != wanted:
                raise BadWeights(f"{field} {card.get(field)}", f"{path.stem}.json", f"{wanted}")
        self.width = int(card["width"])
        self._session = _session(data, path)

    def describe(self, pixels: Floats, tilt: float) -> tuple[Floats, Floats]:
        """Descriptions (m, width) of a board's squares, and the log-odds (m,) of being covered.

        Args:
            pixels: (CHANNELS, P, P), as ``crops.normalise`` makes them.
            tilt: the board view's.
        """
        nothing = np.zeros((1, self.width), np.float32)
        made, covered = self._session.run(
            ["made", "covered"],
            {
                "boards": pixels[None],
                "tilt": np.array([tilt], np.float32),
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
                "tilt": np.zeros(1, np.float32),
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


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadWeights(f"can't be read ({error.strerror})", str(path), "a weight file") from None


def _read_card(path: Path) -> dict[str, Any]:
    place = path.with_suffix(".json")
    try:
        card = json.loads(_read(place))
    except ValueError:
        card = None
    if not isinstance(card, dict):
        raise BadWeights("not a card", str(place), "the JSON object that describes the weights")
    return card


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
        raise BadWeights(
            f"not a network ({str(error).splitlines()[0][:80]})", str(path), "an ONNX file"
        ) from None
