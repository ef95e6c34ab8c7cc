"""The dice: a roll, the 21 rolls there are, and who begins (§1.1, §1.3, §3.2)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..errors import RulesError

FACES = 6
#: A double is played as if so many dice had been thrown (§3.2).
DOUBLE_PLAYS = 4


class BadRoll(RulesError):
    """Dice that can't have been thrown."""


@dataclass(frozen=True, slots=True)
class Roll:
    """Two dice of one throw.

    Attributes:
        dice: the two numbers; kept with the larger first, whatever order they came in.
        first: this is the side's first turn of the game (§3.1).

    Raises:
        BadRoll: when these are not two numbers 1..6.
    """

    dice: tuple[int, int]
    first: bool = False

    def __post_init__(self) -> None:
        dice = tuple(self.dice)
        if len(dice) != 2 or any(type(d) is not int or not 1 <= d <= FACES for d in dice):
            raise BadRoll(f"dice {list(dice)!r}", "dice", f"two numbers 1..{FACES}")
        object.__setattr__(self, "dice", (max(dice), min(dice)))

    @classmethod
    def read(cls, text: str, first: bool = False) -> Roll:
        """The roll written as ``6-5``, ``6 5``, ``6,5`` or ``65``.

        Raises:
            BadRoll: when the text is none of these.
        """
        match = re.fullmatch(r"([0-9])[-,: ]{0,3}([0-9])", text.strip())
        if not match:
            raise BadRoll(f"dice {text[:20]!r}", "dice", "two numbers such as 6-5")
        return cls((int(match[1]), int(match[2])), first)

    @property
    def double(self) -> bool:
        """Whether both dice show the same number."""
        return self.dice[0] == self.dice[1]

    @property
    def to_play(self) -> tuple[int, ...]:
        """The numbers to be played, larger first: two, or four on a double."""
        return (self.dice[0],) * DOUBLE_PLAYS if self.double else self.dice

    @property
    def text(self) -> str:
        """``6-5``, the larger first."""
        return f"{self.dice[0]}-{self.dice[1]}"


#: The 21 rolls, the order of the dice set aside.
ROLLS = tuple((a, b) for a in range(1, FACES + 1) for b in range(1, a + 1))


def begins(one: int, two: int) -> int | None:
    """Who plays White and begins, when each player has thrown one die (§1.3).

    Returns:
        0 for the player of the first number, 1 for the other, None when both throw again.

    Raises:
        BadRoll: when a number is not 1..6.
    """
    Roll((one, two))
    if one == two:
        return None
    return 0 if one > two else 1
