"""The folder of a game: its record, its journal, its pictures.  Older ones are moved aside."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import cv2

from rules.draughts import pdn
from rules.draughts.record import GameRecord
from vision.frame import Frame
from vision.percept import Corners

from .errors import BadConfig, DeviceError
from .keeping import cropped

#: Everything in the folder that belongs to one run.
NAMES = ("journal.jsonl", "game.pdn", "game.jsonl", "game.txt", "evidence")

QUALITY = 88


def make_room(folder: Path, going_on: bool = False) -> None:
    """Make the folder; what an earlier run left in it gets a number behind its name.

    Args:
        folder: the folder of a game.
        going_on: the earlier run goes on; its files stay where they are.

    Raises:
        BadConfig: it can't be made or written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not going_on and any((folder / name).exists() for name in NAMES):
            _move_aside(folder)
        (folder / "evidence").mkdir(exist_ok=going_on)
    except OSError as error:
        reason = error.strerror or "can't be written"
        raise BadConfig(reason, str(folder), "a folder that can be written") from error


def _move_aside(folder: Path) -> None:
    number = 1
    while any(_numbered(folder / name, number).exists() for name in NAMES):
        number += 1
    for name in NAMES:
        if (folder / name).exists():
            (folder / name).rename(_numbered(folder / name, number))


def _numbered(path: Path, number: int) -> Path:
    return path.with_name(f"{path.stem}-{number}{path.suffix}")


def write_record(folder: Path, records: Iterable[GameRecord]) -> None:
    """Write game.pdn whole."""
    write_whole(folder / "game.pdn", pdn.write(records))


def write_whole(path: Path, text: str) -> None:
    """Write a text file that is never seen half written; an old one stays until then."""
    fresh = path.with_name(f"{path.name}.new")
    with fresh.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def keep_picture(folder: Path, name: str, frame: Frame, corners: Corners | None = None) -> Path:
    """Write what a frame shows of the board into the evidence; one name is numbered.

    Raises:
        DeviceError: it can't be written.
    """
    path, number = folder / "evidence" / f"{name}.jpg", 1
    while path.exists():
        number += 1
        path = folder / "evidence" / f"{name}-{number}.jpg"
    written, data = cv2.imencode(
        ".jpg", cropped(frame.image, corners), [cv2.IMWRITE_JPEG_QUALITY, QUALITY]
    )
    if not written:
        raise DeviceError("a picture that JPEG can't hold", str(path), "at most 65535 pixels wide")
    path.write_bytes(data.tobytes())
    return path
