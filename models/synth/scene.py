"""A whole scene, and its picture with the truth about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from .arrays import Array
from .board import Plate, board_plate, table_plate
from .camera import Camera
from .discs import Setting, draw_discs
from .light import Light
from .men import atlas
from .pieces import Disc, Placed, discs_of, place
from .sensor import develop
from .shade import big_shades, contact, disc_shadows, plane_light, slab_shadow, with_big
from .style import Style

SQUARE = "."


@dataclass(frozen=True, slots=True)
class Scene:
    """One set, seen by one camera, under one light, with something standing on it.

    Attributes:
        style, camera, light: see their modules.
        grid: rows of the board as White sees it, row 0 far from White; ``.wWbB``.
        jitter: seed of how carelessly the men stand.
        placed: where exactly they stand; made from grid and jitter when None.
        beside: captured men and other discs outside the squares.
    """

    style: Style
    camera: Camera
    light: Light
    grid: tuple[str, ...]
    jitter: int = 0
    placed: tuple[Placed, ...] | None = None
    beside: tuple[Disc, ...] = ()

    def standing(self) -> tuple[Placed, ...]:
        """The men on the board."""
        if self.placed is not None:
            return self.placed
        return place(self.style, self.grid, np.random.default_rng([self.jitter, 11]))


@dataclass(frozen=True, slots=True, eq=False)
class Rendered:
    """A picture and the truth about it.

    Attributes:
        image: uint8 BGR (H, W, 3).
        corners: (4, 2) pixels, outer corners of the playing area clockwise in the picture, the
            first one nearest its top left.
        grid: camera order, row 0 along corners[0] -> corners[1]; ``?`` where a hand hides it.
        cover: (size, size) camera order, share of each square that is hidden, 0 to 1.
        tags: tilt, light, king kind and so on.
    """

    image: Array
    corners: Array
    grid: tuple[str, ...]
    cover: Array
    tags: dict[str, Any] = field(default_factory=dict)


def camera_order(camera: Camera, size: int) -> tuple[Array, int]:
    """Corners (4, 2) in order, and which board corner comes first.

    Board corners are counted (0, 0), (size, 0), (size, size), (0, size), clockwise from above.
    """
    board = np.array([[0, 0, 0], [size, 0, 0], [size, size, 0], [0, size, 0.0]])
    seen = camera.project(board)
    first = int(np.argmin(np.linalg.norm(seen, axis=1)))
    return np.roll(seen, -first, axis=0), first


def turned_grid(grid: tuple[str, ...], first: int) -> tuple[str, ...]:
    """The grid with board corner ``first`` as its top left."""
    cells = np.rot90(np.array([list(row) for row in grid]), first)
    return tuple("".join(row) for row in cells)


def render(scene: Scene, seed: int = 0) -> Rendered:
    """The picture of a scene; ``seed`` decides the sensor's noise."""
    picture = paint(scene)
    image = develop(picture, scene.camera, scene.light, np.random.default_rng([seed, 5]))
    size = scene.style.size
    corners, first = camera_order(scene.camera, size)
    return Rendered(
        image=image,
        corners=corners,
        grid=turned_grid(scene.grid, first),
        cover=np.zeros((size, size), np.float32),
        tags=tags_of(scene, first),
    )


def tags_of(scene: Scene, first: int) -> dict[str, Any]:
    """What the scores are later split by."""
    return {
        "tilt": round(scene.camera.tilt_deg, 1),
        "light": scene.light.kind,
        "king": scene.style.king,
        "split": scene.style.split,
        "board": scene.style.board.kind,
        "contrast": round(scene.style.contrast, 3),
        "first": first,
    }


def paint(scene: Scene) -> Array:
    """Linear light of a scene in an ideal lens, float32 (H, W, 3)."""
    style, camera, light = scene.style, scene.camera, scene.light
    men = [disc for piece in scene.standing() for disc in discs_of(style, piece)]
    discs = [*men, *scene.beside]
    shades = big_shades(style, light)
    board = board_plate(style)
    shadows = [
        with_big(disc_shadows(discs, source, style.size, camera), big)
        for source, big in zip(light.sources, shades.maps, strict=True)
    ]
    coat = style.board.dark
    lit, shine = plane_light(
        style, camera, light, shadows, contact(discs, style.size), 0.0, (coat.gloss, coat.roughness)
    )
    picture = lay(camera, board, 0.0, lit, shine)
    inside = outline_mask(camera, board)
    under = table(scene, shades.maps, half_edge(board, style.size))
    picture = np.where(inside[..., None] > 0, picture, under)
    setting = Setting(style, camera, light, atlas(style), shades)
    draw_discs(picture, discs, setting)
    return picture


def half_edge(board: Plate, size: int) -> float:
    """Half the edge of the board with its frame, squares."""
    return size / 2 - board.origin[0]


def lay(camera: Camera, plate: Plate, level: float, lit: Array, shine: Array) -> Array:
    """A plate seen by the camera under the light on its plane, linear float32 (H, W, 3)."""
    whole = (camera.width, camera.height)
    to_picture = camera.homography(level) @ np.linalg.inv(plate.to_pixels())
    flat = cv2.warpPerspective(plate.image, to_picture, whole, borderMode=cv2.BORDER_REPLICATE)
    tone = flat.astype(np.float32) * (1 / 255)
    seen = cv2.multiply(cv2.multiply(tone, tone), cv2.resize(lit, whole))
    return cv2.add(seen, cv2.resize(shine, whole))


def outline_mask(camera: Camera, board: Plate) -> Array:
    """Where the board with its frame is, uint8 (H, W)."""
    low = board.origin[0]
    high = low + board.image.shape[0] / board.unit_px
    box = np.array([[low, low, 0], [high, low, 0], [high, high, 0], [low, high, 0.0]])
    mask = np.zeros((camera.height, camera.width), np.uint8)
    cv2.fillConvexPoly(mask, np.rint(camera.project_ideal(box) * 16).astype(np.int32), 255,
                       cv2.LINE_8, 4)
    return mask


def table(scene: Scene, big: tuple[Array, ...], half: float) -> Array:
    """The table around the board, linear float32 (H, W, 3)."""
    style, camera, light = scene.style, scene.camera, scene.light
    level = -style.board.thickness
    shadows = [
        with_big(slab_shadow(style, source, camera, half, style.board.thickness), shade)
        for source, shade in zip(light.sources, big, strict=True)
    ]
    open_sky = np.full_like(shadows[0], 255) if shadows else np.full((64, 64), 255, np.uint8)
    coat = (style.table.gloss, style.table.roughness)
    lit, shine = plane_light(style, camera, light, shadows, open_sky, level, coat)
    return lay(camera, table_plate(style), level, lit, shine)
