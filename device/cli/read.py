"""``toreshi read``: what stands on the board in pictures."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np

from rules.draughts.game import DraughtsGame
from rules.draughts.position import Position
from rules.games import NAMES
from vision.answer import Answer, answer
from vision.calibrate import Calibration, Refusal, load_calibration
from vision.frame import Frame
from vision.model import SquareModel
from vision.perceiver import Perceiver
from vision.pictures import read_picture

from ..errors import BadConfig
from ..weights import weights_path
from . import BAD_INPUT, one_line
from .read_common import OUTSIDE, Points, heading, outside, row_of

#: A corner farther away than this many pixels was never clicked; ``nan`` is farther than any.
FARTHEST = 100_000


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads pictures one by one, each for itself.

    Attributes:
        size: squares along one edge.
        model: the network.
        calibration: of the set in the pictures, when there is one.
        corners: given by a person for all pictures.
        game: for writing positions; None when only the size is known.
        overlay: folder for marked pictures.
    """

    size: int
    model: SquareModel
    calibration: Calibration | None = None
    corners: Points | None = None
    game: DraughtsGame | None = None
    overlay: Path | None = None

    def said(self, frame: Frame, name: str) -> dict[str, Any]:
        """What the contract's JSON line says of a picture."""
        said = self._answer(frame)
        if self.overlay is not None:
            _draw(frame, said, self.overlay / f"{name}.png")
        return {
            "status": said.status,
            "reason": said.reason,
            "corners": None if said.corners is None else [list(c) for c in said.corners],
            "grid": list(said.grid) or None,
            "confidence": [list(r) for r in said.confidence] or None,
            "fen": self._fen(said),
        }

    def _answer(self, frame: Frame) -> Answer:
        if self.corners is not None and outside(self.corners, frame):
            return Answer("not-found", OUTSIDE, None, (), ())
        eyes = Perceiver(self.size, self.model, self.calibration, self.corners)
        return answer(eyes.see(frame), self.calibration is not None)

    def _fen(self, said: Answer) -> str | None:
        """The position, White to move, once it is known which way the board lies."""
        if self.game is None or self.calibration is None or said.status != "read":
            return None
        board = self.game.board
        turned = np.rot90(np.array([list(row) for row in said.grid]), self.calibration.turns)
        pieces = {
            board.at(row, col): str(turned[row, col])
            for row, col in np.argwhere(turned != ".").tolist()
        }
        return None if 0 in pieces else self.game.write(Position.of(pieces, "w"))


def _draw(frame: Frame, said: Answer, path: Path) -> None:
    """The picture with its corners and what was read on every square."""
    image = frame.image.copy()
    if said.corners is not None:
        n = len(said.grid)
        square = np.array([[0, 0], [n, 0], [n, n], [0, n]], np.float32)
        to_image = cv2.getPerspectiveTransform(square, np.array(said.corners, np.float32))
        outline = np.array(said.corners, np.int32).reshape(1, -1, 2)
        cv2.polylines(image, list(outline), True, (0, 200, 0), 2, cv2.LINE_AA)
        for row, line in enumerate(said.grid):
            for col, letter in enumerate(line):
                middle = np.array([[[col + 0.5, row + 0.5]]], np.float32)
                x, y = cv2.perspectiveTransform(middle, to_image)[0, 0]
                if letter != ".":
                    at = (int(x) - 8, int(y) + 8)
                    cv2.putText(image, letter, at, 0, 0.8, (0, 0, 0), 4, cv2.LINE_AA)
                    cv2.putText(image, letter, at, 0, 0.8, (0, 230, 255), 2, cv2.LINE_AA)
    path.parent.mkdir(parents=True, exist_ok=True)
    cv2.imencode(".png", image)[1].tofile(path)


def parse_corners(text: str) -> Points:
    """Four points from ``x,y x,y x,y x,y``."""
    try:
        points = [[float(v) for v in pair.split(",")] for pair in text.split()]
    except ValueError:
        points = []
    if (
        len(points) != 4
        or any(len(p) != 2 for p in points)
        or not all(abs(v) <= FARTHEST for p in points for v in p)
    ):
        raise BadConfig(f"corners '{text}'", "--corners", "four points: x,y x,y x,y x,y")
    return points


def board_of(name: str | None, size: int | None) -> tuple[DraughtsGame | None, int]:
    """The game, when one is named, and the squares along its board's edge."""
    if name is None:
        if size is None:
            raise BadConfig("neither a game nor a size", "read", "--game or --size")
        return None, size
    game = DraughtsGame.by_name(name)
    if size not in (None, game.board.size):
        raise BadConfig(f"size {size}", "--size", f"{game.board.size}, the board of {name}")
    return game, game.board.size


def calibration_from(
    model: SquareModel, size: int, start: Path | None, file: Path | None
) -> tuple[Calibration | None, str]:
    """What is known of the set, and why a start picture was of no use, if so."""
    if file is not None:
        return load_calibration(file, model, size), ""
    if start is None:
        return None, ""
    learned = Perceiver(size, model).calibrate(read_picture(start))
    if isinstance(learned, Refusal):
        return None, f"{start}: not learned from: {learned.reason}; {learned.remedy}"
    return learned, ""


def _say(row: dict[str, Any]) -> str:
    """The answer for a person."""
    lines = [heading(row), *(f"  {' '.join(line)}" for line in row.get("grid") or [])]
    if row.get("fen"):
        lines.append(f"  {row['fen']}")
    return "\n".join(lines)


@click.command()
@click.argument("images", nargs=-1, required=True, metavar="IMAGE...")
@click.option("--game", metavar="G", help=f"One of {', '.join(NAMES)}.")
@click.option("--size", type=click.Choice(["8", "10"]), help="Squares along an edge.")
@click.option("--start", type=click.Path(path_type=Path), help="The start position of this set.")
@click.option("--calibration", type=click.Path(path_type=Path), help="From toreshi calibrate.")
@click.option("--corners", metavar="'x,y x,y x,y x,y'", help="Skip the search for the board.")
@click.option("--weights", type=click.Path(path_type=Path), help="Another network.")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON for each picture.")
@click.option("--overlay", type=click.Path(path_type=Path), help="Folder for marked pictures.")
def command(
    images: Sequence[str],
    game: str | None,
    size: str | None,
    start: Path | None,
    calibration: Path | None,
    corners: str | None,
    weights: Path | None,
    as_json: bool,
    overlay: Path | None,
) -> int:
    """Say what stands on the board in pictures."""
    places = None if corners is None else parse_corners(corners)
    if game == "nardi":
        if size or calibration or weights:
            raise BadConfig("a size, calibration or weights", "nardi", "--start and --corners only")
        from . import read_nardi

        eyes, note = read_nardi.open_reader(start, places, overlay)
        return _tell(images, eyes.said, read_nardi.say, as_json, note)
    played, edge = board_of(game, None if size is None else int(size))
    model = SquareModel(weights or weights_path())
    learned, note = calibration_from(model, edge, start, calibration)
    reader = Reader(edge, model, learned, places, played, overlay)
    return _tell(images, reader.said, _say, as_json, note)


def _tell(
    images: Sequence[str],
    said: Callable[[Frame, str], dict[str, Any]],
    say: Callable[[dict[str, Any]], str],
    as_json: bool,
    note: str,
) -> int:
    """Answer every picture on a line of its own."""
    if note:
        click.echo(note, err=True)
    failed = False
    for image in images:
        row = row_of(image, said)
        if row["status"] == "error":
            failed = True
            click.echo(f"toreshi: {one_line(row['reason'])}", err=True)
        click.echo(json.dumps(row) if as_json else say(row))
    return BAD_INPUT if failed else 0
