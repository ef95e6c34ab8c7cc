"""A bundle: all that somebody else needs to see why the referee said what it said, in one file.

A zip with the journal, the record, the calibration, who made it all (versions, hashes of the
networks), and the kept pictures of the moments around a move.  ``toreshi replay`` runs it again.
"""

from __future__ import annotations

import hashlib
import json
import platform
import re
import zipfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from . import journal
from .errors import BadJournal
from .journal import Past
from .session_values import VERSION
from .weights import weights_path

JOURNAL, ABOUT = "journal.jsonl", "about.json"

#: Records: of draughts; of nardi for programs, and for people.
RECORDS = ("game.pdn", "game.jsonl", "game.txt")

#: Packages whose versions matter for what is seen.
PACKAGES = ("toreshi", "numpy", "opencv-python", "onnxruntime")

#: Plies before and after the one in question whose pictures go along.
AROUND = 2

#: A picture is kept under the number of its ply: ``017-O6.jpg``.
_PLY = re.compile(r"(\d{3,})-")


def write(folder: Path, out: Path, ply: int | None = None) -> Path:
    """Put a game's folder into one file.

    Args:
        folder: what ``toreshi watch`` wrote.
        out: the file to make; one that is there is not written over.
        ply: the move in question, from 1; None takes all pictures.

    Returns:
        ``out``.

    Raises:
        BadJournal: no journal in the folder, or one that was changed.
        BadJournal: the file is there already or can't be written, or there is no such move.
    """
    past = journal.read(folder / JOURNAL)
    plies = _plies(past)
    if ply is not None and not 1 <= ply <= plies:
        raise BadJournal(f"no move {ply}", str(folder), f"1 to {plies}")
    about = {
        "v": VERSION,
        "ply": ply,
        "head": past.head,
        "torn": past.torn,
        "versions": {name: _version(name) for name in PACKAGES},
        "python": platform.python_version(),
        "machine": platform.machine(),
        "weights": dict(_weights()),
    }
    try:
        with zipfile.ZipFile(out, "x", zipfile.ZIP_DEFLATED) as file:
            file.writestr(ABOUT, json.dumps(about, indent=1, ensure_ascii=False))
            for path in _files(folder, ply):
                file.write(path, path.relative_to(folder))
    except OSError as error:
        reason = error.strerror or "can't be written"
        raise BadJournal(reason, str(out), "a new file on a disk with room") from error
    return out


def read(path: Path) -> Past:
    """The journal of a bundle.

    Raises:
        BadJournal: no bundle, or one without a journal.
        BadJournal: its journal was changed.
    """
    try:
        with zipfile.ZipFile(path) as file:
            if file.getinfo(JOURNAL).file_size > journal.LARGEST:
                raise BadJournal(
                    "a journal that would fill the memory",
                    f"{path}, {JOURNAL}",
                    f"at most {journal.LARGEST // 2**20} MB",
                )
            data = file.read(JOURNAL)
    except (OSError, KeyError, zipfile.BadZipFile, RuntimeError) as error:
        raise BadJournal("no bundle", str(path), "a file that toreshi bundle wrote") from error
    return journal.parse(data, f"{path}, {JOURNAL}")


def is_bundle(path: Path) -> bool:
    """Whether a file looks like a bundle rather than a journal."""
    return path.is_file() and zipfile.is_zipfile(path)  # a pipe would be waited for


def _files(folder: Path, ply: int | None) -> Iterator[Path]:
    for name in (JOURNAL, *RECORDS, "calibration.json", "config.toml"):
        if (folder / name).is_file():
            yield folder / name
    for path in sorted((folder / "evidence").glob("*.jpg")):
        found = _PLY.match(path.name)
        if ply is None or (found and abs(int(found.group(1)) - ply) <= AROUND):
            yield path


def _plies(past: Past) -> int:
    """The highest number of plies that any line of the journal speaks of."""
    lines = (
        effect["line"]
        for row in past.rows
        if row["what"] == "out"
        for effect in row["out"]
        if effect["is"] == "append"
    )
    return max((line["ply"] + (line["what"] == "move") for line in lines), default=0)


def _weights() -> Iterator[tuple[str, str]]:
    for path in sorted(weights_path().parent.glob("*.onnx")):
        yield path.name, hashlib.sha256(path.read_bytes()).hexdigest()


def _version(name: str) -> Any:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
