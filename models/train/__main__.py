"""Make the shipped weights again: draw, cut, train, export.

About three hours on two cores; what was drawn already is kept in the working folder.
"""

from __future__ import annotations

from pathlib import Path

import click

from .fit import Plan, learn
from .photos import main as cut_photos
from .scenes import main as draw_scenes
from .sheets import load_set
from .ship import WEIGHTS, seen_photographs, ship

#: Numbers of sets drawn for training and for validation.
TRAIN, VALIDATION = 1552, 80

#: Rounds, each of which anneals its rate to nothing and goes on from the one before.
PLANS = (Plan(steps=5000), Plan(steps=2500, rate=1e-3, backbone_rate=3e-4, seed=7, real_share=0.2))

#: A network without pretrained weights, for comparison: one round.
SMALL = (Plan(steps=2000, backbone="small", rate=2e-3, backbone_rate=2e-3),)


@click.command()
@click.option("--work", type=click.Path(path_type=Path), default=Path("runs/squares"))
@click.option("--labels", type=click.Path(path_type=Path), help="Photographs to train on, too.")
@click.option("--out", type=click.Path(path_type=Path), default=WEIGHTS)
@click.option("--small", is_flag=True, help="The network without pretrained weights instead.")
def main(work: Path, labels: Path | None, out: Path, small: bool) -> None:
    """Draw, cut, train and export."""
    drawn, kept, real = work / "train", work / "validation", work / "photographs"
    draw_scenes([str(drawn), "--count", str(TRAIN)], standalone_mode=False)
    draw_scenes(
        [str(kept), "--split", "validation", "--count", str(VALIDATION), "--queries", "4"],
        standalone_mode=False,
    )
    if labels is not None:
        cut_photos([str(labels), str(real)], standalone_mode=False)
    rooms = [real] if labels is not None else []
    checkpoint: Path | None = None
    for number, plan in enumerate(SMALL if small else PLANS):
        begin, checkpoint = checkpoint, work / f"{out.stem}-{number}.pt"
        learn(plan, [drawn], rooms, checkpoint, begin)
    assert checkpoint is not None
    validation = [load_set(path) for path in sorted(kept.glob("*.npz"))]
    about = {"train": f"seeds 0 to {TRAIN - 1}", "validation": f"seeds 0 to {VALIDATION - 1}"}
    seen = seen_photographs(rooms[0] if rooms else None)
    ship(checkpoint, validation, seen, about, out)


if __name__ == "__main__":
    main()
