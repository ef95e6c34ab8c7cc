"""``toreshi read --game nardi`` on drawn boards, as the contract describes it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from device.cli.read import command as read
from models.synth.nardi_layout import checkers_of
from models.synth.nardi_scene import NardiRendered, render_nardi, sample_nardi
from models.synth.nardi_style import sample_nardi_style
from rules.errors import ToreshiError

#: Far row left to right, near row left to right; the lighter side's above 0.
LATER = (0, 0, 3, 0, 0, 0, 0, 0, -2, 0, 0, 4, -5, 0, 2, 0, 0, 0, 0, -1, 0, 0, 0, 1)
#: Of a camera that looks straight down in good light.
SEED = 56
START = (0,) * 11 + (15, -15) + (0,) * 11


def drawn(counts: tuple[int, ...]) -> NardiRendered:
    """A clear picture from above of one set with something standing on it."""
    style = sample_nardi_style(np.random.default_rng(21), "heldout")
    scene = sample_nardi(np.random.default_rng(SEED), "heldout", style)
    made = checkers_of(style, counts, np.random.default_rng(4))
    bare = replace(scene, counts=counts, checkers=tuple(made), things=(), hand=None, stretch=1.0)
    return render_nardi(bare, 1)


@pytest.fixture(scope="module")
def later() -> NardiRendered:
    return drawn(LATER)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, later: NardiRendered) -> Path:
    place = tmp_path_factory.mktemp("pictures")
    cv2.imwrite(str(place / "later.jpg"), later.image)
    cv2.imwrite(str(place / "start.jpg"), drawn(START).image)
    cv2.imwrite(str(place / "grey.png"), np.full((400, 500, 3), 120, np.uint8))
    (place / "empty.jpg").write_bytes(b"")
    return place


def run(*arguments: str | Path) -> tuple[int, list[dict[str, Any]], str]:
    told = CliRunner().invoke(
        read, [*map(str, arguments), "--game", "nardi", "--json"], standalone_mode=False
    )
    if told.exception is not None:
        raise told.exception
    rows = [json.loads(line) for line in told.stdout.splitlines()]
    return int(told.return_value or 0), rows, told.stderr


def as_text(count: int) -> str:
    return "" if count == 0 else f"{'w' if count > 0 else 'b'}{abs(count)}"


def clicks(seen: NardiRendered) -> str:
    return " ".join(f"{x:.2f},{y:.2f}" for x, y in seen.corners)


def test_a_board_is_read(folder: Path, later: NardiRendered) -> None:
    code, (row,), _ = run(folder / "later.jpg", "--corners", clicks(later))
    assert code == 0
    assert row["status"] in ("read", "unsure")
    texts = row["points_top"] + row["points_bottom"]
    assert len(row["points_top"]) == len(row["points_bottom"]) == 12
    truth = [as_text(c) for c in LATER]
    pairs = [(got, true) for got, true in zip(texts, truth, strict=True) if got != "?"]
    assert len(pairs) >= 20
    assert [p for p in pairs if p[0] != p[1]] == []
    assert row["ms"] > 0
    assert row["fen"] is None


def test_corners_skip_the_search(folder: Path, later: NardiRendered) -> None:
    _, (row,), _ = run(folder / "later.jpg", "--corners", clicks(later))
    assert np.allclose(row["corners"], later.corners, atol=0.06)
    _, (away,), _ = run(folder / "later.jpg", "--corners", "9000,0 9500,0 9500,500 9000,500")
    assert away["status"] == "not-found"


def test_the_start_tells_the_numbers_of_the_points(folder: Path, later: NardiRendered) -> None:
    first, second = folder / "start.jpg", folder / "later.jpg"
    code, rows, note = run(first, second, "--start", first, "--corners", clicks(later))
    assert code == 0
    assert note == ""
    for row, counts in zip(rows, (START, LATER), strict=True):
        if row["status"] == "read":
            # the lighter head lies on 24 at the far right; the path runs counterclockwise
            path = counts[11::-1] + counts[12:]
            white = [f"{24 - k}x{c}" for k, c in enumerate(path) if c > 0]
            assert row["fen"].startswith("W:W" + ",".join(white) + ":B")
        else:
            assert row["fen"] is None


def test_a_picture_that_is_no_start_is_said(folder: Path, later: NardiRendered) -> None:
    at = "--corners", clicks(later)
    _, rows, note = run(folder / "later.jpg", "--start", folder / "later.jpg", *at)
    assert "not learned from" in note
    assert len(rows) == 1


def test_no_board_is_said_and_broken_files_do_not_stop_the_rest(folder: Path) -> None:
    code, rows, errors = run(folder / "empty.jpg", folder / "grey.png")
    assert code == 2
    assert [r["status"] for r in rows] == ["error", "not-found"]
    assert rows[1]["corners"] is None
    assert "no board" in rows[1]["reason"]
    assert len(errors.strip().splitlines()) == 1


def test_sizes_have_no_meaning_for_nardi(folder: Path) -> None:
    with pytest.raises(ToreshiError, match="nardi"):
        run(folder / "grey.png", "--size", "8")


def test_people_get_lines_and_marked_pictures(
    folder: Path, tmp_path: Path, later: NardiRendered
) -> None:
    told = CliRunner().invoke(
        read,
        [str(folder / "later.jpg"), "--game", "nardi", "--overlay", str(tmp_path),
         "--corners", clicks(later)],
        standalone_mode=False,
    )  # fmt: skip
    assert told.stdout.count("|") == 2
    assert cv2.imread(str(tmp_path / "later.png")) is not None
