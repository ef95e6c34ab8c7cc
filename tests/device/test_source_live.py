"""Cameras by OpenCV, on a stream that a thread of the test serves, as network cameras do."""

from __future__ import annotations

import itertools
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import cv2
import numpy as np
import pytest

from device.errors import BadSource
from device.source import Wish, is_camera, open_source, without_password
from device.source_live import LiveCamera
from vision.errors import BadPicture
from vision.frame import Frame


class Stream:
    """A network camera: JPEG after JPEG, until it is told otherwise."""

    def __init__(self) -> None:
        self.running = True
        self.count = 0
        stream = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=b")
                self.end_headers()
                while stream.running:
                    try:
                        self.wfile.write(stream.part())
                    except OSError:
                        return
                    time.sleep(0.02)

            def log_message(self, *arguments: Any) -> None:
                pass

        self.handler = Handler
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        self.serve()

    def serve(self) -> None:
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def part(self) -> bytes:
        self.count += 1
        image = np.random.default_rng(self.count).integers(0, 255, (48, 64, 3), np.uint8)
        data = cv2.imencode(".jpg", image)[1].tobytes()
        head = f"--b\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
        return head.encode() + data + b"\r\n"

    def die(self) -> None:
        self.running = False
        self.server.shutdown()
        self.server.server_close()

    def live_again(self) -> None:
        self.running = True
        self.server = ThreadingHTTPServer(("127.0.0.1", self.port), self.handler)
        self.serve()


@pytest.fixture
def stream() -> Iterator[Stream]:
    made = Stream()
    yield made
    made.die()


def address(stream: Stream) -> str:
    return f"http://127.0.0.1:{stream.port}/"


def until(frames: Iterator[Frame | BadPicture], kind: type, seconds: float) -> Any:
    """The next of a kind; what comes before it doesn't matter."""
    end = time.monotonic() + seconds
    for given in frames:
        if isinstance(given, kind):
            return given
        assert time.monotonic() < end, f"no {kind.__name__} within {seconds} s"
    raise AssertionError("the frames have ended")


def test_a_camera_that_is_gone_is_said_and_found_again(
    stream: Stream, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.source_patient.RETRY_S", 0.2)
    camera = open_source(address(stream), wish=Wish(looked_at=50))
    frames = camera.frames()
    try:
        first = until(frames, Frame, 5)
        stream.die()
        lost = until(frames, BadPicture, 8)
        assert "camera" in str(lost) or "picture" in str(lost)
        stream.live_again()
        again = until(frames, Frame, 8)
        assert again.number > first.number
        assert again.at_ns > first.at_ns
    finally:
        camera.close()


def test_a_camera_that_is_not_there_yet_is_waited_for(stream: Stream) -> None:
    stream.die()
    with pytest.raises(BadSource, match=r"127\.0\.0\.1.*no picture"):
        open_source(address(stream))
    camera = open_source(address(stream), wish=Wish(patient=True))
    assert isinstance(next(camera.frames()), BadPicture)
    camera.close()
    stream.live_again()


def test_always_the_newest_frame_is_taken(stream: Stream) -> None:
    camera = LiveCamera(address(stream), looked_at=50)
    frames = camera.frames()
    next(frames)
    before = stream.count
    time.sleep(0.5)
    passed = stream.count - before
    next(frames)
    taken = [f for f in (next(frames), next(frames)) if isinstance(f, Frame)]
    camera.close()
    assert passed > 10, "the stream went on"
    assert all(time.monotonic_ns() - f.at_ns < 1_000_000_000 for f in taken)


@pytest.mark.parametrize(
    ("image", "what"),
    [
        (np.zeros((48, 64), np.uint8), r"uint8 \(48, 64\); expected pictures in colour"),
        (np.zeros((48, 64, 3), np.uint16), r"uint16"),
        (np.zeros((48, 64, 4), np.uint8), r"\(48, 64, 4\)"),
    ],
)
def test_garbage_is_said(monkeypatch: pytest.MonkeyPatch, image: np.ndarray, what: str) -> None:
    class Driver:
        def isOpened(self) -> bool:
            return True

        def grab(self) -> bool:
            time.sleep(0.01)
            return True

        def retrieve(self) -> tuple[bool, np.ndarray]:
            return True, image

        def release(self) -> None:
            pass

    monkeypatch.setattr("device.source_live._opened", lambda address, size: Driver())
    camera = LiveCamera(0)
    given = next(camera.frames())
    camera.close()
    assert isinstance(given, BadPicture)
    with pytest.raises(BadPicture, match=what):
        raise given


def test_a_camera_that_says_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    let_go, opened = threading.Event(), threading.Event()

    class Driver:
        def isOpened(self) -> bool:
            return True

        def grab(self) -> bool:
            if opened.is_set():
                let_go.wait(10)
                return False
            opened.set()
            return True

        def release(self) -> None:
            pass

    monkeypatch.setattr("device.source_live._opened", lambda address, size: Driver())
    monkeypatch.setattr("device.source_live.SILENT_S", 0.1)
    camera = LiveCamera(0)
    assert "gives no pictures" in str(next(camera.frames()))
    let_go.set()
    camera.close()


def test_a_camera_that_is_pulled_out_ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    class Driver:
        def __init__(self) -> None:
            self.taken = False

        def isOpened(self) -> bool:
            return True

        def grab(self) -> bool:
            time.sleep(0.01)
            return not self.taken

        def retrieve(self) -> tuple[bool, np.ndarray]:
            self.taken = True
            return True, np.zeros((48, 64, 3), np.uint8)

        def release(self) -> None:
            pass

    monkeypatch.setattr("device.source_live._opened", lambda address, size: Driver())
    monkeypatch.setattr("device.source_live.SILENT_S", 0.1)
    camera = LiveCamera(0)
    given = list(itertools.islice(camera.frames(), 3))
    camera.close()
    assert [type(each) for each in given] == [Frame]


def test_only_frames_that_are_wanted_are_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thirty large pictures a second would cost half a core for nothing."""

    class Driver:
        grabbed = decoded = 0

        def isOpened(self) -> bool:
            return True

        def grab(self) -> bool:
            time.sleep(0.002)
            self.grabbed += 1
            return True

        def retrieve(self) -> tuple[bool, np.ndarray]:
            self.decoded += 1
            return True, np.zeros((48, 64, 3), np.uint8)

        def release(self) -> None:
            pass

    driver = Driver()
    monkeypatch.setattr("device.source_live._opened", lambda address, size: driver)
    camera = LiveCamera(0, looked_at=10)
    given = list(itertools.islice(camera.frames(), 3))
    camera.close()
    assert [type(each) for each in given] == [Frame] * 3
    assert driver.decoded <= 4
    assert driver.grabbed > 5 * driver.decoded


@pytest.mark.parametrize("text", ["pi", "usb:0", "rtsp://a/b", "http://a", "https://a"])
def test_cameras_are_told_from_files(text: str) -> None:
    assert is_camera(text)
    assert not is_camera(f"./{text}")


def test_a_password_is_never_shown() -> None:
    assert without_password("rtsp://me:secret@10.0.0.2/1") == "rtsp://10.0.0.2/1"
    assert without_password("rtsp://10.0.0.2/a@b") == "rtsp://10.0.0.2/a@b"
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(BadSource) as told:
            LiveCamera(f"http://me:secret@127.0.0.1:{taken.getsockname()[1]}/")
    assert "secret" not in str(told.value)
