"""Stored scenes cut and changed for training: halves, with what they show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.synth.sensor import noise
from vision.geometry import homography_from_points, inverse, project
from vision.nardi.board import (
    HALF_WH,
    NardiGeometry,
    half_picture,
    to_canvas,
)
from vision.nardi.crops import CELL_PX

from .nardi_scenes import Stored

Array = NDArray[Any]
Rng = np.random.Generator

#: Where a label says nothing.
IGNORED = 255
#: A point of which more is hidden than this can't be read.
HIDDEN = 0.4
_BOX = np.array([[0, 0], [6, 0], [6, 1], [0, 1]], np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class HalfSample:
    """A half for HalfNet: heat (68, 36) of middles, cells (68, 36) of contents, counts and hidden
    (12,) of its points; IGNORED where nobody can tell.
    """

    picture: Array
    heat: Array
    cells: Array
    counts: Array
    hidden: Array


def recoloured(picture: Array, rng: Rng, mixed: float = 0.25) -> Array:
    """Other light, another sensor: gains, tone, blur, noise; ``mixed`` is how often the channels
    change places, which may make the darker side the lighter one.
    """
    level = np.arange(256) / 255
    if rng.random() < 0.5:
        level = level ** np.exp(rng.normal(0, 0.25))
    gains = np.exp(rng.normal(0, 0.12, 3))
    table = np.clip(level[:, None] * gains * 255, 0, 255).astype(np.uint8)
    out = cv2.LUT(picture, table[:, None])
    mix = np.eye(3)
    if rng.random() < mixed:
        mix = mix[rng.permutation(3)]
    if rng.random() < 0.5:
        mix = 1 / 3 + (mix - 1 / 3) * rng.uniform(0.1, 1.6)
    if not np.array_equal(mix, np.eye(3)):
        out = cv2.transform(out, mix)
    height, width = out.shape[:2]
    if rng.random() < 0.4:
        corners = np.exp(rng.normal(0, 0.25, (2, 2))).astype(np.float32)
        slope = cv2.resize(corners, (width, height))
        out = cv2.multiply(out, cv2.merge([slope] * 3), dtype=cv2.CV_8U)
    if rng.random() < 0.3:
        out = cv2.GaussianBlur(out, (5, 5), rng.uniform(0.4, 1.1))
    if rng.random() < 0.4:
        grain = noise(out.shape, False, rng) * np.float32(rng.uniform(0, 15))
        out = cv2.add(out, grain, dtype=cv2.CV_8U)
    return np.asarray(out, np.uint8)


def turned_halves(halves: Array, half_turn: bool) -> Array:
    """The halves counted from the other side on."""
    return np.roll(halves[::-1], -2, axis=1) if half_turn else halves


def peaks(places: Array, shape: tuple[int, int], spread: float = 0.85) -> Array:
    """Bell-shaped heat (h, w) around places (n, 2) in cells."""
    heat = np.zeros(shape, np.float32)
    rows, columns = np.mgrid[: shape[0], : shape[1]].astype(np.float32)
    for x, y in places:
        if -2 < x < shape[1] + 1 and -2 < y < shape[0] + 1:
            bell = np.exp((np.square(columns - x) + np.square(rows - y)) / (-2 * spread**2))
            heat = np.maximum(heat, bell)
    return heat


def filled(outline: Array, cells: int) -> Array:
    """Which cells of a square of ``cells`` by ``cells`` lie inside an outline."""
    mask = np.zeros((cells, cells), np.uint8)
    whole = np.rint(np.clip(outline, -500, 500) * 16).astype(np.int32)
    cv2.fillConvexPoly(mask, whole, 1, cv2.LINE_8, 4)
    return np.asarray(mask, np.float32)


def half_sample(scene: Stored, rng: Rng, jitter: bool = True) -> HalfSample:
    """One half of a scene, located about as well as the eyes do."""
    half_turn = bool(rng.random() < 0.5)
    halves = turned_halves(scene.halves, half_turn)
    half = int(rng.integers(2))
    corners = halves[half].copy()
    if jitter:
        edge = np.hypot(*(corners[1] - corners[0]))
        corners += rng.normal(0, float(rng.choice([0.008, 0.02, 0.04])), (4, 2)) * edge
    both = np.stack([corners, corners])
    picture = half_picture(scene.image, NardiGeometry(both), 0)
    through = to_canvas() @ inverse(homography_from_points(_BOX, corners))
    heat, cells = cell_labels(scene, through)
    counts, hidden = point_labels(scene, half, half_turn)
    if rng.random() < 0.5:
        picture, heat, cells = (np.ascontiguousarray(a[:, ::-1]) for a in (picture, heat, cells))
        counts, hidden = (a.reshape(2, 6)[:, ::-1].reshape(-1) for a in (counts, hidden))
    return HalfSample(recoloured(picture, rng, 0.0), heat, cells, counts, hidden)


def cell_labels(scene: Stored, through: Array) -> tuple[Array, Array]:
    """Heat of visible checkers' middles, and contents of the cells of a half."""
    small = np.diag([1 / CELL_PX, 1 / CELL_PX, 1])
    small[:2, 2] = 0.5 / CELL_PX - 0.5
    shape = (HALF_WH[1] // CELL_PX, HALF_WH[0] // CELL_PX)
    owner = cv2.warpPerspective(scene.owner, small @ through, shape[::-1], flags=cv2.INTER_NEAREST)
    kinds = np.zeros(256, np.uint8)
    kinds[1 : len(scene.sides) + 1] = scene.sides + 1
    kinds[255] = IGNORED
    heat = np.zeros(shape, np.float32)
    if len(scene.middles):
        x, y = np.rint(scene.middles).astype(int).T
        inside = (x >= 0) & (y >= 0) & (x < scene.owner.shape[1]) & (y < scene.owner.shape[0])
        owned = scene.owner[np.where(inside, y, 0), np.where(inside, x, 0)]
        seen = inside & (owned == np.arange(len(scene.sides)) + 1)
        if seen.any():
            heat = peaks(project(small @ through, scene.middles[seen]), shape, 1.0)
    return heat, kinds[owner]


def point_labels(scene: Stored, half: int, half_turn: bool) -> tuple[Array, Array]:
    """Counts and whether they are hidden, (12,) each, of a half in camera order."""
    counts = np.abs(scene.counts.astype(int)).reshape(2, 12)
    hidden = (scene.cover > HIDDEN).reshape(2, 12)
    if half_turn:
        counts, hidden = counts[::-1, ::-1], hidden[::-1, ::-1]
    mine = slice(6 * half, 6 * half + 6)
    told, dark = counts[:, mine].reshape(-1), hidden[:, mine].reshape(-1)
    return np.where(dark, IGNORED, told), dark.astype(np.float32)


def stacked(samples: Sequence[Any], field: str) -> Array:
    """One field of many samples as one array."""
    return np.stack([getattr(s, field) for s in samples])
