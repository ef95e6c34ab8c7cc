"""A trained network as the file that ``vision`` runs, with its card."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import torch

from vision.crops import CHANNELS, SQUARE_PX
from vision.model import INPUT
from vision.percept import CLASSES

from .net import KINDS, WIDTH, SquareNet


class _File(torch.nn.Module):  # type: ignore[misc]
    """Both halves of the network as one file.

    ``queries`` is an input of its own, so that descriptions once made (a calibration, a frame) are
    compared without being made again.
    """

    def __init__(self, net: SquareNet) -> None:
        super().__init__()
        self.net = net

    def forward(
        self, boards: Any, lean: Any, queries: Any, light: Any, support: Any, weights: Any
    ) -> tuple[Any, Any, Any]:
        made, covered, _ = self.net.encoder(boards, lean)
        return made, covered, self.net.scores(queries, light, support, weights)


def export(net: SquareNet, path: Path) -> None:
    """Write the network as ONNX; batch normalisation is folded away."""
    whole = _File(net).eval()
    board, queries = torch.zeros(1, CHANNELS, 9 * SQUARE_PX, 9 * SQUARE_PX), torch.zeros(3, WIDTH)
    light, support, weights = torch.zeros(3), torch.zeros(4, WIDTH), torch.zeros(4, KINDS)
    dim = torch.export.Dim
    side, m, k = SQUARE_PX * dim("squares", min=2, max=16), dim("queries_n"), dim("support_n")
    program = torch.onnx.export(
        whole,
        (board, torch.zeros(1, 64, 2), queries, light, support, weights),
        input_names=["boards", "lean", "queries", "light", "support", "weights"],
        output_names=["made", "covered", "scores"],
        dynamic_shapes=({2: side, 3: side}, {1: dim("squares_n")}, {0: m}, {0: m}, {0: k}, {0: k}),
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
    """Write the card of the reader of squares; see ``write_file_card``."""
    write_file_card(
        path, {"classes": CLASSES, "input": INPUT, "width": WIDTH, "kinds": KINDS, **about}
    )


def write_file_card(path: Path, about: dict[str, Any]) -> None:
    """Write the card of a weight file beside it: what it is, and all that ``about`` tells."""
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
