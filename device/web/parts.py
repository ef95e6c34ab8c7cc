"""What a table is made of, and what it gives out."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from vision.calibrate import Refusal
from vision.errors import BadPicture
from vision.frame import Frame
from vision.percept import Percept

from ..session_values import Json
from ..source import Source
from .plan import Plan

#: What a set taught; each kind of eyes has its own.
Learned = Any


class Eyes(Protocol):
    """What turns frames into percepts and learns a set."""

    def see(self, frame: Frame) -> Percept:
        """What one frame says."""

    def learn(self, grid: tuple[str, ...]) -> None:
        """Take in contents that the game has confirmed."""

    def calibrate(self, frame: Frame) -> Learned | Refusal:
        """Learn from a frame with the start position."""


class Running(Protocol):
    """A game that is being watched: `device.app.Watch` and its like."""

    folder: Path
    state: Any

    def look(self, frame: Frame | BadPicture) -> None:
        """Take one frame."""

    def feed(self, given: Any) -> None:
        """Take one input that is no frame."""

    def finish(self) -> None:
        """There are no more pictures."""

    def close(self) -> None:
        """Let files and lamps go."""


class Makes(Protocol):
    """How the parts of a table are made; the real ones, or a test's."""

    def camera(self) -> Source:
        """The source, opened anew."""

    def eyes(self, plan: Plan, corners: list[list[float]] | None) -> Eyes:
        """Eyes for a game's board; corners as a person gave them."""

    def watch(
        self, plan: Plan, eyes: Eyes, settled: bool, publish: Callable[[Json], None]
    ) -> Running:
        """A referee of a new game, in a folder of its own."""

    def view(self, state: Any) -> dict[str, Any]:
        """What is shown of a session's state."""


@dataclass(frozen=True, slots=True)
class Look:
    """The newest frame and what was seen on it; the time is monotonic seconds of taking it."""

    frame: Frame
    percept: Percept
    taken_s: float


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown: JSON values, and how often they have changed."""

    version: int
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a command.

    Attributes:
        done: False when the session refused it.
        what, article: why, and by which rule; may be empty.
    """

    done: bool
    what: str = ""
    article: str = ""


class Watched:
    """Eyes that remember their newest look."""

    def __init__(self, eyes: Eyes, keep: Callable[[Look], None]) -> None:
        self._eyes = eyes
        self._keep = keep

    def see(self, frame: Frame) -> Percept:
        """What one frame says."""
        percept = self._eyes.see(frame)
        self._keep(Look(frame, percept, time.monotonic()))
        return percept

    def learn(self, grid: tuple[str, ...]) -> None:
        """Take in contents that the game has confirmed."""
        self._eyes.learn(grid)

    def calibrate(self, frame: Frame) -> Learned | Refusal:
        """Learn from a frame with the start position."""
        return self._eyes.calibrate(frame)


class Pictures:
    """Names of a game's pictures in the order in which they were kept, read when they change."""

    def __init__(self) -> None:
        self._known: tuple[Path, int, list[str]] = Path(), 0, []

    def of(self, folder: Path) -> list[str]:
        """The names."""
        try:
            changed = (folder / "evidence").stat().st_mtime_ns
            if self._known[:2] != (folder, changed):
                paths = [
                    (path.stat().st_mtime_ns, path.name)
                    for path in (folder / "evidence").glob("*.jpg")
                ]
                self._known = folder, changed, [name for _, name in sorted(paths)]
        except OSError:
            return []
        return self._known[2]


def camera_of(look: Look | None) -> dict[str, Any]:
    """What is shown of the camera: whether it gives pictures, and whether the board is on them."""
    if look is None:
        return {"state": "none", "reason": ""}
    percept = look.percept
    if percept.geometry == "lost":
        return {"state": "lost", "reason": percept.reason}
    return {"state": "covered" if percept.covered else "found", "reason": ""}


def encoded(values: Json) -> str:
    """JSON in one line."""
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))
