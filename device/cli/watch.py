"""``toreshi watch``."""

from __future__ import annotations

import json
import math
import time
from contextlib import ExitStack
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rules.games import NAMES, by_name

from .. import journal
from ..date import date_of_record
from ..errors import BadConfig, BadJournal
from ..family import family_of
from ..journal import Past
from ..modes import MODES
from ..session_values import Json, Setup
from . import one_line
from .narrate import line
from .speech import lang_option, spoken

if TYPE_CHECKING:
    from ..app import Eyes
    from ..source import Source

_FILE = click.Path(path_type=Path)

#: Options that say something of one family only.
_NOT_NARDI = ("calibration", "weights", "clock")
_ONLY_NARDI = ("draughts", "a game of nardi")

#: What was learned of the set, in a game's folder.
CALIBRATION = "calibration.json"


class _Pace(click.FloatRange):
    """A number of pictures a second; ``nan`` lies in every range that click checks."""

    def convert(self, value: Any, *rest: Any) -> float:
        pace = float(super().convert(value, *rest))
        if math.isnan(pace):
            self.fail(f"{value} is not a number.", *rest)
        return pace


@click.command()
@click.argument("source")
@click.option("--game", required=True, metavar="G", help=f"One of {', '.join(NAMES)}.")
@click.option("--start", type=_FILE, help="A picture of the same set in its start position.")
@click.option("--calibration", type=_FILE, help="A file that toreshi calibrate wrote.")
@click.option("--fen", help="The first position; the game's own start without it.")
@click.option(
    "--white-at",
    type=click.Choice(("bottom", "top", "left", "right")),
    help="Edge of the picture at which White sits; found out without it.",
)
@click.option("--fps", type=_Pace(0.1, 1000), help="Pictures a second of a folder.")
@click.option("--out", type=_FILE, help="Folder for record, journal and pictures.")
@click.option("--signals", default="console", help="console, gpio or none.")
@click.option(
    "--kings",
    type=click.Choice(("auto", "marked", "unmarked")),
    default="auto",
    show_default=True,
    help="Whether kings are marked so that a camera sees it.",
)
@click.option(
    "--mode",
    type=click.Choice(tuple(MODES)),
    default="home",
    show_default=True,
    help="How strictly the referee speaks, and to whom.",
)
@click.option("--clock", default="", help="Our clocks: 15, 25+5, 15d5, 40/90+30,30+30; or club.")
@click.option("--resume", is_flag=True, help="Go on with the game in --out after a power cut.")
@click.option("--rules", default="", help="A club's settings of nardi: 'split=counts'.")
@click.option("--weights", type=_FILE, help="Another network than the one of the package.")
@click.option("--white", default="", help="Name of the player with White.")
@click.option("--black", default="", help="Name of the player with Black.")
@click.option("--event", default="", help="Name of the tournament.")
@click.option("--json", "as_json", is_flag=True, help="Events as JSON lines on standard output.")
@lang_option
@click.pass_context
def command(context: click.Context, /, source: str, **options: Any) -> None:
    """Follow a game.

    SOURCE is pi, usb:0, an rtsp:// or http:// address, a video file, or a folder of pictures in
    name order.  Without --fps each picture of a folder shows a settled position.
    """
    bad = watch(source, options)
    for error in bad:
        click.echo(f"toreshi: {one_line(str(error))}", err=True)
    context.exit(2 if bad else 0)


def watch(source: str, options: dict[str, Any]) -> list[Any]:
    """Run the referee over a source; the pictures that couldn't be read.

    Raises:
        ToreshiError: bad input, or hardware that is missing.
    """
    # what is quick to refuse comes before what is slow to load
    game = by_name(options["game"])
    _refuse(options, game.family == "nardi")
    family = family_of(options["game"])
    family.begin(_setup(options, settled=False))
    if options["fen"] is not None:
        game.read(options["fen"])
    from ..app import Watch
    from ..source import open_source
    from .signalling import signaller_for

    with ExitStack() as stack:
        camera = open_source(source, options["fps"])
        stack.callback(camera.close)
        folder = options["out"] or Path("toreshi-games") / time.strftime("%Y-%m-%d-%H%M%S")
        nardi = game.family == "nardi"
        eyes, refused = _nardi_eyes(options, camera) if nardi else _eyes(options, folder)
        setup = replace(_setup(options, camera.settled), alarms=not refused)
        signaller = signaller_for(options["signals"], volume=MODES[options["mode"]].volume)
        about = {"toreshi": version("toreshi"), "source": source}
        told = spoken(options["lang"])
        publish = _as_json if options["as_json"] else lambda event: click.echo(line(event, told))
        past = _past(folder, setup) if options["resume"] else None
        run = Watch(setup, eyes, signaller, folder, publish, about, _tags(options), past)
        stack.callback(run.close)
        try:
            bad = run.run(camera.frames())
        except KeyboardInterrupt:
            run.finish()
            bad = []
        if not options["as_json"]:
            record = "game.txt" if game.family == "nardi" else "game.pdn"
            click.echo(f"record {folder / record}, journal {folder / 'journal.jsonl'}")
    return bad


def _refuse(options: dict[str, Any], nardi: bool) -> None:
    """Say which options don't go together.

    Raises:
        BadConfig: some don't.
    """
    for name in _NOT_NARDI if nardi else ("rules",):
        if options[name]:
            games = ("nardi", "an option that nardi has") if nardi else _ONLY_NARDI
            raise BadConfig(f"--{name} with {games[0]}", "watch", games[1])
    if options["start"] and options["calibration"]:
        raise BadConfig("both --start and --calibration", "watch", "one of them")
    if options["resume"] and options["out"] is None:
        raise BadConfig("--resume without --out", "watch", "the folder of the game to go on with")


def _eyes(options: dict[str, Any], folder: Path) -> tuple[Eyes, bool]:
    """The eyes of a draughts board, and whether a start picture was given in vain."""
    from ..eyes import WatchingEyes, open_eyes
    from ..session import begin

    size = begin(_setup(options, settled=False)).game.board.size
    files = (options["weights"], options["start"], options["calibration"] or _kept(options))
    eyes = open_eyes(size, *files, warn=_warn)
    if isinstance(eyes, WatchingEyes):
        folder.mkdir(parents=True, exist_ok=True)
        eyes.keep_at(folder / CALIBRATION)
    return eyes, eyes.refused


def _nardi_eyes(options: dict[str, Any], camera: Source) -> tuple[Eyes, bool]:
    from ..nardi.close_up import taker
    from ..nardi.eyes import open_eyes

    return open_eyes(options["start"], _warn, taker(lambda: camera))


def _setup(options: dict[str, Any], settled: bool) -> Setup:
    """What is settled before the first frame, as the options say it."""
    return Setup(
        options["game"],
        options["fen"] or "",
        options["white_at"] or "",
        settled=settled,
        kings=options["kings"],
        mode=options["mode"],
        clock=options["clock"],
        rules=options["rules"],
    )


def _kept(options: dict[str, Any]) -> Path | None:
    """The calibration in the folder of a game that goes on."""
    if not options["resume"] or options["start"]:
        return None
    kept: Path = options["out"] / CALIBRATION
    return kept if kept.exists() else None


def _past(folder: Path, setup: Setup) -> Past | None:
    """The journal to go on with; None where there is none yet.

    Raises:
        BadJournal: it can't be read, or is one of another game.
    """
    path = folder / "journal.jsonl"
    if not path.exists():
        return None
    past = journal.read(path)
    if past.torn:
        _warn(f"{path}: the end was cut off; {past.torn} bytes are left out")
    if past.setup.game != setup.game:
        raise BadJournal(f"a game of {past.setup.game}", str(path), f"one of {setup.game}")
    return past


def _warn(line: str) -> None:
    click.echo(f"toreshi: {line}", err=True)


def _tags(options: dict[str, Any]) -> dict[str, str]:
    named = {name.title(): options[name] for name in ("event", "white", "black") if options[name]}
    return {**named, "Date": date_of_record()}


def _as_json(event: Json) -> None:
    click.echo(json.dumps(event, ensure_ascii=False))
