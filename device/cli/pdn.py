"""``toreshi pdn``: check game records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from rules.draughts import pdn
from rules.draughts.record import GameRecord
from rules.errors import BadRecord
from vision.files import read_whole

from . import BAD_INPUT


@click.command()
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path)
)
@click.option("--game", metavar="G", help="Where the file doesn't say which game it is.")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON for each game.")
@click.pass_context
def command(
    context: click.Context, /, files: tuple[Path, ...], game: str | None, as_json: bool
) -> None:
    """Check records in PDN: that they can be read and that every move is legal."""
    bad = False
    for path in files:
        try:
            records = _checked(path, game, as_json)
        except BadRecord as error:
            bad = True
            click.echo(f"toreshi: {error}", err=True)
            continue
        if not as_json:
            plies = sum(len(record.plies) for record in records)
            click.echo(
                f"{path}: {_count(len(records), 'game')}, {_count(plies, 'move')}, all legal"
            )
    context.exit(BAD_INPUT if bad else 0)


def _checked(path: Path, game: str | None, as_json: bool) -> tuple[GameRecord, ...]:
    """The games of one file.

    Raises:
        BadRecord: it can't be read, or something in it is wrong; the first fault is named.
    """
    try:
        records = pdn.read(read_whole(path), game)
    except OSError as error:
        raise BadRecord(f"can't be read ({error.strerror})", str(path), "a PDN file") from None
    if as_json:
        for number, record in enumerate(records, 1):
            click.echo(json.dumps(_row(path, number, record), ensure_ascii=False))
    faults = [fault for record in records for fault in record.faults]
    if faults:
        first = faults[0]
        more = f" (first of {len(faults)} faults)" if len(faults) > 1 else ""
        place = f"{path}, line {first.line}, column {first.column}"
        raise BadRecord(first.what + more, place, first.expected)
    if not any(record.plies for record in records):
        raise BadRecord("no moves", str(path), "a PDN file with at least one game")
    return records


def _row(path: Path, number: int, record: GameRecord) -> dict[str, Any]:
    return {
        "file": str(path),
        "number": number,
        "game": record.game or None,
        "moves": len(record.plies),
        "result": record.result,
        "faults": [str(fault) for fault in record.faults],
    }


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
