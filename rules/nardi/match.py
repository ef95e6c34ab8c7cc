"""A game of Long Nardi turn by turn, and a series of games: who begins, what stands, who won.

The state is a value; each verb returns a new one, or a `Refused` when it can't be done now.  A
wrong turn stays pending until the opponent accepts it as it stands or demands the right one
(§3.3); throwing the dice accepts it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from ..match import Refused
from ..said import Said
from ..verdict import Legal, Offence
from .board import CHECKERS, HEAD, NAMES, START, Position, Side, other
from .dice import Roll, begins
from .facts import CLASSIC, CODES, Rules, article
from .judge import judge

Resolved = Literal["", "accepted", "corrected"]
Win = Literal["oin", "mars"]
#: Why a game ended.
Reason = Literal["borne-off", "resigned", "time", "arbiter"]
#: What a win counts: the loser had a checker off (§4.1) or none (§4.2).
POINTS_OF: Mapping[Win, int] = {"oin": 1, "mars": 2}


@dataclass(frozen=True, slots=True)
class Turned:
    """A turn that was ended.

    Attributes:
        side: whose it was.
        roll: the dice, and whether it was the side's first turn.
        before: the board when the dice were thrown.
        after: the board when it was ended.
        verdict: what the judge said.
        resolved: ``accepted`` or ``corrected`` for a wrong turn; a corrected one does not stand.
    """

    side: Side
    roll: Roll
    before: Position
    after: Position
    verdict: Legal[Position] | Offence
    resolved: Resolved = ""

    @property
    def stands(self) -> bool:
        """Whether the game went on from its end."""
        return self.resolved != "corrected"


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended."""

    winner: Side
    win: Win
    reason: Reason

    @property
    def points(self) -> int:
        """1 for oin (§4.1), 2 for mars (§4.2)."""
        return POINTS_OF[self.win]


@dataclass(frozen=True, slots=True)
class State:
    """A game as far as it went.

    Attributes:
        position: the true position, whoever's turn it is.
        turns: all turns ended, those that were corrected included.
        roll: the dice that are being played, or None before the throw.
        pending: the last turn when it was wrong and nobody has answered yet.
        result: how the game ended, or None.
        rules: the facts played by.
    """

    position: Position = START
    turns: tuple[Turned, ...] = ()
    roll: Roll | None = None
    pending: Turned | None = None
    result: Result | None = None
    rules: Rules = CLASSIC

    @property
    def first(self) -> bool:
        """Whether the side to move has its first turn (§3.1)."""
        side = self.position.side
        played = any(turn.side == side and turn.stands for turn in self.turns)
        return not played and self.position.count(side, HEAD[side]) == CHECKERS

    @property
    def number(self) -> int:
        """The number of the turn to come: White's and Black's next one share it."""
        return 1 + sum(t.stands and t.side == self.position.side for t in self.turns)


def throw(state: State, dice: tuple[int, int]) -> State | Refused:
    """The side to move has thrown; a wrong turn that was pending is accepted by that (§3.3).

    Raises:
        BadRoll: when these are no dice.
    """
    if state.pending:
        accepted = accept(state)
        if isinstance(accepted, Refused):
            return accepted
        state = accepted
    if state.result:
        return Refused("the game is over", article("2.1"))
    if state.roll:
        return Refused(f"{state.roll.text} was thrown and is not played yet", article("1.7"))
    return replace(state, roll=Roll(dice, state.first))


def end_turn(state: State, after: Position) -> tuple[State, Legal[Position] | Offence] | Refused:
    """The turn was handed over (§1.8) with this on the board.

    A turn that follows a pending wrong one is its correction.
    """
    if state.pending:
        state = _corrected(state)
    if state.result:
        return Refused("the game is over", article("2.1"))
    if state.roll is None:
        return Refused(f"{NAMES[state.position.side]} has not thrown yet", article("1.5"))
    verdict = judge(state.position, after, state.roll, state.rules)
    side = state.position.side
    turned = Turned(side, state.roll, state.position, after.with_side(other(side)), verdict)
    if isinstance(verdict, Offence):
        return replace(state, pending=turned), verdict
    return _stands(state, turned), verdict


def accept(state: State) -> State | Refused:
    """The opponent takes the wrong turn as it stands (§3.3): it is the true position now."""
    if state.pending is None:
        return Refused("no wrong turn is pending", article("3.3"))
    fault = state.pending.after.fault()
    if fault:
        return Refused(f"this can't stand: {fault}", article("1.10"))
    return _stands(state, replace(state.pending, resolved="accepted"))


def demand(state: State) -> State | Refused:
    """The opponent wants the right turn (§3.3): back to the board before it, same dice."""
    if state.pending is None:
        return Refused("no wrong turn is pending", article("3.3"))
    return _corrected(state)


def take_back(state: State) -> State | Refused:
    """The last turn that stood is undone, by agreement or by the arbiter; its dice are to play."""
    if state.pending:
        return replace(state, pending=None)
    standing = [k for k, turn in enumerate(state.turns) if turn.stands]
    if not standing:
        return Refused("no turn was played")
    last = state.turns[standing[-1]]
    return replace(
        state,
        position=last.before,
        turns=state.turns[: standing[-1]],
        roll=last.roll,
        result=None,
    )


def concede(state: State, loser: Side, reason: Reason, win: Win | None = None) -> State | Refused:
    """A game that ends before the last checker is off.

    Args:
        state: the game.
        loser: the side that lost.
        reason: ``resigned``, ``time`` or ``arbiter``.
        win: what it counts; as the board stands (§4.1, §4.2) unless the players or the arbiter
            say otherwise.
    """
    if state.result:
        return Refused("the game is over", article("2.1"))
    result = Result(other(loser), win or win_against(state.position, loser), reason)
    return replace(state, result=result, roll=None, pending=None)


#: The two ways to win as players call them (§4.1, §4.2).
WINS: Mapping[Win, Said] = {"oin": Said("oin"), "mars": Said("mars")}


def win_against(position: Position, loser: Side) -> Win:
    """Oin when the loser has a checker off (§4.1), mars when he has none (§4.2)."""
    return "oin" if position.off(loser) else "mars"


def judge_claim(result: Result, claimed: Win) -> Offence | None:
    """What is wrong with a claim of oin or mars at the end of a game, if anything is."""
    if claimed == result.win:
        return None
    name, loser = NAMES[result.winner], NAMES[other(result.winner)]
    has = "has checkers off" if result.win == "oin" else "has none off"
    who: dict[str, str | int] = {
        "name": name,
        "claimed": WINS[claimed],
        "loser": loser,
        "points": result.points,
    }
    if result.win == "oin":
        message = Said(
            "{name} claimed {claimed}, but {loser} has checkers off: that is oin and counts "
            "{points}.",
            who,
        )
    else:
        message = Said(
            "{name} claimed {claimed}, but {loser} has none off: that is mars and counts {points}.",
            who,
        )
    return Offence(
        code="E1",
        kind=CODES["E1"].kind,
        article=article("4.1", "4.2"),
        squares=(),
        due=(),
        short=f"{loser} {has}: that is {result.win}. Count {result.points}.",
        message=message,
    )


def _stands(state: State, turned: Turned) -> State:
    winner = turned.after.winner()
    result = None
    if winner:
        result = Result(winner, win_against(turned.after, other(winner)), "borne-off")
    return replace(
        state,
        position=turned.after,
        turns=(*state.turns, turned),
        roll=None,
        pending=None,
        result=result,
    )


def _corrected(state: State) -> State:
    assert state.pending is not None
    turned = replace(state.pending, resolved="corrected")
    return replace(state, turns=(*state.turns, turned), pending=None)


@dataclass(frozen=True, slots=True)
class Series:
    """Several games of two players, the colours swapped each time (§1.4).

    Attributes:
        players: their names.
        target: points that win the series; 0 when none is set.
        white: which of the players has White in the game to come, None before the opening throw.
        results: each finished game with the player who had White.
    """

    players: tuple[str, str]
    target: int = 0
    white: int | None = None
    results: tuple[tuple[int, Result], ...] = ()

    @property
    def score(self) -> tuple[int, int]:
        """The points of both players."""
        points = [0, 0]
        for white, result in self.results:
            points[white if result.winner == "w" else 1 - white] += result.points
        return points[0], points[1]

    @property
    def winner(self) -> int | None:
        """The player who has reached the target, if one has."""
        if not self.target:
            return None
        return next((k for k, points in enumerate(self.score) if points >= self.target), None)

    def name(self, side: Side) -> str:
        """The player who has this colour in the game to come; empty before the opening throw."""
        if self.white is None:
            return ""
        return self.players[self.white if side == "w" else 1 - self.white]


def open_series(series: Series, one: int, two: int) -> Series | Refused:
    """Each player has thrown one die: the larger has White and begins (§1.3).

    White then throws both dice anew for the first turn.

    Raises:
        BadRoll: when a number is no die.
    """
    if series.white is not None:
        return Refused("it is settled already who begins", article("1.3"))
    white = begins(one, two)
    if white is None:
        return Refused(f"both threw {one}: throw again", article("1.3"))
    return replace(series, white=white)


def count_game(series: Series, result: Result) -> Series | Refused:
    """A game is over: its points are counted and the colours swap (§1.4)."""
    if series.white is None:
        return Refused("no game was begun")
    if series.winner is not None:
        return Refused("the series is over")
    return replace(
        series, white=1 - series.white, results=(*series.results, (series.white, result))
    )
