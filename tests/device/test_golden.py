"""Journals of earlier versions: what they tell must never change."""

import json
from pathlib import Path

import pytest

from device import journal
from device.replay import replay

JOURNALS = Path(__file__).parents[1] / "data" / "journals"


@pytest.mark.parametrize("name", ["russian-0.1.0"])
def test_a_journal_of_an_earlier_version_replays_to_the_same_effects(name: str) -> None:
    past = journal.read(JOURNALS / f"{name}.jsonl")
    again = replay(past)
    assert again.differences == ()
    assert again.effects > 40


def test_a_field_of_later_versions_is_let_pass_only_where_it_is_new(tmp_path: Path) -> None:
    lines = (JOURNALS / "russian-0.1.0.jsonl").read_bytes().splitlines(keepends=True)
    for place, line in enumerate(lines):
        row = journal.decode(line)
        if row is not None and '"offence"' in json.dumps(row.get("out", "")):
            row["out"][0]["line"]["said"] = {"say": "something else", "with": {}}
            lines[place] = journal.encode(row)
    (tmp_path / "changed.jsonl").write_bytes(b"".join(lines))
    assert len(replay(journal.read(tmp_path / "changed.jsonl")).differences) == 2
