"""Pictures of mistakes: what was drawn, what was said, what is true."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.answer import Answer
from vision.draw import overlay
from vision.geometry import BoardGeometry

from .tally import Truth, turn_between

#: Edge in pixels of a mistake's picture, and the quality it is kept in.
EDGE_PX, QUALITY = 480, 70


class Album:
    """A folder with one picture for each board that was read wrongly somewhere.

    Args:
        folder: emptied first of pictures of earlier runs.
        most: pictures kept; the rest are only counted.
    """

    def __init__(self, folder: Path, most: int = 24) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*.jpg"):
            old.unlink()
        self.folder = folder
        self.most = most
        self.kept: list[tuple[str, str]] = []

    def add(self, image: NDArray[np.uint8], truth: Truth, said: Answer) -> None:
        """Keep the picture if a square was answered wrongly; a board found elsewhere counts too."""
        turn = None if said.corners is None else turn_between(truth, np.array(said.corners))
        if len(self.kept) >= self.most or (turn is None and said.corners is None):
            return
        n = len(truth.grid)
        cells = np.rot90(np.array([list(row) for row in truth.grid]), -(turn or 0)).reshape(-1)
        letters = "".join(said.grid)
        wrong = [
            i for i, (x, y) in enumerate(zip(letters, cells, strict=True)) if x not in ("?", y)
        ]
        if turn is not None and not wrong:
            return
        geometry = BoardGeometry(n, np.array(said.corners))
        drawn = overlay(image, geometry, said.grid, wrong)
        name = f"{len(self.kept):02d}.jpg"
        cut = _around(drawn, geometry)
        cv2.imwrite(str(self.folder / name), cut, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        told = ", ".join(f"{cells[i]} read as {letters[i]}" for i in wrong[:4])
        self.kept.append((name, f"{truth.name} ({said.status}): {told or 'found elsewhere'}"))

    def lines(self) -> list[str]:
        """What RESULTS.md shows of it."""
        if not self.kept:
            return ["No board was read wrongly anywhere.", ""]
        return [
            line
            for name, told in self.kept
            for line in (f"![{told}]({self.folder.name}/{name})", "", told, "")
        ]


def _around(image: NDArray[np.uint8], geometry: BoardGeometry) -> NDArray[np.uint8]:
    room = geometry.square_px() / 2
    h, w = image.shape[:2]
    low = np.clip(np.floor(geometry.corners.min(axis=0) - room), 0, (w - 1, h - 1)).astype(int)
    high = np.clip(np.ceil(geometry.corners.max(axis=0) + room), 1, (w, h)).astype(int)
    cut = image[low[1] : high[1], low[0] : high[0]]
    scale = EDGE_PX / max(cut.shape[:2])
    return np.asarray(cv2.resize(cut, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
