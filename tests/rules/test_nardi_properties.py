"""What holds for every position of Long Nardi: symmetry, conservation, and one verdict each."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.nardi.board import CHECKERS, HEAD, POINTS, Position, Side, other, point_at
from rules.nardi.dice import Roll
from rules.nardi.facts import CLASSIC, CODES, HEAD_EXCEPTIONS, Rules
from rules.nardi.fen import read, read_line, write, write_line
from rules.nardi.game import NardiGame
from rules.nardi.notation import carried_out, difference, parse
from rules.verdict import Legal, Offence

#: A busy machine is no failure.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
GAME = NardiGame()
RULES = [
    CLASSIC,
    Rules(block_timing="end"),
    Rules(block_saved_by="home"),
    Rules(head_exception=HEAD_EXCEPTIONS["always"]),
    Rules(off_same_turn=False),
]


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Fifteen checkers a side and one colour a point; often near a home or in a row."""
    owner = draw(st.lists(st.sampled_from("wwbb."), min_size=POINTS, max_size=POINTS))
    owner[HEAD["w"] - 1] = draw(st.sampled_from("www."))
    owner[HEAD["b"] - 1] = draw(st.sampled_from("bbb."))
    counts: dict[Side, dict[int, int]] = {"w": {}, "b": {}}
    off: dict[Side, int] = {"w": 0, "b": 0}
    sides: tuple[Side, Side] = ("w", "b")
    for side in sides:
        late = draw(st.booleans())
        mine = [p for p in range(1, POINTS + 1) if owner[p - 1] == side]
        if late:
            mine = [p for p in mine if (HEAD[side] - p) % POINTS >= 16] or mine[:1]
        if not mine:
            off[side] = CHECKERS - 1
            mine = [point_at(side, 23)] if owner[point_at(side, 23) - 1] != other(side) else []
        for _ in range(CHECKERS - off[side]):
            if mine and draw(st.integers(0, 9)) < (9 if late else 10):
                point = draw(st.sampled_from(mine))
                counts[side][point] = counts[side].get(point, 0) + 1
            else:
                off[side] += 1
    side = draw(st.sampled_from(sides))
    return Position.of(counts["w"], counts["b"], (off["w"], off["b"]), side)


rolls = st.builds(Roll, st.tuples(st.integers(1, 6), st.integers(1, 6)), st.booleans())


def half_round(position: Position) -> Position:
    """The position as the other side sees it: colours swapped, points twelve on."""

    def turned(counts: tuple[int, ...]) -> tuple[int, ...]:
        return counts[POINTS // 2 :] + counts[: POINTS // 2]

    return Position(
        other(position.side),
        turned(position.black),
        turned(position.white),
        position.black_off,
        position.white_off,
    )


@PATIENT
@given(positions(), rolls, st.sampled_from(RULES))
def test_black_is_white_half_a_round_on(position: Position, roll: Roll, rules: Rules) -> None:
    game = NardiGame(rules)
    ends = {move.after for move in game.moves(position, roll)}
    mirrored = {move.after for move in game.moves(half_round(position), roll)}
    assert {half_round(after) for after in ends} == mirrored


@PATIENT
@given(positions(), rolls, st.sampled_from(RULES))
def test_a_move_keeps_the_checkers(position: Position, roll: Roll, rules: Rules) -> None:
    side = position.side
    for move in NardiGame(rules).moves(position, roll):
        assert move.after.fault() == ""
        assert move.after.side == other(side)
        assert move.after.counts(other(side)) == position.counts(other(side))
        assert sum(step.die for step in move.steps) <= sum(roll.to_play)
        assert carried_out(position, side, parse(move.text)) == move.after


@PATIENT
@given(positions(), rolls, st.sampled_from(RULES))
def test_every_move_is_judged_legal(position: Position, roll: Roll, rules: Rules) -> None:
    game = NardiGame(rules)
    for move in game.moves(position, roll)[:20]:
        verdict = game.judge(position, move.after, roll)
        assert verdict == Legal(move.text, move.after)


@settings(PATIENT, max_examples=60)
@given(positions(), rolls, st.sampled_from(RULES), st.randoms(use_true_random=False))
def test_every_deed_is_judged_by_its_name(
    position: Position, roll: Roll, rules: Rules, random: st.DataObject
) -> None:
    game = NardiGame(rules)
    deeds = list(game.deeds(position, roll))
    assert len({deed.after(position) for deed in deeds}) == len(deeds)
    for deed in random.sample(deeds, min(40, len(deeds))):  # type: ignore[attr-defined]
        verdict = game.judge(position, deed.after(position), roll)
        assert isinstance(verdict, Offence), deed
        assert verdict.code == deed.code, deed


@PATIENT
@given(positions(), positions(), rolls, st.sampled_from(RULES))
def test_any_end_has_one_verdict_that_can_be_shown(
    before: Position, after: Position, roll: Roll, rules: Rules
) -> None:
    verdict = NardiGame(rules).judge(before, after, roll)
    if isinstance(verdict, Offence):
        assert verdict.code in CODES
        assert len(verdict.short) <= 60
        assert verdict.message.endswith(".")
        assert verdict.squares
        assert roll.text in verdict.message


@PATIENT
@given(positions(), st.sampled_from(["w", "b"]), st.data())
def test_the_side_letter_of_the_end_is_ignored(
    before: Position, side: Side, data: st.DataObject
) -> None:
    roll = data.draw(rolls)
    after = data.draw(positions())
    assert GAME.judge(before, after, roll) == GAME.judge(before, after.with_side(side), roll)


counts = st.tuples(*[st.integers(0, 15)] * POINTS)
boards = st.builds(
    Position, st.sampled_from(["w", "b"]), counts, counts, st.integers(0, 15), st.integers(0, 15)
)


@PATIENT
@given(boards)
def test_a_written_board_is_read_back(board: Position) -> None:
    assert read(write(board)) == board
    assert read(f" {write(board).replace(',', ' , ').replace(':', ' : ')} . ") == board


@PATIENT
@given(boards, st.none() | rolls)
def test_a_puzzle_line_is_read_back(board: Position, roll: Roll | None) -> None:
    assert read_line(write_line(board, roll)) == (board, roll)


@PATIENT
@given(positions(), positions(), st.sampled_from(["w", "b"]))
def test_a_difference_leads_from_board_to_board(
    before: Position, after: Position, side: Side
) -> None:
    steps = difference(before, after, side)
    if steps:
        assert carried_out(before, side, steps) == after.with_side(other(side))
