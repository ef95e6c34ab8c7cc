"""Writing PDN 3.0."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..errors import BadRecord
from .game import DraughtsGame
from .pdn_facts import COMPUTED, RESULTS, SEVEN, STRENGTHS, WIDTH
from .position import Position, Side, other
from .record import Clock, GameRecord, Ply, Stand, one_line

_NAME = re.compile(r"[A-Z][A-Za-z0-9_]*")
_PIECE = re.compile(r"\{?\[%[^\]]*\]\S*|\S+")
_SIGNS = {glyph: sign for sign, glyph in STRENGTHS.items() if sign != "*"}


def write(records: Iterable[GameRecord]) -> str:
    """A PDN file of these games.

    Raises:
        BadRecord: a record of no game, or a tag that has no name.
        UnknownGame: a record of a game not played here.
    """
    return "\n".join(write_game(record) for record in records)


def write_game(record: GameRecord) -> str:
    """One game: header, an empty line, the moves.

    Captures are short unless that is ambiguous.  The text ends with ``*``, the only separator of
    games that PDN 3.0 allows in writing; the result is in its tag.

    Raises:
        BadRecord: no game is named, or a tag has no proper name.
        UnknownGame: a game not played here.
    """
    if not record.game:
        raise BadRecord("a record without a game", "game", "the name of a draughts game")
    game = DraughtsGame.by_name(record.game)
    header = "".join(f"[{name} {_quoted(value)}]\n" for name, value in _tags(record, game))
    return f"{header}\n{_wrapped(_words(record, game))}\n"


def _tags(record: GameRecord, game: DraughtsGame) -> Iterator[tuple[str, str]]:
    known = dict(record.tags)
    for name in known:
        if not _NAME.fullmatch(name):
            raise BadRecord(f"tag name {name!r}", "tags", "a capital, then letters and digits")
    if record.result != "*":
        known["Result"] = RESULTS[game.variant.points][record.result]
    for name, unknown in SEVEN.items():
        yield name, known.get(name, unknown)
    yield "GameType", game.variant.game_type
    if game.variant.tag:
        yield "Variant", game.variant.tag
    if record.start != game.start():
        yield "SetUp", "1"
        yield "FEN", game.write(record.start)
    if record.reason:
        yield "Termination", record.reason
    hidden = COMPUTED | SEVEN.keys() | ({"Variant"} if game.variant.tag else set())
    yield from ((name, value) for name, value in record.tags if name not in hidden)


def _quoted(value: str) -> str:
    line = one_line(value, braces=True)
    return '"' + line.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _words(record: GameRecord, game: DraughtsGame) -> Iterator[str]:
    """The pieces of the move text, between which a line may break."""
    for remark in record.remarks:
        yield from _comment(remark)
    if record.plies and isinstance(record.plies[0], Stand):
        # the first set-up of a game is its start (PDN 3.0, Commands)
        yield f'/FEN "{game.write(record.start)}"/'
    first, number, numbered, before = game.variant.first, 1, False, record.start
    for ply in record.plies:
        if isinstance(ply, Ply):
            if before.side == first:
                yield f"{number}."
            elif not numbered:
                yield f"{number}..."
        notes = list(_notes(ply, other(ply.after.side)))
        yield _move_text(game, before, ply)
        yield from notes
        numbered = isinstance(ply, Ply) and before.side == first and not notes
        if before.side != first and ply.after.side == first:
            number += 1
        before = ply.after
    yield "*"


def _move_text(game: DraughtsGame, before: Position, ply: Ply | Stand) -> str:
    if isinstance(ply, Stand):
        return f'/FEN "{game.write(ply.after)}"/'
    sign = _SIGNS.get(ply.nags[0], "") if ply.nags else ""
    return game.text(before, ply.move) + sign


def _notes(ply: Ply | Stand, mover: Side) -> Iterator[str]:
    """Glyphs, the offence, clocks and remarks behind a move."""
    signed = isinstance(ply, Ply) and bool(ply.nags) and ply.nags[0] in _SIGNS
    yield from (f"${glyph}" for glyph in ply.nags[signed:])
    remarks = [remark for remark in map(one_line, ply.remarks) if remark]
    commands = []
    if isinstance(ply, Stand) and ply.code:
        commands.append(f"[%offence {ply.code}]")
    if ply.clock is not None:
        commands.append(_clock(ply.clock, mover))
    command = " ".join(filter(None, commands))
    if command:
        first = remarks.pop(0) if remarks else ""
        remarks.insert(0, f"{command} {first}".strip())
    for remark in remarks:
        yield from _comment(remark)


def _clock(clock: Clock, mover: Side) -> str:
    """``[%clk 1:05:23]`` for the mover alone, ``[%clock w1:05:23 b0:59:02]`` for both."""
    times = {"w": clock.white, "b": clock.black}
    known = {side: _time(left) for side, left in times.items() if left is not None}
    if list(known) == [mover]:
        return f"[%clk {known[mover]}]"
    return f"[%clock {' '.join(side + text for side, text in known.items())}]" if known else ""


def _time(seconds: int) -> str:
    minutes, left = divmod(max(seconds, 0), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{left:02d}"


def _comment(remark: str) -> list[str]:
    return _PIECE.findall("{" + one_line(remark) + "}")


def _wrapped(words: Iterable[str]) -> str:
    """Words in lines of at most `WIDTH` characters.

    A line never begins with a bracket or a percent sign inside a comment: readers could take
    these for a tag and for a line to skip.
    """
    lines, line = [], ""
    for word in words:
        if line and len(line) + 1 + len(word) > WIDTH and word[0] not in "[%":
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return "\n".join([*lines, line])
