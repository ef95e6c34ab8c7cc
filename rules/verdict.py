"""What the referee says of one deed: unchanged, legal, or an offence with its reason.

The same three answers serve every game.  ``after`` is the game's own position value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The board stands as it stood."""


@dataclass(frozen=True, slots=True)
class Legal(Generic[P]):
    """A legal move was made.

    Attributes:
        move: its text as written in the game's records (``c3:e5``, ``24/18 24/19``, ``pass``).
        after: the position after it, with the other side to move.
    """

    move: str
    after: P


@dataclass(frozen=True, slots=True)
class Offence:
    """The board shows a deed that the rules forbid.

    Attributes:
        code: ``O6``, ``M7``, ... as in the tables of codes.
        kind: the code's name in words, ``capture-ignored``.
        article: the rulebook article as players know it, ``FMJD 5.4.6``.
        squares: names of the squares (points) where it shows, the one to look at first in front.
        due: texts of the moves that were due instead; may be empty.
        short: what, where, what to do now; at most 60 characters, for a small display.
        message: one full sentence for a person.
        also: further codes that fit, less specific ones last.
        variant: a finer distinction inside the code (nardi ``a`` / ``b``), or empty.
    """

    code: str
    kind: str
    article: str
    squares: tuple[str, ...]
    due: tuple[str, ...]
    short: str
    message: str
    also: tuple[str, ...] = ()
    variant: str = ""


Verdict = Unchanged | Legal[P] | Offence
