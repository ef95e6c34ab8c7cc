"""The facts in which the draughts games differ.  Each game is one file in ``variants``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from .geometry import Board
from .position import Side

#: What is compared between captures, the first that differs decides.
Criterion = Literal["most-pieces", "with-king", "most-kings", "kings-first"]


@dataclass(frozen=True, slots=True)
class Variant:
    """One game's rules as data.

    Attributes:
        name: the name on the command line.
        title: the name for people.
        board: its board.
        rows_of_men: rows that each side fills at the start.
        first: who moves first.
        men_capture_backward: men capture in all four directions, not only forward.
        men_capture_kings: a man may take a king.
        kings_fly: a king goes and captures over any distance.
        king_must_go_on: of the squares behind a piece taken, a flying king chooses one from
            which the capture continues, if there is one.
        crowned_in_passing: a man that touches the last row during a capture goes on as a king.
        precedence: which captures must be chosen; empty when the choice is free.
        blocked_wins: the side that has no piece or no move wins instead of losing.
        algebraic: squares are written a1, c3 rather than 21, 22.
        separator: stands between the squares of a capture in writing.
        game_type: value of the PDN tag ``GameType``.
        points: how PDN writes a result: 2-0, 1-1, 0-2 or 1-0, 1/2-1/2, 0-1.
        draws: profile -> ids of the draw rules in force, rows of `draws`.
        articles: code of an offence (``O6``), or code and form where a form has an article of its
            own (``O8b with-king``) -> article of the rulebook as players know it.
        tag: value of the PDN tag ``Variant`` where ``GameType`` does not name the game.
    """

    name: str
    title: str
    board: Board
    rows_of_men: int
    first: Side
    men_capture_backward: bool
    men_capture_kings: bool
    kings_fly: bool
    king_must_go_on: bool
    crowned_in_passing: bool
    precedence: tuple[Criterion, ...]
    blocked_wins: bool
    algebraic: bool
    separator: Literal["x", ":"]
    game_type: str
    points: Literal["2-1-0", "1-1/2-0"]
    draws: Mapping[str, tuple[str, ...]] = field(compare=False, repr=False)
    articles: Mapping[str, str] = field(compare=False, repr=False)
    tag: str = ""

    @property
    def men(self) -> int:
        """How many men each side begins with; more pieces than that can't be."""
        return self.rows_of_men * self.board.size // 2

    def last_row(self, side: Side) -> int:
        """Bitboard of the row on which a man of ``side`` is crowned."""
        row = 0 if side == "w" else self.board.size - 1
        return self.board.rows(row, row)
