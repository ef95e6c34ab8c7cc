"""The verdict on a turn: legal, or the first of the wrong turns that it shows.

The order is that of certainty.  Counts come before colours and colours before the mover's own
checkers, since with a checker missing or the other side disturbed nothing sure can be said of
the move.  What can be read as right half-moves is read so, and the turn is only unfinished.
Otherwise the reading with the fewest broken rules names the fault.
"""

from __future__ import annotations

from ..verdict import Legal, Offence
from .board import CHECKERS, Position, other
from .case import Case
from .dice import Roll
from .facts import CLASSIC, Rules
from .moves import text, turn
from .notation import PASS
from .turn import BREAKS, M5, Node, Turn, pack
from .words import offence


def judge(
    before: Position, after: Position, roll: Roll, rules: Rules = CLASSIC
) -> Legal[Position] | Offence:
    """What the end of a turn shows.

    Args:
        before: the board when the dice were thrown, with the mover's side.
        after: what stands when the turn has ended; its side is ignored.
        roll: the dice, and whether it is the mover's first turn.
        rules: the facts to judge by.

    Raises:
        BadPosition: when `before` is no position of the game.
    """
    played = turn(before, roll, rules)
    case = Case(played, after)
    if before.winner():
        if after.with_side(before.side) == before:
            return Legal(PASS, before.with_side(other(before.side)))
        return offence("E1", case)
    legal = _legal(played, after)
    if legal:
        return legal
    for test in (_counts, _opponent, _two_colours, _direction):
        code = test(played, after)
        if code:
            return offence(code, case)
    return _explained(played, case)


def _legal(played: Turn, after: Position) -> Legal[Position] | None:
    side, foe = played.side, other(played.side)
    before = played.position
    if (after.counts(foe), after.off(foe)) != (before.counts(foe), before.off(foe)):
        return None
    if after.total(side) != CHECKERS:
        return None
    place = pack(after.path(side))
    if place not in played.ends:
        return None
    return Legal(text(played.steps(played.ends[place])), after.with_side(foe))


def _counts(played: Turn, after: Position) -> str:
    side, foe = played.side, other(played.side)
    before = played.position
    wrong = any(after.total(s) != CHECKERS for s in (side, foe))
    back = after.off(side) < before.off(side) or after.off(foe) != before.off(foe)
    return "B3" if wrong or back else ""


def _opponent(played: Turn, after: Position) -> str:
    foe = other(played.side)
    return "P5" if after.counts(foe) != played.position.counts(foe) else ""


def _two_colours(played: Turn, after: Position) -> str:
    return "M3" if after.both() else ""


def _direction(played: Turn, after: Position) -> str:
    goal = pack(after.path(played.side))
    return "" if played.first_too_far_back(goal) is None else "M1"


def _explained(played: Turn, case: Case) -> Offence:
    """What the dice say of an end that is no legal one."""
    goal = pack(case.after.path(played.side))
    levels = played.readings(goal)
    standing = M5 if played.rules.block_timing == "end" and played.locked(goal) else 0
    found = [(node, node[2] | standing) for level in levels for node in level if node[0] == goal]
    if not found:
        return offence("M2", case)
    clean = [node for node, broken in found if not broken]
    if clean:
        return _unfinished(played, case, clean)
    node, broken = min(found, key=lambda pair: _weight(pair[1]))
    told = [rule for k, rule in enumerate(BREAKS) if broken >> k & 1]
    return offence(
        told[0], case.explained(played.steps(played.way(node, levels))), also=tuple(told[1:])
    )


def _weight(broken: int) -> tuple[int, list[int]]:
    """Fewest rules first, then in the order of `BREAKS`."""
    return broken.bit_count(), [k for k in range(len(BREAKS)) if broken >> k & 1]


def _unfinished(played: Turn, case: Case, clean: list[Node]) -> Offence:
    """M6, M7 or M8: the half-moves are right but the turn is no full one."""
    for node in clean:
        left = played.goes_on(node)
        if left:
            return offence("M6", case.unfinished(left))
    if played.roll.double:
        return offence("M6", case)
    most, _ = played.playable
    return offence("M7" if most == 1 else "M8", case)
