"""One table: what the camera shows and people ask reaches the game, in the referee's thread."""

from collections.abc import Callable
from typing import Any

import pytest

from device.errors import BadConfig
from device.web.plan import Plan, plan_from
from rules.errors import ToreshiError
from vision.calibrate import Refusal

#: White plays c3-d4, Black puts a second man on b5, which no move leads to.
TWO_MOVES = "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,d4,e3,g3:Bb8,d8,f8,h8,a7,c7,e7,g7,a5,c5,f6,h6"


def test_moves_reach_what_is_shown(hall: Callable[..., Any]) -> None:
    table = hall()
    assert table.values["game"]["phase"] == "waiting"
    table.start()
    assert table.values["game"]["phase"] == "playing"
    table.play("c3-d4", "h6-g5")
    assert [ply["text"] for ply in table.values["game"]["plies"]] == ["c3-d4", "h6-g5"]
    assert table.values["game"]["side"] == "w"
    assert table.values["id"] == "2026-01-01-000001"
    assert len(table.values["pictures"]) == 3


def test_a_view_is_announced_only_when_it_changed(hall: Callable[..., Any]) -> None:
    table = hall()
    table.start()
    version, last = table.table.shown.version, table.broadcast.last
    table.start()
    table.start()
    assert (table.table.shown.version, table.broadcast.last) == (version, last)
    table.play("c3-d4")
    assert table.table.shown.version > version


def test_an_offence_is_pending_until_it_is_accepted(hall: Callable[..., Any]) -> None:
    table = hall()
    table.start()
    table.play("c3-d4")
    table.board(TWO_MOVES)
    assert table.values["game"]["pending"]["side"] == "b"
    refused = table.table.command("accept", by="b").result(5)
    assert not refused.done
    assert "opponent" in refused.what
    assert table.values["game"]["pending"] is not None
    assert table.table.command("accept", by="w").result(5).done
    assert table.values["game"]["pending"] is None
    assert table.values["game"]["plies"][-1]["code"]


def test_a_refused_command_is_no_news_for_others(hall: Callable[..., Any]) -> None:
    table = hall()
    table.start()
    last = table.broadcast.last
    assert not table.table.command("agree-draw", by="w").result(5).done
    assert table.broadcast.last == last


def test_a_lost_board_is_said_and_found_again(hall: Callable[..., Any]) -> None:
    table = hall()
    table.start()
    table.show(None)
    assert table.values["camera"] == {"state": "lost", "reason": "too dark"}
    table.start()
    assert table.values["camera"]["state"] == "found"


def test_another_game_ends_the_first_one(hall: Callable[..., Any]) -> None:
    table = hall()
    table.start()
    table.play("c3-d4")
    first = table.table.folder
    table.table.begin(Plan("russian", white="Aliya")).result(5)
    assert table.values["game"]["plies"] == []
    assert table.table.folder != first
    assert '"what":"end"' in (first / "journal.jsonl").read_text()
    table.start()
    assert 'White "Aliya"' in (table.table.folder / "game.pdn").read_text()


def test_preparing_only_looks(hall: Callable[..., Any]) -> None:
    table = hall()
    table.start()
    corners = [[1.0, 1.0], [9.0, 1.0], [9.0, 9.0], [1.0, 9.0]]
    table.table.prepare(Plan("russian"), corners).result(5)
    assert table.values["game"] is None
    assert table.stage.corners == corners
    assert not table.table.command("resign", by="w").result(5).done


def test_what_was_learned_is_kept_until_the_board_is_searched_anew(
    hall: Callable[..., Any],
) -> None:
    table = hall(game=False)

    def eyes_after(**more: Any) -> Any:
        table.table.prepare(Plan(more.pop("game", "russian")), **more).result(5)
        return table.stage.newest

    first = eyes_after()
    table.start()
    assert eyes_after() is first
    assert eyes_after(search=True) is not first
    second = table.stage.newest
    assert eyes_after(corners=[[1.0, 1.0]] * 4) is not second
    assert eyes_after(game="international") is not second
    table.table.prepare(Plan("russian")).result(5)
    third = table.stage.newest
    table.table.begin(Plan("russian")).result(5)
    assert table.stage.newest is third


def test_without_a_game_the_eyes_still_look(hall: Callable[..., Any]) -> None:
    table = hall()
    table.table.prepare(Plan("russian")).result(5)
    table.start()
    assert table.table.look.percept.geometry == "found"
    table.stage.refusal = Refusal("too dark", "more light", (3,))
    assert table.table.calibrate().result(5) == table.stage.refusal


def test_what_fails_is_told_to_whoever_asked_and_the_referee_goes_on(
    hall: Callable[..., Any],
) -> None:
    table = hall()

    def fail() -> None:
        raise BadConfig("no", "here", "yes")

    with pytest.raises(BadConfig):
        table.table.ask(fail).result(5)
    table.start()
    assert table.values["game"]["phase"] == "playing"


def test_a_full_disk_is_shown_and_the_referee_goes_on(
    hall: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = hall()
    fed: list[Any] = []
    monkeypatch.setattr(table.table, "_processed", fed.append)
    table.start()

    def full(*args: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("device.app.files.write_record", full)
    table.play("c3-d4")
    assert "No space left" in table.values["trouble"]["disk"]
    table.show(table.stage.game.start())
    assert len(fed) == 3, "a program that is started anew would have no more room"
    monkeypatch.undo()
    table.show(None)
    assert table.values["trouble"] == {}, "said as long as it lasts"
    assert [ply["text"] for ply in table.values["game"]["plies"]] == ["c3-d4"]


def test_low_voltage_is_shown_while_it_lasts(hall: Callable[..., Any]) -> None:
    table = hall()
    low = {"v": 1, "event": "power", "low": True, "message": "the voltage is too low"}
    table.table.tell(low)
    assert table.values["trouble"] == {"power": "the voltage is too low"}
    assert low in [item.event for item in table.broadcast.since(0)]
    table.table.tell({**low, "low": False, "message": "the voltage is right"})
    assert table.values["trouble"] == {}


def test_a_torn_picture_is_no_look(hall: Callable[..., Any]) -> None:
    table = hall()
    table.start()
    table.tear()
    assert table.values["camera"]["state"] == "none"
    assert table.values["game"]["lost"]
    table.start()
    assert table.values["camera"]["state"] == "found"


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        ({"game": "chess"}, "chess"),
        ({"game": "russian", "mode": "wild"}, "mode"),
        ({"game": "russian", "fen": "W:Wb1:Bh8"}, "b1"),
        ({"game": "russian", "white": "a" * 61}, "white"),
        ({"game": "russian", "white": "a\nb"}, "white"),
        ({"game": "russian", "white": "\ud800"}, "white"),
        ({"game": "russian", "white": 3}, "white"),
        ({"game": "russian", "clock": "soon"}, "soon"),
        ({"game": "russian", "date": "2026-02-30"}, "date"),
        ({"game": "russian", "date": "30.11.2026"}, "date"),
        ({"game": "russian", "colour": "red"}, "colour"),
        ({}, "game"),
    ],
)
def test_a_plan_that_is_no_good_is_refused(row: dict[str, Any], wrong: str) -> None:
    with pytest.raises(ToreshiError, match=wrong):
        plan_from(row)


def test_a_plan_makes_setup_and_tags() -> None:
    plan = plan_from({"game": "italian", "white": " Aliya ", "mode": "club", "clock": "15+5"})
    assert plan.tags() == {"White": "Aliya"}
    setup = plan.setup(settled=True)
    assert (setup.game, setup.mode, setup.clock, setup.settled) == ("italian", "club", "15+5", True)
