"""Which quarter turn of the camera's grid is the board as White sees it.

The first position is known, so its contents are matched against each of the four turns.  Two that
fit about as well, and none that fits, are answers of their own.  White plays the lighter pieces.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from rules.draughts.geometry import Board
from rules.draughts.position import Position

from .percept import CLASSES
from .steady import UNITS_PER_NAT, Costs, Scene, colours

#: Counter-clockwise quarter turns of the camera's grid for each edge of the picture at which
#: White may sit; corners[0] lies at the picture's top left, so 0 turns is White at the bottom.
TURNS_OF = {"bottom": 0, "left": 1, "top": 2, "right": 3}

#: The best turn must beat the next by this: two squares that are read surely.
APART = 12 * UNITS_PER_NAT

#: A square contradicts what should stand there when another content is this much likelier.
CONTRADICTS = 3 * UNITS_PER_NAT

WhiteAt = Literal["bottom", "left", "top", "right"]


@dataclass(frozen=True, slots=True)
class Oriented:
    """One turn fits, or fits best by far.

    Attributes:
        turns: counter-clockwise quarter turns (``numpy.rot90``) from camera order to the board
            with Black's side as row 0.
        margin: how much better than the next one, in units of ``STEP``.
        wrong: squares that clearly hold something else than they should.
        stray: cells (row, column as White sees them) off the playing squares on which a piece
            clearly stands.
    """

    turns: int
    margin: int
    wrong: tuple[int, ...]
    stray: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Unclear:
    """Several turns fit about equally well."""

    turns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NothingFits:
    """The board holds another position in every turn; ``nearest`` is the least bad one."""

    nearest: Oriented


Orientation = Oriented | Unclear | NothingFits


def orient(
    scene: Scene, board: Board, position: Position, turns: Iterable[int] = range(4)
) -> Orientation:
    """Match a position in the given turns.

    Args:
        scene: a steady reading in camera order.
        board: how squares lie on cells.
        position: what should stand there.
        turns: those to try; one alone, when a person said where White sits.
    """
    tried = sorted((_match(scene.grid(), board, position, turn) for turn in turns), key=_cost)
    best_cost, best = tried[0]
    margin = tried[1][0] - best_cost if len(tried) > 1 else APART
    best = Oriented(best.turns, margin, best.wrong, best.stray)
    if margin < APART:
        return Unclear(tuple(sorted(o.turns for cost, o in tried if cost - best_cost < APART)))
    # a quarter of the pieces elsewhere: this is another position, whichever way it is turned
    if len(best.wrong) * 4 > len(position.pieces()):
        return NothingFits(best)
    return best


def _cost(matched: tuple[int, Oriented]) -> tuple[int, int]:
    return matched[0], matched[1].turns


def _match(
    grid: Costs, board: Board, position: Position, turns: int
) -> tuple[int, Oriented]:
    turned = colours(np.rot90(grid, turns))
    wanted = np.zeros((board.size, board.size), np.intp)
    for square, piece in position.pieces().items():
        wanted[board.cell(square)] = colour_of(piece)
    rows, cols = np.indices(wanted.shape)
    costs = turned[rows, cols, wanted]
    off = [(int(row), int(col)) for row, col in np.argwhere(costs >= CONTRADICTS)]
    wrong = tuple(sorted(board.at(*cell) for cell in off if board.at(*cell)))
    stray = tuple(cell for cell in off if not board.at(*cell))
    return int(costs.sum()), Oriented(turns, 0, wrong, stray)


def colour_of(piece: str) -> int:
    """0 empty, 1 white, 2 black, for a letter of ``CLASSES``."""
    return (CLASSES.index(piece) + 1) // 2
