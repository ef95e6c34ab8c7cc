"""Calibrations that somebody edited: every field is named, none is believed."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from vision.calibrate import Calibration, load_calibration
from vision.errors import BadCalibration
from vision.geometry import BoardGeometry
from vision.model import KINDS, SquareModel, Support

WIDTH = 3


class Eyes:
    """As much of a network as a calibration's file is checked against."""

    width = WIDTH
    sha256 = "5" * 64


EYES = cast(SquareModel, Eyes())


def sound() -> Calibration:
    kinds = np.eye(KINDS, dtype=np.float32)[np.arange(64) % 4]
    made = np.arange(64 * WIDTH, dtype=np.float32).reshape(64, WIDTH)
    corners = np.array([[100, 90], [500, 95], [490, 480], [110, 470.0]])
    return Calibration(
        weights=Eyes.sha256,
        geometry=BoardGeometry(8, corners, 0.02, -0.03, (640, 480)),
        support=Support(made, kinds),
        apart=np.array([0.5, 0.4, 0.3], np.float32),
        on_dark=True,
        turns=2,
        gap=0.9,
        margins=(("a|b", 4.5), ("b|c", 7.0)),
    )


def packed(values: Any) -> str:
    return base64.b64encode(np.asarray(values, "<f4").tobytes()).decode()


def write(path: Path, field: str, value: Any) -> Path:
    """A sound file in which one field, ``a.b`` inside an object, has another value."""
    row = sound().to_json()
    place = row
    *parts, last = field.split(".")
    for part in parts:
        place = place[part]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    path.write_text(json.dumps(row))
    return path


def test_a_sound_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    sound().save(path)
    assert load_calibration(path, EYES, 8).geometry == sound().geometry
    # a person's corners come without a lens and a picture's size
    row = sound().to_json()
    row["geometry"] |= {"k1": 0.0, "image_wh": [0, 0], "residual": 0}
    path.write_text(json.dumps(row))
    assert load_calibration(path, EYES, 8).geometry.image_wh == (0, 0)


NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("v", True), ("v", 2), ("v", "1"), ("v", None),
        ("weights", ...), ("weights", 5), ("weights", "6" * 64),
        ("geometry", ...), ("geometry", []), ("geometry", None),
        ("geometry.size", ...), ("geometry.size", 8.0), ("geometry.size", True),
        ("geometry.size", 9), ("geometry.size", -8), ("geometry.size", 10**9),
        ("geometry.size", "8"),
        ("geometry.corners", ...), ("geometry.corners", []), ("geometry.corners", "1,2"),
        ("geometry.corners", [[0, 0], [9, 0], [9, 9]]),
        ("geometry.corners", [[0, 0], [9, 0], [9, 9], [0, 9, 9]]),
        ("geometry.corners", [[0, 0], [9, 0], [9, 9], [0, None]]),
        ("geometry.corners", [[0, 0], [9, 0], [9, 9], [0, NAN]]),
        ("geometry.corners", [[0, 0], [9, 0], [9, 9], [0, True]]),
        ("geometry.corners", [[0, 0], [9, 0], [9, 9], [0, 2e5]]),
        ("geometry.corners", [[0, 0], [0, 9], [9, 9], [9, 0]]),
        ("geometry.corners", [[0, 0], [9, 0], [1, 1], [0, 9]]),
        ("geometry.corners", [[0, 0], [0, 0], [9, 9], [0, 9]]),
        ("geometry.residual", -0.1), ("geometry.residual", NAN), ("geometry.residual", 3),
        ("geometry.k1", NAN), ("geometry.k1", INF), ("geometry.k1", 0.7), ("geometry.k1", "0"),
        ("geometry.k1", None), ("geometry.k1", False),
        ("geometry.image_wh", [640]), ("geometry.image_wh", [640.5, 480]),
        ("geometry.image_wh", [-640, 480]), ("geometry.image_wh", [0, 0]),
        ("geometry.image_wh", [10**9, 480]), ("geometry.image_wh", {"w": 640}),
        ("made", ...), ("made", ""), ("made", 5), ("made", "%%%"), ("made", packed([1, 2])),
        ("made", packed([1, 2, NAN] * 64)), ("made", packed(np.zeros((640 + 64, WIDTH)))),
        ("kinds", ...), ("kinds", packed(np.eye(KINDS))),
        ("kinds", packed(np.full((64, KINDS), -0.1))),
        ("kinds", packed(np.full((64, KINDS), 0.5))), ("kinds", packed(np.eye(KINDS)[[0] * 64])),
        ("apart", [1, 2]), ("apart", [1, 2, NAN]), ("apart", [1, 2, "3"]), ("apart", [1, 2, 30]),
        ("on_dark", 1), ("on_dark", "true"), ("on_dark", None),
        ("turns", 4), ("turns", -1), ("turns", 1.5), ("turns", True), ("turns", "0"),
        ("gap", NAN), ("gap", 11), ("gap", None),
        ("margins", []), ("margins.a|b", NAN), ("margins.a|b", "4"), ("margins.a|b", 1e6),
    ],
)  # fmt: skip
def test_a_field_that_can_not_be_is_named(tmp_path: Path, field: str, value: Any) -> None:
    path = write(tmp_path / "c.json", field, value)
    with pytest.raises(BadCalibration) as caught:
        load_calibration(path, EYES, 8)
    error = caught.value
    if field != "weights":
        # the geometry's shape may be faulted where its corners are
        assert error.where == f"{path}, {field}"
    assert error.expected
    assert "\n" not in str(error)
    assert len(str(error).replace(str(path), "")) < 250


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe\x00",
        b"null",
        b'"v"',
        b"[" * 100_000,
        b'{"v": ' + b"9" * 5000 + b"}",
        b'{"v": 1' + b" " * (17 * 1024 * 1024) + b"}",
    ],
    ids=["empty", "no text", "null", "a word", "deep", "a long number", "too long"],
)
def test_what_is_no_calibration_is_called_so(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "c.json"
    path.write_bytes(data)
    with pytest.raises(BadCalibration, match="not a calibration"):
        load_calibration(path, EYES, 8)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(BadCalibration, match="can't be read"):
        load_calibration(tmp_path, EYES, 8)


def test_one_sentence_that_a_person_can_act_on(tmp_path: Path) -> None:
    path = write(tmp_path / "c.json", "turns", 7)
    with pytest.raises(BadCalibration) as caught:
        load_calibration(path, EYES, 8)
    assert str(caught.value) == (
        f"{path}, turns: 7; expected a whole number from 0 to 3; or calibrate again"
    )
