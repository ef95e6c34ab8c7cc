"""``toreshi read`` and ``toreshi calibrate`` on drawn pictures, as the contract describes them."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from device.cli.calibrate import command as calibrate
from device.cli.read import command as read
from rules.errors import ToreshiError
from vision.model import KINDS

PX, ROOM, SIZE = 64, 90, 8
START = [
    ".b.b.b.b", "b.b.b.b.", ".b.b.b.b", "........", "........", "w.w.w.w.", ".w.w.w.w", "w.w.w.w.",
]  # fmt: skip
LATER = [
    ".b.b.b.b", "b.b...b.", ".b.b.b.b", "....b...", ".w......", "..w.w.w.", ".w.w.w.w", "w.w.w.w.",
]  # fmt: skip

#: LATER with the foremost man of each side as a king.
TOLD = "W:Wa1,c1,e1,g1,b2,d2,f2,h2,c3,e3,g3,Kb4:BKe5,b6,d6,f6,h6,a7,c7,g7,b8,d8,f8,h8"


def draw(grid: list[str], shade: float = 1.0) -> np.ndarray:
    """A wooden board from above, men with a ring and a shadow."""
    rng = np.random.default_rng(5)
    side = SIZE * PX + 2 * ROOM
    image = np.full((side, side + 160, 3), (80, 110, 140), np.float32)
    image[ROOM - 30 : side - ROOM + 30, ROOM - 30 : side - ROOM + 30] = (50, 70, 100)
    for row in range(SIZE):
        for col in range(SIZE):
            y, x = ROOM + row * PX, ROOM + col * PX
            light = (row + col) % 2 == 0
            image[y : y + PX, x : x + PX] = (170, 205, 225) if light else (60, 85, 130)
    for row in range(SIZE):
        for col in range(SIZE):
            piece = grid[row][col]
            if piece == ".":
                continue
            at = ROOM + col * PX + PX // 2, ROOM + row * PX + PX // 2
            cv2.circle(image, (at[0] + 5, at[1] + 5), 24, (35, 50, 70), -1, cv2.LINE_AA)
            face = (200, 220, 232) if piece == "w" else (38, 36, 40)
            rim = (150, 175, 190) if piece == "w" else (70, 68, 72)
            cv2.circle(image, at, 24, face, -1, cv2.LINE_AA)
            cv2.circle(image, at, 17, rim, 2, cv2.LINE_AA)
    seen = cv2.GaussianBlur(image * shade, (0, 0), 0.9) + rng.normal(0, 2, image.shape)
    return np.clip(seen, 0, 255).astype(np.uint8)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("pictures")
    for name, image in (("start", draw(START)), ("later", draw(LATER, 0.8))):
        cv2.imwrite(str(place / f"{name}.jpg"), image)
    cv2.imwrite(str(place / "grey.png"), np.full((400, 500, 3), 120, np.uint8))
    (place / "empty.jpg").write_bytes(b"")
    return place


def rows_of(folder: Path, *arguments: str) -> tuple[int, list[dict[str, Any]]]:
    """Exit code and answers of ``toreshi read --json`` run in the folder."""
    named = [str(folder / a) if (folder / a).exists() else a for a in arguments]
    done = CliRunner().invoke(read, [*named, "--json"], standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return int(done.return_value), lines


def test_reads_with_a_start_picture(folder: Path) -> None:
    code, rows = rows_of(folder, "later.jpg", "--game", "russian", "--start", "start.jpg")
    (row,) = rows
    assert code == 0
    assert set(row) == {"file", "status", "reason", "corners", "grid", "confidence", "fen", "ms"}
    answered = [
        (x, y)
        for got, true in zip(row["grid"], LATER, strict=True)
        for x, y in zip(got, true, strict=True)
        if x != "?"
    ]
    assert len(answered) >= 32
    assert all(x == y for x, y in answered)
    assert len(row["confidence"]) == 8
    np.testing.assert_allclose(row["corners"][0], (ROOM - 0.5, ROOM - 0.5), atol=3)
    expected = "W:Wb4,c3,e3,g3,b2,d2,f2,h2,a1,c1,e1,g1:Bb8,d8,f8,h8,a7,c7,g7,b6,d6,f6,h6,e5"
    if row["status"] == "read":
        assert sorted(row["fen"].replace(":", ",").split(",")) == sorted(
            expected.replace(":", ",").split(",")
        )
    else:
        assert row["fen"] is None


def test_answers_stay_in_order_and_errors_do_not_stop_the_rest(folder: Path) -> None:
    code, rows = rows_of(folder, "later.jpg", "empty.jpg", "grey.png", "start.jpg", "--size", "8")
    assert code == 2
    assert [Path(r["file"]).name for r in rows] == [
        "later.jpg", "empty.jpg", "grey.png", "start.jpg",
    ]  # fmt: skip
    assert rows[1]["status"] == "error"
    assert "empty file" in rows[1]["reason"]
    assert rows[2]["status"] == "not-found"
    assert rows[2]["reason"]
    assert rows[0]["fen"] is None


def test_corners_skip_the_search(folder: Path) -> None:
    corners = "10,10 210,10 210,210 10,210"
    _, rows = rows_of(folder, "grey.png", "--size", "8", "--corners", corners)
    assert rows[0]["status"] != "not-found"
    np.testing.assert_allclose(rows[0]["corners"][2], (210, 210), atol=0.01)


def test_a_calibration_file_gives_what_the_start_picture_gives(
    folder: Path, tmp_path: Path
) -> None:
    file = tmp_path / "set.json"
    arguments = [str(folder / "start.jpg"), "--game", "russian", "--out", str(file)]
    done = CliRunner().invoke(calibrate, arguments, standalone_mode=False)
    assert done.exception is None
    assert "learned from" in done.stdout
    assert json.loads(file.read_text())["v"] == 1
    _, from_file = rows_of(folder, "later.jpg", "--size", "8", "--calibration", str(file))
    _, from_start = rows_of(folder, "later.jpg", "--size", "8", "--start", "start.jpg")
    assert from_file[0]["grid"] == from_start[0]["grid"]
    assert from_file[0]["confidence"] == from_start[0]["confidence"]


def test_kings_that_were_shown_are_learned_where_they_stand(folder: Path, tmp_path: Path) -> None:
    """Told as White sees the board, while the camera sees it from Black's side."""
    cv2.imwrite(str(tmp_path / "start.png"), draw(START)[::-1, ::-1])
    cv2.imwrite(str(tmp_path / "kings.png"), draw(LATER)[::-1, ::-1])
    file = tmp_path / "set.json"
    told = f"{tmp_path / 'kings.png'}={TOLD}"
    plain = [str(tmp_path / "start.png"), "--game", "russian", "--out", str(file)]
    for shown in ([], ["--shown", told]):
        done = CliRunner().invoke(calibrate, [*plain, *shown], standalone_mode=False)
        assert done.exception is None
        row = json.loads(file.read_text())
        kinds = np.frombuffer(base64.b64decode(row["kinds"]), "<f4").reshape(-1, KINDS)
        if not shown:
            assert kinds[:, 4:].sum() == 0
            assert len(kinds) == 64
    assert len(kinds) == 128
    made = np.frombuffer(base64.b64decode(row["made"]), "<f4").reshape(128, -1)[64:]
    kings = np.nonzero(kinds[64:, 4:].sum(axis=1))[0]
    # the white man on b4 and the black one on e5, seen from the other side
    assert [divmod(int(k), 8) for k in kings] == [(3, 6), (4, 3)]
    assert kinds[64 + kings[0], 4] == 1
    assert kinds[64 + kings[1], 5] == 1
    assert np.abs(made[kings[0]] - made[kings[1]]).max() > 0.1


def test_calibrate_refuses_a_shown_picture_of_something_else(folder: Path, tmp_path: Path) -> None:
    told = f"{folder / 'later.jpg'}=W:WKb4:BKe5"
    arguments = [str(folder / "start.jpg"), "--game", "russian", "--out", str(tmp_path / "x.json")]
    with pytest.raises(ToreshiError, match=r"22 squares hold something else than"):
        CliRunner().invoke(
            calibrate, [*arguments, "--shown", told], standalone_mode=False, catch_exceptions=False
        )
    assert not (tmp_path / "x.json").exists()


@pytest.mark.parametrize("told", ["x.png", "x.png=W:Wa9:B", "none.png=W:Wa1:Bb8"])
def test_calibrate_refuses_what_cannot_be_shown(folder: Path, tmp_path: Path, told: str) -> None:
    arguments = [str(folder / "start.jpg"), "--game", "russian", "--out", str(tmp_path / "x.json")]
    with pytest.raises(ToreshiError):
        CliRunner().invoke(
            calibrate, [*arguments, "--shown", told], standalone_mode=False, catch_exceptions=False
        )
    assert not (tmp_path / "x.json").exists()


def test_calibrate_refuses_another_position_in_one_line(folder: Path, tmp_path: Path) -> None:
    grey = str(folder / "grey.png")
    arguments = [grey, "--game", "russian", "--out", str(tmp_path / "x.json")]
    with pytest.raises(ToreshiError, match=r"grey\.png: no board") as caught:
        CliRunner().invoke(calibrate, arguments, standalone_mode=False, catch_exceptions=False)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "x.json").exists()


def test_overlay_draws_what_was_read(folder: Path, tmp_path: Path) -> None:
    rows_of(folder, "later.jpg", "--size", "8", "--overlay", str(tmp_path / "o"))
    drawn = cv2.imread(str(tmp_path / "o" / "later.png"))
    assert drawn is not None
    assert np.abs(drawn.astype(int) - cv2.imread(str(folder / "later.jpg"))).max() > 100


def test_a_person_gets_the_board_in_letters(folder: Path) -> None:
    done = CliRunner().invoke(
        read, [str(folder / "later.jpg"), "--size", "8"], standalone_mode=False
    )
    assert done.exception is None
    lines = done.stdout.splitlines()
    assert lines[0].startswith(str(folder / "later.jpg"))
    assert len(lines[1].split()) == 8


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["later.jpg"], "--game or --size"),
        (["later.jpg", "--game", "chess"], "no game 'chess'"),
        (["later.jpg", "--game", "international", "--size", "8"], "10, the board of international"),
        (["later.jpg", "--size", "8", "--corners", "1,2 3,4"], "four points"),
        (["later.jpg", "--size", "8", "--weights", "none.onnx"], "can't be read"),
        (["later.jpg", "--size", "8", "--start", "none.jpg"], "no such file"),
        (["later.jpg", "--size", "8", "--calibration", "none.json"], "can't be read"),
    ],
)
def test_bad_arguments_say_what_was_expected(folder: Path, arguments: list[str], says: str) -> None:
    with pytest.raises(ToreshiError, match=says):
        rows_of(folder, *arguments)
