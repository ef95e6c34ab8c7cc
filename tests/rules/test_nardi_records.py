"""Records of Long Nardi: written and read back in both forms, wrong turns and errors included."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.nardi import record, sheet, sheet_in
from rules.nardi.board import START
from rules.nardi.check import check
from rules.nardi.deeds import deeds
from rules.nardi.events import (
    Ended,
    Event,
    Header,
    Noted,
    Reading,
    Rolled,
    Scored,
    Started,
    Turn,
    events_of,
)
from rules.nardi.fen import read
from rules.nardi.fields import Problem
from rules.nardi.match import State, accept, demand, end_turn, throw
from rules.nardi.moves import legal
from rules.nardi.notation import text

#: A busy machine is no failure.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
PLAYERS = ("Аслан", 'B. "Bo" \\ : 3')


def played(seed: int, turns: int, wrong: float = 0.2) -> State:
    """A random game; some turns are wrong, and then accepted, corrected or left pending."""
    rng = random.Random(seed)
    state = State()
    while not state.result and len(state.turns) < turns:
        thrown = throw(state, (rng.randint(1, 6), rng.randint(1, 6)))
        assert isinstance(thrown, State)
        state = thrown
        assert state.roll
        choice = list(deeds(state.position, state.roll)) if rng.random() < wrong else []
        if choice:
            answer = end_turn(state, rng.choice(choice).after(state.position))
            assert isinstance(answer, tuple)
            taken = accept(answer[0]) if rng.random() < 0.5 else demand(answer[0])
            asked = taken if isinstance(taken, State) else demand(answer[0])
            assert isinstance(asked, State)
            state = asked
            if state.roll is None:
                continue
        move = rng.choice(legal(state.position, state.roll))  # type: ignore[arg-type]
        answer = end_turn(state, move.after)
        assert isinstance(answer, tuple)
        state = answer[0]
    return state


def events(state: State) -> tuple[Event, ...]:
    header = Header(PLAYERS, "Club cup", "2026-01-31", 3, {"block_timing": "each"})
    game = events_of(state, Started(1, *PLAYERS))
    tail: list[Event] = [Noted('lamp [x] "off"', 3.5)]
    if state.result:
        points = state.result.points
        tail.append(Scored((points, 0) if state.result.winner == "w" else (0, points)))
    return (header, Rolled((5, 3)), *game, *tail)


def without_order(event: Event) -> Event | tuple[object, ...]:
    """An event without what a sheet does not hold: times, and the order of independent steps."""
    if isinstance(event, Turn):
        return replace(event, steps=(), t=None, conf=None), text(event.steps)
    return replace(event, t=None) if isinstance(event, Noted | Rolled | Ended) else event


@pytest.mark.parametrize("seed", range(6))
def test_a_game_is_written_and_read_back_as_lines(seed: int) -> None:
    told = events(played(seed, 400))
    reading = record.read(record.write(told))
    assert reading.events == told
    assert reading.problems == ()
    assert check(reading) == ()


@pytest.mark.parametrize("numbering", ["seed", "own"])
@pytest.mark.parametrize("seed", range(6))
def test_a_game_is_written_and_read_back_as_a_sheet(seed: int, numbering: sheet.Numbering) -> None:
    told = events(played(seed, 400))
    reading = sheet_in.read(sheet.write(told, numbering))
    assert reading.problems == ()
    assert [*map(without_order, reading.events)] == [*map(without_order, told)]
    assert check(reading) == ()


def test_every_line_carries_a_version_and_absolute_points() -> None:
    lines = record.write(events(played(1, 6, 0))).splitlines()
    data = [json.loads(line) for line in lines]
    assert {line["v"] for line in data} == {1}
    assert [line["ev"] for line in data][:4] == ["header", "roll", "game", "turn"]
    assert set(data[3]) == {"v", "ev", "n", "side", "dice", "moves", "end", "verdict", "resolved"}
    assert sum(n for n in data[3]["end"]["pts"] if n > 0) + data[3]["end"]["off"][0] == 15


def test_time_and_certainty_are_kept() -> None:
    turn = Turn(1, "w", (6, 5), read("B:W24x14,13:B12x15:O0-0"), ((24, 18), (18, 13)))
    told = replace(turn, t=12.5, conf=0.98)
    assert record.read_line(record.write_line(told)) == told


SHEET = """\
; [Variation "Long Nardi"]
; [Numbering "seed"]
; [Player1 "Aslan"]
; [Player2 "Berik"]
 3 point match

 Game 1
 Aslan : 0                         Berik : 0
  1) 65: 24/18/13                  42: (12/8?M6) 12/8/6
  2) 31: 24/23 13/10               11: 12/11?M6
; a remark by hand
  3) 21: 24/22/21
      White wins 2 points (mars, resigned)
"""


def test_a_sheet_by_hand() -> None:
    reading = sheet_in.read(SHEET)
    assert reading.problems == ()
    turns = [event for event in reading.events if isinstance(event, Turn)]
    assert [(t.number, t.side, t.verdict, t.resolved) for t in turns] == [
        (1, "w", "legal", ""),
        (1, "b", "M6", "corrected"),
        (1, "b", "legal", ""),
        (2, "w", "legal", ""),
        (2, "b", "M6", "accepted"),
        (3, "w", "legal", ""),
    ]
    assert turns[2].end == read("W:W24x14,13:B12x14,6:O0-0")
    assert turns[4].end == read("W:W24x13,23,10:B12x13,11,6:O0-0")
    assert reading.events[-1] == Ended("w", "mars", "resigned")
    assert reading.events[0] == Header(("Aslan", "Berik"), target=3)
    assert reading.events[1] == Started(1, "Aslan", "Berik")
    assert check(reading) == ()


def test_the_numbering_is_a_switch() -> None:
    told = sheet_in.read(SHEET).events
    own = sheet.write(told, "own")
    assert '[Numbering "own"]' in own
    assert "42: (24/20?M6) 24/20/18" in own
    assert [*map(without_order, sheet_in.read(own).events)] == [*map(without_order, told)]


def test_a_mat_file_without_names_of_winners() -> None:
    lines = " Game 1\n  1) 65: 24/18/13  42: 12/8/6\n      Wins 2 points\n"
    assert sheet_in.read(lines).events[-1] == Ended("w", "mars")
    lines = " Game 1\n  1) 65: 24/18/13  42: 12/8/6\n" + " " * 34 + "Wins 1 point\n"
    assert sheet_in.read(lines).events[-1] == Ended("b", "oin")


def test_a_game_from_a_position() -> None:
    start = Started(4, "A", "B", read("B:W20,1x14:B12x14,3:O0-0"))
    end = read("W:W20,1x14:B12x13,11,3:O0-0")
    turn = Turn(1, "b", (1, 1), end, ((12, 11),), "M6", "accepted")
    pending = replace(turn, resolved="")
    for told in ((start, turn), (start, pending), (start, replace(turn, resolved="corrected"))):
        written = sheet.write(told)
        assert '; [FEN "B:W20,1x14:B12x14,3:O0-0"]' in written
        assert sheet_in.read(written).events == told


def test_a_board_that_no_step_explains_is_written_out() -> None:
    hit = read("B:W24x14,18:B12x14:O0-0")
    told = (Started(1), Turn(1, "w", (6, 5), hit, (), "B3", "corrected"))
    written = sheet.write(told)
    assert "(pass?B3 {B:W24x14,18:B12x14:O0-0})" in written
    assert sheet_in.read(written).events == told


def test_a_board_with_two_colours_on_a_point_is_kept() -> None:
    both = read("B:W24x13,18,12:B12x15:O0-0")
    told = (Started(1), Turn(1, "w", (6, 6), both, ((24, 18), (24, 12)), "M3", "corrected"))
    assert '"pts":[0,0,0,0,0,0,0,0,0,0,0,[1,15],0' in record.write(told)
    assert record.read(record.write(told)).events == told
    assert sheet_in.read(sheet.write(told)).events == told


# ---------------------------------------------------------------- errors, with their places

TURN = record.write_line(Turn(1, "w", (6, 5), read("B:W24x14,13:B12x15:O0-0"), ((24, 13),)))


@pytest.mark.parametrize(
    ("line", "key", "what"),
    [
        ("nonsense", "", "no JSON: Expecting value"),
        ("[1]", "", "no object"),
        ("[" * 100_000, "", "no JSON: "),
        ('{"v":' + "9" * 5000 + "}", "", "no JSON: "),
        ('{"ev":"turn"}', "", "no v"),
        ('{"v":2,"ev":"turn"}', "v", "v 2"),
        ('{"v":true,"ev":"turn"}', "v", "v True"),
        ('{"v":1,"ev":"move"}', "ev", "ev 'move'"),
        ('{"v":1,"ev":["turn"]}', "ev", "ev ['turn']"),
        (TURN.replace('"W"', '"w"'), "side", "side 'w'"),
        (TURN.replace("[6,5]", "[6,7]"), "dice", "dice [6, 7]"),
        (TURN.replace("[[24,13]]", "[[0,13]]"), "moves", "moves with [0, 13]"),
        (TURN.replace("[[24,13]]", "7"), "moves", "moves 7"),
        (TURN.replace('"off":[0,0]', '"off":[0]'), "off", "off [0]"),
        (TURN.replace('"pts":[0,', '"pts":['), "pts", "23 and 23 points"),
        (TURN.replace('"pts":[0,', '"pts":[1e9,'), "pts", "pts with 1000000000.0"),
        (TURN.replace('"legal"', '"M9"'), "verdict", "verdict 'M9'"),
        (TURN.replace("null", '"maybe"'), "resolved", "resolved 'maybe'"),
        (TURN[:-1] + ',"t":NaN}', "t", "t nan"),
        (TURN[:-1] + ',"conf":1.5}', "conf", "conf 1.5"),
    ],
)
def test_a_bad_line_is_named_and_the_rest_read(line: str, key: str, what: str) -> None:
    reading = record.read(f"{TURN}\n{line}\n\n{TURN}\n")
    assert len(reading.events) == 2
    assert reading.places == ((1, 1), (4, 1))
    (problem,) = reading.problems
    assert (problem.line, problem.column) == (2, line.index(f'"{key}"') + 1 if key else 1)
    assert problem.what.startswith(what)


def test_a_line_that_ends_early_is_named_at_its_end() -> None:
    (problem,) = record.read('{"v":1,').problems
    assert (problem.line, problem.column) == (1, 8)
    assert str(problem).startswith("line 1, column 8: no JSON")


def test_no_utf8_is_named_and_the_rest_read() -> None:
    line = record.write_line(Noted("ასლან")).encode()
    reading = record.read(TURN.encode() + b"\n" + line.replace("ა".encode(), b"\xff", 1) + b"\n")
    assert len(reading.events) == 2
    assert [(p.line, p.what) for p in reading.problems] == [(2, "no UTF-8")]
    assert sheet_in.read(b"\xef\xbb\xbf" + SHEET.encode()).problems == ()


@pytest.mark.parametrize(
    ("old", "new", "at", "what"),
    [
        ('Variation "Long', 'Variation "Short', "; [V", "variation 'Short Nardi'"),
        ('Numbering "seed"', 'Numbering "mine"', "; [N", "numbering 'mine'"),
        (" 3 point match", " three point match", " three", "line 'three point match'"),
        ("24/18/13", "24/18/x", "24/18/x", "move '24/18/x'"),
        ("12/8/6", "11/8/6", "11/8/6", "no Black checker on 11"),
        ("12/8?M6", "12/8?M9", "12/8?M9", "turn '12/8?M9'"),
        ("12/8/6", "12/8/6 {W:W24}", "12/8/6 {", "no part B"),
        ("  1) 65:", "  1) 75:", "75:", "dice [7, 5]"),
        ("  3) 21: 24", "  3) 24", "24/22", "no dice"),
        ("2 points (mars", "1 points (mars", "      White", "result 'White wins 1 points (mars"),
    ],
)
def test_a_bad_sheet_is_named_and_the_rest_read(old: str, new: str, at: str, what: str) -> None:
    written = SHEET.replace(old, new)
    reading = sheet_in.read(written)
    before = written[: written.index(at)]
    place = (before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1)
    (problem,) = [p for p in reading.problems if p.what.startswith(what)]
    assert (problem.line, problem.column) == place
    assert len(reading.events) >= len(sheet_in.read(SHEET).events) - 2


def test_what_does_not_follow_is_told() -> None:
    told = sheet_in.read(SHEET.replace("12/11?M6", "12/11")).events
    reading = Reading(told, ((7, 3),) * len(told), ())
    assert check(reading) == (Problem(7, 3, "told as legal", "M6"),)
    told = sheet_in.read(SHEET.replace("(mars, resigned)", "(mars, borne-off)")).events
    reading = Reading(told, ((1, 1),) * len(told), ())
    assert [p.what for p in check(reading)] == ["White has not borne off all"]


def test_a_wrong_score_is_told() -> None:
    start = Started(1, "A", "B", read("W:W1:B18x15:O14-0"))
    end = Turn(1, "w", (6, 5), read("B:W:B18x15:O15-0"), ((1, 0),))
    header = Header(("A", "B"))
    right = (header, start, end, Ended("w", "mars"), Scored((2, 0)))
    assert check(Reading(right, ((1, 1),) * 5, ())) == ()
    wrong = (header, start, end, Ended("w", "oin"), Scored((2, 0)))
    whats = [p.what for p in check(Reading(wrong, ((1, 1),) * 5, ()))]
    assert whats == ["told as oin", "score 2-0"]


# ---------------------------------------------------------------- anything at all

LINES = record.write(events(played(3, 8)))
TEXTS = [LINES, SHEET]


@settings(PATIENT, max_examples=300)
@given(st.sampled_from(TEXTS), st.integers(0, 5000), st.binary(max_size=6), st.integers(0, 9))
def test_a_broken_record_never_breaks_the_reader(
    written: str, at: int, junk: bytes, cut: int
) -> None:
    data = written.encode()
    data = data[: at % len(data)] + junk + data[at % len(data) + cut :]
    for reading in (record.read(data), sheet_in.read(data)):
        assert len(reading.events) == len(reading.places)
        for problem in reading.problems:
            assert problem.line >= 1
            assert problem.column >= 1
        check(reading)
        assert record.read(record.write(reading.events)).events == reading.events
        sheet.write(reading.events)


@PATIENT
@given(st.text(st.characters(codec=None)) | st.binary())
def test_any_text_has_a_reading(written: str | bytes) -> None:
    for reading in (record.read(written), sheet_in.read(written)):
        assert len(reading.events) == len(reading.places)


def test_start_is_the_start() -> None:
    assert Started(1).position == START
