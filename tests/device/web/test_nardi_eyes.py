"""Learning a nardi set on the set-up page: what is refused, and what is gone on with."""

from typing import Any

import numpy as np
import pytest

from device.web import nardi_eyes
from device.web.nardi_eyes import NardiEyes
from vision.calibrate import Refusal
from vision.frame import Frame
from vision.nardi.answer import Start
from vision.nardi.locate import NotFound

FRAME = Frame(np.zeros((8, 8, 3), np.uint8))


class Reader:
    def read(self, image: Any, geometry: Any, colours: Any = None) -> str:
        return "read"


class Locator:
    def __init__(self, found: Any) -> None:
        self.found = found
        self.given: Any = None

    def find(self, image: Any) -> Any:
        return self.found

    def clicked(self, image: Any, corners: Any) -> Any:
        self.given = corners
        return self.found


def eyes(found: Any, corners: Any = None) -> tuple[NardiEyes, Locator]:
    locator: Any = Locator(found)
    reader: Any = Reader()
    return NardiEyes(locator, reader, None, corners), locator


def test_without_a_board_nothing_is_learned() -> None:
    made = eyes(NotFound("too dark"))[0].calibrate(FRAME)
    assert isinstance(made, Refusal)
    assert made.reason == "too dark"
    assert made.remedy


def test_another_position_teaches_nothing_and_then_nobody_is_accused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(nardi_eyes, "learn_start", lambda read: "the two sides look alike")
    looking, _ = eyes("field")
    made = looking.calibrate(FRAME)
    assert isinstance(made, Refusal)
    assert made.reason == "the two sides look alike"
    assert looking.refused


def test_what_was_learned_is_gone_on_with(monkeypatch: pytest.MonkeyPatch) -> None:
    colours: Any = object()
    monkeypatch.setattr(nardi_eyes, "learn_start", lambda read: Start(colours, 0))
    looking, locator = eyes("field", [[0.0, 0.0], [7.0, 0.0], [7.0, 7.0], [0.0, 7.0]])
    looking.refused = True
    assert isinstance(looking.calibrate(FRAME), Start)
    assert not looking.refused
    assert looking._perceiver._colours is colours
    assert locator.given.shape == (4, 2)
    assert looking._perceiver._given is not None
