"""Train the nardi networks side by side on stored scenes, with checkpoints.

One process, one thread: a step of each network in turn.  New scenes that appear in the folder are
taken in as it goes.  Convolutions run in bfloat16, which newer processors do many times faster.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
import torch
from torch.nn import functional as F

from vision.nardi.crops import normalised

from .nardi_corners import corner_sample
from .nardi_data import (
    IGNORED,
    Array,
    HalfSample,
    half_sample,
    stacked,
)
from .nardi_fields import FieldSample, field_sample
from .nardi_net import CornerNet, FieldNet, HalfNet, begun
from .nardi_scenes import Stored, load
from .nardi_strange import Grounds, strange

Tensor = Any

NAMES = ("field", "corner", "half")
#: Steps between two looks into the folder and two checkpoints.
LOOK, KEEP = 50, 50


@dataclass(frozen=True, slots=True)
class Plan:
    """How to train.

    Attributes:
        steps: of each network; rate: the highest learning rate, known: of the blocks that know
            ImageNet, a share of it.
        fields, halves, corners: scenes in a step of each network;
    """

    steps: int = 3000
    rate: float = 2e-3
    known: float = 0.25
    fields: int = 16
    halves: int = 8
    corners: int = 4
    seed: int = 1

    def factor(self, step: int) -> float:
        """The learning rate at a step, of the highest: up, level, and down in the last fifth."""
        return min(1.0, (step + 1) / 40, 0.02 + 5 * max(0.0, 1 - step / self.steps))


class Pool:
    """The scenes of a folder, read when they are first asked for and then kept in memory."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._kept: dict[Path, Stored] = {}
        self.paths: list[Path] = []
        self.look()

    def look(self) -> None:
        """Take in scenes that are new."""
        # a file that is being written is left for the next look
        late = time.time() - 3
        self.paths = [p for p in sorted(self._folder.glob("*.npz")) if p.stat().st_mtime < late]

    def some(self, count: int, rng: np.random.Generator) -> list[Stored]:
        """Random scenes; of two, the one seen more from above: that is where cameras hang."""
        chosen = []
        for _ in range(count):
            pair = [self._read(self.paths[k]) for k in rng.integers(len(self.paths), size=2)]
            plain = rng.random() < 0.3
            chosen.append(pair[0] if plain else min(pair, key=lambda scene: slant(scene.halves)))
        return chosen

    def _read(self, path: Path) -> Stored:
        if path not in self._kept:
            self._kept[path] = load(path)
        return self._kept[path]


def slant(halves: Array) -> float:
    """How far a field is from a level rectangle in its picture: 0 from straight above."""
    corners = np.array([halves[0, 0], halves[1, 1], halves[1, 2], halves[0, 3]])
    edges = np.roll(corners, -1, axis=0) - corners
    lengths = np.hypot(*edges.T)
    askew = np.abs(edges).min(1) / lengths
    return float(askew.mean() + np.abs(np.log(lengths[:2] / lengths[2:])).mean())


def tensor(values: np.ndarray[Any, Any]) -> Tensor:
    """A tensor of an array."""
    return torch.from_numpy(np.ascontiguousarray(values))


def shown(pictures: Array) -> Tensor:
    """Pictures (n, h, w, 3) as a network takes them, laid out as convolutions are quickest."""
    return tensor(normalised(pictures)).contiguous(memory_format=torch.channels_last)


def field_loss(net: FieldNet, samples: list[FieldSample]) -> Tensor:
    """What FieldNet says against what is there."""
    with torch.autocast("cpu", torch.bfloat16):
        said = net(shown(stacked(samples, "picture")))
    said = said.float()
    heat, masks = tensor(stacked(samples, "heat")), tensor(stacked(samples, "masks"))
    loss = heat_loss(said[:, :2], heat)
    loss = loss + F.binary_cross_entropy_with_logits(said[:, 2:4], masks) * 2
    angle = tensor(stacked(samples, "angle")).float()[:, :, None, None]
    inside = masks[:, :1]
    off = ((torch.tanh(said[:, 4:6]) - angle).square() * inside).sum((1, 2, 3))
    loss = loss + (off / (inside.sum((1, 2, 3)) + 1)).mean() * 0.5
    level = torch.tensor([s.level for s in samples]) > 0
    if level.any():
        each = tensor(stacked(samples, "corners"))
        loss = loss + heat_loss(said[level, 6:], each[level]) * 2
    return loss


def heat_loss(said: Tensor, heat: Tensor) -> Tensor:
    """Cross-entropy with bell-shaped targets; places with heat count more."""
    every = F.binary_cross_entropy_with_logits(said, heat, reduction="none")
    return (every * (1 + 8 * heat)).mean() * 8


def half_loss(net: HalfNet, samples: list[HalfSample]) -> Tensor:
    """What HalfNet says against what is there."""
    with torch.autocast("cpu", torch.bfloat16):
        cells, counts, hidden = net(shown(stacked(samples, "picture")))
    cells, counts, hidden = cells.float(), counts.float(), hidden.float()
    loss = heat_loss(cells[:, 0], tensor(stacked(samples, "heat"))) * 0.5
    kinds = tensor(stacked(samples, "cells").astype(np.int64))
    loss = loss + F.cross_entropy(cells[:, 1:], kinds, ignore_index=IGNORED)
    told = tensor(stacked(samples, "counts").astype(np.int64))
    every = F.cross_entropy(
        counts.flatten(0, 1), told.flatten(), ignore_index=IGNORED, reduction="none"
    )
    # most points are empty, and those are easy
    weight = (told.flatten() != IGNORED) * (1 + 2.0 * (told.flatten() > 0))
    loss = loss + (every * weight).sum() / weight.sum()
    covered = tensor(stacked(samples, "hidden")).float()
    return loss + F.binary_cross_entropy_with_logits(hidden, covered) * 0.3


def corner_loss(net: CornerNet, samples: list[tuple[Array, Array]]) -> Tensor:
    """What CornerNet says against what is there."""
    pictures, heat = (np.concatenate(part) for part in zip(*samples, strict=True))
    with torch.autocast("cpu", torch.bfloat16):
        said = net(shown(pictures))
    return heat_loss(said.float()[:, 0], tensor(heat))


class Trainee:
    """A network with its optimiser and its schedule."""

    def __init__(
        self, net: Any, loss: Callable[..., Tensor], cut: Callable[..., Any], size: int, plan: Plan
    ) -> None:
        self.net = net.to(memory_format=torch.channels_last)
        self._loss, self._cut, self._size = loss, cut, size
        self._grounds: Grounds | None = None
        known = list(net.backbone.parameters()) if hasattr(net, "backbone") else []
        ids = {id(p) for p in known}
        groups = [
            {"params": [p for p in net.parameters() if id(p) not in ids]},
            {"params": known, "lr": plan.rate * plan.known},
        ]
        self._optimiser = torch.optim.AdamW(groups, plan.rate, weight_decay=1e-3, fused=True)
        # an average of the weights is as good as a slow end, and can be had at any time
        self.mean = torch.optim.swa_utils.AveragedModel(
            net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.99), use_buffers=True
        )
        self._schedule = torch.optim.lr_scheduler.LambdaLR(self._optimiser, plan.factor)
        self.recent = 0.0

    def step(self, pool: Pool, rng: np.random.Generator) -> None:
        """One step on random scenes."""
        scenes = pool.some(self._size, rng)
        if self._grounds is not None:
            scenes = [strange(scene, self._grounds, scenes, rng) for scene in scenes]
        samples = [self._cut(scene, rng) for scene in scenes]
        self.net.train()
        loss = self._loss(self.net, samples)
        self._optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self._optimiser.step()
        self._schedule.step()
        self.mean.update_parameters(self.net)
        self.recent += 0.05 * (float(loss.detach()) - self.recent)

    def among(self, grounds: Grounds) -> Trainee:
        """The same, on scenes that are made stranger."""
        self._grounds = grounds
        return self

    def state(self) -> dict[str, Any]:
        """What a checkpoint keeps."""
        return {
            "net": self.net.state_dict(),
            "mean": self.mean.state_dict(),
            "optimiser": self._optimiser.state_dict(),
            "schedule": self._schedule.state_dict(),
        }

    def resume(self, state: dict[str, Any]) -> None:
        """Go on from a checkpoint."""
        self.net.load_state_dict(state["net"])
        self.mean.load_state_dict(state["mean"])
        self._optimiser.load_state_dict(state["optimiser"])
        self._schedule.load_state_dict(state["schedule"])


def trainee_of(name: str, plan: Plan) -> Trainee:
    """A network by its name, untrained."""
    grounds = Grounds.drawn(np.random.default_rng(plan.seed))
    if name == "field":
        net = begun(FieldNet())
        return Trainee(net, field_loss, field_sample, plan.fields, plan).among(grounds)
    if name == "corner":
        net = begun(CornerNet())
        return Trainee(net, corner_loss, corner_sample, plan.corners, plan).among(grounds)
    return Trainee(begun(HalfNet()), half_loss, half_sample, plan.halves, plan)


def train(
    plan: Plan, folder: Path, out: Path, names: tuple[str, ...], log: Callable[[str], None]
) -> None:
    """Train networks; goes on from ``out`` where it exists."""
    torch.manual_seed(plan.seed)
    pool = Pool(folder)
    trainees = {name: trainee_of(name, plan) for name in names}
    done = 0
    if out.exists():
        state = torch.load(out, weights_only=True)
        done = state["step"]
        for name, trainee in trainees.items():
            trainee.resume(state[name])
    for step in range(done, plan.steps):
        rng = np.random.default_rng([plan.seed, step])
        for trainee in trainees.values():
            trainee.step(pool, rng)
        if (step + 1) % LOOK == 0:
            pool.look()
            losses = " ".join(f"{name} {t.recent:.3f}" for name, t in trainees.items())
            log(f"step {step + 1} {losses} scenes {len(pool.paths)} cpu {time.process_time():.0f}")
        if (step + 1) % KEEP == 0 or step + 1 == plan.steps:
            kept = {name: t.state() for name, t in trainees.items()}
            torch.save({"step": step + 1, **kept}, out.with_suffix(".part"))
            out.with_suffix(".part").replace(out)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--steps", default=Plan().steps)
@click.option("--net", type=click.Choice(NAMES), multiple=True, default=NAMES)
def main(folder: Path, out: Path, steps: int, net: tuple[str, ...]) -> None:
    """Train on a folder of scenes."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    train(Plan(steps=steps), folder, out, net, lambda line: click.echo(line))


if __name__ == "__main__":
    main()
