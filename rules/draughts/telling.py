"""An offence in words: the short line for a display and the sentence for a person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from string import Formatter

from ..said import Said, one_of, side_in_sentence
from ..verdict import Offence
from .codes import ALSO, KINDS
from .pair import Pair

#: What stands for squares that were named before.
IT, THEM = Said("it"), Said("them")

#: Most characters of the short form.
SHORT = 60

SIDES = (side_in_sentence("w"), side_in_sentence("b"))


@dataclass(frozen=True, slots=True)
class Finding:
    """What a row of the judge's table found.

    Attributes:
        code: the offence.
        form: which way of it, a key of `WORDS`; empty where there is only one.
        squares: where it shows, the square to look at first in front.
        fields: what the sentences name.
    """

    code: str
    form: str
    squares: tuple[int, ...]
    fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Words:
    """Ways to say one thing, the fullest first; a way is open if all it names is known."""

    shorts: tuple[str, ...]
    messages: tuple[str, ...]


WORDS = {
    ("O1", ""): Words(
        (
            "{frm}-{to} is no move: back to {frm}, capture {due}",
            "{frm}-{to} is no move: back to {frm}",
        ),
        (
            "The piece from {frm} can't go to {to}: put it back on {frm}, what stood on {off} too, "
            "and play {due}.",
            "The piece from {frm} can't go to {to}: put it back on {frm}, and what stood on {off}.",
            "The piece from {frm} can't go to {to}: put it back on {frm} and play {due}.",
            "The piece from {frm} can't go to {to}: put it back on {frm} and play another move.",
        ),
    ),
    ("O1", "man-takes-king"): Words(
        ("A man can't take a king: undo {capture}",),
        ("A man may not capture a king: put the king back, and the man back on {frm}.",),
    ),
    ("O1", "upset"): Words(
        ("{squares} moved: put all back", "Many pieces moved: put all back"),
        ("Several pieces stand on other squares, {squares}: put the position back.",),
    ),
    ("O1", "from-nowhere"): Words(
        ("A piece too many on {squares}: take {it} off", "Pieces too many: take them off"),
        ("What stands on {squares} came from nowhere: take {it} off the board.",),
    ),
    ("O1", "crowned"): Words(
        ("No king on {squares}: uncrown {it}", "Men marked as kings: uncrown them"),
        ("What stands on {squares} is marked as a king but is none: take the crown off.",),
    ),
    ("O1", "crown-lost"): Words(
        ("King on {squares}: crown {it} again", "Kings lost their crowns: crown them again"),
        ("What stands on {squares} is a king and has lost its crown: crown {it} again.",),
    ),
    ("O2", ""): Words(
        ("Two moves in one turn, to {squares}: undo one", "Two moves in one turn: undo one"),
        ("Two moves were made in one turn, to {squares}: take the second one back.",),
    ),
    ("O3", ""): Words(
        ("{to} moved too: put it back on {frm}", "Two pieces moved, {squares}: put one back"),
        (
            "A second piece stands elsewhere, on {to}: put it back on {frm}.",
            "Two pieces stand on other squares, {squares}: put them back and move one.",
        ),
    ),
    ("O4a", "step"): Words(
        (
            "Men don't go back: {to} back to {frm}, capture {due}",
            "Men don't go back: {to} back to {frm}",
        ),
        (
            "The man from {frm} went back to {to}, and men move forward only: undo it and play "
            "{due}.",
            "The man from {frm} went back to {to}, and men move forward only: undo it.",
        ),
    ),
    ("O4a", "capture"): Words(
        ("Men don't capture backward: undo {capture}",),
        (
            "The man from {frm} captured backward to {to}, and men capture forward only: undo "
            "{capture}.",
        ),
    ),
    ("O5", "turn"): Words(
        ("{turn} to move, not {other}: undo {played}",),
        ("It is {turn}'s turn, but {other} played {played}: take it back.",),
    ),
    ("O5", ""): Words(
        ("{to}: not your piece, put it back on {frm}", "Opponent's pieces moved: put them back"),
        (
            "The opponent's piece from {frm} was moved to {to}: put it back.",
            "Pieces of the opponent stand on other squares, {squares}: put them back.",
        ),
    ),
    ("O6", ""): Words(
        ("Capture due: undo {frm}-{to}, play {due}", "Capture due: undo {frm}-{to}, capture"),
        ("{frm}-{to} was played although a capture is due: take it back and play {due}.",),
    ),
    ("O7", ""): Words(
        ("{squares} taken off for nothing: put {it} back", "Pieces taken off: put them back"),
        ("What stood on {squares} was taken off without a capture: put {it} back.",),
    ),
    ("O8b", "most-pieces"): Words(
        (
            "{better} takes {wanted}, not {count}: play {better}",
            "Take {wanted}, not {count}: play {better}",
            "Take {wanted}, not {count}: another capture is due",
        ),
        (
            "The capture of most pieces must be played: {better} takes {wanted}, {capture} only "
            "{count}.",
        ),
    ),
    ("O8b", "with-king"): Words(
        ("Capture with the king: play {better}", "Capture with the king, not {capture}"),
        (
            "Of captures of equally many pieces one with a king must be played: {better}, not "
            "{capture}.",
        ),
    ),
    ("O8b", "most-kings"): Words(
        ("Take more kings, {wanted}, not {count}: {better}", "Take more kings, not {capture}"),
        (
            "Of captures with a king the one of most kings must be played: {better} takes {wanted} "
            "of them, {capture} {count}.",
        ),
    ),
    ("O8b", "kings-first"): Words(
        ("Take the king met first: play {better}", "Take the king met first, not {capture}"),
        ("The capture that meets a king earlier must be played: {better}, not {capture}.",),
    ),
    ("O9", "go-on"): Words(
        ("Capture unfinished: go on from {here} over {victim} to {landing}",),
        ("The capture was stopped on {here}: it has to go on over {victim} to {landing}.",),
    ),
    ("O9", "land"): Words(
        ("Capture unfinished: land on {landing}, not {here}",),
        ("The king has to land on {landing}, not {here}, to go on from there over {victim}.",),
    ),
    ("O11", "lift"): Words(
        ("{squares} still there: lift {it}", "Taken pieces still there: lift them"),
        ("{capture} also takes what stands on {squares}: lift {it}.",),
    ),
    ("O11", "undo"): Words(
        (
            "{squares} jumped but there: undo, play {due}",
            "Jumped and still there: undo, play {due}",
            "Jumped and still there: undo {capture}",
        ),
        (
            "{capture} is not allowed, and what it jumps still stands on {squares}: undo it and "
            "play {due}.",
            "{capture} is not allowed, and what it jumps still stands on {squares}: undo it.",
        ),
    ),
    ("O12", "put-back"): Words(
        ("{squares} not captured: put {it} back", "Off but not captured: put them back"),
        ("What stood on {squares} was taken off but not captured: put {it} back.",),
    ),
    ("O12", "swap"): Words(
        ("Put {squares} back, lift {standing}", "Wrong pieces off: put back, lift the taken"),
        (
            "What stood on {squares} was taken off in place of what was captured: put {it} back "
            "and lift {standing}.",
        ),
    ),
    ("O12", "undo"): Words(
        (
            "{squares} not captured: undo, play {due}",
            "Off but not captured: undo, play {due}",
            "Off but not captured: put all back",
        ),
        (
            "What stood on {squares} was not captured, and {frm}-{to} is no move: put all back "
            "and play {due}.",
            "What stood on {squares} was not captured, and {frm}-{to} is no move: put all back.",
        ),
    ),
    ("O13", ""): Words(
        ("Own piece off, {squares}: put {it} back", "Own pieces off: put them back"),
        ("The player's own piece from {squares} was taken off: put {it} back.",),
    ),
    ("O14", ""): Words(
        ("New king on {to}: crown it",),
        ("The man that reached {to} is a king now: crown it.",),
    ),
}


def tell(pair: Pair, finding: Finding) -> Offence:
    """The offence with its article and its words."""
    code, form, due = finding.code, finding.form, pair.before.due
    words = WORDS[code, form]
    fields = _fields(pair, finding)
    articles = pair.before.game.variant.articles
    return Offence(
        code=code,
        kind=KINDS[code],
        article=articles.get(f"{code} {form}") or articles[code],
        squares=tuple(pair.name(square) for square in finding.squares),
        due=due,
        short=_first(words.shorts, fields, SHORT),
        message=_first(words.messages, fields, None),
        also=ALSO.get(code, ()),
    )


def _fields(pair: Pair, finding: Finding) -> dict[str, str]:
    """What the sentences may name: the finding's own fields and those that follow from them."""
    fields = dict(finding.fields)
    variant, due = pair.before.game.variant, pair.before.due
    if due:
        fields["due"] = one_of(due) if len(due) < 3 else _some_of(due)
    if "frm" in fields and "to" in fields:
        fields["capture"] = f"{fields['frm']}{variant.separator}{fields['to']}"
    if "squares" in fields:
        fields["it"] = THEM if " and " in fields["squares"] else IT
    fields["turn"], fields["other"] = SIDES if pair.before.side == "w" else SIDES[::-1]
    return fields


def _some_of(due: tuple[str, ...]) -> Said:
    return Said("{first}, {second} or another", {"first": due[0], "second": due[1]})


@cache
def _named(template: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in Formatter().parse(template) if name)


def _first(templates: tuple[str, ...], fields: Mapping[str, str], limit: int | None) -> str:
    """The first template whose fields are known and that fits; the last one cut, if none does."""
    said = ""
    for template in templates:
        named = _named(template)
        if not fields.keys() >= named:
            continue
        said = Said(template, {name: fields[name] for name in named})
        if limit is None or len(said) <= limit:
            return said
    return said[:limit]
