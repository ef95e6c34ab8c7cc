"""``toreshi serve``: the referee with its page."""

from __future__ import annotations

import json
import os
import signal
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rules.games import NAMES, by_name

from ..config import Settings
from ..errors import BadConfig
from ..hardware import MonotonicClock
from ..locale import LANGUAGES
from ..notify import Feeding, Notifier
from ..source import Source, Wish, is_camera, without_password
from .serve_settings import keep_of, plan_of, wish_of, with_settings

if TYPE_CHECKING:
    from ..web.access import Access
    from ..web.plan import Plan

_FILE = click.Path(path_type=Path)

#: Options that say how the game is played.
_PLANNED = ("fen", "mode", "clock", "white", "black", "event", "white_at", "kings")

#: The source that plays the demo's recorded frames.
SIMULATED = "simulated"


@click.command()
@click.argument("source", default=SIMULATED)
@click.option("--game", default="", metavar="G", help=f"One of {', '.join(NAMES)}.")
@click.option("--fen", default="", help="The first position; the game's own start without it.")
@click.option(
    "--mode",
    type=click.Choice(("home", "club", "tournament")),
    default="home",
    show_default=True,
    help="How strictly the referee speaks.",
)
@click.option(
    "--clock",
    default="",
    help="club for the club's own clock, or ours: 15, 25+5, 15d5; none without it.",
)
@click.option(
    "--white-at",
    type=click.Choice(("bottom", "top", "left", "right")),
    default=None,
    help="Edge of the picture at which White sits; found out without it.",
)
@click.option(
    "--kings",
    type=click.Choice(("auto", "marked", "unmarked")),
    default="auto",
    show_default=True,
    help="Whether kings are marked so that a camera sees it.",
)
@click.option("--white", default="", help="Name of the player with White.")
@click.option("--black", default="", help="Name of the player with Black.")
@click.option("--event", default="", help="Name of the tournament.")
@click.option("--calibration", type=_FILE, help="A file that toreshi calibrate wrote.")
@click.option("--weights", type=_FILE, help="Another network than the one of the package.")
@click.option("--signals", default="none", show_default=True, help="console, gpio or none.")
@click.option("--out", type=_FILE, default=Path("toreshi-games"), show_default=True,
              help="Folder of all games.")  # fmt: skip
@click.option("--host", default="127.0.0.1", show_default=True,
              help="Address to serve at; 0.0.0.0 for everybody on the local net.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True)
@click.option("--name", "names", multiple=True, help="One more name of this machine on the net.")
@click.option(
    "--access",
    type=click.Choice(("home", "club")),
    default="home",
    show_default=True,
    help="home: everybody may do everything; club: players by their links, the arbiter by a PIN.",
)
@click.option(
    "--reading",
    type=click.Choice(("open", "members")),
    default="open",
    show_default=True,
    help="club: whether anybody on the net may look on.",
)
@click.option("--set-pin", is_flag=True, help="Ask for the arbiter's PIN, keep its hash, and end.")
@click.option(
    "--speed", type=click.FloatRange(0.1, 100), default=1.0, help="Of a simulated source."
)
@click.option("--lang", type=click.Choice(tuple(LANGUAGES)), default="en", show_default=True,
              help="Language of browsers that ask for none of ours.")  # fmt: skip
@click.option("--config", type=_FILE, help="A file of settings; what is named here counts more.")
@click.pass_context
def command(context: click.Context, /, source: str, **options: Any) -> None:
    """Follow a game and show it in a browser.

    SOURCE is pi, usb:0, an rtsp:// or http:// address, a video file, a folder of pictures, or
    simulated, which plays a recorded game of this package over and over.
    """
    source, settings = with_settings(context, source, options)
    if options["set_pin"]:
        set_pin(options["out"])
        return
    serve(source, options, settings)


def set_pin(games: Path) -> None:
    """Ask for a new PIN and keep its hash.

    Raises:
        BadConfig: too short or too long.
    """
    from ..web.access import Access

    pin = click.prompt("PIN of the arbiter", hide_input=True, confirmation_prompt=True, type=str)
    Access(secrets_of(games), "club").set_pin(pin)
    click.echo(f"kept the hash of the PIN in {secrets_of(games)}")


def secrets_of(games: Path) -> Path:
    """Where the tokens and the hash of the PIN lie."""
    return games / ".access.json"


def serve(source: str, options: dict[str, Any], settings: Settings | None = None) -> None:
    """Serve until stopped.

    Raises:
        ToreshiError: bad input, or hardware that is missing.
    """
    from ..web.access import Access
    from ..web.makes import nardi_is_here
    from ..web.plan import plan_from

    game = options["game"] or "russian"
    plan = plan_from({"game": game, **{key: options[key] or "" for key in _PLANNED}})
    if by_name(game).family != "draughts" and not nardi_is_here():
        raise BadConfig("nardi can't be watched yet", "--game", "a draughts game")
    try:
        options["out"].mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = f"can't be made ({error.strerror})"
        raise BadConfig(reason, f"--out {options['out']}", "a folder for games") from error
    access = Access(secrets_of(options["out"]), options["access"], options["reading"])
    if options["access"] == "club" and not access.has_pin:
        raise BadConfig("no PIN for the arbiter", "--access club", "toreshi serve --set-pin first")
    with ExitStack() as stack:
        _run(source, options, plan, access, stack, settings)


def _run(
    source: str,
    options: dict[str, Any],
    plan: Plan,
    access: Access,
    stack: ExitStack,
    settings: Settings | None,
) -> None:
    from ..appliance import Appliance, unfinished
    from ..broadcast import Broadcast
    from ..web.asking import Site
    from ..web.makes import RealMakes
    from ..web.server import bind, server
    from ..web.site import make_site, own_names
    from ..web.table import Table
    from .signalling import signaller_for

    socket = bind(options["host"], options["port"])
    stack.callback(socket.close)
    live = is_camera(source)
    if not live or settings is None:  # a service waits for its camera
        open_camera(source, plan.game, options["speed"]).close()  # say at once what is wrong
    # a recorded game begins anew; over a board the game is still there
    goes_on = live or settings is not None
    broken_off = unfinished(options["out"], plan.setup()) if goes_on else None
    if broken_off is not None and broken_off.begun:
        plan = plan_of(broken_off)
    wish = wish_of(settings, options["out"])
    notifier, broadcast = Notifier(), Broadcast()
    makes = RealMakes(
        lambda: open_camera(source, plan.game, options["speed"], wish),
        lambda volume: signaller_for(
            options["signals"], pins=settings.pins if settings else None, volume=volume
        ),
        options["out"],
        {"source": without_password(source)},
        options["weights"],
        options["calibration"],
        broken_off,
        keep_of(settings),
    )
    table = Table(makes, broadcast, plan, live, Feeding(notifier).processed)
    site = Site(table, access, options["out"], options["lang"])
    app = make_site(site, own_names(options["names"]))
    # a service manager's way to end it, as Ctrl-C: lamps go out, for one that is lit lies
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    stack.callback(signal.signal, signal.SIGTERM, before)
    table.start()
    # a service goes on with its game when it is started again
    stack.callback(table.close, finish=settings is None)
    if settings is not None:
        around = Appliance(settings, notifier, MonotonicClock(), table.press, table.tell)
        stack.callback(around.close)
        around.start()
    host, port = options["host"], socket.getsockname()[1]
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::", "::1") else host
    click.echo(f"the page is at http://{shown}:{port}/ (stop with Ctrl-C)")
    with suppress(KeyboardInterrupt):  # the usual way to end it
        server(app).run(sockets=[socket])


def open_camera(source: str, game: str, speed: float, wish: Wish | None = None) -> Source:
    """The source that a person named, in its own time.

    Raises:
        BadSource, BadConfig: nothing there.
        HardwareMissing: no such camera.
    """
    from ..source import open_source
    from ..source_files import Video
    from ..source_simulated import Simulated
    from .demo import recorded

    if is_camera(source):
        return open_source(source, None, wish)
    if source == SIMULATED:
        video = recorded(game)
        about = json.loads(video.with_suffix(".json").read_text(encoding="utf-8"))
        return Simulated(Video(video, about["fps"]), speed)
    fps = 5.0 if os.path.isdir(source) else None  # noqa: PTH112 - the name may be no path at all
    return Simulated(open_source(source, fps), speed)
