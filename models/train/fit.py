"""Training the network that reads squares."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np
import torch
from torch.nn import functional as F

from .episodes import Episode, make_episode
from .net import SquareNet
from .sheets import COVERED, SheetSet, load_set

Tensor = Any


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how to train."""

    steps: int = 2000
    episodes: int = 8
    queries: int = 32
    rate: float = 2e-3
    seed: int = 1
    real_share: float = 0.15


def episode_loss(net: SquareNet, batch: list[Episode]) -> tuple[Tensor, dict[str, float]]:
    """Mean loss over the episodes: classes where a person can tell, and covered everywhere."""
    crops = np.concatenate([part for e in batch for part in (e.support.crops, e.queries.crops)])
    made, covered = net.encoder(torch.from_numpy(crops))
    at, losses, hits, count = 0, [], 0.0, 0
    hidden, hidden_true = [], []
    for e in batch:
        support = made[at : at + len(e.weights)]
        at += len(e.weights)
        asked = made[at : at + len(e.queries.labels)]
        labels = torch.from_numpy(e.queries.labels)
        hidden.append(covered[at : at + len(labels)])
        hidden_true.append(labels)
        at += len(labels)
        logits = net.comparison(
            asked, torch.from_numpy(e.queries.light), support, torch.from_numpy(e.weights)
        )
        known = (labels >= 0) & (labels < COVERED)
        if known.any():
            losses.append(F.cross_entropy(logits[known], labels[known], label_smoothing=0.0))
            hits += float((logits[known].argmax(1) == labels[known]).sum())
            count += int(known.sum())
    truth = torch.cat(hidden_true)
    usable = truth >= 0
    cover = F.binary_cross_entropy_with_logits(
        torch.cat(hidden)[usable], (truth[usable] == COVERED).float()
    )
    loss = torch.stack(losses).mean() + 0.5 * cover
    return loss, {
        "loss": float(loss.detach()),
        "cover": float(cover.detach()),
        "right": hits / max(count, 1),
    }


def train(
    plan: Plan, rendered: list[SheetSet], real: list[SheetSet], out: Path, log: Any
) -> SquareNet:
    """Train from scratch; writes a checkpoint of the running mean of weights now and then."""
    torch.manual_seed(plan.seed)
    rng = np.random.default_rng(plan.seed)
    net = SquareNet()
    mean = SquareNet()
    mean.load_state_dict(net.state_dict())
    best = torch.optim.AdamW(net.parameters(), lr=plan.rate, weight_decay=0.02)
    rate = torch.optim.lr_scheduler.OneCycleLR(best, plan.rate, plan.steps, pct_start=0.1)
    seen: list[dict[str, float]] = []
    started = time.monotonic()
    for step in range(plan.steps):
        batch = []
        for _ in range(plan.episodes):
            pool = real if real and rng.random() < plan.real_share else rendered
            batch.append(make_episode(pool[rng.integers(len(pool))], rng, plan.queries))
        net.train()
        loss, figures = episode_loss(net, batch)
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


def _average(mean: SquareNet, net: SquareNet, keep: float) -> None:
    with torch.no_grad():
        for a, b in zip(mean.state_dict().values(), net.state_dict().values(), strict=True):
            if a.dtype.is_floating_point:
                a.lerp_(b, 1 - keep)
            else:
                a.copy_(b)


def load_folder(folder: Path) -> list[SheetSet]:
    """All sets of a folder, in name order."""
    return [load_set(path) for path in sorted(folder.glob("*.npz"))]


@click.command()
@click.option("--rendered", type=click.Path(path_type=Path, exists=True), multiple=True)
@click.option("--real", type=click.Path(path_type=Path, exists=True), multiple=True)
@click.option("--out", type=click.Path(path_type=Path), required=True)
@click.option("--threads", default=1)
@click.option("--plan", default="{}", help="JSON that overrides Plan's fields")
def main(
    rendered: tuple[Path, ...], real: tuple[Path, ...], out: Path, threads: int, plan: str
) -> None:
    """Train on folders of sheets."""
    torch.set_num_threads(threads)
    chosen = Plan(**json.loads(plan))
    sets = [s for folder in rendered for s in load_folder(folder)]
    photos = [s for folder in real for s in load_folder(folder)]
    if not sets:
        sets, photos = photos, []

    def log(step: int, seconds: float, figures: dict[str, float]) -> None:
        words = " ".join(f"{k} {v:.4f}" for k, v in figures.items())
        click.echo(f"{step} {seconds:.0f}s {words}")

    train(chosen, sets, photos, out, log)


if __name__ == "__main__":
    main()
