"""Names that lead to no file: pipes that nobody writes to, devices that never end."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from vision import files
from vision.files import read_whole


def test_a_file_is_read_whole(tmp_path: Path) -> None:
    data = os.urandom(3 * 1024 * 1024 + 1)
    (tmp_path / "file").write_bytes(data)
    assert read_whole(tmp_path / "file") == data


def test_a_device_without_an_end_is_given_up() -> None:
    with pytest.raises(OSError, match="more than 4 MB") as told:
        read_whole(Path("/dev/zero"), 4 * 1024 * 1024)
    assert told.value.strerror == "more than 4 MB"


def test_a_pipe_that_nobody_writes_to_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    began = time.monotonic()
    assert read_whole(tmp_path / "pipe") == b""
    assert time.monotonic() - began < 5


def test_a_pipe_is_read_to_its_end() -> None:
    out, into = os.pipe()
    os.write(into, b"1. c3-d4 *")
    os.close(into)
    assert read_whole(Path(f"/dev/fd/{out}")) == b"1. c3-d4 *"
    os.close(out)


def test_a_pipe_from_which_nothing_comes_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PATIENCE_S", 0.1)
    out, into = os.pipe()
    with pytest.raises(OSError, match="nothing comes out of it"):
        read_whole(Path(f"/dev/fd/{out}"))
    os.close(out)
    os.close(into)
