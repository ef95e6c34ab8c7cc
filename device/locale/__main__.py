"""Keeps the catalogues: finds the messages, merges them into each language, compiles.

    python -m device.locale

Translators edit ``LANGUAGE/LC_MESSAGES/toreshi.po`` and run it again.  Needs Babel, which ``run
test`` installs; nothing else does.
"""

from __future__ import annotations

import io
from pathlib import Path

import click
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from . import DOMAIN, FOLDER, LANGUAGES

ROOT = FOLDER.parents[1]
METHODS = [
    ("rules/**.py", "device.locale.extract:messages"),
    ("device/**.py", "device.locale.extract:messages"),
    ("device/web/templates/**.html", "jinja2.ext:babel_extract"),
    ("device/web/static/**.js", "javascript"),
]
KEYWORDS = {"_": None, "gettext": None, "pgettext": ((1, "c"), 2)}


def template() -> Catalog:
    """All messages that the sources have, in the order of their places."""
    found = Catalog(domain=DOMAIN, project="Toreshi")
    rows = extract_from_dir(ROOT, METHODS, keywords=KEYWORDS)
    for file, _line, message, comments, context in sorted(rows, key=lambda row: (row[0], row[1])):
        found.add(message, None, [(file, 0)], auto_comments=comments, context=context)
    return found


def path_of(lang: str) -> Path:
    """Where a language's catalogue lies."""
    return FOLDER / lang / "LC_MESSAGES" / f"{DOMAIN}.po"


def merged(lang: str, found: Catalog) -> Catalog:
    """A language's catalogue with the messages of now, and without those that are gone."""
    path = path_of(lang)
    catalogue = Catalog(locale=lang, domain=DOMAIN)
    if path.exists():
        with path.open("rb") as stream:
            catalogue = read_po(stream, locale=lang, domain=DOMAIN)
    catalogue.update(found, no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    return catalogue


def _write(path: Path, lang: str, catalogue: Catalog) -> None:
    """Written, unless only the time of doing so would change; and compiled from what is there."""
    made = io.BytesIO()
    write_po(made, catalogue, width=100, omit_header=False, include_lineno=False)
    if not path.exists() or _undated(path.read_bytes()) != _undated(made.getvalue()):
        path.write_bytes(made.getvalue())
    with path.open("rb") as written, path.with_suffix(".mo").open("wb") as compiled:
        write_mo(compiled, read_po(written, locale=lang, domain=DOMAIN))


def _undated(text: bytes) -> list[bytes]:
    return [line for line in text.splitlines() if b"-Date: " not in line]


@click.command()
def main() -> None:
    """Bring every language's catalogue up to date, and say what lacks a translation."""
    found = template()
    for lang in LANGUAGES:
        if lang == "en":
            continue
        catalogue = merged(lang, found)
        path = path_of(lang)
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, lang, catalogue)
        missing = [m.id for m in catalogue if m.id and not m.string]
        click.echo(f"{lang}: {len(catalogue)} messages, {len(missing)} not translated")
        for message in missing:
            click.echo(f"  {message}")


if __name__ == "__main__":
    main()
