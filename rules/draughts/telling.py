"""An offence in words: the short line for a display and the sentence for a person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..verdict import Offence
from .codes import ALSO, KINDS
from .pair import Pair

#: Most characters of the short form.
SHORT = 60


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
            "The piece from {frm} can't go to {to}: put it back on {frm}; {due} is due.",
            "The piece from {frm} can't go to {to}: put it back on {frm} and play another move.",
        ),
    ),
    ("O1", "man-takes-king"): Words(
        ("A man can't take a king: undo {frm}-{to}",),
        ("A man may not capture a king: put the king back, and the man back on {frm}.",),
    ),
    ("O1", "upset"): Words(
        ("Pieces moved at {squares}: put them back", "Many pieces moved: put them back"),
        ("Several pieces stand on other squares, {squares}: put the position back.",),
    ),
    ("O1", "from-nowhere"): Words(
        ("{squares}: no piece came there: take it off", "Pieces from nowhere: take them off"),
        ("There is a piece too many, on {squares}: take it off the board.",),
    ),
    ("O1", "crowned"): Words(
        ("{squares} is a man, no king: uncrown it", "Men marked as kings: uncrown them"),
        ("The piece on {squares} is marked as a king but is a man: take the crown off.",),
    ),
    ("O1", "crown-lost"): Words(
        ("{squares} is a king: crown it again", "Kings lost their crowns: crown them again"),
        ("The king on {squares} has lost its mark: crown it again.",),
    ),
    ("O2", ""): Words(
        ("Two moves in one turn, at {squares}: undo one", "Two moves in one turn: undo one"),
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
            "Men don't go back: put {to} on {frm}",
        ),
        ("The man from {frm} went back to {to}, and men move forward only: put it back on {frm}.",),
    ),
    ("O4a", "capture"): Words(
        ("Men don't capture backward: undo {frm}x{to}",),
        (
            "The man from {frm} captured backward, and men capture forward only: put it back on "
            "{frm} and put back what it took.",
        ),
    ),
    ("O5", ""): Words(
        ("{to}: opponent's piece, put it back on {frm}", "Opponent's pieces moved: put them back"),
        (
            "The opponent's piece from {frm} was moved to {to}: put it back.",
            "Opponent's pieces stand on other squares, {squares}: put them back.",
        ),
    ),
    ("O6", ""): Words(
        ("Capture due: undo {frm}-{to}, play {due}", "Capture due: undo {frm}-{to}, capture"),
        ("{frm}-{to} was played although a capture is due: take it back and play {due}.",),
    ),
    ("O7", ""): Words(
        ("{squares} taken off for nothing: put it back", "Pieces taken off: put them back"),
        ("What stood on {squares} was taken off without a capture: put it back.",),
    ),
    ("O8b", "most-pieces"): Words(
        (
            "{better} takes {wanted}, not {count}: play {better}",
            "Take {wanted}, not {count}: {better}",
        ),
        (
            "The capture of most pieces must be played: {better} takes {wanted}, {frm}x{to} only "
            "{count}.",
        ),
    ),
    ("O8b", "with-king"): Words(
        ("Capture with the king: play {better}",),
        (
            "Of captures of equally many pieces the one with a king must be played: {better}, not "
            "{frm}x{to}.",
        ),
    ),
    ("O8b", "most-kings"): Words(
        ("{better} takes {wanted} kings, not {count}: play it", "Take most kings: {better}"),
        (
            "The capture of most kings must be played: {better} takes {wanted}, {frm}x{to} takes "
            "{count}.",
        ),
    ),
    ("O8b", "kings-first"): Words(
        ("Take the king that is met first: {better}",),
        ("The capture that meets kings earlier must be played: {better}, not {frm}x{to}.",),
    ),
    ("O9", "go-on"): Words(
        ("{here}: go on over {victim} to {landing}",),
        ("The capture was stopped on {here}: it has to go on over {victim} to {landing}.",),
    ),
    ("O9", "land"): Words(
        ("Land on {landing}, not {here}, and take {victim}",),
        ("The king has to land on {landing}, not {here}, and to go on over {victim}.",),
    ),
    ("O11", "lift"): Words(
        ("Lift {squares}: taken and still there", "Lift all that was taken"),
        ("{frm}x{to} also takes {squares}, still on the board: lift it.",),
    ),
    ("O11", "undo"): Words(
        ("{squares} jumped but there. Undo, play {due}", "{squares} jumped but there: undo"),
        (
            "{frm}x{to} is not allowed, and {squares}, which it jumps, still stands: undo it and "
            "play {due}.",
            "{frm}x{to} is not allowed, and {squares}, which it jumps, still stands: undo it.",
        ),
    ),
    ("O12", "put-back"): Words(
        ("{squares} was not taken: put it back", "Pieces not taken are off: put them back"),
        ("What stood on {squares} was taken off but not captured: put it back.",),
    ),
    ("O12", "swap"): Words(
        ("Put {squares} back, lift {standing}", "Wrong pieces off: put back, lift the taken"),
        ("The wrong piece is off: put {squares} back and lift {standing}, which was captured.",),
    ),
    ("O12", "undo"): Words(
        ("{squares} was not taken. Undo, play {due}", "{squares} was not taken: undo"),
        (
            "{frm}-{to} is not allowed, and {squares}, now off, was not captured: put all back and "
            "play {due}.",
            "{frm}-{to} is not allowed, and {squares}, now off, was not captured: put all back.",
        ),
    ),
    ("O13", ""): Words(
        ("{squares}: own piece off: put it back", "Own pieces off: put them back"),
        ("An own piece was taken off, from {squares}: put it back.",),
    ),
    ("O14", ""): Words(
        ("{to}: crown the new king",),
        ("The man that reached {to} is a king now: crown it.",),
    ),
}


def tell(pair: Pair, finding: Finding) -> Offence:
    """The offence with its article and its words."""
    code, form, due = finding.code, finding.form, pair.before.due
    fields = dict(finding.fields)
    if due:
        fields["due"] = due[0] if len(due) == 1 else f"{due[0]} or {due[1]}"
    if len(due) > 2:
        fields["due"] = f"{due[0]}, {due[1]} or another"
    words = WORDS[code, form]
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


def _first(templates: tuple[str, ...], fields: Mapping[str, str], limit: int | None) -> str:
    """The first template whose fields are known and that fits; the last one cut, if none does."""
    said = ""
    for template in templates:
        try:
            said = template.format_map(fields)
        except KeyError:
            continue
        if limit is None or len(said) <= limit:
            return said
    return said[:limit]
