"""Photographs with labels: real boards, never trained on when they are marked for scoring."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from vision.answer import Answer, answer
from vision.calibrate import Calibration
from vision.model import SquareModel
from vision.perceiver import Perceiver
from vision.pictures import read_picture

from .tally import Tally, Truth

#: Pictures with these tags are left out of the main tables, as the shared scorer does.
SKIPPED = frozenset({"dark", "board-cut"})

Label = dict[str, Any]


def labels_of(root: Path) -> list[Label]:
    """All labels of draughts boards under a folder of photographs."""
    text = (root / "labels_draughts.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def series_of(label: Label) -> str:
    """First two folders of a picture."""
    return "/".join(label["file"].split("/")[:2])


class PhotoReader:
    """Reads labelled photographs, each start picture learned once."""

    def __init__(self, root: Path, model: SquareModel) -> None:
        self.root = root
        self.model = model
        self._learned: dict[tuple[str, int], Calibration | None] = {}

    def read(self, label: Label, with_start: bool) -> Answer:
        """The answer for one photograph."""
        calibration = self._calibration(label) if with_start else None
        eyes = Perceiver(label["size"], self.model, calibration)
        seen = eyes.see(read_picture(self.root / label["file"]))
        return answer(seen, calibration is not None)

    def _calibration(self, label: Label) -> Calibration | None:
        if not label.get("start"):
            return None
        key = (label["start"], label["size"])
        if key not in self._learned:
            eyes = Perceiver(label["size"], self.model)
            made = eyes.calibrate(read_picture(self.root / label["start"]))
            self._learned[key] = made if isinstance(made, Calibration) else None
        return self._learned[key]


def truth_of(label: Label) -> Truth:
    """What a photograph shows."""
    told = not any(tag.startswith("luminance-") for tag in label["tags"])
    return Truth(label["file"], np.array(label["corners"]), tuple(label["grid"]), told)


def score_photos(
    reader: PhotoReader, labels: list[Label], with_start: bool
) -> Iterator[tuple[str, Tally]]:
    """One tally a series."""
    series = sorted({series_of(label) for label in labels})
    for name in series:
        tally = Tally()
        for label in labels:
            if series_of(label) == name:
                tally.add(truth_of(label), reader.read(label, with_start))
        yield name, tally
