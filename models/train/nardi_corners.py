"""Stored scenes cut into pictures of corners, for the network that finds a half's corner.

Every corner is turned to look like every other, and is far off in many ways, so that a little
training goes a long way and no corner is learned to lie where it is expected.
"""

from __future__ import annotations

import numpy as np

from vision.errors import VisionError
from vision.geometry import inverse, project
from vision.nardi.board import NardiGeometry
from vision.nardi.corners import CORNER_CELL, CORNER_PX, corner_pictures

from .nardi_data import Array, peaks, recoloured, turned_halves
from .nardi_scenes import Stored

CELLS = CORNER_PX // CORNER_CELL
#: Spread of the bell on a corner, in cells.
BELL = 1.0


def corner_sample(scene: Stored, rng: np.random.Generator) -> tuple[Array, Array]:
    """Eight pictures (8, 48, 48, 3) as a first look would cut them, and their heat (8, 24, 24)."""
    halves = turned_halves(scene.halves, bool(rng.random() < 0.5))
    true = NardiGeometry(halves)
    edge = true.board_width_px()
    wide = max(0.005, abs(rng.normal(0.04, 0.03)))  # a bar of no width at all makes no board
    bar = np.mean(true.bar) + np.array([-1, 1]) * wide + rng.normal(0, 0.02)
    middle = true.corners.mean(0)
    spread = float(rng.choice([0.01, 0.03, 0.06]))
    found = middle + (true.corners - middle) * rng.uniform(0.9, 1.15)
    found = found + (rng.normal(0, spread, (4, 2)) + rng.normal(0, 0.03, 2)) * edge
    try:
        rough = NardiGeometry.from_corners(found, (float(bar[0]), float(bar[1])))
    except VisionError:  # drawn so far off that it is no board
        rough = true
    pictures, back = corner_pictures(scene.image, rough)
    places = [
        project(inverse(one), place) for one, place in zip(back, halves.reshape(8, 2), strict=True)
    ]
    cells = (np.array(places) + 0.5) / CORNER_CELL - 0.5
    heat = np.stack([peaks(place[None], (CELLS, CELLS), BELL) for place in cells])
    tall = recoloured(pictures.reshape(-1, CORNER_PX, 3), rng)
    return tall.reshape(pictures.shape), heat
