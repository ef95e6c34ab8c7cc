"""A game of Long Nardi and a series: who begins, whose first turn it is, what stands, who won."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.match import Refused
from rules.nardi.board import START, Position
from rules.nardi.dice import Roll
from rules.nardi.fen import read
from rules.nardi.match import (
    Result,
    Series,
    State,
    accept,
    concede,
    count_game,
    demand,
    end_turn,
    judge_claim,
    open_series,
    take_back,
    throw,
)
from rules.verdict import Legal, Offence

WRONG = "B:W24x13,19,18:B12x15:O0-0"
RIGHT = "B:W24x14,13:B12x15:O0-0"


def thrown(state: State, dice: tuple[int, int]) -> State:
    after = throw(state, dice)
    assert isinstance(after, State), after
    return after


def ended(state: State, fen: str) -> State:
    answer = end_turn(state, read(fen))
    assert not isinstance(answer, Refused), answer
    return answer[0]


def refused(answer: object) -> Refused:
    assert isinstance(answer, Refused), answer
    return answer


def test_a_right_turn_hands_the_board_over() -> None:
    state = ended(thrown(State(), (6, 5)), RIGHT)
    assert state.position == read(RIGHT)
    assert state.pending is None
    assert state.roll is None
    assert isinstance(state.turns[0].verdict, Legal)


def test_3_1_the_first_turn_of_each_side() -> None:
    state = thrown(State(), (6, 6))
    assert state.roll == Roll((6, 6), first=True)
    state = thrown(ended(state, "B:W24x13,18x2:B12x15:O0-0"), (6, 6))
    assert state.roll == Roll((6, 6), first=True)
    state = ended(state, "W:W24x13,18x2:B12x13,6x2:O0-0")
    assert thrown(state, (6, 6)).roll == Roll((6, 6), first=False)


def test_a_game_from_a_later_position_has_no_first_turn() -> None:
    state = State(position=read("W:W24x13,18x2:B12x15:O0-0"))
    assert thrown(state, (6, 6)).roll == Roll((6, 6), first=False)


def test_3_3_an_accepted_wrong_turn_stands() -> None:
    state = ended(thrown(State(), (6, 5)), WRONG)
    assert state.pending
    assert state.position == START
    taken = accept(state)
    assert isinstance(taken, State)
    assert taken.position == read(WRONG)
    assert taken.turns[0].resolved == "accepted"
    assert taken.position.side == "b"


def test_3_3_throwing_accepts() -> None:
    state = thrown(ended(thrown(State(), (6, 5)), WRONG), (2, 1))
    assert state.position == read(WRONG)
    assert state.turns[0].resolved == "accepted"
    assert state.roll == Roll((2, 1), first=True)


def test_3_3_a_demanded_turn_is_played_again_with_the_same_dice() -> None:
    state = demand(ended(thrown(State(), (6, 5)), WRONG))
    assert isinstance(state, State)
    assert state.position == START
    assert state.roll == Roll((6, 5), first=True)
    assert state.first
    state = ended(state, RIGHT)
    assert [turn.resolved for turn in state.turns] == ["corrected", ""]
    assert [turn.stands for turn in state.turns] == [False, True]
    assert state.number == 1


def test_3_3_putting_it_right_is_a_correction() -> None:
    state = ended(ended(thrown(State(), (6, 5)), WRONG), RIGHT)
    assert state.position == read(RIGHT)
    assert [turn.resolved for turn in state.turns] == ["corrected", ""]


def test_an_accepted_block_is_not_the_next_turns_offence() -> None:
    before = read("W:W24x8,13,11,10,9,8,7x2:B12x15:O0-0")
    wrong = "B:W24x7,18,13,11,10,9,8,7,6:B12x15:O0-0"
    state = accept(ended(thrown(State(position=before), (6, 1)), wrong))
    assert isinstance(state, State)
    state = ended(thrown(state, (6, 5)), wrong.replace("B:", "W:", 1))
    assert isinstance(state.turns[-1].verdict, Legal)  # black is locked and passes
    state = ended(thrown(state, (2, 1)), "B:W24x6,22,17,13,11,10,9,8,7,6:B12x15:O0-0")
    assert isinstance(state.turns[-1].verdict, Legal)


@pytest.mark.parametrize(
    "after",
    [
        "B:W24x13,18,12:B12x15:O0-0",
        "B:W24x14,13:B12x14:O0-0",
        "B:W24x14:B12x15:O0-0",
    ],
)
def test_what_is_no_position_cant_be_accepted(after: str) -> None:
    state = ended(thrown(State(), (6, 6)), after)
    assert "can't stand" in refused(accept(state)).what
    assert "can't stand" in refused(throw(state, (2, 1))).what
    assert isinstance(demand(state), State)


def test_a_pass_is_a_turn() -> None:
    state = State(position=read("B:W11x3,10x3,6x9:B12x15:O0-0"))
    state = ended(thrown(state, (2, 1)), "W:W11x3,10x3,6x9:B12x15:O0-0")
    assert state.turns[0].verdict == Legal("pass", state.position)
    assert state.position.side == "w"


def test_what_can_not_be_done_now_is_refused() -> None:
    assert refused(end_turn(State(), START)).article == "Long Nardi §1.5"
    assert refused(throw(thrown(State(), (6, 5)), (6, 5))).article == "Long Nardi §1.7"
    assert refused(accept(State())).article == "Long Nardi §3.3"
    assert refused(demand(State())).article == "Long Nardi §3.3"
    assert refused(take_back(State())).what == "no turn was played"


LAST = read("W:W1:B18x10:O14-5")


def test_2_1_the_fifteenth_checker_ends_the_game() -> None:
    state = ended(thrown(State(position=LAST), (6, 5)), "B:W:B18x10:O15-5")
    assert state.result == Result("w", "oin", "borne-off")
    assert refused(throw(state, (6, 5))).what == "the game is over"
    assert refused(end_turn(state, LAST)).what == "the game is over"
    assert refused(concede(state, "w", "resigned")).what == "the game is over"


@pytest.mark.parametrize(
    ("before", "after", "win", "points"),
    [
        ("W:W1:B18x14:O14-1", "B:W:B18x14:O15-1", "oin", 1),
        ("W:W1:B18x15:O14-0", "B:W:B18x15:O15-0", "mars", 2),
        ("B:W3x14:B13:O1-14", "W:W3x14:B:O1-15", "oin", 1),
        ("B:W24x15:B13:O0-14", "W:W24x15:B:O0-15", "mars", 2),
    ],
    ids=["4.1-white", "4.2-white", "4.1-black", "4.2-black"],
)
def test_oin_and_mars(before: str, after: str, win: str, points: int) -> None:
    state = ended(thrown(State(position=read(before)), (6, 5)), after)
    assert state.result
    assert (state.result.win, state.result.points) == (win, points)


def test_4_a_wrong_claim_is_told() -> None:
    result = Result("w", "oin", "borne-off")
    assert judge_claim(result, "oin") is None
    told = judge_claim(result, "mars")
    assert isinstance(told, Offence)
    assert (told.code, told.article) == ("E1", "Long Nardi §4.1; §4.2")
    assert len(told.short) <= 60


def test_a_game_that_is_given_up() -> None:
    state = concede(thrown(State(), (6, 5)), "b", "resigned")
    assert isinstance(state, State)
    assert state.result == Result("w", "mars", "resigned")
    agreed = concede(State(), "b", "arbiter", "oin")
    assert isinstance(agreed, State)
    assert agreed.result == Result("w", "oin", "arbiter")


def test_a_turn_is_taken_back() -> None:
    state = ended(thrown(State(), (6, 5)), RIGHT)
    back = take_back(state)
    assert isinstance(back, State)
    assert back == thrown(State(), (6, 5))
    pending = ended(thrown(State(), (6, 5)), WRONG)
    assert take_back(pending) == thrown(State(), (6, 5))


# ---------------------------------------------------------------- series

OIN, MARS = Result("w", "oin", "borne-off"), Result("b", "mars", "borne-off")


def series(one: int = 6, two: int = 1, target: int = 0) -> Series:
    opened = open_series(Series(("A", "B"), target), one, two)
    assert isinstance(opened, Series)
    return opened


def test_1_3_the_larger_die_has_white() -> None:
    assert series(6, 1).name("w") == "A"
    assert series(2, 5).name("w") == "B"
    again = refused(open_series(Series(("A", "B")), 4, 4))
    assert (again.what, again.article) == ("both threw 4: throw again", "Long Nardi §1.3")
    assert Series(("A", "B")).name("w") == ""
    refused(open_series(series(), 6, 1))


def test_1_4_the_colours_swap_and_points_are_counted() -> None:
    after = count_game(series(), OIN)
    assert isinstance(after, Series)
    assert (after.name("w"), after.name("b")) == ("B", "A")
    assert after.score == (1, 0)
    after = count_game(after, MARS)  # A has Black and wins two
    assert isinstance(after, Series)
    assert (after.score, after.name("w")) == ((3, 0), "A")


def test_a_series_ends_at_its_target() -> None:
    after = count_game(series(target=1), OIN)
    assert isinstance(after, Series)
    assert after.winner == 0
    assert refused(count_game(after, OIN)).what == "the series is over"
    assert replace(after, target=0).winner is None
    refused(count_game(Series(("A", "B")), OIN))


def test_positions_are_values() -> None:
    state = State()
    thrown(state, (6, 5))
    assert state == State()
    assert Position("w", START.white, START.black) == START
