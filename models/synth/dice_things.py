"""What stands among dice: checkers, coins, boxes, fingers; and the shadows of all of them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from .arrays import Array, Rng, blur
from .dice_view import Lamp, View
from .paint import Colour, Split, draw

CHECKERS = ("white", "ivory", "cream", "maple", "black", "charcoal", "walnut", "red", "mahogany")


@dataclass(frozen=True, slots=True)
class Checker:
    """A flat round thing: a checker, a coin, a cap.

    Attributes:
        x, y, base: where the middle of its lower face is, mm.
        radius, height: mm.
        colour: display B, G, R.
        rings: radius as a share, and lightness, of rings on its face.
        spot: colour of a round inlay in the middle, or None.
    """

    x: float
    y: float
    base: float
    radius: float
    height: float
    colour: Colour
    rings: tuple[tuple[float, float], ...]
    spot: Colour | None

    def outline(self, level: float, share: float = 1.0) -> Array:
        """Points (32, 3) around it at a height over its base."""
        turn = np.arange(32) * (np.pi / 16)
        ring = np.stack([np.cos(turn), np.sin(turn)], -1) * (self.radius * share)
        return np.column_stack([ring + np.array([self.x, self.y]), np.full(32, self.base + level)])


def sample_checkers(rng: Rng, split: Split, count: int, reach: float) -> list[Checker]:
    """Checkers of one set around the middle, some stacked, now and then coins."""
    radius, height = rng.uniform(11, 19), rng.uniform(5, 11)
    pair = [draw(rng, CHECKERS, split) for _ in range(2)]
    rings = tuple(
        (float(r), float(rng.uniform(0.7, 1.25)))
        for r in sorted(rng.uniform(0.2, 0.92, int(rng.integers(0, 4))), reverse=True)
    )
    spot = draw(rng, CHECKERS, split) if rng.random() < 0.25 else None
    things = []
    for _ in range(count):
        x, y = rng.uniform(-reach, reach, 2)
        coin = rng.random() < 0.12
        wide = float(rng.uniform(7, 14) if coin else radius)
        tall = 1.8 if coin else height
        for level in range(int(rng.choice(3, p=[0.75, 0.17, 0.08])) + 1):
            colour = pair[int(rng.integers(2))]
            things.append(Checker(x, y, level * tall, wide, tall, colour, rings, spot))
    return things


def fill(picture: Array, outline: Array, colour: Array) -> None:
    """Fill a convex outline (n, 2) pixels with a linear colour, its edge smooth."""
    low = np.floor(outline.min(0)).astype(int) - 1
    high = np.ceil(outline.max(0)).astype(int) + 2
    low, high = np.maximum(low, 0), np.minimum(high, picture.shape[1::-1])
    if (high <= low).any():
        return
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    points = np.rint((outline - low) * 16).astype(np.int32)
    cv2.fillConvexPoly(mask, cv2.convexHull(points), 255, cv2.LINE_AA, 4)
    part = picture[low[1] : high[1], low[0] : high[0]]
    part += (colour - part) * (mask[..., None].astype(np.float32) / 255)


def draw_checker(picture: Array, thing: Checker, view: View, lamp: Lamp, lit: float) -> None:
    """Draw one checker into a linear picture; ``lit`` is how much of the lamp reaches it."""
    key, sky = np.array(lamp.key) * lit, np.array(lamp.sky)
    body = np.square(np.array(thing.colour))
    low, high = view.project(thing.outline(0)), view.project(thing.outline(thing.height))
    fill(picture, np.concatenate([low, high]), body * (key * 0.45 + sky * 0.55))
    up = body * (key * lamp.towards[2] + sky)
    fill(picture, view.project(thing.outline(thing.height, 0.96)), up)
    for share, light in thing.rings:
        fill(picture, view.project(thing.outline(thing.height, share)), up * light)
    if thing.spot is not None:
        inlay = np.square(np.array(thing.spot)) * (key * lamp.towards[2] + sky)
        fill(picture, view.project(thing.outline(thing.height, 0.3)), inlay)


def draw_finger(picture: Array, covered: Array, rng: Rng, split: Split, light: Array) -> None:
    """A finger or two from an edge of the picture over everything."""
    tall, wide = picture.shape[:2]
    skin = np.square(np.array(draw(rng, ("skin",), split))) * light
    start = np.array([rng.uniform(0, wide), 0.0]) if rng.random() < 0.5 else rng.uniform(0, wide, 2)
    tip = rng.uniform(0.2, 0.8, 2) * (wide, tall)
    thick = rng.uniform(0.08, 0.2) * wide
    for k in range(int(rng.integers(1, 3))):
        aside = np.array([thick * 1.1 * k, rng.uniform(-0.3, 0.3) * thick])
        near, far = ([int(v) for v in p + aside] for p in (start, tip))
        for share in (1.0, 0.8, 0.55, 0.3):
            shade = skin * (0.75 + 0.45 * (1 - share))
            cv2.line(picture, near, far, shade.tolist(), max(1, int(thick * share)), cv2.LINE_AA)
        cv2.line(covered, near, far, 1.0, max(1, int(thick)))


def shadow_mask(solids: list[Array], height: float, view: View, lamp: Lamp) -> Array:
    """How much of the lamp convex solids, each points (n, 3), take from the table, (H, W)."""
    wide, tall = view.size
    mask = np.zeros((tall, wide), np.uint8)
    slant = np.array(lamp.towards[:2]) / lamp.towards[2]
    for points in solids:
        cast = points.copy()
        cast[:, :2] -= slant * points[:, 2:]
        cast[:, 2] = 0
        hull = cv2.convexHull(view.project(cast).astype(np.float32)).reshape(-1, 2)
        cv2.fillConvexPoly(mask, np.rint(hull * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    return blur(mask.astype(np.float32) / 255, lamp.soft * height * view.scale)


def contact_mask(solids: list[Array], reach: float, view: View) -> Array:
    """How much of the sky solids that stand on the table hide close around them, (H, W)."""
    wide, tall = view.size
    mask = np.zeros((tall, wide), np.uint8)
    for points in solids:
        foot = points.copy()
        foot[:, 2] = 0
        hull = cv2.convexHull(view.project(foot).astype(np.float32)).reshape(-1, 2)
        cv2.fillConvexPoly(mask, np.rint(hull * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    return blur(mask.astype(np.float32) / 255, reach * view.scale)
