"""What the referee says of a wrong turn: the points to look at, one sentence, and a short form.

The short form fits a small display: what, where, what to do now.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from ..verdict import Offence
from .board import CHECKERS, HEAD, HOME_INDEX, NAMES, POINTS, Position, Side, index, point_at
from .board import other as opponent_of
from .facts import CODES
from .moves import ending, text
from .notation import OFF
from .turn import B1, B2, FULL, M3, M4, M5, HalfMove, Turn, pack

#: With more right turns than this none is named.
MOST_DUE = 12
#: A small display has so many characters.
MOST_SHORT = 60


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


def _place(point: int) -> str:
    return str(point) if point else OFF


def _step(step: HalfMove) -> str:
    return text((step,))


def _game_over(case: Case) -> Told:
    winner = case.turn.position.winner()
    name = NAMES[winner] if winner else ""
    points = [p for side in ("w", "b") for ps in case.changed(side) for p in ps]
    return Told(
        tuple(points),
        f"Game over: {name} has {CHECKERS} off. Put the rest back.",
        f"{name} has borne off all {CHECKERS} checkers, so the game is over and {case.dice} "
        "is not played.",
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
                f"After {case.dice} {name} has {total} checkers instead of {CHECKERS}: "
                f"{gone} missing.",
            )
        if total > CHECKERS:
            extra = total - CHECKERS
            return Told(
                tuple(more + fewer),
                f"{name}: {extra} too many. Take away what was added.",
                f"After {case.dice} {name} has {total} checkers instead of {CHECKERS}: "
                f"{extra} too many.",
            )
    side = case.side if case.after.off(case.side) < case.turn.position.off(case.side) else foe
    was, now = case.turn.position.off(side), case.after.off(side)
    fewer, more = case.changed(side)
    return Told(
        tuple(more + fewer),
        f"{NAMES[side]} had {was} off, now {now}. Put that right.",
        f"After {case.me}'s {case.dice} {NAMES[side]}'s checkers borne off went from {was} "
        f"to {now}, which no move does.",
    )


def _opponents(case: Case) -> Told:
    fewer, more = case.changed(opponent_of(case.side))
    return Told(
        tuple(fewer + more),
        f"{case.foe}'s checkers moved at {(fewer + more)[0]}. Put them back.",
        f"{case.me} threw {case.dice}, but {case.foe}'s checkers were moved; a player moves only "
        "the own colour.",
    )


def _on_opponent(case: Case) -> Told:
    both = case.after.both()
    if both:
        point = both[0]
        return Told(
            both,
            f"Both colours on {point}. Take {case.me}'s checker back.",
            f"{case.me} landed {_with(case, point)} on {point}, a point that {case.foe} holds.",
            "a",
        )
    step, _ = case.broke(M3)
    return Told(
        (step.to, step.frm),
        f"{step.to} is held by {case.foe}: the {step.die} can't touch it.",
        f"{case.me} could only come through {step.to} with the {step.die} of {case.dice}, but "
        f"{case.foe} holds that point.",
        "b",
    )


def _with(case: Case, point: int) -> str:
    """The die that leads to a point from one that was left, as far as one does."""
    at = index(case.side, point)
    for source in case.changed(case.side)[0]:
        if at - index(case.side, source) in case.turn.roll.dice:
            return f"with the {at - index(case.side, source)} of {case.dice}"
    return f"with {case.dice}"


def _wrong_way(case: Case) -> Told:
    fewer, more = case.changed(case.side)
    target = case.turn.first_too_far_back(pack(case.after.path(case.side))) or 0
    here = point_at(case.side, target)
    source = next(p for p in fewer if index(case.side, p) > target)
    return Told(
        (here, source, *(p for p in more + fewer if p not in (here, source))),
        f"Backwards, {source} to {here}. Put it back, go forward.",
        f"{case.me} threw {case.dice} and went backwards from {source} to {here}; checkers go "
        "counter-clockwise only.",
    )


def _wrong_distance(case: Case) -> Told:
    fewer, more = case.changed(case.side)
    points = tuple(fewer + more)
    if list(case.turn.ends) == [case.turn.start]:
        return Told(
            points,
            f"Nothing goes with {case.dice}. Put {points[0]} back.",
            f"{case.me} had no move with {case.dice} but moved from {points[0]}; the roll is lost.",
        )
    pips = case.only_checker()
    if pips:
        gives = _either(case.turn.sums())
        return Told(
            points,
            f"{points[0]} to {points[1]} is {pips}, {case.dice} gives {gives}. Put it back.",
            f"{case.me} went {pips} from {points[0]} to {points[1]}; {case.dice} gives {gives}.",
        )
    return Told(
        points,
        f"No {case.dice} from {points[0]} leads there. Put back, recount.",
        f"No way of playing {case.dice} leads there: {case.me} moved from "
        f"{_list(fewer)} to {_list(more) or OFF}.",
    )


def _either(numbers: list[int]) -> str:
    """``6, 5 or 11``."""
    *front, last = map(str, numbers)
    return f"{', '.join(front)} or {last}" if front else last


def _list(points: list[int]) -> str:
    return ", ".join(map(str, points))


def _head(case: Case) -> Told:
    head, limit = HEAD[case.side], case.turn.head_limit
    taken = case.turn.position.count(case.side, head) - case.after.count(case.side, head)
    step, _ = case.broke(M4)
    return Told(
        (head,),
        f"{taken} off the head {head}, {limit} may go. Put {taken - limit} back.",
        f"{case.me} took {taken} checkers from the head on {head}, one too many with the "
        f"{step.die} of {case.dice}; {limit} may leave it in this turn.",
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
    ahead = f"no {case.foe} checker is past it"
    front = [step.to] if step.to in points else []
    if standing:
        return Told(
            (*front, *points),
            f"Six-block {span} locks {case.foe}. Play another way.",
            f"{case.me}'s {step.die} of {case.dice} builds the block {span}, and {ahead}.",
            "a",
        )
    return Told(
        (*front, *points),
        f"Six-block {span} in passing. Play another way.",
        f"{case.me} could only get there through the block {span}, made in passing with the "
        f"{step.die} of {case.dice}, and {ahead}.",
        "b",
    )


def _incomplete(case: Case) -> Told:
    if case.left:
        step = case.left
        return Told(
            (step.frm, step.to),
            f"The {step.die} is left over. Play it, {_step(step)} goes.",
            f"{case.me} left a {step.die} of {case.dice} unplayed, though {_step(step)} can be "
            "played; all that can be played must be.",
        )
    die, (most, _) = case.turn.roll.dice[0], case.turn.playable
    right = ending(case.turn)[0]
    return Told(
        tuple(p for s in right.steps for p in (s.frm, s.to)),
        f"The {die} goes {most} times. Play {right.text}.",
        f"{case.me} played fewer of the {case.dice} than can be played: the {die} goes {most} "
        f"times with {right.text}.",
    )


def _smaller(case: Case) -> Told:
    larger, smaller = case.turn.roll.dice
    right = ending(case.turn)[0]
    fewer, more = case.changed(case.side)
    return Told(
        (*(p for s in right.steps for p in (s.frm, s.to)), *fewer, *more),
        f"Only one die goes. Play the {larger}: {right.text}.",
        f"Of {case.dice} only one die can be played, and that must be the larger: the {larger} "
        f"with {right.text}, not the {smaller}.",
    )


def _one_only(case: Case) -> Told:
    right = ending(case.turn)[0]
    fewer, more = case.changed(case.side)
    return Told(
        (*fewer, *more),
        f"Both dice can be played. Play {right.text}.",
        f"{case.me} played one die of {case.dice} so that the other has no move, though "
        f"{right.text} plays both.",
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
        f"{case.me} bore off from {step.frm} with the {step.die} of {case.dice} while a checker "
        f"stood on {point}, outside the home.",
    )


def _low(case: Case) -> Told:
    step, place = case.broke(B2)
    point = point_at(case.side, _rearmost(place))
    return Told(
        (point, step.frm),
        f"The {step.die} can't take {step.frm} while {point} is held. Put back.",
        f"{case.me} bore off from {step.frm} with the {step.die} of {case.dice}, though a checker "
        f"stood further back on {point}.",
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
