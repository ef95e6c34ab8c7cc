"""Dice at rest: each die has a row of readings of its own."""

from collections.abc import Iterable

from vision.nardi.fake import die
from vision.nardi.percept import DieSeen, NardiPercept
from vision.nardi.steady import Dice, DiceSteady, rest

FRAME_NS = 200_000_000


def looked(frames: Iterable[tuple[DieSeen, ...]]) -> list[list[int] | None]:
    """The pips at rest after each frame; None while it can't be told."""
    steady, told = DiceSteady(), list[list[int] | None]()
    for n, seen in enumerate(frames):
        percept = NardiPercept(n, n * FRAME_NS, "found", dice=seen)
        steady, at_rest = rest(steady, percept)
        told.append(pips(at_rest))
    return told


def pips(dice: Dice | None) -> list[int] | None:
    return None if dice is None else [die.pips for die in dice]


def pair(one: int, two: int, x: float = 0.2) -> tuple[DieSeen, ...]:
    """Two dice, 0 for one that can't be read in this frame."""
    return tuple(
        die(number, place, 0.3, p=0.99 if number else 0.4)
        for number, place in ((one, x), (two, x + 0.1))
    )


def test_three_equal_readings_are_a_throw_at_rest() -> None:
    assert looked([pair(6, 5)] * 4) == [None, None, [6, 5], [6, 5]]


def test_a_frame_that_can_not_read_a_die_is_no_other_reading_of_it() -> None:
    read = looked([pair(6, n) for n in (5, 0, 5, 0, 0, 5)])
    assert read[-1] == [6, 5]


def test_a_die_that_is_read_now_and_then_does_not_begin_anew_with_the_other() -> None:
    read = looked([pair(*numbers) for numbers in ((6, 0), (0, 5), (6, 5), (0, 5), (6, 0))])
    assert read[-1] == [6, 5]


def test_one_reading_among_many_that_tell_nothing_is_none_after_a_while() -> None:
    read = looked([pair(6, n) for n in (0, 5, 0, 0, 0, 0, 0, 0)])
    assert [6, 5] not in read
    assert read[-1] == [6, 0]


def test_readings_that_never_agree_are_no_reading_and_no_silence() -> None:
    read = looked([pair(6, n) for n in (5, 4) * 6])
    assert read[-1] == [6, 0]
    assert [6, 5] not in read
    assert [6, 4] not in read


def test_a_die_that_reads_otherwise_once_is_waited_for() -> None:
    read = looked([pair(6, n) for n in (5, 5, 5, 5, 4, 5, 5, 5)])
    assert read[3:] == [[6, 5], None, None, None, [6, 5]]


def test_a_die_that_was_pushed_aside_begins_anew() -> None:
    assert looked([pair(6, 5)] * 3 + [pair(6, 5, x=0.6)] * 3)[2:] == [[6, 5], None, None, [6, 5]]


def test_no_dice_for_three_frames_are_none_at_rest() -> None:
    assert looked([pair(6, 5)] * 3 + [()] * 3)[2:] == [[6, 5], None, None, []]


def test_frames_in_which_nobody_looked_say_nothing() -> None:
    steady = DiceSteady()
    for n in range(3):
        steady, at_rest = rest(steady, NardiPercept(n, n, "found", dice=pair(6, 5)))
    same, nothing = rest(steady, NardiPercept(3, 3, "found", dice=None))
    assert (pips(at_rest), same, nothing) == ([6, 5], steady, None)


def test_how_long_dice_lie_counts_from_when_they_came_to_lie_and_not_from_when_they_were_read() -> (
    None
):
    steady = DiceSteady()
    for n, number in enumerate((0, 0, 5, 5, 5), 1):
        seen = pair(6, number)
        steady, _ = rest(steady, NardiPercept(n, n * FRAME_NS, "found", dice=seen))
    assert (steady.lain_ns, steady.since_ns) == (FRAME_NS, 3 * FRAME_NS)
