"""A match as a game record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..match import Note, Outcome
from .match import Match
from .record import GameRecord, Ply, Result, Stand

_RESULTS: dict[str, Result] = {"w": "w", "b": "b", "draw": "draw", "both-lost": "both-lost"}


def record_of(
    match: Match, tags: Mapping[str, str] | None = None, notes: bool = True
) -> GameRecord:
    """The record of a match as far as it has been played.

    Args:
        match: the match.
        tags: what else is known, ``White``, ``Event``, ...
        notes: write the match's log into the remarks.
    """
    plies, remarks = list(match.plies), []
    for note in match.log if notes else ():
        text = _text(note)
        if note.ply and note.ply <= len(plies):
            ply: Ply | Stand = plies[note.ply - 1]
            plies[note.ply - 1] = replace(ply, remarks=(*ply.remarks, text))
        else:
            remarks.append(text)
    outcome = match.outcome
    return GameRecord(
        game=match.game.name,
        start=match.start,
        plies=tuple(plies),
        result=_RESULTS.get(outcome.ending, "*") if outcome else "*",
        reason=_reason(outcome) if outcome else "",
        tags=tuple((tags or {}).items()),
        remarks=tuple(remarks),
    )


def _text(note: Note) -> str:
    who = {"w": "White: ", "b": "Black: ", None: ""}[note.side]
    article = f" ({note.article})" if note.article else ""
    return f"{who}{note.code}: {note.text}{article}"


def _reason(outcome: Outcome) -> str:
    return f"{outcome.text}, {outcome.article}" if outcome.article else outcome.text
