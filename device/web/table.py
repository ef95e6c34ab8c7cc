"""One board with its camera, its referee and what is shown of it.

The referee has a thread of its own, in which everything happens that touches a game: frames,
commands, calibration, beginning and ending.  Others ask it and get a future.  What is shown is a
finished text that any thread may take at any time.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from rules.errors import ToreshiError
from vision.calibrate import Refusal
from vision.errors import BadPicture
from vision.frame import Frame

from ..broadcast import Broadcast
from ..buttons import Press
from ..errors import DiskFails
from ..session_values import VERSION, By, Command, Json, Name
from ..source import Source
from .parts import Answer, Learned, Look, Makes, Pictures, Running, Shown, Watched, camera_of
from .plan import Plan

log = logging.getLogger(__name__)

T = TypeVar("T")

#: Seconds until a camera that could not be opened is tried again.
RETRY_S = 3.0

#: Seconds between two pictures of a recording that waits for a game to begin.
HELD_S = 0.5

#: Seconds without a frame after which there is no rate to speak of.
STALE_S = 10.0


class Table:
    """A table.

    Args:
        makes: how its parts are made.
        broadcast: where every event goes.
        plan: the first game; None to begin with the set-up page.
        live: whether frames are stamped with the machine's own clock.
        processed: told of what the camera gave when it has gone all its way.

    Attributes:
        looked: how many frames were taken.
        look: the newest look of the eyes; None before the first and while no camera gives any.
        shown: what is shown now.
    """

    def __init__(
        self,
        makes: Makes,
        broadcast: Broadcast,
        plan: Plan | None,
        live: bool = True,
        processed: Callable[[Frame | BadPicture], None] = lambda given: None,
    ) -> None:
        self.looked = 0
        self.look: Look | None = None
        self.shown = Shown(0, {})
        self.plan = plan
        self.broadcast = broadcast
        self._makes = makes
        self._live = live
        self._processed = processed
        self._watch: Running | None = None
        self._eyes: Watched | None = None
        self._corners: list[list[float]] | None = None
        self._settled = False
        self._trouble: dict[str, str] = {}
        self._pictures = Pictures()
        self._unsure: Json | None = None
        self._refused: Json | None = None
        self._last_frame_s = 0.0
        self._step_ns = 0
        self._clocks: dict[str, Any] | None = None
        self._took: deque[float] = deque(maxlen=20)
        self._at_ns = 0
        self._inbox: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._taken = threading.Semaphore(1)
        self._stop = threading.Event()
        self._again = threading.Event()
        self._frames: threading.Thread | None = None
        self._referee = threading.Thread(target=self._work, name="referee", daemon=True)
        self._show()

    # ------------------------------------------------------------ from any thread

    def start(self) -> None:
        """Open the camera and begin."""
        self._referee.start()
        if self.plan is not None:
            plan = self.plan
            self.ask(lambda: self._begin(plan))
        self._watch_camera()

    def close(self, finish: bool = True) -> None:
        """Let everything go.

        Args:
            finish: end the game as one without more pictures; else it can be gone on with.
        """
        self._stop.set()
        self._taken.release()
        if self._frames is not None:
            self._frames.join(10)
        if self._referee.is_alive():
            self._inbox.put(lambda: self._end(finish))
            self._inbox.put(None)
            self._referee.join(10)

    def ask(self, what: Callable[[], T]) -> Future[T]:
        """Have ``what`` done in the referee's thread, between two frames."""
        future: Future[T] = Future()

        def do() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(what())
            except Exception as error:
                future.set_exception(error)
            self._show()

        self._inbox.put(do)
        return future

    def command(self, name: Name, value: str = "", by: By = "") -> Future[Answer]:
        """Give the session a command."""
        return self.ask(lambda: self._command(name, value, by))

    def press(self, press: Press) -> None:
        """A button of the table went down or came up."""
        self._inbox.put(lambda: None if self._watch is None else self._watch.feed(press))

    def begin(self, plan: Plan) -> Future[None]:
        """End what is played and begin another game.  The future may raise ToreshiError."""
        return self.ask(lambda: self._begin(plan))

    def prepare(
        self, plan: Plan, corners: list[list[float]] | None = None, search: bool = False
    ) -> Future[None]:
        """Only look at the board, for the set-up page.  The future may raise ToreshiError.

        Args:
            plan: the game that is to be played.
            corners: where a person says that the board is.
            search: look for the board anew, and forget what was learned of the set.
        """
        return self.ask(lambda: self._prepare(plan, corners, search))

    def tell(self, event: Json) -> None:
        """An event about the machine: for everybody who listens, and shown while it lasts."""
        self.broadcast.publish(event)
        if event.get("event") == "power":
            self._complain("power", event["message"] if event["low"] else "")

    def calibrate(self) -> Future[Learned | Refusal]:
        """Learn the set from what the camera sees now."""
        return self.ask(self._calibrate)

    @property
    def rate(self) -> float:
        """Frames a second that were looked at lately."""
        took = tuple(self._took)
        if len(took) < 2 or time.monotonic() - took[-1] > STALE_S:
            return 0.0
        return round((len(took) - 1) / max(took[-1] - took[0], 1e-3), 1)

    @property
    def folder(self) -> Path | None:
        """Where the present game is kept."""
        watch = self._watch
        return None if watch is None else watch.folder

    @property
    def clocks(self) -> dict[str, Any] | None:
        """Seconds left on both clocks now, and whose runs; None without clocks of ours."""
        told = self._clocks
        if told is None or told["running"] is None:
            return told
        passed = max(0.0, (self._now_ns() - told["at_ns"]) / 1e9)
        left = passed - min(passed, told["grace"])
        side = told["running"]
        return {
            **told,
            side: max(0.0, told[side] - left),
            "grace": max(0.0, told["grace"] - passed),
        }

    # ------------------------------------------------------------ the camera's thread

    def _watch_camera(self) -> None:
        self._frames = threading.Thread(target=self._see, name="frames", daemon=True)
        self._frames.start()

    def _see(self) -> None:
        while not self._stop.is_set():
            try:
                camera = self._makes.camera()
            except ToreshiError as error:
                self._complain("camera", str(error))
            else:
                self._complain("camera", "")
                self._settled = camera.settled
                try:
                    self._pass_on(camera)
                finally:
                    camera.close()
            if not self._again.is_set():
                self._stop.wait(RETRY_S)
            self._again.clear()

    def _pass_on(self, camera: Source) -> None:
        for frame in camera.frames():
            self._give(frame)
            while self._waits_for_a_game():
                self._give(frame)
            if self._stop.is_set() or self._again.is_set():
                return
        self._complain("camera", "the camera has stopped")

    def _waits_for_a_game(self) -> bool:
        """A recording stands still while a game is being set up, and begins anew with the game."""
        if self._live or self._watch is not None or self._stop.is_set() or self._again.is_set():
            return False
        return not self._stop.wait(HELD_S)

    def _give(self, frame: Frame | BadPicture) -> None:
        self._taken.acquire()
        self._inbox.put(lambda: self._take(frame))

    def _complain(self, about: str, text: str) -> None:
        def note() -> None:
            if self._trouble.get(about, "") != text:
                self._trouble[about] = text
                self._show()

        self._inbox.put(note)

    # ------------------------------------------------------------ the referee's thread

    def _work(self) -> None:
        while (task := self._inbox.get()) is not None:
            try:
                task()
            except ToreshiError as error:
                log.error("what=%s where=%s", error.what, error.where)
                self._trouble["disk" if isinstance(error, DiskFails) else "game"] = str(error)
                self._show()
            except Exception:
                log.exception("what=failure")
                self._trouble["game"] = "the referee has failed; its log says why"
                self._show()

    def _take(self, frame: Frame | BadPicture) -> None:
        try:
            if isinstance(frame, Frame):
                self._step_ns = max(0, frame.at_ns - self._at_ns)
                self._at_ns, self._last_frame_s = frame.at_ns, time.monotonic()
            else:
                self.look = None
            if self._watch is not None:
                self._watch.look(frame)
                self._trouble.pop("disk", None)
            elif self._eyes is not None and isinstance(frame, Frame):
                self._eyes.see(frame)
            self._processed(frame)
        except DiskFails:
            self._processed(frame)  # a new program would have no more room
            raise
        finally:
            self.looked += 1
            self._took.append(time.monotonic())
            self._taken.release()
            self._show()

    def _now_ns(self) -> int:
        """The time on the frames' own clock."""
        if self._live:
            return max(time.monotonic_ns(), self._at_ns)
        since = round((time.monotonic() - self._last_frame_s) * 1e9)
        return self._at_ns + min(since, self._step_ns)

    def _command(self, name: Name, value: str, by: By) -> Answer:
        if self._watch is None:
            return Answer(False, "no game is being watched")
        self._refused = None
        self._watch.feed(Command(name, self._now_ns(), value, by))
        refused = self._refused
        if refused is None:
            return Answer(True)
        return Answer(False, str(refused.get("what", "")), str(refused.get("article", "")))

    def _begin(self, plan: Plan) -> None:
        eyes = self._eyes
        if eyes is None or self.plan is None or _board(plan) != _board(self.plan):
            eyes = self._new_eyes(plan)
        self._end()
        self._watch = self._makes.watch(plan, eyes, self._settled, self._publish)
        self._eyes, self.plan, self._unsure = eyes, plan, None
        self._trouble.pop("game", None)
        self._start_anew()

    def _start_anew(self) -> None:
        if not self._live:
            self._at_ns = 0
            self._again.set()

    def _prepare(self, plan: Plan, corners: list[list[float]] | None, search: bool) -> None:
        eyes = self._eyes
        same = self.plan is not None and _board(plan) == _board(self.plan)
        if eyes is None or not same or search or corners != self._corners:
            eyes = self._new_eyes(plan, corners)
        self._end()
        self._eyes, self.plan, self._corners = eyes, plan, corners
        if self.look is not None:
            eyes.see(self.look.frame)
        self._start_anew()

    def _new_eyes(self, plan: Plan, corners: list[list[float]] | None = None) -> Watched:
        return Watched(self._makes.eyes(plan, corners), self._looked)

    def _calibrate(self) -> Learned | Refusal:
        if self._eyes is None or self.look is None:
            return Refusal("the camera gives no picture", "see to the camera first")
        made = self._eyes.calibrate(self.look.frame)
        self._eyes.see(self.look.frame)
        return made

    def _end(self, finish: bool = True) -> None:
        watch, self._watch = self._watch, None
        if watch is not None:
            try:
                if finish:
                    watch.finish()
            finally:
                watch.close()

    def _looked(self, look: Look) -> None:
        self.look = look

    def _publish(self, event: Json) -> None:
        kind = event.get("event")
        if kind == "unsure":
            self._unsure = event
        elif kind in ("move", "start-position", "offence", "resolved", "takeback", "end"):
            self._unsure = None
        elif kind == "refused":
            self._refused = event
            return  # whoever asked is answered; nobody else has to know
        self.broadcast.publish(event)

    def _show(self) -> None:
        """Make what is shown anew; whoever listens is told if it has changed."""
        values = self._values()
        if values != self.shown.values:
            self.shown = Shown(self.shown.version + 1, values)
            self.broadcast.publish({"v": VERSION, "event": "view"})

    def _values(self) -> dict[str, Any]:
        watch = self._watch
        game = None if watch is None else self._makes.view(watch.state)
        self._clocks = None if game is None else game.pop("clocks", None)
        unsure = self._unsure if game is not None and game.get("unsure", True) else None
        return {
            "v": VERSION,
            "id": None if watch is None else watch.folder.name,
            "plan": None if self.plan is None else asdict(self.plan),
            "game": game,
            "unsure": None if unsure is None else dict(unsure),
            "pictures": [] if watch is None else self._pictures.of(watch.folder),
            "camera": camera_of(self.look),
            "trouble": {key: text for key, text in self._trouble.items() if text},
            "clock": None if self._clocks is None else self._clocks["running"],
        }


def _board(plan: Plan) -> str:
    return "ten" if plan.game == "international" else plan.game
