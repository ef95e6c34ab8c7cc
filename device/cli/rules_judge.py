"""``toreshi judge``."""

from __future__ import annotations

import json

import click

from rules.games import Game, by_name
from rules.said import Said
from rules.verdict import Legal, Offence

from ..locale import sentence
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
from .speech import lang_option, spoken, spoken_by_machines


@click.command("judge")
@game_option
@click.option("--before", metavar="FEN", help="The position that the rules know.")
@click.option("--after", metavar="FEN", help="What stands on the board now; its side is ignored.")
@dice_option
@first_option
@json_option
@batch_option
@lang_option
def command(
    name: str,
    before: str | None,
    after: str | None,
    dice: str | None,
    first: bool,
    as_json: bool,
    batch: bool,
    lang: str | None,
) -> None:
    """Say whether what happened between two positions was legal, and what to do if not."""
    game = by_name(name)
    if batch:
        told = spoken_by_machines(lang)
        answer_lines(lambda asked: verdict_of(game, asked, told), asked_lines())
        return
    if before is None or after is None:
        raise click.UsageError("--before and --after are needed, or --batch")
    asked = {"before": before, "after": after, "dice": dice, "first": first}
    if as_json:
        reply = verdict_of(game, asked, spoken_by_machines(lang))
        click.echo(json.dumps(reply, ensure_ascii=False))
        return
    click.echo(_in_words(verdict_of(game, asked, spoken(lang)), spoken(lang)))


def verdict_of(game: Game, asked: Asked, lang: str = "en") -> Asked:
    """The answer to one request, its sentence in a language.

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
        "message": sentence(verdict.message, lang),
        "also": list(verdict.also),
    }
    return told | ({"variant": verdict.variant} if verdict.variant else {})


def _in_words(reply: Asked, lang: str) -> str:
    if reply["verdict"] == "legal":
        return sentence(Said("legal: {move}", {"move": reply["move"]}), lang)
    if reply["verdict"] == "unchanged":
        return sentence(Said("unchanged"), lang)
    lines = [f"{reply['code']} {reply['kind']} ({reply['article']})", reply["message"]]
    if reply["due"]:
        lines.append(sentence(Said("due: {moves}", {"moves": ", ".join(reply["due"])}), lang))
    return "\n".join(lines)
