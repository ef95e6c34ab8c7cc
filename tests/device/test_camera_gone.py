"""A camera that is pulled out in the middle of an evening: lamps and listeners are told in time."""

from pathlib import Path
from typing import Any

import pytest

from device import journal
from device.app import Watch
from device.replay import replay
from device.session_values import Command, Setup
from device.signals import NoSignaller, Side, Signal
from rules.draughts.game import DraughtsGame
from vision.errors import BadPicture
from vision.fake import FakeEyes
from vision.frame import Frame
from vision.percept import Percept

SECOND = 1_000_000_000


GAME = DraughtsGame.by_name("russian")
DUE = "W:Wc3,f2,a1:Bd4,h8"
MISSED = "W:Wc3,g3,a1:Bd4,h8"


class NoEyes:
    def see(self, frame: Frame) -> Percept:
        raise AssertionError("no frames here")

    def learn(self, grid: tuple[str, ...]) -> None:
        pass


class Lamps(NoSignaller):
    def __init__(self) -> None:
        self.shown: list[Signal] = []

    def show(self, signal: Signal, side: Side | None = None) -> None:
        self.shown.append(signal)


def gone(second: float) -> BadPicture:
    error = BadPicture("no picture", "usb:0", "a camera that gives pictures")
    error.at_ns = round(second * SECOND)
    return error


@pytest.mark.parametrize("game", ["russian", "nardi"])
def test_a_camera_without_pictures_is_said_by_the_lamps_and_once(tmp_path: Path, game: str) -> None:
    lamps, told = Lamps(), list[Any]()
    watch = Watch(Setup(game), NoEyes(), lamps, tmp_path / "game", told.append, {}, {})
    watch.look(gone(100))
    assert lamps.shown == [], "a picture that is torn is nothing to speak of"
    for second in range(101, 130):
        watch.look(gone(second))
    watch.close()
    assert lamps.shown == [Signal.CANNOT_SEE]
    (lost,) = [event for event in told if event["event"] == "board-lost"]
    assert "usb:0: no picture" in lost["reason"]


def after_a_cut(folder: Path, lamps: Lamps, told: list[Any], mode: Any = "home") -> Watch:
    """A game in which a capture was missed, and then the power cut; who goes on with it."""
    setup = Setup("russian", DUE, mode=mode, settled=True)
    first = Watch(setup, NoEyes(), Lamps(), folder, told.append, {}, {})
    eyes = FakeEyes(GAME.board)
    first.feed(eyes.see(GAME.read(DUE), SECOND))
    first.feed(eyes.see(GAME.read_board(MISSED), 2 * SECOND))
    first.close()
    told.clear()
    past = journal.read(folder / "journal.jsonl")
    return Watch(setup, NoEyes(), lamps, folder, told.append, {}, {}, past)


def test_no_lamp_says_ready_after_a_restart_without_a_camera(tmp_path: Path) -> None:
    lamps, told = Lamps(), list[Any]()
    watch = after_a_cut(tmp_path / "game", lamps, told)
    watch.look(gone(3))
    watch.look(gone(5))
    assert lamps.shown == [Signal.CANNOT_SEE]
    watch.feed(FakeEyes(GAME.board).see(GAME.read_board(MISSED), 6 * SECOND))
    assert lamps.shown == [Signal.CANNOT_SEE, Signal.MISSED_CAPTURE], "the alarm still stands"
    watch.close()
    assert [event["event"] for event in told] == ["continued", "board-found"]
    assert replay(journal.read(tmp_path / "game" / "journal.jsonl")).differences == ()


def test_with_a_camera_the_lamps_go_on_at_once(tmp_path: Path) -> None:
    lamps = Lamps()
    watch = after_a_cut(tmp_path / "game", lamps, [])
    watch.feed(FakeEyes(GAME.board).see(GAME.read_board(MISSED), 3 * SECOND))
    watch.close()
    assert lamps.shown == [Signal.MISSED_CAPTURE]


def test_in_a_tournament_no_restart_tells_the_table_of_an_offence(tmp_path: Path) -> None:
    lamps = Lamps()
    watch = after_a_cut(tmp_path / "game", lamps, [], "tournament")
    assert watch.state.match.pending is not None
    watch.look(gone(3))
    watch.feed(FakeEyes(GAME.board).see(GAME.read_board(MISSED), 6 * SECOND))
    watch.close()
    assert lamps.shown == [Signal.CANNOT_SEE, Signal.READY]


def test_a_board_found_again_shows_the_pause_that_stands(tmp_path: Path) -> None:
    lamps = Lamps()
    watch = after_a_cut(tmp_path / "game", lamps, [])
    eyes = FakeEyes(GAME.board)
    watch.feed(eyes.see(GAME.read_board(MISSED), 3 * SECOND))
    watch.feed(Command("pause", 4 * SECOND))
    for second in (5, 7, 9):
        watch.look(gone(second))
    watch.feed(eyes.see(GAME.read_board(MISSED), 10 * SECOND))
    watch.close()
    assert lamps.shown[-1] == Signal.CANNOT_SEE
