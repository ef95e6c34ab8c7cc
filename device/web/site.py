"""The application: routes, what stands before them, and what begins and ends with it."""

from __future__ import annotations

import logging
import socket
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from . import api, pages
from .asking import Site
from .events import Bells, Texts, events
from .guard import Guard, TooLong
from .words import STATIC

log = logging.getLogger(__name__)

POST = ["POST"]

ROUTES = [
    Route("/", pages.board),
    Route("/table", pages.big),
    Route("/setup", pages.setup),
    Route("/health", pages.health),
    Route("/join", pages.join),
    Route("/games", pages.past),
    Route("/games/{name}", pages.one),
    Route("/games/{name}/{file}", pages.download),
    Route("/favicon.ico", pages.icon),
    Route("/manifest.webmanifest", pages.manifest),
    Route("/api/state", api.state),
    Route("/api/events", events),
    Route("/api/health", api.health),
    Route("/api/camera.jpg", api.board_picture),
    Route("/api/whole.jpg", api.whole_picture),
    Route("/api/position", api.position),
    Route("/api/look", api.look),
    Route("/api/qr/{side}", api.qr),
    Route("/api/command", api.command, methods=POST),
    Route("/api/correct", api.correct, methods=POST),
    Route("/api/prepare", api.prepare, methods=POST),
    Route("/api/calibrate", api.calibrate, methods=POST),
    Route("/api/begin", api.begin, methods=POST),
    Route("/api/login", api.log_in, methods=POST),
    Route("/api/logout", api.log_out, methods=POST),
    Route("/api/join", api.join, methods=POST),
]


def own_names(more: Collection[str] = ()) -> set[str]:
    """The names under which this machine is asked for, besides its addresses."""
    host = socket.gethostname().lower()
    return {"localhost", "toreshi.local", "toreshi", host, f"{host}.local", *more}


def make_site(site: Site, names: Collection[str]) -> Starlette:
    """The application for one table.

    Args:
        site: what its pages share.
        names: names of this machine; any other one is refused.
    """

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        app.state.bells.close()

    app = Starlette(
        routes=[*ROUTES, Mount("/static", StaticFiles(directory=STATIC))],
        middleware=[Middleware(Guard, names=names)],
        exception_handlers={
            404: _missing,
            TooLong: _too_long,
            TimeoutError: _too_slow,
            500: _failed,
        },
        lifespan=lifespan,
    )
    app.state.site = site
    app.state.bells = Bells(site.table.broadcast)
    app.state.texts = Texts(site.table)
    return app


async def _missing(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return pages.missing(request)


async def _too_long(request: Request, error: Exception) -> Response:
    return PlainTextResponse("too long", 413)


async def _too_slow(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": "the referee is busy; try again"}, 503)


async def _failed(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": "the page has failed; its log says why"}, 500)
