"""A tried model: an ultralytics classifier of single squares, for the table in models/README.md.

It sees one square with half a square around it, as the eyes normalise it, and knows no start
picture.  Trained and scored on the same drawn sets as our network; it is not shipped.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops import SQUARE_PX
from vision.percept import CLASSES

from .dice_fit import Plan, offline, overrides
from .episodes import TOLD, Board, board_of
from .sheets import SheetSet, load_set

#: Folders of classes; letters that differ only by case would be one folder on some disks.
NAMES = ("empty", "w-man", "w-king", "b-man", "b-king")

#: Share of the empty squares that is kept for training.
_EMPTY = 0.25


def windows(board: Board) -> NDArray[np.uint8]:
    """uint8 (m, 64, 64, 3): each square of an upright board with half a square around it, BGR."""
    n, edge = round(len(board.labels) ** 0.5), 2 * SQUARE_PX
    pixels = np.clip((board.pixels[::-1].transpose(1, 2, 0) + 1) * 127.5, 0, 255).astype(np.uint8)
    cut = [
        pixels[row * SQUARE_PX : row * SQUARE_PX + edge, col * SQUARE_PX : col * SQUARE_PX + edge]
        for row in range(n)
        for col in range(n)
    ]
    return np.stack(cut)


def boards_of(whole: SheetSet) -> list[Board]:
    """All later boards of a set whose sides can be told."""
    told = whole.contrast > TOLD
    return [board_of(s, s.view) for s in whole.sheets if told and not s.start]


def write_crops(sets: list[Path], out: Path, seed: int = 1) -> int:
    """One file a square, a folder a class; how many."""
    rng, count = np.random.default_rng(seed), 0
    for name in NAMES:
        (out / name).mkdir(parents=True, exist_ok=True)
    for path in sets:
        for board in boards_of(load_set(path)):
            for crop, label in zip(windows(board), board.labels, strict=True):
                if not 0 <= label < len(CLASSES) or (label == 0 and rng.random() > _EMPTY):
                    continue
                cv2.imwrite(str(out / NAMES[label] / f"{count:06d}.png"), crop)
                count += 1
    return count


def score(checkpoint: Path, sets: list[Path]) -> dict[str, float]:
    """Per cent of squares, and of boards, that the classifier reads right."""
    ultralytics = importlib.import_module("ultralytics")
    model: Any = ultralytics.YOLO(str(checkpoint))
    order = [NAMES.index(model.names[i]) for i in range(len(NAMES))]
    right = squares = exact = boards = 0
    for path in sets:
        for board in boards_of(load_set(path)):
            told = model.predict(list(windows(board)), imgsz=64, verbose=False)
            best = np.array([order[int(one.probs.top1)] for one in told])
            known = (board.labels >= 0) & (board.labels < len(CLASSES))
            hits = (best == board.labels)[known]
            right, squares = right + int(hits.sum()), squares + len(hits)
            exact, boards = exact + int(hits.all()), boards + 1
    return {"squares": 100 * right / squares, "boards": 100 * exact / boards}


@click.command()
@click.argument("drawn", type=click.Path(path_type=Path, exists=True))
@click.argument("validation", type=click.Path(path_type=Path, exists=True))
@click.option("--work", type=click.Path(path_type=Path), default=Path("runs/classifier"))
@click.option("--sets", default=300, help="Drawn sets to train on.")
@click.option("--minutes", default=12.0)
def main(drawn: Path, validation: Path, work: Path, sets: int, minutes: float) -> None:
    """Train on sheets in DRAWN, score on those in VALIDATION."""
    offline(work.resolve() / "ultralytics")
    trainer = importlib.import_module("ultralytics.models.yolo.classify").ClassificationTrainer
    count = write_crops(sorted(drawn.glob("*.npz"))[:sets], work / "crops" / "train")
    write_crops(sorted(validation.glob("*.npz"))[:4], work / "crops" / "val")
    plan = Plan(minutes=minutes, epochs=50, batch=64, edge=64, rate=1e-3)
    told = overrides(plan, "yolo11n-cls.yaml", work, "squares", None)
    told |= {"model": "yolo11n-cls.yaml", "data": str((work / "crops").resolve()), "val": False}
    told |= {"scale": 0.1, "erasing": 0.0, "auto_augment": None, "fliplr": 0.5}
    trainer(overrides=told).train()
    scored = score(work / "squares" / "weights" / "last.pt", sorted(validation.glob("*.npz")))
    click.echo(
        f"rendered: {count} crops; squares {scored['squares']:.3f} %, "
        f"boards {scored['boards']:.1f} %"
    )


if __name__ == "__main__":
    main()
