"""What happens at a table and is nobody's offence: no move, no wrong deed, so never an alarm."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from models.synth.arrays import Rng
from rules.draughts.game import DraughtsGame
from rules.draughts.position import Position, Side, other

from .games_acts import Act, Bump, Carry, Lean, Light, Shadow, Shove, Sweep, Truth, Wait, grid_of

Maker = Callable[[DraughtsGame, Position, Rng], list[Act]]


def disturbance(game: DraughtsGame, position: Position, rng: Rng) -> list[Act]:
    """One of them, by chance."""
    makers = (adjusted, knocked, leaned, gestured, lit, shaded, bumped, touched)
    shares = (0.24, 0.14, 0.14, 0.1, 0.14, 0.1, 0.08, 0.06)
    maker = makers[int(rng.choice(len(makers), p=shares))]
    return maker(game, position, rng)


def adjusted(game: DraughtsGame, position: Position, rng: Rng) -> list[Act]:
    """One to three men are pushed nearer to the middle of their squares, or a little off it."""
    acts: list[Act] = []
    squares = list(position.pieces())
    for n in rng.permutation(len(squares))[: int(rng.integers(1, 4))]:
        x, y = rng.uniform(-0.12, 0.12, 2)
        cell = game.board.cell(squares[int(n)])
        acts.append(Shove(position.side, cell, (float(x), float(y))))
    return [*acts, Wait(0.8)]


def knocked(game: DraughtsGame, position: Position, rng: Rng) -> list[Act]:
    """A man is knocked half or wholly onto a neighbouring place, seen, and put back."""
    squares = list(position.pieces())
    cell = game.board.cell(squares[int(rng.integers(len(squares)))])
    size = game.board.size
    ways = [(x, y) for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))
            if 0 <= cell[1] + x < size and 0 <= cell[0] + y < size]  # fmt: skip
    x, y = ways[int(rng.integers(len(ways)))]
    far = float(rng.uniform(0.45, 0.95))
    back = (float(rng.uniform(-0.08, 0.08)), float(rng.uniform(-0.08, 0.08)))
    hand: Side = position.side if rng.random() < 0.5 else other(position.side)
    return [
        Shove(hand, cell, (x * far, y * far), "knock"),
        Wait(float(rng.uniform(0.4, 1.6))),
        Shove(hand, cell, back, "put back after a knock"),
        Wait(0.8),
    ]


def leaned(game: DraughtsGame, position: Position, rng: Rng) -> list[Act]:
    """An arm of a player or a spectator comes over the edge, stays a while and goes."""
    size = game.board.size
    edge = ("w", "b", "left", "right")[int(rng.integers(4))]
    deep = float(rng.uniform(0.2, 1.6))
    along = float(rng.uniform(1, size - 1))
    points = {
        "w": (along, size - deep), "b": (along, deep), "left": (deep, along),
        "right": (size - deep, along),
    }  # fmt: skip
    x, y = points[edge]
    return [Lean(edge, ((x, y, 0.4),), float(rng.uniform(0.6, 2.4))), Wait(0.8)]


def gestured(game: DraughtsGame, position: Position, rng: Rng) -> list[Act]:
    """A spectator or a player points at squares and talks."""
    size = game.board.size
    edge = ("w", "b", "left", "right")[int(rng.integers(4))]
    count = int(rng.integers(2, 5))
    points = tuple(
        (float(x), float(y), float(z))
        for x, y, z in zip(
            rng.uniform(0.8, size - 0.8, count),
            rng.uniform(0.8, size - 0.8, count),
            rng.uniform(0.6, 1.6, count),
            strict=True,
        )
    )
    return [Lean(edge, points, 0.0, "talk over the board"), Wait(0.8)]


def lit(game: DraughtsGame, position: Position, rng: Rng) -> list[Act]:
    """A lamp goes on or off, or a cloud comes."""
    factor = float(np.exp(rng.choice([-1, 1]) * rng.uniform(0.15, 0.6)))
    return [Light(factor), Wait(0.9)]


def shaded(game: DraughtsGame, position: Position, rng: Rng) -> list[Act]:
    """A spectator's shadow falls over the board and goes."""
    return [Shadow(True), Wait(float(rng.uniform(0.8, 1.6))), Shadow(False), Wait(0.6)]


def bumped(game: DraughtsGame, position: Position, rng: Rng) -> list[Act]:
    """The camera or the table gets a knock."""
    return [Bump(float(rng.uniform(0.2, 1.2))), Wait(1.2)]


def touched(game: DraughtsGame, position: Position, rng: Rng) -> list[Act]:
    """A man is lifted, held over its square and put back."""
    own = [n for n, piece in position.pieces().items() if piece.lower() == position.side]
    cell = game.board.cell(own[int(rng.integers(len(own)))])
    return [Shove(position.side, cell, (0.0, 0.0), "lifted and put back"), Wait(0.8)]


# ---------------------------------------------------------------- a board that nobody plays on


def idle(game: DraughtsGame, rng: Rng, minutes: float) -> list[Act]:
    """A board in the midst of a game while people talk, lean over it and set men straight.

    Ends with the board cleared.  Nothing in it is an offence.
    """
    position, acts = game.start(), list[Act]()
    acts.append(Wait(2.6))
    acts.append(Truth("start", 0, "w", fen=game.write(position)))
    for _ in range(int(rng.integers(3, 9))):
        moves = game.moves(position)
        move = moves[int(rng.integers(len(moves)))]
        grids = (grid_of(game, position), grid_of(game, move.after))
        text, fen = game.text(position, move), game.write(move.after)
        truth = Truth("ply", 0, position.side, text=text, fen=fen)
        acts += [Carry(position.side, grids, truths=(truth,)), Wait(1.4)]
        position = move.after
    passed = 0.0
    while passed < minutes * 60:
        still = float(rng.uniform(4, 30))
        acts += [Wait(still, every=5), *disturbance(game, position, rng)]
        passed += still + 4
    acts += [Sweep(position.side), Truth("swept", 0, position.side), Wait(20, every=3)]
    return acts
