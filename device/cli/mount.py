"""``toreshi mount``: how well the camera is mounted, told while a person moves it."""

from __future__ import annotations

import json
from collections.abc import Iterable

import click

from rules.games import NAMES
from vision.errors import BadPicture
from vision.frame import Frame
from vision.geometry import BoardGeometry
from vision.locate import NotFound, cut_off, locate, refine
from vision.markers import or_by_markers
from vision.mounting import Check, check_mounting, to_json
from vision.track import furthest

from ..source import is_camera
from . import BAD_INPUT, one_line
from .calibrate import pictures_from
from .read import board_of, parse_corners
from .read_common import Points

#: A board is looked for anew when it isn't within this of where it was, squares.
NEAR = 0.8


class Looking:
    """Finds the board in picture after picture, near to where it was when it can.

    Args:
        size: squares along one edge.
        corners: that a person clicked, if any.
    """

    def __init__(self, size: int, corners: Points | None = None) -> None:
        self._size = size
        self._given = None if corners is None else BoardGeometry.from_corners(size, corners)
        self._last = self._given

    def at(self, frame: Frame) -> BoardGeometry | NotFound:
        """Where the board lies in a picture, or why it was not found."""
        found: BoardGeometry | NotFound = NotFound("no board was found yet")
        if self._last is not None:
            found = refine(frame.image, self._last)
            if isinstance(found, BoardGeometry) and furthest(found, self._last) > NEAR:
                found = NotFound("the board was moved")
        if isinstance(found, NotFound):
            found = self._given or locate(frame.image, self._size)
            if isinstance(found, NotFound):
                found = or_by_markers(frame.image, self._size, found)
            else:
                found = cut_off(found, frame.image) or found
        self._last = found if isinstance(found, BoardGeometry) else self._given
        return found


def lines(checks: Iterable[Check]) -> list[str]:
    """The checks for a person, one a line."""
    out = []
    for check in checks:
        value = f"{check.value:.2f}" if check.unit in ("squares", "share") else f"{check.value:.0f}"
        says = "ok" if check.ok else check.advice
        out.append(f"  {check.name:10s} {value:>6s} {check.unit:8s} {says}")
    return out


@click.command()
@click.argument("source")
@click.option("--game", metavar="G", help=f"One of {', '.join(NAMES)}.")
@click.option("--size", type=click.Choice(["8", "10"]), help="Squares along an edge.")
@click.option("--corners", metavar="'x,y x,y x,y x,y'", help="Skip the search for the board.")
@click.option("--every", default=1.0, show_default=True, help="Seconds between camera pictures.")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON for each picture.")
def command(
    source: str,
    game: str | None,
    size: str | None,
    corners: str | None,
    every: float,
    as_json: bool,
) -> int:
    """Say how well the camera is mounted: angle, size, sharpness, light, glare, picture by picture.

    A camera is looked through until you stop it (Ctrl-C); a file or folder once.
    """
    _, edge = board_of(game, None if size is None else int(size))
    looking = Looking(edge, None if corners is None else parse_corners(corners))
    pause = int(every * 1e9) if is_camera(source) else 0
    failed, due = False, 0
    for number, frame in enumerate(pictures_from(source)):
        if isinstance(frame, BadPicture):
            failed = True
            click.echo(f"toreshi: {one_line(str(frame))}", err=True)
            continue
        if pause and number and frame.at_ns < due:
            continue
        due = frame.at_ns + pause
        checks = check_mounting(frame.image, looking.at(frame))
        if as_json:
            click.echo(json.dumps({"picture": number, **to_json(checks)}))
        else:
            head = "ok" if all(check.ok for check in checks) else "not yet"
            click.echo("\n".join([f"picture {number + 1}: {head}", *lines(checks)]))
    return BAD_INPUT if failed else 0
