"""Ship the nardi networks: ONNX files and cards, with how they do on sets kept out of training."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import click
import numpy as np
import torch
from torch.nn import functional as F

from vision.nardi.board import HALF_WH
from vision.nardi.crops import FIELD_PX, normalised
from vision.nardi.model import FIELD_INPUT, HALF_INPUT

from .export import without_origins
from .nardi_data import IGNORED, half_sample, stacked
from .nardi_net import FieldNet, HalfNet
from .nardi_scenes import load

WEIGHTS = Path(__file__).parents[1] / "weights"


def export(net: Any, example: Any, names: tuple[str, list[str]], path: Path) -> None:
    """Write a network as ONNX, with a free number of pictures."""
    program = torch.onnx.export(
        net.eval(),
        (example,),
        input_names=[names[0]],
        output_names=names[1],
        dynamic_shapes=({0: torch.export.Dim("n")},),
        opset_version=18,
        dynamo=True,
        verbose=False,
        optimize=True,
    )
    path.write_bytes(without_origins(program.model_proto).SerializeToString())


def write_card(path: Path, about: dict[str, Any]) -> None:
    """Write the card of a weight file beside it."""
    data = path.read_bytes()
    card = {
        "v": 1,
        "file": path.name,
        "sha256": hashlib.sha256(data).hexdigest(),
        "bytes": len(data),
        "licence": "AGPL-3.0-or-later",
        **about,
    }
    path.with_suffix(".json").write_text(json.dumps(card, indent=1) + "\n")


@torch.no_grad()  # type: ignore[untyped-decorator]
def validated(net: HalfNet, folder: Path) -> tuple[float, dict[str, Any]]:
    """The temperature that makes counts honest, and how many are right, on kept-out scenes."""
    net.eval()
    rng = np.random.default_rng(5)
    logits, told = [], []
    for path in sorted(folder.glob("*.npz")):
        scene = load(path)
        samples = [half_sample(scene, rng) for _ in range(2)]
        _, counts, _ = net(torch.from_numpy(normalised(stacked(samples, "picture"))))
        logits.append(counts.flatten(0, 1))
        told.append(torch.from_numpy(stacked(samples, "counts").astype(np.int64)).flatten())
    scores, truth = torch.cat(logits), torch.cat(told)
    scores, truth = scores[truth != IGNORED], truth[truth != IGNORED]
    tried = {t: float(F.cross_entropy(scores / t, truth)) for t in np.linspace(0.6, 2.5, 39)}
    best = min(tried, key=lambda t: tried[t])
    right = scores.argmax(1) == truth
    bands = {"empty": truth == 0, "1 to 5": (truth > 0) & (truth < 6), "6 to 15": truth > 5}
    figures = {
        name: {
            "points": int(mask.sum()),
            "right_pct": round(100 * float(right[mask].float().mean()), 2),
        }
        for name, mask in bands.items()
    }
    return round(float(best), 3), figures


@click.command()
@click.argument("checkpoint", type=click.Path(path_type=Path))
@click.argument("validation", type=click.Path(path_type=Path))
@click.option("--scenes", default=0, help="How many scenes the training drew, for the card.")
@click.option("--out", type=click.Path(path_type=Path), default=WEIGHTS)
def main(checkpoint: Path, validation: Path, scenes: int, out: Path) -> None:
    """Export both networks of a checkpoint."""
    torch.set_num_threads(1)
    state = torch.load(checkpoint, weights_only=True)
    field, half = FieldNet(), HalfNet()
    for net, name in ((field, "field"), (half, "half")):
        averaged = torch.optim.swa_utils.AveragedModel(net, use_buffers=True)
        averaged.load_state_dict(state[name]["mean"])
        net.load_state_dict(averaged.module.state_dict())
    about = {
        "remake": "python -m models.train.nardi_scenes, nardi_fit and nardi_ship",
        "steps": state["step"],
        "drawn": {"train": f"scenes 0 to {scenes - 1}", "photographs": "none"},
    }
    path = out / "nardi_field.onnx"
    export(field, torch.zeros(2, 3, FIELD_PX, FIELD_PX), ("pictures", ["cells"]), path)
    write_card(path, {"input": FIELD_INPUT, **about})
    temperature, figures = validated(half, validation)
    path = out / "nardi_half.onnx"
    export(
        half,
        torch.zeros(2, 3, HALF_WH[1], HALF_WH[0]),
        ("halves", ["cells", "counts", "hidden"]),
        path,
    )
    scores = {"rendered, validation: counts of points, halves jittered": figures}
    write_card(path, {"input": HALF_INPUT, "temperature": temperature, **about, "scores": scores})
    click.echo(json.dumps({"temperature": temperature, **figures}))


if __name__ == "__main__":
    main()
