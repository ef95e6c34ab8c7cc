"""``toreshi mount``: what a person reads while the camera is moved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from device.cli.calibrate import command as calibrate
from device.cli.mount import command as mount
from rules.errors import ToreshiError

PX, ROOM = 60, 80


def board(men: bool = False, blur: float = 0.6) -> np.ndarray:
    """A board from above on a table; with men in the first position."""
    image = np.full((480 + 2 * ROOM, 640 + 2 * ROOM, 3), (80, 110, 140), np.uint8)
    for row in range(8):
        for column in range(8):
            x, y = ROOM + column * PX, ROOM + row * PX
            tone = (170, 205, 225) if (row + column) % 2 == 0 else (60, 85, 130)
            cv2.rectangle(image, (x, y), (x + PX - 1, y + PX - 1), tone, -1)
            if men and (row + column) % 2 and row not in (3, 4):
                face = (38, 36, 40) if row < 3 else (200, 220, 232)
                rim = (70, 68, 72) if row < 3 else (150, 175, 190)
                middle = (x + PX // 2, y + PX // 2)
                cv2.circle(image, middle, 22, face, -1, cv2.LINE_AA)
                cv2.circle(image, middle, 15, rim, 2, cv2.LINE_AA)
    soft = cv2.GaussianBlur(image, (0, 0), blur).astype(np.float64)
    noisy = soft + np.random.default_rng(2).normal(0, 2, soft.shape)
    return np.asarray(noisy.clip(0, 255), np.uint8)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("pictures")
    cv2.imwrite(str(place / "1.png"), board())
    cv2.imwrite(str(place / "2.png"), board(blur=9.0))
    cv2.imwrite(str(place / "3.png"), np.roll(board(), 30, axis=1))
    cv2.imwrite(str(place / "4.png"), np.full((400, 500, 3), 120, np.uint8))
    cv2.imwrite(str(place / "5.png"), board()[ROOM + 60 :])
    cv2.imwrite(str(place / "6.png"), board())
    return place


def rows_of(source: Path, *more: str) -> list[dict[str, Any]]:
    done = CliRunner().invoke(mount, [str(source), "--size", "8", "--json", *more])
    assert done.exception is None or done.exit_code == 0, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


def wrong(row: dict[str, Any]) -> list[str]:
    return [check["name"] for check in row["checks"] if not check["ok"]]


def test_each_picture_is_told_of_as_the_camera_is_moved(folder: Path) -> None:
    rows = rows_of(folder)
    assert [row["picture"] for row in rows] == list(range(6))
    assert [wrong(row) for row in rows] == [[], ["sharpness"], [], ["board"], ["board"], []]
    assert [row["ok"] for row in rows] == [True, False, True, False, False, True]
    assert "cut off" in rows[4]["checks"][0]["advice"]


def test_a_person_reads_one_line_for_each_figure(folder: Path) -> None:
    done = CliRunner().invoke(mount, [str(folder / "2.png"), "--size", "8"])
    lines = done.stdout.splitlines()
    assert lines[0] == "picture 1: not yet"
    assert len(lines) == 8
    assert sum(line.endswith(" ok") for line in lines) == 6
    (said,) = [line for line in lines if "sharpness" in line]
    assert "focus the camera on the board" in said


def test_clicked_corners_serve_where_nothing_shows(folder: Path) -> None:
    corners = "90,60 410,60 410,340 90,340"
    (row,) = rows_of(folder / "4.png", "--corners", corners)
    assert "board" not in wrong(row)
    assert "sharpness" in wrong(row)  # there is nothing to see


def test_what_is_wrong_with_the_mounting_is_said_by_calibrate(tmp_path: Path) -> None:
    out = tmp_path / "c.json"
    cv2.imwrite(str(tmp_path / "start.png"), board(men=True))
    done = CliRunner().invoke(
        calibrate, [str(tmp_path / "start.png"), "--size", "8", "--out", str(out), "--json"]
    )
    assert done.exit_code == 0, done.exception
    told = json.loads(done.stdout)
    assert [check["name"] for check in told["mounting"]][:3] == ["board", "whole", "angle"]
    assert all(check["ok"] for check in told["mounting"])
    cv2.imwrite(str(tmp_path / "empty.png"), board(blur=9.0))
    refused = CliRunner().invoke(
        calibrate, [str(tmp_path / "empty.png"), "--size", "8", "--out", str(out)]
    )
    assert isinstance(refused.exception, ToreshiError)
    assert "focus the camera on the board" in str(refused.exception)
    assert "\n" not in str(refused.exception)


def test_bad_input_is_one_line(folder: Path) -> None:
    for arguments in (["nowhere", "--size", "8"], [str(folder), "--size", "8", "--corners", "1,2"]):
        done = CliRunner().invoke(mount, arguments)
        assert isinstance(done.exception, ToreshiError)
    broken = folder.parent / "broken.png"
    broken.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(20))
    with pytest.raises(ToreshiError):
        CliRunner().invoke(mount, [str(broken), "--size", "8"], catch_exceptions=False)
