"""What else lies on and around a board: dice, a doubling cube, cups, phones and paper."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .arrays import Array, Rng
from .camera import Camera
from .nardi_canvas import Canvas, polygon
from .nardi_case import DEPTH, reach
from .nardi_style import NardiStyle
from .paint import Colour, Split, draw

PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 1), (1, -1), (1, 1), (-1, 0), (1, 0)),
}


@dataclass(frozen=True, slots=True)
class Thing:
    """A box or a cup.

    Attributes:
        x, y, base: middle and height of its bottom.
        size: edges along its own x and y, and its height.
        turn: radians.
        colour, ink: of it and of its pips or figure.
        pips: 1 to 6 on a die, 0 on a box, -1 on a cup.
    """

    x: float
    y: float
    base: float
    size: tuple[float, float, float]
    turn: float
    colour: Colour
    ink: Colour
    pips: int = 0


def sample_things(style: NardiStyle, split: Split, rng: Rng) -> tuple[Thing, ...]:
    """Dice on the field, now and then a doubling cube or a cup, and clutter beside the case."""
    things = []
    dark = ("black", "red", "blue", "green", "charcoal", "purple")
    light = ("white", "ivory", "cream", "yellow")
    if rng.random() < 0.6:
        edge = float(rng.uniform(0.2, 0.5))
        for _ in range(int(rng.choice([1, 2, 2, 2, 4]))):
            flip = rng.random() < 0.35
            colour, ink = (
                draw(rng, dark if flip else light, split),
                draw(rng, light if flip else dark, split),
            )
            half = int(rng.integers(2)) * (6 + style.case.bar)
            x, y = half + rng.uniform(0.4, 5.6), style.height * rng.uniform(0.1, 0.9)
            turn, pips = float(rng.uniform(0, 1.57)), int(rng.integers(1, 7))
            things.append(Thing(float(x), float(y), 0.0, (edge,) * 3, turn, colour, ink, pips))
    if rng.random() < 0.15:
        half = int(rng.integers(2)) * (6 + style.case.bar)
        x, y, wide = (
            half + rng.uniform(1, 5),
            style.height * rng.uniform(0.3, 0.7),
            rng.uniform(0.7, 1.2),
        )
        cup = draw(rng, ("brown", "black", "red", "walnut"), split)
        things.append(Thing(float(x), float(y), 0.0, (wide, wide, 1.8), 0.0, cup, cup, -1))
    low, high = reach(style)
    for _ in range(int(rng.integers(0, 5))):
        size = (float(rng.uniform(0.5, 5)), float(rng.uniform(0.5, 4)), float(rng.uniform(0, 0.6)))
        far = float(np.hypot(*size[:2])) / 2 + style.case.rim + 0.2
        side = int(rng.integers(4))
        x = (low - far, high + far)[side] if side < 2 else rng.uniform(low, high)
        y = rng.uniform(0, style.height) if side < 2 else (-far, style.height + far)[side - 2]
        every = ("black", "white", "grey", "blue", "red", "sky", "brown", "yellow", "charcoal")
        turn, pips = float(rng.normal(0, 0.6)), int(rng.choice([0, 0, 0, -1]))
        paints = draw(rng, every, split), draw(rng, every, split)
        things.append(Thing(float(x), float(y), -DEPTH, size, turn, *paints, pips))
    return tuple(things)


def draw_thing(canvas: Canvas, thing: Thing, camera: Camera) -> None:
    """Draw a box, a die or a cup."""
    cosine, sine = np.cos(thing.turn), np.sin(thing.turn)
    spin = np.array([[cosine, sine], [-sine, cosine]])
    if thing.pips < 0:
        angle = np.arange(24) * np.pi / 12
        outline = np.stack([np.cos(angle), np.sin(angle)], -1) * (thing.size[0] / 2)
    else:
        outline = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array(thing.size[:2]) / 2
        outline = outline @ spin
    outline = outline + np.array([thing.x, thing.y])
    top = thing.base + thing.size[2]

    def seen(points: Array, level: float) -> Array:
        return camera.project_ideal(np.column_stack([points, np.full(len(points), level)]))

    colour = np.array(thing.colour) * 255
    low, high = seen(outline, thing.base), seen(outline, top)
    polygon(canvas, np.concatenate([low, high]), (colour * 0.6).tolist(), 40)
    polygon(canvas, high, colour.tolist(), 60)
    middle = np.array([thing.x, thing.y])
    if thing.pips < 0:
        polygon(canvas, seen(middle + (outline - middle) * 0.85, top), (colour * 0.25).tolist(), 5)
        return
    ink = (np.array(thing.ink) * 255).tolist()
    if thing.pips == 0:
        inner = middle + (outline - middle) * 0.7
        polygon(canvas, seen(inner, top), ink, 60)
        return
    angle = np.arange(10) * np.pi / 5
    dot = np.stack([np.cos(angle), np.sin(angle)], -1) * thing.size[0] * 0.1
    for x, y in PIPS[thing.pips]:
        at = middle + np.array([x, y]) @ spin * thing.size[0] * 0.27
        polygon(canvas, seen(at + dot, top), ink, 60)
