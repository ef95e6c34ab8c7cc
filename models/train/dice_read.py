"""Train the network that reads one die on crops of drawn dice, and of photographs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

from vision.dice import finds
from vision.dice_crops import CROP_PX, as_input
from vision.dice_model import DiceModel

from .dice_data import COCKED, PICTURE_PX, Floats, Image, Spot, pictures_of, show, spots_of
from .dice_fit import Plan
from .dice_net import CELLS, DieNet
from .dice_photos import Photo, photo_spots

#: Radius of a pip's mark on the map, cells.
_MARK = 1.25

#: How much the map of pips weighs beside the kind.
_MAP = 6.0

_Y, _X = np.mgrid[:CELLS, :CELLS].astype(np.float32)


class Batch(NamedTuple):
    """Crops (n, 3, 48, 48), their kinds (n,), maps of pips (n, 24, 24), and which maps count."""

    crops: torch.Tensor
    kinds: torch.Tensor
    maps: torch.Tensor
    mapped: torch.Tensor


def marked(marks: Floats) -> Floats:
    """The map (CELLS, CELLS) of pips at marks (k, 2), pixels of the crop."""
    out = np.zeros((CELLS, CELLS), np.float32)
    for x, y in (marks + 0.5) * (CELLS / CROP_PX) - 0.5:
        out[np.square(_X - x) + np.square(_Y - y) < _MARK**2] = 1
    return out


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """What the reader learns from: pictures, and where its crops are cut from them.

    Attributes:
        images: uint8 BGR; drawn, real: spots in drawn pictures and in photographs.
    """

    images: list[Image]
    drawn: list[Spot]
    real: list[Spot]


def shown_by(
    folders: list[Path], finder: DiceModel, photos: list[Photo], rng: np.random.Generator
) -> Shown:
    """All dice of drawn folders and of photographs, where the finding network sees them."""
    images, rows = pictures_of(folders)
    found = [[(a, b, c, d) for a, b, c, d in finds(i, finder)[0].tolist()] for i in images]
    drawn = [s for s in spots_of(rows, PICTURE_PX, rng, found) if s.label >= 0]
    real = photo_spots(photos, finder, len(images))
    return Shown([*images, *(p.image for p in photos)], drawn, real)


def rounds(count: int, rng: np.random.Generator) -> Iterator[int]:
    """Numbers below ``count`` without end; each once in a round."""
    while count:
        yield from rng.permutation(count).tolist()


def batches(shown: Shown, size: int, share: float, rng: np.random.Generator) -> Iterator[Batch]:
    """Crops, kinds and maps without end, a share of each batch from photographs."""
    drawn, real = rounds(len(shown.drawn), rng), rounds(len(shown.real), rng)
    photographed = round(size * share) if shown.real else 0
    while True:
        chosen = [shown.real[next(real)] for _ in range(photographed)]
        chosen += [shown.drawn[next(drawn)] for _ in range(size - photographed)]
        crops = [show(shown.images[s.picture], s, rng) for s in chosen]
        yield Batch(
            torch.from_numpy(as_input([crop for crop, _ in crops])),
            torch.tensor([s.label for s in chosen]),
            torch.from_numpy(np.stack([marked(marks) for _, marks in crops])),
            torch.tensor([float(s.mapped and 0 < s.label < COCKED) for s in chosen]),
        )


def loss_of(net: DieNet, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
    """Losses of kinds and of maps; a die that is unreadable or photographed has no map to learn."""
    prepared = net.prepared(batch.crops.contiguous(memory_format=torch.channels_last))
    with torch.autocast("cpu", torch.bfloat16):
        said, marks = net.told(prepared)
    kind = torch.nn.functional.cross_entropy(said.float(), batch.kinds)
    cells = torch.nn.functional.binary_cross_entropy_with_logits(
        marks.float(), batch.maps, reduction="none", pos_weight=torch.tensor(4.0)
    )
    weight = batch.mapped
    return kind, (cells.mean((1, 2)) * weight).sum() / weight.sum().clamp(min=1)


def train_reader(
    shown: Shown, plan: Plan, out: Path, say: Callable[[str], None], before: Path | None = None
) -> int:
    """Train for some minutes on the wall, the rate falling to nothing; keep a checkpoint.

    Args:
        shown: what to learn from; plan: minutes, crops a step, highest rate of AdamW, seed, and
            the share of crops from photographs.
        out: the checkpoint; before: one to go on from; say: takes a line now and then.

    Returns:
        Steps that were done.
    """
    torch.manual_seed(plan.seed)
    rng = np.random.default_rng(plan.seed)
    net = DieNet()
    if before is not None:
        net.load_state_dict(torch.load(before)["net"])
    net = net.to(memory_format=torch.channels_last).train()
    steady = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.995), use_buffers=True
    )
    optimizer = torch.optim.AdamW(net.parameters(), lr=plan.rate, weight_decay=0.01)
    begun, sums, step = time.monotonic(), np.zeros(2), 0
    for step, batch in enumerate(batches(shown, plan.batch, plan.real, rng), 1):
        past = (time.monotonic() - begun) / (60 * plan.minutes)
        if past >= 1:
            break
        now = plan.rate * min(1.0, step / 60) * 0.5 * (1 + np.cos(np.pi * past))
        for group in optimizer.param_groups:
            group["lr"] = now
        kind, cells = loss_of(net, batch)
        optimizer.zero_grad()
        (kind + _MAP * cells).backward()
        optimizer.step()
        steady.update_parameters(net)
        sums = 0.98 * sums + 0.02 * np.array([kind.item(), cells.item()])
        if step % 100 == 0:
            kept = sums / (1 - 0.98**step)
            say(f"step {step} kind {kept[0]:.3f} pips {kept[1]:.4f} past {past:.2f}")
            torch.save({"net": steady.module.state_dict(), "step": step}, out)
    torch.save({"net": steady.module.state_dict(), "step": step}, out)
    return step
