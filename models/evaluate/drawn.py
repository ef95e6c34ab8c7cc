"""Drawn boards of sets and cameras that training never saw, read through the whole pipeline."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from models.synth.episodes import Episode, sample_episode
from models.synth.paint import Split
from models.synth.scene import Rendered
from vision.answer import answer
from vision.calibrate import Calibration
from vision.frame import Frame
from vision.model import SquareModel
from vision.perceiver import Perceiver

from .album import Album
from .tally import Tally, Truth

#: Angles from straight above that results are split by, degrees.
TILTS = ((0, 15), (15, 30), (30, 45), (45, 58))


def score_drawn(
    model: SquareModel, split: Split, size: int, boards: int, album: Album, seed: int = 7
) -> dict[str, Tally]:
    """Tallies by what the picture is like; ``boards`` pictures, three of a set.

    Boards that were read wrongly somewhere go into the album.
    """
    tallies: dict[str, Tally] = {"all": Tally(), "without a start picture": Tally()}
    for name, seen, calibration in pictures(model, split, size, boards, seed):
        truth = Truth(name, seen.corners, seen.grid, float(seen.tags["contrast"]) > 0.12)
        eyes = Perceiver(size, model, calibration)
        said = answer(eyes.see(Frame(seen.image)), calibration is not None)
        hidden = any("?" in row for row in seen.grid)
        album.add(seen.image, truth, said)
        keys = ["hand over the board"] if hidden else ["all", *_conditions(seen)]
        for key in keys:
            tallies.setdefault(key, Tally()).add(truth, said)
        if not hidden and truth.sides_told and name.endswith("picture 0"):
            alone = answer(Perceiver(size, model).see(Frame(seen.image)), False)
            tallies["without a start picture"].add(truth, alone)
    return tallies


def _conditions(seen: Rendered) -> list[str]:
    tilt = float(seen.tags["tilt"])
    band = next((b for b in TILTS if b[0] <= tilt < b[1]), TILTS[-1])
    return [
        f"{band[0]} to {band[1]} degrees",
        f"light: {seen.tags['light']}",
        f"kings by {seen.tags['king']}",
    ]


def pictures(
    model: SquareModel, split: Split, size: int, boards: int, seed: int
) -> Iterator[tuple[str, Rendered, Calibration | None]]:
    """Pictures of sets, three of each, with their names and what their start position taught."""
    for number in range(-(-boards // 3)):
        rng = np.random.default_rng([seed, size, number])
        episode: Episode = sample_episode(rng, split, size, queries=3)
        made = Perceiver(size, model).calibrate(Frame(episode.start.image))
        calibration = made if isinstance(made, Calibration) else None
        for k, seen in enumerate(episode.queries):
            yield f"{split} {size}x{size} set {number} picture {k}", seen, calibration
