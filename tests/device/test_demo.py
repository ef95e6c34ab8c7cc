"""The recorded game that comes with the package, and the command that plays it."""

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from device.app import Watch
from device.cli import demo, main
from device.cli.demo import recorded
from device.errors import BadConfig
from device.eyes import open_eyes
from device.session_values import Json, Setup
from device.signals import NoSignaller
from device.source_files import Video
from device.weights import weights_path
from rules.draughts import pdn
from rules.draughts.game import DraughtsGame

RUSSIAN = DraughtsGame.by_name("russian")


@pytest.fixture
def truth() -> dict[str, Any]:
    story: dict[str, Any] = json.loads(recorded("russian").with_suffix(".json").read_text())
    return story


def test_the_story_is_a_game_with_two_wrong_deeds_put_right(truth: dict[str, Any]) -> None:
    position, moves, codes = RUSSIAN.start(), 0, []
    for told in truth["then"]:
        if told["verdict"] == "legal":
            position = RUSSIAN.parse_move(position, told["move"]).after
            moves += 1
        else:
            codes.append(told["code"])
    assert moves >= 30
    assert codes == ["O1", "O6"]


def test_the_video_is_whole_and_small(truth: dict[str, Any]) -> None:
    path = recorded("russian")
    video = Video(path, truth["fps"])
    assert sum(1 for _ in video.frames()) == truth["frames"]
    video.close()
    assert path.stat().st_size + path.with_suffix(".json").stat().st_size <= 5_000_000


def test_a_game_that_was_not_recorded_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BadConfig, match="russian"):
        recorded("italian")
    with pytest.raises(SystemExit) as left:
        main(["demo", "--game", "italian"])
    assert left.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.skipif(not weights_path().exists(), reason="the weights are not here")
def test_its_beginning_is_followed_through_the_whole_pipeline(
    truth: dict[str, Any], tmp_path: Path
) -> None:
    told: list[Json] = []
    video = Video(recorded("russian"), truth["fps"])
    run = Watch(Setup("russian"), open_eyes(8), NoSignaller(), tmp_path, told.append, {}, {})
    run.run(islice(video.frames(), 80))
    run.close()
    video.close()
    kinds = ("move", "offence", "resolved", "start-position")
    said = [
        event.get("text") or event.get("code") or "start"
        for event in told
        if event["event"] in kinds and event["event"] != "resolved"
    ]
    wanted = ["start", *(one.get("move") or one["code"] for one in truth["then"])]
    assert len(said) >= 8
    assert said == wanted[: len(said)]
    assert "resolved" in [event["event"] for event in told]
    (record,) = pdn.read((tmp_path / "game.pdn").read_text())
    assert len(record.plies) == len([one for one in said if "-" in one or ":" in one])


def test_the_command_ends_by_showing_record_alarms_and_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def played(game: str, video: Path, folder: Path, *rest: object) -> list[Json]:
        folder.mkdir()
        (folder / "game.pdn").write_text("1. c3-d4 *\n")
        alarm = {"event": "offence", "t": 3.0, "side": "w", "message": "not so", "article": "1.2"}
        return [{**alarm, "due": []}, {"event": "resolved", "t": 4.0, "how": "put-right"}]

    monkeypatch.setattr(demo, "play", played)
    with pytest.raises(SystemExit) as left:
        main(["demo", "--out", str(tmp_path / "out")])
    assert not left.value.code
    told = capsys.readouterr().out
    for part in ("1. c3-d4 *", "White: not so", "put-right", "game.pdn", "journal.jsonl"):
        assert part in told
