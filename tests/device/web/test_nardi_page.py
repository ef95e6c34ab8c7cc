"""The page at a nardi board: what stands, the dice, a wrong turn, and who may say what about it."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from device.app import Watch
from device.broadcast import Broadcast
from device.session_values import Json
from device.signals import NoSignaller
from device.web.access import Access
from device.web.asking import Site
from device.web.parts import Running
from device.web.plan import Plan
from device.web.site import make_site
from device.web.table import Table
from device.web.view_nardi import view
from rules.nardi.board import START, Position
from rules.nardi.game import NardiGame
from tests.device.web.conftest import Stage, StageEyes
from vision.frame import Frame
from vision.nardi.fake import FakeEyes, die
from vision.nardi.percept import NardiPercept

GAME = NardiGame()


class NardiStage(Stage):
    """A nardi board under the camera; dice lie on it until others are thrown."""

    def __init__(self, games: Path) -> None:
        super().__init__(games)
        self.dice: tuple[Any, ...] = ()

    def eyes(self, plan: Plan, corners: Any) -> Any:
        return NardiEyes(self)

    def watch(
        self, plan: Plan, eyes: Any, settled: bool, publish: Callable[[Json], None]
    ) -> Running:
        self._begun += 1
        folder = self.games / f"2026-01-01-00000{self._begun}"
        setup = plan.setup(settled=True)
        return Watch(setup, eyes, NoSignaller(), folder, publish, {}, plan.tags())

    def view(self, state: Any) -> dict[str, Any]:
        return view(state)


class NardiEyes(StageEyes):
    def __init__(self, stage: NardiStage) -> None:
        self._board = stage
        self._fake = FakeEyes()

    def see(self, frame: Frame) -> Any:
        position: Any = self._board.shown[frame.number]
        seen: NardiPercept = self._fake.see(position, frame.at_ns, dice=self._board.dice)
        return seen


class NardiTable:
    def __init__(self, games: Path, access: Access, **plan: Any) -> None:
        self.stage = NardiStage(games)
        self.access = access
        self.table = Table(self.stage, Broadcast(), Plan("nardi", **plan), live=False)
        self.app = make_site(Site(self.table, access, games), {"testserver"})
        self.client = TestClient(self.app)
        self.table.start()

    def show(self, position: Position, *dice: int) -> dict[str, Any]:
        if dice:
            self.stage.dice = (die(dice[0], 0.2, 0.5), die(dice[1], 0.28, 0.52))
        before = self.table.looked
        self.stage.give(position)  # type: ignore[arg-type]
        while self.table.looked == before:
            self.table.ask(lambda: None).result(10)
        return self.game

    @property
    def game(self) -> dict[str, Any]:
        self.table.ask(lambda: None).result(10)
        game: dict[str, Any] = self.table.shown.values["game"]
        return game


@pytest.fixture
def nardi(tmp_path: Path) -> Iterator[Callable[..., NardiTable]]:
    made: list[NardiTable] = []

    def opened(**plan: Any) -> NardiTable:
        games = tmp_path / "games"
        made.append(NardiTable(games, Access(games / ".access.json"), **plan))
        return made[-1]

    yield opened
    for one in made:
        one.stage.stop()
        one.table.close()


def test_points_dice_and_turns_are_shown(nardi: Callable[..., NardiTable]) -> None:
    table = nardi()
    game = table.show(START)
    assert game["points"][23] == [15, 0]
    assert game["points"][11] == [0, 15]
    table.show(START, 6, 5)
    game = table.client.get("/api/state").json()["state"]["game"]
    assert (game["roll"], game["side"]) == ([6, 5], "w")
    after = GAME.moves(START, roll_of(6, 5))[0].after
    table.show(after, 6, 5)
    table.client.post("/api/command", json={"name": "press", "by": "w"})
    assert [(ply["side"], ply["dice"]) for ply in table.game["plies"]] == [("w", [6, 5])]
    assert table.game["side"] == "b"
    text = table.client.get("/?lang=ru").text
    boot = json.loads(text.split('id="boot">')[1].split("</script>")[0])
    assert boot["state"]["game"]["family"] == "nardi"


def test_a_past_game_can_be_stepped_through_and_downloaded(
    nardi: Callable[..., NardiTable],
) -> None:
    table = nardi(white="Aliya", black="Timur")
    table.show(START)
    table.show(START, 6, 5)
    after = GAME.moves(START, roll_of(6, 5))[0].after
    table.show(after, 6, 5)
    table.client.post("/api/command", json={"name": "press", "by": "w"})
    table.client.post("/api/command", json={"name": "resign", "by": "b"})
    name = table.table.shown.values["id"]
    page = table.client.get(f"/games/{name}").text
    game = json.loads(page.split('id="boot">')[1].split("</script>")[0])["game"]
    assert game["start"]["points"][23] == [15, 0]
    assert [ply["dice"] for ply in game["plies"]] == [[6, 5]]
    assert game["plies"][0]["points"] == [[after.white[n], after.black[n]] for n in range(24)]
    assert (game["white"], game["result"]) == ("Aliya", "w")
    listed = table.client.get("/games").text
    assert "1–0" in listed
    for file in ("game.jsonl", "game.txt", "journal.jsonl"):
        assert f"/games/{name}/{file}" in listed
        assert table.client.get(f"/games/{name}/{file}").status_code == 200


def test_a_wrong_turn_is_told_and_may_be_let_stand(nardi: Callable[..., NardiTable]) -> None:
    table = nardi()
    table.show(START)
    table.show(START, 6, 5)
    wrong = Position.of({24: 13, 20: 1, 19: 1}, {12: 15}, side="w")
    table.show(wrong, 6, 5)
    table.client.post("/api/command", json={"name": "press", "by": "w"})
    game = table.game
    assert game["pending"]["side"] == "w"
    assert game["points"][19] == [1, 0]
    assert "accept" in game["may"]["b"]
    assert "accept" not in game["may"]["w"]
    done = table.client.post("/api/command", json={"name": "accept", "by": "b"})
    assert done.status_code == 200
    assert table.game["pending"] is None
    assert table.game["plies"][-1]["code"]


def test_in_a_tournament_the_players_see_what_is_confirmed(
    nardi: Callable[..., NardiTable], tmp_path: Path
) -> None:
    table = nardi(mode="tournament")
    table.show(START)
    table.show(START, 6, 5)
    wrong = Position.of({24: 13, 20: 1, 19: 1}, {12: 15}, side="w")
    table.show(wrong, 6, 5)
    table.client.post("/api/command", json={"name": "press", "by": "w"})
    assert table.game["pending"] is not None
    table.access.mode = "club"
    seen = table.client.get("/api/state").json()["state"]["game"]
    assert seen["pending"] is None
    assert seen["points"][23] == [15, 0]
    assert seen["points"][19] == [0, 0]


def test_a_resignation_is_a_win_for_the_other_side(nardi: Callable[..., NardiTable]) -> None:
    table = nardi()
    table.show(START)
    table.show(START, 6, 5)
    table.client.post("/api/command", json={"name": "resign", "by": "w"})
    answer = table.client.get("/api/state", params={"lang": "it"}).json()
    outcome = answer["state"]["game"]["outcome"]
    assert outcome["ending"] == "b"
    assert outcome["text"].endswith("mars, 2 punti")


def roll_of(one: int, two: int) -> Any:
    from rules.nardi.dice import Roll

    return Roll((one, two), first=True)
