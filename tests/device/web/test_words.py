"""The page's languages: which one a browser gets, and what the scripts are handed."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from device.locale import LANGUAGES
from device.web import words
from device.web.foreign import FOREIGN
from rules.said import Said

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("asked", "kept", "accepted", "chosen"),
    [
        ("ru", "kk", "it", "ru"),
        ("xx", "kk", "it", "kk"),
        ("", "", "it-IT,it;q=0.9,en;q=0.5", "it"),
        ("", "", "de,fr;q=0.9,ka;q=0.3,kk;q=0.4", "kk"),
        ("", "", "en;q=0.1, ru", "ru"),
        ("", "", "*", "en"),
        ("", "", ";;q=;,,q=9", "en"),
        ("../ru", "<b>", "", "en"),
    ],
)
def test_the_language_of_a_browser(asked: str, kept: str, accepted: str, chosen: str) -> None:
    assert words.choose(asked, kept, accepted, "en") == chosen


def test_the_scripts_are_handed_every_sentence_that_they_say() -> None:
    said = words.messages()
    assert "The position stands." in said
    assert "Can't tell: {squares}." in said
    for lang in LANGUAGES:
        if lang != "en":
            assert set(words.catalogue(lang)) <= set(said)
            assert len(words.catalogue(lang)) > 0.9 * len(said), lang
    assert words.catalogue("en") == {}


def test_no_script_says_what_the_catalogues_cannot_find() -> None:
    """Only a literal as the first argument is found."""
    for path in sorted(words.STATIC.glob("*.js")):
        text = path.read_text(encoding="utf-8")
        calls = re.findall(r"(?<![\w.])_\((?!text, fields)\s*(.)", text)
        assert set(calls) <= {'"'}, path.name


def test_sentences_of_others_are_still_said_by_them() -> None:
    """A line that is said no more, or in other words, is found here."""
    text = "".join(
        path.read_text("utf-8")
        for folder in ("rules", "vision", "device")
        for path in (ROOT / folder).rglob("*.py")
        if path.name != "foreign.py"
    )
    joined = re.sub(r'"\s*\n\s*"', "", text)
    assert [one for one in sorted(FOREIGN) if one not in joined] == []


def test_every_sentence_in_what_is_shown_is_said_in_the_language() -> None:
    told = {
        "outcome": {"text": "time over", "ending": "w"},
        "counters": [{"text": "the same position three times"}],
        "pending": {"message": Said("due: {moves}", {"moves": "a3-b4"})},
        "plies": [{"text": "c3-d4"}],
        "fen": "",
        "count": 3,
        "none": None,
    }
    said = words.say(told, "ru")
    assert said["outcome"] == {"text": "время вышло", "ending": "w"}
    assert said["counters"] == [{"text": "позиция повторилась трижды"}]
    assert said["pending"]["message"] != told["pending"]["message"]  # type: ignore[index]
    assert "a3-b4" in said["pending"]["message"]
    assert (said["plies"], said["fen"], said["count"], said["none"]) == (told["plies"], "", 3, None)
    assert words.say(told, "en")["outcome"]["text"] == "time over"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_page_is_there_in_every_language(hall: Callable[..., Any], lang: str) -> None:
    table = hall()
    table.start()
    for path in ("/", "/table", "/setup", "/games", "/health", "/join", "/nowhere"):
        answer = table.client.get(path, params={"lang": lang})
        assert f'<html lang="{lang}">' in answer.text
        assert "PO-Revision-Date" not in answer.text
    kept = table.browser()
    kept.get("/", params={"lang": lang})
    assert f'<html lang="{lang}">' in kept.get("/games").text


def test_a_refusal_is_said_in_the_browsers_language(hall: Callable[..., Any]) -> None:
    table = hall("club")
    answer = table.client.post(
        "/api/command",
        json={"name": "resign", "by": "w"},
        headers={"Accept-Language": "it"},
    )
    assert answer.json()["error"] == "Spetta all'altro giocatore o all'arbitro."
