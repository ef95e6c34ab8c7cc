"""Train the network that finds a half's corner in a small picture of it.

Every corner is turned to look like every other, and is far off in many ways, so that a little
training goes a long way and no corner is learned to lie where it is expected.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from vision.geometry import inverse, project
from vision.nardi.board import NardiGeometry
from vision.nardi.corners import CORNER_CELL, CORNER_PX, corner_pictures
from vision.nardi.crops import normalised
from vision.nardi.locate import convex

from .nardi_data import Array, peaks, recoloured, turned_halves
from .nardi_fit import Pool, tensor
from .nardi_net import Residual, conv
from .nardi_scenes import Stored

Tensor = Any
CELLS = CORNER_PX // CORNER_CELL
#: Spread of the bell on a corner, in cells.
BELL = 1.0


class CornerNet(nn.Module):  # type: ignore[misc]
    """Corners' pictures (n, 3, 48, 48) to logits (n, 1, 24, 24) of where the corner is."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = conv(3, 24, 2, 5)
        self.mid = nn.Sequential(conv(24, 40, 2), Residual(40))
        self.low = nn.Sequential(conv(40, 64, 2), Residual(64))
        self.up_mid = conv(64 + 40, 40, kernel=1)
        self.up_stem = nn.Sequential(conv(40 + 24, 24, kernel=1), conv(24, 24))
        self.out = nn.Conv2d(24, 1, 1)

    def forward(self, pictures: Tensor) -> Tensor:
        """See the class."""
        stem = self.stem(pictures)
        mid = self.mid(stem)
        low = self.low(mid)
        mid = self.up_mid(torch.cat([F.interpolate(low, scale_factor=2.0), mid], 1))
        stem = self.up_stem(torch.cat([F.interpolate(mid, scale_factor=2.0), stem], 1))
        return self.out(stem)


def corner_sample(scene: Stored, rng: np.random.Generator) -> tuple[Array, Array]:
    """Eight pictures (8, 48, 48, 3) as a first look would cut them, and their heat (8, 24, 24)."""
    halves = turned_halves(scene.halves, bool(rng.random() < 0.5))
    true = NardiGeometry(halves)
    edge = true.board_width_px()
    bar = np.mean(true.bar) + np.array([-1, 1]) * abs(rng.normal(0.04, 0.03)) + rng.normal(0, 0.02)
    middle = true.corners.mean(0)
    spread = float(rng.choice([0.01, 0.03, 0.06]))
    found = middle + (true.corners - middle) * rng.uniform(0.9, 1.15)
    found = found + (rng.normal(0, spread, (4, 2)) + rng.normal(0, 0.03, 2)) * edge
    if not convex(found):
        found = true.corners
    rough = NardiGeometry.from_corners(found, (float(bar[0]), float(bar[1])))
    pictures, back = corner_pictures(scene.image, rough)
    places = [
        project(inverse(one), place) for one, place in zip(back, halves.reshape(8, 2), strict=True)
    ]
    cells = (np.array(places) + 0.5) / CORNER_CELL - 0.5
    heat = np.stack([peaks(place[None], (CELLS, CELLS), BELL) for place in cells])
    tall = recoloured(pictures.reshape(-1, CORNER_PX, 3), rng)
    return tall.reshape(pictures.shape), heat


def loss_of(net: CornerNet, pictures: Array, heat: Array) -> Tensor:
    """Cross-entropy with the bells; places with heat count more."""
    with torch.autocast("cpu", torch.bfloat16):
        said = net(tensor(normalised(pictures)))
    every = F.binary_cross_entropy_with_logits(said.float()[:, 0], tensor(heat), reduction="none")
    return (every * (1 + 8 * tensor(heat))).mean() * 8


def train(folder: Path, out: Path, steps: int, log: Callable[[str], None]) -> None:
    """Train on a folder of scenes; goes on from ``out`` where it exists."""
    torch.manual_seed(1)
    pool, net = Pool(folder), CornerNet()
    mean = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.98), use_buffers=True
    )
    optimiser = torch.optim.AdamW(net.parameters(), 2e-3, weight_decay=1e-3)
    begun, recent = 0, 0.0
    if out.exists():
        state = torch.load(out, weights_only=True)
        net.load_state_dict(state["net"])
        mean.load_state_dict(state["mean"])
        optimiser.load_state_dict(state["optimiser"])
        begun = state["step"]
    for step in range(begun, steps):
        rng = np.random.default_rng([9, step])
        samples = [corner_sample(scene, rng) for scene in pool.some(6, rng)]
        pictures, heat = (np.concatenate(part) for part in zip(*samples, strict=True))
        net.train()
        loss = loss_of(net, pictures, heat)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        mean.update_parameters(net)
        recent += 0.03 * (float(loss.detach()) - recent)
        if (step + 1) % 50 == 0:
            log(f"step {step + 1} loss {recent:.3f}")
            state = {"net": net.state_dict(), "mean": mean.state_dict(), "step": step + 1}
            state["optimiser"] = optimiser.state_dict()
            torch.save(state, out.with_suffix(".part"))
            out.with_suffix(".part").replace(out)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--steps", default=4000)
def main(folder: Path, out: Path, steps: int) -> None:
    """Train on a folder of scenes."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    train(folder, out, steps, lambda line: click.echo(line))


if __name__ == "__main__":
    main()
