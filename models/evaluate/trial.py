"""The reader to beat, run beside ours: pretrained features and a logistic regression.

Each square, cut straight out of the picture, goes through the first eleven blocks of
EfficientNet-Lite0 with its ImageNet weights; the means of what blocks 5, 8 and 11 make of it are
told apart by a regression fitted on the one start picture of the same set and seven changed copies
of it.  Both readers are given the labelled corners, answer every square, and read the same
photographs; kings are not asked for, since the start picture shows none.
"""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional as F

from models.train.backbone import Backbone, published
from vision.calibrate import Calibration
from vision.frame import Frame
from vision.geometry import BoardGeometry
from vision.model import SquareModel
from vision.perceiver import Perceiver
from vision.percept import CLASSES
from vision.pictures import read_picture

from .photos import SKIPPED, Label, labels_of, series_of

#: Edge of a cut square in pixels, and how much of it is margin on each side, in squares.
EDGE_PX, MARGIN = 64, 1 / 3

#: Blocks whose means describe a square.
_TAPS = (4, 7, 10)

_SIDES = {".": 0, "w": 1, "W": 1, "b": 2, "B": 2}

Floats = NDArray[np.float32]


class TrialReader:
    """Pretrained features and a regression; see the module."""

    def __init__(self) -> None:
        self._net = Backbone(depth=11)
        self._net.take(published())
        self._net.eval()

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def features(self, squares: NDArray[np.uint8]) -> torch.Tensor:
        """(m, 232) means of three maps, of squares (m, 64, 64, 3) BGR."""
        rgb = torch.from_numpy(squares[..., ::-1].copy()).permute(0, 3, 1, 2).float()
        maps = self._net.maps(F.relu6(self._net.stem((rgb - 127) / 128)))
        return torch.cat([maps[i].mean(dim=(2, 3)) for i in _TAPS], 1)

    def fit(self, image: NDArray[np.uint8], geometry: BoardGeometry, labels: list[int]) -> Any:
        """A regression that tells the squares of a start picture apart."""
        rng = np.random.default_rng(1)
        copies = [cut(image, geometry)]
        copies += [_changed(image, geometry, rng) for _ in range(7)]
        x = torch.cat([self.features(c) for c in copies])
        y = torch.tensor(labels * len(copies))
        mean, spread = x.mean(0), x.std(0) + 1e-6
        linear = torch.nn.Linear(x.shape[1], 3)
        best = torch.optim.LBFGS(linear.parameters(), max_iter=200)
        scaled = (x - mean) / spread

        def loss() -> torch.Tensor:
            best.zero_grad()
            value = F.cross_entropy(linear(scaled), y) + 1e-3 * (linear.weight**2).sum()
            value.backward()
            return value

        best.step(loss)
        return lambda squares: linear((self.features(squares) - mean) / spread).argmax(1).tolist()


def cut(image: NDArray[np.uint8], geometry: BoardGeometry) -> NDArray[np.uint8]:
    """uint8 (m, 64, 64, 3): every square with its margin, row by row."""
    line = (np.arange(EDGE_PX) + 0.5) / EDGE_PX * (1 + 2 * MARGIN) - MARGIN
    out = []
    for row in range(geometry.size):
        for col in range(geometry.size):
            grid = np.stack(np.meshgrid(col + line, row + line), axis=-1)
            at = geometry.to_image(grid).astype(np.float32)
            out.append(cv2.remap(image, at[..., 0], at[..., 1], cv2.INTER_AREA))
    return np.stack(out).astype(np.uint8)


def _changed(
    image: NDArray[np.uint8], geometry: BoardGeometry, rng: np.random.Generator
) -> NDArray[np.uint8]:
    """All squares turned, shifted, brighter or darker, and tinted."""
    shift = rng.normal(0, 0.04 * geometry.square_px(), (1, 2))
    moved = BoardGeometry(geometry.size, geometry.corners + shift)
    squares = np.rot90(cut(image, moved), int(rng.integers(4)), axes=(1, 2)).astype(np.float32)
    gain = np.exp(rng.normal(0, 0.2) + rng.normal(0, 0.05, 3))
    lit = np.clip(squares * gain + rng.normal(0, 8), 0, 255)
    return np.asarray(lit, np.uint8)


def sides_of(grid: tuple[str, ...] | list[str]) -> list[int]:
    """0 empty, 1 lighter, 2 darker, -1 unknown, square by square."""
    return [_SIDES.get(c, -1) for row in grid for c in row]


def _ours(model: SquareModel, label: Label, start: Label, root: Path) -> tuple[list[int], float]:
    first = Perceiver(label["size"], model, corners=start["corners"])
    made = first.calibrate(read_picture(root / start["file"]))
    eyes = Perceiver(
        label["size"], model, made if isinstance(made, Calibration) else None, label["corners"]
    )
    frame = read_picture(root / label["file"])
    eyes.see(frame)
    began = time.process_time()
    seen = eyes.see(Frame(frame.image))
    spent = time.process_time() - began
    best = seen.log_probabilities().reshape(-1, len(CLASSES)).argmax(1)
    return [_SIDES[CLASSES[i]] for i in best], spent


@click.command()
@click.argument("photos", type=click.Path(path_type=Path, exists=True))
@click.option("--weights", type=click.Path(path_type=Path), required=True)
def main(photos: Path, weights: Path) -> None:
    """Both readers on the scored photographs in PHOTOS that have a start picture."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    labels = labels_of(photos)
    by_file = {label["file"]: label for label in labels}
    model, trial = SquareModel(weights), TrialReader()
    counts: dict[str, Counter[str]] = {"trial": Counter(), "ours": Counter()}
    fitted: dict[str, Any] = {}
    for label in labels:
        start = by_file.get(label.get("start") or "")
        if label["use"] != "score" or start is None or SKIPPED & set(label["tags"]):
            continue
        if start["file"] not in fitted:
            geometry = BoardGeometry(start["size"], np.array(start["corners"]))
            image = read_picture(photos / start["file"]).image
            fitted[start["file"]] = trial.fit(image, geometry, sides_of(start["grid"]))
        frame = read_picture(photos / label["file"])
        geometry = BoardGeometry(label["size"], np.array(label["corners"]))
        began = time.process_time()
        said = fitted[start["file"]](cut(frame.image, geometry))
        spent = time.process_time() - began
        for name, (answer, seconds) in (
            ("trial", (said, spent)),
            ("ours", _ours(model, label, start, photos)),
        ):
            truth = sides_of(label["grid"])
            hits = [a == t for a, t in zip(answer, truth, strict=True) if t >= 0]
            told = any(tag.startswith("luminance-") for tag in label["tags"])
            if told:  # which side is the lighter one is a matter of taste there
                other = [{1: 2, 2: 1}.get(a, a) for a in answer]
                swapped = [a == t for a, t in zip(other, truth, strict=True) if t >= 0]
                hits = max(hits, swapped, key=sum)
            c = counts[name]
            c["photos"] += 1
            c["exact"] += all(hits)
            c["right"] += sum(hits)
            c["squares"] += len(hits)
            c["ms"] += round(1000 * seconds)
            c[f"{series_of(label)} wrong"] += len(hits) - sum(hits)
    for name, c in counts.items():
        click.echo(
            f"real: {name}: {c['exact']} of {c['photos']} boards, "
            f"{100 * c['right'] / c['squares']:.3f} % of {c['squares']} squares, "
            f"{c['ms'] / c['photos']:.0f} ms a board; "
            + ", ".join(f"{k} {v}" for k, v in sorted(c.items()) if k.endswith("wrong"))
        )


if __name__ == "__main__":
    main()
