"""The settings' file as `toreshi serve` takes it: what the command line names counts more."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ..config import KeepSettings, Settings, read_settings

if TYPE_CHECKING:
    from ..appliance import Unfinished
    from ..source import Wish
    from ..web.plan import Plan

#: Folder of the games inside the one of everything that is kept.
GAMES = "games"


def with_settings(context: click.Context, source: str, options: dict[str, Any]) -> tuple[str, Any]:
    """Source and settings; options that were not named are taken from the file.

    Raises:
        BadConfig: a file that can't be used.
    """
    if options["config"] is None:
        return source, None
    settings = read_settings(options["config"])
    table, page = settings.table, settings.page
    given: dict[str, Any] = {
        "game": table.game,
        "mode": table.mode,
        "clock": table.clock,
        "white": table.white,
        "black": table.black,
        "event": table.event,
        "white_at": table.white_at,
        "kings": table.kings,
        "signals": settings.signals.lamps,
        "out": Path(settings.keep.folder) / GAMES,
        "host": page.host,
        "port": page.port,
        "access": page.access,
        "reading": page.reading,
        "lang": settings.language or "en",
    }
    for name, value in given.items():
        if not _named(context, name):
            options[name] = value
    return source if _named(context, "source") else settings.camera.source, settings


def _named(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) not in (None, ParameterSource.DEFAULT)


def wish_of(settings: Settings | None, games: Path) -> Wish | None:
    """What a camera is asked for; as a service one that isn't there is waited for."""
    from ..source import Wish

    if settings is None:
        return None
    camera = settings.camera
    memory = games / ".camera.json" if camera.lock else None
    return Wish((camera.width, camera.height), camera.fps, memory, camera.lock, patient=True)


def keep_of(settings: Settings | None) -> tuple[float, float]:
    """For how many days pictures are kept and how many megabytes of them."""
    keep = KeepSettings() if settings is None else settings.keep
    return keep.picture_days, keep.picture_megabytes


def plan_of(broken_off: Unfinished) -> Plan:
    """The plan of a game that is gone on with."""
    from ..web.plan import Plan

    setup = broken_off.past.setup
    tags = {str(k): str(v) for k, v in dict(broken_off.past.head.get("tags", {})).items()}
    return Plan(
        setup.game,
        setup.fen,
        setup.mode,
        setup.clock,
        tags.get("White", ""),
        tags.get("Black", ""),
        tags.get("Event", ""),
        setup.white_at,
        setup.kings,
        "" if "?" in (day := tags.get("Date", "")) else day.replace(".", "-"),
    )
