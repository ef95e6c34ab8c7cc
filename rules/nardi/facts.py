"""The facts of Long Nardi that could be otherwise, each with its paragraph.

The paragraphs are those of the common "official rules", which players cite by number.  Where
clubs read them differently the fact is a setting; the defaults are the paragraphs' own words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, get_args

from ..errors import RulesError

BlockTiming = Literal["each", "end"]
BlockSavedBy = Literal["path", "home"]

#: Six opposing points in front of a checker lock it (§3.5); building them is limited by §3.4.
BLOCK_POINTS = 6


@dataclass(frozen=True, slots=True)
class HeadException:
    """When a second checker may leave the head on a side's first turn (§3.1).

    Attributes:
        doubles: the doubles that allow it.
        only_opposing_head: whether nothing but the opposing head may be in the first one's way.
    """

    doubles: frozenset[int]
    only_opposing_head: bool


_CLASSIC = frozenset({6, 4, 3})
#: The readings of §3.1 by name; ``seed`` is the paragraph with its two notes.
HEAD_EXCEPTIONS: Mapping[str, HeadException] = {
    "seed": HeadException(_CLASSIC, only_opposing_head=True),
    "always": HeadException(_CLASSIC, only_opposing_head=False),
    "anydouble": HeadException(frozenset(range(1, 7)), only_opposing_head=False),
    "never": HeadException(frozenset(), only_opposing_head=False),
}


@dataclass(frozen=True, slots=True)
class Rules:
    """The facts by which turns are played.

    Attributes:
        head_limit: checkers that may leave the head in a turn (§1.2).
        head_limit_first: the same on a first turn that `head_exception` covers (§3.1).
        head_exception: when that is (§3.1); a club setting, see `HEAD_EXCEPTIONS`.
        full_move: as many dice as possible must be played (§1.10).
        larger_die: when either die can be played but not both, the larger must be (§3.7).
        block_points: so many adjacent points lock the opponent (§3.4, §3.5).
        block_timing: ``each``: no half-move may make a locking block, not even in passing
            (§3.4); ``end``: only the end of the turn counts.  A club setting.
        block_saved_by: ``path``: an opposing checker further along its own path than the block
            makes it fair (§3.4); ``home``: only one in its home does.  A club setting.
        block_may_stand: a locking block that stood when the turn began (accepted by the
            opponent, §3.3) is not this turn's offence.
        off_needs_all_home: no checker is borne off while an own one is outside the home (§2.2).
        off_same_turn: the rest of the roll that brought the last one home may bear off (§2.2).
        off_larger_from_rearmost: a larger number than needed takes a checker only from the
            rearmost occupied point (§3.9).
    """

    head_limit: int = 1
    head_limit_first: int = 2
    head_exception: HeadException = HEAD_EXCEPTIONS["seed"]
    full_move: bool = True
    larger_die: bool = True
    block_points: int = BLOCK_POINTS
    block_timing: BlockTiming = "each"
    block_saved_by: BlockSavedBy = "path"
    block_may_stand: bool = True
    off_needs_all_home: bool = True
    off_same_turn: bool = True
    off_larger_from_rearmost: bool = True


#: The paragraphs as they are written.
CLASSIC = Rules()

_TIMINGS: Mapping[str, BlockTiming] = {timing: timing for timing in get_args(BlockTiming)}
_SAVIOURS: Mapping[str, BlockSavedBy] = {saviour: saviour for saviour in get_args(BlockSavedBy)}
#: The settings of a club by name, with the words that each takes, the classic one in front.
SETTINGS: Mapping[str, tuple[str, ...]] = {
    "block_timing": tuple(_TIMINGS),
    "block_saved_by": tuple(_SAVIOURS),
    "head_exception": tuple(HEAD_EXCEPTIONS),
}


class BadSetting(RulesError):
    """A club setting that there is not."""


def rules_by(settings: Mapping[str, str]) -> Rules:
    """The rules with a club's settings; what is not named is classic.

    Raises:
        BadSetting: for a name or a word that there is not.
    """
    for name, word in settings.items():
        if name not in SETTINGS:
            raise BadSetting(f"setting {name[:20]!r}", "rules", f"one of {', '.join(SETTINGS)}")
        if word not in SETTINGS[name]:
            words = ", ".join(SETTINGS[name])
            raise BadSetting(f"{name} {word[:20]!r}", "rules", f"one of {words}")
    words_of = {name: settings.get(name, words[0]) for name, words in SETTINGS.items()}
    return replace(
        CLASSIC,
        block_timing=_TIMINGS[words_of["block_timing"]],
        block_saved_by=_SAVIOURS[words_of["block_saved_by"]],
        head_exception=HEAD_EXCEPTIONS[words_of["head_exception"]],
    )


#: What players call the rulebook; paragraphs follow it.
RULEBOOK = "Long Nardi"


def article(*paragraphs: str) -> str:
    """Paragraphs as players cite them: ``Long Nardi §1.2; §3.1``."""
    return f"{RULEBOOK} {'; '.join('§' + paragraph for paragraph in paragraphs)}"


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of wrong turn: its name in words and the paragraphs that it breaks."""

    kind: str
    paragraphs: tuple[str, ...]

    @property
    def article(self) -> str:
        """``Long Nardi §1.2; §3.1``."""
        return article(*self.paragraphs)


#: The wrong turns that can be told from two positions and the dice.
CODES: Mapping[str, Code] = {
    "M1": Code("wrong-way", ("1.9",)),
    "M2": Code("wrong-distance", ("1.10", "3.1", "3.2")),
    "M3": Code("on-opponent", ("1.10", "3.7")),
    "M4": Code("head", ("1.2", "3.1")),
    "M5": Code("six-block", ("3.4",)),
    "M6": Code("incomplete", ("1.10", "3.7")),
    "M7": Code("smaller-die", ("3.7",)),
    "M8": Code("one-die-only", ("1.10",)),
    "B1": Code("bore-off-early", ("2.2",)),
    "B2": Code("bore-off-low", ("3.8", "3.9")),
    "B3": Code("count", ("2.2",)),
    "P5": Code("opponents-checker", ("1.1",)),
    "E1": Code("game-over", ("2.1", "4.1", "4.2")),
}
