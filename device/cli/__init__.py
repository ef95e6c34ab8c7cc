"""The command line.  Each command lives in a module of its own, imported only when called."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

import click

from rules.errors import ToreshiError

#: Command name -> module in this package that holds its ``command``, and a line of help.
COMMANDS = {
    "demo": ("demo", "Play a recorded game through the whole pipeline, without hardware."),
    "watch": ("watch", "Follow a game from a camera, a video or a folder of pictures."),
    "serve": ("serve", "Follow a game and show it in a browser."),
    "calibrate": ("calibrate", "Learn a set and its light from pictures of the start position."),
    "read": ("read", "Say what stands on the board in pictures."),
    "dice": ("dice", "Say what the dice in pictures show."),
    "mount": ("mount", "Say how well the camera is mounted, while you move it."),
    "markers": ("markers", "Write corner markers to print, for a board that is not found."),
    "moves": ("rules_moves", "List the legal moves of positions."),
    "perft": ("rules_perft", "Count the leaf nodes of the tree of legal moves."),
    "judge": ("rules_judge", "Say whether what happened between two positions was legal."),
    "pdn": ("pdn", "Check game records in PDN."),
    "games": ("rules_games", "List the games."),
    "replay": ("replay", "Run a journal again and say where the effects differ."),
    "bundle": ("bundle", "Put a game into one file, to send when the referee was wrong."),
    "check": ("check", "Look at camera, lamps, buttons, disk, clock and models."),
}

BAD_INPUT = 2
OWN_FAILURE = 1


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called, so that none pays for another."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order in which a newcomer needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, or None."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f".{COMMANDS[cmd_name][0]}", __name__)
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="toreshi")
def toreshi() -> None:
    """Toreshi, a referee for draughts and Long Nardi on a real board."""


def main(arguments: list[str] | None = None) -> Any:
    """Run one command; exit 0 when it did its work, 2 on bad input, 1 on a failure of its own."""
    try:
        code = toreshi.main(arguments, prog_name="toreshi", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except ToreshiError as error:
        _fail(str(error), BAD_INPUT)
    except click.exceptions.Abort:
        _fail("stopped", OWN_FAILURE)
    except click.ClickException as error:
        _fail(error.format_message(), BAD_INPUT)
    except OSError as error:
        _fail_of_system(error)
    sys.exit(code if isinstance(code, int) else 0)


def one_line(text: str) -> str:
    """The text without line breaks, which names of files may hold."""
    return " ".join(text.split())


def _fail_of_system(error: OSError) -> None:
    """A file that a person named is bad input; else it is our own output that nobody takes."""
    if error.filename is not None:
        reason = error.strerror or "can't be used"
        _fail(f"{error.filename}: {reason}; expected a file or folder for this use", BAD_INPUT)
    # what is still in the buffer can't be written at exit either
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if isinstance(error, BrokenPipeError):  # whoever read our lines has had enough
        sys.exit(OWN_FAILURE)
    _fail(f"standard output: {error.strerror or error}; expected somebody to read it", OWN_FAILURE)


def _fail(line: str, code: int) -> None:
    click.echo(f"toreshi: {one_line(line)}", err=True)
    sys.exit(code)
