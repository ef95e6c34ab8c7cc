"""Boards where finding them is hard: ``python -m models.evaluate.locate_hard``.

Each kind of trouble is drawn on its own: chequered tables, wide frames, things all around, a hard
shadow, fog, a second board.  A board counts as found when all four corners lie within 0.35 squares
of the truth.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from time import process_time

import click
import cv2
import numpy as np

from vision.locate import NotFound, locate

from ..synth.arrays import Array, Rng
from ..synth.camera import Camera, sample_camera
from ..synth.clutter import captured, sample_slabs
from ..synth.light import Light, sample_light
from ..synth.positions import random_grid, start_grid
from ..synth.scene import Rendered, Scene, render
from ..synth.style import Style, sample_style
from .locate import WITHIN, corner_error

Draw = Callable[[Rng, int], Rendered]


def set_up(
    rng: Rng,
    size: int,
    tilt: tuple[float, float] = (0, 55),
    fill: tuple[float, float] = (0.45, 0.9),
) -> tuple[Style, Camera, Light]:
    """A set, a camera and light."""
    style = sample_style(rng, size, "validation")
    camera = sample_camera(rng, style, 960, 720, tilt_deg=tilt, fill=fill)
    return style, camera, sample_light(rng)


def shot(style: Style, camera: Camera, light: Light, rng: Rng, things: bool = False) -> Rendered:
    """One picture, with ``things`` lying around."""
    grid = start_grid(style) if rng.random() < 0.4 else random_grid(rng, style)
    slabs = (*sample_slabs(rng, style, 5), *sample_slabs(rng, style, 5)) if things else ()
    beside = captured(style, (8, 8), rng) if things else ()
    jitter, noise = (int(v) for v in rng.integers(2**31, size=2))
    return render(Scene(style, camera, light, grid, jitter, slabs=slabs, beside=beside), noise)


def on_table(kind: str) -> Draw:
    """On a table of that kind."""

    def draw(rng: Rng, size: int) -> Rendered:
        style, camera, light = set_up(rng, size)
        return shot(replace(style, table=replace(style.table, kind=kind)), camera, light, rng)

    return draw


def wide_frame(rng: Rng, size: int) -> Rendered:
    """A frame wider than a square, with a line and letters on all sides."""
    style, camera, light = set_up(rng, size)
    look = replace(style.board, frame_width=1.2, letters=2, border=0.06, border_gap=0.1)
    return shot(replace(style, board=look), camera, light, rng)


def hinge(rng: Rng, size: int) -> Rendered:
    """A board that folds, with lines between its squares."""
    style, camera, light = set_up(rng, size)
    look = replace(style.board, hinge=int(rng.integers(1, 3)), lines=0.04)
    return shot(replace(style, board=look), camera, light, rng)


def things_around(rng: Rng, size: int) -> Rendered:
    """Clocks, phones, sheets, books and captured men."""
    return shot(*set_up(rng, size), rng, things=True)


def shadow(rng: Rng, size: int) -> Rendered:
    """The edge of a dark shadow across the board."""
    drawn = shot(*set_up(rng, size), rng)
    h, w = drawn.image.shape[:2]
    angle, middle = rng.uniform(0, np.pi), drawn.corners.mean(axis=0) + rng.normal(0, 40, 2)
    y, x = np.mgrid[:h, :w]
    off = (x - middle[0]) * np.cos(angle) + (y - middle[1]) * np.sin(angle)
    lit = 0.2 + 0.8 / (1 + np.exp(-np.clip(off / rng.uniform(0.5, 4), -30, 30)))
    return replace(drawn, image=as_image(drawn.image * lit[..., None]))


def from_low(rng: Rng, size: int) -> Rendered:
    """From 60 to 66 degrees."""
    return shot(*set_up(rng, size, (60, 66), (0.7, 0.95)), rng)


def fog(rng: Rng, size: int) -> Rendered:
    """All contrast is 5 to 20 per cent of what it was."""
    drawn = shot(*set_up(rng, size), rng)
    left = rng.uniform(0.05, 0.2)
    pale = drawn.image * left + 170 * (1 - left) + rng.normal(0, 1.5, drawn.image.shape)
    return replace(drawn, image=as_image(pale))


def exposed(low: float, high: float, gain: float) -> Draw:
    """Exposed wrongly by so many stops."""

    def draw(rng: Rng, size: int) -> Rendered:
        style, camera, light = set_up(rng, size)
        wrong = replace(light, exposure_ev=float(rng.uniform(low, high)), gain=gain)
        return shot(style, camera, wrong, rng)

    return draw


def another_board(rng: Rng, size: int) -> Rendered:
    """A whole board, farther away, in the same picture."""
    drawn = shot(*set_up(rng, size, fill=(0.6, 0.7)), rng)
    other = shot(*set_up(rng, size, fill=(0.5, 0.6)), rng).image
    small = np.asarray(cv2.resize(other, None, fx=0.45, fy=0.45, interpolation=cv2.INTER_AREA))
    (h, w), (sh, sw) = drawn.image.shape[:2], small.shape[:2]
    image = np.zeros((h, w + sw, 3), np.uint8)
    image[:, :w] = drawn.image
    image[:, w:] = cv2.resize(small[-1:], (sw, h))
    image[:sh, w:] = small
    return replace(drawn, image=image)


def half_a_board(rng: Rng, size: int) -> Rendered:
    """Half of the same board once more beside it."""
    drawn = shot(*set_up(rng, size, fill=(0.55, 0.65)), rng)
    low, middle, high = (f(drawn.corners[:, 0]) for f in (np.min, np.mean, np.max))
    half = drawn.image[:, max(0, int(low) - 20) : int(middle)]
    whole = drawn.image[:, : int(high) + 20]
    return replace(drawn, image=np.ascontiguousarray(np.hstack([whole, half])))


def as_image(values: Array) -> Array:
    """Values as a picture."""
    return np.asarray(values.clip(0, 255), np.uint8)


KINDS: dict[str, Draw] = {
    "gingham table": on_table("gingham"),
    "tiled table": on_table("tile"),
    "marble table": on_table("marble"),
    "wide lettered frame": wide_frame,
    "hinge and lines": hinge,
    "things all around": things_around,
    "shadow's edge": shadow,
    "60 to 66 degrees": from_low,
    "fog": fog,
    "1.5 to 2.5 stops too bright": exposed(1.5, 2.5, 1.0),
    "3 to 4.5 stops too dark": exposed(-4.5, -3.0, 4.0),
    "another board farther away": another_board,
    "half a board beside it": half_a_board,
}


@click.command()
@click.option(
    "--pictures", default=8, show_default=True, help="Of each kind, 8x8 and 10x10 in turn."
)
@click.option("--seed", default=77, show_default=True)
@click.option("--kind", "kinds", type=click.Choice(list(KINDS)), multiple=True)
def main(pictures: int, seed: int, kinds: tuple[str, ...]) -> None:
    """Print how often boards are found where that is hard."""
    cv2.setNumThreads(1)
    click.echo("| rendered | found | elsewhere | not found | slowest, ms |")
    click.echo("| --- | --- | --- | --- | --- |")
    for number, (name, draw) in enumerate(KINDS.items()):
        if kinds and name not in kinds:
            continue
        counts, slowest, bad = {"found": 0, "elsewhere": 0, "missed": 0}, 0.0, []
        for k in range(pictures):
            size = (8, 10)[k % 2]
            drawn = draw(np.random.default_rng([seed, number, k]), size)
            begun = process_time()
            seen = locate(drawn.image, size)
            slowest = max(slowest, 1000 * (process_time() - begun))
            if isinstance(seen, NotFound):
                counts["missed"] += 1
                bad.append([k, seen.reason])
            elif corner_error(seen, drawn.corners) > WITHIN:
                counts["elsewhere"] += 1
                bad.append([k, "elsewhere"])
            else:
                counts["found"] += 1
        row = (name, *counts.values(), f"{slowest:.0f}")
        click.echo("| " + " | ".join(map(str, row)) + " |")
        if bad:
            click.echo(json.dumps(bad), err=True)


if __name__ == "__main__":
    main()
