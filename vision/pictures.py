"""Pictures from files: upright, whole, and of a size that fits in memory, or a clear refusal.

OpenCV fills the missing half of a cut-off JPEG with grey and says nothing, and it starts to
decode a picture of any size.  So the file's own structure is read first.
"""

from __future__ import annotations

import re
import struct
from pathlib import Path

import cv2
import numpy as np

from .errors import BadPicture
from .files import read_whole
from .frame import Frame

#: More pixels than any camera here takes; each one costs three bytes once it is decoded.
MAX_PIXELS = 100_000_000

#: A picture that is longer by more shows no board, and made smaller it has no pixels left.
LONGEST = 50

EXPECTED = "a JPEG, PNG, WebP or BMP picture"

#: JPEG markers that have a length or end the picture: not stuffed, filling or restart bytes
#: (ITU T.81, table B.1 and section B.1.1.5).
_MARKER = re.compile(rb"\xff[^\x00\x01\xd0-\xd7\xff]")
_FRAME_HEADERS = set(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # SOF0..SOF15


def read_picture(path: Path, number: int = 0, at_ns: int = 0) -> Frame:
    """The picture in a file, turned upright by its EXIF orientation.

    Raises:
        BadPicture: no such file, empty, cut off, not a picture, or more than MAX_PIXELS.
    """
    return decode_picture(_bytes(path), str(path), number, at_ns)


def decode_picture(data: bytes, where: str, number: int = 0, at_ns: int = 0) -> Frame:
    """The picture in ``data``; ``where`` names its source in errors."""
    width, height = _measure(data, where)
    if width * height > MAX_PIXELS:
        raise BadPicture(
            f"a picture of {width} x {height} pixels",
            where,
            f"at most {MAX_PIXELS // 10**6} million",
        )
    if width * height == 0:
        raise BadPicture("a picture without pixels", where, EXPECTED)
    if max(width, height) > LONGEST * min(width, height):
        raise BadPicture(
            f"a picture of {width} x {height} pixels",
            where,
            f"one at most {LONGEST} times as long as wide",
        )
    image = _decode(data)
    if image is None:
        raise BadPicture("a broken picture", where, EXPECTED)
    return Frame(np.asarray(image, np.uint8), number, at_ns)


def _decode(data: bytes) -> cv2.typing.MatLike | None:
    try:
        return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None


def _bytes(path: Path) -> bytes:
    try:
        data = read_whole(path)
    except FileNotFoundError:
        raise BadPicture("no such file", str(path), EXPECTED) from None
    except OSError as error:
        raise BadPicture(f"can't be opened ({error.strerror})", str(path), EXPECTED) from None
    if not data:
        raise BadPicture("an empty file", str(path), EXPECTED)
    return data


def _measure(data: bytes, where: str) -> tuple[int, int]:
    """Width and height as the file's header states them, once the file is known to be whole."""
    for magic, measure in _KINDS:
        if data.startswith(magic):
            try:
                size = measure(data)
            except (struct.error, IndexError):
                size = None
            if size is None:
                raise BadPicture("a picture that is cut off", where, "the whole file")
            return size
    raise BadPicture("not a picture", where, EXPECTED)


def _measure_jpeg(data: bytes) -> tuple[int, int] | None:
    """Walk the markers; None when the last one, end of image, never comes."""
    size, at = None, 2
    while found := _MARKER.search(data, at):
        marker = data[found.start() + 1]
        if marker == 0xD9:
            return size
        (length,) = struct.unpack_from(">H", data, found.end())
        if marker in _FRAME_HEADERS:
            height, width = struct.unpack_from(">HH", data, found.end() + 3)
            size = (width, height)
        at = found.end() + length
    return None


def _measure_png(data: bytes) -> tuple[int, int] | None:
    """Walk the chunks; None when the last one, IEND, never comes."""
    width, height = struct.unpack_from(">II", data, 16)
    at = 8
    while at + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        if data[at + 4 : at + 8] == b"IEND":
            return width, height
        at += 12 + length
    return None


def _measure_bmp(data: bytes) -> tuple[int, int] | None:
    offset, header = struct.unpack_from("<II", data, 10)
    if header < 40:
        return None
    width, height, _, bits = struct.unpack_from("<iiHH", data, 18)
    row = (abs(width) * bits + 31) // 32 * 4
    (compression,) = struct.unpack_from("<I", data, 30)
    whole = compression in (1, 2) or len(data) >= offset + row * abs(height)
    return (abs(width), abs(height)) if whole else None


def _measure_webp(data: bytes) -> tuple[int, int] | None:
    (length,) = struct.unpack_from("<I", data, 4)
    if data[8:12] != b"WEBP" or len(data) < length + 8:
        return None
    kind = data[12:16]
    if kind == b"VP8X":
        width = 1 + int.from_bytes(data[24:27], "little")
        height = 1 + int.from_bytes(data[27:30], "little")
        return width, height
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    width, height = struct.unpack_from("<HH", data, 26)
    return width & 0x3FFF, height & 0x3FFF


_KINDS = (
    (b"\xff\xd8", _measure_jpeg),
    (b"\x89PNG\r\n\x1a\n", _measure_png),
    (b"BM", _measure_bmp),
    (b"RIFF", _measure_webp),
)
