"""What the referee says of a wrong turn: the points to look at, one sentence, and a short form.

The short form fits a small display: what, where, what to do now.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..said import Said, one_of
from ..verdict import Offence
from .board import CHECKERS, HEAD, HOME_INDEX, NAMES, index, point_at
from .board import other as opponent_of
from .case import Case
from .facts import CODES
from .moves import ending, text
from .notation import OFF
from .turn import B1, B2, FULL, M3, M4, M5, HalfMove, pack

#: A small display has so many characters.
MOST_SHORT = 60


@dataclass(frozen=True, slots=True)
class Told:
    """What is said of a case."""

    points: tuple[int, ...]
    short: str
    message: str
    variant: str = ""


def offence(code: str, case: Case, also: tuple[str, ...] = ()) -> Offence:
    """The offence of this code in words."""
    told = _TELLERS[code](case)
    squares = tuple(dict.fromkeys(str(point) for point in told.points if point))
    return Offence(
        code=code,
        kind=CODES[code].kind,
        article=CODES[code].article,
        squares=squares,
        due=case.due(),
        short=told.short,
        message=told.message,
        also=also,
        variant=told.variant,
    )


def _who(case: Case) -> dict[str, str | int]:
    return {"me": case.me, "foe": case.foe, "dice": case.dice}


def _step(step: HalfMove) -> str:
    return text((step,))


def _game_over(case: Case) -> Told:
    winner = case.turn.position.winner()
    name = NAMES[winner] if winner else ""
    points = [p for side in ("w", "b") for ps in case.changed(side) for p in ps]
    return Told(
        tuple(points),
        f"Game over: {name} has {CHECKERS} off. Put the rest back.",
        Said(
            "{name} has borne off all {all} checkers, so the game is over and {dice} is not "
            "played.",
            {"name": name, "all": CHECKERS, "dice": case.dice},
        ),
    )


def _count(case: Case) -> Told:
    foe = opponent_of(case.side)
    for side in (case.side, foe):
        name, total = NAMES[side], case.after.total(side)
        fewer, more = case.changed(side)
        if total < CHECKERS:
            gone = CHECKERS - total
            return Told(
                tuple(fewer + more),
                f"{name}: {gone} missing. Put back what is gone.",
                Said(
                    "After {dice} {name} has {total} checkers instead of {all}: {gone} missing.",
                    {
                        "dice": case.dice,
                        "name": name,
                        "total": total,
                        "all": CHECKERS,
                        "gone": gone,
                    },
                ),
            )
        if total > CHECKERS:
            extra = total - CHECKERS
            return Told(
                tuple(more + fewer),
                f"{name}: {extra} too many. Take away what was added.",
                Said(
                    "After {dice} {name} has {total} checkers instead of {all}: {extra} too many.",
                    {
                        "dice": case.dice,
                        "name": name,
                        "total": total,
                        "all": CHECKERS,
                        "extra": extra,
                    },
                ),
            )
    side = case.side if case.after.off(case.side) < case.turn.position.off(case.side) else foe
    was, now = case.turn.position.off(side), case.after.off(side)
    fewer, more = case.changed(side)
    return Told(
        tuple(more + fewer),
        f"{NAMES[side]} had {was} off, now {now}. Put that right.",
        Said(
            "After {me}'s {dice} {name}'s checkers borne off went from {was} to {now}, which no "
            "move does.",
            {"me": case.me, "dice": case.dice, "name": NAMES[side], "was": was, "now": now},
        ),
    )


def _opponents(case: Case) -> Told:
    fewer, more = case.changed(opponent_of(case.side))
    return Told(
        tuple(fewer + more),
        f"{case.foe}'s checkers moved at {(fewer + more)[0]}. Put them back.",
        Said(
            "{me} threw {dice}, but {foe}'s checkers were moved; a player moves only the own "
            "colour.",
            _who(case),
        ),
    )


def _on_opponent(case: Case) -> Told:
    both = case.after.both()
    if both:
        point = both[0]
        return Told(
            both,
            f"Both colours on {point}. Take {case.me}'s checker back.",
            _landed(case, point),
            "a",
        )
    step, _ = case.broke(M3)
    return Told(
        (step.to, step.frm),
        f"{step.to} is held by {case.foe}: the {step.die} can't touch it.",
        Said(
            "{me} could only come through {to} with the {die} of {dice}, but {foe} holds that "
            "point.",
            {**_who(case), "die": step.die, "to": step.to},
        ),
        "b",
    )


def _landed(case: Case, point: int) -> Said:
    """With the die that leads to the point from one that was left, if one does."""
    at = index(case.side, point)
    for source in case.changed(case.side)[0]:
        die = at - index(case.side, source)
        if die in case.turn.roll.dice:
            return Said(
                "{me} landed with the {die} of {dice} on {point}, a point that {foe} holds.",
                {**_who(case), "die": die, "point": point},
            )
    return Said(
        "{me} landed with {dice} on {point}, a point that {foe} holds.",
        {**_who(case), "point": point},
    )


def _wrong_way(case: Case) -> Told:
    fewer, more = case.changed(case.side)
    target = case.turn.first_too_far_back(pack(case.after.path(case.side))) or 0
    here = point_at(case.side, target)
    source = next(p for p in fewer if index(case.side, p) > target)
    return Told(
        (here, source, *(p for p in more + fewer if p not in (here, source))),
        f"Backwards, {source} to {here}. Put it back, go forward.",
        Said(
            "{me} threw {dice} and went backwards from {frm} to {to}; checkers go "
            "counter-clockwise only.",
            {"me": case.me, "dice": case.dice, "frm": source, "to": here},
        ),
    )


def _wrong_distance(case: Case) -> Told:
    fewer, more = case.changed(case.side)
    points = tuple(fewer + more)
    if list(case.turn.ends) == [case.turn.start]:
        return Told(
            points,
            f"Nothing goes with {case.dice}. Put {points[0]} back.",
            Said(
                "{me} had no move with {dice} but moved from {frm}; the roll is lost.",
                {"me": case.me, "dice": case.dice, "frm": points[0]},
            ),
        )
    pips = case.only_checker()
    if pips:
        gives = one_of([str(pips) for pips in case.turn.sums()])
        return Told(
            points,
            f"{points[0]} to {points[1]} is {pips}, {case.dice} gives {gives}. Put it back.",
            Said(
                "{me} went {pips} from {frm} to {to}; {dice} gives {gives}.",
                {
                    "me": case.me,
                    "dice": case.dice,
                    "frm": points[0],
                    "to": points[1],
                    "pips": pips,
                    "gives": gives,
                },
            ),
        )
    return Told(
        points,
        f"No {case.dice} from {points[0]} leads there. Put back, recount.",
        Said(
            "No way of playing {dice} leads there: {me} moved from {frm} to {to}.",
            {"me": case.me, "dice": case.dice, "frm": _list(fewer), "to": _list(more) or OFF},
        ),
    )


def _list(points: list[int]) -> str:
    return ", ".join(map(str, points))


def _head(case: Case) -> Told:
    head, limit = HEAD[case.side], case.turn.head_limit
    taken = case.turn.position.count(case.side, head) - case.after.count(case.side, head)
    step, _ = case.broke(M4)
    return Told(
        (head,),
        f"{taken} off the head {head}, {limit} may go. Put {taken - limit} back.",
        Said(
            "{me} took {taken} checkers from the head on {head}, one too many with the {die} of "
            "{dice}; {limit} may leave it in this turn.",
            {
                "me": case.me,
                "dice": case.dice,
                "die": step.die,
                "head": head,
                "taken": taken,
                "limit": limit,
            },
        ),
    )


def _block(case: Case) -> Told:
    standing = case.turn.locked(case.turn.places(case.steps)[-1])
    step = next((s for s in case.steps if s.breaks & M5), case.steps[-1])
    windows = standing
    for place in case.turn.places(case.steps):
        windows = windows or case.turn.locked(place)
    foe = opponent_of(case.side)
    first = (windows & -windows).bit_length() - 1
    points = [point_at(foe, first + k) for k in range(case.turn.rules.block_points)]
    span = f"{points[0]}-{points[-1]}"
    fields = {**_who(case), "die": step.die, "span": span}
    front = [step.to] if step.to in points else []
    if standing:
        return Told(
            (*front, *points),
            f"Six-block {span} locks {case.foe}. Play another way.",
            Said(
                "{me}'s {die} of {dice} builds the block {span}, and no {foe} checker is past it.",
                fields,
            ),
            "a",
        )
    return Told(
        (*front, *points),
        f"Six-block {span} in passing. Play another way.",
        Said(
            "{me} could only get there through the block {span}, made in passing with the {die} "
            "of {dice}, and no {foe} checker is past it.",
            fields,
        ),
        "b",
    )


def _incomplete(case: Case) -> Told:
    if case.left:
        step = case.left
        return Told(
            (step.frm, step.to),
            f"The {step.die} is left over. Play it, {_step(step)} goes.",
            Said(
                "{me} left a {die} of {dice} unplayed, though {step} can be played; all that can "
                "be played must be.",
                {"me": case.me, "dice": case.dice, "die": step.die, "step": _step(step)},
            ),
        )
    die, (most, _) = case.turn.roll.dice[0], case.turn.playable
    right = ending(case.turn)[0]
    return Told(
        tuple(p for s in right.steps for p in (s.frm, s.to)),
        f"The {die} goes {most} times. Play {right.text}.",
        Said(
            "{me} played fewer of the {dice} than can be played: the {die} goes {most} times with "
            "{right}.",
            {"me": case.me, "dice": case.dice, "die": die, "most": most, "right": right.text},
        ),
    )


def _smaller(case: Case) -> Told:
    larger, smaller = case.turn.roll.dice
    right = ending(case.turn)[0]
    fewer, more = case.changed(case.side)
    return Told(
        (*(p for s in right.steps for p in (s.frm, s.to)), *fewer, *more),
        f"Only one die goes. Play the {larger}: {right.text}.",
        Said(
            "Of {dice} only one die can be played, and that must be the larger: the {larger} with "
            "{right}, not the {smaller}.",
            {"dice": case.dice, "larger": larger, "smaller": smaller, "right": right.text},
        ),
    )


def _one_only(case: Case) -> Told:
    right = ending(case.turn)[0]
    fewer, more = case.changed(case.side)
    return Told(
        (*fewer, *more),
        f"Both dice can be played. Play {right.text}.",
        Said(
            "{me} played one die of {dice} so that the other has no move, though {right} plays "
            "both.",
            {"me": case.me, "dice": case.dice, "right": right.text},
        ),
    )


def _early(case: Case) -> Told:
    step, place = case.broke(B1)
    rear = _rearmost(place)
    if rear >= HOME_INDEX:
        rear = _rearmost(case.turn.start)
    point = point_at(case.side, rear)
    return Told(
        (point, step.frm),
        f"{point} is not home yet. Put the {step.frm} back on.",
        Said(
            "{me} bore off from {frm} with the {die} of {dice} while a checker stood on {point}, "
            "outside the home.",
            {"me": case.me, "dice": case.dice, "point": point, "frm": step.frm, "die": step.die},
        ),
    )


def _low(case: Case) -> Told:
    step, place = case.broke(B2)
    point = point_at(case.side, _rearmost(place))
    return Told(
        (point, step.frm),
        f"The {step.die} can't take {step.frm} while {point} is held. Put back.",
        Said(
            "{me} bore off from {frm} with the {die} of {dice}, though a checker stood further "
            "back on {point}.",
            {"me": case.me, "dice": case.dice, "point": point, "frm": step.frm, "die": step.die},
        ),
    )


def _rearmost(place: int) -> int:
    occupied = place & FULL
    return (occupied & -occupied).bit_length() - 1


_TELLERS: Mapping[str, Callable[[Case], Told]] = {
    "E1": _game_over,
    "B3": _count,
    "P5": _opponents,
    "M3": _on_opponent,
    "M1": _wrong_way,
    "M2": _wrong_distance,
    "M4": _head,
    "M5": _block,
    "M6": _incomplete,
    "M7": _smaller,
    "M8": _one_only,
    "B1": _early,
    "B2": _low,
}
