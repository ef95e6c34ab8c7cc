"""What the README tells people to type exists, and what it links to is there."""

import re
import shlex
from pathlib import Path

import click
import pytest

from device.cli import COMMANDS, toreshi

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text("utf-8")

#: Every line of code that calls the command line.
LINES = re.findall(r"^    (?:\./run )?(toreshi .*?)(?:  #.*)?$", TEXT, re.M)


def test_the_readme_shows_commands() -> None:
    assert len(LINES) >= 8


@pytest.mark.parametrize("line", LINES)
def test_a_command_of_the_readme_can_be_read(line: str) -> None:
    """Parsed by click as it stands, without being run."""
    _, name, *arguments = shlex.split(line)
    if name == "--help":
        return
    assert name in COMMANDS
    command = toreshi.get_command(click.Context(toreshi), name)
    assert command is not None
    command.make_context(name, arguments)


@pytest.mark.parametrize("verb", re.findall(r"^    (\./run \w+)", TEXT, re.M))
def test_a_verb_of_run_exists(verb: str) -> None:
    script = (ROOT / "run").read_text("utf-8")
    assert re.search(rf"^    {verb.split()[1]}\)$", script, re.M)


@pytest.mark.parametrize("target", re.findall(r"\]\(([^)#]+)\)", TEXT))
def test_a_link_leads_somewhere(target: str) -> None:
    assert target.startswith("https://") or (ROOT / target).is_file()


def test_settings_named_in_the_text_exist() -> None:
    """Options in running text belong to some command."""
    options = set()
    for name in COMMANDS:
        command = toreshi.get_command(click.Context(toreshi), name)
        assert command is not None
        options |= {text for parameter in command.params for text in parameter.opts}
    named = set(re.findall(r"(?<![\w-])(--[a-z][a-z-]+)", TEXT)) - {"--help"}
    assert named <= options
