"""Whole games played at random: every move told, nothing invented."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from rules.draughts.game import DraughtsGame
from rules.draughts.position import Position

GAMES = ("italian", "russian", "international", "english", "giveaway")


def random_game(name: str, seed: int, plies: int = 120) -> tuple[list[str], list[Position]]:
    """Texts and positions of a game at random, longer captures and kings included."""
    game, rng = DraughtsGame.by_name(name), random.Random(seed)
    position = game.start()
    texts: list[str] = []
    positions: list[Position] = []
    while len(texts) < plies and (moves := game.moves(position)):
        move = rng.choice(moves)
        texts.append(game.text(position, move))
        position = move.after
        positions.append(position)
    return texts, positions


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_a_game_of_settled_pictures(name: str, seed: int, table: Callable[..., Any]) -> None:
    texts, positions = random_game(name, seed)
    board = table(name, turns=seed, eyes={"seed": seed})
    board.show(board.game.start())
    for position in positions:
        board.show(position)
    told = [e["text"] for e in board.events() if e["event"] == "move"]
    assert told == texts
    assert [e for e in board.events() if e["event"] in ("offence", "unsure", "takeback")] == []


@pytest.mark.parametrize("name", GAMES)
def test_a_game_before_a_running_camera(name: str, table: Callable[..., Any]) -> None:
    texts, positions = random_game(name, 7, plies=60)
    board = table(name, settled=False, turns=1, eyes={"surety": 7.0, "spread": 1.3})
    before = board.game.start()
    board.show(before, 2)
    for position in positions:
        board.hand(before)
        board.show(position, 1)
        before = position
    told = [e["text"] for e in board.events() if e["event"] == "move"]
    assert told == texts
    assert [e for e in board.events() if e["event"] in ("offence", "takeback")] == []


def test_kings_that_can_not_be_told_from_men_are_carried_by_the_rules(
    table: Callable[..., Any],
) -> None:
    texts, positions = random_game("russian", 11)
    board = table("russian", eyes={"kings_show": False})
    board.show(board.game.start())
    for position in positions:
        board.show(position)
    assert [e["text"] for e in board.events() if e["event"] == "move"] == texts
    assert [e for e in board.events() if e["event"] == "offence"] == []
