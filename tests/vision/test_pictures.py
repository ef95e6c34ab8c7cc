"""Files that are pictures, and files that only look like it."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import BadPicture
from vision.pictures import MAX_PIXELS, read_picture


def scene() -> np.ndarray:
    rng = np.random.default_rng(1)
    return cv2.resize(rng.integers(0, 255, (12, 16, 3), dtype=np.uint8), (160, 120))


def encode(kind: str) -> bytes:
    return cv2.imencode(f".{kind}", scene())[1].tobytes()


def with_orientation(jpeg: bytes, value: int) -> bytes:
    """The JPEG with an EXIF segment that holds tag 0x0112 (Exif 2.3, 4.6.4 A)."""
    tiff = b"II*\0" + struct.pack("<IHHHIHHI", 8, 1, 0x0112, 3, 1, value, 0, 0)
    body = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]


@pytest.mark.parametrize("kind", ["jpg", "png", "bmp", "webp"])
def test_reads_every_kind(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a"
    path.write_bytes(encode(kind))
    frame = read_picture(path, number=7, at_ns=9)
    assert frame.size_wh == (160, 120)
    assert (frame.number, frame.at_ns) == (7, 9)
    assert np.abs(frame.image.astype(int) - scene()).mean() < 12


@pytest.mark.parametrize("kind", ["jpg", "png", "bmp", "webp"])
@pytest.mark.parametrize("share", [0.3, 0.6, 0.98])
def test_refuses_a_cut_off_file(tmp_path: Path, kind: str, share: float) -> None:
    data = encode(kind)
    path = tmp_path / "cut"
    path.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(BadPicture, match=r"cut.*expected the whole file"):
        read_picture(path)


@pytest.mark.parametrize(
    ("data", "says"),
    [(b"", "an empty file"), (b"hello", "not a picture"), (b"\xff\xd8", "cut off")],
)
def test_refuses_what_is_no_picture(tmp_path: Path, data: bytes, says: str) -> None:
    path = tmp_path / "b"
    path.write_bytes(data)
    with pytest.raises(BadPicture, match=says):
        read_picture(path)


def test_refuses_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(BadPicture, match="no such file"):
        read_picture(tmp_path / "none.jpg")
    with pytest.raises(BadPicture, match="can't be opened"):
        read_picture(tmp_path)


def test_refuses_a_huge_picture_by_its_header_alone(tmp_path: Path) -> None:
    data = bytearray(encode("png"))
    data[16:24] = struct.pack(">II", 20_000, 20_000)
    path = tmp_path / "huge.png"
    path.write_bytes(bytes(data))
    assert MAX_PIXELS < 20_000**2
    with pytest.raises(BadPicture, match="20000 x 20000 pixels; expected at most 100 million"):
        read_picture(path)


def test_refuses_broken_contents(tmp_path: Path) -> None:
    data = bytearray(encode("png"))
    data[45:-16] = bytes(len(data) - 61)
    path = tmp_path / "broken.png"
    path.write_bytes(bytes(data))
    with pytest.raises(BadPicture):
        read_picture(path)


def test_turns_a_photo_upright(tmp_path: Path) -> None:
    path = tmp_path / "turned.jpg"
    path.write_bytes(with_orientation(encode("jpg"), 6))
    frame = read_picture(path)
    upright = cv2.rotate(scene(), cv2.ROTATE_90_CLOCKWISE)
    assert frame.size_wh == (120, 160)
    assert np.abs(frame.image.astype(int) - upright).mean() < 12


def test_a_picture_too_thin_for_a_board_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "thin.png"
    cv2.imwrite(str(path), np.zeros((2, 2000, 3), np.uint8))
    with pytest.raises(BadPicture, match="2000 x 2 pixels; expected one at most 50 times"):
        read_picture(path)


def test_a_pipe_is_no_picture(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")
    with pytest.raises(BadPicture, match="an empty file"):
        read_picture(tmp_path / "pipe.jpg")
