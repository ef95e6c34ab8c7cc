"""Men and kings cut out of drawn scenes, for the network that tells them apart.

One file holds one set: the men of its first position, and those of other positions, nearer and
farther, sharper and less sharp.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from models.synth.arrays import Rng
from models.synth.camera import Camera, sample_camera
from models.synth.episodes import cluttered
from models.synth.light import Light, sample_light
from models.synth.paint import Split
from models.synth.positions import random_grid, start_grid
from models.synth.scene import Rendered, Scene, render, turned_grid
from models.synth.style import Style, sample_style
from vision.crops import light_field, light_parity, view_board
from vision.geometry import BoardGeometry
from vision.men import cut_men, how_seen

from .scenes import CLEAR, SEEDS, king_show

#: Widths of the pictures, and how usual they are.
_WIDTHS, _USUAL = (640, 800, 960, 1280, 1600), (0.15, 0.2, 0.25, 0.25, 0.15)

#: Shares of kings of a picture, one of which is drawn: games have few, learning needs many.
_CROWNED = (0.05, 0.2, 0.5, 0.8)


@dataclass(frozen=True, slots=True, eq=False)
class RankSet:
    """All men of one set's pictures, k of them.

    Attributes:
        men: uint8 (k, MAN_PX, MAN_PX, 3), as ``men.cut_men`` makes them.
        light: float32 (k, 3), what a light square shows there.
        how: float32 (k, 2), as ``men.how_seen`` gives it.
        side: int8 (k,), 0 for the lighter ones, 1 for the darker.
        king: bool (k,).
        show: float32 (k,), how well a king's mark can be seen there; see ``sheets.Sheet``.
        picture: int8 (k,), which picture they are of; 0 is the first position.
    """

    men: NDArray[np.uint8]
    light: NDArray[np.float32]
    how: NDArray[np.float32]
    side: NDArray[np.int8]
    king: NDArray[np.bool_]
    show: NDArray[np.float32]
    picture: NDArray[np.int8]


NAMES = tuple(field.name for field in fields(RankSet))


def load_ranks(path: Path) -> RankSet:
    """The men of one file."""
    with np.load(path) as file:
        return RankSet(**{name: file[name] for name in NAMES})


def crowned(rng: Rng, grid: tuple[str, ...]) -> tuple[str, ...]:
    """The position with other pieces as kings."""
    share = rng.choice(_CROWNED)
    return tuple(
        "".join(c.upper() if rng.random() < share else c.lower() for c in row) for row in grid
    )


def cut(seen: Rendered, scene: Scene, picture: int, rng: Rng) -> RankSet:
    """The men of one picture that nothing hides."""
    style, height, width = scene.style, *seen.image.shape[:2]
    first = int(seen.tags["first"])
    spread = BoardGeometry(style.size, seen.corners).square_px() * rng.choice([0.01, 0.03])
    corners = seen.corners + rng.normal(0, spread, (4, 2))
    k1 = scene.camera.lens.k1 * rng.uniform(0.7, 1.15)
    geometry = BoardGeometry(style.size, corners, 0.0, k1, (width, height))
    view = view_board(seen.image, geometry)
    letters = np.array(list("".join(turned_grid(scene.grid, first))))
    clear = seen.cover.reshape(-1) <= CLEAR
    (at,) = np.nonzero((letters != ".") & clear)
    lights = light_field(view, light_parity(view)).reshape(-1, 3)
    return RankSet(
        cut_men(seen.image, geometry, view, at),
        lights[at],
        how_seen(view, geometry.square_px())[at],
        np.isin(letters[at], ("b", "B")).astype(np.int8),
        np.isin(letters[at], ("W", "B")),
        king_show(style, scene.camera, first)[at],
        np.full(len(at), picture, np.int8),
    )


def draw_ranks(seed: int, split: Split, queries: int) -> RankSet:
    """One random set."""
    rng = np.random.default_rng([SEEDS[split], 77, seed])
    style = sample_style(rng, 8 if rng.random() < 0.65 else 10, split)
    usual, lamp = _camera(rng, style), sample_light(rng)
    parts = []
    for picture in range(1 + queries):
        eye, light, grid = usual, lamp, start_grid(style)
        if picture > 0:
            eye = usual if rng.random() < 0.6 else _camera(rng, style)
            light = lamp if rng.random() < 0.5 else sample_light(rng)
            grid = crowned(rng, random_grid(rng, style))
        parts.append(_picture(style, eye, light, grid, picture, rng))
    whole = {name: np.concatenate([getattr(p, name) for p in parts]) for name in NAMES}
    return RankSet(**whole)


def _camera(rng: Rng, style: Style) -> Camera:
    width = int(rng.choice(_WIDTHS, p=_USUAL))
    tilt = (5.0, 60.0) if rng.random() < 0.8 else (0.0, 20.0)
    return sample_camera(rng, style, width, width * 3 // 4, tilt)


def _picture(
    style: Style, eye: Camera, light: Light, grid: tuple[str, ...], picture: int, rng: Rng
) -> RankSet:
    scene = cluttered(Scene(style, eye, light, grid, int(rng.integers(2**31))), rng)
    return cut(render(scene, picture), scene, picture, rng)


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--split", type=click.Choice(list(SEEDS)), default="train")
@click.option("--first", default=0)
@click.option("--count", default=1000)
@click.option("--queries", default=3)
def main(out: Path, split: Split, first: int, count: int, queries: int) -> None:
    """Draw COUNT sets into OUT, one file each; those that are there already are kept."""
    out.mkdir(parents=True, exist_ok=True)
    for seed in range(first, first + count):
        path = out / f"{seed:05d}.npz"
        if not path.exists():
            whole = draw_ranks(seed, split, queries)
            part = path.with_suffix(".part.npz")
            np.savez(part, **{name: getattr(whole, name) for name in NAMES})
            part.replace(path)


if __name__ == "__main__":
    main()
