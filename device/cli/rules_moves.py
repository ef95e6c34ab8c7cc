"""``toreshi moves``."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import click

from rules.draughts.game import DraughtsGame
from rules.games import Game, by_name

from .rules_common import (
    Asked,
    answer_lines,
    asked_lines,
    asked_roll,
    asked_text,
    batch_option,
    dice_option,
    first_option,
    game_option,
    json_option,
)


@click.command("moves")
@game_option
@click.option("--fen", metavar="FEN", help="The position; the start position if left out.")
@dice_option
@first_option
@json_option
@batch_option
def command(
    name: str, fen: str | None, dice: str | None, first: bool, as_json: bool, batch: bool
) -> None:
    """List the legal moves of a position, each once.

    Lines of a batch may hold positions set up by hand, with more pieces than a game begins with.
    """
    game = by_name(name)
    if batch:
        read = game.read_setup if isinstance(game, DraughtsGame) else game.read
        answer_lines(lambda asked: moves_of(game, read, asked), asked_lines())
        return
    text = game.write(game.start()) if fen is None else fen
    reply = moves_of(game, game.read, {"fen": text, "dice": dice, "first": first})
    if as_json:
        click.echo(json.dumps(reply))
        return
    for move in reply["moves"]:
        click.echo(move["text"])


def moves_of(game: Game, read: Callable[[str], Any], asked: Asked) -> Asked:
    """The answer to one request: every legal move with the position after it.

    Raises:
        BadPosition, RulesError: the request can't be read.
    """
    position = read(asked_text(asked, "fen"))
    roll = asked_roll(game, asked)
    found = []
    for move in game.moves(position, roll):
        told: Asked = {"text": game.text(position, move, roll), "fen": game.write(move.after)}
        if isinstance(game, DraughtsGame):
            told |= {
                "from": game.name_of(move.frm),
                "to": game.name_of(move.to),
                "taken": [game.name_of(square) for square in move.taken],
                "path": [game.name_of(square) for square in move.path],
                "crowned": move.crowned,
            }
        found.append(told)
    return {"moves": found}
