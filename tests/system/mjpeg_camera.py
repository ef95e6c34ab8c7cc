"""A network camera over a recorded board: shows it up to a frame that a file names, or nothing.

    python mjpeg_camera.py VIDEO CONTROL PORT

CONTROL holds the number of the frame after which the picture stands (a little noise goes on, as
from a sensor), ``silent``: then the connection stays and no picture comes, as from a camera that
hangs, or ``gone``: then it hangs up and answers nobody, as one whose plug was pulled.
"""

from __future__ import annotations

import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import cv2
import numpy as np

#: Frames a second of the recording, and pictures a second that are sent.
RECORDED, SENT = 2.5, 5.0


class Board:
    """Which frame is to be seen now."""

    def __init__(self, video: Path, control: Path) -> None:
        capture = cv2.VideoCapture(str(video))
        self.frames = []
        while (taken := capture.read())[0]:
            self.frames.append(taken[1])
        self.control = control
        self.at = 0.0
        self.random = np.random.default_rng(1)

    @property
    def gone(self) -> bool:
        """Whether there is no camera."""
        return self.control.read_text().strip() == "gone"

    def picture(self) -> bytes | None:
        """The picture of this moment as JPEG; None while the camera hangs or is gone."""
        said = self.control.read_text().strip()
        if said in ("silent", "gone"):
            return None
        self.at = min(self.at + RECORDED / SENT, float(said), len(self.frames) - 1)
        image = self.frames[int(self.at)].astype(np.int16)
        noisy = np.clip(image + self.random.integers(-2, 3, image.shape), 0, 255)
        return cv2.imencode(".jpg", noisy.astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 95])[
            1
        ].tobytes()


def main(video: str, control: str, port: str) -> None:
    """Serve until killed."""
    board, lock = Board(Path(video), Path(control)), threading.Lock()
    latest: list[bytes | None] = [None]

    def play() -> None:
        while True:
            with lock:
                latest[0] = board.picture()
            time.sleep(1 / SENT)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if board.gone:
                return
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=b")
            self.end_headers()
            while not board.gone:
                with lock:
                    data = latest[0]
                if data is not None:
                    head = f"--b\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
                    try:
                        self.wfile.write(head.encode() + data + b"\r\n")
                    except OSError:
                        return
                time.sleep(1 / SENT)

        def log_message(self, *arguments: Any) -> None:
            pass

    threading.Thread(target=play, daemon=True).start()
    ThreadingHTTPServer(("127.0.0.1", int(port)), Handler).serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])
