"""Draws discs as the camera sees them: face, wall, rounded edge, light and mirror image.

All discs of a scene are shaded together, in a few batches of windows of one size, by meeting
each pixel's ray with the plane of the face and with the wall of the cylinder.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from .arrays import Array, unit
from .camera import Camera
from .light import Light, arriving, fresnel, mirror, source_angle
from .men import FACE, FACE_RADIUS, Atlas
from .pieces import Disc
from .style import Style

#: Gloss and roughness of coats 2 (metal) and 3 (something else); 0 and 1 are the men's.
METAL = (6.0, 0.3)
OTHER = (0.8, 0.25)
BATCH = 10


@dataclass(frozen=True, slots=True, eq=False)
class Shades:
    """Where big shadows fall on the plane of the board.

    Attributes:
        maps: one float32 (H, W) for each source, 1 lit, 0 dark.
        to_map: 3x3 from board coordinates to map pixels.
    """

    maps: tuple[Array, ...]
    to_map: Array


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """What all discs of a scene share."""

    style: Style
    camera: Camera
    light: Light
    atlas: Atlas
    shades: Shades


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Discs as columns, and their windows in the picture; n discs, windows of s x s pixels."""

    corner: Array  # (n, 2) int, first pixel
    side: int
    middle: Array  # (n, 3), of the bottom
    radius: Array
    height: Array
    discs: Sequence[Disc]


def draw_discs(picture: Array, discs: Sequence[Disc], setting: Setting) -> None:
    """Draw discs into a linear picture, float32 (H, W, 3), the furthest first."""
    eye = np.array(setting.camera.position)
    order = sorted(discs, key=lambda d: (-np.hypot(d.x - eye[0], d.y - eye[1]), d.base))
    order.sort(key=lambda d: -round(float(np.hypot(d.x - eye[0], d.y - eye[1])), 1))
    windows: list[tuple[int, int, Array]] = []
    for start in range(0, len(order), BATCH):
        windows += shade_batch(order[start : start + BATCH], setting, picture.shape[:2])
    for left, top, patch in windows:
        over(picture, left, top, patch)


def over(picture: Array, left: int, top: int, patch: Array) -> None:
    """Lay a patch (h, w, colour premultiplied and alpha) over the picture."""
    height, width = picture.shape[:2]
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + patch.shape[1], width), min(top + patch.shape[0], height)
    if x1 <= x0 or y1 <= y0:
        return
    part = patch[y0 - top : y1 - top, x0 - left : x1 - left]
    area = picture[y0:y1, x0:x1]
    area *= 1 - part[..., 3:]
    area += part[..., :3]


def batch_of(discs: Sequence[Disc], camera: Camera) -> Batch:
    """Columns and windows of discs."""
    middle = np.array([(d.x, d.y, d.base) for d in discs])
    radius = np.array([d.radius for d in discs])
    height = np.array([d.height for d in discs])
    angles = np.arange(12) * (np.pi / 6)
    ring = np.stack([np.cos(angles), np.sin(angles), np.zeros(12)], -1) * 1.04
    low = middle[:, None] + ring * radius[:, None, None]
    high = low + np.array([0, 0, 1.0]) * height[:, None, None]
    points = np.concatenate([low, high], 1)
    seen = camera.project_ideal(points.reshape(-1, 3)).reshape(len(discs), 24, 2)
    corner = np.floor(seen.min(1)).astype(int) - 1
    side = int(np.ceil((seen.max(1) - corner).max())) + 2
    return Batch(corner, side, middle, radius, height, discs)


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """Where the rays of a batch's pixels meet its discs, arrays (n, s, s).

    x, y: on the face's plane from its middle, in radii; face, hull: coverage of the face and of
    the whole disc, 0 to 1; depth: of the wall's point under the face, in radii; wall_x, wall_y:
    the wall's normal; view (n, 3): direction to the camera.
    """

    x: Array
    y: Array
    face: Array
    hull: Array
    depth: Array
    wall_x: Array
    wall_y: Array
    view: Array


def meet(batch: Batch, camera: Camera) -> Hits:
    """Meet every pixel's ray with the face's plane and with the wall."""
    side = batch.side
    tops = batch.middle[:, 2] + batch.height
    planes = np.stack([camera.homography(float(h)) for h in tops])
    inverse = np.linalg.inv(planes).astype(np.float32)
    steps = np.arange(side, dtype=np.float32)
    u = batch.corner[:, 0, None, None].astype(np.float32) + steps[None, None, :]
    v = batch.corner[:, 1, None, None].astype(np.float32) + steps[None, :, None]
    row = [
        inverse[:, k, 0, None, None] * u + inverse[:, k, 1, None, None] * v
        + inverse[:, k, 2, None, None]
        for k in range(3)
    ]
    scale = 1 / batch.radius.astype(np.float32)[:, None, None]
    x = (row[0] / row[2] - batch.middle[:, 0, None, None].astype(np.float32)) * scale
    y = (row[1] / row[2] - batch.middle[:, 1, None, None].astype(np.float32)) * scale
    eye = np.array(camera.position)
    view = unit(eye - batch.middle - np.array([0, 0, 1.0]) * batch.height[:, None])
    drift = (-view[:, :2] / view[:, 2:]).astype(np.float32)
    deep = (batch.height / batch.radius).astype(np.float32)[:, None, None]
    grain = pixel_size(x, y)
    return wall_hits((x, y), (drift[:, 0, None, None], drift[:, 1, None, None]), deep, grain, view)


def pixel_size(x: Array, y: Array) -> Array:
    """Change of the radius over one pixel, (n, s, s), for smooth edges."""
    middle = x.shape[1] // 2
    ax = (x[:, middle, middle + 1] - x[:, middle, middle])[:, None, None]
    ay = (y[:, middle, middle + 1] - y[:, middle, middle])[:, None, None]
    bx = (x[:, middle + 1, middle] - x[:, middle, middle])[:, None, None]
    by = (y[:, middle + 1, middle] - y[:, middle, middle])[:, None, None]
    r = np.sqrt(x * x + y * y) + 1e-6
    along = (x * ax + y * ay) / r
    down = (x * bx + y * by) / r
    return np.asarray(np.sqrt(along * along + down * down) + 1e-6)


def wall_hits(
    at: tuple[Array, Array], drift: tuple[Array, Array], deep: Array, grain: Array, view: Array
) -> Hits:
    """Coverage of face, bottom and band between them, and the points of the wall.

    ``at`` is where the rays meet the face's plane, ``drift`` how they move on for each radius
    that they go down, ``deep`` the height in radii, ``grain`` the size of a pixel.
    """
    (x, y), (qx, qy) = at, drift
    r = np.sqrt(x * x + y * y)
    face = np.clip(0.5 + (1 - r) / grain, 0, 1)
    low = np.clip(0.5 + (1 - np.hypot(x + qx * deep, y + qy * deep)) / grain, 0, 1)
    slant2 = np.maximum(qx * qx + qy * qy, 1e-9)
    slant = np.sqrt(slant2)
    aside = np.abs(x * qy - y * qx) / slant
    along = -(x * qx + y * qy) / slant
    band = np.clip(0.5 + (1 - aside) / grain, 0, 1) * ((along > 0) & (along < slant * deep))
    hull = np.maximum(np.maximum(face, low), band)
    root = np.sqrt(np.maximum(1 - aside * aside, 0))
    depth = np.clip((along - root) / slant, 0, deep)
    nx, ny = x + qx * depth, y + qy * depth
    length = np.sqrt(nx * nx + ny * ny) + 1e-6
    return Hits(x, y, face, hull, depth / deep, nx / length, ny / length, view)


def sample_faces(batch: Batch, hits: Hits, atlas: Atlas) -> tuple[Array, Array]:
    """Linear albedo (n, s, s, 3) and normal (n, s, s, 3) of the faces."""
    count, side = hits.x.shape[0], hits.x.shape[1]
    turn = np.array([d.turn for d in batch.discs], np.float32)[:, None, None]
    rows = np.array([d.face for d in batch.discs], np.float32)[:, None, None] * FACE
    cosine, sine = np.cos(turn), np.sin(turn)
    middle = (FACE - 1) / 2
    fx = (hits.x * cosine + hits.y * sine) * FACE_RADIUS + middle
    fy = (hits.y * cosine - hits.x * sine) * FACE_RADIUS + middle
    fx = np.clip(fx, 0, FACE - 1).reshape(count * side, side)
    fy = (np.clip(fy, 0, FACE - 1) + rows).reshape(count * side, side)
    tint = cv2.remap(atlas.albedo, fx, fy, cv2.INTER_LINEAR).astype(np.float32) / 255
    slope = cv2.remap(atlas.slope, fx, fy, cv2.INTER_LINEAR).reshape(count, side, side, 2)
    nx = slope[..., 0] * cosine - slope[..., 1] * sine
    ny = slope[..., 0] * sine + slope[..., 1] * cosine
    nz = np.sqrt(np.maximum(1 - nx * nx - ny * ny, 0.05))
    return (tint * tint).reshape(count, side, side, 3), np.stack([nx, ny, nz], -1)


def surface(batch: Batch, hits: Hits, setting: Setting) -> tuple[Array, Array]:
    """Linear albedo and normal of every pixel, face or wall."""
    tint, normal = sample_faces(batch, hits, setting.atlas)
    bevel = max(setting.style.men.bevel, 0.02)
    depth = hits.depth * (batch.height / batch.radius)[:, None, None].astype(np.float32)
    thick = (batch.height / batch.radius)[:, None, None]
    rise = np.clip(1 - depth / bevel, 0, 1) * 0.75
    rise -= np.clip(1 - (thick - depth) / bevel, 0, 1) * 0.6
    flat = np.sqrt(np.maximum(1 - rise * rise, 0))
    wall = np.stack([hits.wall_x * flat, hits.wall_y * flat, rise], -1)
    edge = setting.atlas.edges[[d.face for d in batch.discs]] ** 2
    dim = (1 - 0.45 * hits.depth**2)[..., None]
    share = hits.face[..., None]
    mixed = edge[:, None, None, :] * dim
    albedo = mixed + (tint - mixed) * share
    tone = np.array([d.tone for d in batch.discs], np.float32)[:, None, None, None]
    mixed_normal = wall + (normal - wall) * share
    return (albedo * tone * tone).astype(np.float32), mixed_normal.astype(np.float32)


def coats(batch: Batch, style: Style) -> tuple[Array, Array]:
    """Gloss and roughness of the discs, each (n, 1, 1)."""
    light, dark = style.men.sides
    table = [(light.gloss, light.roughness), (dark.gloss, dark.roughness), METAL, OTHER]
    rows = np.array([table[d.coat] for d in batch.discs], np.float32)
    return rows[:, 0, None, None], rows[:, 1, None, None]


def lit_share(batch: Batch, hits: Hits, shades: Shades, k: int, slant: Array) -> Array:
    """How much of source k reaches the pixels past the big shadows, (n, s, s)."""
    count, side = hits.x.shape[0], hits.x.shape[1]
    above = (batch.middle[:, 2] + batch.height)[:, None, None]
    radius = batch.radius[:, None, None]
    x = hits.x * radius + batch.middle[:, 0, None, None] + slant[:, 0, None, None] * above
    y = hits.y * radius + batch.middle[:, 1, None, None] + slant[:, 1, None, None] * above
    m = shades.to_map
    mx = (x * m[0, 0] + m[0, 2]).astype(np.float32).reshape(count * side, side)
    my = (y * m[1, 1] + m[1, 2]).astype(np.float32).reshape(count * side, side)
    share = cv2.remap(shades.maps[k], mx, my, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return share.reshape(count, side, side)


def shade_batch(
    discs: Sequence[Disc], setting: Setting, shape: tuple[int, ...]
) -> list[tuple[int, int, Array]]:
    """Patches of discs: left, top, premultiplied colour with alpha."""
    batch = batch_of(discs, setting.camera)
    hits = meet(batch, setting.camera)
    albedo, normal = surface(batch, hits, setting)
    gloss, roughness = coats(batch, setting.style)
    top = batch.middle + np.array([0, 0, 1.0]) * batch.height[:, None]
    light, size = setting.light, setting.style.size
    view = hits.view.astype(np.float32)
    facing = np.clip(np.einsum("nhwc,nc->nhw", normal, view), 0, 1)
    open_sky = 0.55 + 0.45 * normal[..., 2]
    ambient = np.array(light.ambient, np.float32)
    shine = (fresnel(facing) * gloss * open_sky)[..., None] * ambient
    lit = open_sky[..., None] * ambient
    for k, source in enumerate(light.sources):
        towards, strength = arriving(source, top, size, setting.camera)
        slant = -towards[:, :2] / np.maximum(towards[:, 2:], 0.05)
        share = lit_share(batch, hits, setting.shades, k, slant)
        towards = towards.astype(np.float32)
        cosine = np.maximum(np.einsum("nhwc,nc->nhw", normal, towards), 0)
        angle = source_angle(source, top, size, setting.camera)[:, None, None]
        half = np.einsum("nhwc,nc->nhw", normal, unit(towards + view).astype(np.float32))
        level = strength[:, None, None] * share
        colour = np.array(source.colour, np.float32)
        lit = lit + (level * cosine)[..., None] * colour
        glare = mirror(half, facing, roughness, angle) * gloss * level * (cosine > 0)
        shine = shine + glare[..., None] * colour
    hull = hits.hull[..., None]
    patches = np.concatenate([(albedo * lit + shine) * hull, hull], -1).astype(np.float32)
    return [(int(c[0]), int(c[1]), p) for c, p in zip(batch.corner, patches, strict=True)]
