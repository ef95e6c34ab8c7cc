"""A draughts game behind the verbs that all games share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Literal

from ..errors import UnknownGame
from ..verdict import Verdict
from . import fen, notation
from .deeds import Changes, Deed, deeds, wrong_boards
from .geometry import Board
from .judge import judge
from .moves import generator
from .position import Move, Position
from .variant import Variant

NAMES = ("italian", "russian", "international", "english", "giveaway")


class DraughtsGame:
    """One draughts game; ``roll`` in the shared verbs is always None here."""

    family: Literal["draughts"] = "draughts"

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.name = variant.name
        self.generator = generator(variant)

    @classmethod
    def by_name(cls, name: str) -> DraughtsGame:
        """The game of that name.

        Raises:
            UnknownGame: there is none.
        """
        if name not in NAMES:
            raise UnknownGame(f"no game {name!r}", "", f"one of {', '.join(NAMES)}")
        variant: Variant = import_module(f".variants.{name}", __package__).VARIANT
        return cls(variant)

    @property
    def board(self) -> Board:
        """Its board."""
        return self.variant.board

    def start(self) -> Position:
        """The position before the first move."""
        size, rows = self.board.size, self.variant.rows_of_men
        white, black = self.board.rows(size - rows, size - 1), self.board.rows(0, rows - 1)
        return Position(self.variant.first, white, 0, black, 0)

    def read(self, text: str) -> Position:
        """A position a game can have; see `fen.read`."""
        return fen.read(self.variant, text)

    def read_setup(self, text: str) -> Position:
        """A position set up by hand, with any number of pieces; see `fen.read_setup`."""
        return fen.read_setup(self.variant, text)

    def read_board(self, text: str) -> Position:
        """A board as it stands, lawful or not; see `fen.read_board`."""
        return fen.read_board(self.variant, text)

    def write(self, position: Position) -> str:
        """The written form of a position."""
        return fen.write(self.variant, position)

    def moves(self, position: Position, roll: None = None) -> Sequence[Move]:
        """The legal moves, one for each (from, to, set taken)."""
        return self.generator.moves(position)

    def text(self, position: Position, move: Move, roll: None = None) -> str:
        """PDN text of a legal move: short unless another move shares from and to."""
        return notation.text_of(self.variant, self.moves(position), move)

    def parse_move(self, position: Position, text: str) -> Move:
        """The legal move that a text means; see `notation.parse`."""
        return notation.parse(self.generator, position, text)

    def judge(self, before: Position, after: Position, roll: None = None) -> Verdict[Position]:
        """What the deed between two boards was; see `judge.judge`."""
        return judge(self.generator, before, after)

    def deeds(self, position: Position, roll: None = None) -> Iterator[Deed]:
        """The wrong deeds that people do in a position; see `deeds.deeds`."""
        return deeds(self.generator, position)

    def wrong_boards(self, position: Position) -> Iterator[Changes]:
        """The boards that those leave, without their names; see `deeds.wrong_boards`."""
        return wrong_boards(self.generator, position)

    def name_of(self, square: int) -> str:
        """A square as the game writes it: ``c3`` or ``22``."""
        return notation.name_of(self.variant, square)

    def square(self, text: str) -> int:
        """The square of a number or name; 0 if there is none."""
        return fen.square_of(self.variant, text)

    def perft(self, position: Position, depth: int) -> int:
        """Leaves of the tree of legal moves at a depth."""
        return self.generator.perft(position, depth)
