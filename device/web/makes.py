"""The real parts of a table: camera, eyes with their weights, the referee of one game."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from rules.draughts.game import DraughtsGame
from rules.games import by_name
from vision.calibrate import Calibration, Refusal, load_calibration
from vision.frame import Frame
from vision.model import SquareModel
from vision.perceiver import Perceiver
from vision.percept import Percept

from ..app import Watch
from ..appliance import Unfinished
from ..date import date_of_record
from ..errors import BadConfig
from ..eyes import WatchingEyes
from ..keeping import tidy
from ..modes import MODES
from ..nardi.close_up import Take, taker
from ..session_values import Json
from ..session_view import view
from ..signals import Signaller
from ..source import Source
from ..source_patient import Patient
from ..weights import weights_path
from .parts import Eyes, Running
from .plan import Plan

#: Name of the calibration in a game's folder.
CALIBRATION = "calibration.json"


class BoardEyes:
    """The eyes of a draughts board, which the set-up page may have learn a set."""

    def __init__(self, perceiver: Perceiver, learned: Callable[[Calibration], None]) -> None:
        self._perceiver = perceiver
        self._learned = learned
        self._watching = WatchingEyes(perceiver, learned=learned)

    @property
    def refused(self) -> bool:
        """Whether a set was looked at and can't be read well enough to accuse anybody by."""
        return self._watching.refused

    def see(self, frame: Frame) -> Percept:
        """What one frame says."""
        return self._watching.see(frame)

    def learn(self, grid: tuple[str, ...]) -> None:
        """Take in contents that the game has confirmed."""
        self._watching.learn(grid)

    def calibrate(self, frame: Frame) -> Calibration | Refusal:
        """Learn from a frame with the start position."""
        made = self._perceiver.calibrate(frame)
        self._watching.refused = isinstance(made, Refusal)
        if isinstance(made, Calibration):
            self._learned(made)
        return made


@dataclass(slots=True)
class RealMakes:
    """Makes the parts as the command line asked.

    Attributes:
        open_camera: opens the source anew.
        open_signaller: opens lamps and buzzer anew, the latter so loud, percent.
        games: folder of all games.
        about: what else the journals' heads say.
        weights: the network; the one of the package if None.
        calibration: what an earlier calibration wrote.
        unfinished: a game that was broken off, and is gone on with first.
        keep: for how many days pictures are kept, and how many megabytes of them.
    """

    open_camera: Callable[[], Source]
    open_signaller: Callable[[int], Signaller]
    games: Path
    about: Json
    weights: Path | None = None
    calibration: Path | None = None
    unfinished: Unfinished | None = None
    keep: tuple[float, float] = (30.0, 2000.0)
    _model: SquareModel | None = None
    _camera: Source | None = None
    _folder: Path | None = None
    _calibration: Calibration | None = None

    def camera(self) -> Source:
        """The source, opened anew."""
        self._camera = self.open_camera()
        return self._camera

    def eyes(self, plan: Plan, corners: list[list[float]] | None) -> Eyes:
        """Eyes for a game's board.

        Raises:
            BadConfig: a game that can't be watched.
        """
        if by_name(plan.game).family == "nardi":
            return _nardi_eyes(corners, taker(lambda: self._camera))
        size = DraughtsGame.by_name(plan.game).board.size
        if self._model is None:
            self._model = SquareModel(self.weights or weights_path())
        learned = None
        if self.calibration is not None and corners is None:
            learned = load_calibration(self.calibration, self._model, size)
        elif self.unfinished is not None and corners is None:
            # nobody can learn a set from the middle of a game
            kept = self.unfinished.folder / CALIBRATION
            learned = load_calibration(kept, self._model, size) if kept.exists() else None
        given = None if corners is None else np.array(corners)
        return BoardEyes(Perceiver(size, self._model, learned, given), self._has_learned)

    def watch(
        self, plan: Plan, eyes: Eyes, settled: bool, publish: Callable[[Json], None]
    ) -> Running:
        """A referee of a new game, in a folder of its own; old pictures go."""
        tidy(self.games, *self.keep)
        alarms = not getattr(eyes, "refused", False)
        tags = {"Date": date_of_record(), **plan.tags()}
        about = {"toreshi": version("toreshi"), "tags": tags, **self.about}
        setup = plan.setup(settled, alarms)
        going_on, self.unfinished = self.unfinished, None
        self._folder = new_folder(self.games) if going_on is None else going_on.folder
        made = Watch(
            setup,
            eyes,
            self.open_signaller(MODES[plan.mode].volume),
            self._folder,
            publish,
            about,
            tags,
            None if going_on is None else going_on.past,
        )
        if self._calibration is not None:
            self._keep(self._calibration)
        return made

    def _has_learned(self, made: Calibration) -> None:
        """Colours are known in this light and exposure only: keep both."""
        if isinstance(self._camera, Patient):
            self._camera.lock()
        self._calibration = made
        self._keep(made)

    def _keep(self, made: Calibration) -> None:
        """Beside the game, to go on with after a power cut and for whoever asks why."""
        if self._folder is not None and self._folder.is_dir():
            made.save(self._folder / CALIBRATION)

    def view(self, state: Any) -> dict[str, Any]:
        """What is shown of a session's state."""
        if state.setup.game == "nardi":
            from .view_nardi import view as view_nardi

            return view_nardi(state)
        return view(state)


def nardi_is_here() -> bool:
    """Whether this package has eyes for a nardi board."""
    from . import nardi_eyes

    return nardi_eyes.are_here()


def _nardi_eyes(corners: list[list[float]] | None, take: Take) -> Eyes:
    from . import nardi_eyes

    if not nardi_eyes.are_here():
        raise BadConfig("nardi can't be watched yet", "game", "a draughts game")
    made: Any = nardi_eyes.open_eyes(corners, take)
    eyes: Eyes = made
    return eyes


def new_folder(games: Path) -> Path:
    """A name for a new game's folder: the time, and a number where there is one already."""
    name = time.strftime("%Y-%m-%d-%H%M%S")
    number = 1
    while (games / name).exists():
        number += 1
        name = re.sub(r"(\d{6})(-\d+)?$", rf"\1-{number}", name)
    return games / name
