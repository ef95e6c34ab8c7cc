"""Where the networks that come with the package lie."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

SQUARES = "squares.onnx"


def weights_path(name: str = SQUARES) -> Path:
    """The file of a network by its name; whether it is there is seen when it is loaded."""
    return Path(str(files("models"))) / "weights" / name
