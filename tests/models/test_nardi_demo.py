"""The drawn nardi game of the demo: its story is right, and its pictures are drawn."""

import numpy as np

from models.synth.nardi_demo import PICTURE, WRONG_AT, counts_of, frames, lying, story
from models.synth.nardi_style import sample_nardi_style
from rules.nardi.board import START
from rules.nardi.dice import Roll
from rules.nardi.judge import judge
from rules.verdict import Legal, Offence


def test_every_turn_of_the_story_is_what_it_is_called() -> None:
    pages, told = story(6, np.random.default_rng([7, 1]))
    boards = [START]
    for page in pages:
        if page.position != boards[-1]:
            boards.append(page.position)
    turns = [row for row in told if "verdict" in row]
    assert sum(row["verdict"] == "offence" for row in turns) == 1
    assert turns[WRONG_AT]["code"] == "M6"
    before, first = START, {"w", "b"}
    for row, after in zip(turns, boards[1:], strict=True):
        dice = row.get("dice") or turns[WRONG_AT + 1]["dice"]
        verdict = judge(before, after, Roll((dice[0], dice[1]), before.side in first))
        if row["verdict"] == "offence":
            assert isinstance(verdict, Offence)
            assert verdict.code == row["code"]
            continue
        assert isinstance(verdict, Legal)
        assert verdict.move == row["move"]
        first.discard(before.side)
        before = after


def test_heads_lie_where_white_sees_them() -> None:
    counts = counts_of(START)
    assert counts[11] == 15
    assert counts[12] == -15
    assert sum(map(abs, counts)) == 30


def test_checkers_that_nobody_touched_lie_as_they_lay() -> None:
    style = sample_nardi_style(np.random.default_rng(7), "train")
    pages, _ = story(2, np.random.default_rng([7, 1]))
    one, two = (set(lying(style, counts_of(page.position), 7)) for page in (pages[0], pages[-1]))
    black = {checker for checker in one if checker.side == 1 and checker.point == 12}
    left = {checker for checker in two if checker.side == 1 and checker.point == 12}
    assert len(one) == len(two) == 30
    assert len(black) == 15
    assert len(left) < 15


def test_a_picture_is_drawn() -> None:
    pages, _ = story(1, np.random.default_rng([7, 1]))
    image = next(frames(pages[4:], 7))
    assert image.shape == (PICTURE[1], PICTURE[0], 3)
    assert image.std() > 10
