"""The stream of events under whatever browsers send and however they behave, over real sockets too.

The stream changes nothing, whoever asks; a browser that is slow, silent or gone costs nobody else
a thing, and its place is free again.
"""

import asyncio
import gc
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from device.web import events
from device.web.server import bind, server

#: Ids that a browser may send back: of this run, of another, and none at all.
ids = st.one_of(
    st.binary(max_size=40).filter(lambda raw: b"\r" not in raw and b"\n" not in raw),
    st.integers(-5, 10**15).map(lambda number: f"RUN-{number}".encode()),
    st.sampled_from(
        (
            *(b"", b"-", b"RUN-", b"RUN", b"RUN-1-1", b"RUN-0x1", b"RUN-1e9", b"RUN- 1", b"RUN-+1"),
            *(
                b"\xd9\xa3",
                b"RUN-\xb2",
                b"\x00",
                b"a" * 9000,
                b"RUN-" + b"9" * 12,
                b"null",
                b"../x",
            ),
        )
    ),
)
hosts = st.sampled_from((b"toreshi.local", b"evil.example", b"", b"10.0.0.1:8080", b"\xff", b"a@b"))
methods = st.sampled_from(("GET", "GET", "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "XX"))
cookies = st.sampled_from(
    (b"", b"toreshi_arbiter=x", b"toreshi_side=\xff", b"toreshi_lang=../kk", b"=;;=", b"a" * 5000)
)
langs = st.sampled_from((b"en", b"kk,ru;q=x", b"*", b"", b"\xff", b"ka;q=9e999", b"x" * 4000))


class Asked:
    """One request for the stream; whoever sent it leaves once the state has come."""

    def __init__(self, method: str, query: bytes, headers: list[tuple[bytes, bytes]]) -> None:
        self.scope = {
            **{"type": "http", "method": method, "path": "/api/events", "raw_path": b"/api/events"},
            **{"query_string": query, "headers": headers, "client": ("10.0.0.9", 1)},
            **{"scheme": "http", "server": ("x", 80), "http_version": "1.1", "root_path": ""},
            "asgi": {"version": "3.0", "spec_version": "2.3"},
        }
        self.status, self.body = 0, b""
        self._gone = asyncio.Event()

    async def by(self, app: Any) -> None:
        async with asyncio.timeout(20):
            await app(self.scope, self.receive, self._send)

    def leave(self) -> None:
        self._gone.set()

    async def receive(self) -> dict[str, Any]:
        if self.scope["method"] == "GET" or self.status:
            await self._gone.wait()
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": b"", "more_body": False}

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        self.body += message.get("body", b"")
        if b"event: state" in self.body:
            self.leave()


@pytest.mark.parametrize("reading", ["open", "members"])
def test_whatever_is_asked_of_the_stream_is_answered_and_changes_nothing(
    hall: Callable[..., Any], reading: str
) -> None:
    table = hall("club", reading=reading)
    table.start()
    table.play("c3-d4", "h6-g5")
    before, run = table.values, table.broadcast.run.encode()
    seen = set()

    @settings(
        max_examples=150,
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )
    @given(methods, ids, ids, hosts, cookies, langs)
    def fuzz(
        method: str, last: bytes, since: bytes, host: bytes, cookie: bytes, lang: bytes
    ) -> None:
        last, since = last.replace(b"RUN", run), since.replace(b"RUN", run)
        headers = [(b"host", host), (b"cookie", cookie), (b"accept-language", lang)]
        headers += [(b"last-event-id", last), (b"content-type", b"application/json")]
        asked = Asked(method, b"since=" + since.replace(b"&", b""), headers)
        asyncio.run(asked.by(table.app))
        assert asked.status in (200, 403, 405, 421), (asked.status, asked.body)
        seen.add(asked.status)
        if asked.status == 200 and method == "GET":
            assert b"event: state" in asked.body

    fuzz()
    assert seen >= ({200, 405, 421} if reading == "open" else {403, 405, 421})
    assert table.values == before
    assert len(table.app.state.bells) == 0


def test_one_that_leaves_before_the_first_byte_is_through_keeps_no_place(
    hall: Callable[..., Any],
) -> None:
    table = hall()

    async def come_and_go() -> None:
        asked = Asked("GET", b"", [(b"host", b"toreshi.local")])

        async def stuck(message: Any) -> None:
            if message["type"] == "http.response.body":
                asked.leave()
                await asyncio.Event().wait()

        await table.app(asked.scope, asked.receive, stuck)
        gc.collect()
        await asyncio.sleep(0.1)
        assert len(table.app.state.bells) == 0

    asyncio.run(come_and_go())


# ---------------------------------------------------------------- over real sockets


class Served:
    """The application on a real server, on this machine's own address."""

    def __init__(self, app: Any) -> None:
        self._socket = bind("127.0.0.1", 0)
        self.port: int = self._socket.getsockname()[1]
        self._server = server(app)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)

    def _run(self) -> None:
        self._server.run(sockets=[self._socket])

    async def knock(self, more: bytes = b"", limit: int = 2**16) -> "Line":
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=limit)
        writer.write(b"GET /api/events HTTP/1.1\r\nHost: toreshi.local\r\n" + more + b"\r\n")
        return Line(reader, writer)

    def close(self) -> None:
        self._server.should_exit = True
        self._thread.join(20)
        assert not self._thread.is_alive(), "the server doesn't end"


class Line:
    """One browser's connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def until(self, text: bytes) -> bytes:
        """What comes until a text does."""
        async with asyncio.timeout(60):
            got = b""
            while text not in got:
                given = await self._reader.read(2**16)
                assert given, got[-300:]
                got += given
            return got

    async def leave(self) -> None:
        transport: Any = self._writer.transport
        transport.abort()  # as a phone that goes out of reach: no goodbye
        await asyncio.sleep(0)


@pytest.fixture
def served(hall: Callable[..., Any]) -> Iterator[tuple[Any, Served]]:
    table = hall()
    made = Served(table.app)
    yield table, made
    made.close()


async def nobody_left(table: Any) -> None:
    async with asyncio.timeout(60):
        while len(table.app.state.bells):
            gc.collect()
            await asyncio.sleep(0.5)


def test_browsers_that_leave_at_once_keep_no_place(served: tuple[Any, Served]) -> None:
    table, made = served

    async def come_and_go() -> None:
        for _ in range(60):
            await (await made.knock()).leave()
        lines = [await made.knock() for _ in range(60)]
        for line in lines:
            await line.until(b"HTTP/1.1 200")
            await line.leave()
        await nobody_left(table)
        last = await made.knock()
        await last.until(b"event: state")
        await last.leave()
        await nobody_left(table)

    asyncio.run(come_and_go())


def test_as_many_as_there_is_room_for_look_on_and_the_next_is_told_to_wait(
    served: tuple[Any, Served], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "MOST", 60)
    table, made = served
    table.start()

    async def crowd() -> None:
        lines = [await made.knock() for _ in range(events.MOST)]
        for line in lines:
            await line.until(b"event: state")
        late = await made.knock()
        assert b" 503 " in (await late.until(b"try again"))
        await late.leave()
        await asyncio.to_thread(table.play, "c3-d4")
        for line in lines:
            assert b"c3-d4" in await line.until(b"event: told")
            await line.leave()
        await nobody_left(table)
        back = await made.knock()
        await back.until(b"event: state")
        await back.leave()

    asyncio.run(crowd())


def test_one_that_never_reads_holds_up_nobody(served: tuple[Any, Served]) -> None:
    table, made = served
    table.start()
    moves = ("c3-d4", "h6-g5", "d2-c3", "b6-a5")

    async def look_on() -> None:
        stuck = await made.knock(limit=1)
        quick = await made.knock()
        await quick.until(b"event: state")
        for number in range(150):  # more than any socket keeps
            table.broadcast.publish({"v": 1, "event": "note", "text": "x" * 20_000, "n": number})
        for move in moves:
            began = time.monotonic()
            await asyncio.to_thread(table.play, move)
            await quick.until(f'"{move}"'.encode())
            assert time.monotonic() - began < 20, "on a machine that is busy, too"
        await stuck.leave()
        await quick.leave()
        await nobody_left(table)

    asyncio.run(look_on())


@pytest.mark.parametrize(
    "more",
    [
        b"Last-Event-ID: \xff\xfe\x80\r\n",
        b"Last-Event-ID: " + b"9" * 12000 + b"\r\n",
        b"Host: evil.example\r\n",
        b"Transfer-Encoding: chunked\r\n",
        b"Content-Length: 99999999999\r\n",
        b"Upgrade: websocket\r\nConnection: Upgrade\r\n",
        b"Expect: 100-continue\r\n",
        b"\x00: \x00\r\n",
        b"Range: bytes=-1\r\nIf-None-Match: *\r\n",
    ],
)
def test_raw_bytes_on_the_line_are_no_failure_of_ours(
    served: tuple[Any, Served], more: bytes
) -> None:
    table, made = served

    async def ask() -> None:
        line = await made.knock(more)
        answer = await line.until(b"\r\n")
        assert b" 500 " not in answer.split(b"\r\n")[0]
        await line.leave()
        await nobody_left(table)

    asyncio.run(ask())
