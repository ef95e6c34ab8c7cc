"""How much the word of each network counts for a king: fitted on drawn validation pictures.

The reader of squares and the network for ranks see the same men at another sharpness, and err on
other ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from models.evaluate.drawn import pictures
from models.evaluate.tally import Truth, turn_between
from vision.answer import FITTED
from vision.frame import Frame
from vision.model import SquareModel, nothing_known
from vision.perceiver import Perceiver

WEIGHTS = Path(__file__).parents[1] / "weights" / "squares.onnx"

Floats = NDArray[np.float64]


def fit(odds: Floats, king: NDArray[np.bool_]) -> tuple[float, float, float]:
    """Weights of both log-odds and the bias that make the truth likeliest (logistic regression),
    FITTED of the pieces kings.

    Args:
        odds: (m, 2), by the reader of squares and by the network for ranks.
        king: (m,), the truth.
    """
    share = king.mean()
    each = np.where(king, FITTED * (1 - share) / ((1 - FITTED) * share), 1.0)
    rows = np.column_stack([odds, np.ones(len(odds))])
    made = np.zeros(3)
    for _ in range(40):  # Newton's method
        p = 1 / (1 + np.exp(-rows @ made))
        bend = rows.T @ (rows * (each * p * (1 - p))[:, None]) + 1e-4 * np.eye(3)
        made = made + np.linalg.solve(bend, rows.T @ (each * (king - p)))
    return float(made[0]), float(made[1]), float(made[2])


def _told(model: SquareModel, sets: int) -> Iterator[tuple[Floats, NDArray[np.bool_]]]:
    """Log-odds by both networks, and the truth, of the men of each picture that no hand hides."""
    for size in (8, 10):
        for name, seen, known in pictures(model, "validation", size, 3 * sets, seed=92):
            eyes = Perceiver(size, model, known)
            found = eyes.describe(Frame(seen.image))
            if found is None or eyes.geometry is None:
                continue
            support = nothing_known(model.width) if known is None else known.support
            scores = model.unranked(found.made, found.light, support)
            at, side, odds = model.rank_odds(scores, found.made, support)
            truth = Truth(name, seen.corners, seen.grid, True)
            turn = turn_between(truth, eyes.geometry.corners)
            if turn is None:
                continue
            grid = np.rot90(np.array([list(row) for row in seen.grid]), -turn)
            letters = grid.reshape(-1)[at]
            men = np.isin(letters, list("wWbB"))
            own = scores[at, 2 * side + 2] - scores[at, 2 * side + 1]
            yield np.column_stack([own, odds])[men], np.isin(letters, ["W", "B"])[men]


@click.command()
@click.option("--weights", type=click.Path(path_type=Path), default=WEIGHTS)
@click.option("--sets", default=40, help="Drawn sets of each size, three pictures each.")
def main(weights: Path, sets: int) -> None:
    """Fit the mix of WEIGHTS and the network beside it, and write it into that one's card."""
    parts = list(_told(SquareModel(weights), sets))
    odds, king = (np.concatenate([p[i] for p in parts]) for i in (0, 1))
    mix = [round(x, 3) for x in fit(odds.astype(np.float64), king)]
    path = weights.with_name("ranks.json")
    card = json.loads(path.read_text())
    path.write_text(json.dumps({**card, "mix": mix, "mixed on": len(king)}, indent=1) + "\n")
    click.echo(f"{len(king)} men, {int(king.sum())} of them kings: {mix}")


if __name__ == "__main__":
    main()
