"""Score ways to read dice on the photographs that may be trained on, fold by fold.

    python -m models.evaluate.dice_photos PHOTOGRAPHS --weights LEFT_OUT.onnx --fold 0
    python -m models.evaluate.dice_photos PHOTOGRAPHS --way classical

Weights from ``python -m models.train.dice --leave-out 0`` never saw the photographs of fold 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from models.synth.dice import Truth
from models.train.dice_photos import FOLDS, Photo, photos_of
from vision.dice import Die, find_dice
from vision.dice_model import DiceModel

from .dice import WEIGHTS, Tally, paired, share
from .dice_spots import find_classically

Read = Callable[[NDArray[np.uint8]], Sequence[Die]]


def score_photos(photos: Iterable[Photo], read: Read) -> Counter[str]:
    """Counts as ``models.evaluate.dice`` counts; boxes are of top faces."""
    tally = Tally()
    for photo in photos:
        truths = [Truth(pips, box, box[2] - box[0]) for pips, box in photo.dice]
        dice = read(photo.image)
        pairs = paired(truths, dice)
        for i, truth in enumerate(truths):
            tally.add(truth, dice[pairs[i]] if i in pairs else None)
        loose = [d for j, d in enumerate(dice) if j not in pairs.values()]
        tally.counts["extra"] += sum(d.pips != 0 for d in loose)
    return tally.counts


def told(counts: Counter[str]) -> str:
    """One line: real counts with their intervals."""
    whole = counts["dice"]
    parts = [f"{name} {share(counts[name], whole)}" for name in ("right", "WRONG", "extra")]
    return (
        f"real: {whole} dice, "
        + ", ".join(parts)
        + (f", unread {counts['unread']}, missed {counts['missed']}")
    )


@click.command()
@click.argument("root", type=click.Path(path_type=Path, exists=True))
@click.option("--weights", type=click.Path(path_type=Path), default=WEIGHTS)
@click.option("--fold", type=click.IntRange(0, FOLDS - 1), help="Only these photographs.")
@click.option("--way", type=click.Choice(["networks", "classical"]), default="networks")
def main(root: Path, weights: Path, fold: int | None, way: str) -> None:
    """Score one way to read on labelled photographs."""
    cv2.setNumThreads(1)
    photos = [p for p in photos_of(root) if fold is None or p.fold == fold]
    networks = partial(find_dice, model=DiceModel(weights))
    read: Read = find_classically if way == "classical" else networks
    click.echo(told(score_photos(photos, read)))


if __name__ == "__main__":
    main()
