"""Where games can't be kept, nothing is served."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from device.cli.serve import command
from rules.errors import ToreshiError


def test_a_folder_that_cannot_be_made_is_said_at_once(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    arguments = ["--out", str(tmp_path / "taken" / "games"), "--port", "0"]
    with pytest.raises(ToreshiError, match=r"--out .*games: can't be made"):
        CliRunner().invoke(command, arguments, standalone_mode=False, catch_exceptions=False)
