"""How well nardi boards are found and read, on drawn sets that training never saw.

``python -m models.evaluate.nardi`` prints every figure with its 95 % interval, and how long a
picture takes.  All figures are *rendered*; those of photographs come from a scoring script.
"""

from __future__ import annotations

import time
from collections import Counter
from math import sqrt
from pathlib import Path

import click
import cv2
import numpy as np

from models.synth.nardi_scene import NardiRendered
from models.synth.paint import Split
from models.train.nardi_scenes import scene_of, style_of
from vision.nardi.answer import NardiAnswer, answer
from vision.nardi.board import NardiGeometry
from vision.nardi.locate import Locator, NotFound
from vision.nardi.model import CornerModel, FieldModel, HalfModel
from vision.nardi.points import PointReader

WEIGHTS = Path(__file__).parents[1] / "weights"

#: A board is located when no corner is farther off than this, of the mean of its edges.
NEAR = 0.03
#: A point of which more is hidden can't be read by anybody.
HIDDEN = 0.4


def wilson(part: int, whole: int) -> str:
    """A share and its 95 % interval (E. B. Wilson, 1927)."""
    if not whole:
        return "none"
    z, p = 1.96, part / whole
    middle = (p + z * z / (2 * whole)) / (1 + z * z / whole)
    reach = z * sqrt(p * (1 - p) / whole + z * z / (4 * whole * whole)) / (1 + z * z / whole)
    return (
        f"{100 * p:.2f} % [{100 * (middle - reach):.2f}, {100 * (middle + reach):.2f}] of {whole}"
    )


def truth_of(seen: NardiRendered, half_turn: bool) -> list[str]:
    """The texts of the 24 points in camera order; ``?`` where nobody can tell."""
    texts = [
        "?" if cover > HIDDEN else ("" if c == 0 else f"{'w' if c > 0 else 'b'}{abs(c)}")
        for c, cover in zip(seen.counts, seen.cover, strict=True)
    ]
    return texts[::-1] if half_turn else texts


def turn_of(seen: NardiRendered, found: NardiGeometry) -> bool | None:
    """Whether the corners are counted from the other side on; None where they lie elsewhere."""
    true = seen.corners
    size = (np.hypot(*(true[1] - true[0])) + np.hypot(*(true[2] - true[1]))) / 2
    for half_turn in (False, True):
        at = np.roll(found.corners, 2 if half_turn else 0, axis=0)
        if np.hypot(*(at - true).T).max() < NEAR * size:
            return half_turn
    return None


def tally(c: Counter[str], seen: NardiRendered, found: NardiGeometry, said: NardiAnswer) -> None:
    """Count one answer about a picture with a board in it."""
    half_turn = turn_of(seen, found)
    c["located"] += half_turn is not None
    if half_turn is None:
        c["wrong"] += said.status == "read"
        return
    pairs = list(zip(said.points, truth_of(seen, half_turn), strict=True))
    for got, true in pairs:
        if true == "?":
            continue
        heap = "6 to 15" if true and int(true[1:]) > 5 else "1 to 5" if true else "empty"
        c[f"points {heap}"] += 1
        c[f"answered {heap}"] += got != "?"
        c[f"right {heap}"] += got == true
        c[f"false {heap}"] += got not in ("?", true)
        c[f"side {heap}"] += got != "?" and got[:1] == true[:1]
    good = all(got == true for got, true in pairs)
    c["exact"] += said.status == "read" and good
    c["wrong"] += said.status == "read" and not good


def report(c: Counter[str], times: list[float]) -> list[str]:
    """The figures as lines."""
    lines = [
        f"rendered: located {wilson(c['located'], c['pictures'])}",
        f"rendered: read and right {wilson(c['exact'], c['pictures'])}",
        f"rendered: read and WRONG {wilson(c['wrong'], c['pictures'])}",
    ]
    for heap in ("empty", "1 to 5", "6 to 15"):
        whole = c[f"points {heap}"]
        lines += [
            f"rendered: points with {heap}: side {wilson(c[f'side {heap}'], whole)}",
            f"rendered: points with {heap}: count {wilson(c[f'right {heap}'], whole)}",
            f"rendered: points with {heap}: answered falsely {wilson(c[f'false {heap}'], whole)}",
        ]
    lines.append(f"milliseconds to read a located picture of 2304x1296: {np.median(times):.1f}")
    return lines


def first_frame(seen: NardiRendered) -> tuple[np.ndarray, NardiGeometry]:
    """The picture as a Pi's camera of 2304x1296 would give it, and where its field lies."""
    height, width = seen.image.shape[:2]
    grow = np.array([2304 / width, 1296 / height])
    large = cv2.resize(seen.image, (2304, 1296), interpolation=cv2.INTER_CUBIC)
    return large, NardiGeometry((seen.halves + 0.5) * grow - 0.5)


def evaluate(split: Split, count: int, weights: Path) -> list[str]:
    """Read ``count`` scenes of a split."""
    field, corner = (weights / f"nardi_{name}.onnx" for name in ("field", "corner"))
    locator = Locator(FieldModel(field), CornerModel(corner))
    reader = PointReader(HalfModel(weights / "nardi_half.onnx"))
    c: Counter[str] = Counter()
    times: list[float] = []
    for number in range(count):
        seen = scene_of(split, number, style_of(split, number))
        if float(seen.cover.max()) > HIDDEN and seen.owner.max() < 255:
            continue  # the picture's edge cuts the board off
        c["pictures"] += 1
        found = locator.find(seen.image)
        if isinstance(found, NotFound):
            c["not found"] += 1
            continue
        said = answer(reader.read(seen.image, found))
        tally(c, seen, found, said)
        if number % 20 == 0:
            large, where = first_frame(seen)
            begun = time.perf_counter()
            answer(reader.read(large, where))
            times.append((time.perf_counter() - begun) * 1000)
    return report(c, times)


@click.command()
@click.option("--split", type=click.Choice(["train", "validation", "heldout"]), default="heldout")
@click.option("--count", default=300, help="Scenes, three of a set.")
@click.option("--weights", type=click.Path(path_type=Path), default=WEIGHTS)
def main(split: Split, count: int, weights: Path) -> None:
    """Print the figures."""
    cv2.setNumThreads(1)
    for line in evaluate(split, count, weights):
        click.echo(line)


if __name__ == "__main__":
    main()
