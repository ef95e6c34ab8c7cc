"""The pages of docs say what the program does: pins, signals, settings, heights, dependencies."""

import importlib.util
import math
import re
import shlex
import tomllib
from pathlib import Path
from types import ModuleType

import click
import pytest

from device.cli import COMMANDS, toreshi
from device.config import Settings
from device.pins import Pins
from device.signals import PATTERNS, Signal

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))


def text(name: str) -> str:
    return (DOCS / name).read_text("utf-8")


@pytest.fixture(scope="module")
def draw() -> ModuleType:
    spec = importlib.util.spec_from_file_location("draw_wiring", DOCS / "draw_wiring.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pages_are_there() -> None:
    names = {page.stem for page in PAGES}
    assert names >= {"players", "referee", "developer", "wiring", "dependencies"}


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
        assert target.startswith("https://") or (page.parent / target).is_file(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_commands_and_options_exist(page: Path) -> None:
    for line in re.findall(r"`(toreshi [^`]+)`", page.read_text("utf-8")):
        name, *arguments = shlex.split(line)[1:]
        assert name in COMMANDS, line
        command = toreshi.get_command(click.Context(toreshi), name)
        assert command is not None
        known = {text for parameter in command.params for text in parameter.opts}
        assert {a for a in arguments if a.startswith("--")} <= known, line


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_files_that_are_named_exist(page: Path) -> None:
    named = re.findall(r"`((?:device|tests|systemd|docs|rules)/[\w./-]+)`", page.read_text("utf-8"))
    for name in named:
        assert (ROOT / name).exists(), name


def test_the_drawings_are_those_that_are_drawn(draw: ModuleType) -> None:
    """``python docs/draw_wiring.py`` draws them anew."""
    assert (DOCS / "wiring.svg").read_text("utf-8") == draw.wiring(Pins())
    assert (DOCS / "mounting.svg").read_text("utf-8") == draw.mounting()


#: From the pinout of the 40-pin header, the pins that the default wiring uses.
PINOUT = {17: 11, 27: 13, 22: 15, 23: 16, 24: 18, 25: 22, 18: 12, 5: 29, 6: 31, 13: 33}


def test_the_drawing_has_every_wire_at_its_pin() -> None:
    drawing = (DOCS / "wiring.svg").read_text("utf-8")
    for bcm, pin in PINOUT.items():
        assert f"BCM {bcm}, pin {pin}<" in drawing
    assert drawing.count("BCM ") == len(PINOUT)


def test_the_table_of_wires_is_that_of_the_program() -> None:
    pins, page = Pins(), text("wiring.md")
    for numbers in (pins.white, pins.black):
        assert f"| {', '.join(map(str, numbers))} |" in page
    assert f"| buzzer | {pins.buzzer} |" in page
    assert f"| {pins.clock_white}, {pins.clock_black} |" in page
    assert f"| arbiter's button | {pins.arbiter} |" in page


def test_the_table_of_signals_is_that_of_the_program() -> None:
    page = text("referee.md")
    for signal, pattern in PATTERNS.items():
        sound = f"`{pattern.sound}`" if pattern.sound else "silent"
        cells = (signal.value, pattern.lamp.value, f"`{pattern.then}`", sound, pattern.meaning)
        assert f"| {' | '.join(cells)} |" in page
    assert f"`{PATTERNS[Signal.LEGAL].once}`" in page


def test_the_table_of_heights_is_that_of_the_optics(draw: ModuleType) -> None:
    assert draw.table() in text("players.md")
    # by hand: at 0.87 m a lens of 41 degrees sees 0.65 m, which is 0.5 m and 15 % at each side
    seen = 2 * 0.87 * math.tan(math.radians(20.5))
    assert seen == pytest.approx(0.65, abs=0.005)
    assert "| draughts 10x10, 45 mm squares | 0.87 m |" in text("players.md")


def test_figures_of_the_settings_are_those_of_the_program() -> None:
    settings, page = Settings(), text("players.md")
    assert f"for {settings.keep.picture_days} days" in page
    assert settings.keep.picture_megabytes == 2000
    assert "up to 2 GB" in page
    assert settings.power.hold_s == 5
    assert "arbiter's button for five seconds" in page
    assert f"toreshi.local:{settings.page.port}" in page


def test_every_dependency_has_its_row() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extra = project["optional-dependencies"]
    page = text("dependencies.md")
    for need in [*project["dependencies"], *extra["dev"], *extra["train"]]:
        name = re.split(r"[<>=~ ]", need)[0]
        if name not in ("torchvision", "types-tqdm"):  # they go with torch and tqdm
            assert re.search(rf"^\| [^|]*\b{re.escape(name)}\b", page, re.M), name
