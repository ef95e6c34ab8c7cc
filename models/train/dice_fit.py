"""Train the two networks of dice with ultralytics, from nothing, without a net.

ultralytics looks for news, fonts and packages on the net unless it is told otherwise before it is
imported: ``offline`` does that.
"""

from __future__ import annotations

import importlib
import os
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from vision.dice_crops import as_input

from .dice_data import CLASSES, Image, Spot, pictures_of, show, spots_of, write_boxes

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how to train one network.

    Attributes:
        minutes: time on the wall; the rate falls to its end by then.
        epochs: at most; batch: pictures a step; edge: of a picture as the network sees it, pixels.
        rate: of AdamW; seed: of everything random.
    """

    minutes: float
    epochs: int
    batch: int
    edge: int
    rate: float
    seed: int = 0


def offline(folder: Path) -> None:
    """Keep ultralytics off the net, its settings in a folder of ours."""
    os.environ.update(YOLO_OFFLINE="1", YOLO_AUTOINSTALL="0", YOLO_CONFIG_DIR=str(folder))
    settings = folder / "Ultralytics"
    settings.mkdir(parents=True, exist_ok=True)
    if not (settings / "Arial.ttf").exists():
        fonts = Path(importlib.import_module("matplotlib").get_data_path()) / "fonts" / "ttf"
        shutil.copy(fonts / "DejaVuSans.ttf", settings / "Arial.ttf")
    importlib.import_module("ultralytics").settings.update({"sync": False})


def overrides(plan: Plan, model: str, work: Path, name: str) -> dict[str, Any]:
    """What both trainings tell ultralytics."""
    return {
        "model": str(HERE / model),
        "project": str(work.resolve()),
        "name": name,
        "exist_ok": True,
        "pretrained": False,
        "epochs": plan.epochs,
        "time": plan.minutes / 60,
        "batch": plan.batch,
        "nbs": plan.batch,
        "imgsz": plan.edge,
        "optimizer": "AdamW",
        "lr0": plan.rate,
        "lrf": 0.02,
        "momentum": 0.9,
        "cos_lr": True,
        "warmup_epochs": 0.5,
        "warmup_bias_lr": plan.rate,
        "seed": plan.seed,
        "device": "cpu",
        "workers": 0,
        "amp": False,
        "plots": False,
        "deterministic": False,
    }


def train_find(plan: Plan, train: list[Path], validation: list[Path], work: Path) -> Path:
    """Train the network that finds dice; the checkpoint it left.

    Dice may lie any way round, but what is seen from the side keeps its lower side below, so
    pictures are mirrored and not turned.
    """
    trainer = importlib.import_module("ultralytics.models.yolo.detect").DetectionTrainer
    for name, folders in (("train", train), ("validation", validation)):
        write_boxes(folders, work / "boxes" / name, 320)
    names = {k: str(k) for k in range(7)}
    data = {
        "path": str((work / "boxes").resolve()),
        "train": "train/images",
        "val": "validation/images",
        "names": names,
    }
    file = work / "boxes" / "data.yaml"
    file.write_text("\n".join(f"{k}: {v}" for k, v in data.items()) + "\n", encoding="utf-8")
    told = overrides(plan, "dice_find.yaml", work, "find")
    told |= {
        "data": str(file),
        "cache": "ram",
        "val": False,
        "mosaic": 0.4,
        "close_mosaic": 2,
        "scale": 0.25,
        "translate": 0.1,
        "fliplr": 0.5,
        "hsv_h": 0.05,
        "hsv_s": 0.5,
        "hsv_v": 0.35,
    }
    run = trainer(overrides=told)
    run.train()
    return work / "find" / "weights" / "last.pt"


class Crops(torch.utils.data.Dataset):  # type: ignore[misc]
    """Crops of dice, made anew each time they are asked for.

    Args:
        images: pictures; spots: places in them; vary: whether each look differs.
    """

    torch_transforms = None

    def __init__(self, images: list[Image], spots: list[Spot], seed: int, vary: bool) -> None:
        self.images, self.samples = images, spots
        self.vary, self.rng, self.seed = vary, np.random.default_rng(seed), seed

    def __len__(self) -> int:
        return len(self.samples)

    def __getitem__(self, index: int) -> dict[str, Any]:
        spot = self.samples[index]
        rng = self.rng if self.vary else np.random.default_rng([self.seed, index])
        crop = show(self.images[spot.picture], spot, rng)
        return {"img": torch.from_numpy(as_input([crop])[0]), "cls": spot.label}


def train_read(plan: Plan, train: list[Path], validation: list[Path], work: Path) -> Path:
    """Train the network that reads one die; the checkpoint it left."""
    base = importlib.import_module("ultralytics.models.yolo.classify").ClassificationTrainer
    build = importlib.import_module("ultralytics.data.build").build_dataloader
    folders = {"train": train, "val": validation}

    class Reading(base):  # type: ignore[misc, valid-type]
        """ultralytics' trainer, fed with crops from memory."""

        def get_dataset(self) -> dict[str, Any]:
            names = dict(enumerate(CLASSES))
            return {"train": "train", "val": "val", "nc": len(names), "names": names, "channels": 3}

        def get_dataloader(
            self, dataset_path: str, batch_size: int = 16, rank: int = 0, mode: str = "train"
        ) -> Any:
            images, rows = pictures_of(folders[dataset_path])
            spots = spots_of(rows, 320, np.random.default_rng([plan.seed, 3]))
            crops = Crops(images, spots, plan.seed, mode == "train")
            return build(crops, batch_size, 0, shuffle=mode == "train", rank=rank, device="cpu")

        def final_eval(self) -> None:
            """Scores are taken by ``models.evaluate.dice``, through the eyes as they ship."""

    told = overrides(plan, "dice_read.yaml", work, "read") | {"data": "crops", "val": False}
    run = Reading(overrides=told)
    run.train()
    return work / "read" / "weights" / "last.pt"


def plan_of(plan: Plan) -> dict[str, Any]:
    """The plan as a card tells it."""
    return asdict(plan)
