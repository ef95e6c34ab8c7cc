"""Buttons, read often: a thread that hands every press on while the eyes are busy with a frame."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from .buttons import Buttons, Press
from .hardware import Clock
from .power import LongPress

log = logging.getLogger(__name__)

#: Two hundred times a second: a contact that bounces for 20 ms is seen four times meanwhile.
EVERY_S = 0.005


class Pressing:
    """Reads buttons by itself.

    Args:
        buttons: they are closed with this.
        clock: monotonic time.
        take: is given each press and release, in the reader's thread; it has to be quick.
        long: a button that means something else when it is held.
        held: called once for each such long press.
    """

    def __init__(
        self,
        buttons: Buttons,
        clock: Clock,
        take: Callable[[Press], None],
        long: LongPress | None = None,
        held: Callable[[], None] = lambda: None,
    ) -> None:
        self._buttons = buttons
        self._clock = clock
        self._take = take
        self._long = long
        self._held = held
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="buttons", daemon=True)

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def look(self) -> None:
        """Read once; the thread does that."""
        now_ns = self._clock.now_ns()
        presses = self._buttons.poll(now_ns)
        for press in presses:
            self._take(press)
        if self._long is not None and self._long.update(presses, now_ns):
            self._held()

    def close(self) -> None:
        """Stop reading and let the pins go."""
        self._closed.set()
        if self._thread.is_alive():
            self._thread.join()
        self._buttons.close()

    def _run(self) -> None:
        while not self._closed.wait(EVERY_S):
            try:
                self.look()
            except Exception:  # one bad press must not make all buttons dead
                log.exception("what=button")
