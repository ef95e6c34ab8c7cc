"""What systemd is told, as it arrives at a socket."""

import socket
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from device.errors import Silent
from device.notify import RAN_S, Feeding, Notifier
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


class Fed(Notifier):
    """A watchdog's food, counted, with a clock that the test holds."""

    def __init__(self) -> None:
        super().__init__("")
        self.count, self.now_s = 0, 0.0
        self.feeding = Feeding(self, lambda: self.now_s)

    def alive(self) -> None:
        self.count += 1

    def by(self, *given: Frame | BadPicture) -> int:
        """How often it is fed while these are processed, a second each."""
        before = self.count
        for each in given:
            self.feeding.processed(each)
            self.now_s += 1
        return self.count - before


SILENT = Silent("the camera gives no pictures", "usb:0")
GONE = BadPicture("no picture", "usb:0")
MINUTE = [frame(number) for number in range(int(RAN_S) + 1)]


def test_each_frame_that_was_processed_feeds_the_watchdog() -> None:
    assert Fed().by(frame(0), frame(1)) == 2


def test_a_camera_that_ran_and_falls_silent_is_worth_a_new_program() -> None:
    fed = Fed()
    assert fed.by(*MINUTE) == len(MINUTE)
    assert fed.by(*[SILENT] * 40) == 0
    assert fed.by(*[GONE] * 40) == 0, "nor when it can't be opened any more"
    assert fed.by(frame(1), GONE) == 2, "until it gives frames again"


def test_a_camera_that_is_not_there_is_waited_for() -> None:
    assert Fed().by(*[GONE] * 300) == 300


def test_an_unplugged_camera_is_waited_for() -> None:
    fed = Fed()
    fed.by(*MINUTE)
    assert fed.by(*[GONE] * 300) == 300


def test_one_that_never_gave_frames_for_long_does_not_start_the_page_anew() -> None:
    assert Fed().by(*[SILENT] * 300) == 300
    assert Fed().by(frame(0), *[SILENT] * 30) == 31, "nor one that gave a frame or two"


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
