"""``toreshi games``."""

from __future__ import annotations

import click

from rules.games import NAMES


@click.command("games")
def command() -> None:
    """List the names of the games, one a line."""
    for name in NAMES:
        click.echo(name)
