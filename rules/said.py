"""Sentences for people that can be said again in another language.

``rules`` speaks English and knows no catalogue.  A `Said` is its English text, and remembers the
sentence that it was made of and what was put into it, so that whoever has a catalogue says the
same in another language.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol


class Translations(Protocol):
    """A catalogue, as the standard library's gettext has it."""

    def gettext(self, message: str) -> str:
        """The message in the catalogue's language, or as it is."""

    def pgettext(self, context: str, message: str) -> str:
        """The same for a message that means this only in a context."""


class Said(str):
    """English text, with its sentence and what that names.

    Args:
        template: the sentence, a literal, since catalogues are made from the sources; what it
            names stands in braces.
        fields: what is named: text that is the same in every language, numbers, or a `Said`.
        context: tells apart what is one word in English and several elsewhere; may be empty.
    """

    __slots__ = ("context", "fields", "template")
    template: str
    context: str
    fields: Mapping[str, str | int]

    def __new__(  # noqa: D102 - the class says it
        cls, template: str, fields: Mapping[str, str | int] | None = None, context: str = ""
    ) -> Said:
        fields = fields or {}
        said = super().__new__(cls, template.format_map(fields) if fields else template)
        said.template, said.context, said.fields = template, context, fields
        return said

    def __reduce__(self) -> tuple[Any, ...]:
        return Said, (self.template, dict(self.fields), self.context)

    def within(self, translations: Translations) -> str:
        """The same in a catalogue's language; in English where the catalogue doesn't fit."""
        if self.context:
            template = translations.pgettext(self.context, self.template)
        else:
            template = translations.gettext(self.template)
        named = {
            name: value.within(translations) if isinstance(value, Said) else value
            for name, value in self.fields.items()
        }
        try:
            return template.format_map(named) if named else template
        except (KeyError, IndexError, ValueError):  # a translator's slip must silence nobody
            return str(self)

    def to_json(self) -> dict[str, Any]:
        """The sentence and what it names, as JSON."""
        row: dict[str, Any] = {"say": self.template}
        if self.context:
            row["context"] = self.context
        if self.fields:
            row["with"] = {
                name: value.to_json() if isinstance(value, Said) else value
                for name, value in self.fields.items()
            }
        return row

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Said:
        """What ``to_json`` wrote.

        Raises:
            KeyError, TypeError, ValueError, IndexError, AttributeError: it is something else.
        """
        fields = {
            name: cls.from_json(value) if isinstance(value, dict) else value
            for name, value in row.get("with", {}).items()
        }
        return cls(row["say"], fields, row.get("context", ""))


#: The sides inside a sentence; many languages write them small there, or in another form.
WHITE = Said("White", context="in a sentence")
BLACK = Said("Black", context="in a sentence")


def side_in_sentence(side: str) -> Said:
    """The side's name as a sentence has it."""
    return WHITE if side == "w" else BLACK


def all_of(names: Sequence[str]) -> str:
    """``c3``, ``c3 and d4``, ``c3, d4 and e5``."""
    if len(names) < 2:
        return "".join(names)
    return Said("{front} and {last}", {"front": ", ".join(names[:-1]), "last": names[-1]})


def one_of(names: Sequence[str]) -> str:
    """``c3``, ``c3 or d4``, ``c3, d4 or e5``."""
    if len(names) < 2:
        return "".join(names)
    return Said("{front} or {last}", {"front": ", ".join(names[:-1]), "last": names[-1]})
