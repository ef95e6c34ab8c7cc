"""``toreshi read --game nardi``: what stands on the 24 points in pictures."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.dice import find_dice
from vision.dice_model import DiceModel
from vision.frame import Frame
from vision.nardi.answer import (
    NardiAnswer,
    Start,
    answer,
    corners_of,
    fen_of,
    learn_start,
    rows_of,
)
from vision.nardi.board import NardiGeometry
from vision.nardi.locate import Locator, NotFound
from vision.nardi.points import PointReader
from vision.pictures import read_picture

from ..nardi.eyes import networks
from .read_common import OUTSIDE, Points, heading, outside

#: Edge of a die, in widths of a point: from 9 mm on a board of 60 cm to 16 mm on one of 40 cm.
_DIE = 0.3


@dataclass(frozen=True, slots=True)
class NardiReader:
    """Reads pictures one by one, each for itself.

    Attributes:
        locator, reader: the eyes; dice: those for dice, None where there are none.
        start: what a start picture taught.
        corners: given by a person for all pictures, clockwise.
        overlay: folder for marked pictures.
    """

    locator: Locator
    reader: PointReader
    dice: DiceModel | None = None
    start: Start | None = None
    corners: Points | None = None
    overlay: Path | None = None

    def said(self, frame: Frame, name: str) -> dict[str, Any]:
        """What the contract's JSON line says of a picture."""
        found = self.located(frame)
        if isinstance(found, NotFound):
            said, dice = NardiAnswer("not-found", found.reason), []
        else:
            known = self.start.colours if self.start is not None else None
            said = answer(self.reader.read(frame.image, found, known), known is not None)
            dice = self._dice(frame, found)
        top, bottom = rows_of(said)
        if self.overlay is not None and isinstance(found, NardiGeometry):
            draw(frame, found, said, self.overlay / f"{name}.png")
        return {
            "status": said.status,
            "reason": said.reason,
            "corners": None if isinstance(found, NotFound) else corners_of(found),
            "points_top": top or None,
            "points_bottom": bottom or None,
            "confidence": [list(said.confidence[:12]), list(said.confidence[12:])],
            "dice": dice,
            "fen": None if self.start is None else fen_of(said, self.start),
        }

    def located(self, frame: Frame) -> NardiGeometry | NotFound:
        """The field in a picture."""
        if self.corners is None:
            return self.locator.find(frame.image)
        if outside(self.corners, frame):
            return NotFound(OUTSIDE)
        return self.locator.clicked(frame.image, self.corners)

    def _dice(self, frame: Frame, geometry: NardiGeometry) -> list[dict[str, Any]]:
        if self.dice is None:
            return []
        corners = geometry.corners
        room = geometry.board_width_px() * 0.12
        low = np.maximum(corners.min(0) - room, 0).astype(int)
        high = np.minimum(corners.max(0) + room, frame.size_wh).astype(int)
        region = (int(low[0]), int(low[1]), int(high[0]), int(high[1]))
        edge = geometry.board_width_px() / 13 * _DIE
        seen = find_dice(frame.image, self.dice, region, edge)
        return [{"pips": d.pips, "box": list(d.box), "p": d.p} for d in seen]


def open_reader(
    start: Path | None, corners: Points | None, overlay: Path | None
) -> tuple[NardiReader, str]:
    """The eyes, and why a start picture was of no use, if so."""
    locator, reader, dice = networks()
    eyes = NardiReader(locator, reader, dice, None, corners, overlay)
    if start is None:
        return eyes, ""
    frame = read_picture(start)
    found = eyes.located(frame)
    if isinstance(found, NotFound):
        return eyes, f"{start}: not learned from: {found.reason}"
    learned = learn_start(reader.read(frame.image, found))
    if isinstance(learned, str):
        return eyes, f"{start}: not learned from: {learned}"
    note = ""
    if learned.mirrored:
        note = f"{start}: the heads lie as in a mirror: the path is taken to run clockwise"
    return NardiReader(locator, reader, dice, learned, corners, overlay), note


def say(row: dict[str, Any]) -> str:
    """The answer for a person."""
    lines = [heading(row)]
    for name in ("points_top", "points_bottom"):
        if row.get(name):
            halves = row[name][:6], row[name][6:]
            told = " |".join("".join(f"{text or '.':>4}" for text in half) for half in halves)
            lines.append(f" {told}")
    if row.get("dice"):
        lines.append("  dice " + ", ".join(str(d["pips"] or "?") for d in row["dice"]))
    if row.get("fen"):
        lines.append(f"  {row['fen']}")
    return "\n".join(lines)


def draw(frame: Frame, geometry: NardiGeometry, said: NardiAnswer, path: Path) -> None:
    """The picture with both halves outlined and what was read on every point."""
    image = frame.image.copy()
    for half in geometry.halves:
        outline = np.rint(half).astype(np.int32)
        cv2.polylines(image, [outline], True, (0, 200, 0), 2, cv2.LINE_AA)
    for point, text in enumerate(said.points):
        row, column = divmod(point, 12)
        place = [column % 6 + 0.5, 0.05 if row == 0 else 0.95]
        x, y = geometry.to_image(column // 6, place)
        at = (int(x) - 10, int(y) + 6)
        for ink, thick in (((0, 0, 0), 4), ((0, 230, 255), 2)):
            cv2.putText(image, text, at, 0, 0.6, ink, thick, cv2.LINE_AA)
    path.parent.mkdir(parents=True, exist_ok=True)
    cv2.imencode(".png", image)[1].tofile(path)
