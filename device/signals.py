"""What the lamps and the buzzer say, as data, and the signallers by name.

One table holds every signal.  Each has a lamp (its place), a rhythm of light that no other signal
has, and one sound.  The rhythm alone is enough, so that a person who sees no colours, or a side
with one lamp that changes its colour, tells the signals apart.  A side that is told nothing shows
the steady lamp of ``READY``; a dark lamp means that the referee is off, and nothing else.

Rhythms are text, one character for each tenth of a second: ``#`` on, ``.`` off.  None flashes
more than three times in a second, the limit of WCAG 2.2 success criterion 2.3.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Literal, Protocol

from rules.said import Said

from .errors import BadConfig

if TYPE_CHECKING:
    from .pins import Pins

Side = Literal["w", "b"]
SIDES: tuple[Side, Side] = ("w", "b")

#: Length of one character of a rhythm.
STEP_NS = 100_000_000


class Signal(Enum):
    """Everything that the table can be told."""

    READY = "ready"
    LEGAL = "legal"
    ILLEGAL = "illegal"
    MISSED_CAPTURE = "missed-capture"
    LEFT_ON_BOARD = "left-on-board"
    CROWN_IT = "crown-it"
    CANNOT_SEE = "cannot-see"
    FLAG = "flag"
    RESULT = "result"
    OFF = "off"


class Lamp(Enum):
    """The places of a side's lamps; where there is one lamp only, the colours that it takes."""

    GOOD = Said("bottom, green")
    ATTEND = Said("middle, amber")
    WRONG = Said("top, red")
    ALL = Said("all three, white")
    NONE = Said("none")


@dataclass(frozen=True, slots=True)
class Pattern:
    """How one signal looks and sounds.

    Attributes:
        lamp: the place.
        once: rhythm of the light at the beginning.
        then: rhythm repeated after it until the next signal.
        sound: rhythm of the buzzer, from the beginning, once.
        meaning: what it tells, for people.
    """

    lamp: Lamp
    once: str
    then: str
    sound: str
    meaning: str


PATTERNS: dict[Signal, Pattern] = {
    Signal.READY: Pattern(Lamp.GOOD, "", "#", "#", Said("I see the board; play")),
    Signal.LEGAL: Pattern(Lamp.GOOD, "..###..", "#", "", Said("the move is legal")),
    Signal.ILLEGAL: Pattern(
        Lamp.WRONG, "", "##...", "########", Said("illegal move; put it right")
    ),
    Signal.MISSED_CAPTURE: Pattern(
        Lamp.WRONG, "", "##..##......", "##..##", Said("a capture was due and was missed")
    ),
    Signal.LEFT_ON_BOARD: Pattern(
        Lamp.WRONG,
        "",
        "##..##..##......",
        "##..##..##",
        Said("a captured man is still on the board"),
    ),
    Signal.CROWN_IT: Pattern(
        Lamp.ATTEND, "", "######..##......", "######..##", Said("the man became a king; crown it")
    ),
    Signal.CANNOT_SEE: Pattern(
        Lamp.ATTEND, "", "###############.....", "", Said("I can't see the board")
    ),
    Signal.FLAG: Pattern(
        Lamp.WRONG, "", "######..######......", "######..######", Said("the time is over")
    ),
    Signal.RESULT: Pattern(
        Lamp.ALL, "", "##..##..######......", "##..##..######", Said("the game has ended")
    ),
    Signal.OFF: Pattern(Lamp.NONE, "", ".", "", Said("the referee is off")),
}


@dataclass(frozen=True, slots=True)
class Shown:
    """What a side shows at one moment: which lamp, if any, and whether the buzzer sounds."""

    lamp: Lamp
    sound: bool


def shown_at(signal: Signal, elapsed_ns: int) -> Shown:
    """What ``signal`` shows ``elapsed_ns`` nanoseconds after it was given."""
    pattern = PATTERNS[signal]
    step = elapsed_ns // STEP_NS
    if step < len(pattern.once):
        lit = pattern.once[step] == "#"
    else:
        lit = pattern.then[(step - len(pattern.once)) % len(pattern.then)] == "#"
    return Shown(pattern.lamp if lit else Lamp.NONE, pattern.sound[step : step + 1] == "#")


class Signaller(Protocol):
    """Whatever tells the players: lamps and a buzzer, lines of text, nothing."""

    def show(self, signal: Signal, side: Side | None = None) -> None:
        """Show ``signal`` at ``side`` (None: both) in place of what was shown before.

        The other side goes back to rest.
        """

    def tick(self, now_ns: int) -> None:
        """Go on to what is due at this monotonic time; call it at least ten times a second."""

    def close(self) -> None:
        """Put everything out and let the pins go."""


class NoSignaller:
    """Says nothing: for halls where all goes to the arbiter."""

    def show(self, signal: Signal, side: Side | None = None) -> None:
        """Do nothing."""

    def tick(self, now_ns: int) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


def by_name(name: str, pins: Pins | None = None, volume: int = 100) -> Signaller:
    """The signaller called ``console``, ``gpio`` or ``none``.

    Args:
        name: which.
        pins: where the lamps are wired, for ``gpio``; None takes that of docs/wiring.md.
        volume: of the buzzer, percent.

    Raises:
        BadConfig: no signaller has this name.
        HardwareMissing: ``gpio`` without gpiozero, or on a machine without such pins.
    """
    if name == "none":
        return NoSignaller()
    if name == "console":
        from .console import ConsoleSignaller

        return ConsoleSignaller()
    if name == "gpio":
        from .gpio import GpioSignaller
        from .pins import Pins

        return GpioSignaller(pins or Pins(), volume)
    raise BadConfig(f"unknown signaller '{name}'", "--signals", "console, gpio or none")
