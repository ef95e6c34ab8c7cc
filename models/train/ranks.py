"""Make the network that tells ranks again: draw, train, export, weigh.

About an hour on two cores; what was drawn already is kept in the working folder.
"""

from __future__ import annotations

from pathlib import Path

import click

from .rank_fit import RankPlan, learn
from .rank_mix import main as weigh
from .rank_scenes import main as draw
from .rank_ship import WEIGHTS, ship

#: Numbers of sets drawn for training and for validation.
TRAIN, VALIDATION = 729, 60


@click.command()
@click.argument("squares", type=click.Path(path_type=Path, exists=True))
@click.option("--work", type=click.Path(path_type=Path), default=Path("runs/ranks"))
@click.option("--out", type=click.Path(path_type=Path), default=WEIGHTS)
def main(squares: Path, work: Path, out: Path) -> None:
    """Draw, train, export and weigh; SQUARES is the last checkpoint of ``models.train``."""
    drawn, kept, checkpoint = work / "train", work / "validation", work / "ranks.pt"
    draw([str(drawn), "--count", str(TRAIN)], standalone_mode=False)
    draw([str(kept), "--split", "validation", "--count", str(VALIDATION)], standalone_mode=False)
    learn(RankPlan(), drawn, squares, checkpoint)
    ship(checkpoint, kept, f"seeds 0 to {TRAIN - 1}", out)
    weigh(["--weights", str(out.with_name("squares.onnx"))], standalone_mode=False)


if __name__ == "__main__":
    main()
