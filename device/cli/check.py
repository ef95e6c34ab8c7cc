"""``toreshi check``: is everything there that a table needs?"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import click

from rules.errors import ToreshiError
from rules.said import Said

from ..checks import (
    Finding,
    check_camera,
    check_clock,
    check_disk,
    check_models,
    check_names,
    check_power,
)
from ..config import SYSTEM, Settings, read_settings
from ..hardware import MonotonicClock, buttons_by_name
from ..locale import sentence
from ..signals import PATTERNS, Side, Signal, by_name
from .speech import lang_option, spoken, spoken_by_machines

#: Seconds for which the buttons are waited for.
BUTTONS_S = 20.0

NAMES = ("camera", "lamps", "buttons", "disk", "clock", "power", "models", "names")

SIDES: dict[Side, str] = {"w": Said("White"), "b": Said("Black")}


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(NAMES), metavar="[NAME]...")
@click.option(
    "--config", "path", type=click.Path(path_type=Path), help=f"Settings; {SYSTEM} if it is there."
)
@click.option("--source", help="Another camera than that of the settings.")
@click.option(
    "--seconds",
    type=click.FloatRange(0.5, 60),
    default=3.0,
    show_default=True,
    help="For which each signal of the lamps is shown.",
)
@click.option("--json", "as_json", is_flag=True, help="Answer with lines of JSON.")
@lang_option
def command(
    names: tuple[str, ...],
    path: Path | None,
    source: str | None,
    seconds: float,
    as_json: bool,
    lang: str | None,
) -> None:
    """Look at camera, lamps, buttons, disk, clock, power, models and names.

    Each is ok, or it says what to do.  NAME looks at only some of them.  The lamps show every
    signal in turn; buttons are waited for where somebody sits at the keyboard.
    """
    settings = _settings(path)
    speech = spoken_by_machines(lang) if as_json else spoken(lang, settings.language)
    for finding in _findings(names or NAMES, settings, source, seconds, speech):
        if as_json:
            row = {
                "v": 1,
                "name": finding.name,
                "ok": finding.ok,
                "said": sentence(finding.said, speech),
                "todo": sentence(finding.todo, speech) if finding.todo else "",
            }
            click.echo(json.dumps(row, ensure_ascii=False))
            continue
        click.echo(f"{finding.name:8} {'ok' if finding.ok else '!!'}  " + _line(finding, speech))


def _line(finding: Finding, lang: str) -> str:
    said = sentence(finding.said, lang)
    return said if finding.ok else f"{said}\n             {sentence(finding.todo, lang)}"


def _settings(path: Path | None) -> Settings:
    if path is not None:
        return read_settings(path)
    return read_settings(SYSTEM) if SYSTEM.exists() else Settings()


def _findings(
    names: tuple[str, ...], settings: Settings, source: str | None, seconds: float, lang: str
) -> Iterator[Finding]:
    looks: dict[str, Callable[[], Finding]] = {
        "camera": lambda: _camera(settings, source),
        "lamps": lambda: _lamps(settings, seconds, lang),
        "buttons": lambda: _buttons(settings, lang),
        "disk": lambda: check_disk(Path(settings.keep.folder)),
        "clock": check_clock,
        "power": check_power,
        "models": check_models,
        "names": lambda: check_names(settings),
    }
    for name in NAMES:
        if name in names:
            yield looks[name]()


def _camera(settings: Settings, source: str | None) -> Finding:
    from ..source import Wish, open_source

    camera = settings.camera
    wish = Wish((camera.width, camera.height), camera.fps)
    return check_camera(lambda: open_source(source or camera.source, None, wish))


def _lamps(settings: Settings, seconds: float, lang: str) -> Finding:
    from ..checks_table import show_signals

    if settings.signals.lamps != "gpio":
        return Finding("lamps", Said("none, by the settings"))
    try:
        signaller = by_name("gpio", settings.pins)
    except ToreshiError as error:
        return Finding("lamps", str(error), _free_the_pins())

    def say(signal: Signal, side: Side) -> None:
        pattern = PATTERNS[signal]
        who = sentence(SIDES[side], lang)
        what = f"{sentence(pattern.meaning, lang)}: {sentence(pattern.lamp.value, lang)}"
        click.echo(f"  {who}: {what}  {pattern.once}{pattern.then}", err=True)

    try:
        return show_signals(signaller, seconds, MonotonicClock(), time.sleep, say)
    finally:
        signaller.close()


def _buttons(settings: Settings, lang: str) -> Finding:
    from ..checks_table import NAMES as BUTTONS
    from ..checks_table import wait_for_buttons

    if settings.signals.buttons != "gpio":
        return Finding("buttons", Said("none, by the settings"))
    try:
        buttons = buttons_by_name("gpio", settings.pins)
    except ToreshiError as error:
        return Finding("buttons", str(error), _free_the_pins())
    wait_s = BUTTONS_S if sys.stdin.isatty() else 0.5
    click.echo("  " + sentence(Said("Press each button once."), lang), err=True)
    try:
        return wait_for_buttons(
            buttons,
            settings.pins,
            wait_s,
            MonotonicClock(),
            time.sleep,
            lambda name: click.echo(f"  {sentence(BUTTONS[name], lang)}", err=True),
        )
    finally:
        buttons.close()


def _free_the_pins() -> str:
    return Said(
        "On a Raspberry Pi: stop the service, which has the pins: sudo systemctl stop toreshi. "
        'Where nothing is wired: lamps and buttons = "none" in signals of the settings.'
    )
