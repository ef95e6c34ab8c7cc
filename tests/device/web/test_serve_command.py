"""``toreshi serve``: what is no good is said in one line before anything starts."""

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from device.cli import main, serve
from device.cli.serve import open_camera, secrets_of
from device.source_simulated import Simulated
from device.web.access import Access
from device.web.server import bind
from device.web.site import own_names


def refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as left:
        main(["serve", *arguments])
    assert left.value.code == 2
    told = capsys.readouterr()
    assert told.err.count("\n") == 1
    assert "Traceback" not in told.err
    return told.err


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        (["nowhere.mp4"], "nowhere.mp4"),
        (["usb:x"], "usb:x"),
        (["--game", "chess"], "chess"),
        (["--game", "italian"], "italian"),  # no recorded game of it
        (["--fen", "W:Wb1:Bh8"], "b1"),
        (["--access", "club"], "PIN"),
        (["--port", "70000"], "70000"),
        (["--host", "300.1.1.1"], "300.1.1.1"),
        (["--white", "a" * 61], "white"),
        (["--speed", "0"], "speed"),
    ],
)
def test_what_is_no_good(
    arguments: list[str],
    wrong: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert wrong in refused([*arguments, "--out", "games"], capsys)
    assert not list(tmp_path.glob("games/20*"))


def test_a_port_that_somebody_else_has(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        told = refused(["--port", str(port), "--out", str(tmp_path / "games")], capsys)
    assert f"127.0.0.1:{port}" in told
    assert "a free port" in told


def test_the_pin_is_asked_for_twice_and_kept_as_a_hash(tmp_path: Path) -> None:
    games = tmp_path / "games"
    arguments = ["--set-pin", "--out", str(games)]
    done = CliRunner().invoke(serve.command, arguments, input="271828\n271828\n")
    assert done.exit_code == 0
    assert "271828" not in done.output
    assert "271828" not in secrets_of(games).read_text()
    access = Access(secrets_of(games), "club")
    assert access.has_pin
    assert isinstance(access.log_in("271828", "10.0.0.1"), str)
    again = CliRunner().invoke(serve.command, arguments, input="271828\n314159\n")
    assert again.exit_code != 0
    assert isinstance(access.log_in("271828", "10.0.0.1"), str)


def test_without_a_source_the_recorded_game_is_the_camera() -> None:
    camera = open_camera("simulated", "russian", 2.0)
    assert isinstance(camera, Simulated)
    assert not camera.settled
    camera.close()


def test_a_folder_of_pictures_is_played_as_a_camera_would(tmp_path: Path) -> None:
    import cv2
    import numpy as np

    for number in range(3):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.zeros((8, 8, 3), np.uint8))
    camera = open_camera(str(tmp_path), "russian", 1.0)
    assert isinstance(camera, Simulated)
    assert not camera.settled
    camera.close()


def test_the_machine_is_known_by_its_own_names() -> None:
    names = own_names(["board-3.local"])
    assert {"localhost", "toreshi.local", "board-3.local"} <= names
    assert socket.gethostname().lower() in names


def test_the_page_listens_where_it_was_told_to() -> None:
    with bind("127.0.0.1", 0) as made:
        assert made.getsockname()[0] == "127.0.0.1"


@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM])
def test_the_first_page_is_up_and_the_program_ends_when_told_to(
    tmp_path: Path, told: signal.Signals
) -> None:
    toreshi = Path(sys.executable).with_name("toreshi")
    command = [str(toreshi), "serve", "--port", "0", "--out", "games", "--speed", "50"]
    command += ["--signals", "console"]
    with (
        (tmp_path / "lamps.txt").open("w") as lamps,
        subprocess.Popen(
            command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=lamps, text=True
        ) as serving,
    ):
        try:
            assert serving.stdout is not None
            found = re.search(r"http://localhost:(\d+)/", serving.stdout.readline())
            assert found is not None
            asked = http.client.HTTPConnection("127.0.0.1", int(found.group(1)), timeout=60)
            asked.request("GET", "/api/state")
            assert json.load(asked.getresponse())["state"]["v"] == 1
            asked.close()
            until = time.monotonic() + 60
            while not (tmp_path / "lamps.txt").read_text() and time.monotonic() < until:
                time.sleep(0.1)
            serving.send_signal(told)
            assert serving.wait(60) == 0
        finally:
            serving.kill()
    assert "[off]" in (tmp_path / "lamps.txt").read_text().splitlines()[-1]
    (folder,) = (tmp_path / "games").glob("20*")
    assert (folder / "journal.jsonl").read_bytes().endswith(b"\n")
