"""What the loop must know of a family of games: draughts and nardi each say it in one place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rules.games import by_name
from vision.nardi.percept import NardiPercept
from vision.percept import Percept

from .session_values import Effect, Input, Json, Setup

#: A session's state; each family has its own, with ``setup`` and ``phase`` in all of them.
State = Any
Effects = tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of game as the loop, the replay and the power cut need it.

    Attributes:
        begin: the session before the first frame.
        step: the session after one input, and what is to be done about it.
        apply: the session after one line of the record of truth.
        again: (state, began_ns, at_ns) -> the session that goes on after a power cut: what was
            confirmed, without what was half seen; ``began_ns`` makes its times count on.
        continued: (state, at_ns, torn) -> what is said of that; ``torn`` bytes of the journal's
            end were lost.
        unseen: (state, number, at_ns, reason) -> the percept of a frame that can't be read.
        pinned: numbers of the frames that evidence may look back to.
        write: (folder, states, tags): the record of the games that end in these states.
    """

    begin: Callable[[Setup], State]
    step: Callable[[State, Input], tuple[State, Effects]]
    apply: Callable[[State, Json], State]
    again: Callable[[State, int, int], State]
    continued: Callable[[State, int, int], Effects]
    unseen: Callable[[State, int, int, str], Percept | NardiPercept]
    pinned: Callable[[State], tuple[int, ...]]
    write: Callable[[Path, Sequence[State], Json], None]


def family_of(game: str) -> Family:
    """The family of a game.

    Raises:
        UnknownGame: no game of that name.
    """
    # each is loaded when it is played
    if by_name(game).family == "nardi":
        from .nardi.family import FAMILY as nardi

        return nardi
    from .draughts import FAMILY as draughts

    return draughts
