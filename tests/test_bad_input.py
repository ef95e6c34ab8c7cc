"""Bad input on the real command line: one line, exit 2, no traceback, nothing lost.

Every row runs ``toreshi`` as a person would.  The line has to say what is wrong, where, and what
was expected; a row names a word of each.
"""

import json
import re
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

TORESHI = Path(sys.executable).with_name("toreshi")
ROOT = Path(__file__).parents[1]
BAD_INPUT = 2

THIRTEEN = "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3,b4:Bh8"
TWICE = "W:Wa1,c1,a1:Bh8"
FINE = "W:Wa1:Bh8"


def run(arguments: list[str], folder: Path, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(TORESHI), *arguments],
        cwd=folder,
        input=given,
        capture_output=True,
        text=True,
        timeout=60,
    )


def complaint(done: subprocess.CompletedProcess[str]) -> str:
    """The one line of a refusal, after everything that every refusal has to be."""
    everything = done.stdout + done.stderr
    assert "Traceback" not in everything, everything
    assert done.returncode == BAD_INPUT, f"exit {done.returncode}: {everything}"
    lines = done.stderr.splitlines()
    assert len(lines) == 1, f"{len(lines)} lines on standard error: {done.stderr!r}"
    assert len(lines[0]) < 300, f"too long to be read: {lines[0]}"
    return lines[0]


# ---- things to hand in -----------------------------------------------------------------------


def png(width: int, height: int) -> bytes:
    """A black picture of one bit a pixel, written without holding it: PNG 1.2, section 11."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

    packer = zlib.compressobj(1)
    row = bytes(1 + (width + 7) // 8)
    rows = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def jpeg() -> bytes:
    noise = np.random.default_rng(1).integers(0, 255, (240, 320, 3), np.uint8)
    return cv2.imencode(".jpg", noise)[1].tobytes()


def write_endless_nothing(path: Path) -> None:
    """A video with a header and no frames."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (320, 240))
    writer.release()
    assert path.stat().st_size > 0


PDN_ILLEGAL = """[Event "club"]
[GameType "25"]
[Result "*"]

1. c3-d4 d6-c5 2. a1-h8 *
"""

CALIBRATION_OF_OTHERS = '{"v": 1, "made_by": "some other program", "corners": [[0, 0], [9, 9]]}'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One of each bad thing."""
    (tmp_path / "empty.jpg").write_bytes(b"")
    (tmp_path / "cut.jpg").write_bytes(jpeg()[:-4000])
    (tmp_path / "huge.png").write_bytes(png(20_000, 20_000))
    (tmp_path / "text.jpg").write_text("no picture at all\n")
    (tmp_path / "fine.jpg").write_bytes(jpeg())
    (tmp_path / "fine").mkdir()
    (tmp_path / "fine" / "1.jpg").write_bytes(jpeg())
    (tmp_path / "nothing").mkdir()
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "a.txt").write_text("hello\n")
    write_endless_nothing(tmp_path / "ends.avi")
    (tmp_path / "empty.mp4").write_bytes(b"")
    (tmp_path / "text.mp4").write_text("no video at all\n")
    (tmp_path / "illegal.pdn").write_text(PDN_ILLEGAL)
    (tmp_path / "empty.pdn").write_text("")
    (tmp_path / "foreign.json").write_text(CALIBRATION_OF_OTHERS)
    (tmp_path / "broken.json").write_text('{"v": 1, ')
    (tmp_path / "empty.json").write_text("")
    (tmp_path / "junk.jsonl").write_text('{"v": 1}\nnot json\n')
    (tmp_path / "empty.jsonl").write_text("")
    return tmp_path


# ---- positions -------------------------------------------------------------------------------

FENS = [
    pytest.param(THIRTEEN, r"13 white.*expected at most 12", id="13 men"),
    pytest.param(TWICE, r"a1.*twice.*expected each square once", id="a square twice"),
    pytest.param("W:Wa1:Ba1", r"a1.*expected one piece", id="a square twice, both sides"),
    pytest.param("W:Wb1:Bh8", r"b1.*expected", id="a light square"),
    pytest.param("hello", r"hello.*expected W, B", id="no FEN at all"),
    pytest.param("", r"expected", id="empty"),
]


@pytest.mark.parametrize(("fen", "line"), FENS)
@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["moves", "--game", "russian", "--fen", "FEN"], id="moves"),
        pytest.param(["perft", "--game", "russian", "--depth", "2", "--fen", "FEN"], id="perft"),
        pytest.param(
            ["judge", "--game", "russian", "--before", "FEN", "--after", FINE], id="judge before"
        ),
        pytest.param(
            ["watch", "fine", "--game", "russian", "--fen", "FEN", "--out", "out"], id="watch"
        ),
    ],
)
def test_a_position_that_no_game_can_have(
    folder: Path, arguments: list[str], fen: str, line: str
) -> None:
    done = run([fen if a == "FEN" else a for a in arguments], folder)
    assert re.search(line, complaint(done))
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("bad", "line"),
    [
        (json.dumps({"fen": TWICE}), r"line 2: a1.*twice.*expected"),
        ("rubbish", r"line 2.*JSON.*expected"),
        ("[1]", r"line 2.*object.*expected"),
        ('{"fen": 7}', r"line 2: fen.*expected"),
        ("{}", r"line 2: fen.*expected"),
    ],
    ids=["a bad position", "no JSON", "no object", "a number", "no fen"],
)
def test_a_bad_line_of_a_batch_is_answered_in_its_place(
    tmp_path: Path, bad: str, line: str
) -> None:
    fine = json.dumps({"fen": FINE})
    done = run(["moves", "--game", "russian", "--batch"], tmp_path, f"{fine}\n{bad}\n{fine}\n")
    assert re.search(line, complaint(done))
    answers = [json.loads(answer) for answer in done.stdout.splitlines()]
    assert ["moves" in answer for answer in answers] == [True, False, True]
    assert re.search(line, f"line 2: {answers[1]['error']}")


# ---- pictures --------------------------------------------------------------------------------

PICTURES = [
    pytest.param("empty.jpg", r"empty\.jpg.*empty.*expected", id="empty"),
    pytest.param("cut.jpg", r"cut\.jpg.*(truncated|cut|broken|short|ends).*expected", id="cut"),
    pytest.param("huge.png", r"huge\.png.*20000.*20000.*expected", id="20,000 x 20,000"),
    pytest.param("text.jpg", r"text\.jpg.*expected", id="no picture"),
    pytest.param("gone.jpg", r"gone\.jpg.*expected", id="missing"),
    pytest.param("nothing", r"nothing.*expected", id="a folder"),
]


@pytest.mark.parametrize(("name", "line"), PICTURES)
def test_read_of_a_bad_picture(folder: Path, name: str, line: str) -> None:
    done = run(["read", name, "--size", "8", "--json"], folder)
    assert re.search(line, complaint(done))
    row = json.loads(done.stdout)
    assert (row["file"], row["status"]) == (name, "error")
    assert re.search(line, f"{name} {row['reason']}")


def test_read_goes_on_after_a_bad_picture(folder: Path) -> None:
    done = run(["read", "fine.jpg", "cut.jpg", "fine.jpg", "--size", "8", "--json"], folder)
    assert "cut.jpg" in complaint(done)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["file"] for row in rows] == ["fine.jpg", "cut.jpg", "fine.jpg"]
    assert [row["status"] == "error" for row in rows] == [False, True, False]


@pytest.mark.parametrize(("name", "line"), PICTURES)
def test_a_bad_start_picture(folder: Path, name: str, line: str) -> None:
    done = run(["read", "fine.jpg", "--size", "8", "--start", name, "--json"], folder)
    assert re.search(line, complaint(done))


CALIBRATIONS = [
    pytest.param("gone.json", r"gone\.json.*expected", id="missing"),
    pytest.param("foreign.json", r"foreign\.json.*expected", id="of another program"),
    pytest.param("broken.json", r"broken\.json.*expected", id="cut off"),
    pytest.param("empty.json", r"empty\.json.*expected", id="empty"),
    pytest.param("fine.jpg", r"fine\.jpg.*expected", id="a picture"),
    pytest.param("nothing", r"nothing.*expected", id="a folder"),
]


@pytest.mark.parametrize(("name", "line"), CALIBRATIONS)
@pytest.mark.parametrize("command", ["read", "watch"])
def test_a_missing_or_foreign_calibration(folder: Path, command: str, name: str, line: str) -> None:
    arguments = {
        "read": ["read", "fine.jpg", "--size", "8"],
        "watch": ["watch", "fine", "--game", "russian", "--out", "out"],
    }[command]
    done = run([*arguments, "--calibration", name], folder)
    assert re.search(line, complaint(done))


# ---- sources, records, journals --------------------------------------------------------------

SOURCES = [
    pytest.param("nothing", r"nothing.*expected", id="a folder without pictures"),
    pytest.param("letters", r"letters.*expected", id="a folder of other files"),
    pytest.param("ends.avi", r"ends\.avi.*expected", id="a video that ends at once"),
    pytest.param("empty.mp4", r"empty\.mp4.*expected", id="an empty video"),
    pytest.param("text.mp4", r"text\.mp4.*expected", id="no video"),
    pytest.param("gone.mp4", r"gone\.mp4.*expected", id="a missing video"),
    pytest.param("usb:x", r"usb:x.*expected", id="no camera number"),
]


@pytest.mark.parametrize(("source", "line"), SOURCES)
def test_watch_of_a_bad_source_keeps_what_was_written_before(
    folder: Path, source: str, line: str
) -> None:
    before = {"game.pdn": "a whole game\n", "journal.jsonl": '{"v": 1}\n', "evidence/1.jpg": "x"}
    for name, text in before.items():
        (folder / "out" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "out" / name).write_text(text)
    done = run(["watch", source, "--game", "russian", "--out", "out"], folder)
    assert re.search(line, complaint(done))
    assert {name: (folder / "out" / name).read_text() for name in before} == before


@pytest.mark.parametrize(("source", "line"), SOURCES)
def test_calibrate_of_a_bad_source_keeps_the_calibration_of_before(
    folder: Path, source: str, line: str
) -> None:
    (folder / "set.json").write_text("the old one")
    done = run(["calibrate", source, "--game", "russian", "--out", "set.json"], folder)
    assert re.search(line, complaint(done))
    assert (folder / "set.json").read_text() == "the old one"


def test_a_picture_without_a_board_is_no_calibration(folder: Path) -> None:
    (folder / "set.json").write_text("the old one")
    done = run(["calibrate", "fine", "--game", "russian", "--out", "set.json"], folder)
    assert re.search(r"fine", complaint(done))
    assert (folder / "set.json").read_text() == "the old one"


@pytest.mark.parametrize(
    ("name", "line"),
    [
        pytest.param("gone.jsonl", r"gone\.jsonl.*expected", id="missing"),
        pytest.param("junk.jsonl", r"junk\.jsonl.*expected", id="no journal"),
        pytest.param("empty.jsonl", r"empty\.jsonl.*expected", id="empty"),
        pytest.param("fine.jpg", r"fine\.jpg.*expected", id="a picture"),
        pytest.param("nothing", r"nothing.*expected", id="a folder"),
    ],
)
def test_replay_of_a_bad_journal(folder: Path, name: str, line: str) -> None:
    assert re.search(line, complaint(run(["replay", name], folder)))


RECORDS = [
    pytest.param("illegal.pdn", r"illegal\.pdn, line 5.*a1-h8.*expected", id="an illegal move"),
    pytest.param("gone.pdn", r"gone\.pdn.*expected", id="missing"),
    pytest.param("empty.pdn", r"empty\.pdn.*expected", id="empty"),
    pytest.param("fine.jpg", r"fine\.jpg.*expected", id="a picture"),
    pytest.param("nothing", r"nothing.*expected", id="a folder"),
]


@pytest.mark.parametrize(("name", "line"), RECORDS)
def test_a_bad_record(folder: Path, name: str, line: str) -> None:
    done = run(["pdn", name], folder)
    assert re.search(line, complaint(done))
    assert done.stdout == ""


def test_a_good_record_is_checked_although_one_before_it_is_bad(folder: Path) -> None:
    (folder / "good.pdn").write_text(PDN_ILLEGAL.replace("2. a1-h8 ", ""))
    done = run(["pdn", "illegal.pdn", "good.pdn"], folder)
    assert "illegal.pdn" in complaint(done)
    assert done.stdout == "good.pdn: 1 game, 2 moves, all legal\n"


def test_a_game_goes_on_after_a_bad_picture_and_its_record_is_kept(folder: Path) -> None:
    video = cv2.VideoCapture(str(ROOT / "device" / "demo" / "russian.mjpeg"))
    (folder / "game").mkdir()
    for number in range(3):
        cv2.imwrite(str(folder / "game" / f"{number}.jpg"), video.read()[1])
    video.release()
    (folder / "game" / "1.jpg").write_bytes(jpeg()[:-4000])
    arguments = ["--game", "russian", "--out", "out", "--signals", "none", "--json"]
    done = run(["watch", "game", *arguments], folder)
    assert re.search(r"1\.jpg.*expected", complaint(done))
    events = [json.loads(line)["event"] for line in done.stdout.splitlines()]
    assert (events[0], events[-1]) == ("start-position", "end")
    assert (folder / "out" / "game.pdn").read_text().startswith("[")
    assert (folder / "out" / "journal.jsonl").read_text().count("\n") > 2


# ---- settings --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["moves", "--game", "chess"], r"chess.*expected one of italian"),
        (["moves"], r"--game"),
        (["perft", "--game", "russian", "--depth", "-1"], r"--depth.*-1"),
        (["judge", "--game", "russian", "--before", FINE], r"--after"),
        (["read"], r"IMAGE"),
        (["read", "fine.jpg"], r"--game or --size"),
        (["read", "fine.jpg", "--size", "9"], r"--size.*9"),
        (["read", "fine.jpg", "--size", "8", "--corners", "1,2 3,4"], r"--corners.*expected"),
        (["read", "fine.jpg", "--size", "8", "--weights", "text.jpg"], r"text.*expected"),
        (["watch", "fine", "--game", "chess", "--out", "out"], r"chess.*expected"),
        (["watch", "fine", "--game", "russian", "--signals", "bells"], r"bells"),
        (["watch", "fine", "--game", "russian", "--fps", "0"], r"--fps"),
        (["watch", "fine", "--game", "russian", "--white-at", "here"], r"--white-at.*here"),
        (["demo", "--game", "chess"], r"chess"),
        (["no-such-command"], r"no-such-command"),
        (["--no-such-option"], r"--no-such-option"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_wrong_setting(folder: Path, arguments: list[str], line: str) -> None:
    done = run(arguments, folder)
    assert re.search(line, complaint(done))
    assert done.stdout == ""
