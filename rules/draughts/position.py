"""Positions and moves: frozen values, the same for every game on a draughts board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from ..errors import BadPosition

Side = Literal["w", "b"]


def other(side: Side) -> Side:
    """The opponent of a side."""
    return "b" if side == "w" else "w"


def squares_of(bits: int) -> Iterator[int]:
    """The squares of a bitboard, lowest first; bit n-1 is square n."""
    while bits:
        low = bits & -bits
        yield low.bit_length()
        bits ^= low


@dataclass(frozen=True, slots=True)
class Position:
    """Who is to move and what stands where, as four bitboards; bit n-1 is square n."""

    side: Side
    white_men: int
    white_kings: int
    black_men: int
    black_kings: int

    @classmethod
    def of(cls, pieces: Mapping[int, str], side: Side) -> Position:
        """Build from square -> ``w``, ``W``, ``b``, ``B`` (``.`` is skipped).

        Raises:
            BadPosition: another letter, or a square below 1.
        """
        bits = {"w": 0, "W": 0, "b": 0, "B": 0, ".": 0}
        for square, piece in pieces.items():
            if piece not in bits or square < 1:
                raise BadPosition(f"piece {piece!r}", f"square {square}", "w, W, b or B")
            bits[piece] |= 1 << square - 1
        return cls(side, bits["w"], bits["W"], bits["b"], bits["B"])

    def pieces(self) -> dict[int, str]:
        """Square -> ``w``, ``W``, ``b``, ``B``, in order of squares."""
        found = {}
        for bits, letter in (
            (self.white_men, "w"),
            (self.white_kings, "W"),
            (self.black_men, "b"),
            (self.black_kings, "B"),
        ):
            for square in squares_of(bits):
                found[square] = letter
        return dict(sorted(found.items()))

    def piece(self, square: int) -> str:
        """What stands on a square, one of ``.wWbB``."""
        bit = 1 << square - 1
        if bit & self.white_men:
            return "w"
        if bit & self.black_men:
            return "b"
        if bit & self.white_kings:
            return "W"
        return "B" if bit & self.black_kings else "."

    def with_side(self, side: Side) -> Position:
        """The same board with ``side`` to move."""
        return self if side == self.side else replace(self, side=side)

    @property
    def white(self) -> int:
        """All white pieces."""
        return self.white_men | self.white_kings

    @property
    def black(self) -> int:
        """All black pieces."""
        return self.black_men | self.black_kings


@dataclass(frozen=True, slots=True)
class Move:
    """A legal move, one for each (from, to, set taken).

    Attributes:
        frm: the square left.
        to: the square reached; equal to ``frm`` for a round trip.
        taken: squares of the captured pieces, in the order jumped.
        path: ``frm``, every landing square, ``to``; where several routes take the same pieces,
            one of them.
        crowned: True if the man became a king.
        after: the position after it, with the other side to move.
    """

    frm: int
    to: int
    taken: tuple[int, ...]
    path: tuple[int, ...]
    crowned: bool
    after: Position
