"""The loop: frames to percepts, percepts to the session, its effects into the world."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from vision.errors import BadPicture
from vision.frame import Frame
from vision.nardi.percept import NardiPercept
from vision.percept import Corners, Percept

from . import files
from .errors import DiskFails
from .family import State, family_of
from .journal import Journal, Past
from .resting import Rest
from .resume import Rebuilt, go_on, rebuilt
from .session_values import Append, Command, Effect, Input, Json, Keep, Learn, Publish, Setup, Show
from .signals import Signal, Signaller


class Eyes(Protocol):
    """What turns frames into percepts."""

    def see(self, frame: Frame) -> Percept | NardiPercept:
        """What one frame says."""

    def learn(self, grid: tuple[str, ...]) -> None:
        """Take in contents that the game has confirmed, rows or points in camera order."""


@dataclass(slots=True)
class _Owed:
    """Effects that are not on the disk yet, and the state that they come from."""

    before: State
    effects: tuple[Effect, ...]
    written: bool = False
    again: bool = False  # after a power cut: the record may be older than the journal


class Watch:
    """One run of the referee.

    Args:
        setup: what is settled before the first frame.
        eyes: what turns frames into percepts.
        signaller: what tells the players; closed by ``close``.
        folder: where record, journal and pictures go.
        publish: takes each event.
        about: what else the journal's head says.
        tags: of the record: names, event, date.
        past: the journal in the folder, to go on with after a power cut; its own setup counts.

    Raises:
        BadConfig, BadJournal: the folder can't be written, or its journal doesn't fit together.
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
        past: Past | None = None,
    ) -> None:
        self.folder = folder
        self._eyes = eyes
        self._signaller = signaller
        self._publish = publish
        self._tags = dict(tags)
        self._family = family_of(setup.game)
        told = Rebuilt(self._family.begin(setup)) if past is None else rebuilt(past)
        self.state: State = told.state
        self._finished = [*told.finished]
        self._told = None if past is None else told
        self._torn = 0 if past is None else past.torn
        files.make_room(folder, going_on=past is not None)
        self._journal = Journal(folder / "journal.jsonl", setup, about, past)
        self._frame: Frame | None = None
        self._owed: _Owed | None = None
        self._pinned: dict[int, Frame] = {}
        self._rest = Rest()
        self._stands: Show | None = None  # what lamps say
        self._full = False  # the disk
        self._corners: Corners | None = None  # of the board, where it was seen last

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
        """Take one frame; one that can't be read is a board that isn't seen.

        Raises:
            DiskFails: as ``feed``, and until what is owed is written.
        """
        self._finish_what_is_owed()
        if isinstance(frame, Frame):
            self._frame = frame
            percept = self._eyes.see(frame)
            self._corners = percept.corners or self._corners
            if not self.state.setup.settled and self._rest.dull(percept, self.state.phase):
                return
            self._pinned[frame.number] = frame
            self.feed(percept)
            wanted = self._family.pinned(self.state)
            self._pinned = {n: kept for n, kept in self._pinned.items() if n in wanted}
            return
        number = self._frame.number if self._frame else 0
        at_ns = max(self._now_ns(), frame.at_ns)
        self.feed(self._family.unseen(self.state, number, at_ns, str(frame)))

    def feed(self, given: Input) -> None:
        """Take one input: journal it, step, journal what is to be done, do it.

        Raises:
            DiskFails: the disk doesn't take it; the lamps say then that nothing is seen.
        """
        self._finish_what_is_owed()
        if self._told is not None:
            seen = getattr(given, "geometry", "lost") != "lost"
            self._go_on(self._told, given.at_ns, seen)
        with self._disk():
            self._journal.took(given)
        before = self.state
        self.state, effects = self._family.step(before, given)
        self._owed = _Owed(before, effects)
        self._finish_what_is_owed()

    def _finish_what_is_owed(self) -> None:
        """Bring the effects of the last input to the disk, then carry them out.

        A disk that is full leaves them owed: nothing else is taken until they are written, so that
        neither the record nor a listener misses anything once there is room again.
        """
        owed = self._owed
        if owed is None:
            return
        with self._disk():
            if not owed.written:
                self._journal.did(owed.effects)
                owed.written = True
            if owed.again or any(isinstance(effect, Append | Show) for effect in owed.effects):
                self._journal.flush()
            self._record(owed.before, owed.effects, owed.again)
        self._owed = None
        self._carry_out_all(owed.effects)

    def _go_on(self, told: Rebuilt, at_ns: int, seen: bool) -> None:
        """Say that a power cut is over, when the first input gives the time."""
        with self._disk():
            self._journal.resumed(at_ns, self._torn, seen)
            self.state, effects = go_on(told, at_ns, self._torn, seen)
            self._told = None
            self._owed = _Owed(self.state, effects, again=True)
        self._finish_what_is_owed()

    @contextmanager
    def _disk(self) -> Iterator[None]:
        """Names the folder when it can't be written; a listener who left is another matter."""
        try:
            yield
        except OSError as error:
            if not self._full:  # moves that can't be kept aren't followed
                self._signaller.show(Signal.CANNOT_SEE)
            self._full = True
            reason = error.strerror or "the disk doesn't take it"
            raise DiskFails(reason, str(self.folder), "room on a disk that works") from error

    def close(self) -> None:
        """Close the journal and the signaller.

        Raises:
            DiskFails: what was not on the disk yet, and nobody was told of, can't be kept.
        """
        try:
            with self._disk():
                self._journal.close()
        finally:
            self._signaller.close()

    def _now_ns(self) -> int:
        return self._frame.at_ns if self._frame else 0

    def _carry_out_all(self, effects: tuple[Effect, ...]) -> None:
        """All of them, in order; a picture that can't be kept holds up no lamp and no listener."""
        if self._full and self._stands is not None:  # there is room again
            self._signaller.show(Signal(self._stands.signal), self._stands.side)
        self._full = False
        failed: DiskFails | None = None
        for effect in effects:
            try:
                self._carry_out(effect)
            except DiskFails as error:
                failed = error
        if failed is not None:
            raise failed

    def _carry_out(self, effect: Effect) -> None:
        if isinstance(effect, Publish):
            self._publish(effect.event)
        elif isinstance(effect, Show):
            self._stands = effect
            self._signaller.show(Signal(effect.signal), effect.side)
        elif isinstance(effect, Learn):
            self._eyes.learn(effect.grid)
        elif isinstance(effect, Keep):
            frame = self._pinned.get(effect.number, self._frame)
            if frame is not None:
                with self._disk():
                    files.keep_picture(self.folder, effect.name, frame, self._corners)

    def _record(self, before: State, effects: tuple[Effect, ...], again: bool) -> None:
        """Keep the record in step with what is confirmed."""
        said = [effect.line["what"] for effect in effects if isinstance(effect, Append)]
        finished = [*self._finished]
        if "start" in said and before.phase != "waiting":
            finished.append(before)
        if again or any(what != "clocks" for what in said):
            self._family.write(self.folder, [*finished, self.state], self._tags)
        self._finished = finished
