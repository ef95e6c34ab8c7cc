"""Does a watched board ever get a wrong place?  ``python -m models.evaluate.soak --runs 6``.

One set is drawn a few times by one camera: as it stands, after a move, with a hand, with arms over
half of it.  Every frame is then one of these as a camera would see it that has been knocked,
zooms, sags or is turned away, in other light.  A turned camera sees the same picture through a
homography, so that a frame costs no rendering and its truth is exact.

Told for each kind of trouble: how long it took until the board was right again, and in how many
frames something was claimed about the squares of a board that lay elsewhere.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import click
import cv2
import numpy as np

from vision.frame import Frame
from vision.geometry import project
from vision.model import SquareModel
from vision.perceiver import Perceiver
from vision.percept import Percept

from ..synth.arrays import Array, Rng
from ..synth.camera import framed, sample_camera
from ..synth.hand import Hand, sample_hand, sample_look
from ..synth.light import sample_light
from ..synth.paint import Split
from ..synth.positions import start_grid
from ..synth.scene import Rendered, Scene, render
from ..synth.style import sample_style

WEIGHTS = Path(__file__).parents[1] / "weights" / "squares.onnx"

FPS = 5
#: Corners may be off by this much, squares.
WITHIN = 0.35
#: The drawn picture is larger than a frame, so that there is something beside it to see.
WIDE, HIGH, FRAME = 1440, 1080, (960, 720)


@dataclass(frozen=True, slots=True, eq=False)
class Stage:
    """What stands before the camera: pictures of one set by one camera, and its corners there."""

    pictures: dict[str, Array]
    corners: Array
    focal: float
    size: int


@dataclass(frozen=True, slots=True)
class Pose:
    """How the camera is turned against where it began (degrees), its zoom, and the light."""

    yaw: float = 0.0
    pitch: float = 0.0
    roll: float = 0.0
    zoom: float = 1.0
    gain: float = 1.0

    def after(self, rng: Rng, degrees: float, zoom: float = 0.02) -> Pose:
        """The pose after a knock that leaves the board in the picture."""
        yaw, pitch, roll = rng.normal(0, degrees, 3)
        return replace(
            self,
            yaw=float(np.clip(self.yaw + yaw, -1.8, 1.8)),
            pitch=float(np.clip(self.pitch + pitch, -1.2, 1.2)),
            roll=float(np.clip(self.roll + 2 * roll, -5, 5)),
            zoom=float(np.clip(self.zoom * np.exp(rng.normal(0, zoom)), 0.93, 1.02)),
        )


@dataclass(slots=True)
class Trouble:
    """What became of one kind of trouble.

    Attributes:
        frames: how many there were; wrong: those with a claim about a board that lay elsewhere.
        lost: frames on which the board was said to be lost.
        slowest: frames from the end of the trouble until the board was right, the worst.
        errors: of the worst corner in frames with a claim, squares.
    """

    frames: int = 0
    wrong: int = 0
    lost: int = 0
    slowest: int = 0
    errors: list[float] = field(default_factory=list)


def stage(rng: Rng, split: Split, size: int) -> Stage:
    """Draw a set, and what happens over it."""
    style = sample_style(rng, size, split)
    camera = sample_camera(rng, style, WIDE, HIGH, (0, 45), (0.5, 0.56))
    camera = framed(camera, style, float(rng.uniform(0.5, 0.56)), np.array([0.5, 0.5]))
    camera = replace(camera, lens=replace(camera.lens, k1=0.0, softness=0.5, quality=95))
    light = sample_light(rng)
    grid = start_grid(style)
    look = sample_look(rng, split)
    jitter = int(rng.integers(2**31))

    def shot(grid: tuple[str, ...], hands: int) -> Rendered:
        limbs = [sample_hand(rng, look, size) for _ in range(hands)]
        hand = Hand(tuple(c for h in limbs for c in h.capsules), look.coats) if hands else None
        return render(Scene(style, camera, light, grid, jitter=jitter, hand=hand), 1)

    plain = shot(grid, 0)
    half = max((shot(grid, 5) for _ in range(2)), key=lambda r: float(r.cover.mean()))
    pictures = {
        "plain": plain.image,
        "moved": shot(one_move(grid), 0).image,
        "hand": shot(grid, 1).image,
        "half": half.image,
    }
    return Stage(pictures, plain.corners, camera.focal, size)


def one_move(grid: tuple[str, ...]) -> tuple[str, ...]:
    """The grid after some man has gone one square forward."""
    rows = [list(row) for row in grid]
    size = len(rows)
    row = max(r for r in range(size) if "b" in rows[r])
    column = rows[row].index("b")
    rows[row][column] = "."
    rows[row + 1][column + 1 if column + 1 < size else column - 1] = "b"
    return tuple("".join(r) for r in rows)


def seen_by(of: Stage, pose: Pose) -> Array:
    """3x3, pixels of the drawn pictures to those of a frame."""
    yaw, pitch, roll = np.radians([pose.yaw, pose.pitch, pose.roll])
    turn, _ = cv2.Rodrigues(np.array([pitch, yaw, 0.0]))
    spin, _ = cv2.Rodrigues(np.array([0.0, 0.0, roll]))
    middle = (WIDE - 1) / 2, (HIGH - 1) / 2
    drawn = np.array([[of.focal, 0, middle[0]], [0, of.focal, middle[1]], [0, 0, 1]])
    f = of.focal * pose.zoom
    taken = np.array([[f, 0, (FRAME[0] - 1) / 2], [0, f, (FRAME[1] - 1) / 2], [0, 0, 1.0]])
    return np.asarray(taken @ spin @ turn @ np.linalg.inv(drawn))


def frame_of(of: Stage, what: str, pose: Pose, noise: Array, number: int) -> Frame:
    """One frame; ``what`` is a picture's name, or ``away`` for a camera turned to the wall."""
    if what == "away":
        image = np.full((FRAME[1], FRAME[0], 3), 96.0, np.float32)
    else:
        seen = cv2.warpPerspective(
            of.pictures[what], seen_by(of, pose), FRAME, borderMode=cv2.BORDER_REFLECT
        )
        image = seen.astype(np.float32)
    image = image * np.float32(pose.gain) + np.roll(noise, 37 * number, axis=1)
    return Frame(image.clip(0, 255).astype(np.uint8), number, number * 10**9 // FPS)


#: One frame to come: the trouble it belongs to, the picture, the pose, whether the board is where
#: it will stay (so that it must be right soon), and whether the game has confirmed what stands.
Step = tuple[str, str, Pose, bool, bool]


def troubles(rng: Rng) -> Iterator[Step]:
    """All that happens in one run."""
    pose = Pose()

    def still(name: str, count: int, what: str = "plain", learn: bool = False) -> Iterator[Step]:
        for k in range(count):
            yield name, what, pose, what == "plain" or what == "moved", learn and k == count - 1

    yield from still("calm", 4)
    yield from still("a move", 3, "moved", learn=True)
    yield from still("calm", 2)
    for degrees in (0.15, 0.4, 1.0, 2.5):
        pose = pose.after(rng, degrees)
        yield from still("a knock", 6)
    yield from still("a hand", 4, "hand")
    yield from still("a hand", 2)
    for degrees in (0.5, 2.0):
        yield from still("a knock under a hand", 1, "hand")
        pose = pose.after(rng, degrees)
        yield from still("a knock under a hand", 3, "hand")
        yield from still("a knock under a hand", 6)
        yield from still("a knock while half is covered", 1, "half")
        pose = pose.after(rng, degrees)
        yield from still("a knock while half is covered", 3, "half")
        yield from still("a knock while half is covered", 6)
    yield from still("turned away and back", 10, "away")
    pose = pose.after(rng, 1.5)
    yield from still("turned away and back", 6)
    for gain in (0.3, 0.02, 0.004):
        pose = replace(pose, gain=gain)
        yield from still("the light goes out", 2)
    pose = replace(pose, gain=1.0)
    yield from still("the light goes on", 5)
    pose = replace(pose, yaw=1.0, pitch=0.0, roll=-1.5, zoom=0.97)
    yield from still("a knock", 4)
    for k in range(40):
        pose = replace(pose, yaw=pose.yaw - 0.05, roll=pose.roll + 0.08)
        yield from still("it sags", 1, "moved" if k % 2 else "plain", learn=k % 3 == 2)
    for k in range(16):
        pose = replace(pose, zoom=pose.zoom * (1.008 if k < 8 else 1 / 1.008))
        yield from still("it zooms", 1)
    yield from still("calm", 3)


def run(
    rng: Rng,
    of: Stage,
    model: SquareModel,
    tell: Callable[[str], None] | None = None,
    steps: Iterator[Step] | None = None,
) -> dict[str, Trouble]:
    """Watch one run."""
    out: dict[str, Trouble] = defaultdict(Trouble)
    eyes = Perceiver(of.size, model)
    noise = rng.normal(0, 2.0, (FRAME[1], FRAME[0], 3)).astype(np.float32)
    since = 0
    last: tuple[str, Pose] | None = None
    for number, (name, what, pose, settled, learn) in enumerate(steps or troubles(rng)):
        percept = eyes.see(frame_of(of, what, pose, noise, number))
        trouble = out[name]
        trouble.frames += 1
        trouble.lost += percept.geometry == "lost"
        error = off(percept, project(seen_by(of, pose), of.corners), what)
        claims = percept.scores is not None and len(percept.covered) < of.size**2
        if claims:
            trouble.errors.append(error)
            trouble.wrong += error > WITHIN
        since = since + 1 if (name, pose) == last or not settled else 0
        last = (name, pose)
        right = claims and error <= WITHIN
        # a dark picture may stay lost, and nothing is asked of frames before things settle
        if settled and not right and pose.gain > 0.1:
            trouble.slowest = max(trouble.slowest, since + 1)
        if tell is not None:
            state = f"{percept.geometry} covered {len(percept.covered)} off {error:.2f}"
            tell(f"{number:4d} {name}: {what} {state} {percept.reason}")
        if learn and right:
            eyes.learn(read_grid(percept))
    return out


def off(percept: Percept, corners: Array, what: str) -> float:
    """How far the worst corner lies from the truth, squares; infinite for a board that is away."""
    if percept.corners is None or what == "away":
        return float("inf")
    seen = np.array(percept.corners)
    gaps = [np.hypot(*(np.roll(seen, k, axis=0) - corners).T).max() for k in range(4)]
    edges = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    return float(min(gaps) / (edges.mean() / percept.size))


def read_grid(percept: Percept) -> list[str]:
    """What a game would confirm of a frame."""
    best = percept.log_probabilities().argmax(axis=-1)
    return ["".join(".wWbB"[k] for k in row) for row in best]


@click.command()
@click.option("--runs", default=6, show_default=True)
@click.option("--seed", default=0, show_default=True)
@click.option("--split", type=click.Choice(["validation", "heldout"]), default="heldout")
@click.option("--verbose", is_flag=True, help="One line for each frame.")
def main(runs: int, seed: int, split: Split, verbose: bool) -> None:
    """Print how the board is followed through all kinds of trouble."""
    cv2.setNumThreads(1)
    model = SquareModel(WEIGHTS)
    total: dict[str, Trouble] = defaultdict(Trouble)
    for k in range(runs):
        rng = np.random.default_rng([seed, k])
        size = (8, 10)[k % 2]
        for name, one in run(
            rng, stage(rng, split, size), model, click.echo if verbose else None
        ).items():
            all_of = total[name]
            all_of.frames += one.frames
            all_of.wrong += one.wrong
            all_of.lost += one.lost
            all_of.slowest = max(all_of.slowest, one.slowest)
            all_of.errors += one.errors
    head = "frames | claimed elsewhere | lost | frames until right | worst corner, squares"
    click.echo(f"| rendered: {runs} runs | {head} |")
    click.echo("| --- | --- | --- | --- | --- | --- |")
    for name, one in total.items():
        worst = max((e for e in one.errors if np.isfinite(e)), default=0.0)
        row = (name, one.frames, one.wrong, one.lost, one.slowest, f"{worst:.2f}")
        click.echo("| rendered: " + " | ".join(map(str, row)) + " |")


if __name__ == "__main__":
    main()
