"""Typed fields of one line of JSON, each error with its line and column."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from ..errors import BadRecord

T = TypeVar("T")
#: No text in a record is longer.
MOST_TEXT = 10_000


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a record that can't be read or can't be right.

    Attributes:
        line: from 1.
        column: from 1.
        what: what is wrong.
        expected: what would have been right; may be empty.
    """

    line: int
    column: int
    what: str
    expected: str = ""

    def __str__(self) -> str:
        wanted = f"; expected {self.expected}" if self.expected else ""
        return f"line {self.line}, column {self.column}: {self.what}{wanted}"


class BadLine(BadRecord):
    """A line that can't be read, with the `Problem`."""

    def __init__(self, problem: Problem) -> None:
        place = f"line {problem.line}, column {problem.column}"
        super().__init__(problem.what, place, problem.expected)
        self.problem = problem


class Fields:
    """The fields of a JSON object on one line.

    Args:
        line: the text.
        number: which line it is.

    Raises:
        BadLine: when the line is no JSON object; every method too, when its field is wrong.
    """

    def __init__(self, line: str, number: int) -> None:
        self._line, self.number = line, number
        try:
            data = json.loads(line)
        except json.JSONDecodeError as error:
            raise self._bad(error.colno, f"no JSON: {error.msg}", "one object a line") from None
        except (ValueError, RecursionError) as error:
            raise self._bad(1, f"no JSON: {str(error)[:60]}", "one object a line") from None
        if not isinstance(data, dict):
            raise self._bad(1, "no object", "{...}")
        self._data: Mapping[str, Any] = data

    def _bad(self, column: int, what: str, expected: str) -> BadLine:
        return BadLine(Problem(self.number, column, what, expected))

    def bad(self, key: str, what: str, expected: str = "") -> BadLine:
        """The error for one field, at its column."""
        at = self._line.find(f'"{key}"')
        return self._bad(at + 1 if at >= 0 else 1, what, expected)

    def has(self, key: str) -> bool:
        """Whether the field is there and not null."""
        return self._data.get(key) is not None

    def _value(self, key: str, expected: str) -> Any:
        if not self.has(key):
            raise self.bad(key, f"no {key}", expected)
        return self._data[key]

    def text(self, key: str, default: str | None = None) -> str:
        """A text, without what no file can hold; the default when it is left out."""
        if default is not None and not self.has(key):
            return default
        value = self._value(key, "a text")
        if not isinstance(value, str) or len(value) > MOST_TEXT:
            raise self.bad(key, f"{key} {_short(value)}", f"a text of at most {MOST_TEXT}")
        return value.encode("utf-8", "replace").decode("utf-8")

    def choice(self, key: str, table: Mapping[str, T], default: T | None = None) -> T:
        """One of several words, as what it stands for."""
        if default is not None and not self.has(key):
            return default
        value = self._value(key, f"one of {', '.join(table)}")
        if not isinstance(value, str) or value not in table:
            raise self.bad(key, f"{key} {_short(value)}", f"one of {', '.join(table)}")
        return table[value]

    def integer(self, key: str, lowest: int, highest: int) -> int:
        """A whole number in these bounds."""
        value = self._value(key, f"{lowest}..{highest}")
        if not _whole(value, lowest, highest):
            raise self.bad(key, f"{key} {_short(value)}", f"{lowest}..{highest}")
        return int(value)

    def number_or_none(self, key: str, highest: float) -> float | None:
        """A number 0..highest, or None when the field is left out."""
        if not self.has(key):
            return None
        value = self._data[key]
        fair = isinstance(value, int | float) and not isinstance(value, bool)
        if not fair or not 0 <= value <= highest:
            raise self.bad(key, f"{key} {_short(value)}", f"a number 0..{highest:g}")
        return float(value)

    def pair(self, key: str, lowest: int, highest: int) -> tuple[int, int]:
        """Two whole numbers in these bounds."""
        expected = f"two numbers {lowest}..{highest}"
        value = self._value(key, expected)
        found = whole_pair(value, lowest, highest)
        if found is None:
            raise self.bad(key, f"{key} {_short(value)}", expected)
        return found

    def items(self, key: str, read: Callable[[Any], T | None], expected: str) -> tuple[T, ...]:
        """A list, each item read by a function that gives None for what it can't read."""
        value = self._value(key, expected)
        if not isinstance(value, list):
            raise self.bad(key, f"{key} {_short(value)}", expected)
        found: list[T] = []
        for item in value:
            one = read(item)
            if one is None:
                raise self.bad(key, f"{key} with {_short(item)}", expected)
            found.append(one)
        return tuple(found)

    def inside(self, key: str) -> Fields:
        """The object in a field; its errors have the place of this line."""
        value = self._value(key, "{...}")
        if not isinstance(value, dict):
            raise self.bad(key, f"{key} {_short(value)}", "{...}")
        inner = Fields.__new__(Fields)
        inner._line, inner.number, inner._data = self._line, self.number, value
        return inner

    def texts(self) -> dict[str, str]:
        """All fields, each of which must be a text."""
        return {key: self.text(key) for key in self._data}


def whole_pair(value: Any, lowest: int, highest: int) -> tuple[int, int] | None:
    """Two whole numbers in these bounds, or None."""
    if (
        isinstance(value, list)
        and len(value) == 2
        and all(_whole(v, lowest, highest) for v in value)
    ):
        return value[0], value[1]
    return None


def _whole(value: Any, lowest: int, highest: int) -> bool:
    return type(value) is int and lowest <= value <= highest


def _short(value: Any) -> str:
    return repr(value)[:40]
