"""Stories of the game bench: staged boards are what they are called, and chance is repeatable."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from models.evaluate.games_acts import Carry, Sweep, Truth, Wait, grid_of
from models.evaluate.games_staged import MOST_CHANGED, SHOWN, staged_board, unlike_chain
from models.evaluate.games_story import rng_of, story
from rules.draughts.game import NAMES, DraughtsGame
from rules.draughts.position import Position, other
from rules.verdict import Offence

RUSSIAN = DraughtsGame.by_name("russian")


def truths(name: str, number: int = 0, clocked: bool = False) -> list[Truth]:
    game = DraughtsGame.by_name(name)
    acts = story(game, rng_of(5, number, 1), 40, "club", clocked)
    return [t for act in acts for t in told(act)]


def told(act: object) -> tuple[Truth, ...]:
    return act.truths if isinstance(act, Carry) else (act,) if isinstance(act, Truth) else ()


@pytest.mark.parametrize("name", NAMES)
def test_every_ply_of_a_story_is_legal_from_what_stands(name: str) -> None:
    game = DraughtsGame.by_name(name)
    line = [game.start()]
    plies = 0
    for truth in truths(name):
        if truth.kind == "ply":
            move = game.parse_move(line[-1], truth.text)
            assert game.write(move.after) == truth.fen
            line.append(move.after)
            plies += 1
        elif truth.kind == "accepted":
            line.append(game.read(truth.fen))
        elif truth.kind == "takeback":
            line.pop()
    assert plies > 20


@pytest.mark.parametrize("name", NAMES)
def test_staged_boards_are_what_they_are_called_and_no_legal_play(name: str) -> None:
    game, rng = DraughtsGame.by_name(name), np.random.default_rng(1)
    seen, codes = [game.start()], Counter[str]()
    for _ in range(40):
        wrong = staged_board(game, seen, codes, rng, (), False)
        if wrong is not None:
            codes[wrong.code] += 1
            shows(game, seen, wrong.board.with_side(other(seen[-1].side)), wrong.code)
        moves = game.moves(seen[-1])
        if not moves:
            break
        seen.append(moves[int(rng.integers(len(moves)))].after)
    assert len(codes) >= 6, codes


def shows(game: DraughtsGame, seen: list[Position], board: Position, code: str) -> None:
    before = seen[-1]
    verdict = game.judge(before, board)
    assert isinstance(verdict, Offence)
    if code != "O2":  # an opponent's piece, in a pair; a second move of his, in a sequence
        assert verdict.code == code
    here, there = before.pieces(), board.pieces()
    assert sum(here.get(n) != there.get(n) for n in here.keys() | there.keys()) <= MOST_CHANGED
    if code == "O14":
        return
    one = [m.after for m in game.moves(before)]
    two = [m.after for p in one for m in game.moves(p)]
    reached = {(p.white, p.black) for p in [*seen[-7:], *one, *two]}
    assert (board.white, board.black) not in reached


def test_a_second_move_in_a_row_is_called_so_and_blamed_on_who_made_it() -> None:
    found = 0
    for number in range(12):
        rng, seen = np.random.default_rng(number), [RUSSIAN.start()]
        for _ in range(6):
            moves = RUSSIAN.moves(seen[-1])
            seen.append(moves[int(rng.integers(len(moves)))].after)
        wrong = staged_board(RUSSIAN, seen, Counter(), rng, ("O5",), True)
        if wrong is None or wrong.code != "O2":
            continue
        found += 1
        mover = other(seen[-1].side)
        assert wrong.by == mover
        again = [m.after for m in RUSSIAN.moves(seen[-1].with_side(mover))]
        assert (wrong.board.white, wrong.board.black) in [(p.white, p.black) for p in again]
    assert found


def test_no_unmarked_king_is_staged_before_the_set_has_shown_a_marked_one() -> None:
    position = RUSSIAN.read("W:Wc7,a1:Bh4,g3")
    board = staged_board(RUSSIAN, [position], Counter(), np.random.default_rng(1), ("O14",), True)
    assert board is None
    shown = RUSSIAN.read("W:Wc7,a1,Ke1:Bh4,g3")
    for plies, code in ((SHOWN - 1, None), (SHOWN, "O14")):
        seen = [*[shown] * plies, position]
        board = staged_board(RUSSIAN, seen, Counter(), np.random.default_rng(1), ("O14",), True)
        assert (board and board.code) == code


def test_the_same_number_gives_the_same_story_and_another_one_another() -> None:
    assert truths("italian") == truths("italian")
    assert truths("italian") != truths("italian", number=5)


def test_two_ways_to_a_board_are_no_chain_to_be_judged_by() -> None:
    position = RUSSIAN.start()
    first = RUSSIAN.parse_move(position, "c3-d4")
    second = RUSSIAN.parse_move(first.after, "b6-a5")
    third = RUSSIAN.parse_move(second.after, "g3-h4")
    assert unlike_chain(RUSSIAN, position, [first, second])
    assert not unlike_chain(RUSSIAN, position, [first, second, third])


def test_a_story_ends_with_the_board_cleared_and_carries_start_from_what_stands() -> None:
    game = DraughtsGame.by_name("english")
    acts = story(game, rng_of(2, 1, 1), 30, "club", True)
    assert any(isinstance(act, Sweep) for act in acts[-3:])
    assert isinstance(acts[-1], Wait)
    grid = grid_of(game, game.start())
    for act in acts:
        if isinstance(act, Carry):
            assert act.grids[0] == grid
            grid = act.grids[-1]
