"""From two checkpoints to the one weight file of dice, with its card."""

from __future__ import annotations

import hashlib
import importlib
import io
import json
from pathlib import Path
from typing import Any

import torch

from vision.dice_crops import CROP_PX, FOUND_PX, MARGIN
from vision.dice_model import CLASSES

from .dice_net import DieNet, Shipped
from .export import without_origins

WEIGHTS = Path(__file__).parents[1] / "weights" / "dice.onnx"


class Alone(torch.nn.Module):  # type: ignore[misc]
    """A network of ultralytics that gives one answer and nothing about its training."""

    def __init__(self, net: Any) -> None:
        super().__init__()
        self.net = net

    def forward(self, picture: torch.Tensor) -> torch.Tensor:
        """What the network answers for pictures (n, 3, H, W)."""
        out = self.net(picture)
        return torch.as_tensor(out[0] if isinstance(out, tuple) else out)


def found_by(checkpoint: Path) -> Any:
    """The network of a checkpoint of ultralytics, its averaged weights, ready for export."""
    saved = torch.load(checkpoint, map_location="cpu", weights_only=False)
    net = (saved.get("ema") or saved["model"]).float().eval()
    for parameter in net.parameters():
        parameter.requires_grad_(False)
    net = net.fuse(verbose=False)
    head = net.model[-1]
    head.export, head.format, head.dynamic = True, "onnx", True
    return net


def read_by(checkpoint: Path | None, temperature: float) -> Shipped:
    """The network of a checkpoint of ``dice_read``, or an untrained one, ready for export."""
    net = DieNet()
    if checkpoint is not None:
        net.load_state_dict(torch.load(checkpoint)["net"])
    shipped = Shipped(net, temperature)
    shipped.eval()
    return shipped


def graph_of(net: torch.nn.Module, example: torch.Tensor, names: list[str], axes: Any) -> Any:
    """An ONNX model; ``names`` are its input and its outputs."""
    buffer = io.BytesIO()
    torch.onnx.export(
        net,
        (example,),
        buffer,
        dynamo=False,
        opset_version=18,
        input_names=names[:1],
        output_names=names[1:],
        dynamic_axes=axes,
    )
    onnx = importlib.import_module("onnx")
    model = onnx.load_from_string(buffer.getvalue())
    slim = importlib.import_module("onnxslim").slim(model)
    return without_origins(slim)


def apart(model: Any, prefix: str) -> Any:
    """The model with a prefix before all names but those of its inputs and outputs."""
    graph = model.graph
    kept = {part.name for part in (*graph.input, *graph.output)} | {""}
    for node in graph.node:
        node.name = prefix + node.name
        for names in (node.input, node.output):
            names[:] = [name if name in kept else prefix + name for name in names]
    for part in graph.initializer:
        part.name = prefix + part.name
    return model


def joined(find: Any, read: Any) -> Any:
    """One ONNX model with both networks side by side."""
    onnx = importlib.import_module("onnx")
    find, read = apart(find, "f_"), apart(read, "r_")
    graph = onnx.helper.make_graph(
        [*find.graph.node, *read.graph.node],
        "dice",
        [*find.graph.input, *read.graph.input],
        [*find.graph.output, *read.graph.output],
        [*find.graph.initializer, *read.graph.initializer],
    )
    model = onnx.helper.make_model(graph, opset_imports=find.opset_import)
    model.ir_version = find.ir_version
    onnx.checker.check_model(model)
    return without_origins(model)


def half_of(path: Path, prefix: str, names: list[str]) -> Any:
    """One of the two networks in a weight file, its names without their prefix.

    ``names`` are its input and its outputs.
    """
    onnx = importlib.import_module("onnx")
    whole = onnx.load_from_string(path.read_bytes()).graph
    graph = onnx.helper.make_graph(
        [node for node in whole.node if node.name.startswith(prefix)],
        "half",
        [part for part in whole.input if part.name in names[:1]],
        [part for part in whole.output if part.name in names[1:]],
        [part for part in whole.initializer if part.name.startswith(prefix)],
    )
    for node in graph.node:
        node.name = node.name.removeprefix(prefix)
        for some in (node.input, node.output):
            some[:] = [name.removeprefix(prefix) for name in some]
    for part in graph.initializer:
        part.name = part.name.removeprefix(prefix)
    opsets = onnx.load_from_string(path.read_bytes()).opset_import
    return onnx.helper.make_model(graph, opset_imports=opsets)


def finder_of(checkpoint: Path) -> Any:
    """The finding network of a checkpoint, or of a weight file (``.onnx``), as an ONNX model."""
    if checkpoint.suffix == ".onnx":
        return half_of(checkpoint, "f_", ["picture", "found"])
    return graph_of(
        Alone(found_by(checkpoint)),
        torch.zeros(1, 3, 192, 192),
        ["picture", "found"],
        {"picture": {2: "height", 3: "width"}, "found": {2: "cells"}},
    )


def export_dice(find: Path, read: Path | None, out: Path, temperature: float = 1.0) -> None:
    """Write the weight file of two checkpoints; without ``read`` its reader knows nothing yet.

    ``find`` may be a weight file, whose finding network is kept.
    """
    finder = finder_of(find)
    reader = graph_of(
        read_by(read, temperature),
        torch.zeros(2, 3, CROP_PX, CROP_PX),
        ["crops", "read", "pips"],
        {"crops": {0: "dice"}, "read": {0: "dice"}, "pips": {0: "dice"}},
    )
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(joined(finder, reader).SerializeToString())


def write_dice_card(out: Path, about: dict[str, Any]) -> None:
    """Write the card: what the networks expect, and all that ``about`` tells."""
    data = out.read_bytes()
    card = {
        "v": 1,
        "file": out.name,
        "sha256": hashlib.sha256(data).hexdigest(),
        "bytes": len(data),
        "licence": "AGPL-3.0-or-later",
        "classes": list(CLASSES),
        "input": {"crop_px": CROP_PX, "margin": MARGIN, "found_px": list(FOUND_PX)},
        **about,
    }
    out.with_suffix(".json").write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
