"""Sheets: boards cut out of labelled pictures, kept as arrays so that training never renders.

One file holds one set of men on one board: its start positions and the other pictures of it.  The
cut is the one of ``vision.crops``, from corners that are off by as much as a located board's.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.crops import BoardView, light_parity, view_board
from vision.geometry import BoardGeometry
from vision.percept import CLASSES

#: Labels besides the indices of CLASSES: hidden by something; not to be learned from.
COVERED = 5
IGNORED = -1


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """One picture of a board, cut out.

    Attributes:
        view: the board.
        labels: int8 (size * size,), indices of CLASSES, COVERED or IGNORED.
        light: 0 when the square at row 0, column 0 is a light one, else 1.
        start: whether it can stand as the start position of its set.
        show: float32 (size * size,), how well the mark of a king can be seen, in squares (a
            second man: how far its height moves it); large where there is no doubt.
    """

    view: BoardView
    labels: NDArray[np.int8]
    light: int
    start: bool
    show: NDArray[np.float32]


def cut_sheet(
    image: NDArray[np.uint8],
    truth: BoardGeometry,
    grid: tuple[str, ...],
    light: int,
    start: bool,
    rng: np.random.Generator,
    show: NDArray[np.float32] | None = None,
) -> Sheet:
    """A sheet from a labelled picture; the corners are moved as a locator's might be off."""
    spread = truth.square_px() * rng.choice([0.01, 0.03, 0.06], p=[0.5, 0.35, 0.15])
    corners = truth.corners + rng.normal(0, spread, (4, 2))
    k1 = truth.k1 * rng.uniform(0.7, 1.15)
    view = view_board(image, BoardGeometry(truth.size, corners, 0.0, k1, truth.image_wh))
    codes = [COVERED if c == "?" else CLASSES.index(c) for row in grid for c in row]
    clear = np.full(truth.size**2, 9, np.float32) if show is None else show
    return Sheet(view, np.array(codes, np.int8), light, start, clear)


@dataclass(frozen=True, slots=True, eq=False)
class SheetSet:
    """All sheets of one set of men on one board.

    Attributes:
        sheets: at least one of them a start.
        contrast: difference in lightness between the sides, 0 to 1.
        king: how kings are marked; empty when there are none.
        split: train, validation or heldout for drawn sets, the room for photographs.
    """

    sheets: tuple[Sheet, ...]
    contrast: float
    king: str
    split: str


_VIEW = ("lifted", "ground", "turns", "tilt", "lean")
_SHEET = ("labels", "light", "start", "show")


def save_set(path: Path, whole: SheetSet) -> None:
    """Write the sheets of one set."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".part.npz")
    columns: dict[str, Any] = {
        k: np.stack([getattr(s.view, k) for s in whole.sheets]) for k in _VIEW
    }
    columns |= {k: np.stack([getattr(s, k) for s in whole.sheets]) for k in _SHEET}
    np.savez(
        temporary,
        size=np.array(whole.sheets[0].view.size),
        contrast=np.array(whole.contrast),
        king=np.array(whole.king),
        split=np.array(whole.split),
        **columns,
    )
    temporary.replace(path)


def load_set(path: Path) -> SheetSet:
    """The sheets of one set, the lighter squares told as the eyes would tell them.

    On a red and green board nobody can say which squares are the light ones; what counts is that
    start and query agree, so the first start picture decides for all.
    """
    with np.load(path) as file:
        a = {key: file[key] for key in file.files}
    views = [
        BoardView(
            int(a["size"]),
            a["lifted"][i],
            a["ground"][i],
            int(a["turns"][i]),
            float(a["tilt"][i]),
            a["lean"][i],
        )
        for i in range(len(a["lifted"]))
    ]
    first = int(np.argmax(a["start"]))
    other = int(light_parity(views[first]) != int(a["light"][first]))
    sheets = tuple(
        Sheet(view, a["labels"][i], int(a["light"][i]) ^ other, bool(a["start"][i]), a["show"][i])
        for i, view in enumerate(views)
    )
    return SheetSet(sheets, float(a["contrast"]), str(a["king"]), str(a["split"]))
