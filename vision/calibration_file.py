"""The fields of a calibration's file, each of them checked.

People edit such files, copy half of them and keep them for years: a number out of range must be
named here, not show as a misread square later.
"""

from __future__ import annotations

import base64
import binascii
import errno
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from .errors import BadCalibration, VisionError
from .files import read_whole
from .geometry import BoardGeometry
from .model import KINDS, Support

Floats = NDArray[np.float32]

#: Larger files are no calibrations: one of three pictures of ten by ten squares has about 300 kB.
LARGEST = 16 * 1024 * 1024
#: The first kinds, of which every first position shows some; kings come only if they were shown.
_SHOWN = 4
#: Squares along an edge, and pictures that one calibration may hold.
SIZES = (8, 10, 12)
PICTURES = 10
#: Pixels that a picture or a corner may have.
FARTHEST = 100_000
#: Lens terms and misses (RMS, squares) of any use.
BENT, MISSES = 0.5, 0.5

WRITTEN = "a file that toreshi calibrate wrote"


@dataclass(frozen=True, slots=True)
class Fields:
    """One object of the file.

    Attributes:
        row: its values.
        path: the file's.
        inside: where in the file it is, with a dot behind; empty for the whole.
    """

    row: Mapping[str, Any]
    path: Path
    inside: str = ""

    def refuse(self, name: str, expected: str) -> BadCalibration:
        """The error of one field."""
        value = self.row.get(name)
        shown = "nothing" if name not in self.row else _short(value)
        where = f"{self.path}, {self.inside}{name}"
        return BadCalibration(shown, where, f"{expected}; or calibrate again")

    def number(self, name: str, low: float, high: float) -> float:
        """A finite number from ``low`` to ``high``."""
        value = self.row.get(name)
        if not _is_number(value) or not low <= value <= high:
            raise self.refuse(name, f"a number from {low:g} to {high:g}")
        return float(value)

    def whole(self, name: str, low: int, high: int) -> int:
        """A whole number from ``low`` to ``high``."""
        value = self.row.get(name)
        if type(value) is not int or not low <= value <= high:
            raise self.refuse(name, f"a whole number from {low} to {high}")
        return value

    def yes_or_no(self, name: str) -> bool:
        """True or false."""
        value = self.row.get(name)
        if not isinstance(value, bool):
            raise self.refuse(name, "true or false")
        return value

    def array(self, name: str, shape: tuple[int, ...], most: float) -> NDArray[np.float64]:
        """Finite numbers of at most ``most`` either way."""
        flat = _flat(self.row.get(name), shape)
        if flat is None or not all(_is_number(v) and abs(v) <= most for v in flat):
            count = " x ".join(map(str, shape))
            raise self.refuse(name, f"{count} numbers of at most {most:g} either way")
        return np.array(flat, np.float64).reshape(shape)

    def packed(self, name: str, width: int) -> Floats:
        """Rows of ``width`` finite float32 numbers in base64."""
        text = self.row.get(name)
        expected = f"rows of {width} numbers as {WRITTEN.removeprefix('a file that ')} them"
        try:
            data = base64.b64decode(text, validate=True) if isinstance(text, str) else b""
        except (binascii.Error, ValueError):
            data = b""
        if not data or len(data) % (4 * width):
            raise self.refuse(name, expected)
        values = np.frombuffer(data, "<f4").reshape(-1, width).astype(np.float32)
        if not np.isfinite(values).all():
            raise self.refuse(name, f"{expected}, all of them finite")
        return values

    def part(self, name: str) -> Fields:
        """An object inside this one."""
        value = self.row.get(name)
        if not isinstance(value, dict):
            raise self.refuse(name, "an object")
        return Fields(value, self.path, f"{self.inside}{name}.")


def read_fields(path: Path) -> Fields:
    """The object in a file.

    Raises:
        BadCalibration: the file can't be read or holds no such object.
    """
    try:
        data = read_whole(path, LARGEST)
    except OSError as error:
        long = error.errno == errno.EFBIG
        what = "not a calibration" if long else f"can't be read ({error.strerror})"
        raise BadCalibration(what, str(path), WRITTEN) from None
    try:
        row = json.loads(data)
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict) or "v" not in row:
        raise BadCalibration("not a calibration", str(path), WRITTEN)
    return Fields(row, path)


def geometry_of(fields: Fields) -> BoardGeometry:
    """Where the board was."""
    size = fields.row.get("size")
    if type(size) is not int or size not in SIZES:
        raise fields.refuse("size", f"one of {', '.join(map(str, SIZES))}")
    corners = fields.array("corners", (4, 2), FARTHEST)
    residual = fields.number("residual", 0, MISSES)
    k1 = fields.number("k1", -BENT, BENT)
    wh = fields.array("image_wh", (2,), FARTHEST)
    # corners that a person clicked come without a picture's size
    if (wh != np.rint(wh)).any() or ((wh < 1).any() and (k1 != 0 or wh.any())):
        raise fields.refuse("image_wh", "width and height of the picture in whole pixels")
    try:
        return BoardGeometry(size, corners, residual, k1, (int(wh[0]), int(wh[1])))
    except VisionError as error:
        raise fields.refuse("corners", error.expected) from None


def support_of(fields: Fields, width: int, size: int) -> Support:
    """The squares that were learned."""
    made, kinds = fields.packed("made", width), fields.packed("kinds", KINDS)
    if len(made) > PICTURES * size**2:
        raise fields.refuse("made", f"at most {PICTURES * size**2} squares")
    if len(kinds) != len(made):
        raise fields.refuse("kinds", f"a row for each of the {len(made)} squares in made")
    if (kinds < 0).any() or (kinds.sum(axis=1) > 1.001).any():
        raise fields.refuse("kinds", "shares from 0 to 1 that add up to 1 at most")
    if not (kinds[:, :_SHOWN].sum(axis=0) > 0).all():
        raise fields.refuse("kinds", "examples of empty squares and of the men of both sides")
    return Support(made, kinds)


def margins_of(fields: Fields) -> tuple[tuple[str, float], ...]:
    """How surely each two kinds are told apart."""
    part = fields.part("margins")
    return tuple((name, part.number(name, -1000, 1000)) for name in part.row)


def _is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e30


def _flat(value: object, shape: tuple[int, ...]) -> list[Any] | None:
    """The parts of nested lists of this shape in a row; None when they have another."""
    if not isinstance(value, list) or len(value) != shape[0]:
        return None
    if len(shape) == 1:
        return value
    parts = [_flat(part, shape[1:]) for part in value]
    return None if None in parts else [v for part in parts for v in part or ()]


def _short(value: object) -> str:
    text = " ".join(json.dumps(value).split())
    return text if len(text) <= 60 else f"{text[:40]}... ({len(text)} characters)"
