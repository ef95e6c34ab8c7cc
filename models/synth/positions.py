"""Positions that games pass through, good enough for eyes that must not know the rules."""

from __future__ import annotations

import numpy as np

from .arrays import Rng
from .style import Style


def start_grid(style: Style) -> tuple[str, ...]:
    """The first position: White in the last rows."""
    size = style.size
    rows = 3 if size == 8 else 4
    grid = []
    for row in range(size):
        piece = "b" if row < rows else "w" if row >= size - rows else "."
        grid.append("".join(
            piece if (row + column) % 2 == style.play_parity else "." for column in range(size)
        ))
    return tuple(grid)


def random_grid(rng: Rng, style: Style) -> tuple[str, ...]:
    """A position with men and kings; now and then crowded, nearly empty, or on any square."""
    size = style.size
    most = 12 if size == 8 else 20
    anywhere = rng.random() < 0.06
    cells = [
        (row, column)
        for row in range(size)
        for column in range(size)
        if anywhere or (row + column) % 2 == style.play_parity
    ]
    phase = rng.random()
    counts = np.clip(np.rint(most * (1 - phase) + rng.normal(0, 1.5, 2)), 0, most).astype(int)
    crowned = rng.random() * 0.25 if rng.random() < 0.6 else rng.random() * 0.8
    board = [["."] * size for _ in range(size)]
    for side, count in zip("wb", counts, strict=True):
        advance = phase * 0.9 + 0.08
        free = [c for c in cells if board[c[0]][c[1]] == "."]
        depth = np.array([(size - 1 - r) if side == "w" else r for r, _ in free]) / size
        weight = np.exp(-depth / advance * 1.2) + 0.02
        chosen = rng.choice(len(free), min(int(count), len(free)), False, weight / weight.sum())
        for k in chosen:
            row, column = free[int(k)]
            last = row == 0 if side == "w" else row == size - 1
            king = last or rng.random() < crowned * (0.3 + phase)
            board[row][column] = side.upper() if king else side
    return tuple("".join(row) for row in board)
