"""``toreshi replay`` on the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from device.cli import main
from device.journal import Journal, decode, encode

Tables = Callable[..., Any]


@pytest.fixture
def book(table: Tables, tmp_path: Path) -> Path:
    """The journal of a short game."""
    board = table()
    board.show(board.game.start())
    board.play("c3-d4", "b6-a5")
    path = tmp_path / "journal.jsonl"
    journal = Journal(path, board.setup, {})
    for given, effects in zip(board.inputs, board.effects, strict=True):
        journal.took(given)
        journal.did(effects)
    journal.close()
    return path


def replay(*arguments: object) -> int:
    with pytest.raises(SystemExit) as left:
        main(["replay", *map(str, arguments)])
    return int(left.value.code or 0)


def test_the_same_effects_exit_0(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert replay(book) == 0
    assert "3 inputs" in capsys.readouterr().out


def test_other_effects_exit_1_and_are_shown(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = []
    for line in book.read_bytes().splitlines(keepends=True):
        row = decode(line)
        assert row is not None
        text = json.dumps(row).replace('"text": "c3-d4"', '"text": "c3-b4"')
        lines.append(encode(json.loads(text)))
    book.write_bytes(b"".join(lines))
    assert replay(book, "--json") == 1
    (difference,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert difference["written"]["line"]["text"] == "c3-b4"
    assert difference["now"]["line"]["text"] == "c3-d4"
    assert replay(book) == 1
    assert "differ" in capsys.readouterr().out


def test_a_cut_off_line_is_said(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book.write_bytes(book.read_bytes()[:-9])
    assert replay(book) == 0
    assert "cut off" in capsys.readouterr().err


@pytest.mark.parametrize("content", [None, b"", b"no journal\n", b'{"v":1}\n'])
def test_what_is_no_journal_gets_one_line(
    content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.jsonl"
    if content is not None:
        path.write_bytes(content)
    assert replay(path) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "x.jsonl" in told
