"""Checks a table of TOML against a dataclass; what is wrong is told with its key and line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import Field, field, fields
from pathlib import Path
from typing import Any, TypeVar

from vision.files import read_whole

from .errors import BadConfig

T = TypeVar("T")

#: Bytes; larger files are no settings.
LARGEST = 1024 * 1024

#: Keys and headers of tables as they begin a line; good enough to point a person to it.
_HEADER = re.compile(r"^\s*\[([^\]\[]+)\]")
_KEY = re.compile(r"^\s*([A-Za-z0-9_-]+)\s*=")
#: tomllib ends its complaints like this.
_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")


def choice(default: str, among: Sequence[str]) -> Any:
    """A setting that is one of some words."""
    return field(default=default, metadata={"among": tuple(among)})


def number(default: float, least: float, most: float) -> Any:
    """A setting that is a number; a whole one where its default is."""
    return field(default=default, metadata={"range": (least, most)})


def text(default: str = "", most: int = 60) -> Any:
    """A setting that is one line of text."""
    return field(default=default, metadata={"most": most})


class Document:
    """A TOML file, and where each key of it stands.

    Args:
        path: the file.

    Raises:
        BadConfig: it can't be read, or is no TOML.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            source = read_whole(path, LARGEST).decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "not UTF-8"
            raise BadConfig(f"can't be read: {reason}", str(path), "a TOML file") from error
        try:
            self.tables: dict[str, Any] = tomllib.loads(source)
        except tomllib.TOMLDecodeError as error:
            place = _PLACE.search(str(error))
            line = f", line {place[1]}" if place and place[1] else ", at its end"
            said = _PLACE.sub("", str(error))
            raise BadConfig(f"no TOML: {said}", f"{path}{line}", "key = value") from error
        except RecursionError:
            raise BadConfig("no TOML: nested too deep", str(path), "key = value") from None
        self._lines = _lines_of(source)

    def where(self, key: str) -> str:
        """``file, line 3, game.mode``; the table's line where the key has none of its own."""
        line = self._lines.get(key) or self._lines.get(key.split(".")[0])
        return f"{self.path}, line {line}, {key}" if line else f"{self.path}, {key}"

    def table(self, name: str) -> dict[str, Any]:
        """A table of the file; empty where there is none.

        Raises:
            BadConfig: something else has its name.
        """
        found = self.tables.get(name, {})
        if not isinstance(found, dict):
            raise BadConfig(f"{found!r:.40}", self.where(name), f"a table [{name}]")
        return found

    def only(self, names: Sequence[str]) -> None:
        """There are no others at the top.

        Raises:
            BadConfig: there is one.
        """
        for name in self.tables:
            if name not in names:
                raise BadConfig("unknown setting", self.where(name), f"one of {', '.join(names)}")


def filled(kind: type[T], given: Mapping[str, Any], document: Document, table: str) -> T:
    """A dataclass of settings with what a table gives; what it leaves out is as by default.

    Raises:
        BadConfig: an unknown key or a wrong value.
    """
    known: dict[str, Field[Any]] = {each.name: each for each in fields(kind)}  # type: ignore[arg-type]
    for key, value in given.items():
        where = document.where(f"{table}.{key}" if table else key)
        if key not in known:
            raise BadConfig("unknown setting", where, f"one of {', '.join(known)}")
        _check(value, known[key], where)
    return kind(**given)


def _check(value: Any, setting: Field[Any], where: str) -> None:
    facts = setting.metadata
    if "among" in facts:
        if value not in facts["among"]:
            words = ", ".join(word or '""' for word in facts["among"])
            raise BadConfig(f"{value!r:.40}", where, f"one of {words}")
    elif "range" in facts:
        least, most = facts["range"]
        kinds = (int,) if isinstance(setting.default, int) else (int, float)
        if type(value) not in kinds or not least <= value <= most:
            whole = "a whole number" if kinds == (int,) else "a number"
            raise BadConfig(f"{value!r:.40}", where, f"{whole} from {least} to {most}")
    elif isinstance(setting.default, bool):
        if not isinstance(value, bool):
            raise BadConfig(f"{value!r:.40}", where, "true or false")
    elif not isinstance(value, str) or not value.isprintable() or len(value) > facts["most"]:
        raise BadConfig(f"{value!r:.40}", where, f"one line of at most {facts['most']} characters")


def _lines_of(source: str) -> dict[str, int]:
    lines: dict[str, int] = {}
    table = ""
    for count, line in enumerate(source.splitlines(), 1):
        if header := _HEADER.match(line):
            table = header[1].strip()
            lines.setdefault(table, count)
        elif key := _KEY.match(line):
            lines.setdefault(f"{table}.{key[1]}" if table else key[1], count)
    return lines
