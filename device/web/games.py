"""Past games: which there are, their records, and what may be downloaded of them."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rules.draughts import pdn
from rules.draughts.game import DraughtsGame
from rules.draughts.record import GameRecord, Ply
from rules.errors import ToreshiError

from .. import bundle as bundles
from ..session_view import grid_of, squares_of
from . import past_nardi

#: Names of games' folders: what we make, and nothing that leaves the folder.
NAME = re.compile(r"[0-9A-Za-z][0-9A-Za-z._-]{0,79}")

#: What may be downloaded, with its type.
FILES = {
    "game.pdn": "text/plain; charset=utf-8",
    "journal.jsonl": "application/x-ndjson",
    "game.jsonl": "application/x-ndjson",
    "game.txt": "text/plain; charset=utf-8",
}

PICTURE = re.compile(r"[0-9A-Za-z-]{1,80}\.jpg")

#: So many games are listed, the newest first.
LISTED = 200


@dataclass(frozen=True, slots=True)
class Past:
    """One game's folder."""

    folder: Path

    @property
    def name(self) -> str:
        """Its name, which is its date."""
        return self.folder.name


def all_games(root: Path) -> list[Past]:
    """The games of a folder, the newest first."""
    try:
        found = [path for path in root.iterdir() if NAME.fullmatch(path.name) and _has_game(path)]
    except OSError:
        return []
    return [Past(path) for path in sorted(found, key=lambda path: path.name, reverse=True)][:LISTED]


def find(root: Path, name: str) -> Past | None:
    """The game of that name, if there is one."""
    folder = root / name
    if not NAME.fullmatch(name) or folder.is_symlink() or not _has_game(folder):
        return None
    return Past(folder)


def file_of(past: Past, name: str) -> Path | None:
    """A file of a game that may be downloaded, if it is there."""
    if name in FILES:
        path = past.folder / name
    elif PICTURE.fullmatch(name):
        path = past.folder / "evidence" / name
    else:
        return None
    return path if path.is_file() and not path.is_symlink() else None


def records(past: Past) -> tuple[GameRecord, ...]:
    """The records in a game's PDN; none where it can't be read."""
    try:
        return tuple(pdn.read((past.folder / "game.pdn").read_text(encoding="utf-8")))
    except (OSError, ValueError, ToreshiError):
        return ()


def summary(past: Past) -> dict[str, Any]:
    """A line of the list."""
    files = [name for name in FILES if (past.folder / name).is_file()]
    if "game.jsonl" in files:
        told = past_nardi.events(past.folder)
        return {"name": past.name, **past_nardi.summary(told), "files": files}
    read = records(past)
    record = read[-1] if read else None
    return {
        "name": past.name,
        "game": record.game if record else "",
        "white": record.tag("White", "") if record else "",
        "black": record.tag("Black", "") if record else "",
        "event": record.tag("Event", "") if record else "",
        "result": record.result if record else "*",
        "reason": record.reason if record else "",
        "plies": len(record.plies) if record else 0,
        "files": files,
    }


def steps(past: Past) -> dict[str, Any] | None:
    """A game to step through: the board after each ply; None where there is no record."""
    pictures = sorted(path.name for path in (past.folder / "evidence").glob("*.jpg"))
    if (past.folder / "game.jsonl").is_file():
        told = past_nardi.events(past.folder)
        return {**summary(past), **past_nardi.steps(told), "pictures": pictures}
    read = records(past)
    if not read:
        return None
    record = read[-1]
    game = DraughtsGame.by_name(record.game)
    return {
        **summary(past),
        "family": "draughts",
        "size": game.board.size,
        "squares": squares_of(game),
        "start": grid_of(game, record.start),
        "plies": list(_plies(game, record)),
        "pictures": pictures,
    }


def _plies(game: DraughtsGame, record: GameRecord) -> Iterator[dict[str, Any]]:
    before = record.start
    for ply in record.plies:
        moved = ply.move if isinstance(ply, Ply) else None
        yield {
            "side": before.side,
            "text": game.text(before, moved) if moved else "",
            "path": [game.name_of(n) for n in moved.path] if moved else [],
            "taken": [game.name_of(n) for n in moved.taken] if moved else [],
            "code": "" if isinstance(ply, Ply) else ply.code,
            "grid": grid_of(game, ply.after),
            "remarks": list(ply.remarks),
        }
        before = ply.after


def bundle(past: Past, ply: int | None = None) -> bytes:
    """Everything of a game, or of the moments around a ply, in a file that replays.

    Raises:
        BadJournal: a journal that was changed, or no such ply.
    """
    with tempfile.TemporaryDirectory() as folder:
        return bundles.write(past.folder, Path(folder) / "bundle.zip", ply).read_bytes()


def _has_game(folder: Path) -> bool:
    return folder.is_dir() and any((folder / name).is_file() for name in FILES)
