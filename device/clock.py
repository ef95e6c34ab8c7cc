"""Chess clocks as values: two times that run down, fed by buttons and by the time that passes.

No clock is read here.  Every function takes the clocks and a monotonic time in nanoseconds and
gives new clocks, so that a journal of presses gives the same times again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from rules.match import opponent_of

from .errors import BadConfig
from .signals import Side

SECOND_NS = 1_000_000_000

#: ``40/90+30``: 40 moves in 90 minutes and 30 seconds a move; ``15d5``: 5 seconds of grace a move.
_STAGE = re.compile(r"(?:(\d{1,3})/)?(\d{1,3}(?:\.\d{1,2})?)(?:([+d])(\d{1,3}))?")

EXPECTED = "minutes and seconds a move, as 15, 25+5, 15d5, or stages as 40/90+30,30+30"


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of a time control.

    Attributes:
        moves: moves that have to be made in it; 0 for all that remain.
        time_ns: added when it begins.
        increment_ns: added after each move.
        delay_ns: passes in each move before the time runs down.
    """

    moves: int
    time_ns: int
    increment_ns: int = 0
    delay_ns: int = 0


Control = tuple[Stage, ...]


def control_of(text: str) -> Control:
    """A time control as people write it, see `EXPECTED`.

    Raises:
        BadConfig: it is none.
    """
    stages = []
    for part in text.replace(" ", "").split(","):
        found = _STAGE.fullmatch(part)
        if found is None:
            raise BadConfig(f"no time control: '{text}'", "clock", EXPECTED)
        moves, minutes, kind, seconds = found.groups()
        each = int(seconds or 0) * SECOND_NS
        time_ns = round(float(minutes) * 60) * SECOND_NS
        increment, delay = (each, 0) if kind == "+" else (0, each)
        stages.append(Stage(int(moves or 0), time_ns, increment, delay))
    if any(not stage.moves for stage in stages[:-1]) or not stages[0].time_ns:
        raise BadConfig(f"no time control: '{text}'", "clock", EXPECTED)
    return tuple(stages)


@dataclass(frozen=True, slots=True)
class Clocks:
    """Both clocks at one moment.

    Attributes:
        control: the time control.
        left_ns: what is left for White and for Black at ``at_ns``; below 0 after the flag fell.
        grace_ns: what is left of the delay of the running side's move.
        made: moves that White and Black have completed.
        running: whose time runs down; None while both stand.
        stopped: who goes on when a pause ends; None when there is no pause.
        at_ns: the moment.
        fallen: whose flags are down, the first one first.
    """

    control: Control
    left_ns: tuple[int, int]
    grace_ns: int = 0
    made: tuple[int, int] = (0, 0)
    running: Side | None = None
    stopped: Side | None = None
    at_ns: int = 0
    fallen: tuple[Side, ...] = ()

    def left(self, side: Side) -> int:
        """What is left for a side, nanoseconds, not below 0."""
        return max(0, self.left_ns[side == "b"])

    def seconds(self, side: Side) -> int:
        """What is left in whole seconds, as players read it: 0 only when the flag is down."""
        return -(-self.left(side) // SECOND_NS)


def begin(control: Control) -> Clocks:
    """Clocks before the first move; both stand."""
    return Clocks(control, (control[0].time_ns, control[0].time_ns))


def run(clocks: Clocks, side: Side, at_ns: int) -> Clocks:
    """Let the time of ``side`` run from now on."""
    clocks = advance(clocks, at_ns)
    if clocks.running == side:
        return clocks
    grace = _stage(clocks, side).delay_ns
    return replace(clocks, running=side, stopped=None, grace_ns=grace, at_ns=at_ns)


def advance(clocks: Clocks, at_ns: int) -> Clocks:
    """The clocks at a later moment; a moment that is over changes nothing."""
    passed = at_ns - clocks.at_ns
    if clocks.running is None or passed <= 0:
        return replace(clocks, at_ns=max(at_ns, clocks.at_ns))
    grace = min(passed, clocks.grace_ns)
    side = clocks.running
    left = _changed(clocks.left_ns, side, grace - passed)
    clocks = replace(clocks, left_ns=left, grace_ns=clocks.grace_ns - grace, at_ns=at_ns)
    if left[side == "b"] <= 0 and side not in clocks.fallen:
        clocks = replace(clocks, fallen=(*clocks.fallen, side))
    return clocks


def press(clocks: Clocks, side: Side, at_ns: int, turn: Side) -> Clocks:
    """A side ends its turn.  Pressing while the other one's time runs does nothing.

    Args:
        clocks: the clocks.
        side: who presses.
        at_ns: when.
        turn: whose turn it is; before the first move both clocks stand, and the other side sets
            this one's going by a press that ends no turn.
    """
    clocks = advance(clocks, at_ns)
    other = opponent_of(side)
    if clocks.running == other or clocks.stopped is not None:
        return clocks
    if clocks.running is None and side != turn:
        return run(clocks, other, at_ns)
    return run(_completed(clocks, side), other, at_ns)


def void(clocks: Clocks, side: Side, at_ns: int) -> Clocks:
    """The last press of ``side`` doesn't count: its time runs, what the move earned is taken."""
    clocks = advance(clocks, at_ns)
    if clocks.running != opponent_of(side) or not clocks.made[side == "b"]:
        return clocks
    made = _changed(clocks.made, side, -1)
    clocks = replace(clocks, made=made)
    earned = _earned(clocks, side)
    return replace(run(clocks, side, at_ns), left_ns=_changed(clocks.left_ns, side, -earned))


def pause(clocks: Clocks, at_ns: int) -> Clocks:
    """Both stand until `resume`."""
    clocks = advance(clocks, at_ns)
    if clocks.running is None:
        return clocks
    return replace(clocks, running=None, stopped=clocks.running)


def resume(clocks: Clocks, at_ns: int) -> Clocks:
    """The side whose time ran before the pause goes on, with what was left of its delay."""
    if clocks.stopped is None:
        return replace(clocks, at_ns=at_ns)
    return replace(clocks, running=clocks.stopped, stopped=None, at_ns=at_ns)


def stop(clocks: Clocks, at_ns: int) -> Clocks:
    """Both stand for good: the game is over."""
    return replace(advance(clocks, at_ns), running=None, stopped=None)


def set_to(clocks: Clocks, white_ns: int, black_ns: int) -> Clocks:
    """The times as an arbiter sets them; a flag stands again where there is time."""
    fallen = tuple(s for s in clocks.fallen if (white_ns, black_ns)[s == "b"] <= 0)
    return replace(clocks, left_ns=(white_ns, black_ns), fallen=fallen)


def as_json(clocks: Clocks) -> dict[str, object]:
    """What a journal keeps of them; `restored` gives them back, standing."""
    return {
        "left_ns": list(clocks.left_ns),
        "made": list(clocks.made),
        "turn": clocks.running or clocks.stopped,
        "fallen": list(clocks.fallen),
    }


def restored(clocks: Clocks, left: tuple[int, int], made: tuple[int, int], turn: Side | None,
             fallen: tuple[Side, ...]) -> Clocks:  # fmt: skip
    """Clocks after a power cut: paused, with what the last line in the journal says was left."""
    return replace(
        clocks, left_ns=left, made=made, running=None, stopped=turn, fallen=fallen, grace_ns=0
    )


# ---------------------------------------------------------------- inside


def _stage(clocks: Clocks, side: Side) -> Stage:
    """The stage that a side's next move belongs to."""
    made = clocks.made[side == "b"]
    for stage in clocks.control:
        if not stage.moves or made < stage.moves:
            return stage
        made -= stage.moves
    return replace(clocks.control[-1], moves=0)


def _completed(clocks: Clocks, side: Side) -> Clocks:
    """One more move of ``side``, with what it earns."""
    earned = _earned(clocks, side)
    made = _changed(clocks.made, side, 1)
    return replace(clocks, made=made, left_ns=_changed(clocks.left_ns, side, earned))


def _earned(clocks: Clocks, side: Side) -> int:
    """What the next move of ``side`` brings: its increment, and the next stage's time."""
    if side in clocks.fallen:  # a fallen flag gets no more time
        return 0
    made = clocks.made[side == "b"] + 1
    stages = clocks.control
    ends = [sum(s.moves for s in stages[: n + 1]) for n in range(len(stages) - 1)]
    fresh = (after.time_ns for end, after in zip(ends, stages[1:], strict=True) if end == made)
    return _stage(clocks, side).increment_ns + sum(fresh)


def _changed(pair: tuple[int, int], side: Side, by: int) -> tuple[int, int]:
    white, black = pair
    return (white + by, black) if side == "w" else (white, black + by)
