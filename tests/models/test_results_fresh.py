"""RESULTS.md tells of the weights and the code that are here, and marks every figure."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.evaluate.results import CODE, RESULTS, code_hash, eyes_hash, stamps, table
from models.evaluate.tally import Tally

ROOT = Path(__file__).parents[2]


def test_results_are_not_stale() -> None:
    """After a change run ``python -m models.evaluate`` again."""
    told = stamps(RESULTS.read_text())
    assert told == {
        "weights": eyes_hash(ROOT / "models" / "weights" / "squares.onnx"),
        "code": code_hash(ROOT / "vision"),
    }


def test_every_figure_is_marked_real_or_rendered() -> None:
    rows = [line for line in RESULTS.read_text().splitlines() if line.startswith("| ")]
    assert len(rows) > 10
    for row in rows:
        first = row.split("|")[1].strip()
        assert first.startswith(("real", "rendered", "---")), row


@pytest.mark.parametrize("changed", ["crops", "track"])
def test_any_change_of_the_code_shows(tmp_path: Path, changed: str) -> None:
    for name in CODE:
        (tmp_path / f"{name}.py").write_bytes((ROOT / "vision" / f"{name}.py").read_bytes())
    before = code_hash(tmp_path)
    with (tmp_path / f"{changed}.py").open("a") as file:
        file.write("# \n")
    assert code_hash(tmp_path) != before


def test_a_table_marks_its_rows() -> None:
    lines = table("real", "T", "", {"x": Tally()})
    assert any(line.startswith("| real: x |") for line in lines)
