"""``toreshi demo`` with a nardi game: the loop over a video, here with eyes that are made up."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from device.cli import demo
from rules.nardi.game import NardiGame
from vision.frame import Frame
from vision.nardi.fake import FakeEyes, die
from vision.nardi.percept import NardiPercept

GAME = NardiGame()
ROLLED = (die(6, 0.2), die(5, 0.3))
PAGES: tuple[tuple[str, Any], ...] = (
    ("W:W24x15:B12x15:O0-0", ()),
    ("W:W24x15:B12x15:O0-0", ROLLED),
    ("B:W24x14,13:B12x15:O0-0", ROLLED),
    ("B:W24x14,13:B12x15:O0-0", ()),
)
#: Frames of each page.
EACH = 5


class Story:
    def __init__(self) -> None:
        self.eyes = FakeEyes(seed=5)

    def see(self, frame: Frame) -> NardiPercept:
        fen, dice = PAGES[frame.number // EACH]
        return self.eyes.see(GAME.read_board(fen), frame.at_ns, dice=dice)

    def learn(self, points: tuple[str, ...]) -> None:
        pass


def test_a_recorded_game_is_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.nardi.eyes.open_eyes", lambda: (Story(), False))
    done, data = cv2.imencode(".jpg", np.zeros((48, 64, 3), np.uint8))
    assert done
    count = EACH * len(PAGES)
    video = tmp_path / "nardi.mjpeg"
    video.write_bytes(data.tobytes() * count)
    about = {"game": "nardi", "fps": 2.5, "frames": count}
    video.with_suffix(".json").write_text(json.dumps(about), encoding="utf-8")
    told = demo.play("nardi", video, tmp_path / "out", "none", None)
    assert [event["event"] for event in told] == ["start-position", "roll", "move", "end"]
    assert told[2]["text"] == "24/18/13"
    assert "65: 24/18/13" in (tmp_path / "out" / "game.txt").read_text("utf-8")
