"""Time for the lamps: a thread that keeps their rhythm while the eyes are busy with a frame."""

from __future__ import annotations

import threading

from .hardware import Clock
from .signals import Side, Signal, Signaller

#: Ten times a second is what rhythms need; twice as often keeps their edges even.
EVERY_S = 0.05


class Ticking:
    """A signaller whose rhythm goes on by itself.

    Args:
        inner: the signaller; it is closed with this one.
        clock: monotonic time.
    """

    def __init__(self, inner: Signaller, clock: Clock) -> None:
        self._inner = inner
        self._clock = clock
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lamps", daemon=True)
        self._thread.start()

    def show(self, signal: Signal, side: Side | None = None) -> None:
        """Show ``signal`` at ``side``."""
        with self._lock:
            self._inner.show(signal, side)

    def tick(self, now_ns: int) -> None:
        """The thread does that."""

    def close(self) -> None:
        """Stop the rhythm, put everything out."""
        self._closed.set()
        self._thread.join()
        self._inner.close()

    def _run(self) -> None:
        while not self._closed.wait(EVERY_S):
            with self._lock:
                self._inner.tick(self._clock.now_ns())
