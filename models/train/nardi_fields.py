"""Stored scenes cut for the network that finds the field: whole pictures, and levelled fields."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.errors import VisionError
from vision.geometry import homography_from_points, inverse, project
from vision.nardi.board import NardiGeometry
from vision.nardi.crops import CELL_PX, FIELD_PX, levelled

from .nardi_data import Array, Rng, filled, peaks, recoloured, turned_halves
from .nardi_scenes import Stored

CELLS = FIELD_PX // CELL_PX
#: How often the field is nearly level already, and how often its rows then run the wrong way.
LEVEL, ACROSS = 0.55, 0.06
#: How often the picture is one as a camera took it, of those that are not level.
AS_TAKEN = 0.35
_SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * FIELD_PX - 0.5
#: Which corners of a half are which in a mirror.
_MIRRORED = [1, 0, 3, 2]


@dataclass(frozen=True, slots=True, eq=False)
class FieldSample:
    """A picture for FieldNet: heat (2, 48, 48) of outer corners and of corners at the bar, masks
    (2, 48, 48) of field and bar, cosine and sine of twice the angle of the rows, and heat
    (8, 48, 48) of each corner, which is told where the field is level (``level`` 1, else 0).
    """

    picture: Array
    heat: Array
    masks: Array
    angle: Array
    corners: Array
    level: float


def field_sample(scene: Stored, rng: Rng) -> FieldSample:
    """A scene as a first look or as a second one sees it."""
    level = bool(rng.random() < LEVEL)
    across = level and bool(rng.random() < ACROSS)
    if level:
        picture, halves = nearly_level(scene, across, rng)
    elif rng.random() < AS_TAKEN:
        picture, halves = as_taken(scene, rng)
    else:
        picture, halves = seen_anew(scene, rng)
    if not np.isfinite(halves).all():  # levelled so wrongly that a corner lies behind the camera
        level = across = False
        picture, halves = as_taken(scene, rng)
    if rng.random() < 0.5:
        picture = np.ascontiguousarray(picture[:, ::-1])
        halves = halves[::-1, _MIRRORED] * np.array([-1, 1]) + np.array([FIELD_PX - 1, 0])
    return labelled(recoloured(picture, rng), halves, level, across)


def nearly_level(scene: Stored, across: bool, rng: Rng) -> tuple[Array, Array]:
    """A field levelled by corners that are off as those of a first look are."""
    halves = turned_halves(scene.halves, bool(rng.random() < 0.5))
    true = NardiGeometry(halves)
    middle, edge = true.corners.mean(0), true.board_width_px()
    spread = float(rng.choice([0.01, 0.03, 0.06, 0.1]))
    found = middle + (true.corners - middle) * np.exp(rng.normal(0, spread, 2))
    found = found + (rng.normal(0, spread * 0.7, (4, 2)) + rng.normal(0, spread, 2)) * edge
    try:
        found = NardiGeometry.from_corners(found).corners
    except VisionError:  # drawn so far off that it is no board
        found = true.corners
    if across:
        found = np.roll(found, -1, axis=0)
    picture, back = levelled(scene.image, found)
    return picture, project(inverse(back), halves)


def as_taken(scene: Stored, rng: Rng) -> tuple[Array, Array]:
    """A random part of a picture with a board in it, squeezed into a square."""
    low, high = window(scene, rng)
    corners = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
    part = scene.image[int(low[1]) : int(high[1]) + 1, int(low[0]) : int(high[0]) + 1]
    picture = cv2.resize(part, (FIELD_PX, FIELD_PX), interpolation=cv2.INTER_AREA)
    return picture, project(homography_from_points(corners, _SQUARE), scene.halves)


def window(scene: Stored, rng: Rng) -> tuple[Array, Array]:
    """A random part of the picture that holds the field, or nearly: low and high corner."""
    whole = np.array([scene.image.shape[1], scene.image.shape[0]], float)
    if rng.random() < 0.25:
        return np.zeros(2), whole - 1
    flat = scene.halves.reshape(-1, 2)
    low, high = flat.min(0), flat.max(0)
    room = (high - low) * rng.uniform(-0.02, 0.5, 2) * (rng.random() ** 0.5)
    low, high = np.floor(low - room), np.ceil(high + room * rng.uniform(0.3, 1.5, 2))
    return np.clip(low, 0, whole - 40), np.clip(high, low.clip(0) + 39, whole - 1)


def seen_anew(scene: Stored, rng: Rng) -> tuple[Array, Array]:
    """The scene as another camera would see it: any turn, aslant up to 60 degrees, any place."""
    corners = NardiGeometry(scene.halves).corners
    for _ in range(4):
        target = anywhere(rng)
        through = homography_from_points(corners, target)
        # behind the camera a picture comes back upside down
        back = inverse(through)
        ends = np.column_stack([_SQUARE, np.ones(4)]) @ back[2]
        if (ends * (back[2] @ [*target.mean(0), 1]) > 0).all():
            break
    else:
        return as_taken(scene, rng)
    image = scene.image
    areas = [abs(float(cv2.contourArea(c.astype(np.float32)))) for c in (target, corners)]
    factor = 1.5 * float(np.sqrt(areas[0] / max(areas[1], 1)))
    if factor < 0.75:
        image = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        shrunk = homography_from_points((corners + 0.5) * factor - 0.5, target)
    else:
        shrunk = through
    border = int(rng.choice([cv2.BORDER_REPLICATE, cv2.BORDER_CONSTANT]))
    picture = cv2.warpPerspective(
        image, shrunk, (FIELD_PX, FIELD_PX), borderMode=border,
        borderValue=rng.uniform(0, 255, 3).tolist(),
    )  # fmt: skip
    return picture, project(through, scene.halves)


def anywhere(rng: Rng) -> Array:
    """Corners (4, 2) of a board somewhere in a picture, as a camera could see it."""
    tall = float(np.exp(rng.normal(-0.1, 0.25)))
    flat = np.array([[-0.5, -tall / 2], [0.5, -tall / 2], [0.5, tall / 2], [-0.5, tall / 2]])

    def spun(points: Array, angle: float) -> Array:
        cosine, sine = np.cos(angle), np.sin(angle)
        return np.asarray(points @ np.array([[cosine, sine], [-sine, cosine]]))

    level = rng.random() < 0.35
    quarter = int(rng.integers(4)) * np.pi / 2
    flat = spun(flat, quarter + (rng.normal(0, 0.08) if level else rng.uniform(-0.8, 0.8)))
    tilt = np.radians(rng.uniform(0, 8) if level else rng.uniform(0, 60))
    away = flat[:, 1] * np.sin(tilt)
    seen = np.stack([flat[:, 0], flat[:, 1] * np.cos(tilt)], -1)
    seen = seen / (1 - away / rng.uniform(1.2, 3.5))[:, None]
    seen = spun(seen, float(rng.normal(0, 0.08)))
    seen = seen * np.exp(rng.normal(0, 0.15, 2))  # pictures are squeezed into squares
    low, high = seen.min(0), seen.max(0)
    share = float(rng.choice([rng.uniform(0.35, 0.7), rng.uniform(0.7, 1.08)]))
    seen = (seen - low) * (share * FIELD_PX / float((high - low).max()))
    free = FIELD_PX - (seen.max(0) - seen.min(0))
    return np.asarray(seen + free * rng.uniform(0.05, 0.95, 2))


def labelled(picture: Array, halves: Array, level: bool, across: bool) -> FieldSample:
    """What FieldNet should say of a picture in which the halves lie so."""
    at = (halves + 0.5) / CELL_PX - 0.5
    outer = np.array([at[0, 0], at[1, 1], at[1, 2], at[0, 3]])
    inner = np.array([at[0, 1], at[0, 2], at[1, 0], at[1, 3]])
    heat = np.stack([peaks(outer, (CELLS, CELLS)), peaks(inner, (CELLS, CELLS))])
    bar = np.array([at[0, 1], at[1, 0], at[1, 3], at[0, 2]])
    masks = np.stack([filled(outer, CELLS), filled(bar, CELLS)])
    along = (halves[0, 0] + halves[0, 3]) / 2 - (halves[1, 1] + halves[1, 2]) / 2
    twice = 2 * np.arctan2(along[1], along[0])
    each = np.zeros((8, CELLS, CELLS), np.float32)
    if level and not across:
        each = np.stack([peaks(place[None], (CELLS, CELLS)) for place in at.reshape(8, 2)])
    angle = np.array([np.cos(twice), np.sin(twice)])
    return FieldSample(picture, heat, masks, angle, each, float(level))
