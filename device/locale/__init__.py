"""Languages: the catalogues of translations, read by the standard library's gettext.

Messages are the English sentences themselves, so that a missing one falls back to English.  The
catalogues are kept by ``python -m device.locale`` (which needs Babel); running needs them only.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from rules.said import Said

from ..errors import BadConfig

#: Languages by code, each in its own words.
LANGUAGES: Mapping[str, str] = {
    "en": "English",
    "kk": "Қазақша",
    "ru": "Русский",
    "ka": "ქართული",
    "it": "Italiano",
}
DOMAIN = "toreshi"
FOLDER = Path(__file__).parent

#: A square keeps its small letter where a translation puts it first.
_SQUARE = re.compile(r"[a-t]\d")


@cache
def translator(lang: str) -> gettext.NullTranslations:
    """The catalogue of a language; English, or a language without one, says what it is asked.

    Args:
        lang: a code of `LANGUAGES`, or a locale's name (``kk_KZ.UTF-8``).
    """
    return gettext.translation(DOMAIN, FOLDER, [known_language(lang)], fallback=True)


def known_language(name: str) -> str:
    """The code in a locale's name where we speak it; else ``en``."""
    code = name.replace("-", "_").split("_")[0].split(".")[0].lower()
    return code if code in LANGUAGES else "en"


def language(asked: str, configured: str, environ: Mapping[str, str]) -> str:
    """The language to speak: the one asked for, the settings' one, the one of the system.

    Raises:
        BadConfig: a language asked for, or configured, that we don't speak.
    """
    for name, where in ((asked, "--lang"), (configured, "language")):
        if name and name not in LANGUAGES:
            raise BadConfig(f"language '{name}'", where, "one of " + ", ".join(LANGUAGES))
    if asked or configured:
        return asked or configured
    names = (environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return known_language(next(filter(None, names), ""))


def sentence(text: str, lang: str) -> str:
    """A sentence in a language: one that remembers what it is made of, or a message by itself."""
    catalogue = translator(lang)
    said = text.within(catalogue) if isinstance(text, Said) else catalogue.gettext(text)
    if not text[:1].isupper() or _SQUARE.match(said):
        return said
    return said[:1].title() + said[1:]  # not upper: Georgian begins no sentence with its capitals


def localised(event: Mapping[str, Any], lang: str) -> dict[str, Any]:
    """An event with its sentences in a language.

    What an event from a journal says is plain text by then; its ``said`` has the sentence.
    """
    told = {
        name: sentence(value, lang) if isinstance(value, Said) else value
        for name, value in event.items()
    }
    if "said" in event:
        # the English message stands where another version wrote it
        with suppress(KeyError, TypeError, ValueError, IndexError, AttributeError):
            told["message"] = sentence(Said.from_json(event["said"]), lang)
    return told
