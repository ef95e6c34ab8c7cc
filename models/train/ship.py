"""From a checkpoint to the weight file that ships: temperature, export, card."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import torch

from vision.answer import FITTED
from vision.percept import CLASSES

from .check import Read, figures, read_set
from .export import export, write_card
from .net import SquareNet
from .sheets import COVERED, SheetSet

WEIGHTS = Path(__file__).parents[1] / "weights" / "squares.onnx"

#: Temperatures and shifts of the kings' logits that are tried.
_TEMPERATURES = np.exp(np.linspace(np.log(0.6), np.log(2.5), 25))
_BIASES = np.linspace(-4.0, 1.0, 26)


def fit_surety(reads: list[Read]) -> tuple[float, float]:
    """Temperature and king bias under which the truth of validation squares is likeliest.

    Kings count as rarely as they are in games: a man must not look like a king half the time only
    because training was full of kings.
    """
    logs, truth = [], []
    for r in reads:
        known = (r.labels >= 0) & (r.labels < COVERED)
        logs.append(np.log(np.maximum(r.probabilities[known], 1e-12)))
        truth.append(r.labels[known])
    scores, labels = np.concatenate(logs), np.concatenate(truth)
    king = (labels == 2) | (labels == 4)
    share = float(king.sum() / max(1, (labels > 0).sum()))
    weight = np.where(king, FITTED / (1 - FITTED) * (1 - share) / max(share, 1e-3), 1.0)
    column = np.array([0.0, 0.0, 1.0, 0.0, 1.0])

    def loss(temperature: float, bias: float) -> float:
        cold = scores / temperature + column * bias
        cold = cold - np.log(np.exp(cold).sum(axis=1, keepdims=True))
        return float(-(weight * cold[np.arange(len(labels)), labels]).mean())

    pairs = [(t, b) for t in _TEMPERATURES for b in _BIASES]
    best = min(pairs, key=lambda p: loss(*p))
    return float(best[0]), float(best[1])


def by_class(reads: list[Read]) -> dict[str, dict[str, float]]:
    """Squares and share read right, for each class."""
    rows = {}
    for index, letter in enumerate(CLASSES):
        hits = [r.probabilities.argmax(1)[r.labels == index] == index for r in reads]
        all_hits = np.concatenate(hits)
        right = round(100 * float(all_hits.mean()), 3) if len(all_hits) else 0.0
        rows[letter] = {"squares": len(all_hits), "right_pct": right}
    return rows


def scores_of(net: SquareNet, sets: list[SheetSet], sure: float = 0.95) -> dict[str, Any]:
    """Scores on sets that training did not see."""
    told = {}
    for calibrated, name in ((True, "with a start position"), (False, "alone")):
        reads = [
            r for s in sets if calibrated or s.contrast > 0.12 for r in read_set(net, s, calibrated)
        ]
        whole = {k: round(v, 3) for k, v in figures(reads, sure).items()}
        told[name] = {**whole, "classes": by_class(reads)}
    return told


def folder_hash(folder: Path) -> str:
    """sha256 over the Python files of a folder, in name order."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def ship(
    checkpoint: Path,
    validation: list[SheetSet],
    photographs: list[dict[str, Any]],
    drawn: dict[str, Any],
    out: Path = WEIGHTS,
) -> None:
    """Write the network and its card.

    Args:
        checkpoint: what ``fit`` wrote.
        validation: drawn sets that fit the temperature and give the card's scores.
        photographs: file, sha256 and room of each one that was trained on.
        drawn: how the training scenes were drawn.
        out: the ONNX file.
    """
    saved = torch.load(checkpoint)
    net = SquareNet(saved["plan"].get("backbone", "pretrained"))
    net.load_state_dict(saved["net"])
    net.temperature.fill_(1.0)
    net.king_bias.fill_(0.0)
    temperature, bias = fit_surety([r for s in validation for r in read_set(net, s, True)])
    net.temperature.fill_(temperature)
    net.king_bias.fill_(bias)
    out.parent.mkdir(parents=True, exist_ok=True)
    export(net, out)
    write_card(
        out,
        {
            "remake": "python -m models.train",
            "ranks": "ranks.onnx",
            "plan": saved["plan"],
            "step": saved["step"],
            "temperature": round(temperature, 4),
            "king_bias": round(bias, 4),
            "drawn": {**drawn, "code": folder_hash(Path(__file__).parents[1] / "synth")},
            "photographs": photographs,
            "scores": {"rendered, validation": scores_of(net, validation)},
        },
    )


def seen_photographs(folder: Path | None) -> list[dict[str, Any]]:
    """The list that ``photos`` wrote beside its sheets; empty without photographs."""
    if folder is None:
        return []
    rows: list[dict[str, Any]] = json.loads((folder / "seen.json").read_text())
    return rows
