"""From where on a mounting spoils reading: ``python -m models.evaluate.mounting``.

Each scene is well mounted but for one thing, drawn from good to hopeless: the angle, how small the
board is, focus, too little or too much light, a lamp mirrored on the board.  The set is learned
from its first position and another position of it is read, both seen by that camera in that
light.  The limits of ``vision.mounting`` are where the tables turn.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from pathlib import Path

import click
import cv2
import numpy as np
from tqdm import tqdm

from vision.answer import answer
from vision.calibrate import Calibration
from vision.frame import Frame
from vision.geometry import BoardGeometry
from vision.locate import NotFound, locate
from vision.model import SquareModel
from vision.mounting import Figures, measure
from vision.perceiver import Perceiver

from ..synth.arrays import Rng
from ..synth.camera import Camera, sample_camera
from ..synth.light import Light, Source, sample_light, sample_source
from ..synth.paint import Split
from ..synth.positions import random_grid, start_grid
from ..synth.scene import Rendered, Scene, render
from ..synth.style import Style, sample_style

WEIGHTS = Path(__file__).parents[1] / "weights" / "squares.onnx"

#: What is spoilt, the figure that tells of it, and where its rows are parted.
FACTORS: dict[str, tuple[str, tuple[float, ...]]] = {
    "angle": ("tilt", (0, 20, 35, 50, 58, 65, 90)),
    "size": ("smallest", (0, 8, 11, 14, 18, 24, 36, 200)),
    "focus": ("softness", (0, 0.06, 0.1, 0.14, 0.18, 0.22, 0.28, 1.1)),
    "dark": ("level", (0, 15, 25, 35, 50, 70, 100, 256)),
    "bright": ("clipped", (0, 0.001, 0.05, 0.2, 0.4, 0.7, 1.1)),
    "glare": ("washed", (0, 0.001, 0.02, 0.04, 0.07, 0.12, 1.1)),
}


@dataclass(frozen=True, slots=True)
class Row:
    """One scene.

    Attributes:
        factor: what was spoilt; how: by how much, 0 to 1.
        figures: as measured; None where the board was not found.
        learned: whether the first position was accepted.
        right, wrong, squares: squares answered right and wrong, of all.
        read: whether the whole board was read, and right.
    """

    factor: str
    how: float
    figures: Figures | None
    learned: bool
    right: int
    wrong: int
    squares: int
    read: bool


def spoilt(rng: Rng, style: Style, factor: str, how: float) -> tuple[Camera, Light]:
    """A good camera and good light, but for one factor; ``how`` goes from 0, good, to 1."""
    width, height, fill, tilt = 960, 720, float(rng.uniform(0.75, 0.9)), float(rng.uniform(5, 30))
    if factor == "angle":
        tilt = 72 * how
    if factor == "size":
        fill *= float(0.14**how)
    camera = sample_camera(rng, style, width, height, (tilt, tilt), (fill, fill))
    lens = replace(camera.lens, softness=0.5, detail=1.0, noise=min(camera.lens.noise, 0.008))
    if factor == "focus":
        lens = replace(lens, softness=0.5 * float(30**how))
    camera = replace(camera, lens=lens)
    light = sample_light(rng)
    while light.kind in ("sun", "flash"):
        light = sample_light(rng)
    exposure = {"dark": -5.0 * how, "bright": 2.6 * how}.get(factor, 0.0)
    gain = light.gain * (4.0**how if factor == "dark" else 1.0)
    light = replace(light, exposure_ev=exposure, gain=gain)
    if factor == "glare":
        light = replace(light, sources=(mirrored_lamp(rng, style, camera, how),))
    return camera, light


def mirrored_lamp(rng: Rng, style: Style, camera: Camera, how: float) -> Source:
    """A lamp that stands where the board mirrors it into the camera, stronger with ``how``."""
    size = style.size
    spot = np.array([*rng.uniform(0.25, 0.75, 2) * size, 0.0])
    eye = np.array(camera.position)
    ray = (spot - eye) * (1, 1, -1)
    place = (spot + ray * float(rng.uniform(0.5, 1.2)) - (size / 2, size / 2, 0)) / size
    source = sample_source(rng, "lamp", 4500)
    return replace(
        source,
        position=(float(place[0]), float(place[1]), float(place[2])),
        strength=source.strength * float(0.5 + 14 * how),
        radius=float(rng.uniform(0.1, 0.4)),
        patches=(),
    )


def measured(rng: Rng, split: Split, size: int, model: SquareModel, factor: str, how: float) -> Row:
    """Draw one scene and read it."""
    style = sample_style(rng, size, split)
    while style.contrast < 0.2:
        style = sample_style(rng, size, split)
    camera, light = spoilt(rng, style, factor, how)
    start = shot(style, camera, light, start_grid(style), rng)
    later = shot(style, camera, light, random_grid(rng, style), rng)
    found = locate(later.image, size)
    figures = None if isinstance(found, NotFound) else measure(later.image, found)
    eyes = Perceiver(size, model)
    learned = isinstance(eyes.calibrate(Frame(start.image)), Calibration)
    said = answer(eyes.see(Frame(later.image)), learned)
    right = wrong = 0
    if said.grid and isinstance(found, BoardGeometry):
        pairs = zip("".join(said.grid), "".join(later.grid), strict=True)
        known = [(a, b) for a, b in pairs if a != "?"]
        right = sum(a == b for a, b in known)
        wrong = len(known) - right
    whole = said.status == "read" and right == size * size
    return Row(factor, how, figures, learned, right, wrong, size * size, whole)


def shot(style: Style, camera: Camera, light: Light, grid: tuple[str, ...], rng: Rng) -> Rendered:
    """One picture."""
    jitter, noise = (int(v) for v in rng.integers(2**31, size=2))
    return render(Scene(style, camera, light, grid, jitter=jitter), noise)


def rows(
    split: Split, size: int, scenes: int, seed: int, factors: tuple[str, ...]
) -> Iterator[Row]:
    """``scenes`` for every factor, each from good to hopeless."""
    model = SquareModel(WEIGHTS)
    for k in range(scenes):
        for number, factor in enumerate(FACTORS):
            if factor not in factors:
                continue
            rng = np.random.default_rng([seed, size, k, number])
            yield measured(rng, split, size, model, factor, (k + 0.5) / scenes)


def table(found: list[Row], factor: str) -> list[str]:
    """What was read, by the figure that tells of a factor."""
    figure, edges = FACTORS[factor]
    own = [row for row in found if row.factor == factor]
    lines = [
        f"| rendered: {figure} | scenes | learned | read and right | squares right | wrong |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    groups: list[tuple[str, list[Row]]] = [
        (
            f"{low:g} to {high:g}",
            [r for r in own if r.figures and low <= getattr(r.figures, figure) < high],
        )
        for low, high in pairwise(edges)
    ]
    groups.append(("board not found", [r for r in own if r.figures is None]))
    for name, group in groups:
        if not group:
            continue
        n, squares = len(group), sum(r.squares for r in group)
        lines.append(
            f"| rendered: {name} | {n} | {sum(r.learned for r in group)} "
            f"| {sum(r.read for r in group)} | {100 * sum(r.right for r in group) / squares:.1f} % "
            f"| {100 * sum(r.wrong for r in group) / squares:.2f} % |"
        )
    return lines


def read_rows(path: Path) -> list[Row]:
    """The rows that ``as_json`` wrote."""
    names = [f.name for f in fields(Figures)]
    out = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        seen = {name: row.pop(name) for name in names if name in row}
        out.append(Row(**row, figures=Figures(**seen) if seen else None))
    return out


def as_json(row: Row) -> str:
    """A row as one line."""
    told = {f.name: getattr(row, f.name) for f in fields(row) if f.name != "figures"}
    figures = row.figures
    more = {} if figures is None else {f.name: getattr(figures, f.name) for f in fields(figures)}
    return json.dumps({**told, **more})


@click.command()
@click.option("--split", type=click.Choice(["validation", "heldout"]), default="validation")
@click.option("--size", type=click.IntRange(8, 10), default=8, show_default=True)
@click.option("--scenes", default=24, show_default=True, help="For each factor.")
@click.option("--factor", "factors", type=click.Choice(list(FACTORS)), multiple=True)
@click.option("--seed", default=5, show_default=True)
@click.option("--out", type=click.Path(path_type=Path), help="JSON lines, one for each scene.")
@click.option(
    "--of",
    "files",
    type=click.Path(path_type=Path, exists=True),
    multiple=True,
    help="Draw nothing, tell of such files together.",
)
def main(
    split: Split,
    size: int,
    scenes: int,
    factors: tuple[str, ...],
    seed: int,
    out: Path | None,
    files: tuple[Path, ...],
) -> None:
    """Print what is read of boards that are mounted better and worse."""
    cv2.setNumThreads(1)
    factors = factors or tuple(FACTORS)
    found = [row for file in files for row in read_rows(file)]
    drawn = iter(()) if files else rows(split, size, scenes, seed, factors)
    for row in tqdm(drawn, total=scenes * len(factors), disable=bool(files)):
        found.append(row)
        if out is not None:
            with out.open("a", encoding="utf-8") as file:
                file.write(as_json(row) + "\n")
    for factor in factors:
        click.echo("\n".join(["", f"## {factor}", "", *table(found, factor)]))


if __name__ == "__main__":
    main()
