"""Sheets from the labelled photographs that may be trained on, one set a room.

The photographs are not part of this repository; the list of those that were seen, with their
hashes, is written beside the sheets and ends in the weights' card.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import click
import numpy as np

from vision.crops import light_parity, view_board
from vision.geometry import BoardGeometry
from vision.pictures import read_picture

from .sheets import Sheet, SheetSet, cut_sheet, save_set

#: Beginning of a file's name -> the room and set it shows.
ROOMS = {
    "buiten": "outdoors",
    "frame": "frame",
    "living": "living-room",
    "testdataset": "robot",
    "board_image_angle": "black-and-wood",
    "WhatsApp-Image-2024-07-05": "black-and-wood",
    "board_image_up": "up-view",
    "WhatsApp-Image-2024-07-04": "light-squares",
}

#: Rooms that the network learns from; the others stay to check it by, and to tune by.
LEARNED = ("outdoors", "robot", "up-view")


def labels_to_train_on(file: Path) -> list[dict[str, Any]]:
    """The labels marked for training, those of scored pictures left out."""
    rows = [json.loads(line) for line in file.read_text().splitlines() if line.strip()]
    return [row for row in rows if row.get("use") == "train"]


def room_of(name: str) -> str:
    """The room of a picture, by the beginning of its name."""
    return next(room for start, room in ROOMS.items() if name.startswith(start))


def photo_sheets(root: Path, row: dict[str, Any], copies: int, seed: int) -> list[Sheet]:
    """One labelled photograph, cut ``copies`` times with corners that are off differently."""
    rng = np.random.default_rng(seed)
    frame = read_picture(root / row["file"])
    truth = BoardGeometry(row["size"], np.array(row["corners"]))
    # without any start picture of its set, a picture stands for itself
    start = "start" in row["tags"] or not row.get("start")
    light = light_parity(view_board(frame.image, truth))
    grid = tuple(row["grid"])
    return [cut_sheet(frame.image, truth, grid, light, start, rng) for _ in range(copies)]


@click.command()
@click.argument("labels", type=click.Path(path_type=Path, exists=True))
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--copies", default=3)
@click.option("--held", is_flag=True, help="The rooms that are kept from training instead.")
def main(labels: Path, out: Path, copies: int, held: bool) -> None:
    """Cut the photographs listed in LABELS into OUT, and list them with their hashes."""
    rooms: dict[str, list[Sheet]] = defaultdict(list)
    seen = []
    for seed, row in enumerate(labels_to_train_on(labels)):
        room = room_of(Path(row["file"]).name)
        if (room in LEARNED) == held:
            continue
        rooms[room] += photo_sheets(labels.parent, row, copies, seed)
        digest = hashlib.sha256((labels.parent / row["file"]).read_bytes()).hexdigest()
        seen.append({"file": row["file"], "sha256": digest, "room": room})
    for room, sheets in rooms.items():
        save_set(out / f"{room}.npz", SheetSet(tuple(sheets), 1.0, "", room))
    (out / "seen.json").write_text(json.dumps(seen, indent=1))


if __name__ == "__main__":
    main()
