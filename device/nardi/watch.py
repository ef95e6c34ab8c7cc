"""The loop at a nardi board: frames to percepts, percepts to the session, effects done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from rules.nardi import record, sheet
from rules.nardi.events import Header
from vision.errors import BadPicture
from vision.frame import Frame
from vision.nardi.percept import NardiPercept
from vision.percept import Corners

from .. import files
from ..errors import DeviceError
from ..journal import Journal
from ..session_values import Append, Command, Effect, Input, Json, Keep, Learn, Publish, Setup, Show
from ..signals import Signal, Signaller
from .session import State, begin, step
from .state import settings_of

#: The record as it is kept, and as people read it.
RECORD, SHEET = "game.jsonl", "game.txt"


class Eyes(Protocol):
    """What turns frames into percepts."""

    def see(self, frame: Frame) -> NardiPercept:
        """What one frame says."""

    def learn(self, points: tuple[str, ...]) -> None:
        """Take in contents that the game has confirmed, ``w3`` or empty, in camera order."""


class NardiWatch:
    """One run of the referee at a nardi board.

    Args:
        setup: what is settled before the first frame.
        eyes: what turns frames into percepts.
        signaller: what tells the players; closed by ``close``.
        folder: where record, journal and pictures go.
        publish: takes each event.
        about: what else the journal's head says.
        tags: of the record: ``White``, ``Black``, ``Event``, ``Date``.

    Raises:
        BadConfig, BadJournal: the folder can't be written.
    """

    def __init__(
        self,
        setup: Setup,
        eyes: Eyes,
        signaller: Signaller,
        folder: Path,
        publish: Callable[[Json], None],
        about: Json,
        tags: Json,
    ) -> None:
        self.state: State = begin(setup)
        self.folder = folder
        self._eyes = eyes
        self._signaller = signaller
        self._publish = publish
        players = (tags.get("White", ""), tags.get("Black", ""))
        event, date = tags.get("Event", ""), tags.get("Date", "")
        self._header = Header(players, event, date, rules=settings_of(setup.rules))
        files.make_room(folder)
        self._journal = Journal(folder / "journal.jsonl", setup, about)
        self._frame: Frame | None = None
        self._corners: Corners | None = None

    def run(self, frames: Iterable[Frame | BadPicture]) -> list[BadPicture]:
        """Look at every frame, then finish; the pictures that couldn't be read."""
        bad: list[BadPicture] = []
        for frame in frames:
            if isinstance(frame, BadPicture):
                bad.append(frame)
            self.look(frame)
        self.finish()
        return bad

    def finish(self) -> None:
        """There are no more pictures."""
        self.feed(Command("finish", self._now_ns()))

    def look(self, frame: Frame | BadPicture) -> None:
        """Take one frame; one that can't be read is a board that isn't seen."""
        if isinstance(frame, Frame):
            self._frame = frame
            percept = self._eyes.see(frame)
            self._corners = percept.corners or self._corners
            self.feed(percept)
            return
        number = self._frame.number if self._frame else 0
        self.feed(NardiPercept(number, self._now_ns(), "lost", reason=str(frame)))

    def feed(self, given: Input) -> None:
        """Take one input: journal it, step, journal what is to be done, do it.

        Raises:
            DeviceError: the disk doesn't take it.
        """
        with self._disk():
            self._journal.took(given)
            self.state, effects = step(self.state, given)
            self._journal.did(effects)
            if any(isinstance(effect, Append | Show) for effect in effects):
                self._journal.flush()
            if any(isinstance(effect, Append) for effect in effects):
                self._record()
        for effect in effects:
            self._carry_out(effect)

    @contextmanager
    def _disk(self) -> Iterator[None]:
        """Names the folder when it can't be written; a listener who left is another matter."""
        try:
            yield
        except OSError as error:
            reason = error.strerror or "the disk doesn't take it"
            raise DeviceError(reason, str(self.folder), "room on a disk that works") from error

    def close(self) -> None:
        """Close the journal and the signaller."""
        self._journal.close()
        self._signaller.close()

    def _now_ns(self) -> int:
        return self._frame.at_ns if self._frame else 0

    def _carry_out(self, effect: Effect) -> None:
        if isinstance(effect, Publish):
            self._publish(effect.event)
        elif isinstance(effect, Show):
            self._signaller.show(Signal(effect.signal), effect.side)
        elif isinstance(effect, Learn):
            self._eyes.learn(effect.grid)
        elif isinstance(effect, Keep) and self._frame is not None:
            with self._disk():
                files.keep_picture(self.folder, effect.name, self._frame, self._corners)

    def _record(self) -> None:
        """Write the record and the sheet whole: neither is ever seen half written."""
        events = (self._header, *self.state.log)
        files.write_whole(self.folder / RECORD, record.write(events))
        files.write_whole(self.folder / SHEET, sheet.write(events))
