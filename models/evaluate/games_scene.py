"""A story as a camera sees it, frame by frame, on sets and cameras that training never saw."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Protocol

import numpy as np

from models.synth.arrays import Array, Rng
from models.synth.camera import Camera, sample_camera
from models.synth.game import (
    Pace,
    Shot,
    Step,
    Table,
    deeds,
    disturbed,
    middle,
    scene_of,
    script,
    walked,
)
from models.synth.hand import Look, sample_look
from models.synth.light import body_shadow, sample_light
from models.synth.paint import Split
from models.synth.pieces import place
from models.synth.scene import Rendered, paint, photographed
from models.synth.style import Style, sample_style
from rules.draughts.game import DraughtsGame
from rules.draughts.position import Side

from .games_acts import (
    Act,
    Bump,
    Carry,
    Lean,
    Light,
    Press,
    Shadow,
    Shove,
    Sweep,
    Truth,
    Wait,
    grid_of,
)

#: Frames a second that the referee looks at.
FPS = 5
PACE = Pace(rest=(1, 1), reach=(0.3, 0.6), carry=(0.3, 0.7))

#: So many frames of a board that stands still are taken anew.
FRESH = 8

#: A player lifts a man and puts it down in this time, seconds.
QUICK = 0.2

#: More of any square hidden than without a hand, and the hand has not left.
OVER = 0.05

#: What makes sides or kings a matter of taste is left out; a man reads as light or dark above it.
LEAST_CONTRAST = 0.12

#: Players look at an alarm for so long before they do something, seconds.
STARTLED = 0.8

#: What things are called in a list of misses.
_NAMES = {
    Light: "light step",
    Shadow: "shadow",
    Bump: "bump of the camera",
    Sweep: "board swept",
    Press: "clock pressed",
}


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """One frame: the picture, its time in seconds, and whether a hand is over a square."""

    image: Array
    at: float
    over: bool


@dataclass(frozen=True, slots=True)
class Noted:
    """A truth, from ``began`` (its first frame) and since the hand left at ``clear``, seconds."""

    truth: Truth
    began: float
    clear: float
    what: str


@dataclass(frozen=True, slots=True)
class Pressed:
    """A clock is pressed."""

    side: Side
    at: float


@dataclass(frozen=True, slots=True)
class During:
    """An act begins."""

    what: str
    at: float


Happening = Shown | Noted | Pressed | During


class Lens(Protocol):
    """What makes frames of what stands on the table.

    Attributes:
        hands: how many hands of one player it can show at once.
        both: whether it is to show two.
    """

    hands: int
    both: bool

    def still(self, table: Table, shot: Shot) -> Iterator[Rendered]:
        """Frames without a hand, without end."""

    def hand(
        self, steps: Sequence[Step], table: Table, look: Look, heading: float, shot: Shot
    ) -> Iterator[Rendered]:
        """Frames of a hand that goes through steps."""


class Drawn:
    """Draws pictures."""

    hands = 1
    both = False

    def still(self, table: Table, shot: Shot) -> Iterator[Rendered]:
        """Frames without a hand, without end: nothing changes but the noise.

        After some the last one is shown again and again, which costs nothing, and tells the
        session nothing either: of equal percepts fifty say what three say.
        """
        scene = scene_of(table, shot, None)
        painted = paint(scene)
        for _ in range(FRESH):
            seen = photographed(scene, painted, int(table.rng.integers(2**31)))
            yield seen
        while True:
            yield seen

    def hand(
        self, steps: Sequence[Step], table: Table, look: Look, heading: float, shot: Shot
    ) -> Iterator[Rendered]:
        """Frames of a hand that goes through steps."""
        return walked(steps, table, look, heading, shot)


@dataclass(slots=True)
class Stage:
    """Where a story is played."""

    game: DraughtsGame
    lens: Lens
    table: Table
    shot: Shot
    looks: dict[str, Look]
    rng: Rng
    heard: Callable[[], float]
    frame: int = 0
    began: float = 0.0
    covered: float = 0.0
    what: str = "start"
    still: Array | None = None
    bare: Shot | None = None

    @property
    def now(self) -> float:
        """Time of the next frame."""
        return self.frame / FPS

    def play(self, acts: list[Act]) -> Iterator[Happening]:
        """Everything that happens; ``heard`` is asked for the time of the last alarm."""
        for act in acts:
            if isinstance(act, Truth):
                yield Noted(act, self.began, self.covered + 1 / FPS, self.what)
                continue
            if isinstance(act, Press):
                self.began, self.covered = self.now, self.now - 1 / FPS
            elif not isinstance(act, Wait):
                self.began = self.now
                self.what = str(_NAMES.get(type(act)) or getattr(act, "what", ""))
                yield During(self.what, self.now)
            yield from self._act(act)
            if isinstance(act, Carry):
                clear = self.covered + 1 / FPS
                seen = [t for t in act.truths if t.code != "O16" or self.lens.hands > 1]
                yield from (Noted(t, self.began, clear, self.what) for t in seen)

    def _act(self, act: Act) -> Iterator[Happening]:
        if isinstance(act, Wait):
            yield from self._wait(act)
        elif isinstance(act, Carry):
            yield from self._carry(act)
        elif isinstance(act, Press):
            yield Pressed(act.side, self.now - 0.5 / FPS)
        elif isinstance(act, Light):
            self.shot = disturbed(self.shot, self.rng, 0.0, act.factor)
        elif isinstance(act, Bump):
            self.shot = disturbed(self.shot, self.rng, act.degrees, 1.0)
        elif isinstance(act, Shadow):
            self._shadow(act.comes)
        elif isinstance(act, Shove):
            yield from self._shove(act)
        elif isinstance(act, Lean):
            yield from self._lean(act)
        elif isinstance(act, Sweep):
            yield from self._sweep(act)

    # ------------------------------------------------------------ hands

    def _carry(self, act: Carry) -> Iterator[Happening]:
        for k, (before, after) in enumerate(zip(act.grids, act.grids[1:], strict=False)):
            if k and act.pause:
                yield from self._wait(Wait(act.pause))
            steps = script(deeds(before, after), self.table, act.side, self.shot.pace)
            steps = [replace(s, seconds=QUICK if s.event else s.seconds) for s in steps]
            if act.quick:
                steps[-1] = replace(steps[-1], seconds=1 / FPS)
            self.lens.both = act.both
            yield from self._hand(steps, act.side)
            self.lens.both = False

    def _shove(self, act: Shove) -> Iterator[Happening]:
        low, tall = self.table.style.men.height, 0.9 + self.table.style.men.height
        x, y, _ = middle(act.square, low)
        gone = (x + act.by[0], y + act.by[1])
        away = self._away(act.side)
        yield from self._hand(
            [
                Step(away, 0.0),
                Step((x, y, tall), float(self.rng.uniform(*PACE.reach))),
                Step((x, y, low), 0.2),
                Step((*gone, low), 0.3, "shove", act.square, by=act.by),
                Step((*gone, tall), 0.2),
                Step(away, float(self.rng.uniform(*PACE.reach))),
            ],
            act.side,
        )

    def _lean(self, act: Lean) -> Iterator[Happening]:
        away = self._away(act.edge)
        steps = [Step(away, 0.0)]
        for point in act.points:
            steps.append(Step(point, float(self.rng.uniform(0.4, 0.9))))
            steps.append(Step(point, 0.4))
        if act.rests:
            steps.append(Step(act.points[-1], act.rests))
        steps.append(Step(away, 0.6))
        yield from self._hand(steps, act.edge)

    def _sweep(self, act: Sweep) -> Iterator[Happening]:
        size, away = self.table.style.size, self._away(act.side)
        steps = [Step(away, 0.0)]
        rows = np.arange(1.2, size, 2.2)
        for k, y in enumerate(rows if act.side == "b" else rows[::-1]):
            columns = np.arange(1.2, size, 2.4)
            for x in columns if k % 2 else columns[::-1]:
                steps.append(Step((float(x), float(y), 0.2), 0.3, "sweep"))
        steps.append(Step(away, 0.5))
        yield from self._hand(steps, act.side)
        self.table.standing.clear()

    def _hand(self, steps: list[Step], edge: str) -> Iterator[Happening]:
        self._measure_still()
        heading = {"w": -np.pi / 2, "b": np.pi / 2, "left": 0.0, "right": np.pi}[edge]
        turn = heading + float(self.rng.normal(0, 0.2))
        look = self.looks.get(edge, self.looks["other"])
        for seen in self.lens.hand(steps, self.table, look, turn, self.shot):
            yield self._shown(seen)

    def _away(self, edge: str) -> tuple[float, float, float]:
        size, along = self.table.style.size, self.table.style.size / 2
        along += float(self.rng.normal(0, 1))
        places = {"w": (along, size + 6.5), "b": (along, -6.5), "left": (-6.5, along),
                  "right": (size + 6.5, along)}  # fmt: skip
        return (*places[edge], 1.6)

    # ------------------------------------------------------------ nobody touches the board

    def _wait(self, act: Wait) -> Iterator[Happening]:
        asked = self.now
        count = max(2, round(act.seconds * FPS / act.every))
        for seen in islice(self.lens.still(self.table, self.shot), count):
            self.still = seen.cover
            yield self._shown(seen)
            self.frame += act.every - 1
            if act.alarm and self.heard() >= asked and self.now - self.heard() > STARTLED:
                return

    def _measure_still(self) -> None:
        """What things beside the board hide without a hand."""
        if self.still is None:
            self.still = np.zeros((self.table.style.size,) * 2, np.float32)

    def _shadow(self, comes: bool) -> None:
        if not comes:
            if self.bare is not None:
                self.shot = replace(self.shot, light=self.bare.light)
            self.bare = None
            return
        self.bare = self.shot
        patch = body_shadow(self.rng, 0.5)
        sources = tuple(replace(s, patches=(*s.patches, patch)) for s in self.shot.light.sources)
        self.shot = replace(self.shot, light=replace(self.shot.light, sources=sources))

    def _shown(self, seen: Rendered) -> Shown:
        at = self.now
        self.frame += 1
        hidden = 0.0 if self.still is None else float((seen.cover - self.still).max())
        if hidden > OVER:
            self.covered = at
        return Shown(seen.image, at, hidden > OVER)


# ---------------------------------------------------------------- sets and cameras


def set_for(game: DraughtsGame, rng: Rng, split: Split = "heldout") -> Style:
    """A set whose dark squares lie as the game wants them, played on the dark ones."""
    dark = 0 if game.board.mirrored else 1
    while True:
        style = sample_style(rng, game.board.size, split)
        if style.on_dark and style.parity == dark and style.contrast > LEAST_CONTRAST:
            return style


def camera_for(style: Style, rng: Rng) -> Camera:
    """A camera from straight above to 45 degrees that sees the whole board."""
    picture = (640, 480) if style.size == 8 else (800, 600)
    return sample_camera(rng, style, *picture, tilt_deg=(0, 45), fill=(0.78, 0.93))


def stage_for(game: DraughtsGame, rng: Rng, heard: Callable[[], float], lens: Lens) -> Stage:
    """The table, the players, the camera and the light of one game."""
    style = set_for(game, rng)
    camera, light = camera_for(style, rng), sample_light(rng)
    standing = {(p.row, p.column): p for p in place(style, grid_of(game, game.start()), rng)}
    looks = {who: sample_look(rng, style.split, 0) for who in ("w", "b", "other")}
    shot = Shot(style, camera, light, (), PACE, FPS)
    return Stage(game, lens, Table(style, standing, [], rng), shot, looks, rng, heard)
