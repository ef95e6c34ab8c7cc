"""The stream: each browser gets every event once, and one that comes back misses nothing."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from device.web import events
from device.web.access import ARBITER_COOKIE


class Stream:
    """One browser that listens, spoken to as a server would speak to the application."""

    def __init__(self, app: Any, last: str = "", query: str = "", cookie: str = "") -> None:
        self._app = app
        self._bytes = b""
        self._fresh = asyncio.Event()
        self._gone = asyncio.Event()
        self.status = 0
        headers = [(b"host", b"toreshi.local"), (b"accept-language", b"en")]
        headers += [(b"last-event-id", last.encode())] if last else []
        headers += [(b"cookie", cookie.encode())] if cookie else []
        scope = {"type": "http", "method": "GET", "path": "/api/events", "raw_path": b"",
                 "query_string": query.encode(), "headers": headers, "client": ("10.0.0.9", 1),
                 "scheme": "http", "server": ("x", 80), "http_version": "1.1",
                 "asgi": {"version": "3.0", "spec_version": "2.3"}}  # fmt: skip
        self._task = asyncio.create_task(app(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        self._bytes += message.get("body", b"")
        self._fresh.set()

    def lines(self) -> list[dict[str, str]]:
        made = []
        for block in self._bytes.decode().split("\n\n")[:-1]:
            fields = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line)
            if "data" in fields:
                made.append(fields)
        return made

    def told(self) -> list[str]:
        rows = [json.loads(line["data"]) for line in self.lines() if line["event"] == "told"]
        return [row.get("text") or row["event"] for row in rows]

    def states(self) -> list[dict[str, Any]]:
        return [json.loads(line["data"]) for line in self.lines() if line["event"] == "state"]

    def last_id(self) -> str:
        return [line["id"] for line in self.lines() if "id" in line][-1]

    async def until(self, true: Callable[[], bool]) -> None:
        async with asyncio.timeout(10):
            while not true():
                self._fresh.clear()
                await self._fresh.wait()

    async def leave(self) -> None:
        self._gone.set()
        await asyncio.wait_for(self._task, 10)


def run(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(test)


def test_a_browser_is_told_what_is_shown_and_then_every_event(hall: Callable[..., Any]) -> None:
    table = hall()
    table.start()

    async def listen() -> None:
        stream = Stream(table.app)
        await stream.until(lambda: len(stream.states()) == 1)
        assert stream.told() == []
        await asyncio.to_thread(table.play, "c3-d4")
        await stream.until(lambda: bool(stream.states()[-1]["game"]["plies"]))
        assert stream.told() == ["c3-d4"]
        await stream.leave()
        assert len(table.app.state.bells) == 0

    run(listen())


def test_one_that_comes_back_misses_nothing_and_gets_nothing_twice(
    hall: Callable[..., Any],
) -> None:
    table = hall()
    table.start()

    async def listen() -> None:
        first = Stream(table.app)
        await first.until(lambda: len(first.states()) == 1)
        await asyncio.to_thread(table.play, "c3-d4")
        await first.until(lambda: bool(first.states()[-1]["game"]["plies"]))
        await first.leave()
        await asyncio.to_thread(table.play, "h6-g5", "d2-c3")
        again = Stream(table.app, last=first.last_id())
        await again.until(lambda: bool(again.states()))
        assert again.told() == ["h6-g5", "d2-c3"]
        assert len(again.states()) == 1
        assert len(again.states()[0]["game"]["plies"]) == 3
        await again.leave()
        asked = Stream(table.app, query=f"since={first.last_id()}")
        await asked.until(lambda: bool(asked.states()))
        assert asked.told() == ["h6-g5", "d2-c3"]
        await asked.leave()

    run(listen())


@pytest.mark.parametrize("last", ["00000000-1", "nonsense", "-1", "deadbeef-99999999999999999999"])
def test_an_id_of_another_run_gets_what_is_shown(hall: Callable[..., Any], last: str) -> None:
    table = hall()
    table.start()

    async def listen() -> None:
        stream = Stream(table.app, last=last)
        await stream.until(lambda: bool(stream.states()))
        assert stream.told() == []
        await stream.leave()

    run(listen())


def test_in_a_tournament_the_stream_tells_offences_to_the_arbiter_only(
    hall: Callable[..., Any],
) -> None:
    table = hall("club", mode="tournament")
    table.start()
    table.play("c3-d4")
    token = table.access.log_in("271828", "10.0.0.1")

    async def listen() -> None:
        spectator = Stream(table.app)
        arbiter = Stream(table.app, cookie=f"{ARBITER_COOKIE}={token}")
        await spectator.until(lambda: bool(spectator.states()))
        await arbiter.until(lambda: bool(arbiter.states()))
        board = "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,d4,e3,g3:Bb8,d8,f8,h8,a7,c7,e7,g7,a5,c5,f6,h6"
        await asyncio.to_thread(table.board, board)
        await arbiter.until(lambda: arbiter.states()[-1]["game"]["pending"] is not None)
        assert "offence" in arbiter.told()
        await asyncio.to_thread(table.table.command("accept", by="arbiter").result)
        await spectator.until(lambda: len(spectator.states()[-1]["game"]["plies"]) == 2)
        assert not {"offence", "resolved"} & set(spectator.told())
        assert "Two moves" not in spectator._bytes.decode()
        await spectator.leave()
        await arbiter.leave()

    run(listen())


def test_an_arbiter_who_left_is_told_no_more(hall: Callable[..., Any]) -> None:
    table = hall("club", reading="members")
    table.start()
    cookies = {ARBITER_COOKIE: str(table.access.log_in("271828", "10.0.0.1"))}

    async def listen() -> None:
        stream = Stream(table.app, cookie=f"{ARBITER_COOKIE}={cookies[ARBITER_COOKIE]}")
        await stream.until(lambda: bool(stream.states()))
        table.access.log_out(cookies)
        await asyncio.to_thread(table.play, "c3-d4")
        await asyncio.wait_for(stream._task, 10)
        assert stream.told() == []
        stranger = Stream(table.app)
        await asyncio.wait_for(stranger._task, 10)
        assert stranger.status == 403

    run(listen())


def test_too_many_are_sent_away(hall: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "MOST", 1)
    table = hall()

    async def listen() -> None:
        first = Stream(table.app)
        await first.until(lambda: bool(first.states()))
        second = Stream(table.app)
        await asyncio.wait_for(second._task, 10)
        assert second.status == 503
        await first.leave()

    run(listen())


def test_clocks_are_told_as_they_stand_now(hall: Callable[..., Any]) -> None:
    table = hall(clock="5")
    table.start()
    table.play("c3-d4")

    async def listen() -> None:
        stream = Stream(table.app)
        await stream.until(lambda: any(line["event"] == "clock" for line in stream.lines()))
        told = json.loads(next(line for line in stream.lines() if line["event"] == "clock")["data"])
        assert {"w", "b", "running"} <= set(told)
        assert "clocks" not in stream.states()[0]["game"]
        await stream.leave()

    run(listen())


def test_silence_is_broken_so_that_a_dead_line_is_noticed(
    hall: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "STILL_HERE_S", 0.01)
    table = hall()

    async def listen() -> None:
        stream = Stream(table.app)
        await stream.until(lambda: stream._bytes.count(b": still here\n\n") >= 3)
        assert len(stream.states()) == 1
        await stream.leave()

    run(listen())
