"""What systemd is told, as it arrives at a socket."""

import socket
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from device.notify import Notifier, fed
from vision.errors import BadPicture
from vision.frame import Frame


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    """The socket of a service manager."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as made:
        made.bind(str(tmp_path / "notify"))
        made.setblocking(False)
        yield made


def told(manager: socket.socket) -> list[str]:
    found = []
    while True:
        try:
            found.append(manager.recv(4096).decode())
        except BlockingIOError:
            return found


def frame(number: int) -> Frame:
    return Frame(np.zeros((4, 4, 3), np.uint8), number, number)


def test_each_message_is_what_sd_notify_has(manager: socket.socket) -> None:
    notifier = Notifier(manager.getsockname())
    notifier.ready()
    notifier.status("move 3\nc3-d4")
    notifier.stopping()
    assert told(manager) == ["READY=1", "STATUS=move 3 c3-d4", "STOPPING=1"]


def test_the_watchdog_is_fed_after_a_frame_was_processed(manager: socket.socket) -> None:
    frames = fed([frame(0), frame(1)], Notifier(manager.getsockname()))
    next(frames)
    assert told(manager) == [], "it has only been handed out"
    next(frames)
    assert told(manager) == ["WATCHDOG=1"]
    assert list(frames) == []
    assert told(manager) == ["WATCHDOG=1"]


def test_a_camera_that_gives_nothing_feeds_nobody(manager: socket.socket) -> None:
    nothing = BadPicture("the camera gives no pictures", "usb:0")
    assert len(list(fed([nothing] * 3, Notifier(manager.getsockname())))) == 3
    assert told(manager) == []


def test_a_frame_that_fails_on_its_way_feeds_nobody(manager: socket.socket) -> None:
    frames = fed([frame(0)], Notifier(manager.getsockname()))
    for _ in frames:
        break  # as when the eyes raise
    frames.close()  # type: ignore[attr-defined]
    assert told(manager) == []


def test_an_abstract_socket_is_reached() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as made:
        made.bind("\0toreshi-test-notify")
        made.settimeout(5)
        Notifier("@toreshi-test-notify").ready()
        assert made.recv(100) == b"READY=1"


def test_without_a_manager_nothing_happens(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    Notifier().ready()
    Notifier(str(tmp_path / "gone")).ready()


def test_the_socket_of_the_environment_is_used(
    monkeypatch: pytest.MonkeyPatch, manager: socket.socket
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", manager.getsockname())
    Notifier().alive()
    assert told(manager) == ["WATCHDOG=1"]
