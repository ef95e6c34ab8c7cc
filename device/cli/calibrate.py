"""``toreshi calibrate``: learn a set and its light from pictures of the start position."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import click

from rules.games import NAMES
from vision.calibrate import Calibration, Refusal, joined
from vision.errors import BadCalibration, BadPicture
from vision.frame import Frame
from vision.mounting import Check, check_mounting, to_json
from vision.perceiver import Perceiver
from vision.pictures import read_picture

from ..errors import BadSource
from ..source import open_source
from ..weights import weights_path
from .read import board_of, parse_corners

#: Pictures looked at before giving up, and pictures learned from at most.
TRIES, ENOUGH = 30, 3

#: Log lightness between the sides below which a person had better say which one is White.
SMALL_GAP = 0.12


def pictures_from(source: str) -> Iterator[Frame | BadPicture]:
    """The pictures of a source; a single picture's file counts as one, too."""
    path = Path(source)
    if path.is_file():
        try:
            frame = read_picture(path)
        except BadPicture as error:
            if error.what != "not a picture":
                raise
        else:
            yield frame
            return
    opened = open_source(source)
    try:
        yield from opened.frames()
    finally:
        opened.close()


@dataclass(frozen=True, slots=True)
class Lesson:
    """What pictures of the start position taught, and how well the camera saw them."""

    learned: Calibration
    mounting: tuple[Check, ...]


def learn_from(eyes: Perceiver, source: str, swap: bool) -> Lesson:
    """What the first pictures that do teach.

    Raises:
        BadCalibration: none does; the last one's reason, and what is wrong with the mounting.
    """
    learned: list[Calibration] = []
    last: Refusal | BadPicture | None = None
    checks: tuple[Check, ...] = ()
    for frame in islice(pictures_from(source), TRIES):
        if isinstance(frame, BadPicture):
            last = frame
            continue
        made = eyes.calibrate(frame, swap)
        if eyes.geometry is not None:
            checks = check_mounting(frame.image, eyes.geometry)
        if isinstance(made, Calibration):
            learned.append(made)
        else:
            last = made
        if len(learned) == ENOUGH:
            break
    if learned:
        return Lesson(joined(learned), checks)
    if last is None:
        raise BadSource("no pictures", source, "a picture of the start position")
    wrong = [check.advice for check in checks if not check.ok]
    raise BadCalibration("; ".join([explain(last, eyes.size), *wrong[:1]]), source)


def explain(why: Refusal | BadPicture, size: int) -> str:
    """Reason, squares and remedy in one line."""
    if isinstance(why, BadPicture):
        return str(why)
    named = [f"row {i // size + 1} column {i % size + 1}" for i in why.squares[:4]]
    more = ", ..." if len(why.squares) > 4 else ""
    places = f" ({', '.join(named)}{more}, from the picture's top left)" if named else ""
    return f"{why.reason}{places}: {why.remedy}"


@click.command()
@click.argument("source")
@click.option("--game", metavar="G", help=f"One of {', '.join(NAMES)}.")
@click.option("--size", type=click.Choice(["8", "10"]), help="Squares along an edge.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="File to write.")
@click.option("--corners", metavar="'x,y x,y x,y x,y'", help="Skip the search for the board.")
@click.option("--weights", type=click.Path(path_type=Path), help="Another network.")
@click.option("--white-is", type=click.Choice(["lighter", "darker"]), default="lighter")
@click.option("--json", "as_json", is_flag=True, help="Answer with one line of JSON.")
def command(
    source: str,
    game: str | None,
    size: str | None,
    out: Path,
    corners: str | None,
    weights: Path | None,
    white_is: str,
    as_json: bool,
) -> None:
    """Learn a set and its light from pictures of the start position."""
    _, edge = board_of(game, None if size is None else int(size))
    places = None if corners is None else parse_corners(corners)
    eyes = Perceiver(edge, weights or weights_path(), corners=places)
    lesson = learn_from(eyes, source, white_is == "darker")
    learned = lesson.learned
    learned.save(out)
    if as_json:
        told = {"v": 1, "file": str(out), "margins": dict(learned.margins)}
        click.echo(json.dumps({**told, "mounting": to_json(lesson.mounting)["checks"]}))
        return
    click.echo(f"learned from {source}, written to {out}")
    for pair, margin in learned.margins:
        first, second = pair.split("|")
        click.echo(f"  {first} and {second}: apart by {margin:.1f} (1 is just enough)")
    if abs(learned.gap) < SMALL_GAP:
        click.echo("  the sides hardly differ in lightness: say --white-is darker if it is wrong")
    for check in lesson.mounting:
        if not check.ok:
            click.echo(f"  {check.advice}")
    if all(check.ok for check in lesson.mounting):
        click.echo("  the camera is well mounted")
