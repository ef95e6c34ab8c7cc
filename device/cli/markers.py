"""``toreshi markers``: the sheet of corner markers to print."""

from __future__ import annotations

from pathlib import Path

import click

from ..marker_sheet import PAPERS, marker_sheet, write_sheet


@click.command()
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="File: .pdf, .svg or .png."
)
@click.option("--size", "edge", default=30.0, show_default=True, help="Edge of a marker, mm.")
@click.option("--paper", type=click.Choice(list(PAPERS)), default="a4", show_default=True)
@click.option("--board", default=1, show_default=True, help="Which board, where there are more.")
def command(out: Path, edge: float, paper: str, board: int) -> None:
    """Write a sheet of corner markers to print, for a board that is not found by itself."""
    write_sheet(marker_sheet(edge, paper, board), out)
    click.echo(f"{out}: four markers of {edge:g} mm; how to lay them is printed on the sheet")
