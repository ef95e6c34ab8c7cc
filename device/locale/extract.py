"""Finds the messages in our own sources, for Babel.

Babel's own reader knows calls such as ``gettext("...")``.  Ours also knows a context that is a
keyword (``Said("White", context="...")``) and the rows of the draughts judge's table of words,
whose sentences are data.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from typing import IO, Any

#: What Babel takes from an extractor: line, function, message or (context, message), comments.
Found = tuple[int, str, str | tuple[str, str], list[str]]

#: Functions of one message.
SAYING = ("_", "N_", "gettext", "Said")


def messages(
    source: IO[bytes],
    keywords: Mapping[str, Any],
    tags: Collection[str],
    options: Mapping[str, Any],
) -> Iterator[Found]:
    """Every message of a Python file."""
    for node in ast.walk(ast.parse(source.read())):
        if isinstance(node, ast.Call):
            yield from _of_call(node)


def _of_call(call: ast.Call) -> Iterator[Found]:
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name == "Words" and len(call.args) == 2 and isinstance(call.args[1], ast.Tuple):
        for sentence in call.args[1].elts:
            if text := _text(sentence):
                yield sentence.lineno, "gettext", text, []
    if name == "pgettext" and len(call.args) >= 2:
        context, text = _text(call.args[0]), _text(call.args[1])
        if context and text:
            yield call.lineno, "pgettext", (context, text), []
    if name in SAYING and call.args and (text := _text(call.args[0])):
        given = [_text(k.value) for k in call.keywords if k.arg == "context"]
        if given:
            yield call.lineno, "pgettext", (given[0], text), []
        else:
            yield call.lineno, "gettext", text, []


def _text(node: ast.expr) -> str:
    """A literal's text; empty for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return ""
