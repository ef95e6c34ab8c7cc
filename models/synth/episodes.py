"""Pictures as a reader meets them: one set, its first position, then other positions of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .arrays import Rng
from .camera import Camera, bumped, sample_camera
from .clutter import captured, cup, sample_slabs
from .hand import sample_hand, sample_look
from .light import Light, sample_light
from .paint import Split
from .pieces import Disc
from .positions import random_grid, start_grid
from .scene import Rendered, Scene, render
from .style import Style, sample_style

#: Sizes of pictures (width, height) that cameras and phones give after scaling.
PICTURES = ((960, 720), (1280, 960), (1024, 768), (640, 640), (640, 480), (720, 960), (1280, 720))


@dataclass(frozen=True, slots=True, eq=False)
class Episode:
    """One set: the picture of its first position, and pictures of later positions.

    Between them the light may change and the camera may have been knocked.
    """

    start: Rendered
    queries: tuple[Rendered, ...]


def sample_episode(
    rng: Rng,
    split: Split = "train",
    size: int = 8,
    queries: int = 3,
    tilt_deg: tuple[float, float] = (0, 58),
    picture: tuple[int, int] = (960, 720),
    hands: float = 0.15,
) -> Episode:
    """A random episode with ``queries`` pictures after the first position.

    ``hands`` is the share of those with a hand over the board.
    """
    style = sample_style(rng, size, split)
    camera = sample_camera(rng, style, *picture, tilt_deg=tilt_deg)
    light = sample_light(rng)
    start = shoot(style, camera, light, start_grid(style), rng)
    later = []
    for _ in range(queries):
        seen, shone = camera, light
        if rng.random() < 0.55:
            seen = bumped(camera, rng, 1.2, 0.25)
        if rng.random() < 0.5:
            shone = sample_light(rng)
        elif rng.random() < 0.6:
            shone = drifted(light, rng)
        later.append(shoot(style, seen, shone, random_grid(rng, style), rng, hands))
    return Episode(start, tuple(later))


def shoot(
    style: Style, camera: Camera, light: Light, grid: tuple[str, ...], rng: Rng,
    hands: float = 0.0,
) -> Rendered:
    """One picture with men set down anew, things beside the board, and hands in a share of them."""
    scene = Scene(style, camera, light, grid, jitter=int(rng.integers(2**31)))
    scene = cluttered(scene, rng)
    if rng.random() < hands:
        scene = replace(scene, hand=sample_hand(rng, sample_look(rng, style.split), style.size))
    return render(scene, int(rng.integers(2**31)))


def cluttered(scene: Scene, rng: Rng) -> Scene:
    """The scene with captured men and other things beside the board, more or less often."""
    style = scene.style
    most = 12 if style.size == 8 else 20
    beside: tuple[Disc, ...] = ()
    if rng.random() < 0.5:
        gone = [max(0, most - sum(row.lower().count(s) for row in scene.grid)) for s in "wb"]
        if rng.random() < 0.2:
            gone = [int(g) for g in rng.integers(0, 6, 2)]
        beside = captured(style, (gone[0], gone[1]), rng)
    if rng.random() < 0.15:
        beside = (*beside, cup(style, rng))
    slabs = sample_slabs(rng, style) if rng.random() < 0.35 else ()
    return replace(scene, beside=beside, slabs=slabs)


def drifted(light: Light, rng: Rng) -> Light:
    """The same light a while later: clouds, a lamp moved or dimmed."""
    sources = tuple(
        replace(
            source,
            strength=source.strength * float(np.exp(rng.normal(0, 0.3))),
            position=(
                source.position[0] + float(rng.normal(0, 0.15)),
                source.position[1] + float(rng.normal(0, 0.15)),
                source.position[2],
            ),
        )
        for source in light.sources
    )
    factor = float(np.exp(rng.normal(0, 0.25)))
    ambient = (light.ambient[0] * factor, light.ambient[1] * factor, light.ambient[2] * factor)
    return replace(
        light,
        sources=sources,
        ambient=ambient,
        exposure_ev=light.exposure_ev + float(rng.normal(0, 0.2)),
    )


def sample_lone(
    rng: Rng,
    split: Split = "train",
    size: int = 8,
    tilt_deg: tuple[float, float] = (0, 58),
    picture: tuple[int, int] = (960, 720),
    hands: float = 0.15,
) -> Rendered:
    """One picture of a set nobody has seen before, without a first position.

    Sets whose sides differ only in hue are left out: nobody could say which is White.
    """
    style = sample_style(rng, size, split)
    while style.contrast < 0.12:
        style = sample_style(rng, size, split)
    camera = sample_camera(rng, style, *picture, tilt_deg=tilt_deg)
    return shoot(style, camera, sample_light(rng), random_grid(rng, style), rng, hands)
