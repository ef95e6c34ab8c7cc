"""What the commands about rules share: the game, its dice, and answering lines of JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from typing import Any

import click

from rules.errors import BadPosition, RulesError, ToreshiError
from rules.games import NAMES, Game

Asked = dict[str, Any]

game_option = click.option(
    "--game", "name", required=True, metavar="G", help=f"One of {', '.join(NAMES)}."
)
dice_option = click.option("--dice", metavar="6-5", help="Nardi: the roll.")
first_option = click.option("--first", is_flag=True, help="Nardi: the side's first turn.")
json_option = click.option("--json", "as_json", is_flag=True, help="Answer with one line of JSON.")
batch_option = click.option(
    "--batch", is_flag=True, help="Read lines of JSON on stdin and answer each with a line."
)


def roll_of(game: Game, dice: object, first: bool) -> Any:
    """The game's roll from ``6-5`` or ``[6, 5]``; None in draughts.

    Raises:
        RulesError: dice in draughts, or no dice in nardi, or not two dice.
    """
    if game.family == "draughts":
        if dice is not None:
            raise RulesError("dice in a game without dice", "dice", "none in draughts")
        return None
    from rules.nardi.dice import BadRoll, Roll

    if isinstance(dice, str):
        return Roll.read(dice, first)
    if isinstance(dice, list) and len(dice) == 2:
        return Roll((dice[0], dice[1]), first)
    raise BadRoll("no dice" if dice is None else f"dice {str(dice)[:20]}", "dice", "6-5 or [6, 5]")


def asked_text(asked: Asked, field: str) -> str:
    """A text field of a request.

    Raises:
        BadPosition: it isn't there or is no text.
    """
    text = asked.get(field)
    if not isinstance(text, str):
        raise BadPosition("no position", field, f'"{field}": a position as text')
    return text


def asked_roll(game: Game, asked: Asked) -> Any:
    """The roll of a request.

    Raises:
        RulesError: as `roll_of`, or ``first`` is neither true nor false.
    """
    first = asked.get("first") or False
    if not isinstance(first, bool):
        raise RulesError(f"first {str(first)[:20]}", "first", "true or false")
    return roll_of(game, asked.get("dice"), first)


def asked_lines() -> Iterable[bytes]:
    """The lines of standard input.

    Raises:
        RulesError: it is closed.
    """
    if sys.stdin is None:
        raise RulesError("standard input is closed", "--batch", "lines of JSON on it")
    return sys.stdin.buffer


def answer_lines(answer: Callable[[Asked], Asked], lines: Iterable[bytes]) -> None:
    """Answer each line in its place; one that is bad gets ``error``, and the rest go on.

    Raises:
        RulesError: at the end, when there were bad ones.
    """
    bad: list[str] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            reply = answer(_request(line))
        except ToreshiError as error:
            reply = {"error": " ".join(str(error).split())}
            bad.append(f"line {number}: {reply['error']}")
        click.echo(json.dumps(reply, ensure_ascii=False))
    if bad:
        more = f" (and {len(bad) - 1} more)" if len(bad) > 1 else ""
        raise RulesError(bad[0] + more)


def _request(line: bytes) -> Asked:
    try:
        asked = json.loads(line.decode())
    except (ValueError, RecursionError) as error:
        raise BadPosition("no JSON", "", "a JSON object on each line") from error
    if not isinstance(asked, dict):
        raise BadPosition("not an object", "", "a JSON object on each line")
    return asked
