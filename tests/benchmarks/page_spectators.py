"""How long an event takes to each of many spectators, and what the page costs.

    python tests/benchmarks/page_spectators.py --spectators 20 --seconds 60

A game of random legal moves, one a second, goes through the session, the journal, the broadcast and
a real server to browsers that are sockets of another process.  The delay is from publishing a move
to its whole line being there; monotonic time of one machine.  Processor time is that of the thread
that serves, from /proc, beside the same run without spectators.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from multiprocessing import get_context
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from device.broadcast import Broadcast
from device.web.access import Access
from device.web.asking import Site
from device.web.plan import Plan
from device.web.server import bind, server
from device.web.site import make_site
from device.web.table import Table
from tests.device.web.conftest import Stage

TICK_S = 1 / os.sysconf("SC_CLK_TCK")


class Stamped(Broadcast):
    """Notes in each event when it was published."""

    def publish(self, event: Mapping[str, Any]) -> int:
        """Give an event to everybody."""
        return super().publish({**event, "sent_ns": time.monotonic_ns()})


async def look_on(port: int, seconds: float, delays: list[float], events: list[int]) -> None:
    """One browser."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    count, until = 0, time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            line = await asyncio.wait_for(reader.readline(), max(0.05, until - time.monotonic()))
        except TimeoutError:
            break
        now = time.monotonic_ns()
        if line.startswith(b'data: {"') and b"sent_ns" in line:
            told = json.loads(line[6:])
            if told["event"] == "move":
                delays.append((now - told["sent_ns"]) / 1e6)
                count += 1
    events.append(count)
    writer.close()


def spectators(port: int, many: int, seconds: float, out: Queue[Any]) -> None:
    """All browsers, in a process of their own."""
    delays: list[float] = []
    events: list[int] = []

    async def everybody() -> None:
        await asyncio.gather(*(look_on(port, seconds, delays, events) for _ in range(many)))

    asyncio.run(everybody())
    out.put((delays, events))


def play(table: Table, stage: Stage, seconds: float) -> None:
    """A random game, one move a second; another one when it ends."""
    rng = random.Random(1)
    stage.give(stage.game.start())
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(1.0)
        shown = table.shown.values["game"]
        if shown["phase"] != "playing":
            table.begin(Plan("russian")).result(10)
            stage.give(stage.game.start())
            continue
        position = stage.game.read(shown["fen"])
        moves = stage.game.moves(position)
        if moves:
            stage.give(rng.choice(moves).after)


def thread_s(native: int) -> float:
    """Processor seconds of one thread."""
    fields = Path(f"/proc/self/task/{native}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * TICK_S


def run(many: int, seconds: float) -> tuple[list[float], list[int], float]:
    """Delays in milliseconds, moves of each browser, and share of a core that serving took."""
    with tempfile.TemporaryDirectory() as folder:
        games = Path(folder)
        stage, broadcast = Stage(games), Stamped()
        table = Table(stage, broadcast, Plan("russian"), live=False)
        site = Site(table, Access(games / ".access.json"), games)
        socket = bind("127.0.0.1", 0)
        serving = server(make_site(site, {"localhost"}))
        thread = threading.Thread(target=lambda: serving.run(sockets=[socket]), daemon=True)
        thread.start()
        table.start()
        time.sleep(1.0)
        context = get_context("spawn")
        out: Queue[Any] = context.Queue()
        port = socket.getsockname()[1]
        lookers = context.Process(target=spectators, args=(port, many, seconds + 2, out))
        lookers.start()
        time.sleep(2.0)
        began, used = time.monotonic(), thread_s(thread.native_id or 0)
        play(table, stage, seconds - 2)
        share = (thread_s(thread.native_id or 0) - used) / (time.monotonic() - began)
        delays, events = out.get(timeout=seconds + 30)
        lookers.join()
        serving.should_exit = True
        stage.stop()
        table.close()
        thread.join(10)
    return delays, events, share


def percentile(values: list[float], share: float) -> float:
    """The value that ``share`` of all do not exceed."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def main(say: Callable[[str], Any] = sys.stdout.write) -> None:
    """Measure and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spectators", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60)
    given = parser.parse_args()
    _, _, alone = run(0, min(given.seconds, 20))
    delays, events, share = run(given.spectators, given.seconds)
    say(f"{given.spectators} spectators, {min(events)} to {max(events)} moves each, "
        f"{len(delays)} in all\n")  # fmt: skip
    say(f"delay p50 {percentile(delays, 0.5):.1f} ms, p95 {percentile(delays, 0.95):.1f} ms, "
        f"slowest {max(delays):.1f} ms\n")  # fmt: skip
    say(f"serving took {share:.1%} of a core, {alone:.1%} without spectators\n")
    say(f"load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n")


if __name__ == "__main__":
    main()
