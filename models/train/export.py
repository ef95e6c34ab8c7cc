"""A trained network as the file that ``vision`` runs, with its card."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import torch

from vision.crops import CHANNELS, CROP_PX, LIFT, OFFSET, SQUARE_PX
from vision.percept import CLASSES

from .net import KINDS, WIDTH, SquareNet


def export(net: SquareNet, path: Path) -> None:
    """Write the network as ONNX; batch normalisation is folded away."""
    net = net.eval()
    crops, queries = torch.zeros(2, CHANNELS, CROP_PX, CROP_PX), torch.zeros(3, WIDTH)
    light, support, weights = torch.zeros(3), torch.zeros(4, WIDTH), torch.zeros(4, KINDS)
    dim = torch.export.Dim
    n, m, k = dim("crops_n"), dim("queries_n"), dim("support_n")
    program = torch.onnx.export(
        net,
        (crops, queries, light, support, weights),
        input_names=["crops", "queries", "light", "support", "weights"],
        output_names=["made", "covered", "scores"],
        dynamic_shapes=({0: n}, {0: m}, {0: m}, {0: k}, {0: k}),
        opset_version=18,
        dynamo=True,
        verbose=False,
        optimize=True,
    )
    path.write_bytes(without_origins(program.model_proto).SerializeToString())


def without_origins(model: Any) -> Any:
    """The ONNX model without the exporter's notes of where on the disk each node came from.

    The same weights then make the same file on every machine.
    """
    graph = model.graph
    for part in (*graph.node, *graph.value_info, *graph.input, *graph.output, *graph.initializer):
        del part.metadata_props[:]
        part.ClearField("doc_string")
    del graph.metadata_props[:]
    del model.metadata_props[:]
    return model


def write_card(path: Path, about: dict[str, Any]) -> None:
    """Write the card of a weight file beside it: what it is, and all that ``about`` tells."""
    data = path.read_bytes()
    card = {
        "v": 1,
        "file": path.name,
        "sha256": hashlib.sha256(data).hexdigest(),
        "bytes": len(data),
        "licence": "AGPL-3.0-or-later",
        "classes": CLASSES,
        "input": {
            "crops": [CHANNELS, CROP_PX, CROP_PX],
            "square_px": SQUARE_PX,
            "lift": LIFT,
            "offset": OFFSET,
        },
        "width": WIDTH,
        "kinds": KINDS,
        **about,
    }
    path.with_suffix(".json").write_text(json.dumps(card, indent=1) + "\n")
