"""What the page's scripts ask for: the state, commands, set-up, who is who."""

from __future__ import annotations

import asyncio
import io
import math
import time
from concurrent.futures import Future
from typing import Any, TypeVar, cast

import segno
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rules.draughts.game import NAMES as DRAUGHTS
from rules.draughts.game import DraughtsGame
from rules.draughts.position import Position
from vision.calibrate import Refusal

from ..keeping import cropped
from ..session_values import NAMES, By, Name
from ..session_view import grid_of, squares_of
from . import camera, words
from .access import ARBITER_COOKIE, ARBITER_S, SIDE_COOKIE
from .asking import (
    BadRequest,
    address_of,
    body_of,
    lang_of,
    needs,
    printable,
    refuse,
    role_of,
    site_of,
)
from .foreign import N_
from .guide import guide
from .plan import plan_from
from .roles import Role, Side, may
from .showing import kept_from, shown_to

T = TypeVar("T")

#: Seconds that a question to the referee may take; calibration is the longest.
PATIENCE_S = 30.0

_BY = {"w", "b", "arbiter"}


async def answer(future: Future[T]) -> T:
    """What the referee answers."""
    return await asyncio.wait_for(asyncio.wrap_future(future), PATIENCE_S)


def role_json(role: Role) -> dict[str, Any]:
    """A role, so that a page offers what may be done."""
    return {"reads": role.reads, "sides": sorted(role.sides), "arbiter": role.arbiter}


@needs("reader")
async def state(request: Request) -> Response:
    """What is shown now."""
    site, role = site_of(request), role_of(request)
    shown = words.say(shown_to(site.table.shown.values, role), lang_of(request))
    mode = site.access.mode
    return JSONResponse({"state": shown, "role": {**role_json(role), "access": mode}})


# ---------------------------------------------------------------- commands


@needs("anybody")
async def command(request: Request) -> Response:
    """Give the session a command."""
    row = await body_of(request, name=str, value=str, by=str)
    name, by, value = row.get("name", ""), row.get("by", ""), row.get("value", "")
    if name not in NAMES or by not in _BY or len(value) > 1000:
        raise BadRequest("no such command", "body", "name, value and by as the page sends them")
    role, values = role_of(request), site_of(request).table.shown.values
    if not may(role, name, by) or kept_from(values, role, name):
        return refuse(request, 403, N_("That is for another player or the arbiter to do."))
    return await _given(request, cast("Name", name), value, cast("By", by))


@needs("arbiter")
async def correct(request: Request) -> Response:
    """Correct the position: the grid as it should be, and the side to move."""
    row = await body_of(request, grid=list, side=str)
    plan = site_of(request).table.plan
    if plan is None or plan.game not in DRAUGHTS:
        return refuse(request, 409, N_("No game is being watched."))
    game = DraughtsGame.by_name(plan.game)
    position = _position(game, row.get("grid", []), row.get("side", ""))
    return await _given(request, "correct", game.write(position), "arbiter")


async def _given(request: Request, name: Name, value: str, by: By) -> Response:
    given = await answer(site_of(request).table.command(name, value, by))
    if not given.done:
        text = given.what or N_("That can't be done now.")
        return refuse(request, 409, text, article=given.article)
    return JSONResponse({"done": True})


def _position(game: DraughtsGame, grid: list[Any], side: str) -> Position:
    size = game.board.size
    rows = [row for row in grid if isinstance(row, str) and len(row) == size]
    if len(grid) != size or len(rows) != size or side not in ("w", "b"):
        raise BadRequest("a wrong grid", "body", f"{size} rows of {size} letters, and a side")
    pieces = {}
    for row, line in enumerate(rows):
        for col, letter in enumerate(line):
            square = game.board.at(row, col)
            if letter == ".":
                continue
            if letter not in "wWbB" or not square:
                raise BadRequest("a wrong grid", "body", "pieces wWbB on playing squares")
            pieces[square] = letter
    return Position.of(pieces, cast("Side", side))


# ---------------------------------------------------------------- set-up


@needs("arbiter")
async def position(request: Request) -> Response:
    """The board of a game's first position, for drawing it."""
    name, fen = request.query_params.get("game", ""), request.query_params.get("fen", "")
    if name not in DRAUGHTS:
        raise BadRequest(f"game {printable(name)}", "game", ", ".join(DRAUGHTS))
    game = DraughtsGame.by_name(name)
    first = game.read(fen[:1000]) if fen else game.start()
    board = {"size": game.board.size, "squares": squares_of(game), "grid": grid_of(game, first)}
    return JSONResponse({**board, "fen": game.write(first), "side": first.side})


@needs("arbiter")
async def look(request: Request) -> Response:
    """What the camera sees, against the position that is wanted."""
    table = site_of(request).table
    seen, plan = table.look, table.plan
    if seen is None:
        return JSONResponse({"picture": None})
    percept = seen.percept
    told: dict[str, Any] = {
        "picture": camera.numbers(seen.frame),
        "corners": percept.corners,
        "size": getattr(percept, "size", None),
        "state": percept.geometry,
        "reason": percept.reason,
        "covered": len(percept.covered),
        "motion": percept.motion,
        "mounting": await run_in_threadpool(camera.mounting, seen.frame, percept),
        "guide": None,
    }
    if plan is not None and plan.game in DRAUGHTS:
        game = DraughtsGame.by_name(plan.game)
        wanted = game.read(plan.fen) if plan.fen else game.start()
        found = guide(percept, game, wanted, plan.white_at)
        told["guide"] = None if found is None else found.to_json()
    return JSONResponse(words.say(told, lang_of(request)))


@needs("arbiter")
async def prepare(request: Request) -> Response:
    """Look at the board only, with these settings; ends a game that is being watched."""
    row = await body_of(request, plan=dict, corners=list, search=bool)
    corners = _corners(row["corners"]) if row.get("corners") else None
    plan, search = plan_from(row.get("plan", {})), row.get("search", False)
    await answer(site_of(request).table.prepare(plan, corners, search))
    return JSONResponse({"done": True})


def _corners(given: list[Any]) -> list[list[float]]:
    try:
        corners = [[float(x), float(y)] for x, y in given]
    except (TypeError, ValueError, OverflowError):
        corners = []
    if len(corners) != 4 or not all(math.isfinite(v) and abs(v) < 1e5 for c in corners for v in c):
        raise BadRequest("wrong corners", "corners", "four points x, y in pixels")
    return corners


@needs("arbiter")
async def calibrate(request: Request) -> Response:
    """Learn the set from what stands on the board now."""
    await body_of(request)
    made = await answer(site_of(request).table.calibrate())
    if not isinstance(made, Refusal):
        return JSONResponse({"done": True})
    told = {"done": False, "reason": made.reason, "remedy": made.remedy, "squares": made.squares}
    return JSONResponse(words.say(told, lang_of(request)))


@needs("arbiter")
async def begin(request: Request) -> Response:
    """Begin a game."""
    row = await body_of(request, plan=dict)
    site = site_of(request)
    await answer(site.table.begin(plan_from(row.get("plan", {}))))
    site.access.renew_tokens()
    return JSONResponse({"done": True})


# ---------------------------------------------------------------- who is who


@needs("anybody")
async def log_in(request: Request) -> Response:
    """An arbiter shows his PIN."""
    row = await body_of(request, pin=str)
    access = site_of(request).access
    given = await run_in_threadpool(access.log_in, row.get("pin", ""), address_of(request))
    if not isinstance(given, str):
        if given > 0:
            wait = {"Retry-After": str(math.ceil(given))}
            refused = refuse(
                request, 429, "Too many wrong tries: wait a while.", wait=math.ceil(given)
            )
            refused.headers.update(wait)
            return refused
        return refuse(request, 403, N_("That is not the PIN."))
    done = JSONResponse({"done": True})
    _keep(request, done, ARBITER_COOKIE, given, ARBITER_S)
    return done


@needs("anybody")
async def log_out(request: Request) -> Response:
    """An arbiter or a player leaves."""
    await body_of(request)
    site_of(request).access.log_out(request.cookies)
    done = JSONResponse({"done": True})
    for name in (ARBITER_COOKIE, SIDE_COOKIE):
        done.delete_cookie(name, httponly=True, samesite="strict")
    return done


@needs("anybody")
async def join(request: Request) -> Response:
    """A player shows the token of his side."""
    row = await body_of(request, token=str)
    access, address = site_of(request).access, address_of(request)
    if access.tries.wait_s(address) > 0:
        return refuse(request, 429, N_("Too many wrong tries: wait a while."))
    side = access.side_of(row.get("token", ""))
    if side is None:
        access.tries.failed(address)
        return refuse(request, 403, N_("This link is of another game."))
    done = JSONResponse({"done": True, "side": side})
    _keep(request, done, SIDE_COOKIE, row["token"], ARBITER_S)
    return done


@needs("arbiter")
async def qr(request: Request) -> Response:
    """A side's link as a QR code."""
    side = request.path_params["side"]
    if side not in ("w", "b"):
        return refuse(request, 404, N_("There is no such page."))
    token = site_of(request).access.token(cast("Side", side))
    # behind the # it is sent to nobody, so that it stands in no log
    link = f"{request.url.scheme}://{request.headers['host']}/join#{token}"
    made = io.BytesIO()
    segno.make(link, error="m").save(made, kind="svg", omitsize=True, border=4, light="#fff")
    return Response(made.getvalue(), media_type="image/svg+xml")


def _keep(request: Request, response: Response, name: str, value: str, seconds: int) -> None:
    secure = request.url.scheme == "https"
    response.set_cookie(
        name, value, max_age=seconds, httponly=True, samesite="strict", secure=secure
    )


# ---------------------------------------------------------------- camera


@needs("reader")
async def health(request: Request) -> Response:
    """How the camera and the machine are."""
    table = site_of(request).table
    seen = table.look
    told: dict[str, Any] = {
        "camera": table.shown.values["camera"],
        "trouble": table.shown.values["trouble"],
        "looking": len(request.app.state.bells),
        "rate": table.rate,
        "picture": None,
    }
    if seen is not None:
        age = round(time.monotonic() - seen.taken_s, 1)
        told["picture"] = {"age": age, **camera.numbers(seen.frame)}
    return JSONResponse(words.say(told, lang_of(request)))


@needs("reader")
async def board_picture(request: Request) -> Response:
    """What the camera sees of the board."""
    return await _picture(request, whole=False)


@needs("arbiter")
async def whole_picture(request: Request) -> Response:
    """What the camera sees, for setting up."""
    return await _picture(request, whole=True)


async def _picture(request: Request, whole: bool) -> Response:
    seen = site_of(request).table.look
    if seen is None:
        return refuse(request, 404, N_("The camera gives no picture."))
    corners = seen.percept.corners
    if not whole and corners is None:
        return refuse(request, 404, N_("The camera doesn't see the board."))
    image = seen.frame.image if whole else cropped(seen.frame.image, corners)
    data = await run_in_threadpool(camera.encoded, image)
    return Response(data, media_type="image/jpeg")
