"""The game bench counts what was said against what was played, and finds nothing that isn't."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from models.evaluate.games import done_rows, plans, run_one, wanted
from models.evaluate.games_acts import Act, Light, Shove, Sweep, Truth, Wait
from models.evaluate.games_disturb import idle
from models.evaluate.games_given import Given
from models.evaluate.games_report import HEADING, write_section
from models.evaluate.games_rescue import Silent, rescued
from models.evaluate.games_scene import Drawn, During, Noted, Shown, stage_for
from models.evaluate.games_score import Row, scored, well_resolved
from models.evaluate.games_story import rng_of, story
from models.evaluate.games_watch import Log, Plan, watched
from rules.draughts.game import DraughtsGame

PLAN = Plan(0, "russian", 1, "home", False)
STAMPS = {"weights": "1" * 64, "code": "2" * 64, "scenes": "3" * 64}


def note(kind: str, clear: float, ply: int = 0, **fields: str) -> Noted:
    truth = Truth(kind, ply, "w", **fields)  # type: ignore[arg-type]
    return Noted(truth, clear - 2, clear, "move")


def log_of(told: list[Row], record: list[tuple[str, str]]) -> Log:
    """White plays A, B is staged and put right, then C is played."""
    log = Log(PLAN, told=told, record=record, seconds=40.0)
    log.tags = {"tilt": 20.0, "king": "stack"}
    log.during = [During("move", 8.0), During("offence O6", 18.0)]
    log.noted = [
        note("ply", 10.0, text="a", fen="A"),
        note("staged", 20.0, 1, code="O6", fen="B"),
        note("righted", 30.0, 1),
        note("ply", 36.0, 1, text="c", fen="C"),
    ]
    return log


MOVE_A = {"event": "move", "t": 10.6, "fen": "A", "text": "a"}
MOVE_C = {"event": "move", "t": 36.4, "fen": "C", "text": "c"}
ALARM = {"event": "offence", "t": 21.2, "code": "O6", "side": "w", "message": "capture"}
RIGHTED = {"event": "resolved", "t": 30.4, "how": "put-right"}
ALL = [MOVE_A, ALARM, RIGHTED, MOVE_C]


def test_a_game_told_as_it_was_played_has_no_misses() -> None:
    row = scored(log_of(ALL, [("ply", "A"), ("ply", "C")]))
    assert (row["right"], row["plies"], row["misses"], row["false"]) == (2, 2, [], [])
    assert row["clean"]
    assert row["move_delays"] == [0.6, 0.4]
    (offence,) = row["offences"]
    assert (offence["said"], offence["delay"], offence["became"]) == ("O6", 1.2, "righted")
    assert well_resolved(offence)


def test_a_board_that_stood_long_before_is_no_early_answer() -> None:
    before = {**MOVE_C, "t": 5.0}
    row = scored(log_of([before, *ALL], [("ply", "A"), ("ply", "C")]))
    assert row["move_delays"] == [0.6, 0.4]


def test_a_move_that_is_not_in_the_record_is_a_miss() -> None:
    row = scored(log_of([ALARM, RIGHTED, MOVE_C], [("ply", "C")]))
    assert (row["right"], row["clean"]) == (1, False)
    (miss,) = row["misses"]
    assert (miss["kind"], miss["expected"], miss["at"]) == ("move", "a", 10.0)


def test_an_invented_move_spoils_a_game_though_all_others_are_right() -> None:
    row = scored(log_of(ALL, [("ply", "A"), ("ply", "X"), ("ply", "C")]))
    assert (row["right"], row["plies"], row["clean"]) == (2, 2, False)


@pytest.mark.parametrize(
    ("told", "kind", "said"),
    [
        ([MOVE_A, MOVE_C], "offence", "nothing"),
        ([MOVE_A, {**ALARM, "code": "O1"}, RIGHTED, MOVE_C], "offence", "O1"),
        ([MOVE_A, {**ALARM, "side": "b"}, RIGHTED, MOVE_C], "blame", "b"),
        ([MOVE_A, ALARM, {**RIGHTED, "how": "accepted"}, MOVE_C], "resolution", "accepted"),
        ([MOVE_A, ALARM, MOVE_C], "resolution", "nothing"),
        ([MOVE_A, ALARM, {**RIGHTED, "t": 44.0}, MOVE_C], "resolution", "nothing"),
    ],
    ids=["not noticed", "another code", "other side", "how", "never resolved", "too late"],
)
def test_what_is_said_of_an_offence_is_held_against_it(
    told: list[Row], kind: str, said: str
) -> None:
    row = scored(log_of(told, [("ply", "A"), ("ply", "C")]))
    (miss,) = row["misses"]
    assert (miss["kind"], miss["said"]) == (kind, said)


@pytest.mark.parametrize("at", [12.0, 37.0])
def test_an_alarm_that_nothing_was_staged_for_is_false(at: float) -> None:
    row = scored(log_of([*ALL, {**ALARM, "t": at}], [("ply", "A"), ("ply", "C")]))
    assert [f["at"] for f in row["false"]] == [at]
    assert not row["clean"]
    assert row["misses"][-1 if at > 30 else 0]["kind"] == "false alarm"


def test_an_accepted_board_and_a_takeback_belong_to_the_record() -> None:
    log = log_of([MOVE_A, ALARM, {**RIGHTED, "how": "accepted"}], [("ply", "A"), ("stand", "B")])
    log.noted[2:] = [note("accepted", 20.0, 1, code="O6", fen="B"), note("ply", 30.0, 2, fen="D"),
                     note("takeback", 36.0, 3)]  # fmt: skip
    row = scored(log)
    assert (row["plies"], row["right"], row["clean"]) == (2, 2, True)
    assert row["remarks"] == [{"code": "takeback", "said": False}]


@pytest.mark.parametrize("number", [0, 6, 12])
def test_a_short_game_that_is_read_right_is_scored_right(number: int, tmp_path: Path) -> None:
    plan = plans(15, 2, None)[number]
    row = run_one(plan, tmp_path, None, 10, 0.0)
    assert row["plies"] >= 10
    assert row["right"] == row["plies"], row["misses"]
    assert row["false"] == []
    assert row["offences"]


def test_a_board_that_nobody_plays_on_raises_no_alarm(tmp_path: Path) -> None:
    game = DraughtsGame.by_name("russian")
    acts = idle(game, rng_of(1, 0, 1), 1.0)
    row = scored(watched(PLAN, acts, None, tmp_path / "idle"))
    assert row["seconds"] > 60
    assert row["false"] == []
    assert row["recorded"] == row["right"] == row["plies"]


def test_a_game_whose_run_was_stopped_is_scored_as_far_as_it_went(tmp_path: Path) -> None:
    game, plan = DraughtsGame.by_name("russian"), replace(PLAN, seed=3)
    acts = story(game, rng_of(3, 0, 1), 12, "home", False)
    whole = scored(watched(plan, acts, None, tmp_path / "game"))
    lines = (tmp_path / "game" / "journal.jsonl").read_bytes().splitlines(keepends=True)
    for share, least in ((1.0, len(whole["offences"])), (0.6, 1)):
        (tmp_path / "game" / "journal.jsonl").write_bytes(
            b"".join(lines[: int(len(lines) * share)]) + b'{"torn'
        )
        row = rescued(plan, acts, tmp_path / "game", Given(game.board))
        assert row is not None
        assert row["cut"]
        assert 0 < row["plies"] <= whole["plies"]
        assert row["right"] == row["plies"] == row["recorded"], row["misses"]
        assert len(row["offences"]) >= least
        theirs = [{**o, "delay": None} for o in whole["offences"]][: len(row["offences"])]
        keys = ("ply", "code", "said", "blamed", "became", "resolved")
        assert [[o[k] for k in keys] for o in row["offences"]] == [
            [o[k] for k in keys] for o in theirs
        ]


def test_what_draws_nothing_takes_from_chance_what_drawing_takes() -> None:
    game, left, gone = DraughtsGame.by_name("russian"), [], list[float]()
    for lens in (Drawn(), Silent()):
        stage = stage_for(game, rng_of(1, 1, 2), lambda: -1.0, lens)
        acts: list[Act] = [
            Wait(0.4),
            Shove("w", (5, 0), (0.1, 0.0)),
            Light(0.8),
            Sweep("b"),
            Truth("takeback", 0, "w"),
            Wait(0.4),
        ]
        its = list(stage.play(acts))
        assert sum(isinstance(it, Shown) for it in its) == stage.frame
        (noted,) = (it for it in its if isinstance(it, Noted))
        gone.append(noted.clear)
        left.append((stage.frame, noted.began, stage.rng.random()))
    assert left[0] == left[1]
    assert 0 <= gone[1] - gone[0] < 1


def test_games_that_were_played_with_the_same_code_are_not_played_again(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    three = plans(3, 1, None)
    lines = [{"name": three[0].name, **STAMPS}, {"name": three[1].name, **STAMPS, "code": "x"}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"name": "tor', "utf-8")
    assert [p.number for p in wanted(three, path, STAMPS)] == [1, 2]
    assert len(list(done_rows(path))) == 2


def test_the_tables_take_turns() -> None:
    made = plans(15, 1, None)
    assert {(p.game, p.mode, p.clocked) for p in made} == {
        (g, m, c)
        for g in ("italian", "russian", "international", "english", "giveaway")
        for m, c in (("home", False), ("club", False), ("club", True))
    }
    assert {p.game for p in plans(4, 1, "english")} == {"english"}


def test_the_section_takes_the_place_of_the_older_one(tmp_path: Path) -> None:
    page = tmp_path / "BENCHMARKS.md"
    page.write_text("# Benchmarks\n\n## Rules\n\nold rules\n", "utf-8")
    log = log_of([MOVE_C], [("ply", "C")])
    game = scored(replace(log, plan=PLAN))
    for _ in range(2):
        write_section(page, ([game], []), ([], []), STAMPS)
    text = page.read_text("utf-8") + "\n## Later\n\nlast\n"
    page.write_text(text, "utf-8")
    write_section(page, ([game, game], [game]), ([game], []), STAMPS)
    text = page.read_text("utf-8")
    assert text.count(HEADING) == 1
    assert "old rules" in text
    assert text.rstrip().endswith("last")
    assert "| all | 2 | 0 | 2 | 2/4 (50.0 %" in text
    assert text.index("without eyes") < text.index("| all | 1 | 0 | 1 | 1/2 (50.0 %")
    assert f"- weights: `{'1' * 64}`" in text
