"""``toreshi judge``."""

from __future__ import annotations

import json

import click

from rules.games import Game, by_name
from rules.verdict import Legal, Offence

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


@click.command("judge")
@game_option
@click.option("--before", metavar="FEN", help="The position that the rules know.")
@click.option("--after", metavar="FEN", help="What stands on the board now; its side is ignored.")
@dice_option
@first_option
@json_option
@batch_option
def command(
    name: str,
    before: str | None,
    after: str | None,
    dice: str | None,
    first: bool,
    as_json: bool,
    batch: bool,
) -> None:
    """Say whether what happened between two positions was legal, and what to do if not."""
    game = by_name(name)
    if batch:
        answer_lines(lambda asked: verdict_of(game, asked), asked_lines())
        return
    if before is None or after is None:
        raise click.UsageError("--before and --after are needed, or --batch")
    asked = {"before": before, "after": after, "dice": dice, "first": first}
    reply = verdict_of(game, asked)
    click.echo(json.dumps(reply, ensure_ascii=False) if as_json else _in_words(reply))


def verdict_of(game: Game, asked: Asked) -> Asked:
    """The answer to one request.

    Raises:
        BadPosition, RulesError: the request can't be read.
    """
    before = game.read(asked_text(asked, "before"))
    after = game.read_board(asked_text(asked, "after"))
    verdict = game.judge(before, after, asked_roll(game, asked))
    if isinstance(verdict, Legal):
        return {"verdict": "legal", "move": verdict.move, "fen": game.write(verdict.after)}
    if not isinstance(verdict, Offence):
        return {"verdict": "unchanged"}
    told = {
        "verdict": "offence",
        "code": verdict.code,
        "kind": verdict.kind,
        "article": verdict.article,
        "squares": list(verdict.squares),
        "due": list(verdict.due),
        "short": verdict.short,
        "message": verdict.message,
        "also": list(verdict.also),
    }
    return told | ({"variant": verdict.variant} if verdict.variant else {})


def _in_words(reply: Asked) -> str:
    if reply["verdict"] == "legal":
        return f"legal: {reply['move']}"
    if reply["verdict"] == "unchanged":
        return "unchanged"
    lines = [f"{reply['code']} {reply['kind']} ({reply['article']})", reply["message"]]
    if reply["due"]:
        lines.append(f"due: {', '.join(reply['due'])}")
    return "\n".join(lines)
