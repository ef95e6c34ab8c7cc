"""One game through the very pipeline that watches a real board, and all that it said."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2

from device.app import Eyes, Watch
from device.eyes import WatchingEyes
from device.session_values import Command, Json, Setup
from device.signals import NoSignaller
from rules.draughts.game import DraughtsGame
from rules.draughts.record import Stand
from vision.frame import Frame
from vision.model import SquareModel
from vision.perceiver import Perceiver
from vision.percept import Percept

from .games_acts import Act
from .games_given import CLEAN, Given, Noise, Unwritten
from .games_scene import FPS, Drawn, During, Happening, Noted, Pressed, Shown, Stage, stage_for
from .games_story import rng_of

#: Time control of games with our clocks: long enough that nobody's flag falls.
CLOCK = "60+5"

SECOND_NS = 1_000_000_000

#: One frame in so many is timed: asking for the processor's time costs more than a session's step.
TIMED = 10


@dataclass(frozen=True, slots=True)
class Plan:
    """Which game of the bench: everything it is drawn from."""

    number: int
    game: str
    seed: int
    mode: str
    clocked: bool

    @property
    def name(self) -> str:
        """For lists and folders."""
        return f"{self.game}-{self.seed}-{self.number:03d}"


@dataclass(slots=True)
class Log:
    """What happened in a game and what was said of it; times in seconds."""

    plan: Plan
    noted: list[Noted] = field(default_factory=list)
    during: list[During] = field(default_factory=list)
    told: list[dict[str, Any]] = field(default_factory=list)
    record: list[tuple[str, str]] = field(default_factory=list)
    tags: dict[str, Any] = field(default_factory=dict)
    frames: int = 0
    seconds: float = 0.0
    cost: dict[str, float] = field(default_factory=lambda: {"draw": 0.0, "see": 0.0, "think": 0.0})
    stills: dict[float, bytes] = field(default_factory=dict)

    def picture(self, at: float) -> bytes | None:
        """The kept picture nearest to a time."""
        nearest = min(self.stills, key=lambda t: abs(t - at), default=None)
        return None if nearest is None else self.stills[nearest]


class _TimedEyes:
    """Eyes whose processor time is estimated."""

    def __init__(self, eyes: Eyes) -> None:
        self._eyes, self.seconds = eyes, 0.0
        self._last: tuple[Frame, Percept] | None = None

    def see(self, frame: Frame) -> Percept:
        """What one frame says; the very same picture says the same."""
        if self._last is not None and self._last[0].image is frame.image:
            _, percept = self._last
            return replace(percept, number=frame.number, at_ns=frame.at_ns, motion=0.0)
        began = time.process_time() if frame.number % TIMED == 0 else 0.0
        seen = self._eyes.see(frame)
        assert isinstance(seen, Percept)  # of draughts
        if began:
            self.seconds += (time.process_time() - began) * TIMED
        self._last = frame, seen
        return seen

    def learn(self, grid: tuple[str, ...]) -> None:
        """Take in contents that the game has confirmed."""
        self._eyes.learn(grid)


def watched(
    plan: Plan,
    acts: list[Act],
    model: SquareModel | None,
    folder: Path | None,
    noise: Noise = CLEAN,
) -> Log:
    """Play a story in front of the referee; its record, journal and pictures go to the folder.

    Without a folder nothing is written.  Without a network nothing is drawn, and every square that
    no hand hides is read right, but for the noise.
    """
    log = Log(plan)
    game = DraughtsGame.by_name(plan.game)
    alarms = [-1.0]

    def publish(event: Json) -> None:
        log.told.append(dict(event))
        if event["event"] == "offence":
            alarms.append(log.seconds)

    given = Given(game.board, plan.number, noise)
    lens = given if model is None else Drawn()
    stage = stage_for(game, rng_of(plan.seed, plan.number, 2), lambda: alarms[-1], lens)
    log.tags = tags_of(stage)
    setup = Setup(plan.game, mode=plan.mode, clock=CLOCK if plan.clocked else "")  # type: ignore[arg-type]
    real = given if model is None else WatchingEyes(Perceiver(game.board.size, model))
    eyes = _TimedEyes(real)
    run: Watch | Unwritten = Unwritten(setup, eyes, publish)
    if folder is not None:
        run = Watch(setup, eyes, NoSignaller(), folder, publish, {"bench": plan.name}, {})
    began = time.process_time()
    try:
        _fed(log, run, eyes, stage.play(acts))
        plies = run.state.match.plies
        run.finish()
    finally:
        run.close()
    log.record = [
        ("stand" if isinstance(ply, Stand) else "ply", game.write(ply.after)) for ply in plies
    ]
    log.cost["see"] = eyes.seconds
    log.cost["draw"] = time.process_time() - began - eyes.seconds - log.cost["think"]
    return log


def _fed(
    log: Log, run: Watch | Unwritten, eyes: _TimedEyes, happenings: Iterator[Happening]
) -> None:
    last: Shown | None = None
    for it in happenings:
        if isinstance(it, Noted):
            log.noted.append(it)
        elif isinstance(it, During):
            log.during.append(it)
        elif isinstance(it, Pressed):
            run.feed(Command("press", round(it.at * SECOND_NS), by=it.side))
        else:
            log.seconds, log.frames = it.at, log.frames + 1
            if last is not None and (it.over != last.over or it.at - last.at > 1):
                _keep(log, last)
            said, frame = len(log.told), Frame(it.image, log.frames - 1, round(it.at * SECOND_NS))
            if frame.number % TIMED:
                run.look(frame)
            else:
                seen, began = eyes.seconds, time.process_time()
                run.look(frame)
                spent = (time.process_time() - began) * TIMED - (eyes.seconds - seen)
                log.cost["think"] += max(0.0, spent)
            if any(e["event"] in ("offence", "unsure") for e in log.told[said:]):
                _keep(log, it)
            last = it


def _keep(log: Log, shown: Shown) -> None:
    """Keep a picture in memory, for a game that turns out to have misses."""
    log.stills[shown.at] = cv2.imencode(".jpg", shown.image, [cv2.IMWRITE_JPEG_QUALITY, 85])[
        1
    ].tobytes()


def tags_of(stage: Stage) -> dict[str, Any]:
    """What figures are split by."""
    style, camera = stage.table.style, stage.shot.camera
    return {
        "tilt": round(float(camera.tilt_deg), 1),
        "light": stage.shot.light.kind,
        "king": style.king,
        "contrast": round(style.contrast, 3),
        "board": style.board.kind,
        "fps": FPS,
    }
