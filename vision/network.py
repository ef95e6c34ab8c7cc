"""Weight files: each lies beside a card of the same name ending in ``.json`` that describes it.

The card holds the file's hash and what it expects; a file without its card, or another than the
card describes, is refused.  Networks run by onnxruntime on one thread.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .errors import BadWeights


def load(path: Path, wanted: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """A session for a weight file, and its card.

    Args:
        path: the ``.onnx`` file.
        wanted: what the card has to say, field by field.

    Raises:
        BadWeights: missing, changed, no network, or made for something else.
    """
    place = path.with_suffix(".json")
    try:
        card = json.loads(_bytes(place))
    except ValueError:
        card = None
    if not isinstance(card, dict):
        raise BadWeights("not a card", str(place), "the JSON object that describes the weights")
    data = _bytes(path)
    found, told = hashlib.sha256(data).hexdigest(), str(card.get("sha256"))
    if found != told:
        raise BadWeights(f"hash {found[:12]}…", str(path), f"{told[:12]}… as its card says")
    for field, value in wanted.items():
        if card.get(field) != value:
            raise BadWeights(f"{field} {card.get(field)}", str(place), f"{value}")
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
