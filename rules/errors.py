"""The root of every error that Toreshi raises on purpose, and the errors of ``rules``.

An error says what is wrong, where it was found, and what was expected, so that one line is
enough for a person to act on.  The command line maps the classes to exit codes in one place.
"""

from __future__ import annotations


class ToreshiError(Exception):
    """Something that a person or a file got wrong, told in one line.

    Args:
        what: what is wrong, with the offending text in quotes.
        where: the file, line, argument or field it was found in; may be empty.
        expected: what would have been right.
    """

    def __init__(self, what: str, where: str = "", expected: str = "") -> None:
        super().__init__(what, where, expected)
        self.what = what
        self.where = where
        self.expected = expected

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        wanted = f"; expected {self.expected}" if self.expected else ""
        return f"{place}{self.what}{wanted}"


class RulesError(ToreshiError):
    """Text or values that the rules can't work with."""


class UnknownGame(RulesError):
    """No game of this name."""


class BadPosition(RulesError):
    """A position that can't be read, or that no game can have."""


class BadMove(RulesError):
    """Text that is no move at all."""


class IllegalMove(RulesError):
    """A move that is written well but not allowed in its position."""


class AmbiguousMove(RulesError):
    """A move text that fits several legal moves."""


class BadRecord(RulesError):
    """A game record that can't be read."""
