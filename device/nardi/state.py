"""What the session of a nardi game knows between two inputs."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from rules.nardi import match
from rules.nardi.board import START, Position, Side
from rules.nardi.conduct import BadThrow, Touched
from rules.nardi.dice import Roll
from rules.nardi.events import Event
from rules.nardi.facts import SETTINGS, Rules, rules_by
from rules.nardi.game import NardiGame
from vision.nardi.infer import Played, Question
from vision.nardi.steady import Dice, DiceSteady, Scene, Steady

from ..errors import BadConfig
from ..session_values import Setup

#: ``opening``: one die each decides who begins, or White throws at once.
Phase = Literal["waiting", "opening", "playing", "offence", "over"]

#: How a turn came to its end: the button, the dice picked up, or thrown by the other side.
How = Literal["press", "gone", "thrown"]

#: Why a throw is not counted: it doesn't count (§1.6), or a die of it can't be read.
Uncounted = BadThrow | Literal["unread"]

#: The last turns of a game as they may have been: each roll, and the board after it.
History = tuple[tuple[Roll, Position], ...]

#: A club setting of the dice: whether a throw over both halves counts.
SPLIT = ("rethrow", "counts")


@dataclass(frozen=True, slots=True)
class Closing:
    """The turn is over, and what stands must be understood now.

    Attributes:
        how: by what.
        at_ns: since when.
        dice: the throw of the other side, if that ended it.
        later: a throw after that one, by which the other side's turn ended as well.
        hasty: throws came faster than turns were understood, so one may have been missed.
    """

    how: How
    at_ns: int
    dice: Dice = ()
    later: Dice = ()
    hasty: bool = False


@dataclass(frozen=True, slots=True)
class Search:
    """How far the turn that nobody saw was looked for, some rolls a scene.

    Attributes:
        before: the board before it.
        since_ns: beginning of the scene in which it is looked for.
        place: so many lots of rolls were looked through.
        found: turns that lead to what stood then.
    """

    before: Position
    since_ns: int
    place: int = 0
    found: tuple[tuple[Roll, Played], ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """The whole of it.

    Attributes:
        setup: what was settled before the first frame.
        phase: see `Phase`; ``offence`` while one is pending.
        game: the game: what stands, the roll, the turns, what is pending, the result.
        way: how the board lies, an index of ``POINTS_OF``; None before the start.
        log: the record so far, the header left out.
        steady, dice: percepts of the present scene, and dice of the last frames.
        scene: the last steady scene.
        lying: dice at rest as they were read last.
        thrown: the dice of the roll that is being played, as they lie now.
        ended: dice of an earlier throw that still lie about.
        single: one die of the opening throw.
        opening: dice of the opening throw, while White has not thrown.
        rolled_ns: when the roll that is being played was thrown.
        bad: why the throw that lies there is not counted; None when none lies there.
        bad_since_ns: since when.
        closing: the turn is over.
        held: a throw of the other side that waits for a wrong turn to be put right.
        missing_ns: since when one die of the roll is not seen; -1 when both are.
        disturbed_ns: when a hand was last over the board, or something moved.
        touched: what was done to a die during this turn.
        remark: an offence that is told and leaves the game as it is: its code.
        tentative: the legal turn that stood in the last scene.
        rivals: the last turns as they may have been as well, each from where the record goes on.
        asked: what a person was asked last.
        answers: (point, side, count) as a person gave them for this turn.
        doubts: (point, side, count) read where something else was known to stand.
        offsets: ((point, side), checkers) by which tall stacks read too high.
        began_ns: time of the first input; -1 before it.
        covered_ns, lost_ns: since when; -1 when not.
        cover_told, lost_told: whether that was said.
        told, told_ns: the last doubt that was said and when.
        quiet: what was said quietly last, so that it is not said over and over.
        paused: nothing is judged.
        still: number of the frame in which the board before the turn was understood last.
        fit: a confirmed board that was seen to stand, and when last.
        lain_ns: since when the dice of the throw that is being played lie there.
        agree, differ: readings of the dice as the roll says, and sure ones of something else.
        both_ns: when both dice of the roll were seen last.
        skipped: a throw that could not be read was not played: by whom the next one is, who knows.
        guessed: the last turn was taken from the board, without its throw.
        search: how far a turn of which nobody saw the throw was looked for.
        known: pips of the dice that lay there then, until dice are seen again.
    """

    setup: Setup
    phase: Phase
    game: match.State
    way: int | None = None
    log: tuple[Event, ...] = ()
    steady: Steady = field(default_factory=Steady)
    dice: DiceSteady = field(default_factory=DiceSteady)
    scene: Scene | None = None
    lying: Dice = ()
    thrown: Dice = ()
    ended: Dice = ()
    single: Dice = ()
    opening: Dice = ()
    rolled_ns: int = -1
    bad: Uncounted | None = None
    bad_since_ns: int = -1
    closing: Closing | None = None
    held: Dice = ()
    missing_ns: int = -1
    disturbed_ns: int = -1
    touched: Touched | None = None
    remark: str = ""
    tentative: Played | None = None
    rivals: tuple[History, ...] = ()
    asked: Question | None = None
    answers: tuple[tuple[int, Side, int], ...] = ()
    doubts: tuple[tuple[int, Side, int], ...] = ()
    offsets: tuple[tuple[tuple[int, Side], int], ...] = ()
    began_ns: int = -1
    covered_ns: int = -1
    lost_ns: int = -1
    cover_told: bool = False
    lost_told: bool = False
    told: str = ""
    told_ns: int = 0
    quiet: str = ""
    paused: bool = False
    still: int = -1
    fit: tuple[Position, int] | None = None
    lain_ns: int = -1
    agree: int = 0
    differ: int = 0
    both_ns: int = -1
    skipped: bool = False
    guessed: bool = False
    search: Search | None = None
    known: tuple[int, ...] = ()

    @property
    def position(self) -> Position:
        """What is confirmed, with the side to move."""
        return self.game.position

    @property
    def side(self) -> Side:
        """Whose turn it is."""
        return self.game.position.side

    @property
    def clear(self) -> bool:
        """Whether the board stood as confirmed beside the dice: what changed, this turn did."""
        return self.fit is not None and self.fit[0] == self.position and self.fit[1] >= self.lain_ns

    @property
    def settled(self) -> bool:
        """Whether every picture shows a settled board."""
        return self.setup.settled

    @property
    def split_counts(self) -> bool:
        """Whether a throw over both halves counts here."""
        return _settings(self.setup.rules)[1] == "counts"


NARDI = NardiGame()


def begin(setup: Setup) -> State:
    """The state before the first frame.

    Raises:
        BadPosition: the first position can't be read, or is none of the game.
        BadConfig, BadSetting: a club setting that there is not.
    """
    rules, _ = _settings(setup.rules)
    first = NARDI.read(setup.fen) if setup.fen else START
    if first.fault():
        raise BadConfig(first.fault(), "--fen", "15 checkers a side and one colour a point")
    return State(setup, "waiting", match.State(first, rules=rules))


@lru_cache(maxsize=8)
def _settings(text: str) -> tuple[Rules, str]:
    """The club's reading of the rules, and what it does with split throws."""
    given: dict[str, str] = {}
    for word in text.split():
        name, _, value = word.partition("=")
        given[name] = value
    split = given.pop("split", SPLIT[0])
    if split not in SPLIT:
        raise BadConfig(f"split={split}", "rules", f"one of {', '.join(SPLIT)}")
    return rules_by(given), split


def settings_of(text: str) -> dict[str, str]:
    """The settings that the record's header names."""
    words = dict(word.partition("=")[::2] for word in text.split())
    return {name: value for name, value in words.items() if name in SETTINGS}
