"""A whole game as a camera sees it: still boards, and hands that come, carry and leave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .arrays import Array, Rng
from .camera import Camera, bumped
from .clutter import Slab
from .hand import Hand, Look, Point, pose, sample_look
from .light import Light, Source
from .pieces import Disc, Placed, discs_of, man, place, put
from .scene import Rendered, Scene, paint, photographed
from .style import Style

Square = tuple[int, int]
Grid = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pace:
    """How long things take, seconds: (least, most)."""

    rest: tuple[float, float] = (1.4, 2.6)
    reach: tuple[float, float] = (0.6, 1.0)
    carry: tuple[float, float] = (0.6, 1.2)
    exposure: float = 1 / 40


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing that a hand does.

    ``frm`` None: the man comes from beside the board; ``to`` None: it goes there.  ``piece`` is
    what stands on ``to`` afterwards.
    """

    frm: Square | None
    to: Square | None
    piece: str


@dataclass(frozen=True, slots=True)
class Step:
    """The hand moves to a point, and there does what ``event`` says.

    ``lift``, ``put``, ``shove`` (a man to a distance ``by`` from the middle of its square),
    ``sweep`` (all men near the point are wiped off) or, where it is empty, nothing.
    """

    point: Point
    seconds: float
    event: str = ""
    square: Square | None = None
    piece: str = ""
    by: tuple[float, float] = (0.0, 0.0)


@dataclass(slots=True)
class Table:
    """What stands where at a moment of the game; changes as the game goes on."""

    style: Style
    standing: dict[Square, Placed]
    beside: list[Disc]
    rng: Rng
    held: Placed | None = None
    taken: dict[str, int] = field(default_factory=lambda: {"w": 0, "b": 0})

    def grid(self) -> Grid:
        """Rows as White sees them."""
        size = self.style.size
        rows = [["."] * size for _ in range(size)]
        for (row, column), placed in self.standing.items():
            rows[row][column] = placed.piece
        return tuple("".join(row) for row in rows)

    def lift(self, square: Square | None) -> None:
        """Take a man into the hand."""
        if square is None:
            self.held = Placed(0, 0, "w", 0.0, 0.0, int(self.rng.integers(2**31)))
        else:
            self.held = self.standing.pop(square)

    def put(self, square: Square | None, piece: str) -> None:
        """Put the man in the hand down on a square, or beside the board."""
        held, self.held = self.held, None
        if square is not None:
            fresh = self.clear(square, piece)
            seed = fresh.seed if held is None else held.seed
            self.standing[square] = replace(fresh, seed=seed)
        elif held is not None:
            self.lay_aside(held.piece)

    def clear(self, square: Square, piece: str) -> Placed:
        """A man put down on a square so that it doesn't stand in another one."""
        for _ in range(20):
            fresh = put(self.style, *square, piece, self.rng)
            near = min(
                (np.hypot(fresh.x - p.x, fresh.y - p.y) for p in self.standing.values()), default=9
            )
            if near > self.style.men.diameter * 1.01:
                return fresh
        return replace(fresh, x=square[1] + 0.5, y=square[0] + 0.5)

    def shove(self, square: Square, by: tuple[float, float]) -> None:
        """Push a man to a distance from the middle of its square."""
        row, column = square
        self.standing[square] = replace(
            self.standing[square], x=column + 0.5 + by[0], y=row + 0.5 + by[1]
        )

    def sweep(self, x: float, y: float, reach: float = 2.2) -> None:
        """Wipe all men near a point off the board."""
        near = [s for s, p in self.standing.items() if np.hypot(p.x - x, p.y - y) < reach]
        for square in near:
            self.lay_aside(self.standing.pop(square).piece)

    def lay_aside(self, piece: str) -> None:
        """Add a captured man to its row beside the board."""
        side = piece.lower()
        count, diameter = self.taken[side], self.style.men.diameter
        self.taken[side] += 1
        off = self.style.board.frame_width + 0.8 + 0.05 * float(self.rng.normal())
        along = 0.4 + count % 8 * diameter * 1.12
        row = off + count // 8 * diameter * 1.12
        x, y = (-row, along) if side == "w" else (self.style.size + row, self.style.size - along)
        base = -self.style.board.thickness
        self.beside.append(man(self.style, "wb".index(side), (x, y), base, self.rng))


def deeds(before: Grid, after: Grid) -> list[Deed]:
    """What a hand must do to get from one position to the next: carry first, then take off."""
    size = len(before)
    squares = [(r, c) for r in range(size) for c in range(size)]
    gone = [s for s in squares if before[s[0]][s[1]] != "." and after[s[0]][s[1]] == "."]
    come = [s for s in squares if after[s[0]][s[1]] not in (".", before[s[0]][s[1]])]
    done = []
    for square in come:
        piece = after[square[0]][square[1]]
        if before[square[0]][square[1]] != ".":
            done.append(Deed(square, square, piece))
            continue
        same = [s for s in gone if before[s[0]][s[1]].lower() == piece.lower()]
        if same:
            source = min(same, key=lambda s: abs(s[0] - square[0]) + abs(s[1] - square[1]))
            gone.remove(source)
            done.insert(0, Deed(source, square, piece))
        else:
            done.append(Deed(None, square, piece))
    return done + [Deed(square, None, ".") for square in gone]


def middle(square: Square, height: float) -> Point:
    """The point over the middle of a square."""
    return square[1] + 0.5, square[0] + 0.5, height


def script(done: Sequence[Deed], table: Table, side: str, pace: Pace) -> list[Step]:
    """The hand's way from its player, through the deeds, and back."""
    rng, size = table.rng, table.style.size
    low, tall = table.style.men.height, 0.9 + table.style.men.height
    edge = size + 6.5 if side == "w" else -6.5
    away: Point = (size / 2 + float(rng.normal(0, 1)), edge, 1.6)
    aside: Point = (-1.6 if side == "w" else size + 1.6, size / 2, 0.6)
    steps = []
    for deed in done:
        first = aside if deed.frm is None else middle(deed.frm, low)
        last = aside if deed.to is None else middle(deed.to, low)
        reach, carry = float(rng.uniform(*pace.reach)), float(rng.uniform(*pace.carry))
        steps.append(Step((first[0], first[1], tall), reach))
        steps.append(Step(first, 0.3, "lift", deed.frm))
        if first != last:
            steps.append(Step((last[0], last[1], tall), carry))
        steps.append(Step(last, 0.3, "put", deed.to, deed.piece))
        steps.append(Step((last[0], last[1], tall), 0.2))
    steps.append(Step(away, float(rng.uniform(*pace.reach))))
    return [Step(away, 0.0), *steps]


@dataclass(frozen=True, slots=True)
class Shot:
    """What all frames of a game share."""

    style: Style
    camera: Camera
    light: Light
    slabs: tuple[Slab, ...]
    pace: Pace
    fps: float


def frames(
    style: Style,
    camera: Camera,
    light: Light,
    grids: Sequence[Grid],
    rng: Rng,
    fps: float = 5,
    pace: Pace | None = None,
    knocks: Mapping[int, float] | None = None,
    lamps: Mapping[int, float] | None = None,
    slabs: tuple[Slab, ...] = (),
) -> Iterator[tuple[Array, dict[str, Any]]]:
    """Frames of a game, each an image uint8 (H, W, 3) and what is true of it.

    ``grids`` are the positions as White sees them, row 0 far from White; the first stands at the
    start.  ``knocks`` maps a position's number to a bump of the camera in degrees, ``lamps`` to a
    factor of the main light, both just before its still frames.  The truth has ``frame``,
    ``time`` (s), ``ply`` (the last position that stood whole), ``settled`` (no hand, nothing in
    the air), ``board`` (as White sees it), ``grid`` and ``corners`` (camera order, ``?`` hidden).
    """
    shot = Shot(style, camera, light, slabs, pace or Pace(), fps)
    standing = {(p.row, p.column): p for p in place(style, grids[0], rng)}
    table = Table(style, standing, [], rng)
    looks = {"w": sample_look(rng, style.split, 0), "b": sample_look(rng, style.split, 0)}
    number = 0
    for ply, grid in enumerate(grids):
        if ply:
            done = deeds(grids[ply - 1], grid)
            side = mover(done, table)
            for rendered in carried(done, table, looks[side], side, shot):
                yield rendered.image, truth(rendered, table, number, fps, ply - 1, False)
                number += 1
        shot = disturbed(shot, rng, (knocks or {}).get(ply, 0.0), (lamps or {}).get(ply, 1.0))
        for rendered in rested(table, shot):
            yield rendered.image, truth(rendered, table, number, fps, ply, True)
            number += 1


def mover(done: Sequence[Deed], table: Table) -> str:
    """Whose hand it is: the player's whose man is carried, else White's."""
    for deed in done:
        if deed.to is not None:
            return deed.piece.lower()
    return "w"


def disturbed(shot: Shot, rng: Rng, knock: float, lamp: float) -> Shot:
    """The shot after a bump of the camera, a step of the lamp, and a little drift of the clouds."""
    camera = bumped(shot.camera, rng, knock, knock * 0.05) if knock else shot.camera
    sources = tuple(stepped(s, lamp if k == 0 else 1.0) for k, s in enumerate(shot.light.sources))
    drift = float(np.exp(rng.normal(0, 0.02))) * (1.0 if sources else lamp)
    b, g, r = shot.light.ambient
    light = replace(shot.light, sources=sources, ambient=(b * drift, g * drift, r * drift))
    return replace(shot, camera=camera, light=light)


def stepped(source: Source, factor: float) -> Source:
    """The source at another strength."""
    return replace(source, strength=source.strength * factor)


def truth(
    rendered: Rendered, table: Table, number: int, fps: float, ply: int, settled: bool
) -> dict[str, Any]:
    """What is true of a frame."""
    return {
        "frame": number,
        "time": number / fps,
        "ply": ply,
        "settled": settled,
        "board": table.grid(),
        "grid": rendered.grid,
        "corners": [[round(float(x), 2), round(float(y), 2)] for x, y in rendered.corners],
    }


def rested(table: Table, shot: Shot) -> Iterator[Rendered]:
    """Frames in which nothing moves but the noise."""
    scene = scene_of(table, shot, None)
    painted = paint(scene)
    for _ in range(max(2, round(float(table.rng.uniform(*shot.pace.rest)) * shot.fps))):
        yield photographed(scene, painted, int(table.rng.integers(2**31)))


def carried(
    done: Sequence[Deed], table: Table, look: Look, side: str, shot: Shot
) -> Iterator[Rendered]:
    """Frames with the hand in them."""
    heading = (-np.pi / 2 if side == "w" else np.pi / 2) + float(table.rng.normal(0, 0.2))
    yield from walked(script(done, table, side, shot.pace), table, look, heading, shot)


def walked(
    steps: Sequence[Step], table: Table, look: Look, heading: float, shot: Shot
) -> Iterator[Rendered]:
    """Frames of a hand that goes through steps; the first says only where it comes from."""
    for tip, speed in moments(steps, table, shot.fps):
        yield with_hand(table, shot, look, tip, heading, speed)


def moments(steps: Sequence[Step], table: Table, fps: float) -> Iterator[tuple[Array, Array]]:
    """Where the fingertips are in each frame, and their speed; the table changes on the way."""
    at = np.array(steps[0].point)
    for step in steps[1:]:
        goal = np.array(step.point)
        count = max(1, round(step.seconds * fps))
        for k in range(1, count + 1):
            share = k / count
            tip = at + (goal - at) * (share * share * (3 - 2 * share))
            if k == count:
                happen(table, step)
            yield tip, (goal - at) * (fps / count * 6 * share * (1 - share))
        at = goal


def happen(table: Table, step: Step) -> None:
    """What the hand does at the end of a step."""
    if step.event == "lift":
        table.lift(step.square)
    elif step.event == "put":
        table.put(step.square, step.piece)
    elif step.event == "shove" and step.square is not None:
        table.shove(step.square, step.by)
    elif step.event == "sweep":
        table.sweep(step.point[0], step.point[1])


def with_hand(
    table: Table, shot: Shot, look: Look, tip: Array, heading: float, speed: Array
) -> Rendered:
    """One frame with the hand's fingertips at a point, moving at a speed (squares a second)."""
    point: Point = (float(tip[0]), float(tip[1]), float(tip[2]) * 0.8)
    before = shot.camera.project_ideal((tip - speed * shot.pace.exposure)[None])[0]
    smear = shot.camera.project_ideal(tip[None])[0] - before
    hand = Hand(pose(look, point, heading), look.coats, (float(smear[0]), float(smear[1])))
    scene = scene_of(table, shot, hand)
    if table.held is not None:
        held = replace(table.held, x=point[0], y=point[1])
        base = max(0.0, point[2] - table.style.men.height)
        scene = replace(scene, held=tuple(discs_of(table.style, held, base)))
    return photographed(scene, paint(scene), int(table.rng.integers(2**31)))


def scene_of(table: Table, shot: Shot, hand: Hand | None) -> Scene:
    """The scene at this moment."""
    return Scene(
        shot.style,
        shot.camera,
        shot.light,
        table.grid(),
        0,
        tuple(table.standing.values()),
        tuple(table.beside),
        shot.slabs,
        hand,
    )
