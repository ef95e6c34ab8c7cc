"""Train the network that finds dice with ultralytics, from nothing, without a net.

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

from .dice_data import PICTURE_PX, write_boxes

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how to train one network.

    Attributes:
        minutes: time on the wall; the rate falls to its end by then.
        epochs: at most; batch: pictures a step; edge: of a picture as the network sees it, pixels.
        rate: of AdamW; seed: of everything random.
        real: share of what is shown that photographs give, where there are any.
    """

    minutes: float
    epochs: int
    batch: int
    edge: int
    rate: float
    seed: int = 0
    real: float = 0.0


def offline(folder: Path) -> None:
    """Keep ultralytics off the net, its settings in a folder of ours."""
    os.environ.update(YOLO_OFFLINE="1", YOLO_AUTOINSTALL="0", YOLO_CONFIG_DIR=str(folder))
    settings = folder / "Ultralytics"
    settings.mkdir(parents=True, exist_ok=True)
    if not (settings / "Arial.ttf").exists():
        fonts = Path(importlib.import_module("matplotlib").get_data_path()) / "fonts" / "ttf"
        shutil.copy(fonts / "DejaVuSans.ttf", settings / "Arial.ttf")
    importlib.import_module("ultralytics").settings.update({"sync": False})


def overrides(plan: Plan, model: str, work: Path, name: str, before: Path | None) -> dict[str, Any]:
    """What ultralytics is told of any training."""
    return {
        "model": str(HERE / model),
        "project": str(work.resolve()),
        "name": name,
        "exist_ok": True,
        "pretrained": str(before) if before else False,
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


class Unjudged:
    """A trainer that leaves scores to ``models.evaluate.dice``: of the eyes as they ship."""

    def validate(self) -> tuple[dict[str, float], float]:
        """No scores: the last weights are taken, not the best."""
        return {}, 0.0

    def final_eval(self) -> None:
        """Nothing more once training is over."""


def train_find(plan: Plan, train: list[Path], work: Path, before: Path | None = None) -> Path:
    """Train the network that finds dice, on from ``before``; the checkpoint it left.

    Dice may lie any way round, but what is seen from the side keeps its lower side below, so
    pictures are mirrored and not turned.
    """
    base = importlib.import_module("ultralytics.models.yolo.detect").DetectionTrainer

    class Finding(Unjudged, base):  # type: ignore[misc, valid-type]
        """ultralytics' trainer."""

    write_boxes(train, work / "boxes" / "train", PICTURE_PX)
    data = {
        "path": str((work / "boxes").resolve()),
        "train": "train/images",
        "val": "train/images",
        "names": {0: "die"},
    }
    file = work / "boxes" / "data.yaml"
    file.write_text("\n".join(f"{k}: {v}" for k, v in data.items()) + "\n", encoding="utf-8")
    told = overrides(plan, "dice_find.yaml", work, "find", before)
    told |= {
        "data": str(file),
        "cache": "ram",
        "val": False,
        "mosaic": 0.0,
        "scale": 0.25,
        "translate": 0.1,
        "fliplr": 0.5,
        "hsv_h": 0.05,
        "hsv_s": 0.5,
        "hsv_v": 0.35,
    }
    run = Finding(overrides=told)
    run.train()
    return work / "find" / "weights" / "last.pt"


def plan_of(plan: Plan) -> dict[str, Any]:
    """The plan as a card tells it."""
    return asdict(plan)
