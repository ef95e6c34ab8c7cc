"""Training the network that reads squares."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np
import torch
from torch.nn import functional as F

from .backbone import published
from .episodes import TOLD, Episode, make_episode
from .net import SquareNet
from .sheets import COVERED, SheetSet, load_set
from .worker import worker

Tensor = Any


#: Share of the draws that take a set whose sides hardly differ in lightness, if there is one.
ALIKE = 0.15


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how to train."""

    steps: int = 2000
    episodes: int = 4
    queries: int = 3
    rate: float = 1.5e-3
    backbone: str = "pretrained"
    backbone_rate: float = 4e-4
    seed: int = 1
    real_share: float = 0.15


def episode_loss(net: SquareNet, batch: list[Episode]) -> tuple[Tensor, dict[str, float]]:
    """Mean loss over the queries: classes where a person can tell, and covered everywhere."""
    boards = [board for e in batch for board in e.boards]
    pixels = torch.from_numpy(np.stack([b.pixels for b in boards]))
    leans = torch.from_numpy(np.stack([b.lean for b in boards]))
    pixels = pixels.to(memory_format=torch.channels_last)
    with torch.autocast("cpu", torch.bfloat16):
        made, covered, king = (each.float() for each in net.encoder(pixels, leans))
    at, losses, hits, count = 0, [], 0.0, 0
    for e in batch:
        support = made[at : at + len(e.boards)].reshape(-1, made.shape[-1])
        for q, board in enumerate(e.boards[1:]):
            labels, light = torch.from_numpy(board.labels), torch.from_numpy(board.light)
            weights = torch.from_numpy(e.weights[q])
            used = weights.sum(1) > 0
            used[0] = True  # never none at all
            looks = net.comparison(made[at + 1 + q], light, support[used], weights[used])
            known = (labels >= 0) & (labels < COVERED)
            share = importance(labels, light)[known]
            for look, much in zip(looks, (0.4, 1.0), strict=True):
                each = F.cross_entropy(look[known], labels[known], reduction="none")
                losses.append(much * (each * share).sum() / share.sum())
            hits += float((looks[1][known].argmax(1) == labels[known]).sum())
            count += int(known.sum())
        at += len(e.boards)
    truth = torch.from_numpy(np.stack([b.labels for b in boards]))
    hidden = _yes_or_no(covered, truth >= 0, truth == COVERED)
    men = (truth == 1) | (truth == 3)
    kings = (truth == 2) | (truth == 4)
    crowned = _yes_or_no(king, men | kings, kings)
    loss = 2 * torch.stack(losses).mean() + 0.5 * hidden + 0.5 * crowned
    figures = {"loss": loss, "cover": hidden, "king": crowned}
    told = {name: float(value.detach()) for name, value in figures.items()}
    return loss, {**told, "wrong": 100 * (1 - hits / max(count, 1))}


def importance(labels: Tensor, light: Tensor) -> Tensor:
    """How much each square counts: empty light ones, many and easy, less; kings, hard, more."""
    much = torch.where((labels == 0) & (light > 0), 0.4, 1.0)
    return torch.where((labels == 2) | (labels == 4), 3.0, much)


def _yes_or_no(logits: Tensor, asked: Tensor, truth: Tensor) -> Tensor:
    """Cross entropy where it is asked; the rarer yes counts double."""
    if not asked.any():
        return logits.sum() * 0
    return F.binary_cross_entropy_with_logits(
        logits[asked], truth[asked].float(), pos_weight=torch.tensor(2.0)
    )


def train(
    plan: Plan,
    batches: Iterator[list[Episode]],
    out: Path,
    log: Any,
    net: SquareNet,
) -> SquareNet:
    """Train; writes a checkpoint of the running mean of weights now and then.

    Args:
        plan: how long, and how.
        batches: what to learn from.
        out: file of the checkpoints.
        log: called with step, seconds and mean figures.
        net: where to start from.
    """
    mean = SquareNet(plan.backbone)
    mean.load_state_dict(net.state_dict())
    own = [p for name, p in net.named_parameters() if "backbone" not in name]
    groups = [
        {"params": own, "lr": plan.rate},
        {"params": net.encoder.backbone.parameters(), "lr": plan.backbone_rate},
    ]
    best = torch.optim.AdamW(groups, weight_decay=0.02)
    highest = [plan.rate, plan.backbone_rate]
    rate = torch.optim.lr_scheduler.OneCycleLR(best, highest, plan.steps, pct_start=0.1)
    seen: list[dict[str, float]] = []
    started = time.monotonic()
    for step in range(plan.steps):
        net.train()
        loss, figures = episode_loss(net, next(batches))
        best.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        best.step()
        rate.step()
        _average(mean, net, min(0.995, (step + 1) / (step + 10)))
        seen.append(figures)
        if (step + 1) % 50 == 0:
            last = {k: sum(s[k] for s in seen[-50:]) / 50 for k in figures}
            log(step + 1, time.monotonic() - started, last)
        if (step + 1) % 250 == 0 or step + 1 == plan.steps:
            torch.save({"net": mean.state_dict(), "step": step + 1, "plan": asdict(plan)}, out)
    return mean


def batches_from(
    plan: Plan, rendered: Sequence[Path], real: Sequence[Path]
) -> Iterator[list[Episode]]:
    """Batches without end from the sets in these folders."""
    return batches_of(plan, Pool(rendered), Pool(real))


def batches_of(plan: Plan, rendered: Pool, real: Pool) -> Iterator[list[Episode]]:
    """Batches without end, each of boards of one size."""
    rng = np.random.default_rng(plan.seed)
    number = 0
    while True:
        if number % 250 == 0:
            rendered.refresh()
        number += 1
        size = 8 if rng.random() < 0.65 else 10
        batch = []
        for _ in range(plan.episodes):
            use_real = size == 8 and len(real) and rng.random() < plan.real_share
            whole = (real if use_real else rendered).draw(rng, size)
            batch.append(make_episode(whole, rng, plan.queries))
        yield batch


def _average(mean: SquareNet, net: SquareNet, keep: float) -> None:
    with torch.no_grad():
        for a, b in zip(mean.state_dict().values(), net.state_dict().values(), strict=True):
            if a.dtype.is_floating_point:
                a.lerp_(b, 1 - keep)
            else:
                a.copy_(b)


class Pool:
    """Sets in folders, which may still be growing while training runs."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = folders
        self._sets: dict[Path, SheetSet] = {}
        self.refresh()

    def refresh(self) -> None:
        """Load the files that have come since."""
        for folder in self._folders:
            for path in sorted(folder.glob("*.npz")):
                if path not in self._sets and ".part" not in path.name:
                    self._sets[path] = load_set(path)

    def __len__(self) -> int:
        return len(self._sets)

    def draw(self, rng: np.random.Generator, size: int) -> SheetSet:
        """One set at random, of a board of that size; sides that differ only in hue come often."""
        fit = [s for s in self._sets.values() if s.sheets[0].view.size == size]
        alike = [s for s in fit if s.contrast <= TOLD]
        chosen = alike if alike and rng.random() < ALIKE else fit
        return chosen[rng.integers(len(chosen))]


def learn(
    plan: Plan,
    rendered: Sequence[Path],
    real: Sequence[Path],
    out: Path,
    begin: Path | None = None,
    threads: int = 1,
) -> None:
    """Train on the sets in these folders; ``real`` may be empty.

    ``begin`` is a checkpoint to go on from; a new network without it.
    """
    torch.set_num_threads(threads)
    torch.manual_seed(plan.seed)
    net = SquareNet(plan.backbone)
    if begin is not None:
        net.load_state_dict(torch.load(begin)["net"])
    elif plan.backbone == "pretrained":
        net.encoder.backbone.take(published())
    with worker(partial(batches_from, plan, rendered, real)) as batches:
        train(plan, batches, out, log_line, net)


def log_line(step: int, seconds: float, means: dict[str, float]) -> None:
    """Say on standard output how training goes."""
    words = " ".join(f"{k} {v:.4f}" for k, v in means.items())
    click.echo(f"{step} {seconds:.0f}s {words}")


@click.command()
@click.option(
    "--rendered", type=click.Path(path_type=Path, exists=True), multiple=True, required=True
)
@click.option("--real", type=click.Path(path_type=Path, exists=True), multiple=True)
@click.option("--out", type=click.Path(path_type=Path), required=True)
@click.option("--threads", default=1)
@click.option("--plan", default="{}", help="JSON that overrides Plan's fields")
@click.option("--begin", type=click.Path(path_type=Path, exists=True), help="A checkpoint.")
def main(
    rendered: tuple[Path, ...],
    real: tuple[Path, ...],
    out: Path,
    threads: int,
    plan: str,
    begin: Path | None,
) -> None:
    """Train on folders of sheets."""
    learn(Plan(**json.loads(plan)), rendered, real, out, begin, threads)


if __name__ == "__main__":
    main()
