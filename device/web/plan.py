"""What is settled about a game before it begins, as the set-up page or the command line says it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any, Literal, cast, get_args

from rules.games import NAMES, by_name

from ..clock import control_of
from ..errors import BadConfig
from ..session_values import Setup

Edge = Literal["", "bottom", "top", "left", "right"]
ModeName = Literal["home", "club", "tournament"]
Kings = Literal["auto", "marked", "unmarked"]

#: Longest name of a player or a tournament.
LONGEST = 60


@dataclass(frozen=True, slots=True)
class Plan:
    """A game that is to be watched.

    Attributes:
        game: its name.
        fen: the first position; empty for the game's own start.
        mode: name of a row of `device.modes`.
        clock: empty for none, ``club`` for the club's own, else a control of ours.
        white, black, event: names for the record; may be empty.
        white_at: edge of the picture at which White sits; empty to find out.
        kings: whether kings are marked.
        date: of the game, ``2026-11-30``, from a person; empty for what the machine knows.
    """

    game: str
    fen: str = ""
    mode: ModeName = "home"
    clock: str = ""
    white: str = ""
    black: str = ""
    event: str = ""
    white_at: Edge = ""
    kings: Kings = "auto"
    date: str = ""

    def setup(self, settled: bool = False, alarms: bool = True) -> Setup:
        """The same for the session."""
        return Setup(
            self.game,
            self.fen,
            self.white_at,
            settled,
            self.kings,
            alarms,
            mode=self.mode,
            clock=self.clock,
        )

    def tags(self) -> dict[str, str]:
        """What the record says of it, unknown things left out."""
        dated = self.date.replace("-", ".")
        named = {"Date": dated, "Event": self.event, "White": self.white, "Black": self.black}
        return {name: value for name, value in named.items() if value}


def plan_from(row: dict[str, Any]) -> Plan:
    """A plan from what somebody typed.

    Raises:
        ToreshiError: a game, position or choice that there is not, or a name that is too long.
    """
    unknown = sorted(set(row) - set(Plan.__dataclass_fields__))
    if unknown:
        raise BadConfig(f"setting {unknown[0]!r:.40}", "game", "settings of a game")
    for key, value in row.items():
        if not isinstance(value, str) or len(value) > (1000 if key == "fen" else LONGEST):
            raise BadConfig(f"{key} {value!r:.40}", "game", f"at most {LONGEST} characters")
        if not value.isprintable():
            raise BadConfig(f"{key} {value!r:.40}", "game", "one line of text")
    if row.get("game") not in NAMES:
        raise BadConfig(f"game {row.get('game')!r:.40}", "game", f"one of {', '.join(NAMES)}")
    plan = Plan(**{key: value.strip() for key, value in row.items()})
    _one_of(plan.mode, get_args(ModeName), "mode")
    _one_of(plan.white_at, get_args(Edge), "white_at")
    _one_of(plan.kings, get_args(Kings), "kings")
    if plan.date:
        _date(plan.date)
    if plan.clock not in ("", "club"):
        control_of(plan.clock)
    if plan.fen:
        cast("Any", by_name(plan.game)).read(plan.fen)
    return plan


def _date(value: str) -> None:
    try:
        written = date.fromisoformat(value).isoformat()
    except ValueError:
        written = ""
    if written != value:
        raise BadConfig(f"date {value!r:.40}", "game", "year-month-day, 2026-11-30")


def _one_of(value: str, allowed: tuple[str, ...], what: str) -> None:
    if value not in allowed:
        names = ", ".join(name for name in allowed if name)
        raise BadConfig(f"{what} {value!r:.40}", "game", f"one of {names}")
