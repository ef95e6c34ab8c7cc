"""Bundles: everything that shows why the referee said what it said, and run again."""

import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from device import bundle, journal
from device.app import Watch
from device.cli import main
from device.errors import BadJournal
from device.replay import replay
from device.session_values import Setup
from device.signals import NoSignaller
from rules.draughts.game import DraughtsGame
from rules.draughts.position import Position
from vision.fake import FakeEyes
from vision.frame import Frame
from vision.percept import Percept

GAME = DraughtsGame.by_name("russian")
STORY = ("W:Wc3,f2,a1:Bd4,h8", "W:Wc3,g3,a1:Bd4,h8", "W:We5,f2,a1:Bh8", "W:We5,f2,a1:Bg7",
         "W:Wf6,f2,a1:Bg7", "W:Wf2,a1:Bg7")  # fmt: skip


class Reader:
    """Eyes that are told what each frame shows; a bright one has a hand over it."""

    def __init__(self) -> None:
        self._eyes = FakeEyes(GAME.board, surety=12.0)
        self.board = GAME.start()
        self.hand = False

    def see(self, frame: Frame) -> Percept:
        covered = range(8, 20) if self.hand else ()
        motion = 0.3 if self.hand else 0.0
        return self._eyes.see(self.board, frame.at_ns, covered=covered, motion=motion)

    def learn(self, grid: tuple[str, ...]) -> None:
        pass


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A game with a missed capture: 5 frames a second, each of its own grey."""
    eyes, out, number = Reader(), tmp_path / "game", 0
    run = Watch(Setup("russian", STORY[0]), eyes, NoSignaller(), out, lambda e: None, {}, {})

    def look(board: Position, frames: int, hand: bool = False) -> None:
        nonlocal number
        eyes.board, eyes.hand = board, hand
        for _ in range(frames):
            grey = np.full((40, 60, 3), number % 250, np.uint8)
            eyes._eyes._number = number
            run.look(Frame(grey, number, number * 200_000_000))
            number += 1

    for fen in STORY[:4]:
        board = GAME.read_board(fen)
        look(board, 3, hand=number > 0)
        look(board, 20)
    run.finish()
    run.close()
    return out


def pictures(folder: Path) -> dict[str, int]:
    """The grey of each picture of the evidence, which is the number of its frame."""
    import cv2

    found = {}
    for path in sorted((folder / "evidence").glob("*.jpg")):
        image = cv2.imread(str(path))
        assert image is not None
        found[path.stem] = round(float(image.mean()))
    return found


def test_evidence_shows_before_during_and_after(folder: Path) -> None:
    shown = pictures(folder)
    assert sorted(shown) == [
        "000-O6", "000-O6-before", "000-O6-during", "000-start", "001-c3xe5", "002-h8-g7",
    ]  # fmt: skip
    # 23 frames of the start, 3 with the hand, then the wrong board
    assert shown["000-O6-before"] == 22
    assert shown["000-O6-during"] == 25
    assert shown["000-O6"] == 32, "1.2 s after the first clear frame, the 26th"


def test_a_bundle_holds_what_it_takes_and_replays(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "calibration.json").write_text("{}")
    assert run("bundle", folder) == 0
    path = Path(capsys.readouterr().out.split()[-1])
    assert path == folder.with_name("game.toreshi.zip")
    with zipfile.ZipFile(path) as file:
        names = file.namelist()
        about = json.loads(file.read("about.json"))
    assert {"journal.jsonl", "game.pdn", "calibration.json", "about.json"} < set(names)
    assert "evidence/000-O6-before.jpg" in names
    assert about["v"] == 1
    assert about["versions"]["numpy"] == np.__version__
    assert len(about["weights"]["squares.onnx"]) == 64
    assert run("replay", path) == 0
    assert "the same" in capsys.readouterr().out
    assert replay(bundle.read(path)).inputs == replay(journal.read(folder / "journal.jsonl")).inputs


def test_only_pictures_around_a_move(folder: Path, tmp_path: Path) -> None:
    for name in ("004-x", "005-x", "100-x"):
        (folder / "evidence" / f"{name}.jpg").write_bytes(b"x")
    made = bundle.write(folder, tmp_path / "one.zip", ply=2)
    with zipfile.ZipFile(made) as file:
        names = [name for name in file.namelist() if name.startswith("evidence")]
    assert "evidence/004-x.jpg" in names
    assert "evidence/000-O6.jpg" in names
    assert not {"evidence/005-x.jpg", "evidence/100-x.jpg"} & set(names)


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as left:
        main([str(argument) for argument in arguments])
    return int(left.value.code or 0)


@pytest.mark.parametrize(
    ("spoil", "arguments", "says"),
    [
        (lambda f: None, ("--ply", "9"), "no move 9"),
        (lambda f: (f / "journal.jsonl").unlink(), (), "journal.jsonl"),
        (lambda f: f.with_name("game.toreshi.zip").write_text(""), (), "game.toreshi.zip"),
        (lambda f: None, ("--out", "/nowhere/x.zip"), "/nowhere/x.zip"),
    ],
)
def test_what_can_not_be_bundled_gets_one_line(
    spoil: Callable[[Path], Any], arguments: tuple[str, ...], says: str, folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    spoil(folder)
    assert run("bundle", folder, *arguments) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert says in told


def test_another_zip_is_no_bundle(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as file:
        file.writestr("hello.txt", "hello")
    with pytest.raises(BadJournal, match="no bundle"):
        bundle.read(tmp_path / "x.zip")


def test_a_bundle_that_would_fill_the_memory_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "LARGEST", 2 * 1024 * 1024)
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("journal.jsonl", bytes(journal.LARGEST + 1))
    with pytest.raises(BadJournal, match="would fill the memory; expected at most 2 MB"):
        bundle.read(path)


def test_a_pipe_is_no_bundle(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.zip")
    assert not bundle.is_bundle(tmp_path / "pipe.zip")
