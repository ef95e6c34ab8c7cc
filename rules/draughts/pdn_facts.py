"""What PDN 3.0 lays down for each game: game types, results, tags (GameType and Tags sections)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .record import Result

#: The seven tags every game has, in order, with the value that says "not known".
SEVEN: Mapping[str, str] = MappingProxyType(
    {
        "Event": "?",
        "Site": "?",
        "Date": "????.??.??",
        "Round": "?",
        "White": "?",
        "Black": "?",
        "Result": "*",
    }
)

#: Names found in files -> the names of PDN: Italian programs translate them, others write "Setup".
ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "Dati": "Event",
        "Anno": "Date",
        "Bianco": "White",
        "Nero": "Black",
        "Risultato": "Result",
        "Setup": "SetUp",
    }
)

#: Tags that follow from the other fields of a record.
COMPUTED = frozenset(("Result", "GameType", "SetUp", "FEN", "Termination"))

_TWO_POINTS: Mapping[Result, str] = {
    "w": "2-0",
    "draw": "1-1",
    "b": "0-2",
    "both-lost": "0-0",
    "*": "*",
}
_ONE_POINT: Mapping[Result, str] = {
    "w": "1-0",
    "draw": "1/2-1/2",
    "b": "0-1",
    "both-lost": "0-0",
    "*": "*",
}

#: `Variant.points` -> how results are written ("Result type" in the table of game types).
RESULTS: Mapping[str, Mapping[Result, str]] = MappingProxyType(
    {"2-1-0": _TWO_POINTS, "1-1/2-0": _ONE_POINT}
)

#: Results as found in files, without spaces; files mix both ways of writing.
READ_RESULTS: Mapping[str, Result] = MappingProxyType(
    {
        **{text: result for result, text in _TWO_POINTS.items()},
        **{text: result for result, text in _ONE_POINT.items()},
        "1/2": "draw",
        "½-½": "draw",
        "½": "draw",
    }
)

#: Text behind a move -> numeric annotation glyph; ``*`` marks a forced move.
STRENGTHS: Mapping[str, int] = MappingProxyType(
    {"!!": 3, "??": 4, "!?": 5, "?!": 6, "!": 1, "?": 2, "*": 7}
)

#: The longest line written.
WIDTH = 79
