"""The language that a command speaks: ``--lang``, the settings, or the system's."""

from __future__ import annotations

import os

import click

from ..locale import LANGUAGES, language

lang_option = click.option(
    "--lang",
    type=click.Choice(tuple(LANGUAGES)),
    help="Language of sentences; else that of the settings, or of LANG.",
)


def spoken(asked: str | None, configured: str = "") -> str:
    """The language of what is written for people.

    Raises:
        BadConfig: a language that we don't speak.
    """
    return language(asked or "", configured, os.environ)


def spoken_by_machines(asked: str | None) -> str:
    """The language of JSON: English unless asked, so that no machine's settings change it."""
    return asked or "en"
