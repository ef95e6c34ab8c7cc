"""Signals as lines of text, for a machine without lamps."""

from __future__ import annotations

import sys
from typing import TextIO

from .signals import PATTERNS, Side, Signal

_WHO: dict[Side | None, str] = {"w": "White", "b": "Black", None: "Both"}


class ConsoleSignaller:
    """Writes one line for each signal.

    Args:
        stream: where to; None is standard error, since standard output may hold JSON lines.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr

    def show(self, signal: Signal, side: Side | None = None) -> None:
        """Write the signal, whom it is for, and what it means."""
        line = f"[{signal.value}] {_WHO[side]}: {PATTERNS[signal].meaning}\n"
        self._stream.write(line)
        self._stream.flush()

    def tick(self, now_ns: int) -> None:
        """A line has no rhythm."""

    def close(self) -> None:
        """The stream belongs to somebody else."""
