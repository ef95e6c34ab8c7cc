"""Make the weights of dice again: draw, train both networks, export, write the card.

    python -m models.train.dice --work runs/dice --photos PHOTOGRAPHS

The network that finds dice is trained by ultralytics, the one that reads a die by ``dice_read``,
on drawn dice and on the photographs that may be trained on.  Needs the ``train`` extra; without
ultralytics, ``--find '{"minutes": 0}'`` keeps the finding network of the shipped weights.  What was
drawn already is kept in the working folder, and a training that was cut short goes on from its last
checkpoint with ``--go-on``.  ``--leave-out`` trains one part of a cross-validation.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
import torch

from models.evaluate.dice import Tally, drawn, score
from models.synth.dice import main as draw
from vision.dice import find_dice
from vision.dice_model import DiceModel

from .dice_fit import Plan, offline, plan_of, train_find
from .dice_photos import FOLDS, Photo, photos_of
from .dice_read import shown_by, train_reader
from .dice_ship import WEIGHTS, export_dice, write_dice_card
from .ship import folder_hash

#: Crops a step of the reading network.
BATCH = 64

#: Pictures in one folder; the folder's number is its seed.
FOLDER = 500

#: Share of cocked dice in training pictures: more than a table has, or they are hardly learnt.
LEANING = 0.16

#: Pictures of the validation split that give the card's scores.
SCORED = 40


def draw_folders(work: Path, count: int) -> list[Path]:
    """Folders of training pictures, those that are there already left as they are."""
    folders = []
    for seed in range(1, count + 1):
        folder = work / f"train_{seed}"
        if not (folder / "labels.jsonl").exists():
            told = ["--out", str(folder), "--count", str(FOLDER), "--seed", str(seed)]
            draw([*told, "--leaning", str(LEANING)], standalone_mode=False)
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


def remember(work: Path, plan: Plan, about: dict[str, Any], begun: float, go_on: bool) -> None:
    """Write a stage of training down, for the card."""
    network = about["network"]
    rows = stages_of(work) if go_on else [r for r in stages_of(work) if r["network"] != network]
    spent = round(time.process_time() - begun)
    rows.append({**about, **plan_of(plan), "cpu_s": spent})
    (work / "stages.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")


def finder_in(work: Path) -> Path:
    """What the finding network is taken from: its checkpoint, or else the shipped weights."""
    made = work / "find" / "weights" / "last.pt"
    return made if made.exists() else WEIGHTS


def read_stage(
    work: Path, pictures: list[Path], photos: list[Photo], plan: Plan, go_on: bool
) -> None:
    """Train the reading network on dice as the finding network shows them."""
    begun = time.process_time()
    eyes, made = work / "finder" / "dice.onnx", work / "read.pt"
    export_dice(finder_in(work), None, eyes)
    write_dice_card(eyes, {})
    rng = np.random.default_rng(plan.seed)
    shown = shown_by(pictures, DiceModel(eyes), photos, rng)
    steps = train_reader(shown, plan, made, click.echo, made if go_on else None)
    about = {"network": "read", "steps": steps, "folders": len(pictures), "photos": len(photos)}
    remember(work, plan, about, begun, go_on)


@click.command()
@click.option("--work", type=click.Path(path_type=Path), default=Path("runs/dice"))
@click.option("--folders", default=6, show_default=True, help=f"Of {FOLDER} training pictures.")
@click.option("--photos", type=click.Path(path_type=Path), help="Folder of labels_dice.jsonl.")
@click.option("--leave-out", type=click.IntRange(0, FOLDS - 1), help="Fold of photographs.")
@click.option("--find", "find_plan", default="{}", help="JSON over the plan; 0 minutes skip.")
@click.option("--read", "read_plan", default="{}", help="JSON over the plan; 0 minutes skip.")
@click.option("--go-on", is_flag=True, help="From the checkpoints in the working folder.")
@click.option("--ship-only", is_flag=True, help="Export the checkpoints in the working folder.")
@click.option("--out", type=click.Path(path_type=Path), default=WEIGHTS)
def main(
    work: Path, folders: int, photos: Path | None, leave_out: int | None, find_plan: str,
    read_plan: str, go_on: bool, ship_only: bool, out: Path,
) -> None:  # fmt: skip
    """Draw, train, export."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    work.mkdir(parents=True, exist_ok=True)
    pictures = draw_folders(work, folders)
    seen = [p for p in photos_of(photos) if p.fold != leave_out] if photos else []
    plans = [
        Plan(**{"minutes": 25, "epochs": 60, "batch": 16, "edge": 192, "rate": 0.002}
             | json.loads(find_plan)),
        Plan(**{"minutes": 60, "epochs": 0, "batch": BATCH, "edge": 48, "rate": 0.002, "real": 0.2}
             | json.loads(read_plan)),
    ]  # fmt: skip
    if plans[0].minutes and not ship_only:
        offline(work / "settings")
        begun = time.process_time()
        made = work / "find" / "weights" / "last.pt"
        train_find(plans[0], pictures, work, made if go_on else None)
        remember(work, plans[0], {"network": "find", "folders": folders}, begun, go_on)
    if plans[1].minutes and not ship_only:
        read_stage(work, pictures, seen, plans[1], go_on)
    export_dice(finder_in(work), work / "read.pt", out)
    about: dict[str, Any] = {
        "remake": "python -m models.train.dice --photos PHOTOGRAPHS",
        "stages": stages_of(work),
        "drawn": {
            "train": f"seeds 1 to {folders}, {FOLDER} pictures each",
            "validation": f"{SCORED} pictures of models.evaluate.dice",
            "code": folder_hash(Path(__file__).parents[1] / "synth"),
        },
        "photographs": [{"file": p.file, "sha256": p.sha256} for p in seen],
    }
    write_dice_card(out, about | {"scores": {}})
    write_dice_card(out, about | {"scores": {"rendered, validation": scores_of(out)}})
    click.echo(f"written: {out}, {np.round(out.stat().st_size / 2**20, 1)} MiB")


if __name__ == "__main__":
    main()
