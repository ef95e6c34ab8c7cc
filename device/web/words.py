"""Languages of the page: whom to speak to how, and the sentences that scripts say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from rules.said import Said

from ..locale import LANGUAGES, localised, sentence, translator
from .foreign import FOREIGN

STATIC = Path(__file__).parent / "static"
COOKIE = "toreshi_lang"

#: A message in a script: ``_("...")``.
_MESSAGE = re.compile(r'\b_\(\s*"((?:[^"\\]|\\.)*)"')


def choose(asked: str, kept: str, accepted: str, default: str) -> str:
    """The language for one browser.

    Args:
        asked: by ``?lang=``.
        kept: in the cookie.
        accepted: its Accept-Language header.
        default: of the machine.
    """
    for code in (asked, kept):
        if code in LANGUAGES:
            return code
    for part in sorted(accepted.split(",")[:10], key=_weight):
        code = part.split(";")[0].split("-")[0].strip().lower()
        if code in LANGUAGES:
            return code
    return default


def _weight(part: str) -> float:
    """The less a language is wanted, the greater."""
    found = re.search(r";\s*q=([01](?:\.\d{0,3})?)\s*$", part)
    return -float(found.group(1)) if found else -1.0


@cache
def messages() -> tuple[str, ...]:
    """Every sentence that the scripts say, in English."""
    found: dict[str, None] = {}
    for path in sorted(STATIC.glob("*.js")):
        for match in _MESSAGE.finditer(path.read_text(encoding="utf-8")):
            found[match.group(1).encode().decode("unicode_escape").encode("latin-1").decode()] = (
                None
            )
    return tuple(found)


@cache
def catalogue(lang: str) -> Mapping[str, str]:
    """The scripts' sentences in a language; those that it lacks are left out."""
    speak = translator(lang).gettext
    return {text: speak(text) for text in messages() if speak(text) != text}


def say(values: Any, lang: str) -> Any:
    """JSON values with every sentence in them in a language."""
    if isinstance(values, Said) or (isinstance(values, str) and values in FOREIGN):
        return sentence(values, lang)
    if isinstance(values, Mapping):
        row = localised(values, lang) if "said" in values else values
        return {key: say(value, lang) for key, value in row.items()}
    if isinstance(values, list | tuple):
        return [say(value, lang) for value in values]
    return values
