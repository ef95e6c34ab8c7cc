"""Photographs of dice for the network that reads them: only those marked ``train``.

Their labels tell the pips on top and a box of the top face; the box that the reader is shown is
the one that the finding network gives.  Photographs of one number follow each other and are alike,
so each half of a series is one fold of the cross-validation.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.dice import finds
from vision.dice_crops import Box
from vision.dice_model import DiceModel

from .dice_data import NONE, Image, Spot

#: Folds of the cross-validation.
FOLDS = 2


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A photograph that may be trained on.

    Attributes:
        file: below the photographs' folder; sha256: of its bytes.
        image: uint8 BGR; dice: pips and box of each.
        fold: the part of the cross-validation that it belongs to.
    """

    file: str
    sha256: str
    image: Image
    dice: tuple[tuple[int, Box], ...]
    fold: int


def photos_of(root: Path) -> list[Photo]:
    """The photographs below a folder whose ``labels_dice.jsonl`` says ``train``."""
    text = (root / "labels_dice.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines() if line]
    rows = sorted((r for r in rows if r.get("use") == "train"), key=lambda r: _place(r["file"]))
    return [_photo(root, row, fold) for row, fold in zip(rows, folds(rows), strict=True)]


def folds(rows: list[dict[str, Any]]) -> list[int]:
    """Each row's fold: the first half of each series, and the second."""
    series = [_place(row["file"])[0] for row in rows]
    counts: dict[str, int] = {}
    told = []
    for name in series:
        told.append(counts.get(name, 0) * FOLDS // series.count(name))
        counts[name] = counts.get(name, 0) + 1
    return told


def _place(file: str) -> tuple[str, int]:
    """Series of a photograph, and its number there."""
    match = re.fullmatch(r"(.*?)(\d+)", Path(file).with_suffix("").as_posix())
    return (match[1], int(match[2])) if match else (file, 0)


def _photo(root: Path, row: dict[str, Any], fold: int) -> Photo:
    data = (root / row["file"]).read_bytes()
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise ValueError(f"{row['file']}: not a picture, expected a photograph")
    dice = tuple((int(d["pips"]), _box(d["box"])) for d in row["dice"])
    return Photo(row["file"], hashlib.sha256(data).hexdigest(), np.asarray(image), dice, fold)


def _box(values: list[float]) -> Box:
    x0, y0, x1, y1 = (float(v) for v in values)
    return (x0, y0, x1, y1)


def photo_spots(photos: list[Photo], model: DiceModel, first: int) -> list[Spot]:
    """Dice of photographs in the boxes that were found for them; finds far from all are none.

    ``first`` is the number of the first photograph among all pictures.
    """
    spots = []
    for number, photo in enumerate(photos, first):
        boxes = [_box(b) for b in finds(photo.image, model)[0].tolist()]
        taken = set()
        for pips, face in photo.dice:
            near = _around(face, boxes)
            if near is not None and near not in taken:
                taken.add(near)
                spots.append(Spot(number, near, pips, 0.35, mapped=False))
        faces = [face for _, face in photo.dice]
        spots += [
            Spot(number, box, NONE, 0.35)
            for box in boxes
            if not any(_touch(box, face) for face in faces)
        ]
    return spots


def _around(face: Box, boxes: list[Box]) -> Box | None:
    """The found box that a top face lies in: its middle is nearest."""
    x, y = (face[0] + face[2]) / 2, (face[1] + face[3]) / 2
    inside = [b for b in boxes if b[0] < x < b[2] and b[1] < y < b[3]]
    return min(
        inside, key=lambda b: np.hypot(b[0] + b[2] - 2 * x, b[1] + b[3] - 2 * y), default=None
    )


def _touch(one: Box, other: Box) -> bool:
    return bool(
        max(one[0], other[0]) < min(one[2], other[2])
        and max(one[1], other[1]) < min(one[3], other[3])
    )
