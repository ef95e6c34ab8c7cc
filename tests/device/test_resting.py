"""A board that nobody touches fills no disk, and is watched again as soon as somebody does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from device.app import Watch
from device.journal import inputs, read
from device.resting import REST_NS, SELDOM_NS, Rest
from device.session import begin
from device.session_state import Phase
from device.session_values import Setup
from device.signals import NoSignaller
from rules.draughts.position import Position
from vision.fake import FakeEyes
from vision.frame import Frame
from vision.percept import Percept

FRAME_NS = 200_000_000


class Table:
    """Eyes that see one board, with a hand when told."""

    def __init__(self) -> None:
        game = begin(Setup("russian")).game
        self.eyes = FakeEyes(game.board)
        self.board = Position.of({}, "w")
        self.hand = False

    def see(self, frame: Frame) -> Percept:
        motion, covered = (0.3, range(1, 8)) if self.hand else (0.0, range(0))
        return self.eyes.see(self.board, frame.at_ns, motion=motion, covered=covered)

    def learn(self, grid: tuple[str, ...]) -> None:
        pass


@pytest.mark.parametrize(("settled", "kept"), [(False, 150 + 18 + 150), (True, 750)])
def test_the_journal_of_a_board_at_rest_hardly_grows(
    tmp_path: Path, settled: bool, kept: int
) -> None:
    table, image = Table(), np.zeros((8, 8, 3), np.uint8)
    setup = Setup("russian", settled=settled)
    run = Watch(setup, table, NoSignaller(), tmp_path, lambda event: None, {}, {})
    for number in range(750):  # two and a half minutes
        table.hand = 600 <= number < 650
        run.look(Frame(image, number=number, at_ns=number * FRAME_NS))
    run.close()
    past = read(tmp_path / "journal.jsonl")
    rows = [given for _, given, _ in inputs(past) if given["is"] == "percept"]
    times = [row["at_ns"] // FRAME_NS for row in rows]
    assert len(times) == pytest.approx(kept, abs=1)
    # all of the first half minute, one in five seconds of the next one and a half, all from the
    # hand on
    assert set(range(150)) <= set(times)
    assert set(range(600, 750)) <= set(times)


@pytest.mark.parametrize("phase", ["playing", "offence", "taking-back"])
def test_nothing_of_a_game_is_left_out(phase: Phase) -> None:
    rest, percept = Rest(), FakeEyes(begin(Setup("russian")).game.board).see(Position.of({}, "w"))
    for number in range(400):
        assert not rest.dull(replace(percept, at_ns=number * FRAME_NS), phase)


def test_a_board_at_rest_is_still_looked_at_now_and_then() -> None:
    rest, percept = Rest(), FakeEyes(begin(Setup("russian")).game.board).see(Position.of({}, "w"))
    kept = [t for t in range(600) if not rest.dull(replace(percept, at_ns=t * FRAME_NS), "over")]
    later = np.diff([t * FRAME_NS for t in kept if t * FRAME_NS > REST_NS])
    assert len(later) > 10
    assert (later == SELDOM_NS).all()
