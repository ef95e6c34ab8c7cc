"""The journal: every input and what was done about it, line by line, safe against a power cut.

One line is one JSON object with its version, its number and a checksum.  Lines are only ever
added.  ``Journal.flush`` returns when they are on the disk, so a lamp that changes afterwards never
tells what could still be lost.  A last line that was cut off is dropped, and that is said; a bad
line before the last is no power cut, and the journal is refused.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from vision.files import read_whole

from .errors import BadJournal
from .session_values import VERSION, Effect, Feed, Input, Json, Setup, to_json

_SUM = b',"sum":"'

#: Bytes; far more than the longest evening writes.
LARGEST = 1024 * 1024 * 1024


def encode(row: Json) -> bytes:
    """A row as a line with its checksum, the CRC-32 of all before it."""
    body = json.dumps(row, separators=(",", ":"), ensure_ascii=False, sort_keys=True).encode()[:-1]
    return body + _SUM + f"{zlib.crc32(body):08x}".encode() + b'"}\n'


def decode(line: bytes) -> dict[str, Any] | None:
    """The row of a line; None if it is cut off, changed, or none of ours."""
    body, mark, rest = line.rpartition(_SUM)
    if not mark or rest != f"{zlib.crc32(body):08x}".encode() + b'"}\n':
        return None
    try:
        row: dict[str, Any] = json.loads(body + b"}")
    except (ValueError, RecursionError):
        return None
    return row


class Journal:
    """A journal that is being written.

    Args:
        path: its file, which is made; an old one is never touched.
        setup: what was settled before the first frame.
        about: what else its head says.
        past: what survived of the file, to go on behind it; what follows there is cut off.

    Raises:
        BadJournal: the file is there already, or can't be made or opened.
    """

    def __init__(self, path: Path, setup: Setup, about: Json, past: Past | None = None) -> None:
        self._file: BinaryIO = self._open(path, "xb" if past is None else "r+b")
        self._number = 0
        if past is not None:
            self._number = len(past.rows) + 1
            self._file.truncate(past.size)
            self._file.seek(past.size)
            self.flush()
            return
        self._write("head", {"setup": to_json(setup), **about})
        self.flush()
        _sync_folder(path.parent)

    @staticmethod
    def _open(path: Path, how: str) -> BinaryIO:
        try:
            return cast("BinaryIO", path.open(how))
        except OSError as error:
            reason = error.strerror or "not writable"
            raise BadJournal(f"no new journal: {reason}", str(path), "a new file") from error

    def took(self, given: Input) -> None:
        """Write an input, before it is acted upon."""
        self._write("in", {"in": to_json(given)})

    def resumed(self, at_ns: int, torn: int, seen: bool = True) -> None:
        """Write that a power cut is over, before going on, and whether the board is seen."""
        row = {"is": "resumed", "at_ns": at_ns, "torn": torn}
        self._write("in", {"in": row if seen else {**row, "seen": False}})

    def did(self, effects: Iterable[Effect]) -> None:
        """Write the effects of the last input, before they are carried out."""
        rows = effect_rows(effects)
        if rows:
            self._write("out", {"out": rows})

    def flush(self) -> None:
        """Return when everything is on the disk."""
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Bring everything to the disk and close the file."""
        if not self._file.closed:
            self.flush()
            self._file.close()

    def _write(self, what: str, fields: Json) -> None:
        row = {"v": VERSION, "n": self._number, "what": what, **fields}
        self._file.write(encode(row))
        self._number += 1


def effect_rows(effects: Iterable[Effect]) -> list[dict[str, Any]]:
    """Effects as the journal keeps them; feeding the watchdog leaves no trace."""
    rows = [to_json(effect) for effect in effects if not isinstance(effect, Feed)]
    return [json.loads(json.dumps(row)) for row in rows]


def _sync_folder(folder: Path) -> None:
    """Make sure that the new file's name is on the disk as well."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# ---------------------------------------------------------------- reading


@dataclass(frozen=True, slots=True)
class Past:
    """A journal that was read.

    Attributes:
        head: its first row.
        rows: the others, in order.
        torn: bytes of the end that were cut off or never written whole; 0 for a whole journal.
        size: bytes of all that is kept.
    """

    head: Json
    rows: tuple[Json, ...]
    torn: int
    size: int = 0

    @property
    def setup(self) -> Setup:
        """What was settled before the first frame."""
        fields = {key: value for key, value in self.head["setup"].items() if key != "is"}
        return Setup(**fields)


def read(path: Path) -> Past:
    """Read a journal.

    After a power cut the lines behind the last one that was synced may be missing, torn or full of
    something else, in any mixture.  They were never acted upon, and are dropped.

    Raises:
        BadJournal: no such file, no journal, another version, or a bad line where none can be by
            a power cut: one behind it was synced.
    """
    try:
        data = read_whole(path, LARGEST)
    except OSError as error:
        reason = error.strerror or "can't be read"
        raise BadJournal(reason, str(path), "a journal.jsonl") from error
    return parse(data, str(path))


def parse(data: bytes, path: str) -> Past:
    """As `read`, from what the file holds; ``path`` names it in errors."""
    rows: list[dict[str, Any]] = []
    size, bad = 0, 0
    lines = [line + b"\n" for line in data.split(b"\n")]
    lines[-1] = lines[-1][:-1]
    for number, line in enumerate(lines, 1):
        row = decode(line)
        if row is None or row.get("n") != number - 1:
            bad = number
            break
        rows.append(row)
        size += len(line)
    if (bad == 1 and data) or (bad and _goes_on(lines[bad - 1 :])):
        raise BadJournal("a line that is not as it was written", f"{path}, line {bad}",
                         "lines with their checksums, numbered from 0")  # fmt: skip
    return Past(_head(rows, path), tuple(rows[1:]), len(data) - size, size)


def _goes_on(lines: Iterable[bytes]) -> bool:
    """Whether these lines hold one that was synced: effects that are seen, and an input behind."""
    synced = False
    for line in lines:
        row = decode(line)
        if row is not None:
            if synced:
                return True
            synced = is_durable(row)
    return False


def is_durable(row: Json) -> bool:
    """Whether the journal is synced behind this row, before anything else is written."""
    return row["what"] == "out" and any(it["is"] in ("append", "show") for it in row["out"])


def _head(rows: list[dict[str, Any]], path: str) -> Json:
    if not rows or rows[0].get("what") != "head" or "setup" not in rows[0]:
        raise BadJournal("no journal", path, "a journal.jsonl that toreshi watch wrote")
    version = rows[0].get("v")
    if version != VERSION:
        raise BadJournal(f"version {version!r}", path, f"version {VERSION}")
    return rows[0]


def inputs(past: Past) -> Iterator[tuple[int, Json, list[Json]]]:
    """Each input with its row number and the effects that were written after it."""
    pending: tuple[int, Json] | None = None
    for row in past.rows:
        if row["what"] == "in":
            if pending is not None:
                yield (*pending, [])
            pending = (row["n"], row["in"])
        elif row["what"] == "out" and pending is not None:
            yield (*pending, row["out"])
            pending = None
    if pending is not None:
        yield (*pending, [])
