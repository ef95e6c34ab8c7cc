"""The server's own limits: connections that ask nothing, that trickle, or that are too many."""

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from uvicorn import Config
from uvicorn.server import ServerState

from device.web import server as served
from device.web.server import MOST_FROM_ONE, Punctual, bind, server

LIMIT_S = 0.5


async def hello(request: Request) -> Response:
    await request.body()
    return PlainTextResponse("hello")


async def slow(request: Request) -> Response:
    """Lines for three times as long as a request may take."""

    async def lines() -> Any:
        for _ in range(6):
            await asyncio.sleep(LIMIT_S / 2)
            yield "line\n"

    return StreamingResponse(lines())


APP = Starlette(routes=[Route("/", hello, methods=["GET", "POST"]), Route("/slow", slow)])


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    monkeypatch.setattr(served, "REQUEST_S", LIMIT_S)
    monkeypatch.setattr(served, "MOST", 40)
    socket = bind("127.0.0.1", 0)
    running = server(APP)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [socket]}, daemon=True)
    thread.start()
    yield socket.getsockname()[1]
    running.should_exit = True
    thread.join(20)
    socket.close()
    assert not thread.is_alive()


Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def gone(line: Line) -> bool:
    """Whether the server hangs up, in ten times the time that it may take."""
    try:
        async with asyncio.timeout(10 * LIMIT_S):
            while await line[0].read(1000):
                pass
    except ConnectionError:
        pass
    except TimeoutError:
        return False
    finally:
        line[1].close()
    return True


async def asked(port: int, path: str = "/") -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    got = await reader.read()
    writer.close()
    return got


def test_connections_that_ask_nothing_keep_nobody_out_for_long(port: int) -> None:
    async def crowd() -> None:
        lines = [await asyncio.open_connection("127.0.0.1", port) for _ in range(60)]
        assert b" 503 " in await asked(port), "they are too many"
        assert all(await asyncio.gather(*(gone(line) for line in lines)))
        assert b"hello" in await asked(port)

    asyncio.run(crowd())


@pytest.mark.parametrize(
    ("begins", "drips"),
    [
        (b"GET / HTTP/1.1\r\n", b"a"),
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n", b"a"),
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b""),
    ],
    ids=["head", "body", "nothing-after-an-answer"],
)
def test_a_request_that_trickles_is_cut_off(port: int, begins: bytes, drips: bytes) -> None:
    async def trickle() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)

        async def drip() -> None:
            while drips:
                await asyncio.sleep(LIMIT_S / 5)
                writer.write(drips)

        writer.write(begins)
        dripping = asyncio.create_task(drip())
        assert await gone((reader, writer))
        dripping.cancel()

    asyncio.run(trickle())


def test_an_answer_takes_as_long_as_it_takes(port: int) -> None:
    assert asyncio.run(asked(port, "/slow")).count(b"line") == 6


class Wire(asyncio.Transport):
    """One end of a connection with an address."""

    def __init__(self, address: str) -> None:
        super().__init__({"peername": (address, 50000), "sockname": ("10.0.0.1", 80)})
        self.cut = False

    def abort(self) -> None:
        self.cut = True

    def close(self) -> None:
        self.cut = True

    def is_closing(self) -> bool:
        return self.cut


@pytest.mark.parametrize(
    ("address", "kept"), [("10.0.0.7", MOST_FROM_ONE), ("fe80::7", MOST_FROM_ONE), ("::1", 200)]
)
def test_one_address_leaves_room_for_others(address: str, kept: int) -> None:
    async def crowd() -> None:
        state, config = ServerState(), Config(APP, ws="none", log_level="critical")

        def knock(who: str) -> Wire:
            line = Punctual(config, state, {})
            wire = Wire(who)
            line.connection_made(wire)
            if wire.cut:
                state.connections.discard(line)
            lines.append(line)
            return wire

        lines: list[Punctual] = []
        wires = [knock(address) for _ in range(200)]
        assert sum(not wire.cut for wire in wires) == kept
        assert not knock("10.0.0.8").cut
        for line in lines:
            line.connection_lost(None)

    asyncio.run(crowd())
