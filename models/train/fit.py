"""Training the network that reads squares."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
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
    squares: int = 60
    rate: float = 2e-3
    seed: int = 1
    real_share: float = 0.15


def episode_loss(net: SquareNet, batch: list[Episode]) -> tuple[Tensor, dict[str, float]]:
    """Mean loss over the episodes: classes where a person can tell, and covered everywhere."""
    crops = np.concatenate([part for e in batch for part in (e.support.crops, e.queries.crops)])
    made, covered, king = net.encoder(torch.from_numpy(crops))
    at, losses, hits, count = 0, [], 0.0, 0
    for e in batch:
        support = made[at : at + len(e.weights)]
        at += len(e.weights)
        labels = torch.from_numpy(e.queries.labels)
        asked = made[at : at + len(labels)]
        at += len(labels)
        logits = net.comparison(
            asked, torch.from_numpy(e.queries.light), support, torch.from_numpy(e.weights)
        )
        known = (labels >= 0) & (labels < COVERED)
        if known.any():
            losses.append(F.cross_entropy(logits[known], labels[known]))
            hits += float((logits[known].argmax(1) == labels[known]).sum())
            count += int(known.sum())
    truth = torch.cat(
        [torch.from_numpy(part.labels) for e in batch for part in (e.support, e.queries)]
    )
    hidden = _yes_or_no(covered, truth >= 0, truth == COVERED)
    men = (truth == 1) | (truth == 3)
    kings = (truth == 2) | (truth == 4)
    crowned = _yes_or_no(king, men | kings, kings)
    loss = torch.stack(losses).mean() + 0.5 * hidden + 0.3 * crowned
    figures = {"loss": loss, "cover": hidden, "king": crowned}
    told = {name: float(value.detach()) for name, value in figures.items()}
    return loss, {**told, "right": hits / max(count, 1)}


def _yes_or_no(logits: Tensor, asked: Tensor, truth: Tensor) -> Tensor:
    """Cross entropy where it is asked; the rarer yes counts double."""
    if not asked.any():
        return logits.sum() * 0
    return F.binary_cross_entropy_with_logits(
        logits[asked], truth[asked].float(), pos_weight=torch.tensor(2.0)
    )


def train(
    plan: Plan, rendered: Pool, real: Pool, out: Path, log: Any, net: SquareNet | None = None
) -> SquareNet:
    """Train; writes a checkpoint of the running mean of weights now and then.

    Args:
        plan: how long, and how.
        rendered, real: what to draw episodes from; ``real`` may be empty.
        out: file of the checkpoints.
        log: called with step, seconds and mean figures.
        net: where to start from; new when None.
    """
    torch.manual_seed(plan.seed)
    rng = np.random.default_rng(plan.seed)
    net = net or SquareNet()
    mean = SquareNet()
    mean.load_state_dict(net.state_dict())
    best = torch.optim.AdamW(net.parameters(), lr=plan.rate, weight_decay=0.02)
    rate = torch.optim.lr_scheduler.OneCycleLR(best, plan.rate, plan.steps, pct_start=0.1)
    seen: list[dict[str, float]] = []
    started = time.monotonic()
    for step in range(plan.steps):
        batch = []
        for _ in range(plan.episodes):
            pool = real if len(real) and rng.random() < plan.real_share else rendered
            batch.append(make_episode(pool.draw(rng), rng, plan.squares))
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
            rendered.refresh()
            torch.save({"net": mean.state_dict(), "step": step + 1, "plan": asdict(plan)}, out)
    return mean


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

    def draw(self, rng: np.random.Generator) -> SheetSet:
        """One set at random."""
        return list(self._sets.values())[rng.integers(len(self._sets))]


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
@click.option("--resume", type=click.Path(path_type=Path, exists=True))
def main(
    rendered: tuple[Path, ...],
    real: tuple[Path, ...],
    out: Path,
    threads: int,
    plan: str,
    resume: Path | None,
) -> None:
    """Train on folders of sheets."""
    torch.set_num_threads(threads)
    chosen = Plan(**json.loads(plan))
    begin = None
    if resume is not None:
        begin = SquareNet()
        begin.load_state_dict(torch.load(resume)["net"])

    train(chosen, Pool(rendered), Pool(real), out, log_line, begin)


if __name__ == "__main__":
    main()
