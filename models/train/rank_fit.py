"""Training the network that tells kings from men."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional as F

from vision.crops import OFFSET
from vision.men import in_light
from vision.ranks import ASKED, KING, MAN, roles_of

from .augment import sample_paint
from .fit import log_line
from .rank_net import RankNet
from .rank_scenes import RankSet, load_ranks
from .worker import worker

Tensor = Any
Floats = NDArray[np.float32]

#: Shares of the episodes in which nothing is known of the set, and in which kings were shown.
ALONE, SHOWN = 0.3, 0.35

#: Men of the first position that are looked at, at most: enough, and half the work.
_KNOWN = 16


@dataclass(frozen=True, slots=True)
class RankPlan:
    """How long and how to train; ``sets`` in a step, each with some of its pictures."""

    steps: int = 1500
    sets: int = 8
    rate: float = 1.5e-3
    seed: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class Men:
    """Men of one set and what is asked about them.

    Attributes:
        pixels: float32 (k, 3, MAN_PX, MAN_PX).
        how: float32 (k, 2).
        king: float32 (k,).
        show: float32 (k,), how well a king's mark can be seen.
        questions: for each, the indices of the men compared, and their roles (t, ROLES).
    """

    pixels: Floats
    how: Floats
    king: Floats
    show: Floats
    questions: tuple[tuple[NDArray[np.intp], Floats], ...]


def draw_men(whole: RankSet, rng: np.random.Generator, changed: bool = True) -> Men:
    """Some of a set's men, as another light and lens might show them."""
    first = rng.permutation(np.nonzero(whole.picture == 0)[0])[:_KNOWN]
    later = [np.nonzero(whole.picture == p)[0] for p in range(1, int(whole.picture.max()) + 1)]
    later = [at for at in later if len(at)]
    kept = [later[i] for i in rng.permutation(len(later))[:2]] if changed else later
    shown = np.concatenate([whole.king.nonzero()[0], []]).astype(np.intp)
    shown = rng.permutation(shown)[: int(rng.integers(1, 4))]
    at = np.concatenate([first, *kept, shown]).astype(np.intp)
    pixels = _changed(whole, at, rng) if changed else in_light(whole.men[at], whole.light[at])
    ends = np.cumsum([len(first), *(len(k) for k in kept), len(shown)])
    swap = bool(changed and rng.random() < 0.5)
    side = (whole.side[at] ^ swap).astype(np.intp)
    questions = []
    for low, high, picture in zip(ends[:-2], ends[1:-1], kept, strict=True):
        asked = np.arange(low, high)
        known: list[NDArray[np.intp]] = [np.arange(ends[0])]
        if changed and rng.random() < ALONE:
            known = []
        if changed and rng.random() < SHOWN:
            other = np.arange(ends[-2], ends[-1])
            known.append(other[~np.isin(at[other], picture)])
        told = np.concatenate([np.zeros(0, np.intp), *known]).astype(np.intp)
        who = np.concatenate([asked, told])
        what = np.where(whole.king[at[who]], KING, MAN)
        what[: len(asked)] = ASKED
        questions.append((who, roles_of(side[who], what)))
    king = whole.king[at].astype(np.float32)
    return Men(pixels, whole.how[at], king, whole.show[at], tuple(questions))


def _changed(whole: RankSet, at: NDArray[np.intp], rng: np.random.Generator) -> Floats:
    """The men in other paint, each picture in a light and a sharpness of its own."""
    paint = sample_paint(rng)
    men = paint(whole.men[at] * np.float32(1 / 255))
    light = paint((whole.light[at] - np.float32(OFFSET)) * np.float32(1 / 255))
    for picture in np.unique(whole.picture[at]):
        (of,) = np.nonzero(whole.picture[at] == picture)
        gain = np.exp(rng.normal(0, 0.3) + rng.normal(0, 0.06, 3)).astype(np.float32)
        if rng.random() < 0.4:
            men[of], light[of] = men[of] * gain, light[of] * gain
        if rng.random() < 0.4:
            black = np.float32(rng.uniform(0, 0.06))
            men[of] = (men[of] - black) / (1 - black)
        if rng.random() < 0.3:
            blur = float(rng.uniform(0.3, 1.5))
            for i in of:
                men[i] = cv2.GaussianBlur(men[i], (0, 0), blur)
        if rng.random() < 0.4:
            noise = rng.standard_normal(men[of].shape, np.float32)
            men[of] = men[of] + noise * np.float32(rng.uniform(0, 0.03))
        if rng.random() < 0.5:
            men[of] = men[of][:, :, ::-1]
    whole_numbers = (np.clip(men, 0, 1) * 255).astype(np.uint8)
    # what a light square shows may be misjudged a little
    off = np.exp(rng.normal(0, 0.06, (len(at), 1))).astype(np.float32)
    return in_light(whole_numbers, np.maximum(light * 255, 1) * off + np.float32(OFFSET))


def loss_of(net: RankNet, batch: list[Men]) -> tuple[Tensor, dict[str, float]]:
    """Mean loss over all men asked about."""
    pixels = torch.from_numpy(np.concatenate([m.pixels for m in batch]))
    how = torch.from_numpy(np.concatenate([m.how for m in batch]))
    with torch.autocast("cpu", torch.bfloat16):
        made = net.encoder(pixels.to(memory_format=torch.channels_last), how)
    made = made.float()
    at, odds, truth = 0, [], []
    for men in batch:
        own = made[at : at + len(men.how)]
        at += len(men.how)
        for who, roles in men.questions:
            (asked,) = np.nonzero(roles[:, ASKED] + roles[:, 3 + ASKED])
            odds.append(net.compare(own[who], torch.from_numpy(roles))[asked])
            truth.append(torch.from_numpy(men.king[who[asked]]))
    answers, kings = torch.cat(odds), torch.cat(truth)
    loss = F.binary_cross_entropy_with_logits(answers, kings)
    each = torch.from_numpy(np.concatenate([m.king for m in batch]))
    first = F.binary_cross_entropy_with_logits(net.alone(made)[:, 0], each)
    wrong = float(((answers > 0) != (kings > 0)).float().mean())
    told = {"loss": float(loss.detach()), "alone": float(first.detach()), "wrong": 100 * wrong}
    return loss + 0.3 * first, told


def batches_from(plan: RankPlan, folder: Path) -> Iterator[list[Men]]:
    """Batches without end, of sets that may still be growing in number."""
    rng = np.random.default_rng(plan.seed)
    sets: dict[Path, RankSet] = {}
    while True:
        for path in sorted(folder.glob("*.npz")):
            if path not in sets and ".part" not in path.name:
                sets[path] = load_ranks(path)
        there = list(sets.values())
        for _ in range(100):
            yield [draw_men(there[rng.integers(len(there))], rng) for _ in range(plan.sets)]


def learn(plan: RankPlan, folder: Path, begin: Path, out: Path) -> None:
    """Train on the sets in a folder; checkpoints go to ``out``.

    ``begin`` is a checkpoint to go on from, or one of the network that reads squares, whose first
    blocks are taken.
    """
    torch.set_num_threads(1)
    torch.manual_seed(plan.seed)
    net = RankNet().to(memory_format=torch.channels_last)
    weights = torch.load(begin)["net"]
    if "alone.weight" in weights:
        net.load_state_dict(weights)
    else:
        net.begin(weights)
    free = [p for name, p in net.named_parameters() if "backbone" not in name]
    best = torch.optim.AdamW(free, plan.rate, weight_decay=0.02)
    rate = torch.optim.lr_scheduler.OneCycleLR(best, plan.rate, plan.steps, pct_start=0.1)
    seen: list[dict[str, float]] = []
    started = time.monotonic()
    with worker(partial(batches_from, plan, folder)) as batches:
        for step in range(1, plan.steps + 1):
            net.train()
            loss, figures = loss_of(net, next(batches))
            best.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(free, 2.0)
            best.step()
            rate.step()
            seen.append(figures)
            if step % 50 == 0:
                means = {k: sum(s[k] for s in seen[-50:]) / 50 for k in figures}
                log_line(step, time.monotonic() - started, means)
            if step % 250 == 0 or step == plan.steps:
                torch.save({"net": net.state_dict(), "step": step, "plan": asdict(plan)}, out)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True))
@click.argument("begin", type=click.Path(path_type=Path, exists=True))
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--plan", default="{}", help="JSON that overrides RankPlan's fields")
def main(folder: Path, begin: Path, out: Path, plan: str) -> None:
    """Train on the sets that rank_scenes drew into FOLDER, beginning with what BEGIN knows."""
    learn(RankPlan(**json.loads(plan)), folder, begin, out)


if __name__ == "__main__":
    main()
