"""``toreshi demo``: a drawn game through the very pipeline that watches a real board."""

from __future__ import annotations

import json
import sys
import tempfile
from contextlib import ExitStack
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rules.games import by_name

from ..errors import BadConfig
from ..session_values import Json, Setup

if TYPE_CHECKING:
    from ..app import Eyes

_FILE = click.Path(path_type=Path)


@click.command()
@click.option("--game", default="russian", show_default=True, metavar="G")
@click.option("--out", type=_FILE, help="Folder for record, journal and pictures; else a new one.")
@click.option("--signals", default="console", help="console, gpio or none.")
@click.option("--weights", type=_FILE, help="Another network than the one of the package.")
def command(game: str, out: Path | None, signals: str, weights: Path | None) -> None:
    """Play a recorded game through the whole pipeline, without hardware.

    The video was drawn by this project: a whole game with an illegal move and a missed capture
    that are put right.
    """
    video = recorded(game)
    folder = out or Path(tempfile.mkdtemp(prefix="toreshi-demo-"))
    told = play(game, video, folder, signals, weights)
    record = folder / ("game.txt" if game == "nardi" else "game.pdn")
    click.echo(record.read_text(encoding="utf-8"))
    for event in told:
        if event["event"] == "offence":
            click.echo(f"alarm at {event['t']:.1f} s, {_side(event)}: {event['message']}")
            due = ", ".join(event["due"]) or "any legal move"
            click.echo(f"    {event['article']}; due: {due}")
        if event["event"] == "resolved":
            click.echo(f"    {event['how']} at {event['t']:.1f} s")
    click.echo(f"record   {record}")
    click.echo(f"journal  {folder / 'journal.jsonl'}   (toreshi replay runs it again)")
    click.echo(f"pictures {folder / 'evidence'}")


def recorded(game: str) -> Path:
    """The video of a game that comes with the package.

    Raises:
        BadConfig: there is none of this game.
    """
    folder = Path(str(files("device"))) / "demo"
    names = sorted(path.stem for path in folder.glob("*.mjpeg"))
    if game not in names:
        raise BadConfig(f"no recorded game of '{game}'", "--game", f"one of {', '.join(names)}")
    return folder / f"{game}.mjpeg"


def play(game: str, video: Path, folder: Path, signals: str, weights: Path | None) -> list[Json]:
    """Watch the video; all events.

    Raises:
        ToreshiError: the folder can't be written, or hardware is missing.
    """
    from tqdm import tqdm

    from ..app import Watch
    from ..source_files import Video
    from .signalling import signaller_for

    told: list[Json] = []
    with ExitStack() as stack:
        eyes = _eyes(game, weights)
        about_video = json.loads(video.with_suffix(".json").read_text(encoding="utf-8"))
        camera = Video(video, about_video["fps"])
        stack.callback(camera.close)
        signaller = signaller_for(signals, _AboveTheBar(tqdm))
        about = {"toreshi": version("toreshi"), "source": video.name}
        tags = {"Event": "Toreshi demo"}
        run = Watch(Setup(game), eyes, signaller, folder, told.append, about, tags)
        stack.callback(run.close)
        count = about_video["frames"]
        # no bar where nobody looks: None leaves it to whether the stream is a terminal
        bar = tqdm(camera.frames(), total=count, unit="frame", file=sys.stderr, disable=None)
        run.run(bar)
    return told


def _eyes(game: str, weights: Path | None) -> Eyes:
    if by_name(game).family == "nardi":
        from ..nardi.eyes import open_eyes as open_nardi_eyes

        return open_nardi_eyes()[0]
    from ..eyes import open_eyes
    from ..session import begin

    return open_eyes(begin(Setup(game)).game.board.size, weights)


class _AboveTheBar:
    """A text stream that writes its lines above a progress bar."""

    def __init__(self, tqdm: Any) -> None:
        self._tqdm = tqdm

    def write(self, text: str) -> int:
        """Write one line."""
        self._tqdm.write(text.rstrip("\n"), file=sys.stderr)
        return len(text)

    def flush(self) -> None:
        """The line was written already."""


def _side(event: Json) -> str:
    return {"w": "White", "b": "Black"}[event["side"]]
