"""``toreshi watch --game nardi``."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import ExitStack
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click

from rules.nardi.board import NAMES

from ..errors import BadConfig
from ..modes import MODES
from ..nardi.state import begin
from ..session_values import Json, Setup
from .narrate import line
from .signalling import signaller_for
from .speech import spoken

#: Options that say something of draughts only.
_NOT_HERE = ("calibration", "resume", "weights", "clock")


def watch(source: str, options: dict[str, Any]) -> list[Any]:
    """Run the referee over a source; the pictures that couldn't be read.

    Raises:
        ToreshiError: bad input, or hardware that is missing.
    """
    for name in _NOT_HERE:
        if options[name]:
            raise BadConfig(f"--{name} with nardi", "watch", "an option that nardi has")
    first = Setup("nardi", options["fen"] or "", rules=options["rules"])
    begin(first)
    from ..nardi.eyes import open_eyes
    from ..nardi.watch import NardiWatch
    from ..source import open_source

    with ExitStack() as stack:
        camera = open_source(source, options["fps"])
        stack.callback(camera.close)
        eyes, refused = open_eyes(options["start"], _warn)
        setup = Setup(
            "nardi",
            options["fen"] or "",
            options["white_at"] or "",
            settled=camera.settled,
            alarms=not refused,
            mode=options["mode"],
            rules=options["rules"],
        )
        signaller = signaller_for(options["signals"], volume=MODES[options["mode"]].volume)
        folder = options["out"] or Path("toreshi-games") / time.strftime("%Y-%m-%d-%H%M%S")
        about = {"toreshi": version("toreshi"), "source": source}
        publish = _as_json if options["as_json"] else as_text(spoken(options["lang"]))
        run = NardiWatch(setup, eyes, signaller, folder, publish, about, _tags(options))
        stack.callback(run.close)
        try:
            bad = run.run(camera.frames())
        except KeyboardInterrupt:
            run.finish()
            bad = []
        if not options["as_json"]:
            click.echo(f"record {folder / 'game.txt'}, journal {folder / 'journal.jsonl'}")
    return bad


def as_text(lang: str) -> Callable[[Json], None]:
    """What writes events as lines for a person."""
    return lambda event: click.echo(told(event, lang))


def told(event: Json, lang: str) -> str:
    """An event as a line for a person."""
    if event["event"] != "roll":
        return line(event, lang)
    dice = "-".join(str(number) for number in event["dice"])
    side = event.get("side") or ""
    name = NAMES["w" if side == "w" else "b"] if side else "opening"
    why = f": {event['reason']}" if event.get("reason") else ""
    return f"{event['t']:8.1f} s  {name} {dice}{why}"


def _warn(text: str) -> None:
    click.echo(f"toreshi: {text}", err=True)


def _as_json(event: Json) -> None:
    click.echo(json.dumps(event, ensure_ascii=False))


def _tags(options: dict[str, Any]) -> dict[str, str]:
    return {name.title(): options[name] for name in ("event", "white", "black") if options[name]}
