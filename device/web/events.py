"""Server-sent events: each browser is given every event once, and what is shown now.

An event's id is the run of the program and its number.  A browser that comes back says the last
id that it had, and is given all that it missed; from another run, or after too long, it is given
what is shown now, which has everything in it.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from ..broadcast import Broadcast, Missed
from . import words
from .asking import lang_of, needs, refuse, role_of, site_of
from .foreign import N_
from .parts import Shown, encoded
from .roles import Role
from .showing import event_for, shown_to
from .table import Table

#: Seconds of silence after which a line says that we are still here.
STILL_HERE_S = 15.0

#: Milliseconds that a browser waits before it comes back.
COME_BACK_MS = 1000

#: So many browsers at a time.
MOST = 250

_ID = re.compile(r"([0-9a-f]{8})-(\d{1,12})")


class Bells:
    """Wakes waiting browsers, each in its own event loop, when the broadcast has something new."""

    def __init__(self, broadcast: Broadcast) -> None:
        self._waiting: dict[asyncio.Event, asyncio.AbstractEventLoop] = {}
        self._lock = threading.Lock()
        self._hang_up = broadcast.listen(self._ring)
        self.closed = False

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self) -> asyncio.Event:
        """A bell for one browser."""
        bell = asyncio.Event()
        with self._lock:
            self._waiting[bell] = asyncio.get_running_loop()
        return bell

    def remove(self, bell: asyncio.Event) -> None:
        """The browser has gone."""
        with self._lock:
            self._waiting.pop(bell, None)

    def close(self) -> None:
        """Send everybody home."""
        self._hang_up()
        self.closed = True
        self._ring()

    def _ring(self) -> None:
        with self._lock:
            loops = set(self._waiting.values())
        for loop in loops:
            with suppress(RuntimeError):  # the loop was closed between two events
                loop.call_soon_threadsafe(self._wake, loop)

    def _wake(self, mine: asyncio.AbstractEventLoop) -> None:
        with self._lock:
            bells = [bell for bell, loop in self._waiting.items() if loop is mine]
        for bell in bells:
            bell.set()


class Texts:
    """What is shown as text, made once for all browsers of one language and kind of role."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._made: dict[tuple[str, bool], tuple[int, str]] = {}

    def now(self, lang: str, role: Role) -> tuple[int, str]:
        """Version and text of what is shown now."""
        shown: Shown = self._table.shown
        key = lang, role.arbiter
        made = self._made.get(key)
        if made is None or made[0] != shown.version:
            text = encoded(words.say(shown_to(shown.values, role), lang))
            made = self._made[key] = shown.version, text
        return made


@needs("reader")
async def events(request: Request) -> Response:
    """The stream."""
    bells: Bells = request.app.state.bells
    if len(bells) >= MOST:
        return refuse(request, 503, N_("Too many are looking on; try again later."))
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    if request.method == "HEAD":
        return Response(media_type="text/event-stream", headers=headers)
    known = request.headers.get("last-event-id", "") or request.query_params.get("since", "")
    stream = _stream(request, bells, known)
    return StreamingResponse(stream, media_type="text/event-stream", headers=headers)


async def _stream(request: Request, bells: Bells, known: str) -> AsyncIterator[str]:
    table, texts = site_of(request).table, request.app.state.texts
    lang = lang_of(request)
    place = table.broadcast.subscribe(_number(known, table.broadcast))
    run = table.broadcast.run
    bell, sent = bells.add(), -1
    try:
        yield f"retry: {COME_BACK_MS}\n\n"
        while not bells.closed:
            bell.clear()
            role = role_of(request)  # an arbiter may have logged out meanwhile
            if not role.reads:
                return
            taken = place.take()
            for item in () if isinstance(taken, Missed) else taken:
                if item.event.get("event") == "view":
                    continue
                if event_for(table.shown.values, role, item.event):
                    told = words.say(item.event, lang)
                    yield _line("told", f"{run}-{item.number}", encoded(told))
            version, text = texts.now(lang, role)
            if version != sent:
                sent = version
                yield _line("state", f"{run}-{place.number}", text)
            clocks = table.clocks
            if clocks is not None:
                yield f"event: clock\ndata: {encoded(clocks)}\n\n"
            with suppress(TimeoutError):
                await asyncio.wait_for(bell.wait(), STILL_HERE_S)
                continue
            yield ": still here\n\n"
    finally:
        bells.remove(bell)


def _number(known: str, broadcast: Broadcast) -> int | None:
    """The number in a browser's last id; None for no id of this run."""
    found = _ID.fullmatch(known)
    if found is None or found.group(1) != broadcast.run:
        return None
    return int(found.group(2))


def _line(kind: str, number: str, data: Any) -> str:
    return f"event: {kind}\nid: {number}\ndata: {data}\n\n"
