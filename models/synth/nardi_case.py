"""The case of a board: which parts stand up, and how they are drawn around the field."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from .arrays import Array
from .camera import Camera
from .nardi_canvas import Canvas, lay, polygon
from .nardi_plate import MARGIN, UNIT, Plates, fill, half_box, placed
from .nardi_style import NardiStyle

#: How deep the table lies under the field.
DEPTH = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """Parts of a case.

    Attributes:
        frame, bar, floor: where they are on the plate, uint8 (H, W).
        openings: corners (4, 2) of every hollow, clockwise: two halves, then trays.
        outer: corners (n, 2) of the whole case.
    """

    frame: Array
    bar: Array
    floor: Array
    openings: tuple[Array, ...]
    outer: Array


def box(left: float, top: float, right: float, bottom: float) -> Array:
    """Corners (4, 2), clockwise from the far left one."""
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)])


def reach(style: NardiStyle) -> tuple[float, float]:
    """Left and right end of the case."""
    case = style.case
    divider = max(0.15, case.rim * 0.6)
    left, right = (t + divider if t else 0.0 for t in case.trays)
    return -left - case.rim, style.width + right + case.rim


@lru_cache(maxsize=2)
def case_of(style: NardiStyle) -> Case:
    """Lay out the case of a set."""
    case, tall = style.case, style.height
    shape = (round((tall + 2 * MARGIN) * UNIT), round((style.width + 2 * MARGIN) * UNIT))
    frame, bar, floor = (np.zeros(shape, np.uint8) for _ in range(3))
    low, high = reach(style)
    middle = 6 + case.bar / 2
    boxes = [
        box(low, -case.rim, middle, tall + case.rim),
        box(middle, -case.rim, high, tall + case.rim),
    ]
    openings = [half_box(style, 0), half_box(style, 1)]
    divider = max(0.15, case.rim * 0.6)
    trays = []
    for side, width in enumerate(case.trays):
        if width:
            left = -divider - width if side == 0 else style.width + divider
            trays.append((side, box(left, 0, left + width, tall)))
    for half, outline in enumerate(boxes):
        fill(frame, outline, half, style, 255)
    for half in (0, 1):
        left = 6.0 if half == 0 else middle
        fill(bar, box(left, 0, left + case.bar / 2, tall), half, style, 255)
        inner = box(half * (6 + case.bar), 0, half * (6 + case.bar) + 6, tall)
        fill(floor, inner, half, style, 255)
    for half, tray in trays:
        fill(floor, tray, half, style, 255)
        openings.append(placed(tray, half, style))
    frame[(floor > 0) | (bar > 0)] = 0
    outer = np.concatenate([placed(outline, half, style) for half, outline in enumerate(boxes)])
    return Case(frame, bar, floor, tuple(openings), outer)


def wall(
    canvas: Canvas, camera: Camera, ends: Array, levels: tuple[float, float], colour: list[float]
) -> None:
    """Draw an upright wall between two points (2, 2)."""
    if abs(levels[1] - levels[0]) < 0.02:
        return
    points = [(*end, level) for end in ends for level in levels]
    polygon(canvas, camera.project_ideal(np.array(points)), colour, 40)


def shade_of(ends: Array, inward: bool, light: Array) -> float:
    """How light a wall is that faces to the right of its direction (inward) or to the left."""
    along = ends[1] - ends[0]
    normal = np.array([-along[1], along[0]]) / (np.hypot(*along) + 1e-9)
    facing = float(normal @ light[:2]) * (1 if inward else -1)
    return float(np.clip(0.6 + 0.35 * facing * light[2], 0.25, 1.0))


def draw_outside(canvas: Canvas, camera: Camera, style: NardiStyle, light: Array) -> None:
    """The outer walls that the camera sees."""
    eye = np.array(camera.position[:2])
    hull = cv2.convexHull(case_of(style).outer.astype(np.float32)).reshape(-1, 2).astype(float)
    area = float(
        np.sum(hull[:, 0] * np.roll(hull[:, 1], -1) - hull[:, 1] * np.roll(hull[:, 0], -1))
    )
    if area < 0:
        hull = hull[::-1]
    tone = np.array(style.case.frame.colour) * 255
    for k, start in enumerate(hull):
        ends = np.array([start, hull[(k + 1) % len(hull)]])
        along = ends[1] - ends[0]
        if along[0] * (eye - start)[1] - along[1] * (eye - start)[0] < 0:
            shade = shade_of(ends, False, light) * 0.9
            wall(canvas, camera, ends, (-DEPTH, style.case.rise), (tone * shade).tolist())


def draw_inside(canvas: Canvas, camera: Camera, style: NardiStyle, light: Array) -> None:
    """The inner walls of all hollows that the camera sees."""
    eye = np.array(camera.position[:2])
    for number, opening in enumerate(case_of(style).openings):
        for k in range(4):
            ends = np.array([opening[k], opening[(k + 1) % 4]])
            along = ends[1] - ends[0]
            if along[0] * (eye - ends[0])[1] - along[1] * (eye - ends[0])[0] <= 0:
                continue
            at_bar = (number, k) in ((0, 1), (1, 3))
            like_field = at_bar and not style.case.bar_like_frame
            material = style.case.field if like_field else style.case.frame
            tone = np.array(material.colour) * 255 * shade_of(ends, True, light)
            rise = style.case.bar_rise if at_bar else style.case.rise
            wall(canvas, camera, ends, (0.0, rise), tone.tolist())


def draw_tops(canvas: Canvas, camera: Camera, style: NardiStyle, made: Plates, bar: bool) -> None:
    """The upper faces of the frame, or of the bar."""
    case = case_of(style)
    level = style.case.bar_rise if bar else style.case.rise
    gloss = int(style.case.frame.gloss * 100)
    lay(canvas, camera, made.top, style, level, case.bar if bar else case.frame, gloss)
