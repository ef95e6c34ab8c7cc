"""Outputs that can't be had, and arguments that are numbers in name only: one line each."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

TORESHI = [sys.executable, "-c", "from device.cli import main; main()"]


def run(*arguments: str, **given: object) -> subprocess.CompletedProcess[str]:
    """The command line in a process of its own."""
    done: subprocess.CompletedProcess[str] = subprocess.run(
        [*TORESHI, *arguments],
        capture_output="stdout" not in given,
        text=True,
        timeout=120,
        check=False,
        **given,  # type: ignore[call-overload]
    )
    return done


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "grey.png"
    cv2.imwrite(str(path), np.full((120, 160, 3), 120, np.uint8))
    return path


@pytest.mark.parametrize(
    ("corners", "expected"),
    [
        ("0,0 1e300,0 1e300,1e300 0,1e300", "four points"),
        ("inf,0 1,1 2,2 3,3", "four points"),
        ("nan,0 100,0 100,100 0,100", "four points"),
    ],
)
def test_corners_that_nobody_clicked(picture: Path, corners: str, expected: str) -> None:
    done = run("read", "--size", "8", "--corners", corners, str(picture))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert expected in done.stderr


def test_corners_outside_the_picture_are_said(picture: Path) -> None:
    away = "-500,-500 -100,-500 -100,-100 -500,-100"
    done = run("read", "--size", "8", "--corners", away, str(picture))
    assert (done.returncode, done.stderr) == (0, "")
    assert "not-found (the corners lie outside the picture)" in done.stdout


def test_an_overlay_folder_that_is_a_file(picture: Path, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    done = run("read", "--size", "8", "--overlay", str(file), str(picture))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert str(file) in done.stderr


def test_a_name_with_a_line_break_stays_one_line(tmp_path: Path) -> None:
    path = tmp_path / "two\nlines.jpg"
    path.touch()
    done = run("read", "--size", "8", str(path))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert done.stdout.count("\n") == 1


def test_a_pace_that_is_no_number(tmp_path: Path) -> None:
    done = run("watch", str(tmp_path), "--game", "russian", "--fps", "nan")
    assert done.returncode == 2
    assert "--fps" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["moves", "judge"])
def test_a_closed_standard_input(command: str) -> None:
    shell = f'exec "$0" -c "$1" {command} --game russian --batch <&-'
    done = subprocess.run(
        ["sh", "-c", shell, *TORESHI[::2]], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == (
        "toreshi: --batch: standard input is closed; expected lines of JSON on it\n"
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("arguments", [["games"], ["moves", "--game", "russian"], ["--help"]])
def test_a_full_disk_behind_standard_output(arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = run(*arguments, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1
    assert done.stderr.startswith("toreshi: standard output: ")
    assert done.stderr.count("\n") == 1
