"""What the session knows between two inputs."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from rules.draughts import match
from rules.draughts.game import DraughtsGame
from rules.draughts.match import Match
from rules.draughts.position import Position
from vision.heal import Trace
from vision.steady import Steady

from . import clock
from .clock import Clocks
from .errors import BadConfig
from .modes import MODES
from .session_values import Setup
from .signals import Side

Phase = Literal["waiting", "playing", "offence", "taking-back", "swept", "over"]


@dataclass(frozen=True, slots=True)
class Half:
    """A board seen in the midst of a turn, that would be wrong if the turn ended with it.

    Attributes:
        code: what it would be called.
        at_ns: since when it stood.
        left: squares that pieces of the side to move have left.
        pieces: how many stood on the board.
        gone: squares that pieces of the other side had left.
        capturing: whether it may have been a capture in the making.
    """

    code: str
    at_ns: int
    left: tuple[int, ...]
    pieces: int
    gone: tuple[int, ...] = ()
    capturing: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """The whole of it.

    Attributes:
        setup: what was settled before the first frame.
        phase: waiting for the first position, playing, offence pending, swept, over.
        match: the game: where it began, what was played, what is pending, how it ended.
        turns: quarter turns from camera order to White's view; None before the start.
        steady: percepts of the present scene.
        doubts: (square, colour) read where something else was known to stand.
        strays: cells off the playing squares on which something was seen all along.
        marks: whether marks of kings were seen on this set; None while unknown.
        crowns: scenes in a row in which every king that could be read showed its mark.
        good: scenes in a row that were understood without a square that read wrongly.
        proven: squares that were read rightly and surely in the last scene that was understood.
        passed: cells, as in a percept, that a hand has hidden since then.
        began_ns: time of the first input; -1 before it.
        covered_ns, lost_ns: since when; -1 when not.
        cover_told, lost_told: whether that was said.
        still, hidden: numbers of the last frame of a scene that was understood, and of the last one
            with a hand over the board; -1 before there is one.
        adrift: a board that no move explains, but that is clear in itself.
        done_ns: beginning of the scene that needs no more thought; -1 for none.
        moved_ns, stood_ns: beginning of the scene that the last move was read from, and the last
            time that the board stood as it then did.
        unread: doubts told since the last scene that was understood.
        odd, odd_ns: squares that stood against the likeliest explanation of the last doubtful
            scene, and when that scene began.
        told, told_ns: the last doubt that was said and when, so that none is said over and over.
        paused: nothing is judged until somebody says so.
        aside: the board that stood when moves were taken back in words; None once it is put back.
        joining: a board read for joining a running game, that waits for who is to move.
        clocks: our own; None without.
        pressed: who pressed his clock last and when, until a scene was looked at for it.
        held: buttons that are down, and since when.
        ticked_ns: when the clocks were last written down.
        trail: the scenes of the last moves, to read them anew.
        reread_ns: beginning of the scene that this was tried for, and whether for good.
        back: so many moves taken back unseen are tried next for that scene.
        half: what was seen of this turn in between.
        arms: frames since the board was last understood that showed two arms of White, of Black.
    """

    setup: Setup
    phase: Phase
    match: Match
    turns: int | None = None
    steady: Steady = field(default_factory=Steady)
    doubts: tuple[tuple[int, int], ...] = ()
    strays: tuple[tuple[int, int], ...] = ()
    marks: bool | None = None
    crowns: int = 0
    good: int = 0
    proven: frozenset[int] = frozenset()
    passed: frozenset[int] = frozenset()
    began_ns: int = -1
    covered_ns: int = -1
    lost_ns: int = -1
    cover_told: bool = False
    lost_told: bool = False
    still: int = -1
    hidden: int = -1
    adrift: Position | None = None
    done_ns: int = -1
    moved_ns: int = -1
    stood_ns: int = -1
    unread: int = 0
    odd: tuple[int, ...] = ()
    odd_ns: int = -1
    told: str = ""
    told_ns: int = 0
    paused: bool = False
    aside: Position | None = None
    joining: Position | None = None
    clocks: Clocks | None = None
    pressed: tuple[Side, int] | None = None
    held: tuple[tuple[str, int], ...] = ()
    ticked_ns: int = 0
    trail: tuple[Trace, ...] = ()
    reread_ns: tuple[int, bool] = (-1, False)
    back: int = 1
    half: tuple[Half, ...] = ()
    arms: tuple[int, int] = (0, 0)

    @property
    def game(self) -> DraughtsGame:
        """The rules."""
        return self.match.game

    @property
    def position(self) -> Position:
        """What is confirmed."""
        return self.match.position


@lru_cache(maxsize=8)
def game_of(name: str) -> DraughtsGame:
    """The draughts game of that name, made once."""
    return DraughtsGame.by_name(name)


def begin(setup: Setup) -> State:
    """The state before the first frame.

    Raises:
        UnknownGame: no draughts game of that name.
        BadPosition: the first position can't be read.
        BadConfig: no mode of that name, or no time control.
    """
    if setup.mode not in MODES:
        raise BadConfig(f"no mode '{setup.mode}'", "mode", f"one of {', '.join(MODES)}")
    game = game_of(setup.game)
    first = game.read(setup.fen) if setup.fen else game.start()
    marks = {"auto": None, "marked": True, "unmarked": False}[setup.kings]
    board = match.begin(game, first, marks_kings=bool(marks))
    return State(setup, "waiting", board, marks=marks, clocks=clocks_of(setup))


def clocks_of(setup: Setup) -> Clocks | None:
    """Our clocks before the first move, if ours are used.

    Raises:
        BadConfig: no time control.
    """
    ours = setup.clock not in ("", "club")
    return clock.begin(clock.control_of(setup.clock)) if ours else None
