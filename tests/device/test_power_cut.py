"""Power cuts: whatever the disk kept of what was not synced, what was told is what goes on."""

import io
import itertools
import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from device import journal
from device.app import Watch
from device.errors import DiskFails
from device.journal import Journal
from device.replay import replay
from device.resume import rebuilt, unfinished
from device.session_values import Command, Json, Setup, Tick
from device.signals import NoSignaller, Side, Signal
from rules.draughts import pdn
from rules.draughts.game import DraughtsGame
from vision.fake import FakeEyes
from vision.frame import Frame
from vision.percept import Percept

Tables = Callable[..., Any]
GAME = DraughtsGame.by_name("russian")
SECOND = 1_000_000_000


class NoEyes:
    """Percepts come from the tests themselves."""

    def see(self, frame: Frame) -> Percept:
        raise AssertionError("no frames here")

    def learn(self, grid: tuple[str, ...]) -> None:
        pass


class Disk(io.RawIOBase):
    """A disk that notes every write with its place, and every sync."""

    def __init__(self) -> None:
        self.trace: list[tuple[int, bytes] | None] = []
        self.end = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        content = bytes(data)
        self.trace.append((self.end, content))
        self.end += len(content)
        return len(content)


@dataclass
class Told:
    """What the players had been told when so much of the trace was done."""

    length: int
    moves: list[str]


def moves_of(path: Path) -> list[str]:
    """The moves with which a game would go on from this journal."""
    match = rebuilt(journal.read(path)).state.match
    here, texts = match.start, []
    for ply in match.plies:
        texts.append(GAME.text(here, ply.move))
        here = ply.after
    return texts


@pytest.fixture
def traced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[list[tuple[int, bytes] | None], list[Told]]:
    """A game of six plies on a disk that is watched, and what was told when."""
    disk = Disk()
    monkeypatch.setattr(
        Journal, "_open", staticmethod(lambda path, how: io.BufferedWriter(disk, 700))
    )
    monkeypatch.setattr(Disk, "fileno", lambda self: 99)
    monkeypatch.setattr(os, "fsync", lambda handle: disk.trace.append(None))
    monkeypatch.setattr(journal, "_sync_folder", lambda folder: None)
    told: list[Told] = [Told(0, [])]

    def publish(event: Json) -> None:
        if event["event"] == "move":
            told.append(Told(len(disk.trace), [*told[-1].moves, event["text"]]))

    run = Watch(Setup("russian"), NoEyes(), NoSignaller(), tmp_path, publish, {}, {})
    eyes, position, now = FakeEyes(GAME.board), GAME.start(), 0
    for text in ("", "c3-d4", "b6-a5", "d4-c5", "d6:b4", "a3:c5", "a5-b4"):
        position = GAME.parse_move(position, text).after if text else position
        for _ in range(4):
            now += SECOND // 5
            run.feed(eyes.see(position, now))
    return disk.trace, told


def images(trace: list[tuple[int, bytes] | None], rng: random.Random) -> Iterator[bytes]:
    """Disks on which any of the writes since the last sync are missing, whole, or torn."""
    last = max((n for n, done in enumerate(trace) if done is None), default=-1)
    kept = [done for done in trace[:last] if done]
    loose = [done for done in trace[last + 1 :] if done]
    fates = itertools.product(("whole", "gone", "torn"), repeat=len(loose))
    for fate in itertools.islice(fates, 81):
        data = bytearray()
        for at, content in kept:
            data[at:] = content
        for (at, content), what in zip(loose, fate, strict=True):
            if what == "gone":
                continue
            if len(data) < at:  # a hole: the disk gives back zeros or what lay there before
                data += rng.choice([bytes(at - len(data)), rng.randbytes(at - len(data))])
            part = content if what == "whole" else content[: rng.randrange(len(content))]
            data[at : at + len(part)] = part
        yield bytes(data)


def test_any_subset_of_unsynced_writes_dropped_or_torn_loses_and_invents_no_move(
    traced: tuple[list[tuple[int, bytes] | None], list[Told]], tmp_path: Path
) -> None:
    trace, told = traced
    assert len(told) == 7
    rng, path, tried = random.Random(5), tmp_path / "cut.jsonl", 0
    first = trace.index(None)  # before it there is no journal yet
    for length in range(first + 1, len(trace) + 1):
        sure = max((t for t in told if t.length <= length), key=lambda t: t.length).moves
        for image in images(trace[:length], rng):
            path.write_bytes(image)
            kept = moves_of(path)
            assert kept[: len(sure)] == sure, "a move that was told is lost"
            assert kept == told[-1].moves[: len(kept)], "a move that was never made"
            assert len(kept) <= len(sure) + 1, "at most the one that was being written"
            tried += 1
    assert tried > 500


class Lamps(NoSignaller):
    def __init__(self) -> None:
        self.shown: list[Signal] = []

    def show(self, signal: Signal, side: Side | None = None) -> None:
        self.shown.append(signal)


def begun(folder: Path, events: list[Json], past: bool = False, **more: Any) -> Watch:
    setup = Setup("russian", **more)
    before = journal.read(folder / "journal.jsonl") if past else None
    return Watch(setup, NoEyes(), NoSignaller(), folder, events.append, {}, {}, before)


def cut(run: Watch) -> None:
    """The power is gone; what was in the program's buffer reached the disk by chance."""
    run._journal._file.close()


def looks(run: Watch, text: str, now: int, seconds: float = 1.0) -> int:
    """The camera looks at the board after a move; the time afterwards."""
    here = run.state.match.board
    after = GAME.parse_move(here, text).after if text else here
    eyes = FakeEyes(GAME.board, seed=now % 97)
    for _ in range(round(seconds * 5)):
        now += SECOND // 5
        run.feed(eyes.see(after, now))
    return now


def test_a_game_goes_on_after_a_power_cut_and_replays(tmp_path: Path) -> None:
    events: list[Json] = []
    run = begun(tmp_path, events)
    now = looks(run, "c3-d4", looks(run, "", 50 * SECOND))
    cut(run)
    torn = tmp_path / "journal.jsonl"
    whole = torn.read_bytes()
    torn.write_bytes(whole + b'{"in":{"at_ns":99999,"cor')
    assert unfinished(journal.read(torn))
    events.clear()
    run = begun(tmp_path, events, past=True)
    now = looks(run, "b6-a5", looks(run, "", 3 * SECOND), 1)
    assert [e["event"] for e in events] == ["continued", "move"]
    assert events[0]["torn"] > 0
    assert events[0]["t"] == pytest.approx(now_of(whole), abs=0.3)
    run.feed(Command("finish", now))
    run.close()
    (record,) = pdn.read((tmp_path / "game.pdn").read_text())
    assert [ply.move.to for ply in record.plies if hasattr(ply, "move")] == [18, 13]
    again = replay(journal.read(torn))
    assert again.differences == ()
    assert not unfinished(journal.read(torn))


def now_of(data: bytes) -> float:
    """Seconds between the first and the last input of a journal."""
    rows = [journal.decode(line) for line in data.splitlines(keepends=True)]
    times = [row["in"]["at_ns"] for row in rows if row and row["what"] == "in"]
    return float(times[-1] - times[0]) / SECOND


def test_a_second_power_cut_and_a_new_game(tmp_path: Path) -> None:
    events: list[Json] = []
    run = begun(tmp_path, events)
    now = looks(run, "c3-d4", looks(run, "", 0))
    run.feed(Command("result", now, "w"))
    eyes = FakeEyes(GAME.board)
    for _ in range(8):
        now += SECOND // 5
        run.feed(eyes.see(GAME.start(), now))
    assert events[-1]["event"] == "start-position"
    cut(run)
    run = begun(tmp_path, events, past=True)
    looks(run, "e3-f4", looks(run, "", 7))
    cut(run)
    run = begun(tmp_path, events, past=True)
    looks(run, "f6-e5", looks(run, "", 9))
    run.close()
    first, second = pdn.read((tmp_path / "game.pdn").read_text())
    assert (first.result, len(first.plies), len(second.plies)) == ("w", 1, 2)
    assert replay(journal.read(tmp_path / "journal.jsonl")).differences == ()


def test_our_clocks_stand_after_a_power_cut_and_lost_at_most_a_second(tmp_path: Path) -> None:
    run = begun(tmp_path, [], clock="5")
    now = looks(run, "", 0)
    run.feed(Command("press", now, by="b"))
    for _ in range(73):
        now += SECOND // 10
        run.feed(Tick(now))
    assert run.state.clocks is not None
    shown = run.state.clocks.left("w")
    cut(run)
    run = begun(tmp_path, [], past=True, clock="5")
    for _ in range(50):
        now += SECOND // 10
        run.feed(Tick(now))
    clocks = run.state.clocks
    assert clocks is not None
    assert (clocks.running, clocks.stopped) == (None, "w")
    assert 0 <= clocks.left("w") - shown <= SECOND
    run.feed(Command("resume", now, by="arbiter"))
    run.feed(Tick(now + 2 * SECOND))
    assert run.state.clocks is not None
    assert run.state.clocks.left("w") == clocks.left("w") - 2 * SECOND
    run.close()


def test_an_offence_that_was_pending_still_is(tmp_path: Path) -> None:
    events: list[Json] = []
    due = "W:Wc3,f2,a1:Bd4,h8"
    run = begun(tmp_path, events, fen=due, settled=True)
    eyes = FakeEyes(GAME.board)
    run.feed(eyes.see(GAME.read(due), SECOND))
    run.feed(eyes.see(GAME.read_board("W:Wc3,g3,a1:Bd4,h8"), 2 * SECOND))
    cut(run)
    run = begun(tmp_path, events, past=True)
    run.feed(eyes.see(GAME.read_board("W:We5,f2,a1:Bh8"), 1))
    assert [e["event"] for e in events[1:]] == ["offence", "continued", "resolved", "move"]
    run.close()


def test_a_full_disk_is_said_and_nothing_is_lost_once_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[Json] = []
    run, lamps = begun(tmp_path, events), Lamps()
    run._signaller = lamps
    now = looks(run, "c3-d4", looks(run, "", 0))
    real, full = os.fsync, True

    def sync(handle: int) -> None:
        if full:
            raise OSError(28, "No space left on device")
        real(handle)

    monkeypatch.setattr(os, "fsync", sync)
    after = GAME.parse_move(run.state.position, "b6-a5").after
    eyes, failed = FakeEyes(GAME.board), 0
    for _ in range(12):
        now += SECOND // 5
        try:
            run.feed(eyes.see(after, now))
        except DiskFails as error:
            failed += "No space left" in str(error)
    assert failed > 5
    assert [e["event"] for e in events] == ["start-position", "move"]
    assert lamps.shown[-1] == Signal.CANNOT_SEE, "moves that can't be kept aren't followed"
    assert lamps.shown.count(Signal.CANNOT_SEE) == 1
    full = False
    for _ in range(3):
        now += SECOND // 5
        run.feed(eyes.see(after, now))
    run.close()
    assert lamps.shown[-2:] == [Signal.LEGAL, Signal.LEGAL], "what stood, and the move that waited"
    assert [e.get("text") for e in events] == [None, "c3-d4", "b6-a5"]
    assert moves_of(tmp_path / "journal.jsonl") == ["c3-d4", "b6-a5"]
    assert replay(journal.read(tmp_path / "journal.jsonl")).differences == ()
    (record,) = pdn.read((tmp_path / "game.pdn").read_text())
    assert len(record.plies) == 2


def test_a_picture_that_does_not_fit_holds_up_no_lamp_and_no_listener(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[Json] = []
    run, lamps = begun(tmp_path, events), Lamps()
    run._signaller, run._frame = lamps, Frame(np.zeros((9, 9, 3), np.uint8), 0, 0)

    def full(*args: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("device.app.files.keep_picture", full)
    now, failed = 0, 0
    for position in (GAME.start(), GAME.parse_move(GAME.start(), "c3-d4").after):
        for _ in range(8):
            now += SECOND // 5
            try:
                run.feed(FakeEyes(GAME.board).see(position, now))
            except DiskFails:
                failed += 1
    assert failed == 2
    assert [e.get("text") for e in events] == [None, "c3-d4"]
    assert Signal.LEGAL in lamps.shown
    run.close()


def test_a_full_disk_while_going_on_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[Json] = []
    run = begun(tmp_path, events)
    now = looks(run, "c3-d4", looks(run, "", 0))
    cut(run)
    run = begun(tmp_path, events, past=True)
    real = os.fsync

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    here = run.state.match.board
    for _ in range(5):
        with pytest.raises(DiskFails):
            run.feed(FakeEyes(GAME.board).see(here, now))
    monkeypatch.setattr(os, "fsync", real)
    looks(run, "b6-a5", now)
    run.close()
    assert [e["event"] for e in events[2:]] == ["continued", "move"]
    assert replay(journal.read(tmp_path / "journal.jsonl")).differences == ()
