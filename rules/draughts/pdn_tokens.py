"""Cutting PDN text into tokens, in one pass and in linear time, whatever the text.

Follows the reading grammar of PDN 3.0 and what real files do beyond it: spaces around separators,
leading zeros, ``x`` ``:`` and ``-`` in captures, squares without separators, move numbers without
dots, quotes inside tag values, comments and tags that are never closed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "tag",
    "number",
    "move",
    "unknown",
    "result",
    "strength",
    "nag",
    "comment",
    "setup",
    "open",
    "close",
    "fault",
]


@dataclass(frozen=True, slots=True)
class Token:
    """One piece of a file.

    Attributes:
        kind: what it is; ``unknown`` stands for a move that nobody noted.
        text: itself; of a tag its name, of a comment or set-up what is inside, of a fault what is
            wrong.
        at: its offset in the text.
        value: of a tag its value, of a fault what was expected.
    """

    kind: Kind
    text: str
    at: int
    value: str = ""


_SEP = r"\s*[-–—−x×X:]\s*"
_NUMERIC = rf"\d{{1,2}}(?!\d)(?:{_SEP}\d{{1,2}}(?!\d))+|\d{{4}}(?!\d)"
_NAMED = rf"[a-jA-J]\d{{1,2}}(?!\d)(?:(?:{_SEP})?[a-jA-J]\d{{1,2}}(?!\d))+"
_RESULT = r"1/2(?:\s*-\s*1/2)?|½(?:\s*-\s*½)?|(?:1\s*-\s*[01]|2\s*-\s*0|0\s*-\s*[012])"

_TOKEN = re.compile(
    rf"""
      (?P<space>\s++)
    | (?P<line>[;%][^\n]*+)
    | (?P<tag>\[\s*+(?P<name>[A-Za-z][A-Za-z0-9_]*+)\s*+"(?P<value>(?:[^"\\\n]|\\[^\n])*+)"\s*+\])
    | (?P<result>(?:{_RESULT})(?![\w:/.x×–-])|\*)
    | (?P<number>\d{{1,5}}+\s*+(?:\.++|…)(?:\s*+(?:\.\.++|…))?+)
    | (?P<move>(?:{_NUMERIC}|{_NAMED})(?![\w:]))
    | (?P<number2>\d{{1,5}}+(?!\w)|\.++|…)
    | (?P<unknown>-\s*+-)
    | (?P<strength>\([!?]++\)|[!?]++)
    | (?P<nag>\$\d{{1,4}}+)
    | (?P<open>\()
    | (?P<close>\))
    | (?P<special>[\[{{/])
    | (?P<junk>[^\s\[\]{{}}()/;$!?]++|[\s\S])
    """,
    re.VERBOSE,
)

_FORCED = re.compile(r"\*(?!\s*+(?:\[|\Z))")
_COMMENT_END = re.compile(r'\}|\n[ \t]*+\[[A-Z]\w*+[ \t]++"')
_SETUP = re.compile(r"/\s*+FEN\b([^/\[\]{}()]*+)(/?)", re.IGNORECASE)
_TAG_BEGUN = re.compile(r'\[\s*+([A-Za-z][A-Za-z0-9_]*+)[ \t]*+"')


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a text with ``\\n`` line ends; never raises."""
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        assert match is not None  # the last alternative takes any character
        kind, end = match.lastgroup or "junk", match.end()
        if kind == "special":
            found, end = _special(text, at)
            yield from found
        elif kind != "space":
            yield from _plain(kind, match)
        if kind == "move" and _FORCED.match(text, end):
            yield Token("strength", "*", end)
            end += 1
        at = end


def _plain(kind: str, match: re.Match[str]) -> Iterator[Token]:
    text, at = match[0], match.start()
    if kind in ("tag", "value"):
        yield Token("tag", match["name"], at, re.sub(r'\\(["\\])', r"\1", match["value"]))
    elif kind == "line":
        if text[0] == ";":
            yield Token("comment", text[1:], at)
    elif kind == "number2":
        yield Token("number", text, at)
    elif kind == "junk":
        yield Token("fault", f"{short(text)!r}", at, "moves, comments, tags or a result")
    else:
        yield Token(kind, text, at)  # type: ignore[arg-type]


def _special(text: str, at: int) -> tuple[list[Token], int]:
    """Tokens that begin with a bracket, a brace or a slash, and where they end."""
    if text[at] == "{":
        return _comment(text, at)
    return _tag(text, at) if text[at] == "[" else _setup(text, at)


def _comment(text: str, at: int) -> tuple[list[Token], int]:
    end = _COMMENT_END.search(text, at)
    stop = end.start() if end else len(text)
    found = [Token("comment", text[at + 1 : stop], at)]
    if end and end[0] == "}":
        return found, stop + 1
    return [Token("fault", "comment without its end", at, "}"), *found], stop


def _tag(text: str, at: int) -> tuple[list[Token], int]:
    begun = _TAG_BEGUN.match(text, at)
    if begun is None:
        return [Token("fault", "'['", at, 'a tag such as [White "name"]')], at + 1
    line_end = text.find("\n", begun.end())
    line_end = len(text) if line_end < 0 else line_end
    close = text.find('"]', begun.end(), line_end)
    if close >= 0:
        return [Token("tag", begun[1], at, text[begun.end() : close])], close + 2
    value = text[begun.end() : line_end].strip(' \t"]')
    fault = Token("fault", f"tag {short(begun[1])} without its end", at, '"]')
    return [fault, Token("tag", begun[1], at, value)], line_end


def _setup(text: str, at: int) -> tuple[list[Token], int]:
    match = _SETUP.match(text, at)
    if match is None:
        return [Token("fault", "'/'", at, 'a set-up such as /FEN "W:W31-50:B1-20"/')], at + 1
    fen = match[1].strip().strip('"').strip()
    found = [Token("setup", fen, at)]
    if not match[2]:
        found.insert(0, Token("fault", "set-up without its end", at, "/"))
    return found, match.end()


def short(text: str, longest: int = 40) -> str:
    """A text cut to a length that fits in a message."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
