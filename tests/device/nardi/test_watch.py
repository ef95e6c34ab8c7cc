"""The loop at a nardi board: record, sheet, journal, pictures, and the journal again."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from device.app import Watch
from device.cli import main
from device.journal import read
from device.replay import replay
from device.session_values import Command, Setup
from device.signals import NoSignaller
from rules.nardi import record
from rules.nardi.board import START
from rules.nardi.check import check
from rules.nardi.game import NardiGame
from vision.errors import BadPicture
from vision.frame import Frame
from vision.nardi.fake import FakeEyes, die
from vision.nardi.percept import NardiPercept

GAME = NardiGame()
SECOND = 1_000_000_000


class Story:
    """Eyes that see a story: (position, dice) by the number of the frame."""

    def __init__(self, pages: list[tuple[str, tuple[Any, ...]]]) -> None:
        self.pages = pages
        self.eyes = FakeEyes(seed=5)
        self.learned: list[tuple[str, ...]] = []

    def see(self, frame: Frame) -> NardiPercept:
        fen, dice = self.pages[frame.number]
        return self.eyes.see(GAME.read_board(fen), frame.at_ns, dice=dice)

    def learn(self, points: tuple[str, ...]) -> None:
        self.learned.append(points)


ROLLED, NEXT, LAST = (
    (die(6, 0.2), die(5, 0.3)),
    (die(3, 0.7), die(1, 0.8)),
    (die(4, 0.6), die(2, 0.9)),
)
MOVED, UNFINISHED = "B:W24x14,13:B12x15:O0-0", "W:W24x14,13:B12x14,9:O0-0"
RIGHT = "W:W24x14,13:B12x14,8:O0-0"
PAGES: list[tuple[str, tuple[Any, ...]]] = [
    ("W:W24x15:B12x15:O0-0", ()),
    ("W:W24x15:B12x15:O0-0", ROLLED),
    (MOVED, ROLLED),
    (MOVED, NEXT),
    (UNFINISHED, NEXT),
    (UNFINISHED, LAST),
    (RIGHT, LAST),
]


@pytest.fixture
def ran(tmp_path: Path) -> tuple[Path, list[dict[str, Any]], Story]:
    told: list[dict[str, Any]] = []
    eyes = Story(PAGES)
    tags = {"White": "Aslan", "Black": "Berik", "Event": "Club"}
    setup = Setup("nardi", settled=True)

    def publish(event: Any) -> None:
        told.append(dict(event))

    run = Watch(setup, eyes, NoSignaller(), tmp_path / "g", publish, {}, tags)
    picture = np.zeros((40, 60, 3), np.uint8)
    frames = [Frame(picture.copy(), n, n * SECOND) for n in range(len(PAGES))]
    assert run.run(frames) == []
    run.close()
    return tmp_path / "g", told, eyes


def test_the_story_is_told(ran: Any) -> None:
    kinds = [event["event"] for event in ran[1]]
    assert kinds == [
        "start-position", "roll", "move", "roll", "offence", "resolved", "move", "roll", "end",
    ]  # fmt: skip
    assert ran[1][4]["code"] == "M6"
    assert ran[1][5]["how"] == "put-right"
    assert ran[1][6]["fen"] == RIGHT


def test_the_record_can_be_read_and_follows(ran: Any) -> None:
    reading = record.read((ran[0] / "game.jsonl").read_text("utf-8"))
    assert reading.problems == ()
    assert check(reading) == ()
    verdicts = [e.verdict for e in reading.events if hasattr(e, "verdict")]
    assert verdicts == ["legal", "M6", "legal"]


def test_the_sheet_is_for_people(ran: Any) -> None:
    sheet = (ran[0] / "game.txt").read_text("utf-8")
    assert "65: 24/18/13" in sheet
    assert "?M6" in sheet
    assert "Aslan" in sheet


def test_pictures_are_kept_and_the_board_is_learned(ran: Any) -> None:
    names = sorted(path.name for path in (ran[0] / "evidence").iterdir())
    assert any("M6" in name for name in names)
    assert ran[2].learned[0][11] == "w15"
    assert ran[2].learned[-1].count("b14") == 1


def test_the_journal_gives_the_same_effects(ran: Any, capsys: pytest.CaptureFixture[str]) -> None:
    again = replay(read(ran[0] / "journal.jsonl"))
    assert again.differences == ()
    assert again.inputs == len(PAGES) + 1
    with pytest.raises(SystemExit) as done:
        main(["replay", str(ran[0] / "journal.jsonl")])
    assert done.value.code == 0
    assert "the same" in capsys.readouterr().out


def test_a_changed_journal_is_told(ran: Any, tmp_path: Path) -> None:
    from device.journal import decode, encode

    lines = (ran[0] / "journal.jsonl").read_bytes().splitlines(keepends=True)
    rows = [decode(line) for line in lines]
    for row in rows:
        if row and row["what"] == "out":
            row["out"][0] = {"is": "feed"}
            break
    path = tmp_path / "changed.jsonl"
    path.write_bytes(b"".join(encode(row) for row in rows if row))
    assert replay(read(path)).differences


def test_a_picture_that_can_not_be_read_is_a_board_that_is_lost(tmp_path: Path) -> None:
    told: list[dict[str, Any]] = []
    run = Watch(
        Setup("nardi", settled=True),
        Story(PAGES),
        NoSignaller(),
        tmp_path / "g",
        lambda event: told.append(dict(event)),
        {},
        {},
    )
    bad = run.run([BadPicture("no picture", "a.jpg", "a JPEG")])
    run.close()
    assert len(bad) == 1
    assert [event["event"] for event in told] == ["board-lost", "end"]


def test_a_page_sends_commands(tmp_path: Path) -> None:
    told: list[dict[str, Any]] = []
    run = Watch(
        Setup("nardi", settled=True),
        Story(PAGES),
        NoSignaller(),
        tmp_path / "g",
        lambda event: told.append(dict(event)),
        {},
        {},
    )
    run.look(Frame(np.zeros((40, 60, 3), np.uint8), 0, 0))
    run.feed(Command("roll", 1, "6-5", "w"))
    run.feed(Command("touch", 2, "24", "w"))
    run.close()
    assert [event["event"] for event in told] == ["start-position", "roll", "refused"]
    json.dumps(told)
    assert START.side == "w"
