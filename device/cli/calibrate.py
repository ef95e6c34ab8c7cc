"""``toreshi calibrate``: learn a set and its light from pictures of the start position."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from rules.draughts.game import DraughtsGame
from rules.games import NAMES
from vision.calibrate import Calibration, Refusal, joined, taught
from vision.errors import BadCalibration, BadPicture
from vision.frame import Frame
from vision.model import SquareModel
from vision.mounting import Check, check_mounting, to_json
from vision.perceiver import Perceiver
from vision.percept import CLASSES
from vision.pictures import read_picture
from vision.squares import Seen, read

from ..errors import BadConfig, BadSource
from ..source import open_source
from ..weights import weights_path
from .read import board_of, parse_corners

#: Pictures looked at before giving up, and pictures learned from at most.
TRIES, ENOUGH = 30, 3

#: Squares of a shown picture that may be read otherwise than is told.
FEW = 1

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


def show(eyes: Perceiver, known: Calibration, shown: str, game: str | None) -> Calibration:
    """What a further picture of told contents teaches, kings above all.

    Args:
        eyes: those that learned ``known``.
        known: what the first position taught.
        shown: ``PICTURE=FEN``.
        game: name of the game whose FEN it is.

    Raises:
        BadConfig, BadPosition, BadPicture, BadSource: it can't be used.
        BadCalibration: something else stands there than is told.
    """
    picture, sign, fen = shown.partition("=")
    if not sign or game is None:
        raise BadConfig(f"{shown!r:.60}", "--shown", "PICTURE=FEN, and --game for the FEN")
    frame = read_picture(Path(picture))
    played = DraughtsGame.by_name(game)
    cells = np.full((eyes.size, eyes.size), ".")
    for square, piece in played.read(fen).pieces().items():
        cells[played.board.cell(square)] = piece
    seen = eyes.describe(frame)
    if seen is None:
        raise BadSource("no board", picture, "a picture of the whole board, as in the others")
    turned = np.rot90(cells, -known.turns)
    others = contradictions(eyes.model, known, seen, turned.reshape(-1))
    if len(others) > FEW:
        why = Refusal(
            f"{len(others)} squares hold something else than {fen!r:.40} says",
            "say what stands in the picture",
            others,
        )
        raise BadCalibration(explain(why, eyes.size), picture)
    return taught(known, seen, ["".join(row) for row in turned])


def contradictions(
    model: SquareModel, known: Calibration, seen: Seen, told: NDArray[np.str_]
) -> tuple[int, ...]:
    """Squares, camera order, that surely hold a piece where none is told of, or the reverse."""
    empty = read(model, seen, known.support)[:, 0]
    bare = told == CLASSES[0]
    wrong = (bare & (empty < np.log(0.02))) | (~bare & (empty > np.log(0.98)))
    return tuple(int(i) for i in np.nonzero(wrong)[0])


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
@click.option(
    "--shown",
    metavar="PICTURE=FEN",
    multiple=True,
    help="A further picture, taken as the others, and what stands on it: show a king of each "
    "side near the camera and far from it.",
)
@click.option("--white-is", type=click.Choice(["lighter", "darker"]), default="lighter")
@click.option("--json", "as_json", is_flag=True, help="Answer with one line of JSON.")
def command(
    source: str,
    game: str | None,
    size: str | None,
    out: Path,
    corners: str | None,
    weights: Path | None,
    shown: tuple[str, ...],
    white_is: str,
    as_json: bool,
) -> None:
    """Learn a set and its light from pictures of the start position."""
    _, edge = board_of(game, None if size is None else int(size))
    places = None if corners is None else parse_corners(corners)
    eyes = Perceiver(edge, weights or weights_path(), corners=places)
    lesson = learn_from(eyes, source, white_is == "darker")
    learned = lesson.learned
    for each in shown:
        learned = show(eyes, learned, each, game)
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
