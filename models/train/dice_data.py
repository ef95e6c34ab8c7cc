"""Drawn dice as ultralytics wants them: pictures with boxes, and crops of single dice."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.synth.dice_sensor import shake_kernel
from vision.dice_crops import CROP_PX, GREY, Box, crop_map

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Rng = np.random.Generator

#: Edge of a drawn picture, pixels.
PICTURE_PX = 320

#: Class of a crop that shows no die in its middle; 0 to 6 are pips, 0 for unreadable.
#: A die that leans is learnt apart, and shipped as unreadable.
NONE, COCKED = 7, 8

#: Dice that are shown in the box that the finding network gave, where it found them.
_AS_FOUND = 0.75

#: Crops without a die, for each one with.
_EMPTY = 0.25

#: A die this far from the middle of a crop, in its edges, is not what the crop shows.
_ASIDE = (0.5, 0.9)


def rows_of(folder: Path) -> list[dict[str, Any]]:
    """The labels that ``models.synth.dice`` wrote."""
    text = (folder / "labels.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line]


def write_boxes(folders: list[Path], out: Path, edge: int) -> int:
    """Link pictures into ``out/images`` and write their boxes in ultralytics' way; how many."""
    (out / "images").mkdir(parents=True, exist_ok=True)
    (out / "labels").mkdir(parents=True, exist_ok=True)
    count = 0
    for folder in folders:
        for row in rows_of(folder):
            name = f"{folder.name}_{row['file']}"
            link = out / "images" / name
            if not link.exists():
                link.symlink_to((folder / row["file"]).resolve())
            lines = []
            for die in row["dice"]:
                x0, y0, x1, y1 = (v / edge for v in die["box"])
                at = f"{(x0 + x1) / 2:.6f} {(y0 + y1) / 2:.6f} {x1 - x0:.6f} {y1 - y0:.6f}"
                lines.append(f"0 {at}")
            (out / "labels" / name).with_suffix(".txt").write_text("\n".join(lines))
            count += 1
    return count


@dataclass(frozen=True, slots=True)
class Spot:
    """A place to cut a crop from.

    Attributes:
        picture: its number; box: of the die or of what is none.
        label: class; marks: middles of the pips on top, pixels of the picture.
        turn: how far the crop may be turned, radians.
        mapped: whether marks are known; they aren't in photographs.
    """

    picture: int
    box: Box
    label: int
    turn: float
    marks: tuple[tuple[float, float], ...] = ()
    mapped: bool = True


def spots_of(
    rows: list[dict[str, Any]], edge: int, rng: Rng, found: Sequence[Sequence[Box]] = ()
) -> list[Spot]:
    """Every die, and places without one: anywhere, beside dice, and where one was found wrongly.

    ``found`` are the boxes that the finding network gives for each picture; the reader is to see
    dice as it will be shown them.
    """
    spots = []
    for number, row in enumerate(rows):
        # seen from the side up is up; from above a die lies any way round
        turn = np.pi if row["tilt"] < 14 else 0.3
        boxes = list(found[number]) if found else []
        spots += [
            Spot(number, box, NONE, turn)
            for box in boxes
            if not any(_same(box, tuple(d["box"])) for d in row["dice"])
        ]
        for die in row["dice"]:
            marks = tuple((x, y) for x, y in die["marks"])
            box = tuple(die["box"])
            near = nearest(box, boxes)
            if near is not None and rng.random() < _AS_FOUND:
                box = near
            kind = COCKED if die["pips"] == 0 and die.get("cocked") else die["pips"]
            spots.append(Spot(number, box, kind, turn, marks))
            if rng.random() < _EMPTY * 0.35:
                spots.append(Spot(number, _beside(die["box"], rng), NONE, np.pi))
        for _ in range(int(rng.poisson(0.5 + _EMPTY * 0.65 * len(row["dice"])))):
            size = np.exp(rng.uniform(np.log(14), np.log(70)))
            x, y = rng.uniform(0, edge, 2)
            box = (x - size / 2, y - size / 2, x + size / 2, y + size / 2)
            if not any(_same(box, tuple(d["box"])) for d in row["dice"]):
                spots.append(Spot(number, box, NONE, np.pi))
    return spots


def nearest(die: Box, boxes: Sequence[Box]) -> Box | None:
    """The box of a die among those that were found: its middle lies nearest, and in the die's."""

    def away(box: Box) -> float:
        return float(np.hypot(box[0] + box[2] - die[0] - die[2], box[1] + box[3] - die[1] - die[3]))

    least = min(boxes, key=away, default=None)
    return least if least is not None and away(least) < 0.8 * (die[2] - die[0]) else None


def _beside(box: list[float], rng: Rng) -> Box:
    """A box of the same size whose middle is off the die's."""
    size = max(box[2] - box[0], box[3] - box[1])
    angle = rng.uniform(0, 2 * np.pi)
    aside = np.array([np.cos(angle), np.sin(angle)]) * rng.uniform(*_ASIDE) * size
    return (box[0] + aside[0], box[1] + aside[1], box[2] + aside[0], box[3] + aside[1])


def _same(one: Box, die: Box) -> bool:
    """Whether a reader might take the box for the die's."""
    apart = np.hypot(one[0] + one[2] - die[0] - die[2], one[1] + one[3] - die[1] - die[3]) / 2
    size, edge = one[2] - one[0], max(die[2] - die[0], die[3] - die[1])
    return bool(apart < 0.6 * max(size, edge))


def show(image: Image, spot: Spot, rng: Rng) -> tuple[Image, Floats]:
    """One crop, otherwise than it was: shifted, turned, mirrored, lit and blurred a little.

    The crop, and (k, 2) where the pips on top are in it, pixels.
    """
    x0, y0, x1, y1 = spot.box
    size = max(x1 - x0, y1 - y0)
    dx, dy = rng.normal(0, 0.045, 2) * size
    moved = (x0 + dx, y0 + dy, x1 + dx, y1 + dy)
    zoom = float(np.exp(rng.normal(0, 0.08)))
    to_crop = crop_map(moved, CROP_PX, float(rng.uniform(-spot.turn, spot.turn)), zoom)
    if rng.random() < 0.5:
        to_crop[0] = [*-to_crop[0, :2], CROP_PX - 1 - to_crop[0, 2]]
    small = float(rng.uniform(0.5, 0.95)) if rng.random() < 0.25 else 1.0
    crop: NDArray[Any] = _warped(image, to_crop, small)
    if rng.random() < 0.12:
        crop = _smeared(crop, float(rng.uniform(2, 5)), float(rng.uniform(0, np.pi)))
    if rng.random() < 0.15:
        crop = cv2.GaussianBlur(crop, (3, 3), float(rng.uniform(0.3, 0.9)))
    gain = np.exp(rng.normal(0, 0.18)) * np.exp(rng.normal(0, 0.06, 3))
    levels = np.arange(256, dtype=np.float32)[:, None] * gain + rng.normal(0, 12)
    table = np.clip(levels, 0, 255).astype(np.uint8)[:, None]
    crop = cv2.LUT(crop, table[..., rng.permutation(3)] if rng.random() < 0.15 else table)
    if rng.random() < (0.06 if spot.mapped else 0.25):
        crop = 255 - crop  # photographs have white dice only; this makes them dark ones
    if rng.random() < 0.25:
        noise = rng.normal(0, rng.uniform(2, 10), crop.shape)
        crop = np.clip(crop + noise, 0, 255)
    if rng.random() < 0.2:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 90))]
        code = cv2.imencode(".jpg", np.asarray(crop, np.uint8), quality)[1]
        crop = np.asarray(cv2.imdecode(code, 1))
    marks = np.array(spot.marks, np.float32).reshape(-1, 2) @ to_crop[:, :2].T + to_crop[:, 2]
    return np.asarray(crop, np.uint8), np.asarray(marks, np.float32)


def _warped(image: Image, to_crop: NDArray[np.float64], share: float) -> Image:
    """The crop, by way of a smaller one that has a share of its pixels a side."""
    small = round(CROP_PX * share)
    first = to_crop.copy()
    first[:] *= small / CROP_PX
    first[:, 2] += 0.5 * small / CROP_PX - 0.5
    grey = (GREY, GREY, GREY)
    crop = cv2.warpAffine(image, first, (small, small), flags=cv2.INTER_LINEAR, borderValue=grey)
    if small != CROP_PX:
        crop = cv2.resize(crop, (CROP_PX, CROP_PX), interpolation=cv2.INTER_LINEAR)
    return np.asarray(crop, np.uint8)


def _smeared(crop: Image, length: float, angle: float) -> Image:
    """The crop as a hand or a die in motion leaves it."""
    return np.asarray(cv2.filter2D(crop, -1, shake_kernel(length, angle)), np.uint8)


def pictures_of(folders: list[Path]) -> tuple[list[Image], list[dict[str, Any]]]:
    """All pictures of some folders in memory, with their labels."""
    images, rows = [], []
    for folder in folders:
        for row in rows_of(folder):
            image = cv2.imread(str(folder / row["file"]))
            if image is None:
                raise FileNotFoundError(folder / row["file"])
            images.append(np.asarray(image, np.uint8))
            rows.append(row)
    return images, rows
