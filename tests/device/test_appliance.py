"""What the machine does around its table, and `toreshi serve` with a file of settings."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import click
import pytest

from device import journal
from device.appliance import Appliance, unfinished
from device.cli import toreshi
from device.cli.serve_settings import plan_of, wish_of, with_settings
from device.config import PowerSettings, Settings, SignalSettings
from device.errors import BadConfig, DeviceError
from device.hardware import MonotonicClock
from device.notify import Notifier
from device.session import begin, step
from device.session_values import Setup
from device.web.plan import plan_from
from rules.draughts.game import DraughtsGame
from vision.fake import FakeEyes


class Manager(Notifier):
    def __init__(self) -> None:
        super().__init__("")
        self.told: list[str] = []

    def _send(self, message: str) -> None:
        self.told.append(message)


NO_BUTTONS = Settings(signals=SignalSettings(lamps="none", buttons="none"))


def appliance(manager: Notifier, published: list[Any], **more: Any) -> Appliance:
    return Appliance(
        NO_BUTTONS, manager, MonotonicClock(), lambda press: None, published.append, **more
    )


def test_the_service_manager_is_told_of_begin_and_end() -> None:
    manager = Manager()
    around = appliance(manager, [], low=lambda: None)
    around.start()
    around.close()
    assert manager.told == ["READY=1", "STOPPING=1"]


def test_undervoltage_is_said_when_it_comes_and_when_it_goes() -> None:
    manager, published = Manager(), list[Any]()
    readings = iter([False, True, True, False, None])
    around = appliance(manager, published, low=lambda: next(readings))
    for _ in range(5):
        around.look()
    assert [(event["event"], event["low"]) for event in published] == [
        ("power", True),
        ("power", False),
    ]
    assert published[0]["message"] == "the voltage is too low"
    assert manager.told[0] == "STATUS=the voltage is too low"


@pytest.mark.parametrize("refuses", [False, True])
def test_a_long_press_asks_to_switch_off(refuses: bool) -> None:
    asked = threading.Event()
    published: list[Any] = []

    def off() -> None:
        asked.set()
        if refuses:
            raise DeviceError("nobody to ask")

    around = appliance(Manager(), published, switch_off=off)
    around._held()
    assert asked.is_set()
    assert published[0]["event"] == "switch-off"


def test_the_arbiters_button_is_the_one_of_the_settings() -> None:
    settings = Settings(signals=NO_BUTTONS.signals, power=PowerSettings(off_button=""))
    around = Appliance(settings, Manager(), MonotonicClock(), lambda p: None, lambda e: None)
    assert around._pressing._long is None
    assert appliance(Manager(), [])._pressing._long is not None


# ---- going on --------------------------------------------------------------------------------


def played(
    folder: Path, plies: int, finish: bool = False, about: dict[str, Any] | None = None
) -> None:
    """A journal of a game in which so many plies were played."""
    game = DraughtsGame.by_name("russian")
    eyes = FakeEyes(game.board)
    setup = Setup("russian", settled=True, mode="club")
    state = begin(setup)
    folder.mkdir(parents=True)
    about = about or {"tags": {"White": "Aliya", "Black": "Timur"}}
    written = journal.Journal(folder / "journal.jsonl", setup, about)
    position = game.start()
    for ply in range(plies + 1):
        if ply:
            position = game.parse_move(position, ("c3-d4", "f6-g5", "b2-c3")[ply - 1]).after
        given = eyes.see(position, (ply + 1) * 10**9)
        written.took(given)
        state, effects = step(state, given)
        written.did(effects)
    if finish:
        from device.session_values import Command

        ended = Command("result", 10**11, "draw", "arbiter")
        written.took(ended)
        state, effects = step(state, ended)
        written.did(effects)
    written.close()


def test_a_game_that_was_broken_off_is_gone_on_with(tmp_path: Path) -> None:
    played(tmp_path / "2026-11-29-1", 1)
    played(tmp_path / "2026-11-30-1", 2)
    found = unfinished(tmp_path)
    assert found is not None
    assert found.folder.name == "2026-11-30-1"
    assert found.begun
    plan = plan_of(found)
    assert (plan.game, plan.mode, plan.white, plan.black) == ("russian", "club", "Aliya", "Timur")


def test_a_game_that_ended_is_not(tmp_path: Path) -> None:
    played(tmp_path / "2026-11-29-1", 1)
    played(tmp_path / "2026-11-30-1", 2, finish=True)
    assert unfinished(tmp_path) is None


def test_a_game_that_had_not_begun_is_not(tmp_path: Path) -> None:
    (tmp_path / "2026-11-30-1").mkdir()
    written = journal.Journal(
        tmp_path / "2026-11-30-1" / "journal.jsonl", Setup("russian"), {"toreshi": "0"}
    )
    written.close()
    assert unfinished(tmp_path) is None


def test_a_game_that_waits_is_gone_on_with_unless_another_one_is_wanted(tmp_path: Path) -> None:
    (tmp_path / "2026-11-30-1").mkdir()
    setup = Setup("russian", mode="club")
    journal.Journal(tmp_path / "2026-11-30-1" / "journal.jsonl", setup, {}).close()
    found = unfinished(tmp_path, setup)
    assert found is not None
    assert not found.begun
    assert unfinished(tmp_path, Setup("russian", mode="home")) is None
    assert unfinished(tmp_path, Setup("italian", mode="club")) is None


def test_no_games_and_broken_journals_are_no_reason_to_stop(tmp_path: Path) -> None:
    assert unfinished(tmp_path) is None
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "journal.jsonl").write_text("{}\nrubbish\n")
    assert unfinished(tmp_path) is None


# ---- settings --------------------------------------------------------------------------------


def options_of(*arguments: str) -> tuple[str, dict[str, Any], Any]:
    command = toreshi.get_command(click.Context(toreshi), "serve")
    assert command is not None
    context = command.make_context("serve", list(arguments))
    options = dict(context.params)
    source, settings = with_settings(context, options.pop("source"), options)
    return source, options, settings


FILE = """
language = "kk"
[table]
game = "italian"
mode = "club"
clock = "15+5"
white = "Aliya"
[camera]
source = "usb:1"
width = 1920
height = 1080
[page]
port = 8123
access = "club"
"""


def test_what_the_file_says_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "toreshi.toml"
    path.write_text(FILE)
    source, options, settings = options_of("--config", str(path))
    assert source == "usb:1"
    assert {key: options[key] for key in ("game", "mode", "clock", "white", "port", "lang")} == {
        "game": "italian",
        "mode": "club",
        "clock": "15+5",
        "white": "Aliya",
        "port": 8123,
        "lang": "kk",
    }
    assert options["out"] == Path("/var/lib/toreshi/games")
    wish = wish_of(settings, options["out"])
    assert wish is not None
    assert (wish.size_wh, wish.patient) == ((1920, 1080), True)
    assert wish.memory == options["out"] / ".camera.json"


def test_what_is_named_on_the_command_line_counts_more(tmp_path: Path) -> None:
    path = tmp_path / "toreshi.toml"
    path.write_text(FILE)
    source, options, _ = options_of(
        "simulated", "--config", str(path), "--port", "8080", "--game", "english"
    )
    assert (source, options["port"], options["game"]) == ("simulated", 8080, "english")
    assert options["mode"] == "club"


def test_without_a_file_nothing_changes() -> None:
    source, options, settings = options_of()
    assert (source, settings, options["port"]) == ("simulated", None, 8080)
    assert wish_of(None, Path()) is None


def test_without_lock_nothing_is_remembered(tmp_path: Path) -> None:
    path = tmp_path / "toreshi.toml"
    path.write_text("[camera]\nlock = false\n")
    wish = wish_of(options_of("--config", str(path))[2], tmp_path)
    assert wish is not None
    assert wish.memory is None


# ---- the date --------------------------------------------------------------------------------


def test_a_person_may_say_the_date_of_a_game() -> None:
    """On a machine without a clock that runs on, and without a network."""
    plan = plan_from({"game": "russian", "date": "2026-11-30", "white": "Aliya"})
    assert plan.tags() == {"Date": "2026.11.30", "White": "Aliya"}
    assert "Date" not in plan_from({"game": "russian"}).tags()


@pytest.mark.parametrize("text", ["30.11.2026", "2026-13-01", "20261130", "2026-W01-1", "soon"])
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(BadConfig, match="2026-11-30"):
        plan_from({"game": "russian", "date": text})


@pytest.mark.parametrize(("kept", "date"), [("2026.11.30", "2026-11-30"), ("????.??.??", "")])
def test_a_game_that_goes_on_keeps_its_date(tmp_path: Path, kept: str, date: str) -> None:
    played(tmp_path / "2026-11-30-1", 1, about={"tags": {"Date": kept}})
    found = unfinished(tmp_path)
    assert found is not None
    assert plan_of(found).date == date
