"""The one place through which every event goes to whoever listens: page, message broker, log.

Events are numbered from 1.  The newest are kept, so that a listener who was away for a while is
given all that he missed; one who was away for longer is told so and takes the whole state
instead.  Nothing is ever left out silently.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Json = Mapping[str, Any]

#: Events that are kept: several games' worth.
ROOM = 4096


@dataclass(frozen=True, slots=True)
class Item:
    """An event and its number."""

    number: int
    event: Json


@dataclass(frozen=True, slots=True)
class Missed:
    """So many events are no longer kept; the listener takes the whole state and goes on.

    Attributes:
        count: how many; 0 when the number he knew belongs to another run of the program.
    """

    count: int


class Broadcast:
    """Numbered events for any number of listeners, in any thread.

    Args:
        room: how many events are kept.

    Attributes:
        run: tells this run of the program from others, whose numbers mean nothing here.
    """

    def __init__(self, room: int = ROOM) -> None:
        self.run = secrets.token_hex(4)
        self._kept: deque[Item] = deque(maxlen=room)
        self._last = 0
        self._fresh = threading.Condition()
        self._bells: list[Callable[[], None]] = []

    @property
    def last(self) -> int:
        """Number of the newest event; 0 before the first."""
        with self._fresh:
            return self._last

    def publish(self, event: Json) -> int:
        """Give an event to everybody; its number.  Never waits for a listener."""
        with self._fresh:
            self._last += 1
            self._kept.append(Item(self._last, event))
            self._fresh.notify_all()
            number, bells = self._last, tuple(self._bells)
        for ring in bells:
            ring()
        return number

    def since(self, number: int) -> tuple[Item, ...] | Missed:
        """All events after ``number``, at once."""
        with self._fresh:
            return self._since(number)

    def subscribe(self, since: int | None = None) -> Subscription:
        """A place in the row of events.

        Args:
            since: number of the last event that the listener has; None to begin with the next.
        """
        return Subscription(self, self.last if since is None else since)

    def listen(self, ring: Callable[[], None]) -> Callable[[], None]:
        """Have ``ring`` called, in the publisher's thread, after each event.

        It has to be quick and must not fail.

        Returns:
            What ends it.
        """
        with self._fresh:
            self._bells.append(ring)

        def hang_up() -> None:
            with self._fresh:
                if ring in self._bells:
                    self._bells.remove(ring)

        return hang_up

    def wait(self, number: int, timeout_s: float) -> bool:
        """Wait until there is an event after ``number``; False when the time is over."""
        until = time.monotonic() + timeout_s
        with self._fresh:
            while self._last <= number:
                if not self._fresh.wait(max(0.0, until - time.monotonic())):
                    return self._last > number
            return True

    def _since(self, number: int) -> tuple[Item, ...] | Missed:
        if not 0 <= number <= self._last:
            return Missed(0)
        gone = self._last - number - len(self._kept)
        if gone > 0:
            return Missed(gone)
        count = self._last - number
        return tuple(self._kept)[len(self._kept) - count :]


class Subscription:
    """A listener's place in the row of events.

    Attributes:
        number: of the last event that was taken.
    """

    def __init__(self, broadcast: Broadcast, number: int) -> None:
        self._broadcast = broadcast
        self.number = number

    def take(self, timeout_s: float = 0.0) -> tuple[Item, ...] | Missed:
        """The events since the last call, in order; waits for one if there is none.

        After ``Missed`` the row goes on with the next event.
        """
        if timeout_s > 0.0:
            self._broadcast.wait(self.number, timeout_s)
        taken = self._broadcast.since(self.number)
        if isinstance(taken, Missed):
            self.number = self._broadcast.last
        elif taken:
            self.number = taken[-1].number
        return taken
