"""Make the weights of dice again: draw, train both networks, export, write the card.

    python -m models.train.dice --work runs/dice

The network that finds dice is trained by ultralytics, the one that reads a die by ``dice_read``.
Needs the ``train`` extra.  What was drawn already is kept in the working folder, and a training
that was cut short goes on from its last checkpoint with ``--go-on``.
"""

from __future__ import annotations

import importlib
import json
import time
from pathlib import Path
from typing import Any

import click
import numpy as np
import torch

from models.evaluate.dice import Tally, drawn, score
from models.synth.dice import main as draw
from vision.dice import find_dice
from vision.dice_model import DiceModel

from .dice_fit import Plan, offline, plan_of, train_find
from .dice_read import BATCH, train_reader
from .dice_ship import WEIGHTS, export_dice, write_dice_card
from .ship import folder_hash

#: Pictures in one folder; the folder's number is its seed.
FOLDER = 500

#: Pictures of the validation split that give the card's scores.
SCORED = 40


def draw_folders(work: Path, count: int) -> list[Path]:
    """Folders of training pictures, those that are there already left as they are."""
    folders = []
    for seed in range(1, count + 1):
        folder = work / f"train_{seed}"
        if not (folder / "labels.jsonl").exists():
            told = ["--out", str(folder), "--count", str(FOLDER), "--seed", str(seed)]
            draw(told, standalone_mode=False)
        folders.append(folder)
    return folders


def scores_of(weights: Path) -> dict[str, Any]:
    """Scores of the eyes as they ship, on pictures of the validation split."""
    model = DiceModel(weights)
    tallies = score(drawn("validation", SCORED), lambda p: find_dice(p.image, model))
    return {name: counts_of(tally) for name, tally in sorted(tallies.items())}


def counts_of(tally: Tally) -> dict[str, int]:
    """Counts as a card tells them."""
    names = ("dice", "unreadable", "right", "unread", "missed", "WRONG", "extra")
    return {name: tally.counts[name] for name in names}


def stages_of(work: Path) -> list[dict[str, Any]]:
    """How the checkpoints in a working folder came about, oldest first."""
    file = work / "stages.json"
    rows: list[dict[str, Any]] = json.loads(file.read_text()) if file.exists() else []
    return rows


def remember(work: Path, network: str, plan: Plan, folders: int, begun: float, go_on: bool) -> None:
    """Write a stage of training down, for the card."""
    rows = stages_of(work) if go_on else [r for r in stages_of(work) if r["network"] != network]
    spent = round(time.process_time() - begun)
    rows.append({"network": network, **plan_of(plan), "folders": folders, "cpu_s": spent})
    (work / "stages.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")


@click.command()
@click.option("--work", type=click.Path(path_type=Path), default=Path("runs/dice"))
@click.option("--folders", default=3, show_default=True, help=f"Of {FOLDER} training pictures.")
@click.option("--find", "find_plan", default="{}", help="JSON over the plan; 0 minutes skip.")
@click.option("--read", "read_plan", default="{}", help="JSON over the plan; 0 minutes skip.")
@click.option("--go-on", is_flag=True, help="From the checkpoints in the working folder.")
@click.option("--ship-only", is_flag=True, help="Export the checkpoints in the working folder.")
@click.option("--out", type=click.Path(path_type=Path), default=WEIGHTS)
def main(
    work: Path, folders: int, find_plan: str, read_plan: str, go_on: bool, ship_only: bool,
    out: Path,
) -> None:  # fmt: skip
    """Draw, train, export."""
    torch.set_num_threads(1)
    work.mkdir(parents=True, exist_ok=True)
    offline(work / "settings")
    pictures = draw_folders(work, folders)
    plans = [
        Plan(**{"minutes": 25, "epochs": 60, "batch": 16, "edge": 192, "rate": 0.002}
             | json.loads(find_plan)),
        Plan(**{"minutes": 25, "epochs": 0, "batch": BATCH, "edge": 48, "rate": 0.002}
             | json.loads(read_plan)),
    ]  # fmt: skip
    made = [work / "find" / "weights" / "last.pt", work / "read.pt"]
    if plans[0].minutes and not ship_only:
        begun = time.process_time()
        train_find(plans[0], pictures, work, made[0] if go_on else None)
        remember(work, "find", plans[0], folders, begun, go_on)
    if plans[1].minutes and not ship_only:
        begun, plan, before = time.process_time(), plans[1], made[1] if go_on else None
        train_reader(pictures, made[1], plan.minutes, plan.rate, click.echo, before, plan.seed)
        remember(work, "read", plan, folders, begun, go_on)
    export_dice(made[0], made[1], out)
    about: dict[str, Any] = {
        "remake": "python -m models.train.dice",
        "ultralytics": importlib.import_module("ultralytics").__version__,
        "stages": stages_of(work),
        "drawn": {
            "train": f"seeds 1 to {folders}, {FOLDER} pictures each",
            "validation": f"{SCORED} pictures of models.evaluate.dice",
            "code": folder_hash(Path(__file__).parents[1] / "synth"),
        },
        "photographs": [],
    }
    write_dice_card(out, about | {"scores": {}})
    write_dice_card(out, about | {"scores": {"rendered, validation": scores_of(out)}})
    click.echo(f"written: {out}, {np.round(out.stat().st_size / 2**20, 1)} MiB")


if __name__ == "__main__":
    main()
