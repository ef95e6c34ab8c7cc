"""``python -m models.synth`` writes what the scoring scripts for photographs read."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
from click.testing import CliRunner

from models.synth.__main__ import main


def test_files_have_the_schema_of_the_photographs(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.png"
    result = CliRunner().invoke(
        main, ["--out", str(tmp_path), "--count", "5", "--split", "heldout", "--seed", "3",
               "--size", "8", "--contact-sheet", str(sheet)],
    )
    assert result.exit_code == 0, result.output
    rows = [json.loads(line) for line in (tmp_path / "labels.jsonl").read_text().splitlines()]
    assert len(rows) == 5
    for row in rows:
        assert {"file", "size", "corners", "grid", "tags", "note", "use"} <= set(row)
        assert [len(line) for line in row["grid"]] == [row["size"]] * row["size"]
        assert set("".join(row["grid"])) <= set(".wWbB?")
        assert len(row["corners"]) == 4
        assert cv2.imread(str(tmp_path / row["file"])) is not None
    starts = {row["file"] for row in rows if "start" in row["tags"]}
    assert starts
    assert all(row["start"] in starts for row in rows if "start" in row)
    assert {row["use"] for row in rows} == {"score"}, "held-out pictures are never trained on"
    assert cv2.imread(str(sheet)) is not None
