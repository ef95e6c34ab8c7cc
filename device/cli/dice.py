"""``toreshi dice``: what lies on top of the dice in pictures."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from rules.errors import ToreshiError
from vision.dice import find_dice, status_of
from vision.dice_model import DiceModel
from vision.pictures import read_picture

from ..errors import BadConfig
from ..weights import weights_path
from . import BAD_INPUT, one_line

#: The file of the networks of dice.
DICE = "dice.onnx"

#: No die of a board game is smaller or larger in any picture, pixels.
_EDGES = (4.0, 2000.0)


def row(path: str, model: DiceModel, edge: float | None) -> dict[str, Any]:
    """The answer for one file, as the JSON line that the contract describes."""
    begun = time.perf_counter()
    try:
        frame = read_picture(Path(path))
    except ToreshiError as error:
        return {"file": path, "dice": [], "status": "error", "reason": str(error)}
    dice = find_dice(frame.image, model, scale=edge)
    spent = (time.perf_counter() - begun) * 1000
    return {
        "file": path,
        "dice": [{"pips": d.pips, "box": list(d.box), "p": d.p} for d in dice],
        "status": status_of(dice),
        "ms": round(spent, 1),
    }


def _say(said: dict[str, Any]) -> str:
    """The answer for a person."""
    told = ", ".join(str(d["pips"] or "?") for d in said["dice"])
    reason = said.get("reason", "")
    tail = f" ({reason})" if reason else f": {told}" if told else ""
    return one_line(f"{said['file']}: {said['status']}{tail}")


@click.command()
@click.argument("images", nargs=-1, required=True, metavar="IMAGE...")
@click.option("--edge", type=float, metavar="PIXELS", help="Edge of a die, when it is known.")
@click.option("--weights", type=click.Path(path_type=Path), help="Other networks.")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON for each picture.")
def command(images: Sequence[str], edge: float | None, weights: Path | None, as_json: bool) -> int:
    """Say what the dice in pictures show; 0 or ? is a die that can't be read."""
    if edge is not None and not _EDGES[0] <= edge <= _EDGES[1]:
        raise BadConfig(f"an edge of {edge:g} pixels", "--edge", "4 to 2000")
    model = DiceModel(weights or weights_path(DICE))
    failed = False
    for image in images:
        said = row(image, model, edge)
        if said["status"] == "error":
            failed = True
            click.echo(f"toreshi: {one_line(said['reason'])}", err=True)
        click.echo(json.dumps(said) if as_json else _say(said))
    return BAD_INPUT if failed else 0
