"""Every message in every language, and the falling back to English."""

import copy
import json
import pickle
import string
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from click.testing import CliRunner

from device import session_say
from device.cli import toreshi
from device.errors import BadConfig
from device.locale import LANGUAGES, known_language, language, localised, sentence, translator
from device.locale.__main__ import path_of, template
from device.session import begin
from device.session_values import Setup
from rules.said import BLACK, WHITE, Said, all_of, one_of

OTHERS = [lang for lang in LANGUAGES if lang != "en"]
#: A word of grammar; languages that need no pronoun there leave it out.
GRAMMAR = {"it"}


@pytest.fixture(scope="module")
def found() -> Catalog:
    return template()


def catalogue(lang: str) -> Catalog:
    with path_of(lang).open("rb") as stream:
        return read_po(stream, locale=lang)


def keys(catalog: Catalog) -> set[tuple[str, str | None]]:
    return {(str(message.id), message.context) for message in catalog if message.id}


def names(text: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(text) if field} - GRAMMAR


def test_the_sources_are_read(found: Catalog) -> None:
    """Of each kind of place that messages come from, one that is known to be there."""
    assert keys(found) >= {
        ("The man that reached {to} is a king now: crown it.", None),  # a row of a table
        ("{me} went {pips} from {frm} to {to}; {dice} gives {gives}.", None),  # a call in rules
        ("White", "in a sentence"),  # a context
        ("due: {moves}", None),  # the command line
    }


@pytest.mark.parametrize("lang", OTHERS)
def test_every_message_has_an_entry_that_names_the_same(found: Catalog, lang: str) -> None:
    """``python -m device.locale`` brings the catalogues up to date."""
    entries = catalogue(lang)
    assert keys(entries) == keys(found)
    assert [m.id for m in entries if m.id and not m.string] == []
    differ = [m.id for m in entries if m.id and names(str(m.id)) != names(str(m.string))]
    assert differ == []


@pytest.mark.parametrize("lang", OTHERS)
def test_what_is_compiled_is_what_is_written(lang: str) -> None:
    compiled = translator(lang)
    for message in catalogue(lang):
        if message.id and message.context:
            assert compiled.pgettext(message.context, str(message.id)) == message.string
        elif message.id:
            assert compiled.gettext(str(message.id)) == message.string


def test_a_message_that_no_catalogue_has_stays_english() -> None:
    assert sentence("No catalogue has this.", "kk") == "No catalogue has this."
    assert translator("fr").gettext("due: {moves}") == "due: {moves}"


def test_every_language_names_itself_and_has_a_catalogue() -> None:
    assert list(LANGUAGES) == ["en", "kk", "ru", "ka", "it"]
    folders = {path.name for path in path_of("kk").parents[2].iterdir() if path.is_dir()}
    assert folders - {"__pycache__"} == set(OTHERS)


@pytest.mark.parametrize(
    ("asked", "configured", "environ", "lang"),
    [
        ("ka", "ru", {"LANG": "it_IT"}, "ka"),
        ("", "ru", {"LANG": "it_IT"}, "ru"),
        ("", "", {"LANG": "kk_KZ.UTF-8"}, "kk"),
        ("", "", {"LC_ALL": "it_IT.UTF-8", "LANG": "kk_KZ"}, "it"),
        ("", "", {"LC_ALL": "", "LC_MESSAGES": "ru", "LANG": "kk"}, "ru"),
        ("", "", {"LANG": "C.UTF-8"}, "en"),
        ("", "", {"LANG": "fr_FR"}, "en"),
        ("", "", {}, "en"),
    ],
)
def test_the_language_that_is_spoken(
    asked: str, configured: str, environ: dict[str, str], lang: str
) -> None:
    assert language(asked, configured, environ) == lang
    assert known_language("ru-RU") == "ru"


def test_a_language_that_we_do_not_speak_is_refused_when_asked_for() -> None:
    with pytest.raises(BadConfig, match=r"--lang: language 'de'; expected one of en, kk"):
        language("de", "", {})
    with pytest.raises(BadConfig, match=r"^language: language 'de'"):
        language("", "de", {})


# ---- sentences -------------------------------------------------------------------------------

TURN = Said(
    "It is {turn}'s turn, but {other} played {played}: take it back.",
    {"turn": WHITE, "other": BLACK, "played": "c3-d4"},
)


def test_a_sentence_is_its_english_text() -> None:
    assert TURN == "It is White's turn, but Black played c3-d4: take it back."
    assert json.loads(json.dumps({"m": TURN})) == {"m": str(TURN)}


def test_what_a_sentence_names_is_said_in_the_language_too() -> None:
    assert sentence(TURN, "ru") == "Сейчас ходят белые, а сыграли чёрные: c3-d4. Верните ход."
    assert sentence(Said("{front} and {last}", {"front": "a", "last": "b"}), "it") == "a e b"


def test_a_sentence_that_begins_with_a_name_begins_with_a_capital() -> None:
    went = Said(
        "{me} went {pips} from {frm} to {to}; {dice} gives {gives}.",
        {"me": WHITE, "pips": 7, "frm": 24, "to": 17, "dice": "6-5", "gives": one_of("65")},
    )
    assert sentence(went, "ru") == "Белые прошли 7 с 24 на 17; 6-5 даёт 6 или 5."


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))])
def test_a_copy_can_still_be_said_in_another_language(copied: Any) -> None:
    assert sentence(copied(TURN), "it").startswith("Tocca al Bianco")


def test_a_sentence_comes_through_json() -> None:
    again = Said.from_json(json.loads(json.dumps(TURN.to_json())))
    assert (again, sentence(again, "ka")) == (TURN, sentence(TURN, "ka"))


@pytest.mark.parametrize("slip", ["{unknown} played", "{turn", "{turn!x}", "{0}"])
def test_a_translators_slip_silences_nobody(slip: str) -> None:
    class Slipped:
        def gettext(self, message: str) -> str:
            return slip

        def pgettext(self, context: str, message: str) -> str:
            return message

    assert TURN.within(Slipped()) == str(TURN)


@pytest.mark.parametrize(
    ("squares", "text"), [([], ""), (["a1"], "a1"), (["a1", "c3", "e5"], "a1, c3 and e5")]
)
def test_lists_are_written_as_people_do(squares: list[str], text: str) -> None:
    assert all_of(squares) == text
    assert one_of(squares) == text.replace(" and ", " or ")


def test_an_event_is_told_in_a_language() -> None:
    event = {"event": "offence", "message": str(TURN), "said": TURN.to_json(), "t": 3.0}
    assert localised(event, "ru")["message"] == sentence(TURN, "ru")
    assert localised({**event, "said": {"of": "another version"}}, "ru")["message"] == TURN
    assert localised({"event": "end", "reason": TURN}, "it")["reason"] == sentence(TURN, "it")


# ---- the command line ------------------------------------------------------------------------

CAPTURE = ["--game", "russian", "--before", "W:Wc3,e3:Bd4,h8", "--after", "W:Wb4,e3:Bd4,h8"]


def judged(*options: str, lang: str = "C") -> str:
    done = CliRunner().invoke(toreshi, ["judge", *CAPTURE, *options], env={"LC_ALL": lang})
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("kk", "Ұру міндетті болса да, c3-b4 жүрілді"),
        ("ru", "Сыграно c3-b4, хотя надо бить"),
        ("ka", "მოკვლა სავალდებულოა"),
        ("it", "È stata giocata c3-b4 benché la presa sia obbligatoria"),
    ],
)
def test_a_verdict_in_a_language(lang: str, words: str) -> None:
    assert words in judged("--lang", lang)
    assert words in judged(lang=f"{lang}_XX.UTF-8")
    assert words in json.loads(judged("--json", "--lang", lang))["message"]


def test_the_systems_language_does_not_change_json() -> None:
    assert json.loads(judged("--json", lang="ru_RU.UTF-8"))["message"].startswith("c3-b4 was")


#: Terms as players write them, and where that was read.
TERMS = {
    "kk": [
        "төреші",
        "дойбы",
        "дамка",
        "тас",
        "шаршы",
        "ұру",
        "оин",
        "марс",
    ],  # 9qum.kz, the rules of Russian draughts
    "ru": ["дамка", "Простая", "белые", "марс"],
    "ka": ["ნარდი", "ოინი", "მარსი", "ქვა", "კამათელი"],  # the Georgian rules of Long Nardi
    "it": ["dama", "pedina", "presa"],
}


@pytest.mark.parametrize("lang", OTHERS)
def test_terms_are_those_of_players(lang: str) -> None:
    text = Path(path_of(lang)).read_text("utf-8").replace('"\n"', "")
    assert [term for term in TERMS[lang] if term not in text] == []


def test_a_doubt_of_the_session_is_told_in_a_language() -> None:
    """From the squares of a real session to the sentence on the page."""
    state = begin(Setup("russian"))
    # squares are counted from Black's edge, four a row: b8 is the first, b4 the 17th
    text = session_say.should_hold(state, state.match.start, [1, 17])
    told = json.loads(json.dumps(session_say.event(state, 0, "unsure", message=text).event))
    assert told["message"] == "b8 should hold a black piece, b4 should be empty"
    russian = localised(told, "ru")["message"]
    assert russian == "на b8 должна стоять чёрная шашка, b4 должно быть пусто"


CROWN = Said("The man that reached {to} is a king now: crown it.", {"to": "f8"})


def test_a_square_in_front_stays_small() -> None:
    assert sentence(CROWN, "kk").startswith("f8 ")
    assert sentence(Said("White men: {squares}.", {"squares": "f8"}), "kk").startswith("Ақ ")


def test_georgian_sentences_begin_with_a_letter_that_every_font_has() -> None:
    """Its capitals (Mtavruli) are for headlines, and missing from many machines."""
    for text in (CROWN, TURN, "Correct a square"):
        assert "ა" <= sentence(text, "ka")[0] <= "ჰ"
