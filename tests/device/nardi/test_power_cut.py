"""Power cuts at a nardi board: what was confirmed goes on, and what lies there is no new throw."""

import json
from pathlib import Path
from typing import Any

import pytest

from device import bundle, journal
from device.app import Watch
from device.replay import replay
from device.resume import unfinished
from device.session_values import Button, Command, Json, Setup
from device.signals import NoSignaller
from rules.nardi.board import START, Position
from rules.nardi.game import NardiGame
from tests.device.tables import FPS, SECOND
from vision.frame import Frame
from vision.nardi.fake import FakeEyes, die
from vision.nardi.percept import NardiPercept

GAME = NardiGame()
MOVED = GAME.read_board("B:W24x14,13:B12x15:O0-0")
NEXT = GAME.read_board("W:W24x14,13:B12x14,8:O0-0")
UNFINISHED = GAME.read_board("W:W24x14,13:B12x14,9:O0-0")
ROLLED, SECOND_ROLL = (die(6, 0.2), die(5, 0.3)), (die(3, 0.7), die(1, 0.8))


class NoEyes:
    """Percepts come from the tests themselves."""

    def see(self, frame: Frame) -> NardiPercept:
        raise AssertionError("no frames here")

    def learn(self, grid: tuple[str, ...]) -> None:
        pass


class Evening:
    """A game in a folder, whose power is cut now and then."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.now, self.events = folder, 50 * SECOND, list[Json]()
        self.eyes = FakeEyes(seed=3)
        self.run = self.begun(None)

    def begun(self, past: Any) -> Watch:
        tags = {
            "White": "Aslan",
            "Black": "Berik",
            "Event": "Club",
            "Round": "3",
            "Date": "2026.01.31",
        }
        setup, take = Setup("nardi"), self.events.append
        return Watch(setup, NoEyes(), NoSignaller(), self.folder, take, {}, tags, past)

    def cut(self, now: int = 3 * SECOND, torn: bytes = b'{"in":{"at_ns":99999,"cor') -> None:
        """The power is gone in the middle of a line, and comes back; time begins anew."""
        self.run._journal._file.close()
        path = self.folder / "journal.jsonl"
        path.write_bytes(path.read_bytes() + torn)
        assert unfinished(journal.read(path))
        self.events.clear()
        self.now = now
        self.run = self.begun(journal.read(path))

    def look(self, position: Position, dice: Any = (), seconds: float = 1.4) -> None:
        for _ in range(round(seconds * FPS)):
            self.now += SECOND // FPS
            self.run.feed(self.eyes.see(position, self.now, dice=dice))

    def press(self, button: Any) -> None:
        self.run.feed(Button(button, True, self.now))

    def said(self) -> list[str]:
        return [str(e.get("text") or e.get("code") or e["event"]) for e in self.events]

    def end(self) -> None:
        """Whatever happened, the journal replays to the same, and the record follows."""
        self.run.close()
        assert replay(journal.read(self.folder / "journal.jsonl")).differences == ()


@pytest.fixture
def evening(tmp_path: Path) -> Any:
    table = Evening(tmp_path / "g")
    table.look(START)
    return table


def test_a_game_goes_on_with_the_turn_that_was_being_played(evening: Any) -> None:
    evening.look(START, ROLLED)
    evening.cut()
    evening.look(START, ROLLED)
    evening.look(MOVED, ROLLED)
    evening.press("clock_white")
    evening.look(MOVED, ROLLED)
    assert evening.said() == ["continued", "24/18/13"]
    assert evening.events[0]["torn"] > 0
    evening.end()
    sheet = (evening.folder / "game.txt").read_text("utf-8")
    assert "65: 24/18/13" in sheet
    assert sheet.count("65:") == 1
    header = json.loads((evening.folder / "game.jsonl").read_text("utf-8").splitlines()[0])
    assert (header["players"], header["event"]) == (["Aslan", "Berik"], "Club, round 3")
    assert header["date"] == "2026-01-31"


def test_dice_that_lay_there_before_the_cut_are_no_new_throw(evening: Any) -> None:
    evening.look(START, ROLLED)
    evening.look(MOVED, ROLLED)
    evening.press("clock_white")
    evening.look(MOVED, ROLLED)
    evening.cut()
    evening.look(MOVED, ROLLED, 3)
    assert evening.said() == ["continued"]
    evening.look(MOVED, SECOND_ROLL)
    assert evening.said() == ["continued", "roll"]
    assert evening.events[1]["dice"] == [3, 1]
    evening.end()


def test_turns_that_were_played_in_the_dark_accuse_nobody(evening: Any) -> None:
    evening.look(START, ROLLED)
    evening.cut()
    # both sides have played meanwhile, and White is to move again
    later = GAME.read_board("W:W24x14,10:B12x13,8,5:O0-0")
    evening.look(later, SECOND_ROLL, 8)
    evening.press("clock_white")
    evening.look(later, SECOND_ROLL, 8)
    assert "offence" not in [e["event"] for e in evening.events]
    assert "unsure" in [e["event"] for e in evening.events]
    evening.end()


def test_an_offence_that_was_pending_still_is(evening: Any) -> None:
    evening.look(START, ROLLED)
    evening.look(MOVED, ROLLED)
    evening.press("clock_white")
    evening.look(MOVED, SECOND_ROLL)
    evening.look(UNFINISHED, SECOND_ROLL)
    evening.press("clock_black")
    evening.look(UNFINISHED, SECOND_ROLL, 2)
    assert evening.said()[-1] == "M6"
    evening.cut()
    evening.look(UNFINISHED, SECOND_ROLL, 3)
    evening.look(NEXT, SECOND_ROLL, 3)
    assert [e["event"] for e in evening.events] == ["continued", "resolved", "move"]
    evening.end()


def test_a_second_cut_and_the_end(evening: Any) -> None:
    evening.look(START, ROLLED)
    evening.cut()
    evening.look(START, ROLLED)
    evening.cut(7 * SECOND)
    evening.run.feed(Command("resign", evening.now, by="b"))
    assert [e["event"] for e in evening.events] == ["continued", "end"]
    evening.end()
    assert not unfinished(journal.read(evening.folder / "journal.jsonl"))
    ended = (evening.folder / "game.jsonl").read_text("utf-8").splitlines()[-1]
    assert '"winner":"W"' in ended


def test_a_bundle_holds_the_record_and_replays(evening: Any, tmp_path: Path) -> None:
    evening.look(START, ROLLED)
    evening.cut()
    evening.look(START, ROLLED)
    evening.end()
    made = bundle.write(evening.folder, tmp_path / "game.zip")
    again = replay(bundle.read(made))
    assert again.differences == ()
    assert again.state.game.roll is not None
    import zipfile

    names = zipfile.ZipFile(made).namelist()
    assert {"journal.jsonl", "game.jsonl", "game.txt"} <= set(names)


@pytest.mark.parametrize("first", [(), ROLLED[:1]], ids=["no die", "one die"])
def test_dice_that_are_seen_late_after_the_cut_are_no_new_throw(evening: Any, first: Any) -> None:
    """Before the eyes find both, nothing is made of it; White's own throw counts as his."""
    evening.look(START, ROLLED)
    evening.cut()
    evening.look(START, first)
    evening.look(START, ROLLED)
    evening.look(MOVED, ROLLED)
    evening.press("clock_white")
    evening.look(MOVED, ROLLED)
    evening.look(MOVED, SECOND_ROLL)
    evening.look(NEXT, SECOND_ROLL)
    evening.press("clock_black")
    evening.look(NEXT, SECOND_ROLL)
    assert evening.said() == ["continued", "24/18/13", "roll", "12/9/8"]
    evening.end()
