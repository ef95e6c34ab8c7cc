"""What the eyes cost, on one thread:
``OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python -m tests.benchmarks.eyes_cost``.

Times are processor times, the least of some repeats: other work on the machine makes them longer,
never shorter.  Each row names what it was asked to keep to; a Pi 4 takes about five times as long.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from models.synth.arrays import Array
from models.synth.camera import framed, sample_camera
from models.synth.hand import Hand, sample_hand, sample_look
from models.synth.light import sample_light
from models.synth.positions import start_grid
from models.synth.scene import Rendered, Scene, render
from models.synth.style import sample_style
from vision.crops import view_board
from vision.frame import Frame
from vision.geometry import BoardGeometry
from vision.locate import locate, refine
from vision.markers import find_markers
from vision.mounting import check_mounting
from vision.perceiver import Perceiver

ROOT = Path(__file__).parents[2]
WEIGHTS = ROOT / "models" / "weights" / "squares.onnx"
REPEATS = 5
LARGE = (1280, 960)


def ms(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """Processor time of one call, milliseconds, the least of some."""
    took = []
    for _ in range(repeats):
        begun = time.process_time()
        work()
        took.append(1000 * (time.process_time() - begun))
    return min(took)


def drawn(size: int, hands: int = 0, wh: tuple[int, int] = LARGE, seed: int = 21) -> Rendered:
    """A board with its first position, and arms over it."""
    rng = np.random.default_rng([seed, size])
    style = sample_style(rng, size, "heldout")
    camera = framed(
        sample_camera(rng, style, *wh, (25, 35), (0.8, 0.8)), style, 0.8, np.array([0.5, 0.5])
    )
    light, look = sample_light(rng), sample_look(rng, "heldout", 0.0)
    limbs = [sample_hand(rng, look, size) for _ in range(hands)]
    hand = Hand(tuple(c for h in limbs for c in h.capsules), look.coats) if hands else None
    return render(Scene(style, camera, light, start_grid(style), jitter=1, hand=hand), 1)


def page(wh: tuple[int, int] = LARGE) -> Array:
    """A page of text: many corners and no board."""
    out = np.full((720, 960, 3), (150, 160, 170), np.uint8)
    cv2.rectangle(out, (200, 60), (760, 680), (240, 240, 240), -1)
    for row in range(18):
        words = "".join(chr(97 + (row * 7 + k * k) % 26) for k in range(26))
        cv2.putText(out, words, (220, 100 + 32 * row), 0, 0.9, (40, 40, 40), 2, cv2.LINE_AA)
    return np.asarray(cv2.resize(out, wh, interpolation=cv2.INTER_CUBIC), np.uint8)


def blobs(wh: tuple[int, int] = LARGE) -> Array:
    """Soft spots everywhere, each of them a saddle or nearly one."""
    coarse = np.random.default_rng(3).integers(0, 256, (45, 60, 3)).astype(np.uint8)
    return np.asarray(cv2.resize(coarse, wh, interpolation=cv2.INTER_CUBIC), np.uint8)


def noise(wh: tuple[int, int] = LARGE) -> Array:
    """A picture of nothing but noise."""
    return np.random.default_rng(3).integers(0, 256, (*wh[::-1], 3)).astype(np.uint8)


def say(what: str, value: float, unit: str, asked: str = "") -> None:
    """A row of the table."""
    sys.stdout.write(f"| {what} | {value:.0f} {unit} | {asked} |\n")
    sys.stdout.flush()


def searching() -> None:
    """Locating and refining, where boards are and where none is."""
    eight, arms = drawn(8), drawn(8, hands=3)
    truth = BoardGeometry(8, eight.corners)
    knocked = replace(truth, corners=truth.corners + np.array([0.4, 0.2]) * truth.square_px())
    say("locate 8x8 at 1280x960", ms(lambda: locate(eight.image, 8)), "ms", "300")
    ten = drawn(10)
    say("locate 10x10 at 1280x960", ms(lambda: locate(ten.image, 10)), "ms", "300")
    say("locate 8x8 under three arms", ms(lambda: locate(arms.image, 8)), "ms", "300")
    for name, image in (("a page of text", page()), ("soft blobs", blobs()), ("noise", noise())):
        say(f"locate, {name}, no board", ms(partial(locate, image, 8), 3), "ms", "300")
        say(f"refine, {name}, no board", ms(partial(refine, image, truth), 3), "ms", "300")
    say("refine after a knock", ms(lambda: refine(eight.image, knocked)), "ms", "300")
    say("refine under three arms", ms(lambda: refine(arms.image, knocked)), "ms", "300")
    say("corner markers, none there", ms(lambda: find_markers(eight.image)), "ms")
    say("mounting", ms(lambda: check_mounting(eight.image, truth)), "ms")


def growing() -> None:
    """How cost grows with the picture."""
    seen = drawn(10, wh=(1280, 960))
    for wh in ((640, 480), (1280, 960), (2304, 1728), (4608, 3456)):
        image = np.asarray(cv2.resize(seen.image, wh, interpolation=cv2.INTER_AREA), np.uint8)
        geometry = BoardGeometry(10, (seen.corners + 0.5) * (wh[0] / 1280) - 0.5)
        say(f"locate 10x10 at {wh[0]}x{wh[1]}", ms(partial(locate, image, 10), 3), "ms")
        cut = ms(partial(view_board, image, geometry), 3)
        say(f"cut out the squares at {wh[0]}x{wh[1]}", cut, "ms")


def following() -> None:
    """A frame whose board is where it was."""
    for size in (8, 10):
        seen = drawn(size)
        eyes = Perceiver(size, WEIGHTS)
        eyes.see(Frame(seen.image, 0, 0))
        image = seen.image.copy()
        say(
            f"a frame of {size}x{size} with known geometry, all {size * size} squares",
            ms(partial(eyes.see, Frame(image, 1, 1)), 7),
            "ms",
            "60 for 50 squares",
        )


def starting() -> None:
    """From the start of the program to its first answer, and the memory it took."""
    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "board.jpg"
        cv2.imwrite(str(picture), drawn(10).image)
        command = [sys.executable, "-c", _READ, str(picture)]
        runs = [
            json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
            for _ in range(3)
        ]
    say("start to first answer, processor time", 1000 * min(r["s"] for r in runs), "ms", "2000")
    say("peak memory of it", max(r["mb"] for r in runs), "MB", "350")


_READ = """
import json, resource, sys
from click.testing import CliRunner
from device.cli.read import command
done = CliRunner().invoke(command, [sys.argv[1], "--size", "10", "--json"], standalone_mode=False)
assert json.loads(done.stdout)["grid"], done.stdout
use = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({"s": use.ru_utime + use.ru_stime, "mb": use.ru_maxrss / 1024}))
"""


def main() -> None:
    """Print all of it."""
    cv2.setNumThreads(1)
    sys.stdout.write("| what | figure | asked |\n| --- | --- | --- |\n")
    for part in (starting, following, searching, growing):
        part()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    say("peak memory of all this, scenes drawn as well", peak, "MB")


if __name__ == "__main__":
    main()
