"""Past games: the list, stepping through, downloads, and nothing that lies outside."""

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from device import bundle, replay


def playing(hall: Callable[..., Any], **more: Any) -> Any:
    table = hall("club", **more)
    table.start()
    table.play("c3-d4")
    return table


def test_downloads_are_the_files_themselves(hall: Callable[..., Any]) -> None:
    table = playing(hall)
    name, folder = table.values["id"], table.table.folder
    for file in ("game.pdn", "journal.jsonl"):
        answer = table.client.get(f"/games/{name}/{file}")
        assert answer.content == (folder / file).read_bytes()
        assert "attachment" in answer.headers["content-disposition"]
    picture = table.values["pictures"][0]
    assert table.client.get(f"/games/{name}/{picture}").headers["content-type"] == "image/jpeg"
    packed = zipfile.ZipFile(io.BytesIO(table.client.get(f"/games/{name}/bundle.zip").content))
    assert {"about.json", "game.pdn", "journal.jsonl"} <= set(packed.namelist())
    assert any(member.endswith(".jpg") for member in packed.namelist())


def test_a_bundle_replays_and_may_be_of_one_move(hall: Callable[..., Any], tmp_path: Path) -> None:
    table = playing(hall)
    table.play("h6-g5", "d2-c3", "g5-f4", "e3:g5")
    path = f"/games/{table.values['id']}/bundle.zip"
    file = tmp_path / "bundle.zip"
    file.write_bytes(table.client.get(path).content)
    again = replay.replay(bundle.read(file))
    assert again.differences == ()
    assert len(again.state.match.plies) == 5
    names = zipfile.ZipFile(io.BytesIO(table.client.get(f"{path}?ply=1").content)).namelist()
    assert "evidence/005-e3xg5.jpg" not in names
    assert "evidence/001-c3-d4.jpg" in names
    assert table.client.get(f"{path}?ply=99").status_code == 400
    assert table.client.get(f"{path}?ply=x").status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/games/%2e%2e",
        "/games/../.access.json",
        "/games/%2e%2e/.access.json",
        "/games/..%2f..%2fetc/passwd",
        "/games/.access.json",
        "/games/2026-01-01-000001/..%2f..%2f.access.json",
        "/games/2026-01-01-000001/evidence",
        "/games/2026-01-01-000001/.access.json",
        "/games/2026-01-01-000001/game.pdn.new",
        "/games/2026-01-01-000001/game.pdn%00.jpg",
        "/games/outside/game.pdn",
        "/static/../web/pin.py",
        "/static/..%2fpin.py",
        "/static//etc/passwd",
        "/static/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
    ],
)
def test_nothing_outside_is_given_away(hall: Callable[..., Any], path: str) -> None:
    table = playing(hall)
    outside = table.games.parent / "elsewhere"
    outside.mkdir()
    (outside / "game.pdn").write_text("secret")
    (table.games / "outside").symlink_to(outside)
    answer = table.browser("arbiter").get(path)
    assert answer.status_code in (404, 405), answer.text[:200]
    assert "secret" not in answer.text
    assert "scrypt" not in answer.text


def test_the_list_has_the_game_and_its_names(hall: Callable[..., Any]) -> None:
    table = playing(hall, white="Aliya <b>", black="Timur")
    text = table.client.get("/games").text
    assert "Aliya &lt;b&gt;" in text
    assert "<b>" not in text
    assert "/games/2026-01-01-000001" in text


def test_names_cannot_end_the_script_that_carries_them(hall: Callable[..., Any]) -> None:
    table = playing(hall, white="</script><script>alert(1)</script>")
    text = table.client.get("/").text
    assert "<script>alert" not in text
    inert = text.split('id="boot">')[1].split("</script>")[0]
    assert not set("<>&") & set(inert)
    assert json.loads(inert)["state"]["plan"]["white"] == "</script><script>alert(1)</script>"


def test_stepping_through_shows_the_board_after_each_ply(hall: Callable[..., Any]) -> None:
    table = playing(hall)
    table.play("h6-g5")
    text = table.client.get("/games/2026-01-01-000001").text
    game = json.loads(text.split('id="boot">')[1].split("</script>")[0])["game"]
    assert [ply["text"] for ply in game["plies"]] == ["c3-d4", "h6-g5"]
    assert game["start"][5] == "w.w.w.w."
    assert game["plies"][0]["grid"][4] == "...w...."
