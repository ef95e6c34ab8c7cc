"""Draws plates, walls and checkers into one flat picture of colours, gloss and owners."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from .arrays import Array, blur
from .camera import Camera
from .nardi_faces import FACE, RADIUS, VARIANTS, Faces, lit_face
from .nardi_layout import Checker
from .nardi_plate import MARGIN, UNIT, placed, to_pixels
from .nardi_style import NardiStyle

_SHIFT = 4
_RING = np.stack([np.cos(np.arange(24) * np.pi / 12), np.sin(np.arange(24) * np.pi / 12)], -1)


@dataclass(frozen=True, slots=True, eq=False)
class Canvas:
    """What is drawn so far.

    Attributes:
        colour: uint8 (H, W, 3), display colours without light.
        gloss: uint8 (H, W), 100 for a full coat.
        owner: uint8 (H, W), 1 + number of the checker that is seen there, 0 for none.
    """

    colour: Array
    gloss: Array
    owner: Array


def polygon(canvas: Canvas, points: Array, colour: object, gloss: int, owner: int = 0) -> None:
    """Fill a convex hull of pixels (n, 2)."""
    if not np.isfinite(points).all() or np.abs(points).max() > 20000:
        return
    hull = cv2.convexHull(points.astype(np.float32)).reshape(-1, 2)
    whole = np.rint(hull * (1 << _SHIFT)).astype(np.int32)
    shift = _SHIFT
    cv2.fillConvexPoly(canvas.colour, whole, colour, cv2.LINE_AA, shift)  # type: ignore[call-overload]
    cv2.fillConvexPoly(canvas.gloss, whole, gloss, cv2.LINE_8, shift)
    cv2.fillConvexPoly(canvas.owner, whole, owner, cv2.LINE_8, shift)


def lay(
    canvas: Canvas, camera: Camera, plate: Array, style: NardiStyle, level: float,
    mask: Array | None, gloss: int, enlarge: float = 1.0,
) -> None:  # fmt: skip
    """Lay a plate on the plane of a height into the canvas, where its mask (plate, 0/255) is."""
    grow = np.eye(3)
    if enlarge != 1.0:
        middle = np.array(plate.shape[1::-1]) / 2
        grow[:2, :2] *= enlarge
        grow[:2, 2] = middle * (1 - enlarge)
    through = camera.homography(level) @ np.linalg.inv(to_pixels(style)) @ grow
    whole = (camera.width, camera.height)
    if mask is None:
        border = cv2.BORDER_REFLECT
        canvas.colour[:] = cv2.warpPerspective(plate, through, whole, borderMode=border)
        canvas.gloss[:] = gloss
        return
    seen = cv2.warpPerspective(plate, through, whole)
    cover = cv2.warpPerspective(mask, through, whole)
    weight = cover * np.float32(1 / 255)
    canvas.colour[:] = cv2.blendLinear(seen, canvas.colour, weight, 1 - weight)
    canvas.gloss[cover > 127] = gloss
    canvas.owner[cover > 127] = 0


def shadowed(plate: Array, dark: Array) -> Array:
    """A plate under shadows, float32 quarter size (h, w), 1 lit and 0 dark, as display values."""
    level = np.sqrt(np.clip(dark, 0.02, 1)).astype(np.float32)
    whole = cv2.resize(level, plate.shape[1::-1])
    return cv2.blendLinear(plate, np.zeros_like(plate), whole, 1 - whole)


def floor_shadow(
    style: NardiStyle, checkers: list[Checker], slant: Array, soft: float, frame: Array
) -> tuple[Array, Array]:
    """How much of the main source and of the room's light reaches the floor.

    Two float32 arrays, a quarter of the plate's size; 1 lit, 0 dark.

    ``slant``: how far shadows fall for each height; ``frame``: the frame's mask, quarter size.
    """
    unit = UNIT / 4
    mask = np.zeros(frame.shape, np.uint8)
    close = mask.copy()
    look = style.checkers
    for checker in checkers:
        at = where(checker, style)
        tall = look.diameter if checker.edge else look.thick
        radius = look.diameter / 2
        for share in (0.35, 1.0):
            spot = (at + slant * (checker.base + tall * share) + MARGIN) * unit
            cv2.circle(mask, *disc(spot, radius * unit), 255, -1, cv2.LINE_8, _SHIFT)
        spot = (at + MARGIN) * unit
        cv2.circle(close, *disc(spot, radius * 1.03 * unit), 255, -1, cv2.LINE_8, _SHIFT)
    for share in (0.5, 1.0):
        shift = slant * style.case.rise * share * unit
        move = np.array([[1.0, 0, shift[0]], [0, 1, shift[1]]])
        mask = np.maximum(mask, cv2.warpAffine(frame, move, mask.shape[::-1]))
    cast = blur(mask.astype(np.float32), max(0.6, soft * unit)) / 255
    near = blur(np.maximum(close, frame).astype(np.float32), 0.16 * unit) / 255
    return np.asarray(1 - cast), np.asarray(1 - 0.55 * near)


def disc(middle: Array, radius: float) -> tuple[tuple[int, int], int]:
    """Middle and radius as cv2.circle takes them with a shift."""
    x, y = np.rint(middle * (1 << _SHIFT)).astype(int).tolist()
    return (x, y), round(radius * (1 << _SHIFT))


def where(checker: Checker, style: NardiStyle) -> Array:
    """The middle of a checker on this board, (2,)."""
    half = int(checker.x > 6 + style.case.bar / 2)
    return np.asarray(placed(np.array([[checker.x, checker.y]]), half, style)[0])


def ring_at(at: Array, radius: float, level: float, camera: Camera) -> Array:
    """Pixels (24, 2) of a circle on the plane of a height."""
    flat = _RING * radius + at
    return np.asarray(camera.project_ideal(np.column_stack([flat, np.full(len(flat), level)])))


def draw_checker(
    canvas: Canvas, checker: Checker, number: int, style: NardiStyle, camera: Camera,
    faces_of: Faces, light: Array, rng: np.random.Generator,
) -> None:  # fmt: skip
    """Draw one checker; ``light`` is as ``lit_face`` takes it, in board directions."""
    look, at = style.checkers, where(checker, style)
    radius = look.diameter / 2
    edge = faces_of.edges[checker.side] * checker.tone
    material = look.sides[checker.side]
    gloss = int(np.clip(material.gloss * 100 * np.exp(rng.normal(0, 0.5)), 0, 250))
    if checker.edge:
        draw_on_edge(canvas, at, checker, number, style, camera, edge.tolist(), gloss)
        return
    top = checker.base + look.thick
    low, high = ring_at(at, radius, checker.base, camera), ring_at(at, radius, top, camera)
    if checker.base > 0 or checker.point < 0:
        shade_around(canvas, np.concatenate([low, high]), radius)
    polygon(canvas, np.concatenate([low, high]), edge.tolist(), gloss // 2, number + 1)
    face = lit_face(faces_of, checker.side, int(checker.turn * 100) % VARIANTS, checker.turn, light)
    face[..., :3] *= checker.tone
    paste_face(canvas, face, at, radius, top, camera)
    polygon_marks(canvas, high, gloss, number + 1)


def polygon_marks(canvas: Canvas, points: Array, gloss: int, owner: int) -> None:
    """Mark gloss and owner inside pixels (n, 2) without touching the colours."""
    whole = np.rint(points * (1 << _SHIFT)).astype(np.int32)
    if np.abs(whole).max() < 1 << 24:
        cv2.fillConvexPoly(canvas.gloss, whole, gloss, cv2.LINE_8, _SHIFT)
        cv2.fillConvexPoly(canvas.owner, whole, owner, cv2.LINE_8, _SHIFT)


def draw_on_edge(
    canvas: Canvas, at: Array, checker: Checker, number: int, style: NardiStyle, camera: Camera,
    colour: list[float], gloss: int,
) -> None:  # fmt: skip
    """A checker that stands on its edge, seen from above a narrow band with a bright ridge."""
    look = style.checkers
    radius, half = look.diameter / 2, look.thick / 2
    for share, tone in ((1.0, 0.62), (0.8, 1.0), (0.35, 1.12)):
        rows = []
        for end in (-half, half):
            circle = _RING * radius
            x = at[0] + circle[:, 0] * share
            z = radius + np.sqrt(np.maximum(radius**2 - np.square(x - at[0]), 0)) - 0.02
            y = np.full(len(x), at[1] + end * (0.85 if share < 1 else 1.0))
            rows.append(camera.project_ideal(np.column_stack([x, y, z + checker.base])))
        shaded = [min(255.0, c * tone) for c in colour]
        polygon(canvas, np.concatenate(rows), shaded, gloss, number + 1)


def shade_around(canvas: Canvas, outline: Array, radius: float) -> None:
    """Darken what lies around and under a checker that lies on others."""
    low, high = outline.min(0), outline.max(0)
    pad = (high - low).max() * 0.16
    left, top = np.maximum(np.floor(low - pad).astype(int), 0)
    right, bottom = np.ceil(high + pad).astype(int)
    part = canvas.colour[top:bottom, left:right]
    if part.size == 0:
        return
    mask = np.zeros(part.shape[:2], np.uint8)
    hull = cv2.convexHull((outline - [left, top]).astype(np.float32))
    cv2.fillConvexPoly(mask, np.rint(hull).astype(np.int32), 255)
    soft = cv2.blur(mask, (max(3, int(pad) | 1),) * 2)
    part[:] = (part * (1 - soft[..., None] * np.float32(0.45 / 255))).astype(np.uint8)


def paste_face(
    canvas: Canvas, face: Array, at: Array, radius: float, level: float, camera: Camera
) -> None:
    """Lay a face's patch where the camera sees it."""
    spots = np.array([
        [at[0], at[1], level], [at[0] + radius, at[1], level], [at[0], at[1] + radius, level],
    ])  # fmt: skip
    seen = camera.project_ideal(spots)
    middle = (FACE - 1) / 2
    scale = np.hypot(*(seen[1] - seen[0])) / RADIUS
    if scale < 0.55:
        face = cv2.resize(face, (FACE // 2, FACE // 2), interpolation=cv2.INTER_AREA)
        middle = (FACE // 2 - 1) / 2
    reach = RADIUS * face.shape[0] / FACE
    source = np.array([[middle, middle], [middle + reach, middle], [middle, middle + reach]])
    spread = np.abs(seen[1] - seen[0]) + np.abs(seen[2] - seen[0]) + 2
    left, top = np.maximum(np.floor(seen[0] - spread).astype(int), 0)
    right = min(int(np.ceil(seen[0, 0] + spread[0])), camera.width)
    bottom = min(int(np.ceil(seen[0, 1] + spread[1])), camera.height)
    if right - left < 2 or bottom - top < 2:
        return
    target = (seen - np.array([left, top])).astype(np.float32)
    through = cv2.getAffineTransform(source.astype(np.float32), target)
    patch = cv2.warpAffine(face, through, (right - left, bottom - top))
    part = canvas.colour[top:bottom, left:right]
    weight = patch[..., 3:]
    mixed = part * (1 - weight) + np.clip(patch[..., :3], 0, 255) * weight
    part[:] = mixed.astype(np.uint8)
