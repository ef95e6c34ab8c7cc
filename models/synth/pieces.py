"""Which discs stand where: men and kings on their squares, each with its own small differences."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from .arrays import Rng
from .men import CAP, COIN, ODD, VARIANTS, face_index
from .style import Style

#: Furthest that a man's middle may be from its square's, in squares.
MOST_OFF = 0.4


@dataclass(frozen=True, slots=True)
class Disc:
    """One short cylinder; lengths in squares.

    Attributes:
        x, y: middle.
        base: height of its bottom over the board.
        radius, height: its own.
        face: row of the atlas.
        turn: rotation in radians.
        tone: lightness of this one, 1 is usual.
        coat: 0 the lighter men's material, 1 the darker men's, 2 metal, 3 something else.
        lean: x and y parts of the face's normal; no man is quite level, and mirrors tell.
    """

    x: float
    y: float
    base: float
    radius: float
    height: float
    face: int
    turn: float
    tone: float
    coat: int
    lean: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Placed:
    """What stands on one square: ``piece`` is one of ``wWbB``; x and y are its middle."""

    row: int
    column: int
    piece: str
    x: float
    y: float
    seed: int


def place(style: Style, grid: Iterable[str], rng: Rng) -> tuple[Placed, ...]:
    """Every man of a grid, set down about as carefully as this club does."""
    placed = []
    for row, line in enumerate(grid):
        for column, piece in enumerate(line):
            if piece in "wWbB":
                placed.append(put(style, row, column, piece, rng))
    return apart(style, placed)


def put(style: Style, row: int, column: int, piece: str, rng: Rng) -> Placed:
    """One man set down on one square."""
    spread = style.sloppy * (2.2 if rng.random() < 0.06 else 1.0)
    off = np.clip(rng.normal(0, spread, 2), -MOST_OFF, MOST_OFF)
    return Placed(
        row, column, piece, column + 0.5 + float(off[0]), row + 0.5 + float(off[1]),
        int(rng.integers(2**31)),
    )


def apart(style: Style, placed: list[Placed]) -> tuple[Placed, ...]:
    """The men pushed apart until none stands in another."""
    at = np.array([(p.x, p.y) for p in placed]).reshape(-1, 2)
    home = np.array([(p.column + 0.5, p.row + 0.5) for p in placed]).reshape(-1, 2)
    for _ in range(12):
        gap = at[:, None] - at[None, :]
        distance = np.linalg.norm(gap, axis=-1) + np.eye(len(at)) * 9
        push = np.maximum(0, style.men.diameter * 1.01 - distance) / 2
        if not push.any():
            break
        at = at + (gap / distance[..., None] * push[..., None]).sum(1)
        at = home + np.clip(at - home, -MOST_OFF, MOST_OFF)
    return tuple(replace(p, x=float(x), y=float(y)) for p, (x, y) in zip(placed, at, strict=True))


def discs_of(style: Style, piece: Placed, base: float = 0.0) -> list[Disc]:
    """The discs of one man or king, the lowest first."""
    rng = np.random.default_rng([style.seed, piece.seed])
    side = 0 if piece.piece in "wW" else 1
    king = piece.piece in "WB"
    low = man(style, side, (piece.x, piece.y), base, rng)
    if not king:
        return [low]
    off = np.clip(rng.normal(0, 0.035, 2), -0.08, 0.08) * style.men.diameter
    above = (piece.x + float(off[0]), piece.y + float(off[1]))
    top = base + style.men.height
    if style.king == "stack":
        return [low, man(style, side, above, top, rng)]
    if style.king == "other":
        under = man(style, 1 - side, (piece.x, piece.y), base, rng)
        return [under, man(style, side, above, top, rng)]
    if style.king == "flip":
        return [replace(low, face=face_index(side, VARIANTS))]
    return [low, mark(style, above, top)]


def man(style: Style, side: int, at: tuple[float, float], base: float, rng: Rng) -> Disc:
    """One man of a side."""
    tone = 1 + style.men.variation * float(np.clip(rng.standard_normal(), -2, 2))
    face, radius, coat = face_index(side, int(rng.integers(VARIANTS))), style.men.diameter / 2, side
    if rng.random() < style.men.odd_share:
        face, radius, coat = ODD + side, radius * 0.93, 3
    turn = float(rng.uniform(0, 2 * np.pi))
    lean = (float(rng.normal(0, 0.02)), float(rng.normal(0, 0.02)))
    return Disc(at[0], at[1], base, radius, style.men.height, face, turn, tone, coat, lean)


def mark(style: Style, at: tuple[float, float], base: float) -> Disc:
    """The coin or cap that this club lays on a king."""
    rng = np.random.default_rng([style.seed, 7])
    radius = style.men.diameter / 2
    if style.king == "coin":
        return Disc(*at, base, radius * rng.uniform(0.5, 0.8), radius * 0.08, COIN, 1.0, 1.0, 2)
    wide, tall = radius * rng.uniform(0.45, 0.85), radius * rng.uniform(0.1, 0.5)
    return Disc(*at, base, wide, tall, CAP, 1.0, 1.0, 3)
