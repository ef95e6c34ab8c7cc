"""A whole nardi scene, and its picture with the truth about it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any, cast

import cv2
import numpy as np

from .arrays import Array, Rng, blur, unit
from .camera import Camera, axes_of, sample_lens
from .discs import Setting
from .hand import Hand, sample_hand, sample_look
from .light import Light, arriving, mirrored, sample_light
from .limbs import draw_hand
from .nardi_canvas import Canvas, draw_checker, floor_shadow, lay, shadowed, where
from .nardi_case import DEPTH, case_of, draw_inside, draw_outside, draw_tops, reach
from .nardi_extras import Thing, draw_thing, sample_things
from .nardi_faces import faces
from .nardi_layout import Checker, Counts, checkers_of, sample_counts
from .nardi_plate import half_box, plates
from .nardi_style import NardiStyle, sample_nardi_style
from .paint import Split
from .scene import LINEAR
from .sensor import bend_maps, develop

#: The lights' distances are in board sizes; this many points make one.
SIZE = 12
PICTURES = ((640, 640), (800, 600), (960, 540), (720, 720), (600, 800), (720, 540))


@dataclass(frozen=True, slots=True)
class NardiScene:
    """One set under one light before one camera, with checkers and other things on it.

    Attributes:
        counts: see ``nardi_layout.Counts``.
        checkers: all of them, those off the points with ``point`` -1.
        stretch: the picture's height is multiplied by this after it was taken.
    """

    style: NardiStyle
    camera: Camera
    light: Light
    counts: Counts
    checkers: tuple[Checker, ...]
    things: tuple[Thing, ...] = ()
    hand: Hand | None = None
    stretch: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class NardiRendered:
    """A picture and the truth about it.

    Attributes:
        image: uint8 BGR (H, W, 3).
        halves: float (2, 4, 2) pixels, corners of the halves of the field in the order of the
            board's: far left, far right, near right, near left.
        owner: uint8 (H, W), 1 + number of the checker seen there, 255 a hand.
        middles: (n, 2) pixels, middles of the checkers' faces.
        counts: of the 24 points, board order, above 0 the lighter side's.
        sides, points: of the checkers, (n,) each.
        cover: (24,) share of each point that a hand or the picture's edge hides.
        style: the set's.
    """

    image: Array
    halves: Array
    owner: Array
    middles: Array
    counts: Counts
    sides: Array
    points: Array
    cover: Array
    style: NardiStyle

    @property
    def corners(self) -> Array:
        """Outer corners (4, 2) of the playing area, board order."""
        left, right = self.halves
        return np.array([left[0], right[1], right[2], left[3]])


def sample_view(rng: Rng, style: NardiStyle) -> Camera:
    """A random camera that sees the whole field: from above or aslant, from any side."""
    width, height = PICTURES[int(rng.integers(len(PICTURES)))]
    above = rng.random() < 0.5
    tilt = float(np.radians(rng.uniform(0, 7) if above else rng.uniform(5, 48)))
    side = rng.choice(4) * np.pi / 2
    azimuth = float(side + (rng.normal(0, 0.1) if rng.random() < 0.65 else rng.uniform(-0.8, 0.8)))
    axes = axes_of(tilt, azimuth, float(rng.normal(0, 0.04)))
    lens = sample_lens(rng, style.split)
    camera = Camera(
        width, height, lens, (0, 0, 1.0), tuple(map(tuple, axes)), float(np.degrees(tilt))
    )
    fills = ((0.42, 0.7), (0.7, 0.95), (0.92, 1.0))
    share = float(rng.uniform(*fills[int(rng.choice(3, p=[0.2, 0.45, 0.35]))]))
    return framed(camera, style, share, rng.uniform(0.2, 0.8, 2))


def framed(camera: Camera, style: NardiStyle, share: float, place: Array) -> Camera:
    """The camera moved so that the field takes its share of the picture, at its place in it."""
    axes = np.array(camera.axes)
    w, h = style.width, style.height
    edge = np.array([[0, 0, 0], [w, 0, 0], [w, h, 0], [0, h, 0.0]])
    target, distance = np.array([w / 2, h / 2, 0.0]), 2.0 * SIZE
    picture = np.array([camera.width, camera.height], float)
    for _ in range(10):
        camera = replace(camera, position=tuple(target - axes[2] * distance))
        seen = camera.project(edge)
        low, high = seen.min(0), seen.max(0)
        distance *= float(np.clip(((high - low) / picture).max() / share, 0.6, 1.6))
        free = picture - (high - low)
        shift = low - np.where(free > 0, free * place, free / 2)
        step = shift[0] * axes[0] + shift[1] * axes[1]
        ground = step - axes[2] * step[2] / axes[2, 2]
        target = target + ground * (distance / camera.focal) * 0.8
    return replace(camera, position=tuple(target - axes[2] * distance))


def sample_nardi(rng: Rng, split: Split = "train", style: NardiStyle | None = None) -> NardiScene:
    """A random scene of a random set, or of a given one."""
    style = style or sample_nardi_style(rng, split)
    counts = sample_counts(rng)
    checkers = checkers_of(style, counts, rng) + strays(style, counts, rng)
    hand = None
    if rng.random() < 0.12:
        made = sample_hand(rng, sample_look(rng, split, 0.05), SIZE)
        hand = made
    camera = sample_view(rng, style)
    return NardiScene(
        style, camera, sample_light(rng), counts, tuple(checkers),
        sample_things(style, split, rng), hand, sample_stretch(rng, camera),
    )  # fmt: skip


def sample_stretch(rng: Rng, camera: Camera) -> float:
    """A random change of the picture's height; collections of pictures are often made square."""
    kind = rng.random()
    if kind < 0.3:
        return camera.width / camera.height
    return float(np.exp(rng.normal(0, 0.16))) if kind < 0.55 else 1.0


def strays(style: NardiStyle, counts: Counts, rng: Rng) -> list[Checker]:
    """Checkers that are not on points: borne off in a tray or beside the case, or on the bar."""
    totals = np.array(counts)
    missing = [15 - int(totals[totals > 0].sum()), 15 + int(totals[totals < 0].sum())]
    _, high = reach(style)
    d, made = style.checkers.diameter, []
    for side, left in enumerate(missing):
        if left <= 0 or rng.random() < 0.4:
            continue
        on_bar = int(rng.integers(1, 3)) if rng.random() < 0.3 and style.case.bar > 0.5 else 0
        for k in range(min(left, on_bar)):
            y = style.height * (0.5 + (0.12 + 0.09 * k) * (1 if side else -1))
            x = 6 + style.case.bar / 2
            made.append(stray(x, y, style.case.bar_rise, side, rng))
        tray = style.case.trays[1]
        for k in range(max(0, left - on_bar)):
            y = (k * d * 1.02 + d) if side else style.height - (k * d * 1.02 + d)
            if tray:
                x, base = high - style.case.rim - tray / 2, 0.0
                y = float(np.clip(y, d / 2, style.height - d / 2))
            else:
                x, base = high + d * (0.8 + 1.1 * (k // 8)), -DEPTH
                y = d + (k % 8) * d * 1.05 if side else style.height - d - (k % 8) * d * 1.05
            made.append(stray(x + rng.normal(0, 0.05), y, base, side, rng))
    return made


def stray(x: float, y: float, base: float, side: int, rng: Rng) -> Checker:
    """A checker on no point."""
    return Checker(float(x), float(y), base, side, -1, False, float(rng.uniform(0, 6.28)), 1.0)


def render_nardi(scene: NardiScene, seed: int = 0) -> NardiRendered:
    """The picture of a scene; ``seed`` decides the sensor's noise."""
    rng = np.random.default_rng([seed, 5])
    camera = scene.camera
    canvas, light_at = paint(scene, rng)
    lit, shine = illuminated(scene, light_at)
    whole = (camera.width, camera.height)
    picture = cv2.LUT(canvas.colour, LINEAR) * cv2.resize(lit, whole)
    picture += cv2.resize(shine, whole) * (canvas.gloss[..., None] * np.float32(0.01))
    owner = canvas.owner
    if scene.hand is not None:
        # the hand's painter asks for nothing of a draughts set but the board's size
        asked = SimpleNamespace(style=SimpleNamespace(size=SIZE), camera=camera, light=scene.light)
        hidden = draw_hand(picture, scene.hand, cast("Setting", asked))
        owner = np.where(hidden > 0.5, np.uint8(255), owner)
    image = develop(picture, camera, scene.light, rng)
    if abs(camera.lens.k1) > 1e-4:
        first, second = bend_maps(camera)
        owner = cv2.remap(owner, first, second, cv2.INTER_NEAREST)
    return labelled(scene, image, owner)


def labelled(scene: NardiScene, image: Array, owner: Array) -> NardiRendered:
    """A picture with its labels, stretched."""
    style, camera = scene.style, scene.camera
    boxes = np.stack([half_box(style, 0), half_box(style, 1)])
    halves = camera.project(np.concatenate([boxes.reshape(-1, 2), np.zeros((8, 1))], 1))
    tops = [
        (*where(c, style), c.base + (style.checkers.diameter if c.edge else style.checkers.thick))
        for c in scene.checkers
    ]
    middles = camera.project(np.array(tops).reshape(-1, 3))
    if scene.stretch != 1.0:
        height = round(image.shape[0] * scene.stretch)
        image = cv2.resize(image, (image.shape[1], height), interpolation=cv2.INTER_AREA)
        owner = cv2.resize(owner, (image.shape[1], height), interpolation=cv2.INTER_NEAREST)
        grow = np.array([1.0, height / camera.height])
        halves, middles = ((p + 0.5) * grow - 0.5 for p in (halves, middles))
    return NardiRendered(
        image=image,
        halves=halves.reshape(2, 4, 2),
        owner=owner,
        middles=middles,
        counts=scene.counts,
        sides=np.array([c.side for c in scene.checkers], np.int8),
        points=np.array([c.point for c in scene.checkers], np.int8),
        cover=covered(halves.reshape(2, 4, 2), owner),
        style=style,
    )


def covered(halves: Array, owner: Array) -> Array:
    """Share of each point that a hand or the picture's edge hides, (24,)."""
    across, along = np.meshgrid(np.linspace(0.1, 0.9, 4), np.linspace(0.02, 0.45, 14))
    shares = np.zeros(24)
    square = np.array([[0, 0], [6, 0], [6, 1], [0, 1]], np.float32)
    for point in range(24):
        row, column = divmod(point, 12)
        through = cv2.getPerspectiveTransform(square, halves[column // 6].astype(np.float32))
        spots = np.stack([across + column % 6, along if row == 0 else 1 - along], -1)
        seen = cv2.perspectiveTransform(spots.reshape(1, -1, 2).astype(np.float32), through)[0]
        x, y = np.rint(seen).astype(int).T
        inside = (x >= 0) & (y >= 0) & (x < owner.shape[1]) & (y < owner.shape[0])
        hidden = np.where(
            inside, owner[np.where(inside, y, 0), np.where(inside, x, 0)] == 255, True
        )
        shares[point] = hidden.mean()
    return shares


def paint(scene: NardiScene, rng: Rng) -> tuple[Canvas, Array]:
    """Colours, gloss and owners, and the direction (x, y) and share of the main light."""
    style, camera = scene.style, scene.camera
    made, case = plates(style), case_of(style)
    shape = (camera.height, camera.width)
    canvas = Canvas(
        np.zeros((*shape, 3), np.uint8), np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    )
    slant, soft, light = main_light(scene)
    lay(canvas, camera, made.table, style, -DEPTH, None, int(style.table.gloss * 50), 2.5)
    for thing in scene.things:
        if thing.base < 0:
            draw_thing(canvas, thing, camera)
    draw_outside(canvas, camera, style, light)
    quarter = (made.floor.shape[1] // 4, made.floor.shape[0] // 4)
    frame = cv2.resize(case.frame, quarter, interpolation=cv2.INTER_AREA)
    cast_, close = floor_shadow(style, list(scene.checkers), slant, soft, frame)
    dim = (1 - light[2]) * close + light[2] * cast_
    inside = np.maximum(case.floor, case.bar)
    lay(
        canvas,
        camera,
        shadowed(made.floor, dim),
        style,
        0.0,
        inside,
        int(style.case.field.gloss * 100),
    )
    draw_inside(canvas, camera, style, light)
    thick = style.checkers.thick
    low_bar, low_rim = style.case.bar_rise < 1.2 * thick, style.case.rise < 1.2 * thick
    for bar, low in ((True, low_bar), (False, low_rim)):
        if low:
            draw_tops(canvas, camera, style, made, bar)
    draw_pieces(canvas, scene, light, rng, on_bar=False)
    for bar, low in ((True, low_bar), (False, low_rim)):
        if not low:
            draw_tops(canvas, camera, style, made, bar)
    draw_pieces(canvas, scene, light, rng, on_bar=True)
    return canvas, light


def draw_pieces(canvas: Canvas, scene: NardiScene, light: Array, rng: Rng, on_bar: bool) -> None:
    """Draw dice and checkers, low ones first and far ones before near ones."""
    style, camera = scene.style, scene.camera
    eye = np.array(camera.position[:2])
    if not on_bar:
        for thing in scene.things:
            if thing.base >= 0:
                draw_thing(canvas, thing, camera)
    faces_of = faces(style)
    high = max(style.case.bar_rise, 1e-6)

    def stands_on_bar(checker: Checker) -> bool:
        return checker.point < 0 and checker.base >= high

    order = sorted(
        range(len(scene.checkers)),
        key=lambda k: (
            scene.checkers[k].base,
            -float(np.hypot(*(np.array([scene.checkers[k].x, scene.checkers[k].y]) - eye))),
        ),
    )
    for k in order:
        if stands_on_bar(scene.checkers[k]) == on_bar:
            draw_checker(canvas, scene.checkers[k], k, style, camera, faces_of, light, rng)


def main_light(scene: NardiScene) -> tuple[Array, float, Array]:
    """Shift of shadows for each height, their softness, and the light as ``lit_face`` takes it."""
    middle = np.array([SIZE / 2, SIZE / 2, 0.0])
    if not scene.light.sources:
        return np.zeros(2), 0.3, np.array([0.3, -0.3, 0.15])
    source = scene.light.sources[0]
    towards, _ = arriving(source, middle, SIZE, scene.camera)
    level = max(float(towards[2]), 0.25)
    slant = -towards[:2] / level
    share = source.strength / (source.strength + float(np.mean(scene.light.ambient)))
    soft = float(np.clip(source.radius * 0.5, 0.02, 0.5))
    return slant, soft, np.array([towards[0], towards[1], share])


def illuminated(scene: NardiScene, light: Array) -> tuple[Array, Array]:
    """Irradiance and mirrored light, float32 (H / 8, W / 8, 3) each."""
    camera, style = scene.camera, scene.style
    rows, columns = -(-camera.height // 8), -(-camera.width // 8)
    pixels = np.stack(np.meshgrid(np.arange(columns) * 8.0, np.arange(rows) * 8.0), -1)
    back = np.linalg.inv(camera.homography(0.0))
    flat = np.concatenate([pixels, np.ones((rows, columns, 1))], -1) @ back.T
    flat = flat[..., :2] / np.where(np.abs(flat[..., 2:]) > 1e-9, flat[..., 2:], 1e-9)
    points = np.concatenate([np.clip(flat, -60, 80), np.zeros((rows, columns, 1))], -1)
    points = points.astype(np.float32)
    view = unit(np.array(camera.position, np.float32) - points)
    ambient = np.array(scene.light.ambient, np.float32)
    slope = (points[..., :2] / SIZE - 0.5) @ np.array(scene.light.gradient, np.float32)
    lit = ambient * np.clip(1 + slope, 0.3, 2)[..., None]
    shine = np.zeros_like(lit) + ambient * 0.04
    rough = float(style.case.field.roughness)
    for source in scene.light.sources:
        towards, strength = arriving(source, points, SIZE, camera)
        level = strength * np.maximum(towards[..., 2], 0) * patched(source, camera, (rows, columns))
        colour = np.array(source.colour, np.float32)
        lit = lit + level[..., None] * colour
        glare = mirrored(source, points, view, SIZE, camera, rough)
        shine = shine + np.clip(glare * level, 0, 4)[..., None] * colour
    return lit.astype(np.float32), shine.astype(np.float32)


def patched(source: Any, camera: Camera, shape: tuple[int, int]) -> Array:
    """Share of a source that its patches let through, (h, w), an eighth of the picture's size."""
    share = np.ones(shape, np.float32)
    inside = np.zeros(shape, np.float32)
    for patch in source.patches:
        flat = np.array(patch.points) * SIZE + SIZE / 2
        seen = camera.project_ideal(np.column_stack([flat, np.zeros(len(flat))])) / 8
        mask = np.zeros(shape, np.float32)
        cv2.fillPoly(mask, [np.clip(np.rint(seen), -4000, 4000).astype(np.int32)], 1.0)
        mask = blur(mask, max(0.6, patch.soft * 4))
        if patch.keep:
            inside = np.maximum(inside, mask)
        else:
            share *= 1 - patch.depth * mask
    kept = [p for p in source.patches if p.keep]
    if kept:
        share *= 1 - kept[0].depth * (1 - inside)
    return share
