"""Drawn nardi scenes on disk: a picture and its labels in one small file each."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from models.synth.nardi_scene import NardiRendered, render_nardi, sample_nardi
from models.synth.nardi_style import NardiStyle, sample_nardi_style
from models.synth.paint import Split

Array = NDArray[Any]

#: Scenes drawn of each set.
PER_STYLE = 3


@dataclass(frozen=True, slots=True, eq=False)
class Stored:
    """A scene as training reads it; see ``NardiRendered`` for the fields of the same names."""

    image: Array
    owner: Array
    halves: Array
    middles: Array
    counts: Array
    sides: Array
    points: Array
    cover: Array
    diameter: float


def save(seen: NardiRendered, path: Path) -> None:
    """Write a scene."""
    jpeg = cv2.imencode(".jpg", seen.image, [cv2.IMWRITE_JPEG_QUALITY, 96])[1]
    np.savez(
        path,
        image=jpeg,
        owner=cv2.imencode(".png", seen.owner)[1],
        halves=seen.halves,
        middles=seen.middles,
        counts=np.array(seen.counts, np.int8),
        sides=seen.sides,
        points=seen.points,
        cover=seen.cover,
        diameter=seen.style.checkers.diameter,
    )


def load(path: Path) -> Stored:
    """Read a scene."""
    with np.load(path) as kept:
        image = np.asarray(cv2.imdecode(kept["image"], cv2.IMREAD_COLOR))
        owner = np.asarray(cv2.imdecode(kept["owner"], cv2.IMREAD_GRAYSCALE))
        return Stored(
            image, owner, kept["halves"], kept["middles"], kept["counts"], kept["sides"],
            kept["points"], kept["cover"], float(kept["diameter"]),
        )  # fmt: skip


def scene_of(split: Split, number: int, style: NardiStyle) -> NardiRendered:
    """Scene ``number`` of a split: the same one every time."""
    rng = np.random.default_rng([71, len(split), number])
    return render_nardi(sample_nardi(rng, split, style), number)


def style_of(split: Split, number: int) -> NardiStyle:
    """The set of scene ``number``."""
    return sample_nardi_style(np.random.default_rng([73, len(split), number // PER_STYLE]), split)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--split", type=click.Choice(["train", "validation", "heldout"]), default="train")
@click.option("--first", default=0)
@click.option("--count", default=3000)
def main(folder: Path, split: Split, first: int, count: int) -> None:
    """Draw scenes into a folder; those that are there already are kept."""
    cv2.setNumThreads(1)
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(first, first + count):
        path = folder / f"{number:06d}.npz"
        if not path.exists():
            save(scene_of(split, number, style_of(split, number)), path)


if __name__ == "__main__":
    main()
