"""What every match shares, whatever the game: how it ended, sanctions, and series of games.

Articles S0 are those of the Kazakh rules for Italian draughts, whose conduct rules serve all games.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

Side = Literal["w", "b"]

#: How a game ended: the winner, a draw, both lost (S0 10.1), or annulled and to be replayed (9.1).
Ending = Literal["w", "b", "draw", "both-lost", "annulled"]

#: Who decides: an arbiter, or the chief arbiter for loss and exclusion (S0 10.2).
Role = Literal["opponent", "arbiter", "chief-arbiter"]

#: S0 10.1, mildest first.
Measure = Literal[
    "warning", "repeated-warning", "reprimand", "loss", "loss-of-both", "exclusion", "none"
]
MEASURES: tuple[Measure, ...] = (
    "warning",
    "repeated-warning",
    "reprimand",
    "loss",
    "loss-of-both",
    "exclusion",
)
#: S0 10.2: only the chief arbiter gives these.
CHIEF_ONLY: frozenset[Measure] = frozenset(("loss", "loss-of-both", "exclusion"))


def opponent_of(side: Side) -> Side:
    """The other side."""
    return "b" if side == "w" else "w"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended, and why.

    Attributes:
        ending: who won, or how else it ended.
        reason: ``no-moves``, ``resigned``, ``time``, ``agreed``, ... or the id of a draw rule.
        article: the rulebook article as players know it.
        text: the reason in a few words.
    """

    ending: Ending
    reason: str
    article: str
    text: str


@dataclass(frozen=True, slots=True)
class Refused:
    """An answer that something can't be done now, and why."""

    what: str
    article: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """One line of a game's log: something done or said that no move shows.

    Attributes:
        ply: how many plies had been made.
        side: who did it; None when nobody, or the arbiter.
        code: an offence (``O14``) or a word (``put-right``).
        article: the rulebook article; may be empty.
        text: one sentence for a person.
    """

    ply: int
    side: Side | None
    code: str
    article: str
    text: str


# ------------------------------------------------------------------ sanctions


@dataclass(frozen=True, slots=True)
class Sanction:
    """A breach of the rules and what could follow.  It is proposed; a person imposes it.

    Attributes:
        ply: how many plies had been made.
        side: who broke the rules.
        code: the offence.
        article: its article.
        proposed: the measure that the log suggests.
        decided: the measure given, ``none`` if let off, None while nobody has decided.
        by: who decided.
    """

    ply: int
    side: Side
    code: str
    article: str
    proposed: Measure
    decided: Measure | None = None
    by: Role | None = None


Sanctions = tuple[Sanction, ...]


def propose(log: Sanctions, ply: int, side: Side, code: str, article: str) -> Sanctions:
    """The log with one more breach.

    The first of a side suggests a warning, then a repeated warning, then a reprimand, then loss
    (S0 10.1 in its order).  Exclusion is for refusing the rules: see `propose_exclusion`.
    """
    earlier = sum(entry.side == side and entry.decided != "none" for entry in log)
    measure = MEASURES[min(earlier, MEASURES.index("loss"))]
    return (*log, Sanction(ply, side, code, article, measure))


def propose_exclusion(log: Sanctions, ply: int, side: Side) -> Sanctions:
    """The log with a refusal to keep the rules (S0 9.8, 10.3)."""
    return (*log, Sanction(ply, side, "refusal", "S0 10.3", "exclusion"))


def decide(log: Sanctions, index: int, measure: Measure, by: Role) -> Sanctions | Refused:
    """The log with the arbiter's decision on one entry; ``none`` lets the player off."""
    if not 0 <= index < len(log):
        return Refused(f"the log has no entry {index}")
    if by == "opponent":
        return Refused("an opponent gives no sanctions", "S0 10.1")
    if measure in CHIEF_ONLY and by != "chief-arbiter":
        return Refused("loss and exclusion are for the chief arbiter", "S0 10.2")
    entry = replace(log[index], decided=measure, by=by)
    return (*log[:index], entry, *log[index + 1 :])


# ------------------------------------------------------------------ series


@dataclass(frozen=True, slots=True)
class Scoring:
    """Points for a win, a draw and a loss."""

    win: Fraction
    draw: Fraction
    loss: Fraction = Fraction(0)


#: The international way, 2-1-0.
TWO_POINTS = Scoring(Fraction(2), Fraction(1))
#: 1, a half, 0.
ONE_POINT = Scoring(Fraction(1), Fraction(1, 2))


@dataclass(frozen=True, slots=True)
class Played:
    """One game of a series: who had White, and how it ended."""

    white: str
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Series:
    """Games between two players, who change colours after each game that counts.

    Attributes:
        players: two names; the first has White in the first game.
        scoring: the points.
        games: what was played, annulled games too.
    """

    players: tuple[str, str]
    scoring: Scoring = TWO_POINTS
    games: tuple[Played, ...] = ()

    @property
    def counted(self) -> tuple[Played, ...]:
        """The games that count; an annulled one is replayed with the same colours (S0 9.1)."""
        return tuple(game for game in self.games if game.outcome.ending != "annulled")

    @property
    def white(self) -> str:
        """Who has White in the next game."""
        return self.players[len(self.counted) % 2]

    @property
    def black(self) -> str:
        """Who has Black in the next game."""
        return self.players[(len(self.counted) + 1) % 2]

    def with_game(self, outcome: Outcome) -> Series:
        """The series after one more game."""
        return replace(self, games=(*self.games, Played(self.white, outcome)))

    @property
    def score(self) -> tuple[Fraction, Fraction]:
        """Points of the two players, in their order."""
        first = sum((self._points(game, self.players[0]) for game in self.counted), Fraction(0))
        second = sum((self._points(game, self.players[1]) for game in self.counted), Fraction(0))
        return first, second

    def _points(self, game: Played, player: str) -> Fraction:
        ending = game.outcome.ending
        if ending == "draw":
            return self.scoring.draw
        side: Side = "w" if game.white == player else "b"
        return self.scoring.win if ending == side else self.scoring.loss


def points_text(points: Fraction) -> str:
    """Points as players write them: ``3``, ``2½``, ``½``."""
    whole, half = divmod(points, 1)
    if not half:
        return str(whole)
    return f"{whole or ''}½" if half == Fraction(1, 2) else str(points)
