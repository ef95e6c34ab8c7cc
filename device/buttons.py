"""Buttons: what was pressed, told once for each press although the contacts bounce."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

Name = Literal["clock_white", "clock_black", "arbiter"]

#: Contacts of good push buttons settle within 10 ms; worn ones take longer.
STABLE_NS = 20_000_000


@dataclass(frozen=True, slots=True)
class Press:
    """One button went down or came up.

    Attributes:
        button: which.
        down: True when it was pressed, False when it was let go.
        at_ns: monotonic time at which the contact first moved.
    """

    button: Name
    down: bool
    at_ns: int


class Buttons(Protocol):
    """Whatever the players and the arbiter press."""

    def poll(self, now_ns: int) -> tuple[Press, ...]:
        """Presses and releases since the last call; call it at least a hundred times a second."""

    def close(self) -> None:
        """Let the pins go."""


class NoButtons:
    """A table without buttons."""

    def poll(self, now_ns: int) -> tuple[Press, ...]:
        """Nothing was pressed."""
        return ()

    def close(self) -> None:
        """Do nothing."""


class Debouncer:
    """Believes a contact when it has stood still for ``stable_ns``.

    The time told is that of the first contact, so that waiting costs a player nothing on the
    clock.  A glitch that goes back before it is believed is forgotten.
    """

    def __init__(self, stable_ns: int = STABLE_NS) -> None:
        self._stable_ns = stable_ns
        self._level = False
        self._raw = False
        self._left_ns: int | None = None
        self._edge_ns = 0

    def update(self, level: bool, now_ns: int) -> int | None:
        """Take the contact's level now (True: closed); the time of a change when it is believed."""
        if level != self._raw:
            self._raw = level
            self._edge_ns = now_ns
            if self._left_ns is None and level != self._level:
                self._left_ns = now_ns
        if now_ns - self._edge_ns < self._stable_ns or self._left_ns is None:
            return None
        left_ns, self._left_ns = self._left_ns, None
        if self._raw == self._level:
            return None
        self._level = self._raw
        return left_ns
