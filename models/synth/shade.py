"""Light on the plane of the board: irradiance, shadows of the men, glare of the coat."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from .arrays import Array, blur, unit
from .camera import Camera
from .discs import Shades
from .light import Light, Patch, Source, arriving, fresnel, mirrored, place_of, source_angle
from .pieces import Disc
from .style import Style

#: Resolution of shadow maps, pixels a square, and how far they reach over the board, squares.
FINE, COARSE = 26, 9
REACH = 2.5


def map_matrix(per_square: float) -> Array:
    """3x3 from board coordinates to pixels of a shadow map."""
    off = REACH * per_square - 0.5
    return np.array([[per_square, 0, off], [0, per_square, off], [0, 0, 1.0]])


def map_edge(size: int, per_square: float) -> int:
    """Pixels along a shadow map's edge."""
    return round((size + 2 * REACH) * per_square)


def big_shades(style: Style, light: Light) -> Shades:
    """Sun patches and people's shadows of every source."""
    edge = map_edge(style.size, COARSE)
    maps = tuple(patch_map(source.patches, style.size, edge) for source in light.sources)
    return Shades(maps, map_matrix(COARSE))


def patch_map(patches: Sequence[Patch], size: int, edge: int) -> Array:
    """Where a source shines through its patches, float32, 1 lit."""
    lit = np.ones((edge, edge), np.float32)
    kept = [p for p in patches if p.keep]
    if kept:
        opening = np.zeros((edge, edge), np.float32)
        for patch in kept:
            opening = np.maximum(opening, filled(patch, size, edge))
        lit = 1 - kept[0].depth * (1 - opening)
    for patch in patches:
        if not patch.keep:
            lit *= 1 - patch.depth * filled(patch, size, edge)
    return lit


def filled(patch: Patch, size: int, edge: int) -> Array:
    """A patch's shape with soft edges, float32 0 to 1."""
    mask = np.zeros((edge, edge), np.uint8)
    points = (np.array(patch.points) * size + size / 2 + REACH) * COARSE - 0.5
    cv2.fillPoly(mask, [np.rint(points * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return blur(mask.astype(np.float32) / 255, patch.soft * COARSE)


def disc_shadows(
    discs: Sequence[Disc], source: Source, size: int, camera: Camera, level: float = 0.0
) -> Array:
    """Light of a source left on the plane of a height by discs over it, uint8 map, 255 lit."""
    edge = map_edge(size, FINE)
    mask = np.full((edge, edge), 255, np.uint8)
    over = [d for d in discs if d.base >= level - 1e-6]
    if not over:
        return mask
    middle = np.array([(d.x, d.y, d.base) for d in over])
    towards, _ = arriving(source, middle, size, camera)
    slant = -towards[:, :2] / np.maximum(towards[:, 2:], 0.08)
    radius = np.array([d.radius for d in over])[:, None, None]
    low = (middle[:, 2] - level)[:, None]
    high = low + np.array([d.height for d in over])[:, None]
    turn = np.arctan2(slant[:, 1], slant[:, 0])[:, None] + np.linspace(-np.pi / 2, np.pi / 2, 9)
    arc = np.stack([np.cos(turn), np.sin(turn)], -1) * radius
    near = (middle[:, :2] + slant * low)[:, None] - arc
    far = (middle[:, :2] + slant * high)[:, None] + arc
    outline = np.concatenate([far, near], 1)
    pixels = np.rint(((outline + REACH) * FINE - 0.5) * 16).astype(np.int32)
    for shape in pixels:
        cv2.fillConvexPoly(mask, shape, 0, cv2.LINE_AA, 4)
    angle = float(source_angle(source, middle, size, camera).mean())
    tall = float(np.mean([d.height for d in over]))
    return cv2.GaussianBlur(mask, (0, 0), max(0.4, angle * tall * FINE * 0.9))


def contact(discs: Sequence[Disc], size: int, level: float = 0.0) -> Array:
    """Ambient light left between and under discs, uint8 map, 255 open."""
    edge = map_edge(size, FINE)
    mask = np.full((edge, edge), 255, np.uint8)
    for disc in discs:
        if abs(disc.base - level) < 1e-6:
            at = (round((disc.x + REACH) * FINE * 16), round((disc.y + REACH) * FINE * 16))
            cv2.circle(mask, at, round(disc.radius * FINE * 16 * 1.03), 40, -1, cv2.LINE_AA, 4)
    return cv2.GaussianBlur(mask, (0, 0), 0.11 * FINE)


def plane_points(camera: Camera, level: float, step: int) -> Array:
    """Board points (h, w, 3) on a plane, under every ``step``-th pixel of the picture."""
    columns = (np.arange(-(-camera.width // step)) + 0.5) * step - 0.5
    rows = (np.arange(-(-camera.height // step)) + 0.5) * step - 0.5
    u, v = np.meshgrid(columns, rows)
    pixels = np.stack([u.ravel(), v.ravel(), np.ones(u.size)])
    ray = np.linalg.inv(camera.homography(level)) @ pixels
    depth = np.where(np.abs(ray[2]) < 1e-9, 1e-9, ray[2])
    points = np.stack([ray[0] / depth, ray[1] / depth, np.full(u.size, level)], -1)
    return np.asarray(np.clip(points, -400, 400).reshape(*u.shape, 3), np.float32)


def plane_light(
    style: Style, camera: Camera, light: Light, shadows: Sequence[Array], open_sky: Array,
    level: float, coat: tuple[float, float],
) -> tuple[Array, Array]:
    """Irradiance and mirrored light on a plane, float32 (h/2, w/2, 3) each.

    ``shadows`` has one uint8 map for each source, ``coat`` is (gloss, roughness).
    """
    half = (-(-camera.width // 2), -(-camera.height // 2))
    points = plane_points(camera, level, 8 if coat[1] < 0.16 else 16)
    view = unit(np.array(camera.position, np.float32) - points)
    relative = points[..., :2] / style.size - np.float32(0.5)
    slope = np.array(light.gradient, np.float32)
    sky = np.clip(1 + relative @ slope, 0.3, 1.8).astype(np.float32)
    flat = to_half(camera, level, FINE)
    gloss, roughness = coat
    haze = fresnel(view[..., 2]) * gloss * sky
    lit, shine = [cv2.resize(sky, half)], [cv2.resize(haze, half)]
    lit[0] = cv2.multiply(lit[0], cv2.warpPerspective(open_sky, flat, half, borderValue=255),
                          scale=1 / 255, dtype=cv2.CV_32F)
    for source, shadow in zip(light.sources, shadows, strict=True):
        towards, strength = arriving(source, points, style.size, camera)
        glare = mirrored(source, points, view, style.size, camera, roughness) * gloss
        left = cv2.warpPerspective(shadow, flat, half, borderMode=cv2.BORDER_REPLICATE)
        for maps, factor in ((lit, np.maximum(towards[..., 2], 0)), (shine, glare)):
            beam = cv2.resize(np.asarray(strength * factor, np.float32), half)
            maps.append(cv2.multiply(beam, left, scale=1 / 255, dtype=cv2.CV_32F))
    colours = np.array([light.ambient, *(source.colour for source in light.sources)])
    return mixed(lit, colours), mixed(shine, colours)


def mixed(levels: Sequence[Array], colours: Array) -> Array:
    """Sum of lights (H, W), each in its colour (n, 3), float32 (H, W, 3)."""
    if len(levels) == 1:
        levels, colours = [levels[0], levels[0]], colours[[0, 0]] / 2
    return cv2.transform(cv2.merge(list(levels)), colours.T.astype(np.float32))


def to_half(camera: Camera, level: float, per_square: float) -> Array:
    """3x3 from pixels of a shadow map to pixels of the half-size picture."""
    halve = np.array([[0.5, 0, -0.25], [0, 0.5, -0.25], [0, 0, 1.0]])
    return np.asarray(halve @ camera.homography(level) @ np.linalg.inv(map_matrix(per_square)))


def with_big(shadow: Array, big: Array) -> Array:
    """A map of the men's shadows, dimmed by the big shadows too."""
    return np.asarray(
        (shadow * cv2.resize(big, shadow.shape[::-1])).astype(np.uint8)
    )


def box_shadows(
    shadow: Array, boxes: Sequence[tuple[Array, float]], source: Source, size: int, camera: Camera
) -> None:
    """Add the shadows of boxes on the table, (corners (4, 2), height) each, to a uint8 map."""
    middle = np.array([size / 2, size / 2, 0.0])
    towards = unit(place_of(source, size, camera) - middle)
    slant = -towards[:2] / max(float(towards[2]), 0.08)
    angle = float(source_angle(source, middle, size, camera))
    for corners, height in boxes:
        both = np.concatenate([corners, corners + slant * height]).astype(np.float32)
        hull = (cv2.convexHull(both).reshape(-1, 2) + REACH) * FINE - 0.5
        mask = np.full(shadow.shape, 255, np.uint8)
        cv2.fillConvexPoly(mask, np.rint(hull * 16).astype(np.int32), 0, cv2.LINE_AA, 4)
        soft = blur(mask, min(20.0, max(0.5, angle * height * FINE)))
        np.minimum(shadow, soft, out=shadow)
