"""Turns that may have been others than were written: kept in mind until what follows tells.

A tall stack can't be counted, so one checker more or less on it often leaves two boards open.  The
record goes on with the likelier one.  The other stays a rival, with every turn after it played
upon it as well, until a low stack, a turn that fits only one of them, or a person decides.
"""

from __future__ import annotations

from collections.abc import Iterable

from rules.nardi.board import Position, Side
from rules.nardi.dice import Roll
from vision.nardi.evidence import Evidence
from vision.nardi.infer import Played, Seen, Unsure

from . import look
from .state import History, State

#: So many are kept, the likeliest ones.
MOST = 6

#: So many turns back: a doubt that nothing has settled for so long is none about the game any more.
BACK = 16


def kept(
    state: State, evidence: Evidence, deed: Played, ends: Iterable[tuple[Roll, Played]]
) -> tuple[History, ...]:
    """The rivals when a turn has been written: its other ends, and its roll upon older rivals.

    Args:
        state: before it is written.
        evidence: what stands at its end.
        deed: how it is written.
        ends: others of it that are about as likely, each with its roll.
    """
    roll = state.game.roll
    assert roll is not None
    found: dict[Position, History] = {}
    for dice, end in ends:
        found.setdefault(end.after, ((dice, end.after),))
    for history in state.rivals:
        for end in _ends(state, evidence, history, roll):
            found.setdefault(end.after, (*history, (roll, end.after)))
    return likeliest(evidence, found, deed.after)


def likeliest(
    evidence: Evidence, found: dict[Position, History], written: Position
) -> tuple[History, ...]:
    """Of the boards that may stand, with how each came about, the likeliest beside the written."""
    boards = [
        board
        for board, history in found.items()
        if board != written and not board.winner() and len(history) <= BACK
    ]
    boards.sort(key=lambda board: cost(evidence, board))
    return tuple(found[board] for board in boards[:MOST])


def cost(evidence: Evidence, board: Position) -> int:
    """How badly a board fits what is seen."""
    return int(evidence.at_points(board).sum())


def _ends(state: State, evidence: Evidence, history: History, roll: Roll) -> tuple[Played, ...]:
    """The likely ends of a roll upon a rival, the likeliest first."""
    if not look.may_be(state, evidence, history[-1][1], roll):
        return ()
    reading = look.explain_from(state, evidence, history[-1][1], roll)
    more = reading.close if isinstance(reading, Seen) else ()
    return (*look.ends(reading), *more)


def explained(
    state: State, evidence: Evidence, sure: bool
) -> tuple[History, Played, tuple[Played, ...]] | None:
    """The rival upon which the roll that is being played makes what stands.

    Args:
        state: with a roll.
        evidence: what stands.
        sure: only one that leaves no doubt.

    Returns:
        The rival, the turn upon it, and other likely ends of that; None when no rival explains it.
    """
    assert state.game.roll is not None
    found = []
    for history in state.rivals:
        before, roll = history[-1][1], state.game.roll
        if look.may_be(state, evidence, before, roll):
            reading = look.explain_from(state, evidence, before, roll)
            close = reading.close if isinstance(reading, Seen) else ()
            ends = look.ends(reading)
            if ends and not (sure and isinstance(reading, Unsure)):
                found.append((history, ends[0], (*ends[1:], *close)))
    return min(found, key=lambda each: cost(evidence, each[1].after), default=None)


def counted(
    state: State, evidence: Evidence | None, point: int, side: Side, count: int
) -> tuple[History, ...]:
    """The rivals that agree with what a person has counted, the likeliest first."""
    agree = [history for history in state.rivals if history[-1][1].count(side, point) == count]
    if evidence is not None:
        agree.sort(key=lambda history: cost(evidence, history[-1][1]))
    return tuple(agree)
