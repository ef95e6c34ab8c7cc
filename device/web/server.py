"""Serves the page until the program is told to stop."""

from __future__ import annotations

import asyncio
import ipaddress
import socket

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

from ..errors import BadConfig

#: Seconds that open connections are given when the program stops.
GOODBYE_S = 2

#: Seconds in which a connection has to bring a whole request, at first and after each answer.
REQUEST_S = 20.0

#: Connections at a time, of all browsers together and from one address; a browser opens six.
MOST = 400
MOST_FROM_ONE = 64


class Punctual(H11Protocol):
    """A connection that doesn't keep others out: uvicorn waits for a first request for ever."""

    _due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """One more; too many from one address are not even listened to."""
        super().connection_made(transport)
        if self._is_one_of_too_many():
            transport.abort()
        else:
            self._wait_or_not()

    def data_received(self, data: bytes) -> None:
        """Some of a request, or the last of it."""
        super().data_received(data)
        self._wait_or_not()

    def on_response_complete(self) -> None:
        """The next request is waited for."""
        super().on_response_complete()
        self._wait_or_not()

    def connection_lost(self, exc: Exception | None) -> None:
        """The browser has gone."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait_or_not(self) -> None:
        cycle = self.cycle
        if cycle is not None and not cycle.more_body and not cycle.response_complete:
            self._stop_waiting()  # asked, and not answered yet
        elif self._due is None and not self.transport.is_closing():
            self._due = self.loop.call_later(REQUEST_S, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None

    def _is_one_of_too_many(self) -> bool:
        """Whether so many others from the same address are here; a proxy is on this machine."""
        if self.client is None or ipaddress.ip_address(self.client[0]).is_loopback:
            return False
        return sum(_host(each) == self.client[0] for each in self.connections) > MOST_FROM_ONE


def _host(connection: object) -> str:
    client = getattr(connection, "client", None)
    return client[0] if client else ""


def bind(host: str, port: int) -> socket.socket:
    """A socket for the page, at which one may already knock.

    Raises:
        BadConfig: somebody else has it, or there is no such address.
    """
    try:
        family, kind, proto, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        made = socket.socket(family, kind, proto)
        try:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            made.bind(address)
            made.listen(128)  # whoever comes before the server is up waits
        except OSError:
            made.close()
            raise
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        expected = "an address of this machine and a free port"
        raise BadConfig(reason, f"{host}:{port}", expected) from error
    return made


def server(app: Starlette) -> uvicorn.Server:
    """A server for the application; ``run(sockets=[...])`` serves."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,  # addresses of spectators are nobody's business
            server_header=False,
            timeout_graceful_shutdown=GOODBYE_S,
            http=Punctual,
            ws="none",
            timeout_keep_alive=round(REQUEST_S),
            h11_max_incomplete_event_size=16 * 1024,
            limit_concurrency=MOST,
        )
    )
