"""How often the board is found, on drawn scenes: ``python -m models.evaluate.locate``.

Cameras are wilder than those that the reader is trained on: turned any way, from straight above
to a player's low view, and the board takes from a quarter of the picture to all of it.  A board
counts as found when all four corners lie within 0.35 squares of the truth.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from time import process_time

import click
import cv2
import numpy as np
from tqdm import tqdm

from vision.geometry import BoardGeometry
from vision.locate import NotFound, locate

from ..synth.arrays import Array, Rng
from ..synth.camera import framed, sample_camera
from ..synth.episodes import PICTURES
from ..synth.light import sample_light
from ..synth.paint import Split
from ..synth.positions import random_grid, start_grid
from ..synth.scene import Rendered, Scene, render
from ..synth.style import sample_style

#: Corners may be off by this much, squares.
WITHIN = 0.35
TILTS = (15, 30, 40, 50, 60, 70)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one picture.

    Attributes:
        seed: draws it again.
        state: ``found``, ``wrong`` (found elsewhere) or ``missed``.
        error: of the worst corner, squares; NaN when missed.
        reason: why it was missed.
        ms: processor time taken, milliseconds.
        tags: what the table is split by.
    """

    seed: int
    state: str
    error: float
    reason: str
    ms: float
    tags: dict[str, str]


def draw(seed: int, split: Split, size: int) -> Rendered:
    """A picture of a board that is whole in it and not seen from its edge; the seed decides
    everything about it.
    """
    drawn = _draw(np.random.default_rng([seed, size, 7]), split, size)
    again = 0
    while not fair(drawn, size):
        again += 1
        drawn = _draw(np.random.default_rng([seed, size, 7, again]), split, size)
    return drawn


def fair(drawn: Rendered, size: int) -> bool:
    """Whether anyone could find the board: no corner cut off, no row thinner than a line."""
    c = drawn.corners
    h, w = drawn.image.shape[:2]
    edges = np.roll(c, -1, axis=0) - c
    longest = float(np.hypot(edges[:, 0], edges[:, 1]).max())
    outside = float(np.maximum(-c, c - (w - 1, h - 1)).max())
    area = float(cv2.contourArea(c.astype(np.float32)))
    return outside < 0.3 * longest / size and area > 0.15 * longest**2


def _draw(rng: Rng, split: Split, size: int) -> Rendered:
    style = sample_style(rng, size, split)
    width, height = PICTURES[int(rng.integers(len(PICTURES)))]
    share = float(rng.uniform(0.3, 1.0))
    camera = sample_camera(rng, style, width, height, tilt_deg=(0, 62))
    if rng.random() < 0.5:
        turned = turn_axes(np.array(camera.axes), float(rng.uniform(-np.pi, np.pi)))
        camera = replace(camera, axes=tuple(map(tuple, turned)))
    camera = framed(camera, style, share, rng.uniform(0.05, 0.95, 2))
    grid = start_grid(style) if rng.random() < 0.3 else random_grid(rng, style)
    scene = Scene(style, camera, sample_light(rng), grid, jitter=int(rng.integers(2**31)))
    drawn = render(scene, int(rng.integers(2**31)))
    return replace(drawn, tags={**drawn.tags, "share": share})


def turn_axes(axes: Array, angle: float) -> Array:
    """The camera turned about its line of view."""
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([c * axes[0] + s * axes[1], -s * axes[0] + c * axes[1], axes[2]])


def outcomes(seeds: Iterator[int] | range, split: Split, size: int) -> Iterator[Outcome]:
    """Draws boards and looks for them."""
    for seed in seeds:
        drawn = draw(seed, split, size)
        yield judge(seed, drawn, size)


def judge(seed: int, drawn: Rendered, size: int) -> Outcome:
    """Looks for one board and compares."""
    begun = process_time()
    found = locate(drawn.image, size)
    ms = 1000 * (process_time() - begun)
    if isinstance(found, NotFound):
        return Outcome(seed, "missed", float("nan"), found.reason, ms, buckets(drawn, size))
    error = corner_error(found, drawn.corners)
    state = "found" if error < WITHIN else "wrong"
    return Outcome(seed, state, error, "", ms, buckets(drawn, size))


def corner_error(found: BoardGeometry, corners: Array) -> float:
    """How far the worst corner is off, in squares, whichever corner comes first."""
    edges = np.roll(corners, -1, axis=0) - corners
    square = float(np.hypot(edges[:, 0], edges[:, 1]).mean()) / found.size
    turns = [np.roll(found.corners, k, axis=0) - corners for k in range(4)]
    return float(min(np.hypot(d[:, 0], d[:, 1]).max() for d in turns)) / square


def buckets(drawn: Rendered, size: int) -> dict[str, str]:
    """The rows of the table that a picture belongs to."""
    tags = drawn.tags
    tilt = next(t for t in TILTS if tags["tilt"] < t)
    share = "wide" if tags["share"] > 0.6 else "small"
    return {
        "size": str(size),
        "tilt": f"below {tilt}",
        "share": share,
        "board": str(tags["board"]),
        "light": str(tags["light"]),
    }


def table(rows: list[Outcome]) -> list[str]:
    """The outcomes by tag, as lines of text."""
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for row in rows:
        groups["all"].append(row)
        for key, value in row.tags.items():
            groups[f"{key} {value}"].append(row)
    out = [f"{'':22s} pictures  found      wrong  missed  median error  ms"]
    for name in sorted(groups):
        group = groups[name]
        found = [r for r in group if r.state == "found"]
        wrong = sum(r.state == "wrong" for r in group)
        error = float(np.median([r.error for r in found])) if found else float("nan")
        ms = float(np.median([r.ms for r in group]))
        out.append(
            f"{name:22s} {len(group):8d} {100 * len(found) / len(group):6.2f} %  {wrong:5d}  "
            f"{len(group) - len(found) - wrong:6d}  {error:12.4f}  {ms:.0f}"
        )
    return out


@click.command()
@click.option(
    "--split", type=click.Choice(["train", "validation", "heldout"]), default="validation"
)
@click.option("--pictures", default=100, help="of each size")
@click.option("--first", default=0, help="first seed")
@click.option("--out", type=click.Path(path_type=Path), help="JSON lines, one for each picture")
def main(split: Split, pictures: int, first: int, out: Path | None) -> None:
    """Print how often the board is found in drawn scenes."""
    cv2.setNumThreads(1)
    seeds = range(first, first + pictures)
    rows = [
        outcome
        for size in (8, 10)
        for outcome in tqdm(outcomes(seeds, split, size), total=pictures, desc=f"{size}x{size}")
    ]
    click.echo("\n".join(table(rows)))
    if out is not None:
        lines = [
            json.dumps(
                {
                    "seed": r.seed,
                    "state": r.state,
                    "error": r.error,
                    "reason": r.reason,
                    "ms": round(r.ms, 1),
                    **r.tags,
                }
            )
            for r in rows
        ]
        out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
