"""Sheets from drawn scenes: for each set a start position and other positions in other light.

Part of the pictures of a set are taken by another camera from elsewhere, as when a club
calibrates one day and plays the next.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from models.synth.camera import Camera, sample_camera
from models.synth.episodes import cluttered
from models.synth.hand import sample_hand, sample_look
from models.synth.light import sample_light
from models.synth.men import VARIANTS, atlas, face_index
from models.synth.paint import Split
from models.synth.positions import random_grid, start_grid
from models.synth.scene import Rendered, Scene, render, turned_grid
from models.synth.style import Style, sample_style
from vision.geometry import BoardGeometry

from .sheets import COVERED, IGNORED, Sheet, SheetSet, cut_sheet, save_set

SEEDS = {"train": 1, "validation": 2, "heldout": 3}

#: Share of the later pictures with a hand or an arm over the board.
HANDS = 0.25

#: Hidden shares of a square up to which it can still be read, and from which it counts as covered.
CLEAR, HIDDEN = 0.1, 0.4


def king_show(style: Style, camera: Camera, first: int) -> NDArray[np.float32]:
    """How well a king's mark can be seen on each square, camera order; see ``Sheet.show``."""
    size = style.size
    if style.king in ("coin", "cap"):
        return np.full(size * size, 9, np.float32)
    if style.king == "flip":
        return np.full(size * size, _flip_show(style), np.float32)
    middle = np.arange(size) + 0.5
    x, y = np.meshgrid(middle - camera.position[0], middle - camera.position[1])
    slope = np.hypot(x, y) / camera.position[2]
    lean = style.men.height * np.rot90(slope, first)
    return np.asarray(lean.reshape(-1) * (1.5 if style.king == "other" else 1.0), np.float32)


def _flip_show(style: Style) -> float:
    """Difference between a man's two faces, scaled so that 0.05 is just visible."""
    look = atlas(style)
    gaps = []
    for side in (0, 1):
        rows = (face_index(side, 0), face_index(side, VARIANTS))
        faces = [slice(r * 112 + 12, r * 112 + 100) for r in rows]
        tone = [look.albedo[f, 12:100].astype(np.float32) / 255 for f in faces]
        slope = [look.slope[f, 12:100] for f in faces]
        albedo = float(np.abs(tone[0] - tone[1]).mean())
        gaps.append(albedo + 0.3 * float(np.abs(slope[0] - slope[1]).mean()))
    return min(gaps)


def sheet_of(seen: Rendered, scene: Scene, start: bool, rng: np.random.Generator) -> Sheet:
    """The sheet of a rendered scene."""
    style, height, width = scene.style, *seen.image.shape[:2]
    first = int(seen.tags["first"])
    truth = BoardGeometry(style.size, seen.corners, 0.0, scene.camera.lens.k1, (width, height))
    corner = np.rot90(np.add.outer(np.arange(style.size), np.arange(style.size)) % 2, first)[0, 0]
    light = int(corner == style.parity)
    show = king_show(style, scene.camera, first)
    grid = turned_grid(scene.grid, first)
    sheet = cut_sheet(seen.image, truth, grid, light, start, rng, show)
    cover = seen.cover.reshape(-1)
    labels = np.where(cover > CLEAR, IGNORED, sheet.labels)
    return replace(sheet, labels=np.where(cover > HIDDEN, COVERED, labels).astype(np.int8))


def draw_set(seed: int, split: Split, queries: int) -> SheetSet:
    """All sheets of one random set."""
    rng = np.random.default_rng([SEEDS[split], seed])
    style = sample_style(rng, 8 if rng.random() < 0.65 else 10, split)
    width = int(rng.choice([480, 640, 800, 960], p=[0.15, 0.4, 0.3, 0.15]))
    tilt = (0.0, 56.0) if rng.random() < 0.6 else (0.0, 15.0)

    def camera() -> Camera:
        return sample_camera(rng, style, width, width * 3 // 4, tilt)

    usual, light = camera(), sample_light(rng)
    sheets = []
    for number in range(1 + queries):
        begin = number == 0
        eye = usual if begin or rng.random() < 0.65 else camera()
        lamp = light if begin or rng.random() < 0.3 else sample_light(rng)
        grid = start_grid(style) if begin else random_grid(rng, style)
        scene = cluttered(Scene(style, eye, lamp, grid, int(rng.integers(2**31))), rng)
        if not begin and rng.random() < HANDS:
            scene = replace(scene, hand=sample_hand(rng, sample_look(rng, split), style.size))
        sheets.append(sheet_of(render(scene, number), scene, begin, rng))
    return SheetSet(tuple(sheets), style.contrast, style.king, split)


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--split", type=click.Choice(list(SEEDS)), default="train")
@click.option("--first", default=0)
@click.option("--count", default=400)
@click.option("--queries", default=5)
def main(out: Path, split: Split, first: int, count: int, queries: int) -> None:
    """Draw COUNT sets into OUT, one file each; those that are there already are kept."""
    for seed in range(first, first + count):
        path = out / f"{seed:05d}.npz"
        if not path.exists():
            save_set(path, draw_set(seed, split, queries))


if __name__ == "__main__":
    main()
