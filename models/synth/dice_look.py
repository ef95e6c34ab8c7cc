"""Random dice, as they are sold: white, bone, black, coloured, clear, marbled, drilled, printed."""

from __future__ import annotations

from dataclasses import replace

from .arrays import Rng
from .dice_trace import DieLook
from .paint import Colour, Split, draw, lightness

LIGHT = ("white", "white", "ivory", "ivory", "cream", "maple", "birch")
DARK = ("black", "black", "charcoal", "wenge", "walnut")
VIVID = ("red", "red", "green", "blue", "blue", "purple", "orange", "brown", "mahogany")
PALE = ("yellow", "mint", "sky", "grey", "buff", "beech", "pine")

#: Numerals of a doubling cube, in the order of the faces.
DOUBLING = ("2", "64", "4", "32", "8", "16")

#: Pips must differ from the body by at least this much lightness, or nobody could read them.
LEAST_CONTRAST = 0.28


def sample_colours(rng: Rng, split: Split) -> tuple[Colour, Colour]:
    """Colours of a body and of pips that can be told from it."""
    families = (LIGHT, DARK, VIVID, PALE)[int(rng.choice(4, p=[0.5, 0.15, 0.23, 0.12]))]
    while True:
        body = draw(rng, families, split)
        light = lightness(body) > 0.55
        chance = rng.random()
        if light:
            kind: tuple[str, ...] = DARK if chance < 0.8 else ("red", "blue", "brown", "green")
        else:
            kind = ("white", "ivory", "white") if chance < 0.85 else ("yellow", "cream", "black")
        pip = draw(rng, kind, split)
        if abs(lightness(pip) - lightness(body)) >= LEAST_CONTRAST:
            return body, pip


def sample_die(rng: Rng, split: Split) -> DieLook:
    """A random die."""
    body, pip = sample_colours(rng, split)
    one, one_size = pip, 1.0
    if rng.random() < 0.15:
        one, one_size = draw(rng, ("red", "red", "blue"), split), float(rng.uniform(1.0, 1.8))
        if abs(lightness(one) - lightness(body)) < 0.2:
            one = pip
    elif rng.random() < 0.1:
        one_size = float(rng.uniform(1.1, 1.7))
    rounding = float(rng.choice([rng.uniform(0.03, 0.12), rng.uniform(0.12, 0.35)]))
    ball = float(rng.uniform(1.28, 1.6)) if rng.random() < 0.4 else 2.0
    radius = float(rng.uniform(0.105, 0.25))
    gap = float(rng.uniform(0.42, 0.6))
    return DieLook(
        body=body,
        pip=pip,
        one=one,
        one_size=one_size,
        rounding=rounding,
        ball=ball,
        pip_radius=min(radius, gap * 0.46),
        pip_gap=gap,
        hollow=float(rng.choice([0.0, rng.uniform(0.3, 1.0)])),
        gloss=float(rng.choice([rng.uniform(0, 0.25), rng.uniform(0.25, 1.0)])),
        shine=float(rng.uniform(12, 160)),
        clear=float(rng.uniform(0.25, 0.7)) if rng.random() < 0.12 else 0.0,
        veins=float(rng.uniform(0.03, 0.3)) if rng.random() < 0.15 else 0.0,
        numbers=(),
        seed=int(rng.integers(2**31)),
    )


def sample_cube(rng: Rng, split: Split) -> DieLook:
    """A cube that is no die: a doubling cube, or a blank one."""
    numbers = DOUBLING if rng.random() < 0.6 else ("",) * 6
    return replace(sample_die(rng, split), numbers=numbers)


def like(rng: Rng, look: DieLook) -> DieLook:
    """Another die of the same set: its marks lie otherwise."""
    return replace(look, seed=int(rng.integers(2**31)))
