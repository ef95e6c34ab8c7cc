"""Nothing talks to anyone's server: no internet socket is ever opened, no home folder marked.

onnxruntime from 1.29 on reports to its maker unless ``ORT_DISABLE_TELEMETRY`` is set before it is
loaded (microsoft/onnxruntime, pull request 27379).  It keeps quiet where ``CI`` is set, so ``CI``
is taken away here.  It writes a data base into the home folder with the first session, and opens a
socket about ten seconds later: the first shows even in a command that ends at once, the second is
caught by the kernel (see no_network.py).
"""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

TESTS = Path(__file__).parent
TORESHI = Path(sys.executable).with_name("toreshi")
NOT_POSSIBLE = 77


def run(arguments: list[str], home: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command that dies when it opens an internet socket."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("CI", "ORT_DISABLE_TELEMETRY") and not name.startswith("XDG_")
    }
    done = subprocess.run(
        [sys.executable, str(TESTS / "no_network.py"), *arguments],
        cwd=folder,
        env={**kept, "HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=600,
    )
    if done.returncode == NOT_POSSIBLE:
        pytest.skip(done.stderr.strip())
    return done


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


def marks(home: Path) -> list[str]:
    """Everything that was left in the home folder."""
    return sorted(str(path.relative_to(home)) for path in home.rglob("*"))


def board(path: Path) -> str:
    """An empty board, good enough to be looked at by the network; its corners."""
    squares = (np.indices((8, 8)).sum(0) % 2 * 130 + 70).astype(np.uint8)
    image = cv2.resize(squares, (480, 480), interpolation=cv2.INTER_NEAREST)
    image = cv2.copyMakeBorder(image, 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=(30,))
    cv2.imwrite(str(path), cv2.cvtColor(image, cv2.COLOR_GRAY2BGR))
    return "60,60 540,60 540,540 60,540"


def test_read_opens_no_socket_and_leaves_no_mark(home: Path, folder: Path) -> None:
    corners = board(folder / "board.png")
    done = run(
        [str(TORESHI), "read", "board.png", "--size", "8", "--corners", corners, "--json"],
        home,
        folder,
    )
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["grid"]) == 8, "the network was not asked"
    assert marks(home) == []


def test_the_demo_opens_no_socket_and_leaves_no_mark(home: Path, folder: Path) -> None:
    done = run([str(TORESHI), "demo", "--out", "game"], home, folder)
    assert done.returncode == 0, done.stderr
    assert marks(home) == []


@pytest.mark.parametrize("family", ["AF_INET", "AF_INET6"])
def test_a_socket_would_be_noticed(home: Path, folder: Path, family: str) -> None:
    """In a thread and without Python's own socket module, as native code would open one."""
    code = f"""
import ctypes, socket, threading
opened = threading.Thread(target=lambda: ctypes.CDLL(None).socket(socket.{family}, 2, 0))
opened.start()
opened.join()
"""
    assert run([sys.executable, "-c", code], home, folder).returncode == -signal.SIGSYS


def test_a_look_up_of_a_name_would_be_noticed(home: Path, folder: Path) -> None:
    code = "import socket; socket.getaddrinfo('toreshi.invalid', 80)"
    assert run([sys.executable, "-c", code], home, folder).returncode == -signal.SIGSYS


def test_sockets_inside_the_machine_are_let_through(home: Path, folder: Path) -> None:
    code = "import socket; socket.socket(socket.AF_UNIX); print('fine')"
    assert run([sys.executable, "-c", code], home, folder).stdout == "fine\n"
