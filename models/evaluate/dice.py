"""Score the eyes for dice on drawn pictures whose dice, boards and paints training never saw.

    python -m models.evaluate.dice            # writes DICE.md beside this file

A die counts as ``right`` when its pips are answered, ``unread`` when it is found and not answered,
``missed`` when it is not found, WRONG when another number is answered, or any for a die that nobody
can read.  ``extra`` are numbers where there is no die.  Intervals are Wilson's, 95 %.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import dist, sqrt
from pathlib import Path

import click
import cv2
import numpy as np

from models.synth.dice import DicePicture, Truth, draw_dice
from models.synth.paint import SPLITS, Split
from vision.dice import Die, find_dice
from vision.dice_model import DiceModel

from .results import weights_hash

ROOT = Path(__file__).parents[2]
WEIGHTS = ROOT / "models" / "weights" / "dice.onnx"
OUT = Path(__file__).with_name("DICE.md")

#: Edge of an evaluated picture, and smallest and largest edge of a die in it, pixels.
SIZE, EDGES = 640, (16.0, 64.0)

Box = tuple[float, float, float, float]
Read = Callable[[DicePicture], Sequence[Die]]


def wilson(part: int, whole: int, z: float = 1.96) -> tuple[float, float]:
    """The 95 % interval of a share, as E. B. Wilson gave it in 1927."""
    if whole == 0:
        return 0.0, 1.0
    share = part / whole
    middle = (share + z * z / (2 * whole)) / (1 + z * z / whole)
    half = z * sqrt(share * (1 - share) / whole + z * z / (4 * whole * whole)) / (1 + z * z / whole)
    return max(0.0, middle - half), min(1.0, middle + half)


def middle(box: Box) -> tuple[float, float]:
    """The middle of a box."""
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def holds(box: Box, point: tuple[float, float]) -> bool:
    """Whether a point lies in a box."""
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def paired(truths: Sequence[Truth], dice: Sequence[Die]) -> dict[int, int]:
    """The answer for each true die, nearest first, each once."""
    near = []
    for i, truth in enumerate(truths):
        for j, die in enumerate(dice):
            a, b = middle(truth.box), middle(die.box)
            if holds(truth.box, b) or holds(die.box, a):
                near.append((dist(a, b), i, j))
    pairs: dict[int, int] = {}
    for _, i, j in sorted(near):
        if i not in pairs and j not in pairs.values():
            pairs[i] = j
    return pairs


@dataclass(slots=True)
class Tally:
    """Counts of one kind of picture or die."""

    counts: Counter[str] = field(default_factory=Counter)

    def add(self, truth: Truth, die: Die | None) -> None:
        """Count one true die."""
        c = self.counts
        if truth.pips == 0:
            c["unreadable"] += 1
            c["WRONG"] += die is not None and die.pips != 0
            return
        c["dice"] += 1
        if die is None:
            c["missed"] += 1
        elif die.pips == truth.pips:
            c["right"] += 1
        else:
            c["unread" if die.pips == 0 else "WRONG"] += 1

    def row(self, name: str) -> str:
        """A line of the table."""
        c = self.counts
        whole = c["dice"]
        cells = [share(c["right"], whole), share(c["WRONG"], whole + c["unreadable"])]
        cells += [str(c["unread"]), str(c["missed"]), share(c["extra"], whole)]
        return f"| rendered: {name} | {whole} + {c['unreadable']} | " + " | ".join(cells) + " |"


def share(part: int, whole: int) -> str:
    """A share with its interval."""
    low, high = (100 * v for v in wilson(part, whole))
    return f"{part} = {100 * part / max(1, whole):.2f} % ({low:.2f} to {high:.2f})"


def kinds_of(truth: Truth, picture: DicePicture) -> Iterator[str]:
    """The rows of the table that a die counts in."""
    yield "all"
    edges = (16, 24, 36, 1000)
    yield next(f"edge under {high} px" for high in edges if truth.edge < high)
    tilts = (14, 35, 90)
    yield next(f"tilt under {high} degrees" for high in tilts if picture.tilt < high)


def score(pictures: Iterable[DicePicture], read: Read) -> dict[str, Tally]:
    """Tallies of a way to read, by kind."""
    tallies: dict[str, Tally] = {}
    for picture in pictures:
        dice = read(picture)
        pairs = paired(picture.dice, dice)
        for i, truth in enumerate(picture.dice):
            for kind in kinds_of(truth, picture):
                die = dice[pairs[i]] if i in pairs else None
                tallies.setdefault(kind, Tally()).add(truth, die)
        loose = [d for j, d in enumerate(dice) if j not in pairs.values()]
        # a die of which less than half shows is in no list: whatever is said of it is not counted
        inner = (14, 14, SIZE - 14, SIZE - 14)
        extra = sum(d.pips != 0 and holds(inner, middle(d.box)) for d in loose)
        tallies.setdefault("all", Tally()).counts["extra"] += extra
    return tallies


def drawn(split: Split, count: int, seed: int = 77) -> Iterator[DicePicture]:
    """The pictures that are scored; always the same for one seed."""
    for k in range(count):
        rng = np.random.default_rng([seed, k, SPLITS.index(split)])
        yield draw_dice(rng, split, SIZE, EDGES)


@click.command()
@click.option("--weights", type=click.Path(path_type=Path), default=WEIGHTS)
@click.option("--split", type=click.Choice(SPLITS), default="heldout", show_default=True)
@click.option("--count", default=150, show_default=True, help="Pictures.")
@click.option("--out", type=click.Path(path_type=Path), default=OUT)
def main(weights: Path, split: Split, count: int, out: Path) -> None:
    """Score the eyes for dice and write the table."""
    cv2.setNumThreads(1)
    model = DiceModel(weights)
    spent: list[float] = []

    def read(picture: DicePicture) -> Sequence[Die]:
        begun = time.process_time()
        dice = find_dice(picture.image, model)
        spent.append(1000 * (time.process_time() - begun))
        return dice

    tallies = score(drawn(split, count), read)
    names = ["all", *sorted(k for k in tallies if k != "all")]
    lines = [
        "# What the eyes for dice can do, on drawn pictures",
        "",
        "*Rendered*: dice, boards, cloths and checkers in paints that training never saw, pictures "
        f"of {SIZE} x {SIZE} pixels, dice of {EDGES[0]:.0f} to {EDGES[1]:.0f} pixels, every view "
        "from straight above to a player's. Intervals are Wilson's, 95 %. WRONG counts numbers for "
        "unreadable dice, too.",
        "",
        f"- command: `python -m models.evaluate.dice --split {split} --count {count}`",
        f"- weights: `{weights_hash(weights)}`",
        f"- one thread, median: {np.median(spent):.0f} ms a picture",
        "",
        "| rendered | dice + unreadable | right | WRONG | unread | missed | extra |",
        "| --- |" + " --- |" * 6,
        *(tallies[name].row(name) for name in names),
    ]
    out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    click.echo("\n".join(lines[-len(names) :]))


if __name__ == "__main__":
    main()
