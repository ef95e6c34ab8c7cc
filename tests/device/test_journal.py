"""The journal: whole, torn, changed; and running it again."""

import json
import os
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from device import journal
from device.errors import BadJournal
from device.journal import Journal, encode
from device.replay import replay
from device.session_values import Button, Command, Input, Tick, input_from_json, to_json
from vision.percept import Percept

Tables = Callable[..., Any]


def written(table: Any, path: Path) -> Path:
    """The journal of all that a table was fed."""
    book = Journal(path, table.setup, {"toreshi": "0"})
    for given, effects in zip(table.inputs, table.effects, strict=True):
        book.took(given)
        book.did(effects)
    book.close()
    return path


@pytest.fixture
def played(table: Tables) -> Any:
    """A game with a missed capture that is put right, a takeback, and a board lost for a time."""
    board = table(fen="W:Wc3,f2,a1:Bd4,h8", settled=False)
    for position in ("W:Wc3,f2,a1:Bd4,h8", "W:Wc3,g3,a1:Bd4,h8", "W:We5,f2,a1:Bh8"):
        board.show(position, 3)
    board.lose()
    board.show("W:We5,f2,a1:Bg7", 1)
    board.show("W:We5,f2,a1:Bh8", 1)
    board.command("finish")
    return board


def test_the_game_of_these_tests(played: Any) -> None:
    assert played.said() == [
        "start-position",
        "offence O6",
        "resolved put-right",
        "move c3:e5",
        "board-lost",
        "board-found",
        "move h8-g7",
        "takeback",
        "end *",
    ]


def test_a_journal_replays_bit_for_bit(played: Any, tmp_path: Path) -> None:
    past = journal.read(written(played, tmp_path / "journal.jsonl"))
    again = replay(past)
    assert again.differences == ()
    assert again.inputs == len(played.inputs)
    assert again.state == played.state
    assert past.setup == played.setup


def test_a_changed_effect_is_found(played: Any, tmp_path: Path) -> None:
    lines = written(played, tmp_path / "journal.jsonl").read_bytes().splitlines(keepends=True)
    for place, line in enumerate(lines):
        row = journal.decode(line)
        if row is not None and "offence" in json.dumps(row.get("out", "")):
            row["out"][1]["event"]["code"] = "O1"
            lines[place] = encode(row)
            number = row["n"]
    (tmp_path / "changed.jsonl").write_bytes(b"".join(lines))
    (found,) = replay(journal.read(tmp_path / "changed.jsonl")).differences
    assert (found.row, found.at) == (number - 1, 1)
    assert found.written is not None
    assert found.now is not None
    assert (found.written["event"]["code"], found.now["event"]["code"]) == ("O1", "O6")


def test_every_cut_of_the_last_lines_is_read_without_them(played: Any, tmp_path: Path) -> None:
    whole = written(played, tmp_path / "journal.jsonl").read_bytes()
    lines = whole.splitlines(keepends=True)
    rows = len(journal.read(tmp_path / "journal.jsonl").rows)
    tail = len(lines[-1]) + len(lines[-2])
    for cut in range(1, tail, 7):
        (tmp_path / "cut.jsonl").write_bytes(whole[:-cut])
        past = journal.read(tmp_path / "cut.jsonl")
        assert len(past.rows) == rows - (1 if cut <= len(lines[-1]) else 2)
        assert replay(past).differences == ()
        kept = sum(map(len, lines[: len(past.rows) + 1]))
        assert past.torn == len(whole) - cut - kept


@pytest.mark.parametrize(
    ("spoil", "where"),
    [
        (lambda lines: [*lines[:3], lines[3].replace(b'"v":1', b'"v":2'), *lines[4:]], "line 4"),
        (lambda lines: [*lines[:3], *lines[4:]], "line 4"),
        (lambda lines: [lines[0], b"{}\n", *lines[2:]], "line 2"),
        (lambda lines: lines[1:], "line 1"),
        (lambda lines: [], ""),
        (lambda lines: [b"\xff\xd8\xff\xe0 a picture\n"], ""),
    ],
    ids=["a changed byte", "a missing line", "another line", "no head", "empty", "no journal"],
)
def test_what_no_power_cut_does_is_refused(
    spoil: Callable[[list[bytes]], list[bytes]], where: str, played: Any, tmp_path: Path
) -> None:
    path = written(played, tmp_path / "journal.jsonl")
    path.write_bytes(b"".join(spoil(path.read_bytes().splitlines(keepends=True))))
    with pytest.raises(BadJournal) as refused:
        journal.read(path)
    assert where in str(refused.value)
    assert "\n" not in str(refused.value)


def test_another_version_is_refused(played: Any, tmp_path: Path) -> None:
    path = written(played, tmp_path / "journal.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    head = journal.decode(lines[0])
    assert head is not None
    path.write_bytes(encode({**head, "v": 99}) + b"".join(lines[1:]))
    with pytest.raises(BadJournal, match="version 99"):
        journal.read(path)


def test_a_journal_is_never_written_over(played: Any, tmp_path: Path) -> None:
    path = written(played, tmp_path / "journal.jsonl")
    with pytest.raises(BadJournal):
        Journal(path, played.setup, {})


def test_flush_returns_when_the_lines_are_on_the_disk(
    played: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    real = os.fsync

    def sync(handle: int) -> None:
        synced.append(os.fstat(handle).st_size)
        real(handle)

    monkeypatch.setattr(os, "fsync", sync)
    book = Journal(tmp_path / "journal.jsonl", played.setup, {})
    before = len(synced)
    book.took(Tick(5))
    assert len(synced) == before
    book.flush()
    assert synced[-1] == (tmp_path / "journal.jsonl").stat().st_size
    book.close()


@pytest.mark.parametrize(
    "given",
    [
        Tick(5),
        Command("correct", 7, "W:Wa1:Bh8"),
        Button("arbiter", True, 9),
        Percept(1, 2, 8, "lost", reason="too dark"),
        Percept(1, 2, 8, "found", corners=((0.5, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)),
                covered=(3, 4), scores=bytes(8 * 8 * 5), motion=0.25),
    ],
    ids=lambda given: type(given).__name__,
)  # fmt: skip
def test_inputs_survive_json(given: Input) -> None:
    row = json.loads(json.dumps(to_json(given)))
    assert input_from_json(row) == given
    assert input_from_json(row) != replace(given, at_ns=99)


@pytest.mark.parametrize("row", [{}, {"is": "dance"}, {"is": "tick"}, {"is": "tick", "x": 1}])
def test_what_is_no_input_is_refused(row: dict[str, Any]) -> None:
    with pytest.raises(BadJournal):
        input_from_json(row)


@pytest.mark.parametrize("body", [b'{"n":0', b'{"n":0,oops', b'{"n":' + b"[" * 200_000, b"\xff"])
def test_a_line_with_its_checksum_and_no_json_is_no_line(body: bytes) -> None:
    line = body + b',"sum":"' + f"{zlib.crc32(body):08x}".encode() + b'"}\n'
    assert journal.decode(line) == ({"n": 0} if body == b'{"n":0' else None)
