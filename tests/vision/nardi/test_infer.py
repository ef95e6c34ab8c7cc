"""Open-world inference of a nardi turn: legal, wrong, or which point would settle it."""

import time
from typing import Any

import pytest

from rules.nardi.board import START, Position
from rules.nardi.deeds import deeds
from rules.nardi.dice import Roll
from rules.nardi.game import NardiGame
from rules.nardi.moves import legal
from vision.nardi.evidence import Evidence, evidence_of, lies, point_under
from vision.nardi.fake import FakeEyes
from vision.nardi.freely import free_reading
from vision.nardi.infer import Played, Seen, Unsure, Wrong, infer
from vision.nardi.steady import fuse

GAME = NardiGame()
MIDDLE = "W:W24x9,13,11,10,9,8,6:B12x10,7,5,3,2,1:O0-0"
#: Where most can be played: checkers apart, a one to be played four times.
MOST = "W:W24x4,22,20,19,17,16,15,13,11,10,8,6:B12x15:O0-0"


def seen(position: Position | str, seed: int = 3, **errors: Any) -> Evidence:
    board = GAME.read_board(position) if isinstance(position, str) else position
    eyes = FakeEyes(seed=seed, **errors.pop("eyes", {}))
    return evidence_of(fuse(tuple(eyes.see(board, **errors) for _ in range(3)), 0), 0)


@pytest.mark.parametrize("dice", ["6-5", "3-1", "4-4", "6-6", "1-1"])
def test_every_legal_end_of_the_first_roll_is_read_though_heads_are_piles(dice: str) -> None:
    roll = Roll.read(dice, first=True)
    for move in legal(START, roll):
        reading = infer(seen(move.after), START, roll)
        assert isinstance(reading, Seen)
        assert reading.deed == Played(move.text, move.after)


def test_named_wrong_turns_are_accused_by_the_judges_code() -> None:
    position, roll = GAME.read(MIDDLE), Roll((6, 1))
    told: dict[str, int] = {}
    for deed in list(deeds(position, roll))[::7]:
        reading = infer(seen(deed.after(position)), position, roll)
        assert not (isinstance(reading, Seen) and isinstance(reading.deed, Played)), deed
        if isinstance(reading, Seen):
            assert isinstance(reading.deed, Wrong)
            told[deed.code] = told.get(deed.code, 0) + 1
    assert {"M1", "M2", "M6", "P5"} <= told.keys()


def test_a_point_that_is_hidden_leaves_the_ends_open_and_is_asked_for() -> None:
    position, roll = GAME.read("W:W6x3,5x2,4:B13x15:O9-0"), Roll((2, 1))
    ends = {move.text: move.after for move in legal(position, roll)}
    reading = infer(seen(ends["6/4 5/4"], dim=(6, 5, 4, 3, 2)), position, roll)
    assert isinstance(reading, Unsure)
    assert len(reading.likely) > 1
    assert reading.question is not None
    assert reading.question.side == "w"
    assert reading.question.point in reading.points


def test_an_answer_settles_it() -> None:
    position, roll = GAME.read("W:W6x3,5x2,4:B13x15:O9-0"), Roll((2, 1))
    after = next(m.after for m in legal(position, roll) if m.text == "6/4 5/4")
    evidence = seen(after, dim=(6, 5, 4, 3, 2))
    told = evidence.answered([(p, "w", after.count("w", p)) for p in (6, 5, 4)])
    reading = infer(told, position, roll)
    assert isinstance(reading, Seen)
    assert reading.deed.after == after


def test_the_other_side_may_have_begun() -> None:
    moved = GAME.read("W:W24x14,13:B12x14,9:O0-0")
    roll = Roll((6, 5), True)
    assert not _plays(infer(seen(moved), START, roll))
    assert _plays(infer(seen(moved), START, roll, moved_on=True))


def _plays(reading: object) -> bool:
    return isinstance(reading, Seen) and isinstance(reading.deed, Played)


@pytest.mark.parametrize("count", range(6, 15))
def test_how_tall_a_stack_looks_accuses_nobody(count: int) -> None:
    # the head reads surely as another number than it is
    after = GAME.read("B:W24x14,13:B12x15:O0-0")
    eyes = {"blur": 0.05, "taller": 0.0}
    reading = infer(seen(after, misread={24: (count, 0)}, eyes=eyes), START, Roll((6, 5), True))
    assert not (isinstance(reading, Seen) and isinstance(reading.deed, Wrong))


def test_a_checker_on_no_point_accuses_nobody() -> None:
    wrong = "B:W24x14,18:B12x15:O0-0"
    roll = Roll((6, 5), True)
    assert isinstance(infer(seen(wrong), START, roll), Seen)
    reading = infer(seen(wrong, loose=((0.5, 0.5),)), START, roll)
    assert not (isinstance(reading, Seen) and isinstance(reading.deed, Wrong))


def test_fifteen_checkers_settle_what_can_not_be_counted() -> None:
    evidence = seen("W:W24x12,18,13,7:B12x15:O0-0", dim=(24,))
    free = free_reading(evidence.side("w"), evidence.off_of("w"), START.white, 0, 24)
    assert free.counts[23] == 12
    assert free.off == 0


def test_margins_are_those_of_a_search() -> None:
    evidence = seen("W:W24x12,18,13,7:B12x15:O0-0", seed=9)
    costs = evidence.side("w")
    free = free_reading(costs, evidence.off_of("w"), START.white, 0)
    other = costs.copy()
    other[17, free.counts[17]] += 1000
    without = free_reading(other, evidence.off_of("w"), START.white, 0)
    changed = [sum(a != b for a, b in zip(f.counts, START.white, strict=True))
               for f in (free, without)]  # fmt: skip
    # half a nat for each change of a count, and for checkers borne off
    extra = 4 * (changed[1] - changed[0])
    assert free.margins[17] == without.cost - free.cost + extra


@pytest.mark.parametrize("way", [0, 1])
def test_how_the_board_lies_is_found_by_the_heads(way: int) -> None:
    scene = fuse((FakeEyes(way=way).see(START),), 0)
    found = lies(scene)
    assert (found.way, found.wrong) == (way, ())


def test_places_lie_over_points() -> None:
    assert point_under(0.01, 0.1) == 0
    assert point_under(0.99, 0.9) == 23
    assert point_under(0.5, 0.5) is None
    assert point_under(1.2, 0.2) is None


@pytest.mark.parametrize(("fen", "dice"), [("W:W24x15:B12x15:O0-0", "6-6"), (MOST, "1-1")])
def test_fifty_milliseconds_are_enough(fen: str, dice: str) -> None:
    position, roll = GAME.read(fen), Roll.read(dice, first=fen.startswith("W:W24x15"))
    after = legal(position, roll)[-1].after
    evidence = seen(after)
    infer(evidence, position, roll)
    begun = time.thread_time()
    for _ in range(5):
        infer(evidence, position, roll)
    assert (time.thread_time() - begun) / 5 < 0.050
