"""One file of settings: its example, its defaults, and complaints that name key and line."""

import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from device.config import Settings, read_settings
from device.errors import BadConfig
from device.pins import Pins

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "systemd" / "toreshi.toml"


def written(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "toreshi.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_the_example_says_the_defaults() -> None:
    assert read_settings(EXAMPLE) == Settings()


def test_the_example_has_every_key() -> None:
    document = tomllib.loads(EXAMPLE.read_text("utf-8"))
    settings = Settings()
    for part in fields(Settings):
        value = getattr(settings, part.name)
        if isinstance(value, str):
            assert part.name in document
        else:
            assert set(document[part.name]) == {each.name for each in fields(value)}


def test_every_key_of_the_example_is_explained() -> None:
    keys = re.findall(r"^(\w+ = .*)$", EXAMPLE.read_text("utf-8"), re.M)
    plain = [line for line in keys if "#" not in line]
    # what its neighbour, or its name, explains
    assert [line.split()[0] for line in plain] == [
        *("v", "black", "event", "height", "black", "clock_white", "clock_black", "arbiter"),
        *("port", "folder", "hold_s"),
    ]


def test_an_empty_file_is_all_defaults(tmp_path: Path) -> None:
    assert read_settings(written(tmp_path, "")) == Settings()


def test_what_is_given_is_taken(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        """
        language = "kk"
        [table]
        game = "italian"
        clock = "40/90+30,30+30"
        [pins]
        white = [2, 3, 4]
        buzzer = "none"
        [camera]
        source = "usb:0"
        fps = 4
        """,
    )
    settings = read_settings(path)
    assert (settings.language, settings.table.game, settings.camera.source) == (
        *("kk", "italian", "usb:0"),
    )
    assert settings.camera.fps == 4
    assert settings.pins == Pins(white=(2, 3, 4), buzzer=None)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[table]\n\ngame = 'chess'", r"line 3, table\.game: 'chess'; expected one of italian"),
        ("[table]\ngames = 'russian'", r"line 2, table\.games: unknown setting; .* game, mode"),
        ("[tabel]\ngame = 'russian'", r"line 1, tabel: unknown setting; expected one of v, lang"),
        ("language = 'de'", r"line 1, language: 'de'; expected one of \"\", en, kk"),
        ("lang = 'ru'", r"line 1, lang: unknown setting"),
        ("v = 2", r"line 1, v: version 2; expected 1"),
        ("table = 3", r"line 1, table: 3; expected a table \[table\]"),
        ("[page]\nport = 0", r"line 2, page\.port: 0; expected a whole number from 1 to 65535"),
        ("[page]\nport = 80.5", r"line 2, page\.port: 80\.5; expected a whole number"),
        ("[page]\nport = true", r"line 2, page\.port: True; expected a whole number"),
        ("[camera]\nfps = nan", r"line 2, camera\.fps: nan; expected a number from 0\.5 to 30"),
        ("[camera]\nlock = 1", r"line 2, camera\.lock: 1; expected true or false"),
        ("[table]\nwhite = 7", r"line 2, table\.white: 7; expected one line of at most 60"),
        ('[table]\nwhite = "a\\nb"', r"line 2, table\.white: 'a\\nb'; expected one line"),
        ("[table]\nclock = 'fast'", r"line 2, table\.clock: no time control.*expected club, or"),
        ("[pins]\nwhite = [1, 2]", r"line 2, pins\.white: \[1, 2\]; expected three BCM numbers"),
        ("[pins]\nbuzzer = 17", r"line 2, pins\.buzzer: pin 17 is taken by pins\.white"),
        ("[pins]\nbell = 3", r"line 1, pins: unknown setting 'bell'; expected one of white"),
        (
            "[pins]\narbiter = 'none'",
            r"power\.off_button: the button arbiter has no pin; expected a pin for pins\.arbiter",
        ),
        ("[table]\ngame = ", r", at its end: no TOML: Invalid value"),
        ("[table]\ngame = russian\n", r"line 2: no TOML: Invalid value; expected key = value"),
        ("[table", r"no TOML"),
        ("deep = " + "[" * 100_000, r"no TOML: nested too deep"),
        (b"\xff\xfe", r"can't be read: not UTF-8; expected a TOML file"),
    ],
)
def test_what_is_wrong_is_told_with_key_and_line(
    tmp_path: Path, text: str | bytes, line: str
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(BadConfig) as told:
        read_settings(path)
    assert str(told.value).startswith(str(path))
    assert re.search(line, str(told.value))
    assert "\n" not in str(told.value)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match=r"gone\.toml: can't be read: No such file.*TOML file"):
        read_settings(tmp_path / "gone.toml")
