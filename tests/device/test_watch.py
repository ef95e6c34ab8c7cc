"""The command ``toreshi watch`` over sources, with made-up eyes where eyes are needed."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from device import eyes as eyes_module
from device.app import Watch
from device.cli import main
from device.errors import BadSource, HardwareMissing
from device.journal import decode
from device.session_values import Setup
from device.signals import NoSignaller, Side, Signal
from device.source import open_source
from device.source_files import Folder, Video
from device.weights import weights_path
from rules.draughts import pdn
from rules.draughts.game import DraughtsGame
from rules.draughts.position import Position
from vision.errors import BadPicture
from vision.fake import FakeEyes
from vision.frame import Frame
from vision.percept import Percept

GAME = DraughtsGame.by_name("russian")

#: A capture is due and missed; then it is made.
STORY = ("W:Wc3,f2,a1:Bd4,h8", "W:Wc3,g3,a1:Bd4,h8", "W:We5,f2,a1:Bh8", "W:We5,f2,a1:Bg7")


class Reader:
    """Eyes that know what each picture shows by its grey level."""

    refused = False

    def __init__(self, positions: list[Position]) -> None:
        self._positions = positions
        self._eyes = FakeEyes(GAME.board)
        self.learned: list[tuple[str, ...]] = []

    def see(self, frame: Frame) -> Percept:
        return self._eyes.see(self._positions[int(frame.image.mean()) // 10], frame.at_ns)

    def learn(self, grid: tuple[str, ...]) -> None:
        self.learned.append(grid)


@pytest.fixture
def pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a picture for each position of the story, and eyes that know them."""
    folder = tmp_path / "pictures"
    folder.mkdir()
    for number in range(len(STORY)):
        cv2.imwrite(str(folder / f"{number:03d}.png"), grey(number))
    positions = [GAME.read_board(fen) for fen in STORY]
    monkeypatch.setattr(eyes_module, "open_eyes", lambda *rest, **more: Reader(positions))
    return folder


def grey(number: int) -> Any:
    return np.full((40, 60, 3), number * 10 + 5, np.uint8)


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as left:
        main([str(argument) for argument in arguments])
    return int(left.value.code or 0)


def watch(source: Path, out: Path, *more: object) -> int:
    return run(
        "watch", source, "--game", "russian", "--fen", STORY[0], "--out", out,
        "--signals", "none", *more,
    )  # fmt: skip


def test_events_record_journal_and_pictures(
    pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "game"
    assert watch(pictures, out, "--json", "--white", "Anna") == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["event"] for event in events] == [
        "start-position", "offence", "resolved", "move", "move", "end",
    ]  # fmt: skip
    assert all(event["v"] == 1 for event in events)
    assert [event["t"] for event in events] == [0.0, 1.0, 2.0, 2.0, 3.0, 3.0]
    assert events[1]["code"] == "O6"
    assert events[3]["text"] == "c3:e5"
    (record,) = pdn.read((out / "game.pdn").read_text())
    assert [ply.move.to for ply in record.plies if hasattr(ply, "move")] == [15, 8]
    assert record.tag("White") == "Anna"
    assert sorted(path.name for path in (out / "evidence").iterdir()) == [
        "000-O6-before.jpg", "000-O6.jpg", "000-start.jpg", "001-c3xe5.jpg", "002-h8-g7.jpg",
    ]  # fmt: skip
    assert run("replay", out / "journal.jsonl") == 0
    assert "the same" in capsys.readouterr().out


def test_without_json_events_are_sentences(
    pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert watch(pictures, tmp_path / "game", "--signals", "console") == 0
    told = capsys.readouterr()
    assert "White c3:e5" in told.out
    assert str(tmp_path / "game" / "game.pdn") in told.out
    assert "[missed-capture] White" in told.err


def test_a_second_run_into_the_same_folder_loses_nothing(pictures: Path, tmp_path: Path) -> None:
    out = tmp_path / "game"
    watch(pictures, out)
    first = {p.name: p.read_bytes() for p in out.iterdir() if p.is_file()}
    watch(pictures, out)
    assert (out / "game-1.pdn").read_bytes() == first["game.pdn"]
    assert (out / "journal-1.jsonl").read_bytes() == first["journal.jsonl"]
    assert (out / "evidence-1" / "000-O6.jpg").exists()
    assert (out / "game.pdn").exists()


def test_resume_goes_on_in_the_same_journal(
    pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "game"
    late = [pictures / f"{number:03d}.png" for number in (2, 3)]
    content = [path.read_bytes() for path in late]
    for path in late:
        path.unlink()
    watch(pictures, out, "--json", "--resume")  # nothing to go on with yet
    lines = (out / "journal.jsonl").read_bytes().splitlines(keepends=True)
    # without its end, and torn
    (out / "journal.jsonl").write_bytes(b"".join(lines[:-2]) + b'{"in":{"at')
    for path, data in zip(late, content, strict=True):
        path.write_bytes(data)
    for number in (0, 1):
        (pictures / f"{number:03d}.png").unlink()
    capsys.readouterr()
    assert watch(pictures, out, "--json", "--resume") == 0
    told = capsys.readouterr()
    kinds = [json.loads(line)["event"] for line in told.out.splitlines()]
    assert kinds == ["continued", "resolved", "move", "move", "end"]
    assert "cut off" in told.err
    assert not (out / "journal-1.jsonl").exists()
    assert run("replay", out / "journal.jsonl") == 0


def test_a_broken_picture_among_good_ones_is_told_and_passed_over(
    pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (pictures / "000b.jpg").write_bytes(b"\xff\xd8\xff")
    assert watch(pictures, tmp_path / "game", "--json") == 2
    told = capsys.readouterr()
    kinds = [json.loads(line)["event"] for line in told.out.splitlines()]
    assert kinds[:4] == ["start-position", "board-lost", "board-found", "offence"]
    assert told.err.count("\n") == 1
    assert "000b.jpg" in told.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("nowhere", "--game", "russian"), "nowhere"),
        (("EMPTY", "--game", "russian"), "no pictures"),
        (("NOVIDEO", "--game", "russian"), "not a video"),
        (("PICTURES", "--game", "chess"), "chess"),
        (("PICTURES",), "--game"),
        (("PICTURES", "--game", "russian", "--fen", "W:Wa1,a1:Bh8"), "a1"),
        (("PICTURES", "--game", "russian", "--fen", ""), "expected"),
        (("PICTURES", "--game", "russian", "--signals", "bells"), "bells"),
        (("PICTURES", "--game", "russian", "--fps", "0"), "fps"),
        (("PICTURES", "--game", "russian", "--white-at", "north"), "white-at"),
        (("PICTURES", "--game", "russian", "--out", "FILE/x"), "FILE"),
        (("PICTURES", "--game", "russian", "--clock", "soon"), "soon"),
        (("PICTURES", "--game", "russian", "--resume"), "--out"),
        (("pi", "--game", "russian"), "picamera2"),
        (("usb:x", "--game", "russian"), "usb:x"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_bad_input_gets_one_line(
    arguments: tuple[str, ...],
    says: str,
    pictures: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "EMPTY").mkdir()
    (tmp_path / "NOVIDEO").write_text("no video")
    (tmp_path / "FILE").write_text("")
    pictures.rename(tmp_path / "PICTURES")
    assert run("watch", *arguments) == 2
    told = capfd.readouterr()
    lines = [line for line in told.err.splitlines() if line.startswith("toreshi: ")]
    assert len(lines) == 1
    assert says in lines[0]
    assert "Traceback" not in told.err
    assert told.out == ""


def test_a_bad_start_picture_or_calibration_is_refused_before_anything_is_written(
    tmp_path: Path, pictures: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    def refuse(*rest: object, **more: object) -> None:
        raise BadPicture("no such file", "start.jpg", "a picture")

    monkeypatch.setattr(eyes_module, "open_eyes", refuse)
    assert watch(pictures, tmp_path / "game", "--start", "start.jpg") == 2
    assert "start.jpg" in capsys.readouterr().err
    assert not (tmp_path / "game").exists()


# ---------------------------------------------------------------- sources


def test_a_folder_gives_its_pictures_in_name_order(tmp_path: Path) -> None:
    for name in ("b.png", "a.jpg", "c.webp", "notes.txt"):
        if name != "notes.txt":
            cv2.imwrite(str(tmp_path / name), grey(ord(name[0]) - ord("a")))
    (tmp_path / "notes.txt").write_text("no picture")
    settled, paced = Folder(tmp_path, None), Folder(tmp_path, 4.0)
    assert (settled.settled, paced.settled, settled.count) == (True, False, 3)
    seen = list(paced.frames())
    frames = [frame for frame in seen if isinstance(frame, Frame)]
    assert [int(frame.image.mean()) // 10 for frame in frames] == [0, 1, 2]
    assert [frame.at_ns for frame in frames] == [0, 250_000_000, 500_000_000]


def video(path: Path, frames: int, fps: float = 10.0) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), fps, (64, 48))
    for number in range(frames):
        writer.write(np.full((48, 64, 3), number * 10, np.uint8))
    writer.release()
    return path


def test_a_video_is_looked_at_about_five_times_a_second(tmp_path: Path) -> None:
    source = Video(video(tmp_path / "game.avi", 20), None)
    frames = [frame for frame in source.frames() if isinstance(frame, Frame)]
    source.close()
    assert [frame.at_ns // 1_000_000 for frame in frames] == list(range(0, 2000, 200))
    assert [round(float(frame.image.mean()), -1) for frame in frames] == list(range(0, 200, 20))
    assert source.count == len(frames)


def test_a_video_without_frames_is_refused(tmp_path: Path) -> None:
    empty = tmp_path / "empty.mp4"
    empty.write_bytes(b"")
    with pytest.raises(BadSource, match=r"empty\.mp4"):
        open_source(str(empty))


def test_a_pi_without_its_library_says_what_is_missing() -> None:
    with pytest.raises(HardwareMissing, match="python3-picamera2"):
        open_source("pi")


def test_a_camera_that_is_not_there_is_refused() -> None:
    with pytest.raises(BadSource, match="usb:63"):
        open_source("usb:63")


def test_a_stream_is_read_newest_first_and_can_be_closed(tmp_path: Path) -> None:
    # OpenCV opens a file as it opens a stream; the thread reads it to its end at once
    from device.source_live import LiveCamera

    camera = LiveCamera(str(video(tmp_path / "stream.avi", 12)))
    frames = camera.frames()
    first = next(frames)
    assert isinstance(first, Frame)
    camera.close()
    assert list(frames) == []


@pytest.mark.skipif(not weights_path().exists(), reason="the weights are not here")
def test_a_start_picture_that_teaches_nothing_is_told_and_the_eyes_go_on(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "table.png"), grey(3))
    told: list[str] = []
    eyes = eyes_module.open_eyes(8, start=tmp_path / "table.png", warn=told.append)
    assert eyes.see(Frame(grey(3))).geometry == "lost"
    assert len(told) == 1
    assert "table.png" in told[0]


def test_the_journal_is_on_the_disk_before_a_lamp_changes(tmp_path: Path) -> None:
    class Lamp(NoSignaller):
        def show(self, signal: Signal, side: Side | None = None) -> None:
            last = (tmp_path / "journal.jsonl").read_bytes().splitlines(keepends=True)[-1]
            row = decode(last)
            assert row is not None
            assert signal.value in [effect.get("signal") for effect in row["out"]]
            shown.append(signal)

    shown: list[Signal] = []
    positions = [GAME.read_board(fen) for fen in STORY]
    setup = Setup("russian", STORY[0], settled=True)
    run = Watch(setup, Reader(positions), Lamp(), tmp_path, lambda event: None, {}, {})
    run.run(Frame(grey(number), number, number) for number in range(len(STORY)))
    run.close()
    assert Signal.MISSED_CAPTURE in shown


def test_a_listener_who_left_is_no_fault_of_the_disk(tmp_path: Path) -> None:
    def left(event: Mapping[str, Any]) -> None:
        raise BrokenPipeError

    positions = [GAME.read_board(fen) for fen in STORY]
    setup = Setup("russian", STORY[0], settled=True)
    run = Watch(setup, Reader(positions), NoSignaller(), tmp_path, left, {}, {})
    with pytest.raises(BrokenPipeError):
        run.look(Frame(grey(0), 0, 0))
    run.close()
