"""The pages themselves, and past games with their downloads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, select_autoescape
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from rules.games import NAMES

from ..locale import LANGUAGES, translator
from . import games, words
from .api import role_json
from .asking import lang_of, needs, refuse, role_of, site_of
from .foreign import N_
from .makes import nardi_is_here
from .parts import encoded
from .showing import hides, shown_to

#: Seconds that a browser keeps the language.
_YEAR_S = 365 * 24 * 3600

_environment = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=select_autoescape(default=True),
    trim_blocks=True,
    lstrip_blocks=True,
)


def _page(request: Request, name: str, status: int = 200, **more: Any) -> Response:
    lang, site, role = lang_of(request), site_of(request), role_of(request)
    speak = translator(lang)
    values = site.table.shown.values
    shown = words.say(shown_to(values, role), lang) if role.reads else None
    boot = {
        "lang": lang,
        "words": words.catalogue(lang),
        "role": {**role_json(role), "access": site.access.mode},
        "state": shown,
        "since": f"{site.table.broadcast.run}-{site.table.broadcast.last}",
        **more.pop("boot", {}),
    }
    text = _environment.get_template(name).render(
        _=speak.gettext,
        lang=lang,
        languages=LANGUAGES,
        role=role,
        access=site.access.mode,
        path=request.url.path,
        boot=_inert(boot),
        **more,
    )
    page = HTMLResponse(text, status)
    if request.query_params.get("lang") == lang:
        page.set_cookie(words.COOKIE, lang, max_age=_YEAR_S, samesite="strict")
    return page


def _inert(values: Any) -> str:
    """JSON that can stand inside a script element and never ends it."""
    text = encoded(values)
    for character, escaped in (("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026")):
        text = text.replace(character, escaped)
    return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


async def _open(request: Request, name: str, **more: Any) -> Response:
    """A page for readers; others are shown the way in."""
    if not role_of(request).reads:
        return _page(request, "closed.html", 403)
    return _page(request, name, **more)


async def board(request: Request) -> Response:
    """The live board."""
    return await _open(request, "board.html")


async def big(request: Request) -> Response:
    """The same in full screen, to be read from two metres."""
    return await _open(request, "table.html")


async def health(request: Request) -> Response:
    """How the camera is."""
    return await _open(request, "health.html")


async def setup(request: Request) -> Response:
    """The set-up wizard."""
    if not role_of(request).arbiter:
        return _page(request, "closed.html", 403)
    plan = site_of(request).table.shown.values["plan"]
    here = nardi_is_here()
    return _page(request, "setup.html", names=NAMES, nardi=here, boot={"plan": plan})


async def join(request: Request) -> Response:
    """Where a player's link leads; its script shows the token."""
    return _page(request, "join.html")


async def past(request: Request) -> Response:
    """The list of games."""
    if not role_of(request).reads:
        return _page(request, "closed.html", 403)
    rows = await run_in_threadpool(_list, site_of(request).games)
    return _page(request, "games.html", games=rows)


def _list(root: Path) -> list[dict[str, Any]]:
    return [games.summary(one) for one in games.all_games(root)]


async def one(request: Request) -> Response:
    """One past game to step through."""
    if not role_of(request).reads:
        return _page(request, "closed.html", 403)
    found = _found(request)
    read = None if found is None else await run_in_threadpool(games.steps, found)
    if read is None:
        return missing(request)
    return _page(request, "game.html", game=read, boot={"game": read})


def _found(request: Request) -> games.Past | None:
    """The game that is asked for, if it is there and for the eyes of whoever asks."""
    site, role, name = site_of(request), role_of(request), request.path_params["name"]
    values = site.table.shown.values
    if name == values["id"] and hides(values, role):
        return None
    return games.find(site.games, name)


@needs("reader")
async def download(request: Request) -> Response:
    """A file of a game."""
    found, name = _found(request), request.path_params["file"]
    if found is None:
        return refuse(request, 404, N_("There is no such game."))
    if name == "bundle.zip":
        asked = request.query_params.get("ply", "")
        ply = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 6 else None
        data = await run_in_threadpool(games.bundle, found, ply)
        return _attached(data, "application/zip", f"{found.name}.toreshi.zip")
    path = games.file_of(found, name)
    if path is None:
        return refuse(request, 404, N_("There is no such file."))
    data = await run_in_threadpool(path.read_bytes)
    if path.suffix == ".jpg":
        return Response(data, media_type="image/jpeg")
    return _attached(data, games.FILES[name], f"{found.name}-{name}")


def _attached(data: bytes, media_type: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type=media_type, headers=headers)


def missing(request: Request) -> Response:
    """There is no such page."""
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": "no such page"}, 404)
    return _page(request, "missing.html", 404)


async def icon(request: Request) -> Response:
    """Browsers ask for it by this name."""
    return RedirectResponse("/static/icon.svg", 301)


async def manifest(request: Request) -> Response:
    """So that the page can be put on a phone's home screen."""
    row = {
        "name": "Toreshi",
        "short_name": "Toreshi",
        "start_url": "/",
        "display": "standalone",
        "background_color": "#f6f3ec",
        "theme_color": "#f6f3ec",
        "icons": [{"src": "/static/icon.svg", "sizes": "any", "type": "image/svg+xml"}],
    }
    return Response(json.dumps(row), media_type="application/manifest+json")
