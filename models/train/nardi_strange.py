"""Drawn scenes made stranger: other things around a board, and things that hide its corners.

The drawn tables and frames are few and tidy, and a network that knows them only is lost on a rug,
on a crowded desk, or where the picture ends before the frame does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from models.synth.style import sample_table
from models.synth.textures import sheet
from vision.geometry import homography_from_points, project

from .nardi_data import Array, Rng, recoloured
from .nardi_scenes import Stored

#: Edge of a drawn ground, pixels, and how many are drawn.
GROUND_PX, GROUNDS = 320, 160
#: How often the surroundings are others, and how often things lie on corners.
ELSEWHERE, HIDING = 0.35, 0.3


@dataclass(frozen=True, slots=True)
class Grounds:
    """Pictures (GROUND_PX, GROUND_PX, 3) of what a board may lie on."""

    pictures: tuple[Array, ...]

    @classmethod
    def drawn(cls, rng: Rng, count: int = GROUNDS) -> Grounds:
        """Random materials with edges, stripes, sheets of paper and lettering on them."""
        return cls(tuple(_ground(rng) for _ in range(count)))

    def some(self, shape: tuple[int, int], scenes: list[Stored], rng: Rng) -> Array:
        """A picture of a shape: a ground, or a close piece of one of the scenes."""
        if rng.random() < 0.7:
            ground = self.pictures[int(rng.integers(len(self.pictures)))]
        else:
            whole = scenes[int(rng.integers(len(scenes)))].image
            size = int(min(whole.shape[:2]) * rng.uniform(0.15, 0.4))
            y, x = (int(rng.integers(0, edge - size + 1)) for edge in whole.shape[:2])
            ground = whole[y : y + size, x : x + size]
        small = cv2.resize(np.rot90(ground, int(rng.integers(4))), (GROUND_PX, GROUND_PX))
        return cv2.resize(recoloured(small, rng), shape[::-1])


def _ground(rng: Rng) -> Array:
    unit = float(rng.uniform(12, 60))
    whole = sheet(sample_table(rng, "train"), (GROUND_PX, GROUND_PX), unit, rng)
    for _ in range(int(rng.choice([0, 0, 1, 2, 5, 12]))):
        size = rng.uniform(0.02, 0.5, 2) * GROUND_PX
        turn = float(rng.choice([0.0, 90.0, rng.uniform(0, 180)]))
        box = cv2.boxPoints((tuple(rng.uniform(0, GROUND_PX, 2)), tuple(size), turn))
        colour = rng.uniform(0, 255, 3) if rng.random() < 0.6 else rng.uniform(0, 255, 1).repeat(3)
        cv2.fillConvexPoly(whole, np.rint(box).astype(np.int32), colour.tolist(), cv2.LINE_AA)
    if rng.random() < 0.3:  # stripes, as of a rug or of floor boards
        step, angle = float(rng.uniform(8, 60)), float(rng.uniform(0, np.pi))
        ys, xs = np.mgrid[:GROUND_PX, :GROUND_PX].astype(np.float32)
        wave = np.sin((xs * np.cos(angle) + ys * np.sin(angle)) * (2 * np.pi / step))
        sharp = np.clip(wave * rng.uniform(1, 8), -1, 1)[..., None]
        whole = np.clip(whole + sharp * rng.uniform(-60, 60, 3), 0, 255).astype(np.uint8)
    if rng.random() < 0.2:
        for _ in range(int(rng.integers(2, 14))):
            at = tuple(int(v) for v in rng.integers(0, GROUND_PX, 2))
            text = "".join(rng.choice(list("toreshi15802ABX"), 9))
            tall, ink = float(rng.uniform(0.4, 2.0)), rng.uniform(0, 255, 3).tolist()
            cv2.putText(whole, text, at, 0, tall, ink, int(rng.integers(1, 4)), cv2.LINE_AA)
    return np.asarray(whole, np.uint8)


def strange(scene: Stored, grounds: Grounds, others: list[Stored], rng: Rng) -> Stored:
    """A scene whose surroundings or corners now and then are not what was drawn."""
    image = scene.image
    if rng.random() < ELSEWHERE:
        image = elsewhere(image, scene.halves, grounds.some(image.shape[:2], others, rng), rng)
    if rng.random() < HIDING:
        image = hiding(image, scene.halves, grounds.some(image.shape[:2], others, rng), rng)
    return scene if image is scene.image else replace(scene, image=image)


def elsewhere(image: Array, halves: Array, ground: Array, rng: Rng) -> Array:
    """The picture with all that is farther from the field than a random margin replaced."""
    corners = np.array([halves[0, 0], halves[1, 1], halves[1, 2], halves[0, 3]])
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)
    # none at all, a narrow frame, or a broad one with a piece of the table
    sides = rng.uniform(0.005, float(rng.choice([0.04, 0.12, 0.3])), 4)
    if rng.random() < 0.5:
        sides[:] = sides[0]
    (left, top), (right, bottom) = -sides[:2], 1 + sides[2:]
    wide = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    edge = project(homography_from_points(unit, corners), wide)
    if not np.isfinite(edge).all():
        return image
    mask = np.zeros(image.shape[:2], np.uint8)
    at = np.rint(np.clip(edge, -2000, 3000) * 16).astype(np.int32)
    cv2.fillConvexPoly(mask, at, 1, cv2.LINE_8, 4)
    out = cv2.copyTo(image, mask, ground.copy())
    if rng.random() < 0.5:  # an edge or the shadow below it
        tone = float(rng.uniform(0, 90))
        cv2.polylines(out, [at], True, [tone] * 3, int(rng.integers(1, 6)), cv2.LINE_AA, 4)
    return np.asarray(out, np.uint8)


def hiding(image: Array, halves: Array, ground: Array, rng: Rng) -> Array:
    """The picture with one to three things on corners of the field."""
    out, width = image.copy(), float(np.hypot(*(halves[0, 1] - halves[0, 0])))
    for _ in range(int(rng.integers(1, 4))):
        middle = halves.reshape(8, 2)[int(rng.integers(8))] + rng.normal(0, 0.1, 2) * width
        count = int(rng.integers(5, 9))
        angle = np.sort(rng.uniform(0, 2 * np.pi, count))
        reach = width * rng.uniform(0.05, 0.28) * rng.uniform(0.6, 1.4, count)
        outline = middle + np.stack([np.cos(angle), np.sin(angle)], -1) * reach[:, None]
        mask = np.zeros(out.shape[:2], np.uint8)
        cv2.fillPoly(mask, [np.rint(np.clip(outline, -900, 3000)).astype(np.int32)], 1)
        if rng.random() < 0.6:  # skin, sleeves, cups: of one colour
            colour = np.array(rng.uniform([20, 40, 60], [200, 210, 240]))
            out[mask > 0] = colour.astype(np.uint8)
        else:
            out = cv2.copyTo(ground, mask, out)
    return out
