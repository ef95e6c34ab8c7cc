"""Dice as they look in a picture: light on them, highlights, what a clear one lets through."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from .arrays import Array, Rng, clouds
from .dice_sensor import shake_kernel
from .dice_trace import DieLook, colours, dot, meet, normals
from .dice_view import Lamp, View


@dataclass(frozen=True, slots=True, eq=False)
class Die:
    """A die, or a cube that is none, at its place.

    Attributes:
        look: its material.
        edge: mm; middle: (3,) mm; turn: (3, 3), columns are its axes in the world.
        smear: length and angle of its motion in the picture, pixels and radians.
    """

    look: DieLook
    edge: float
    middle: Array
    turn: Array
    smear: tuple[float, float]

    def corners(self) -> Array:
        """Its corners (8, 3), those of a rounded die pulled in, mm."""
        ends = np.array(np.meshgrid((-1, 1), (-1, 1), (-1, 1))).reshape(3, -1).T
        pull = 1 - 0.4 * self.look.rounding
        return np.asarray(self.middle + (ends * self.edge / 2 * pull) @ self.turn.T)


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """The camera, the lamp, and how much of the lamp big shadows leave, (H, W)."""

    view: View
    lamp: Lamp
    left: Array

    def lit_at(self, pixels: Array) -> Array:
        """Share of the lamp at pixels (n, 2)."""
        x, y = self._inside(pixels)
        return np.asarray(self.left[y, x])

    def colour_at(self, picture: Array, pixels: Array) -> Array:
        """What a picture has at pixels (n, 2)."""
        x, y = self._inside(pixels)
        return np.asarray(picture[y, x])

    def _inside(self, pixels: Array) -> tuple[Array, Array]:
        x, y = np.rint(pixels).astype(int).T
        return np.clip(x, 0, self.view.size[0] - 1), np.clip(y, 0, self.view.size[1] - 1)


def big_shadow(rng: Rng, size: tuple[int, int]) -> Array:
    """Shadows of people, and uneven light: what is left of the lamp, float32 (H, W)."""
    wide, tall = size
    left = np.ones((tall, wide), np.float32)
    if rng.random() < 0.3:
        left -= clouds((tall, wide), (2, 2), rng, 1) * rng.uniform(0.1, 0.5)
    if rng.random() < 0.25:
        angle, offset = rng.uniform(0, 2 * np.pi), rng.uniform(-0.5, 0.5) * wide
        y, x = np.mgrid[:tall, :wide].astype(np.float32)
        side = (x - wide / 2) * np.cos(angle) + (y - tall / 2) * np.sin(angle) + offset
        soft = np.exp(rng.uniform(0, 3.5))
        left *= 1 - rng.uniform(0.3, 0.95) / (1 + np.exp(np.clip(-side / soft, -30, 30)))
    return left


def shade(
    world: Array, normal: Array, colour: Array, rays: Array, die: Die, lamp: Lamp, lit: Array
) -> Array:
    """Linear light (n, 3) that points of a die send to the camera."""
    towards = np.array(lamp.towards, np.float32)
    body = np.square(colour)
    facing = normal @ towards
    key = np.maximum((facing + 0.2) / 1.2, 0)[:, None] * np.array(lamp.key, np.float32)
    key = key * lit[:, None]
    height = np.clip(world[:, 2] / (die.edge * 0.7), 0, 1)
    open_sky = (0.5 + 0.5 * np.clip(normal[:, 2], -0.4, 1)) * (0.55 + 0.45 * height)
    sky = np.array(lamp.sky, np.float32)
    out = body * (key + open_sky[:, None] * sky)
    if die.look.gloss > 0.02:
        head_on = dot(rays, normal)
        mirror = rays - 2 * head_on[:, None] * normal
        cosine = np.clip(mirror @ towards, -1, 1)
        lobe = np.power(np.maximum(cosine, 0), die.look.shine * 0.5) * 0.6
        if lamp.pane:
            lobe = lobe + np.clip((cosine - np.cos(lamp.pane)) / 0.02, 0, 1) * 0.8
        grazing = np.power(1 - np.clip(-head_on, 0, 1), 5)
        out = out + (die.look.gloss * lobe * lit)[:, None] * np.array(lamp.key, np.float32)
        out = out + (die.look.gloss * 0.5 * grazing)[:, None] * sky * np.clip(
            mirror[:, 2:] + 0.2, 0, 1
        )
    return np.asarray(out)


def through(origin: Array, rays: Array, look: DieLook) -> Array:
    """Linear colour (n, 3) of the far side's inside, as seen through a clear die."""
    points, _ = meet(origin, rays, look, last=True)
    return np.square(colours(points, normals(points, look), look))


def draw_die(picture: Array, owner: Array, number: int, die: Die, scene: Light) -> float:
    """Draw a die into a linear picture, its number into ``owner``; pixels that it would cover."""
    view = scene.view
    seen = view.project(die.corners())
    low = np.floor(seen.min(0)).astype(int) - 3
    wide, tall = np.ceil(seen.max(0)).astype(int) + 4 - low
    if not (0 < wide < 400 and 0 < tall < 400):
        return 0.0
    fine = 3 if die.edge * view.scale < 26 else 2
    steps = (np.arange(max(wide, tall) * fine) + 0.5) / fine - 0.5
    grid = np.stack(np.meshgrid(steps[: wide * fine], steps[: tall * fine]), -1).reshape(-1, 2)
    rays = (view.rays(grid + low)).astype(np.float32)
    turn = die.turn.astype(np.float32)
    origin = ((view.place - die.middle) @ die.turn / (die.edge / 2)).astype(np.float32)
    points, hit = meet(origin, rays @ turn, die.look)
    layer = np.zeros((len(grid), 4), np.float32)
    points, rays = points[hit], rays[hit]
    normal = normals(points, die.look)
    colour = colours(points, normal, die.look)
    world = points @ turn.T * (die.edge / 2) + die.middle
    lit = scene.lit_at(grid[hit] + low)
    light = shade(world, normal @ turn.T, colour, rays, die, scene.lamp, lit)
    if die.look.clear:
        inside = through(origin, rays @ turn, die.look)
        behind = scene.colour_at(picture, grid[hit] + low)
        body = np.square(np.array(die.look.body, np.float32))
        glow = (inside * 0.55 + behind * body * 0.5) * (np.array(scene.lamp.sky) * 0.6 + 0.5)
        mark = np.abs(colour - np.array(die.look.body)).sum(-1, keepdims=True) > 0.3
        light = light + (glow - light) * np.where(mark, 0.1, die.look.clear)
    layer[hit, :3], layer[hit, 3] = light, 1
    layer = layer.reshape(tall, fine, wide, fine, 4).mean((1, 3))
    return lay(picture, owner, number, layer, low, die.smear)


def lay(
    picture: Array, owner: Array, number: int, layer: Array, low: Array, smear: tuple[float, float]
) -> float:
    """Lay premultiplied B, G, R, alpha over the picture, smeared by motion; its whole area."""
    if smear[0] >= 1.5:
        pad = int(smear[0]) + 1
        layer = cv2.copyMakeBorder(layer, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0)
        layer, low = cv2.filter2D(layer, -1, shake_kernel(*smear)), low - pad
    area = float((layer[..., 3] > 0.5).sum())
    tall, wide = layer.shape[:2]
    x0, y0 = max(0, low[0]), max(0, low[1])
    x1, y1 = min(picture.shape[1], low[0] + wide), min(picture.shape[0], low[1] + tall)
    if x0 < x1 and y0 < y1:
        part = layer[y0 - low[1] : y1 - low[1], x0 - low[0] : x1 - low[0]]
        spot = picture[y0:y1, x0:x1]
        spot *= 1 - part[..., 3:]
        spot += part[..., :3]
        owner[y0:y1, x0:x1][part[..., 3] > 0.5] = number
    return area
