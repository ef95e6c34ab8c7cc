"""How well boards are read by the angle of view, as a picture.  Needs matplotlib."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path

from .tally import Tally


def plot_conditions(path: Path, tallies: Mapping[str, Mapping[str, Tally]]) -> None:
    """Bars of squares read right, and of those answered, for each condition.

    Args:
        path: the picture, an SVG.
        tallies: for each size of board, tallies by condition.
    """
    matplotlib = importlib.import_module("matplotlib")
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "toreshi"  # the same figures make the same file
    plt = importlib.import_module("matplotlib.pyplot")
    known = next(iter(tallies.values()))
    angles = sorted((n for n in known if "degrees" in n), key=lambda n: int(n.split()[0]))
    names = angles + sorted(n for n in known if n.startswith("light"))
    figure, axes = plt.subplots(figsize=(9, 4.2), layout="constrained")
    width = 0.8 / len(tallies)
    for number, (size, rows) in enumerate(tallies.items()):
        wrong = [_missed(rows.get(n, Tally()), "squares") for n in names]
        false = [_missed(rows.get(n, Tally()), "answered") for n in names]
        at = [i + (number - (len(tallies) - 1) / 2) * width for i in range(len(names))]
        bars = axes.bar(at, wrong, width * 0.92, label=f"{size}: not right", alpha=0.45)
        colour = bars[0].get_facecolor()[:3]
        axes.bar(at, false, width * 0.92, color=colour, label=f"{size}: answered wrongly")
    axes.set_xticks(range(len(names)), [n.replace("light: ", "") for n in names], rotation=30)
    axes.set_yscale("symlog", linthresh=0.01)
    axes.set_ylabel("% of squares (rendered)")
    axes.axhline(0.1, color="grey", linewidth=0.8, linestyle="--")
    figure.legend(fontsize=8, loc="outside upper center", ncols=2 * len(tallies))
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def _missed(tally: Tally, of: str) -> float:
    """Per cent of squares, or of answered squares, that were not right."""
    c = tally.counts
    return 100 * (1 - c["right"] / c[of]) if c[of] else 0.0
