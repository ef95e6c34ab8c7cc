"""What stands before every page: the host's name, the origin of a change, sizes, headers."""

from __future__ import annotations

import ipaddress
from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: Bytes of a request's body; nothing that is asked here is longer.
MAX_BODY = 64 * 1024

SAFE = ("GET", "HEAD")

#: Everything comes from this machine, no script or style stands in the page itself, and no other
#: site may frame it.
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "font-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), interest-cohort=()",
}


class Guard:
    """Refuses what a browser was tricked into, and what is too long; adds headers to answers.

    Args:
        app: what stands behind.
        names: the names under which this machine may be asked for.  Addresses are always fine:
            a foreign site that points its own name here sends that name along.
    """

    def __init__(self, app: ASGIApp, names: Collection[str]) -> None:
        self._app = app
        self._names = frozenset(name.lower() for name in names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refused = self._refused(scope["method"], headers)
        if refused is not None:
            await refused(scope, receive, _with_headers(send))
            return
        await self._app(scope, _limited(receive), _with_headers(send))

    def _refused(self, method: str, headers: Headers) -> PlainTextResponse | None:
        host = headers.get("host", "")
        if not self._known(host):
            return PlainTextResponse("this machine has another name", 421)
        if method in SAFE:
            return None
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return PlainTextResponse("asked for by another site", 403)
        origin = headers.get("origin")
        if origin is not None and urlsplit_host(origin) != host.lower():
            return PlainTextResponse("asked for by another site", 403)
        if headers.get("content-type", "").split(";")[0].strip() != "application/json":
            # no other site can send this type without asking first
            return PlainTextResponse("expected application/json", 415)
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > MAX_BODY:
            return PlainTextResponse("too long", 413)
        return None

    def _known(self, host: str) -> bool:
        try:
            place = urlsplit(f"//{host}")
            name = place.hostname or ""
            _ = place.port  # one out of range raises
        except ValueError:
            return False
        if place.netloc != host or "@" in host:
            return False  # more than a name and a port
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name in self._names
        return True


def urlsplit_host(origin: str) -> str:
    """Host and port of an origin; empty for none."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


class TooLong(Exception):
    """A body that goes on after it should have ended."""


def _limited(receive: Receive) -> Receive:
    taken = 0

    async def limited() -> Message:
        nonlocal taken
        message = await receive()
        if message["type"] == "http.request":
            taken += len(message.get("body", b""))
            if taken > MAX_BODY:
                raise TooLong
        return message

    return limited


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sending
