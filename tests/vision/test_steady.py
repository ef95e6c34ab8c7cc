from dataclasses import replace

import numpy as np
import pytest

from rules.draughts.geometry import Board
from rules.draughts.position import Position
from vision.fake import FakeEyes
from vision.percept import Percept
from vision.steady import FLOOR, RUNNING, SETTLED, Scene, Steady, fuse, observe

BOARD = Board(8)
HERE = Position.of({22: "w", 11: "b"}, "w")
MOVED = Position.of({18: "w", 11: "b"}, "w")
TENTH = 100_000_000


def run(percepts: list[Percept]) -> list[Scene | None]:
    steady, scenes = Steady(), []
    for percept in percepts:
        steady, scene = observe(steady, percept, RUNNING)
        scenes.append(scene)
    return scenes


def at(percept: Percept, tenths: int) -> Percept:
    return replace(percept, at_ns=tenths * TENTH)


def test_fifty_equal_percepts_say_no_more_than_three() -> None:
    percept = FakeEyes(BOARD).see(HERE)
    three, fifty = fuse((percept,) * 3, 0), fuse((percept,) * 50, 0)
    assert three.costs == fifty.costs
    assert max(three.costs) <= FLOOR


def test_a_class_is_ruled_out_only_when_all_percepts_but_one_rule_it_out() -> None:
    eyes = FakeEyes(BOARD, spread=0.0)
    right, wrong = eyes.see(HERE), eyes.see(HERE, misread={18: "b"})
    cell = BOARD.cell(18)
    once = fuse((right, right, wrong, right), 0).grid()[cell]
    assert once[0] == 0
    assert once[3] == FLOOR
    twice = fuse((right, wrong, wrong, right), 0).grid()[cell]
    assert twice[0] == twice[3] == 0, "two against two says nothing"


def test_two_percepts_are_no_surer_than_the_less_sure_one() -> None:
    sure, unsure = FakeEyes(BOARD, surety=9.0), FakeEyes(BOARD, surety=2.0, spread=0.0)
    both = fuse((sure.see(HERE), unsure.see(HERE)), 0).grid()
    assert both[BOARD.cell(1)][1] <= 2.0 / 0.125


@pytest.mark.parametrize(
    ("tenths", "steady"),
    [
        ((0, 1), False),
        ((0, 1, 2), False),
        ((0, 2, 4), True),
        ((0, 1, 2, 3, 4), True),
    ],
    ids=["two are too few", "three too soon", "three in time", "five in time"],
)
def test_running_pictures_settle_after_three_percepts_and_a_third_of_a_second(
    tenths: tuple[int, ...], steady: bool
) -> None:
    eyes = FakeEyes(BOARD)
    assert (run([eyes.see(HERE, n * TENTH) for n in tenths])[-1] is not None) is steady


def test_a_board_that_changes_starts_a_new_scene() -> None:
    eyes = FakeEyes(BOARD)
    seen = [eyes.see(HERE, n * TENTH) for n in range(5)]
    seen += [eyes.see(MOVED, n * TENTH) for n in range(5, 10)]
    scenes = run(seen)
    assert scenes[4] is not None
    assert scenes[5:8] == [None] * 3
    last = scenes[9]
    assert last is not None
    assert last.since_ns == 5 * TENTH
    assert last.grid()[BOARD.cell(18)].argmin() == 1


def test_movement_starts_a_new_scene_though_the_squares_read_the_same() -> None:
    eyes = FakeEyes(BOARD)
    seen = [eyes.see(HERE, n * TENTH, motion=0.2 if n == 4 else 0.0) for n in range(8)]
    assert [scene is not None for scene in run(seen)] == [False] * 8


def test_noise_on_squares_that_are_hard_to_read_is_no_change() -> None:
    eyes = FakeEyes(BOARD)
    scenes = run([eyes.see(HERE, n * TENTH, dim=(18, 19)) for n in range(6)])
    assert scenes[-1] is not None


def test_covered_squares_say_nothing() -> None:
    scene = fuse((FakeEyes(BOARD).see(HERE, covered=(22, 18)),), 0)
    for square in (22, 18):
        assert not scene.grid()[BOARD.cell(square)].any()
    assert scene.grid()[BOARD.cell(11)].any()
    assert len(scene.covered) == 2


def test_a_settled_picture_is_a_scene_by_itself() -> None:
    eyes = FakeEyes(BOARD)
    steady, first = observe(Steady(), eyes.see(HERE), SETTLED)
    _, second = observe(steady, eyes.see(MOVED), SETTLED)
    assert first is not None
    assert second is not None
    assert second.grid()[BOARD.cell(22)].argmin() == 0


def test_scenes_are_whole_numbers_and_survive_json() -> None:
    percept = FakeEyes(BOARD).see(HERE, covered=(3,))
    again = Percept.from_json(percept.to_json())
    assert fuse((again,), 0) == fuse((percept,), 0)
    assert fuse((percept,), 0).grid().dtype == np.int16


def test_one_frame_misread_does_not_begin_the_scene_anew() -> None:
    eyes = FakeEyes(BOARD, seed=4)
    steady, since = Steady(), []
    for n in range(12):
        slip = {22: "b"} if n == 6 else {}
        steady, scene = observe(steady, eyes.see(HERE, n * 200_000_000, misread=slip), RUNNING)
        since += [scene.since_ns] if scene else []
    assert set(since) == {0}


def test_two_frames_that_differ_are_another_scene() -> None:
    eyes = FakeEyes(BOARD, seed=4)
    steady = Steady()
    for n in range(12):
        slip = {22: "b"} if n in (6, 7) else {}
        steady, scene = observe(steady, eyes.see(HERE, n * 200_000_000, misread=slip), RUNNING)
    assert scene is not None
    assert scene.since_ns == 8 * 200_000_000
