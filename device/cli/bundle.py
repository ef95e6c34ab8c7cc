"""``toreshi bundle``."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--ply", type=click.IntRange(min=1), metavar="N", help="The move in question.")
@click.option("--out", type=click.Path(path_type=Path), help="The file; else beside the folder.")
def command(folder: Path, ply: int | None, out: Path | None) -> None:
    """Put a game's FOLDER into one file, to send when the referee was wrong.

    It holds the journal, the record, the calibration, versions, hashes of the networks, and the
    kept pictures: all of them, or those around move N.  Pictures show the board and what lies
    close to it; look at them before you send them.
    """
    from ..bundle import write

    named = folder.resolve()
    ending = "" if ply is None else f"-ply{ply}"
    made = write(folder, out or named.with_name(f"{named.name}{ending}.toreshi.zip"), ply)
    click.echo(f"bundle {made}")
