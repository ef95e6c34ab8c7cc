"""Draws discs as the camera sees them: face, wall, rounded edge, light and mirror image.

Each pixel's ray is met with the plane of the face and with the wall of the cylinder; then the
pixels of all discs of a scene are shaded together, as one long column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from .arrays import Array, Vector, dot, unit, unit_vector
from .camera import Camera
from .light import Light, arriving, fresnel, mirror, source_angle
from .men import FACE, FACE_RADIUS, SPOT, Atlas, spot_colour
from .pieces import Disc
from .style import Style

#: Gloss and roughness of coats 2 (metal) and 3 (something else); 0 and 1 are the men's.
METAL = (6.0, 0.3)
OTHER = (0.8, 0.25)
UP = np.array([0, 0, 1], np.float32)


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
class Hits:
    """Pixels that discs cover, columns of m float32 values.

    Attributes:
        pixel: index into the flat picture; disc: index into the discs.
        x, y: where the ray meets the face's plane, from its middle, in radii.
        face, hull: coverage of the face and of the whole disc, 0 to 1.
        depth: of the wall's point under the face, 0 to 1 of the disc's height.
        wall_x, wall_y: the wall's normal.
    """

    pixel: Array
    disc: Array
    x: Array
    y: Array
    face: Array
    hull: Array
    depth: Array
    wall_x: Array
    wall_y: Array


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Discs as columns of n float32 values."""

    middle: Array  # (n, 3), of the bottom
    radius: Array
    height: Array
    view: Array  # (n, 3), direction to the camera

    @property
    def top(self) -> Array:
        """Middle of the faces, (n, 3)."""
        return np.asarray(self.middle + UP * self.height[:, None])


def draw_discs(picture: Array, discs: Sequence[Disc], setting: Setting) -> None:
    """Draw discs into a linear picture, float32 (H, W, 3), the furthest first."""
    if not discs:
        return
    eye = setting.camera.position
    order = sorted(
        discs, key=lambda d: (-round(float(np.hypot(d.x - eye[0], d.y - eye[1])), 1), d.base)
    )
    rows = rows_of(order, setting.camera)
    planes = {h: back_of(setting.camera, h) for h in set(rows.top[:, 2].tolist())}
    found = [meet(rows, k, setting.camera, planes[float(h)]) for k, h in enumerate(rows.top[:, 2])]
    columns = [np.concatenate(part) for part in zip(*found, strict=True)]
    ends = np.cumsum([len(part[0]) for part in found])
    hits = Hits(*columns)
    if not len(hits.pixel):  # all of them outside the picture
        return
    colour = shade(hits, rows, order, setting)
    flat = picture.reshape(-1, 3)
    start = 0
    for end in ends:
        index, cover = hits.pixel[start:end], hits.hull[start:end, None]
        flat[index] = flat[index] * (1 - cover) + colour[start:end] * cover
        start = int(end)


def rows_of(discs: Sequence[Disc], camera: Camera) -> Rows:
    """Columns of discs."""
    middle = np.array([(d.x, d.y, d.base) for d in discs], np.float32)
    radius = np.array([d.radius for d in discs], np.float32)
    height = np.array([d.height for d in discs], np.float32)
    view = unit(np.array(camera.position, np.float32) - middle - UP * height[:, None])
    return Rows(middle, radius, height, view)


def back_of(camera: Camera, height: float) -> Array:
    """3x3 float32 from pixels to board coordinates on the plane of a height."""
    back = np.linalg.inv(camera.homography(height))
    return np.asarray(back / back[2, 2], np.float32)


def meet(rows: Rows, k: int, camera: Camera, back: Array) -> tuple[Array, ...]:
    """The pixels of disc k, as the columns of Hits; ``back`` is of its face's plane."""
    left, top, right, bottom = window(rows, k, camera)
    u = np.arange(left, right, dtype=np.float32)[None, :]
    v = np.arange(top, bottom, dtype=np.float32)[:, None]
    if u.size < 2 or v.size < 2:
        none = np.zeros(0, np.float32)
        return (none.astype(np.int64), none.astype(np.int64), *[none] * 7)
    radius, deep = rows.radius[k], rows.height[k] / rows.radius[k]
    w = back[2, 0] * u + (back[2, 1] * v + 1)
    x = ((back[0, 0] * u + (back[0, 1] * v + back[0, 2])) / w - rows.middle[k, 0]) / radius
    y = ((back[1, 0] * u + (back[1, 1] * v + back[1, 2])) / w - rows.middle[k, 1]) / radius
    drift = -rows.view[k, :2] / max(float(rows.view[k, 2]), 0.03)
    face, hull = coverage(x, y, drift, deep)
    mask = hull > 0.003
    down, across = np.nonzero(mask)
    pixel = (down + top) * camera.width + (across + left)
    x, y, face, hull = x[mask], y[mask], face[mask], hull[mask]
    depth, wall_x, wall_y = wall(x, y, drift, deep)
    disc = np.full(pixel.shape, k, np.int64)
    return pixel, disc, x, y, face, hull, depth, wall_x, wall_y


def window(rows: Rows, k: int, camera: Camera) -> tuple[int, int, int, int]:
    """Pixels around disc k inside the picture: left, top, right, bottom."""
    angles = np.arange(10) * (np.pi / 5)
    ring = np.stack([np.cos(angles), np.sin(angles), angles * 0], -1) * rows.radius[k] * 1.06
    low = rows.middle[k] + ring
    seen = camera.project_ideal(np.concatenate([low, low + UP * rows.height[k]]))
    (left, top), (right, bottom) = np.floor(seen.min(0)) - 1, np.ceil(seen.max(0)) + 2
    return (
        max(0, int(left)), max(0, int(top)),
        min(camera.width, int(right)), min(camera.height, int(bottom)),
    )


def coverage(x: Array, y: Array, drift: Array, deep: float) -> tuple[Array, Array]:
    """How much of each pixel the face covers, and face and wall together.

    ``x``, ``y`` in radii; ``drift`` is how far the rays move on for each radius that they go
    down, ``deep`` the disc's height in radii.
    """
    r = np.sqrt(x * x + y * y)
    grain = pixel_size(x, y, r)
    face = np.clip(0.5 + (1 - r) / grain, 0, 1)
    slant = float(np.hypot(*drift))
    if slant * deep < 1e-3:
        return face, face
    qx, qy = drift
    bx, by = x + qx * deep, y + qy * deep
    low = np.clip(0.5 + (1 - np.sqrt(bx * bx + by * by)) / grain, 0, 1)
    aside = np.abs(x * qy - y * qx) / slant
    along = -(x * qx + y * qy) / slant
    band = np.clip(0.5 + (1 - aside) / grain, 0, 1) * ((along > 0) & (along < slant * deep))
    return face, np.maximum(np.maximum(face, low), band)


def pixel_size(x: Array, y: Array, r: Array) -> Array:
    """Change of the radius over one pixel, for smooth edges."""
    row, column = x.shape[0] // 2, x.shape[1] // 2
    ax, ay = x[row, column] - x[row, column - 1], y[row, column] - y[row, column - 1]
    bx, by = x[row, column] - x[row - 1, column], y[row, column] - y[row - 1, column]
    along = x * ax + y * ay
    down = x * bx + y * by
    return np.asarray(np.sqrt(along * along + down * down) / (r + 1e-6) + 1e-6)


def wall(x: Array, y: Array, drift: Array, deep: float) -> tuple[Array, Array, Array]:
    """Depth (0 to 1 of the height) and normal of the wall where rays meet it."""
    qx, qy = drift
    slant = float(np.hypot(qx, qy)) + 1e-6
    aside = (x * qy - y * qx) / slant
    along = -(x * qx + y * qy) / slant
    root = np.sqrt(np.maximum(1 - aside * aside, 0))
    depth = np.clip((along - root) / slant, 0, deep)
    nx, ny = x + qx * depth, y + qy * depth
    length = np.sqrt(nx * nx + ny * ny) + 1e-6
    return depth / deep, nx / length, ny / length


def sampled(source: Array, x: Array, y: Array) -> Array:
    """Bilinear values of a picture at columns of m points."""
    edge = 512
    rows = -(-len(x) // edge)
    padded = np.zeros((2, rows * edge), np.float32)
    padded[0, : len(x)], padded[1, : len(x)] = x, y
    value = cv2.remap(
        source, padded[0].reshape(rows, edge), padded[1].reshape(rows, edge), cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return value.reshape(rows * edge, -1)[: len(x)]


def faces(hits: Hits, discs: Sequence[Disc], atlas: Atlas) -> tuple[Array, Vector]:
    """Display colours (m, 3) and normals of the faces under the pixels."""
    turn = np.array([d.turn for d in discs], np.float32)
    cosine, sine = np.cos(turn)[hits.disc], np.sin(turn)[hits.disc]
    row = np.array([d.face * FACE for d in discs], np.float32)[hits.disc]
    middle = (FACE - 1) / 2
    fx = (hits.x * cosine + hits.y * sine) * FACE_RADIUS + middle
    fy = (hits.y * cosine - hits.x * sine) * FACE_RADIUS + middle
    fx = np.clip(fx, 0, FACE - 1)
    fy = np.clip(fy, 0, FACE - 1) + row
    tint = sampled(atlas.albedo, fx, fy).astype(np.float32) * np.float32(1 / 255)
    slope = sampled(atlas.slope, fx, fy)
    lean = np.array([d.lean for d in discs], np.float32)[hits.disc]
    nx = slope[:, 0] * cosine - slope[:, 1] * sine + lean[:, 0]
    ny = slope[:, 0] * sine + slope[:, 1] * cosine + lean[:, 1]
    return tint, (nx, ny, np.sqrt(np.maximum(1 - nx * nx - ny * ny, 0.05)))


def surface(
    hits: Hits, rows: Rows, discs: Sequence[Disc], setting: Setting
) -> tuple[Array, Vector]:
    """Linear albedo (m, 3) and normal of every pixel, face or wall."""
    tint, normal = faces(hits, discs, setting.atlas)
    bevel = max(setting.style.men.bevel, 0.02)
    thick = (rows.height / rows.radius)[hits.disc]
    depth = hits.depth * thick
    rise = np.clip(1 - depth / bevel, 0, 1) * np.float32(0.75)
    rise -= np.clip(1 - (thick - depth) / bevel, 0, 1) * np.float32(0.6)
    flat = np.sqrt(1 - rise * rise)
    share = hits.face
    mixed = (
        hits.wall_x * flat + (normal[0] - hits.wall_x * flat) * share,
        hits.wall_y * flat + (normal[1] - hits.wall_y * flat) * share,
        rise + (normal[2] - rise) * share,
    )
    edge = setting.atlas.edges[[d.face for d in discs]][hits.disc]
    edge *= (1 - np.float32(0.25) * hits.depth**2)[:, None]
    tone = np.array([d.tone for d in discs], np.float32)[hits.disc, None]
    if setting.style.men.ridges or setting.style.men.spots:
        edge = patterned(edge, hits, discs, setting.style)
    colour = (edge + (tint - edge) * share[:, None]) * tone
    return colour * colour, mixed


def patterned(edge: Array, hits: Hits, discs: Sequence[Disc], style: Style) -> Array:
    """Colours of the walls (m, 3) with the teeth or the blocks of the men's edges."""
    mine = np.array([d.coat < 2 for d in discs])[hits.disc]
    turn = np.array([d.turn for d in discs], np.float32)[hits.disc]
    angle = np.arctan2(hits.wall_y, hits.wall_x) - turn
    if style.men.ridges:
        edge *= (1 + 0.22 * np.cos(angle * style.men.ridges) * mine)[:, None]
    if style.men.spots:
        blocks = np.array([spot_colour(m) for m in style.men.sides], np.float32)
        side = np.array([min(d.coat, 1) for d in discs])[hits.disc]
        mask = ((np.cos(angle * style.men.spots) > SPOT) & mine)[:, None]
        edge = np.where(mask, blocks[side], edge)
    return edge


def coats(discs: Sequence[Disc], style: Style) -> tuple[Array, Array]:
    """Gloss and roughness of the discs, n each."""
    light, dark = style.men.sides
    table = [(light.gloss, light.roughness), (dark.gloss, dark.roughness), METAL, OTHER]
    rows = np.array([table[d.coat] for d in discs], np.float32)
    return rows[:, 0], rows[:, 1]


def lit_share(hits: Hits, rows: Rows, shades: Shades, k: int, slant: Array) -> Array:
    """How much of source k reaches the pixels past the big shadows, m values."""
    if float(shades.maps[k].min()) > 0.999:
        return np.ones(len(hits.x), np.float32)
    shift = rows.middle[:, :2] + slant * (rows.middle[:, 2] + rows.height)[:, None]
    m = shades.to_map.astype(np.float32)
    radius = rows.radius[hits.disc]
    x = (hits.x * radius + shift[hits.disc, 0]) * m[0, 0] + m[0, 2]
    y = (hits.y * radius + shift[hits.disc, 1]) * m[1, 1] + m[1, 2]
    return np.asarray(sampled(shades.maps[k], x, y)[:, 0])


def shade(hits: Hits, rows: Rows, discs: Sequence[Disc], setting: Setting) -> Array:
    """Linear colours (m, 3) of the pixels."""
    albedo, normal = surface(hits, rows, discs, setting)
    gloss, roughness = (column[hits.disc] for column in coats(discs, setting.style))
    light, size = setting.light, setting.style.size
    view: Vector = tuple(rows.view[hits.disc].T)
    facing = np.clip(dot(normal, view), 0, 1)
    open_sky = np.float32(0.55) + np.float32(0.45) * normal[2]
    ambient = np.array(light.ambient, np.float32)
    shine = (fresnel(facing) * gloss * open_sky)[:, None] * ambient
    lit = open_sky[:, None] * ambient
    for k, source in enumerate(light.sources):
        towards, strength = arriving(source, rows.top, size, setting.camera)
        slant = (-towards[:, :2] / np.maximum(towards[:, 2:], 0.05)).astype(np.float32)
        level = lit_share(hits, rows, setting.shades, k, slant)
        level = level * strength.astype(np.float32)[hits.disc]
        beam: Vector = tuple(towards.astype(np.float32)[hits.disc].T)
        cosine = np.maximum(dot(normal, beam), 0)
        angle = source_angle(source, rows.top, size, setting.camera).astype(np.float32)[hits.disc]
        half = unit_vector((beam[0] + view[0], beam[1] + view[1], beam[2] + view[2]))
        glare = mirror(dot(normal, half), facing, roughness, angle) * gloss * level * (cosine > 0)
        colour = np.array(source.colour, np.float32)
        lit += (level * cosine)[:, None] * colour
        shine += glare[:, None].astype(np.float32) * colour
    return np.asarray(albedo * lit + shine, np.float32)
