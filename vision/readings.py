"""What a scene can be read as: deeds, and how sure one of them is."""

from __future__ import annotations

from dataclasses import dataclass

from rules.draughts.position import Move, Position, Side
from rules.verdict import Offence


@dataclass(frozen=True, slots=True)
class Played:
    """Legal plies, one or more."""

    moves: tuple[Move, ...]
    after: Position


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The board stands as it stood some plies ago, or another move was made from there.

    Attributes:
        plies: how many were taken back.
        after: the board now.
        moves: what was played in their place; mostly nothing.
    """

    plies: int
    after: Position
    moves: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class Wrong:
    """An offence, after no, one or more legal plies.

    Attributes:
        moves: legal plies played before it under the same cover.
        before: the position it was committed in.
        after: the board as it stands, the opponent to move.
        offence: its name and reason.
        by: who committed it; None for the side to move in ``before``.
    """

    moves: tuple[Move, ...]
    before: Position
    after: Position
    offence: Offence
    by: Side | None = None


Deed = Played | TakenBack | Wrong


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The confirmed position still stands."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One explanation is much better than the others and fits by itself.

    Attributes:
        deed: what was done.
        margin: how much better than the next explanation, in units of ``percept.STEP``.
        misfits: squares that read otherwise all the same.
    """

    deed: Deed
    margin: int
    misfits: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several legal explanations are about as good."""

    deeds: tuple[Deed, ...]


@dataclass(frozen=True, slots=True)
class Unexplained:
    """Nothing fits well enough.

    Attributes:
        squares: those that stand against the best legal explanation.
        likely: that explanation, if one square alone stands against it, and one that it does not
            touch: most likely that square is misread.
        suspected: a wrong deed explains the scene even better, but not by enough.
    """

    squares: tuple[int, ...]
    likely: Played | Unchanged | None = None
    suspected: bool = False


Reading = Unchanged | Seen | Ambiguous | Unexplained
