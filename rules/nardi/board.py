"""The board of Long Nardi: points, the two paths, and positions with their written form.

Points are numbered 1..24.  White's head is 24, Black's 12; both sides walk to lower numbers and
Black goes from 1 on to 24 (§1.2, §1.9).  How far a point lies on a side's path is its *index*:
0 is the side's own head, 23 its last point, and 18..23 its home (§2.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from ..errors import BadPosition
from ..said import BLACK, WHITE

Side = Literal["w", "b"]

POINTS = 24
#: Checkers a side (§1.1).
CHECKERS = 15
#: The point on which all of a side's checkers start (§1.2).
HEAD: Mapping[Side, int] = {"w": 24, "b": 12}
#: The first index of the home, the last quarter of the path (§2.1).
HOME_INDEX = 18
#: The sides as people call them.
NAMES: Mapping[Side, str] = {"w": WHITE, "b": BLACK}
#: No more checkers than this on a point or in a tray can be written: more than any two sets have.
MOST_WRITTEN = 99


def other(side: Side) -> Side:
    """The opponent of a side."""
    return "b" if side == "w" else "w"


def index(side: Side, point: int) -> int:
    """How far a point lies on the side's path, 0 (own head) .. 23."""
    return (HEAD[side] - point) % POINTS


def point_at(side: Side, path_index: int) -> int:
    """The point 1..24 at an index 0..23 of the side's path."""
    return (HEAD[side] - path_index - 1) % POINTS + 1


@dataclass(frozen=True, slots=True)
class Position:
    """What stands on the board, what was borne off, and whose turn it is.

    A point may hold both colours and the sides need not have fifteen checkers: that is how a
    wrong turn can look.  `fault` says whether the rules can work with the position.

    Attributes:
        side: the side to move.
        white: White's checkers on the points 1..24, in that order.
        black: Black's likewise.
        white_off: White's checkers borne off.
        black_off: Black's likewise.

    Raises:
        BadPosition: when a list has not 24 counts, or a count is not 0..99.
    """

    side: Side
    white: tuple[int, ...]
    black: tuple[int, ...]
    white_off: int = 0
    black_off: int = 0

    def __post_init__(self) -> None:
        if len(self.white) != POINTS or len(self.black) != POINTS:
            lengths = f"{len(self.white)} and {len(self.black)} points"
            raise BadPosition(lengths, "points", f"{POINTS} counts a side")
        counts = (*self.white, *self.black, self.white_off, self.black_off)
        if min(counts) < 0 or max(counts) > MOST_WRITTEN:
            wrong = next(count for count in counts if not 0 <= count <= MOST_WRITTEN)
            raise BadPosition(f"a count of {wrong}", "points", f"0..{MOST_WRITTEN} checkers")
        if self.side not in ("w", "b"):
            raise BadPosition(f"side {self.side!r}", "side", "'w' or 'b'")

    @classmethod
    def of(
        cls,
        white: Mapping[int, int],
        black: Mapping[int, int],
        off: tuple[int, int] = (0, 0),
        side: Side = "w",
    ) -> Position:
        """A position from {point: count} for each side and the numbers borne off."""
        for point in (*white, *black):
            if not 1 <= point <= POINTS:
                raise BadPosition(f"point {point}", "points", f"1..{POINTS}")
        return cls(side, _spread(white), _spread(black), *off)

    def counts(self, side: Side) -> tuple[int, ...]:
        """A side's checkers on the points 1..24."""
        return self.white if side == "w" else self.black

    def count(self, side: Side, point: int) -> int:
        """A side's checkers on one point."""
        return self.counts(side)[point - 1]

    def off(self, side: Side) -> int:
        """A side's checkers borne off."""
        return self.white_off if side == "w" else self.black_off

    def with_side(self, side: Side) -> Position:
        """The same board with this side to move."""
        return replace(self, side=side)

    def path(self, side: Side, walker: Side | None = None) -> tuple[int, ...]:
        """A side's checkers in the order of the walker's path (its own unless given)."""
        counts = self.counts(side)
        # index i is point HEAD - i: the points backwards, for Black from 12 down over the seam
        turn = HEAD[walker or side] % POINTS
        return (counts[turn:] + counts[:turn])[::-1]

    def both(self) -> tuple[int, ...]:
        """The points that hold both colours, highest first."""
        return tuple(p for p in range(POINTS, 0, -1) if self.white[p - 1] and self.black[p - 1])

    def total(self, side: Side) -> int:
        """A side's checkers on the board and borne off."""
        return sum(self.counts(side)) + self.off(side)

    def fault(self) -> str:
        """Why this is no position of the game (§1.1, §1.10), or an empty text."""
        for side in ("w", "b"):
            if self.total(side) != CHECKERS:
                return f"{NAMES[side]} has {self.total(side)} checkers with those borne off"
        if self.both():
            return f"point {self.both()[0]} holds both colours"
        return ""

    def winner(self) -> Side | None:
        """The side that has borne off all of its checkers (§2.1), if one has."""
        if self.white_off == CHECKERS:
            return "w"
        return "b" if self.black_off == CHECKERS else None


def _spread(counts: Mapping[int, int]) -> tuple[int, ...]:
    return tuple(counts.get(point, 0) for point in range(1, POINTS + 1))


#: Both sides with all checkers on their heads, White to move (§1.2, §1.3).
START = Position.of({HEAD["w"]: CHECKERS}, {HEAD["b"]: CHECKERS})
