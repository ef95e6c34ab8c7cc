"""A board turned round with its colours changed plays the same game."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.draughts.game import NAMES, DraughtsGame
from rules.draughts.position import Move, Position, other
from rules.verdict import Offence


def turned(game: DraughtsGame, position: Position) -> Position:
    """The board as the other player sees it, with his colour for mine."""
    last = game.board.count + 1
    pieces = {last - n: piece.translate(SWAPPED) for n, piece in position.pieces().items()}
    return Position.of(pieces, other(position.side))


SWAPPED = str.maketrans("wWbB", "bBwW")


def as_key(game: DraughtsGame, move: Move, turn: bool) -> tuple[int, int, frozenset[int], bool]:
    """A move without its route, on the turned board if asked."""
    last = game.board.count + 1

    def seen(square: int) -> int:
        return last - square if turn else square

    return seen(move.frm), seen(move.to), frozenset(map(seen, move.taken)), move.crowned


@st.composite
def boards(draw: st.DrawFn, name: str) -> Position:
    """Any board without men on their own last row."""
    game = DraughtsGame.by_name(name)
    squares = st.integers(1, game.board.count)
    pieces = draw(st.dictionaries(squares, st.sampled_from("wwWbbB"), max_size=24))
    for square, piece in pieces.items():
        if piece in "wb" and game.variant.last_row("w" if piece == "w" else "b") >> square - 1 & 1:
            pieces[square] = piece.upper()
    return Position.of(pieces, draw(st.sampled_from("wb")))


def test_turning_by_hand() -> None:
    game = DraughtsGame.by_name("italian")
    assert turned(game, game.read("W:W21,K2:B5")) == game.read("B:BK31,12:W28")
    start = game.start()
    assert turned(game, start) == start.with_side("b")


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_a_turned_board_has_the_turned_moves(name: str, data: st.DataObject) -> None:
    game = DraughtsGame.by_name(name)
    position = data.draw(boards(name))
    mirror = turned(game, position)
    moves, mirrored = game.moves(position), game.moves(mirror)
    assert {as_key(game, m, True) for m in moves} == {as_key(game, m, False) for m in mirrored}
    assert {turned(game, m.after) for m in moves} == {m.after for m in mirrored}
    assert game.perft(position, 2) == game.perft(mirror, 2)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_counting_is_listing(name: str, data: st.DataObject) -> None:
    game = DraughtsGame.by_name(name)
    position = data.draw(boards(name))
    moves = game.moves(position)
    assert game.perft(position, 1) == len(moves)
    assert game.perft(position, 2) == sum(len(game.moves(move.after)) for move in moves)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_turned_deed_is_the_same_offence(name: str, data: st.DataObject) -> None:
    game = DraughtsGame.by_name(name)
    position = data.draw(boards(name))
    deeds = list(game.deeds(position))
    if not deeds:
        return
    deed = data.draw(st.sampled_from(deeds))
    after = Position.of(position.pieces() | dict(deed.changes), position.side)
    verdict = game.judge(turned(game, position), turned(game, after))
    assert isinstance(verdict, Offence)
    assert verdict.code == deed.code


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_move_keeps_the_counts(name: str, data: st.DataObject) -> None:
    game = DraughtsGame.by_name(name)
    position = data.draw(boards(name))
    own, foe = ("white", "black") if position.side == "w" else ("black", "white")
    for move in game.moves(position):
        assert getattr(move.after, own).bit_count() == getattr(position, own).bit_count()
        lost = getattr(position, foe).bit_count() - getattr(move.after, foe).bit_count()
        assert lost == len(move.taken) == len(set(move.taken))
        assert move.after.side != position.side
        assert (move.path[0], move.path[-1]) == (move.frm, move.to)
        assert len(move.path) == max(len(move.taken), 1) + 1
