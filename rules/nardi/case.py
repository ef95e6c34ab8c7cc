"""A wrong turn of Long Nardi, and what can be known of how it came about."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .board import NAMES, POINTS, Position, Side, index, point_at
from .board import other as opponent_of
from .moves import ending
from .turn import HalfMove, Turn

#: With more right turns than this none is named.
MOST_DUE = 12


@dataclass(frozen=True, slots=True)
class Case:
    """A wrong turn and how it came about, as far as that is known.

    Attributes:
        turn: what could be played.
        after: what stands.
        steps: the half-moves that explain it, when some do.
        left: a half-move that is still due, when there is one.
    """

    turn: Turn
    after: Position
    steps: tuple[HalfMove, ...] = ()
    left: HalfMove | None = None

    def explained(self, steps: tuple[HalfMove, ...]) -> Case:
        """The same with the half-moves that were made."""
        return replace(self, steps=steps)

    def unfinished(self, left: HalfMove | None) -> Case:
        """The same with the half-move that is still due."""
        return replace(self, left=left)

    @property
    def side(self) -> Side:
        """The mover."""
        return self.turn.side

    @property
    def me(self) -> str:
        """The mover's name."""
        return NAMES[self.side]

    @property
    def foe(self) -> str:
        """The opponent's name."""
        return NAMES[opponent_of(self.side)]

    @property
    def dice(self) -> str:
        """The roll, ``6-5``."""
        return self.turn.roll.text

    def changed(self, side: Side) -> tuple[list[int], list[int]]:
        """The points with fewer and with more of a side's checkers, rearmost first."""
        before, after = self.turn.position.counts(side), self.after.counts(side)
        points = [point_at(side, i) for i in range(POINTS)]
        return (
            [p for p in points if after[p - 1] < before[p - 1]],
            [p for p in points if after[p - 1] > before[p - 1]],
        )

    def only_checker(self) -> int:
        """The pips that one checker went, when it alone was moved on the board; else 0."""
        before = self.turn.position.counts(self.side)
        now = self.after.counts(self.side)
        moved = [(p, now[p] - before[p]) for p in range(POINTS) if now[p] != before[p]]
        if sorted(by for _, by in moved) != [-1, 1]:
            return 0
        ends = sorted((by, index(self.side, p + 1)) for p, by in moved)
        return ends[1][1] - ends[0][1]

    def broke(self, rule: int) -> tuple[HalfMove, int]:
        """The first half-move that breaks a rule, and the place of the mover before it."""
        places = self.turn.places(self.steps)
        return next((s, places[k]) for k, s in enumerate(self.steps) if s.breaks & rule)

    def due(self) -> tuple[str, ...]:
        """The right turns in words, unless there are too many or the game is over."""
        ends = self.turn.ends
        if self.turn.position.winner() or len(ends) > MOST_DUE:
            return ()
        return tuple(move.text for move in ending(self.turn))
