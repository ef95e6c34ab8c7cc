"""``toreshi perft``."""

from __future__ import annotations

import click

from rules.draughts.game import DraughtsGame
from rules.errors import UnknownGame
from rules.games import by_name

from .rules_common import game_option


@click.command("perft")
@game_option
@click.option("--depth", required=True, type=click.IntRange(0, 60), help="How many plies deep.")
@click.option("--fen", metavar="FEN", help="The position; the start position if left out.")
def command(name: str, depth: int, fen: str | None) -> None:
    """Count the leaf nodes of the tree of legal moves; draws by rule are not asked."""
    game = by_name(name)
    if not isinstance(game, DraughtsGame):
        raise UnknownGame(f"perft of {name}", "--game", "a draughts game: no dice are thrown here")
    position = game.start() if fen is None else game.read(fen)
    click.echo(str(game.perft(position, depth)))
