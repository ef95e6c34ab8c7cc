"""Train the network that reads one die on crops of drawn dice."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import torch

from vision.dice_crops import CROP_PX, as_input

from .dice_data import NONE, PICTURE_PX, Floats, Image, Spot, pictures_of, show, spots_of
from .dice_net import CELLS, DieNet

#: Crops a step.
BATCH = 32

#: Radius of a pip's mark on the map, cells.
_MARK = 1.25

#: How much the map of pips weighs beside the kind.
_MAP = 6.0

_Y, _X = np.mgrid[:CELLS, :CELLS].astype(np.float32)


def marked(marks: Floats) -> Floats:
    """The map (CELLS, CELLS) of pips at marks (k, 2), pixels of the crop."""
    out = np.zeros((CELLS, CELLS), np.float32)
    for x, y in (marks + 0.5) * (CELLS / CROP_PX) - 0.5:
        out[np.square(_X - x) + np.square(_Y - y) < _MARK**2] = 1
    return out


def batches(
    images: list[Image], spots: list[Spot], size: int, rng: np.random.Generator
) -> Iterator[tuple[torch.Tensor, torch.Tensor, torch.Tensor]]:
    """Crops, kinds and maps without end; each die once in a round."""
    while True:
        order = rng.permutation(len(spots))
        for k in range(0, len(order) - size + 1, size):
            chosen = [spots[i] for i in order[k : k + size]]
            shown = [show(images[s.picture], s, rng) for s in chosen]
            yield (
                torch.from_numpy(as_input([crop for crop, _ in shown])),
                torch.tensor([s.label for s in chosen]),
                torch.from_numpy(np.stack([marked(marks) for _, marks in shown])),
            )


def loss_of(
    net: DieNet, crops: torch.Tensor, kinds: torch.Tensor, maps: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Losses of kinds and of maps; an unreadable die has no map to learn."""
    said, marks = net(crops.contiguous(memory_format=torch.channels_last))
    kind = torch.nn.functional.cross_entropy(said, kinds)
    weight = torch.tensor(4.0)
    cells = torch.nn.functional.binary_cross_entropy_with_logits(
        marks, maps, reduction="none", pos_weight=weight
    )
    readable = (kinds > 0).float()
    return kind, (cells.mean((1, 2)) * readable).sum() / readable.sum().clamp(min=1)


def train_reader(
    folders: list[Path], out: Path, minutes: float, rate: float, say: Callable[[str], None],
    before: Path | None = None, seed: int = 0,
) -> None:  # fmt: skip
    """Train for some minutes on the wall, the rate falling to nothing; keep a checkpoint.

    Args:
        folders: what ``models.synth.dice`` drew; out: the checkpoint; before: one to go on from.
        minutes, rate, seed: length, highest rate of AdamW, and the seed of everything random.
        say: takes a line now and then.
    """
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    images, rows = pictures_of(folders)
    spots = [s for s in spots_of(rows, PICTURE_PX, rng) if 0 <= s.label <= NONE]
    net = DieNet()
    if before is not None:
        net.load_state_dict(torch.load(before)["net"])
    net = net.to(memory_format=torch.channels_last).train()
    steady = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.98), use_buffers=True
    )
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.01)
    begun, sums, step = time.monotonic(), np.zeros(2), 0
    for step, (crops, kinds, maps) in enumerate(batches(images, spots, BATCH, rng), 1):
        past = (time.monotonic() - begun) / (60 * minutes)
        if past >= 1:
            break
        now = rate * min(1.0, step / 60) * 0.5 * (1 + np.cos(np.pi * past))
        for group in optimizer.param_groups:
            group["lr"] = now
        kind, cells = loss_of(net, crops, kinds, maps)
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
