"""Serves the page until the program is told to stop."""

from __future__ import annotations

import socket

import uvicorn
from starlette.applications import Starlette

from ..errors import BadConfig

#: Seconds that open connections are given when the program stops.
GOODBYE_S = 2


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
            timeout_keep_alive=30,
            h11_max_incomplete_event_size=16 * 1024,
            limit_concurrency=400,
        )
    )
