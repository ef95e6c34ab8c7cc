"""``toreshi perft``."""

from __future__ import annotations

import click

from rules.games import by_name

from .rules_common import game_option


@click.command("perft")
@game_option
@click.option("--depth", required=True, type=click.IntRange(0, 60), help="How many plies deep.")
@click.option("--fen", metavar="FEN", help="The position; the start position if left out.")
def command(name: str, depth: int, fen: str | None) -> None:
    """Count the leaf nodes of the tree of legal moves; draws by rule are not asked.

    In nardi each distinct end of each of the 21 rolls is a node.
    """
    game = by_name(name)
    position = game.start() if fen is None else game.read(fen)
    click.echo(str(game.perft(position, depth)))
