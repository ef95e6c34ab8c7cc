"""A table whose camera shows what a test puts on the board, and browsers with a role each."""

import queue
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from device.app import Watch
from device.broadcast import Broadcast
from device.session_values import Json
from device.session_view import view
from device.signals import NoSignaller
from device.web.access import ARBITER_COOKIE, SIDE_COOKIE, Access
from device.web.asking import Site
from device.web.parts import Eyes, Running
from device.web.plan import Plan
from device.web.site import make_site
from device.web.table import Table
from rules.draughts.game import DraughtsGame
from rules.draughts.position import Position
from vision.calibrate import Calibration, Refusal
from vision.errors import BadPicture
from vision.fake import FakeEyes
from vision.frame import Frame
from vision.percept import Percept

SECOND = 1_000_000_000
PIN = "271828"


class Stage:
    """A source that gives a frame when a test shows something; also what makes the parts."""

    settled = True
    count = 0

    def __init__(self, games: Path, game: str = "russian") -> None:
        self.games = games
        self.game = DraughtsGame.by_name(game)
        self.shown: dict[int, Position | None] = {}
        self.refusal: Refusal | None = None
        self.corners: list[list[float]] | None = None
        self.newest: StageEyes | None = None
        self.number = 0
        self._frames: queue.SimpleQueue[Frame | BadPicture | None] = queue.SimpleQueue()
        self._begun = 0

    # -- a source

    def frames(self) -> Iterator[Frame | BadPicture]:
        while (frame := self._frames.get()) is not None:
            yield frame

    def close(self) -> None:
        pass

    # -- what makes the parts

    def camera(self) -> "Stage":
        return self

    def eyes(self, plan: Plan, corners: list[list[float]] | None) -> Eyes:
        self.corners = corners
        self.newest = StageEyes(self)
        return self.newest

    def watch(
        self, plan: Plan, eyes: Eyes, settled: bool, publish: Callable[[Json], None]
    ) -> Running:
        self._begun += 1
        folder = self.games / f"2026-01-01-00000{self._begun}"
        return Watch(
            plan.setup(settled=True), eyes, NoSignaller(), folder, publish, {}, plan.tags()
        )

    def view(self, state: Any) -> dict[str, Any]:
        return view(state)

    # -- what a test does

    def give(self, position: Position | None) -> None:
        self.number += 1
        self.shown[self.number] = position
        image = np.full((120, 160, 3), 90, np.uint8)
        self._frames.put(Frame(image, self.number, self.number * SECOND))

    def give_bad(self) -> None:
        self._frames.put(BadPicture("torn", "frame", "a picture"))

    def stop(self) -> None:
        self._frames.put(None)


class StageEyes:
    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._eyes = FakeEyes(stage.game.board)

    def see(self, frame: Frame) -> Percept:
        position = self._stage.shown[frame.number]
        if position is None:
            size = self._stage.game.board.size
            return Percept(frame.number, frame.at_ns, size, "lost", "too dark")
        return self._eyes.see(position, frame.at_ns)

    def learn(self, grid: tuple[str, ...]) -> None:
        pass

    def calibrate(self, frame: Frame) -> Calibration | Refusal:
        assert self._stage.refusal is not None
        return self._stage.refusal


class Hall:
    """A served table.

    Attributes:
        app: the application.
        client: a browser without a cookie.
    """

    def __init__(self, root: Path, plan: Plan | None, access: Access) -> None:
        self.games = root
        self.stage = Stage(root)
        self.access = access
        self.broadcast = Broadcast()
        self.table = Table(self.stage, self.broadcast, plan, live=False)
        self.app: Starlette = make_site(
            Site(self.table, access, root), {"toreshi.local", "testserver"}
        )
        self.client = self.browser()

    def browser(self, role: str = "") -> TestClient:
        """A browser of somebody: ``w``, ``b``, ``arbiter``, or nobody."""
        client = TestClient(self.app, raise_server_exceptions=True)
        if role in ("w", "b"):
            client.cookies.set(SIDE_COOKIE, self.access.token("w" if role == "w" else "b"))
        if role == "arbiter":
            token = self.access.log_in(PIN, "10.0.0.1")
            assert isinstance(token, str)
            client.cookies.set(ARBITER_COOKIE, token)
        return client

    def wait(self) -> None:
        """Until the referee has done everything that was asked of him."""
        self.table.ask(lambda: None).result(10)

    def show(self, position: Position | None) -> None:
        """Let the camera look at a position, or at nothing."""
        self._taken(lambda: self.stage.give(position))

    def tear(self) -> None:
        """The camera gives a picture that can't be read."""
        self._taken(self.stage.give_bad)

    def _taken(self, give: Callable[[], None]) -> None:
        before = self.table.looked
        give()
        while self.table.looked == before:
            self.wait()

    def start(self) -> None:
        """The start position stands."""
        self.show(self.stage.game.start())

    def play(self, *texts: str) -> None:
        """Moves from what is confirmed."""
        for text in texts:
            game = self.stage.game
            position = game.read(self.table.shown.values["game"]["fen"])
            self.show(game.parse_move(position, text).after)

    def board(self, fen: str) -> None:
        """The camera looks at a board that no move has to lead to."""
        self.show(self.stage.game.read_board(fen))

    @property
    def values(self) -> dict[str, Any]:
        """What is shown now."""
        self.wait()
        return self.table.shown.values

    def close(self) -> None:
        """End it."""
        self.stage.stop()
        self.table.close()


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Callable[..., Hall]]:
    """Opens a table: ``mode`` and ``reading`` of the access, and the fields of a plan."""
    made: list[Hall] = []

    def opened(access: Any = "home", reading: Any = "open", game: bool = True, **plan: Any) -> Hall:
        root = tmp_path / f"games{len(made)}"
        keys = Access(root / ".access.json", access, reading)
        if access == "club":
            keys.set_pin(PIN)
        first = Plan(plan.pop("name", "russian"), **plan) if game else None
        one = Hall(root, first, keys)
        made.append(one)
        one.table.start()
        one.wait()
        return one

    yield opened
    for one in made:
        one.close()
