"""Every offence has an article in every game, and every sentence a place for what it names."""

from __future__ import annotations

import string

import pytest

from rules.draughts.codes import ALSO, FMJD, KINDS
from rules.draughts.game import NAMES, DraughtsGame
from rules.draughts.telling import SHORT, WORDS

#: what a finding may bring, or what follows from it
FIELDS = {
    *("frm", "to", "squares", "it", "capture", "due", "turn", "other", "played", "better"),
    *("wanted", "count", "here", "victim", "landing", "standing", "off"),
}


@pytest.mark.parametrize("name", NAMES)
def test_every_offence_has_an_article(name: str) -> None:
    articles = DraughtsGame.by_name(name).variant.articles
    assert articles.keys() >= KINDS.keys()
    forms = {f"{code} {form}" for code, form in WORDS}
    assert {key for key in articles if " " in key} <= forms


def test_every_code_has_words_and_a_kind() -> None:
    assert {code for code, _ in WORDS} == KINDS.keys() == FMJD.keys()
    assert ALSO.keys() <= KINDS.keys()


@pytest.mark.parametrize(("code", "form"), WORDS)
def test_words_name_only_what_is_known(code: str, form: str) -> None:
    words = WORDS[code, form]
    for template in (*words.shorts, *words.messages):
        named = {field for _, field, _, _ in string.Formatter().parse(template) if field}
        assert named <= FIELDS
    # the last short line must fit whatever it names: two squares of a hundred, or a long route
    last = words.shorts[-1]
    longest = last.format_map(dict.fromkeys(FIELDS, "47x38") | {"it": "them", "turn": "White"})
    assert len(longest) <= SHORT
    assert all(message.endswith(".") for message in words.messages)
