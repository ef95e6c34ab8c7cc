"""A whole scene, and its picture with the truth about it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np

from .arrays import Array
from .board import Plate, board_plate, room, table_plate
from .camera import Camera
from .clutter import Slab, draw_slab
from .discs import Setting, Shades, draw_discs
from .hand import Hand
from .light import Light, arriving, source_angle
from .limbs import draw_hand, limb_shadow
from .men import atlas
from .pieces import Disc, Placed, discs_of, place
from .sensor import develop
from .shade import big_shades, box_shadows, contact, disc_shadows, plane_light, with_big
from .style import Style

#: Share of a square, or of its man, that must be hidden before nobody can tell what is there.
HIDDEN = 0.4
#: Linear light of display levels; display values are square roots of light everywhere here.
LINEAR = np.square(np.arange(256, dtype=np.float32) / 255)


@dataclass(frozen=True, slots=True)
class Scene:
    """One set, seen by one camera, under one light, with something standing on it.

    Attributes:
        style, camera, light: see their modules.
        grid: rows of the board as White sees it, row 0 far from White; ``.wWbB``.
        jitter: seed of how carelessly the men stand.
        placed: where exactly they stand; made from grid and jitter when None.
        beside: captured men and other discs outside the squares.
        slabs: boxes, paper and such on the table.
        hand: over the board, if any; held: the men in it.
    """

    style: Style
    camera: Camera
    light: Light
    grid: tuple[str, ...]
    jitter: int = 0
    placed: tuple[Placed, ...] | None = None
    beside: tuple[Disc, ...] = ()
    slabs: tuple[Slab, ...] = ()
    hand: Hand | None = None
    held: tuple[Disc, ...] = ()

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
    return photographed(scene, paint(scene), seed)


def photographed(scene: Scene, painted: tuple[Array, Array | None], seed: int) -> Rendered:
    """What the camera makes of a painted scene, and the truth about it."""
    picture, hidden = painted
    image = develop(picture, scene.camera, scene.light, np.random.default_rng([seed, 5]))
    size = scene.style.size
    corners, first = camera_order(scene.camera, size)
    cover = np.rot90(covered(scene, hidden), first)
    grid = turned_grid(scene.grid, first)
    seen = tuple(
        "".join("?" if cover[r, c] > HIDDEN else piece for c, piece in enumerate(row))
        for r, row in enumerate(grid)
    )
    return Rendered(image, corners, seen, cover, tags_of(scene, first))


def covered(scene: Scene, hidden: Array | None) -> Array:
    """Share of each square, or of the man on it, that a hand or the picture's edge hides.

    float32 (size, size), board order; ``hidden`` is the hand's coverage of the picture.
    """
    size = scene.style.size
    steps = np.linspace(-0.36, 0.36, 6)
    spots = np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 2)
    middle = np.stack(np.meshgrid(np.arange(size), np.arange(size)), -1).reshape(-1, 1, 2) + 0.5
    height = np.zeros(size * size)
    for piece in scene.standing():
        at = piece.row * size + piece.column
        middle[at] = (piece.x, piece.y)
        height[at] = scene.style.men.height * (1.7 if piece.piece in "WB" else 0.8)
    flat = (middle + spots[None]).reshape(-1, 2)
    points = np.column_stack([flat, np.repeat(height, len(spots))])
    x, y = np.rint(scene.camera.project_ideal(points)).astype(int).T
    inside = (x >= 0) & (y >= 0) & (x < scene.camera.width) & (y < scene.camera.height)
    share = 1.0 - inside
    if hidden is not None:
        share = np.where(inside, hidden[np.where(inside, y, 0), np.where(inside, x, 0)], 1.0)
    return np.asarray(share.reshape(size, size, -1).mean(-1), np.float32)


def tags_of(scene: Scene, first: int) -> dict[str, Any]:
    """What the scores are later split by."""
    return {
        "tilt": round(float(scene.camera.tilt_deg), 1),
        "light": scene.light.kind,
        "king": scene.style.king,
        "split": scene.style.split,
        "board": scene.style.board.kind,
        "contrast": round(scene.style.contrast, 3),
        "first": first,
        "hand": scene.hand is not None,
    }


def paint(scene: Scene) -> tuple[Array, Array | None]:
    """Linear light of a scene in an ideal lens, float32 (H, W, 3), and what a hand hides."""
    style, camera, light = scene.style, scene.camera, scene.light
    men = [disc for piece in scene.standing() for disc in discs_of(style, piece)]
    setting = Setting(style, camera, light, atlas(style), shades_of(scene))
    discs = [*men, *scene.beside]
    picture = ground(scene, discs, setting)
    behind = [d for d in scene.beside if d.base < 0 and is_behind(d.x, d.y, scene)]
    slabs = [s for s in scene.slabs if is_behind(s.x, s.y, scene)]
    if behind or slabs:
        board = picture.copy()
        draw_things(picture, slabs, behind, setting)
        cv2.copyTo(board, silhouette(camera, board_plate(style), style), picture)
    before = [d for d in scene.beside if d.base < 0 and d not in behind]
    draw_discs(picture, [d for d in discs if d not in behind and d not in before], setting)
    fore = [s for s in scene.slabs if s not in slabs]
    draw_things(picture, fore, before, setting)
    return picture, draw_over(picture, scene, fore, before, setting)


def draw_over(
    picture: Array, scene: Scene, slabs: list[Slab], discs: list[Disc], setting: Setting
) -> Array | None:
    """Draw the hand and what it holds; where they and things before the board hide it.

    float32 (H, W), 0 to 1, or None where nothing hides anything.
    """
    if scene.hand is None and not slabs and not discs:
        return None
    camera = scene.camera
    hidden = np.zeros(picture.shape[:2], np.float32)
    if scene.hand is not None:
        draw_discs(picture, scene.held, setting)
        hidden = draw_hand(picture, scene.hand, setting)
    for disc in (*scene.held, *discs):
        turn = np.arange(20) * (np.pi / 10)
        ring = np.stack([np.cos(turn), np.sin(turn)], -1) * disc.radius + np.array([disc.x, disc.y])
        hide(hidden, ring, disc.base, disc.height, camera)
    for slab in slabs:
        hide(hidden, slab.corners(), slab.base, slab.height, camera)
    return hidden


def draw_things(
    picture: Array, slabs: list[Slab], discs: list[Disc], setting: Setting
) -> None:
    """Draw boxes, the furthest first, then discs."""
    eye = setting.camera.position
    for slab in sorted(slabs, key=lambda s: -float(np.hypot(s.x - eye[0], s.y - eye[1]))):
        draw_slab(picture, slab, setting)
    draw_discs(picture, discs, setting)


def is_behind(x: float, y: float, scene: Scene) -> bool:
    """Whether the board hides a thing beside it, and not the thing the board.

    It does unless one of the board's edges has the thing and the camera on its outer side.
    """
    low = board_plate(scene.style).origin[0]
    high = scene.style.size - low
    eye_x, eye_y, _ = scene.camera.position
    return not (
        (x < low and eye_x < low)
        or (y < low and eye_y < low)
        or (x > high and eye_x > high)
        or (y > high and eye_y > high)
    )


def hide(hidden: Array, outline: Array, base: float, height: float, camera: Camera) -> None:
    """Add what an upright thing hides, with an outline (n, 2) on the board's plane."""
    ends = [np.column_stack([outline, np.full(len(outline), h)]) for h in (base, base + height)]
    points = np.concatenate(ends)
    if ((points - np.array(camera.position)) @ np.array(camera.axes)[2]).min() > 0.5:
        hull = cv2.convexHull(camera.project_ideal(points).astype(np.float32))
        cv2.fillConvexPoly(hidden, np.rint(hull).astype(np.int32), 1.0)


def shades_of(scene: Scene) -> Shades:
    """Big shadows: sun patches, people, and the hand over the board."""
    shades = big_shades(scene.style, scene.light)
    if scene.hand is None:
        return shades
    size = scene.style.size
    middle = np.array([size / 2, size / 2, 0.0])
    maps = []
    for source, shade in zip(scene.light.sources, shades.maps, strict=True):
        towards, _ = arriving(source, middle, size, scene.camera)
        slant = -towards[:2] / max(float(towards[2]), 0.1)
        angle = float(source_angle(source, middle, size, scene.camera))
        maps.append(limb_shadow(shade, scene.hand, slant, angle))
    return replace(shades, maps=tuple(maps))


def ground(scene: Scene, discs: list[Disc], setting: Setting) -> Array:
    """Board and table under their light, linear float32 (H, W, 3)."""
    style, camera, light, big = scene.style, scene.camera, scene.light, setting.shades.maps
    board = board_plate(style)
    above = [d for d in discs if d.base >= 0]
    shadows = [
        with_big(disc_shadows([*above, *scene.held], source, style.size, camera), shade)
        for source, shade in zip(light.sources, big, strict=True)
    ]
    coat = style.board.dark
    sky = contact(above, style.size)
    lit, shine = plane_light(
        style, camera, light, shadows, sky, 0.0, (coat.gloss, coat.roughness)
    )
    table_lit, table_shine = table_light(scene, discs, big, half_edge(board, style.size))
    inside = outline_mask(camera, board)
    cv2.copyTo(lit, inside, table_lit)
    cv2.copyTo(shine, inside, table_shine)
    whole = (camera.width, camera.height)
    colours = lay(camera, table_plate(style), -style.board.thickness, room(style, whole))
    edge_of_board(colours, camera, board, style)
    lay(camera, board, 0.0, colours)
    picture = np.asarray(cv2.resize(table_shine, whole))
    cv2.accumulateProduct(cv2.LUT(colours, LINEAR), cv2.resize(table_lit, whole), picture)
    return picture


def half_edge(board: Plate, size: int) -> float:
    """Half the edge of the board with its frame, squares."""
    return size / 2 - board.origin[0]


def lay(camera: Camera, plate: Plate, level: float, over: Array) -> Array:
    """A picture, uint8 (H, W, 3), with a plate on the plane of a height laid into it."""
    to_picture = camera.homography(level) @ np.linalg.inv(plate.to_pixels())
    whole = (camera.width, camera.height)
    return cv2.warpPerspective(
        plate.image, to_picture, whole, dst=over, borderMode=cv2.BORDER_TRANSPARENT
    )


def board_box(board: Plate, level: float) -> Array:
    """Corners (4, 3) of the board with its frame, at a height."""
    low = board.origin[0]
    high = low + board.image.shape[0] / board.unit_px
    box = [(low, low, level), (high, low, level), (high, high, level), (low, high, level)]
    return np.array(box)


def silhouette(camera: Camera, board: Plate, style: Style) -> Array:
    """Where the board's slab is, uint8 (H, W)."""
    box = np.concatenate([board_box(board, 0.0), board_box(board, -style.board.thickness)])
    hull = cv2.convexHull(camera.project_ideal(box).astype(np.float32)).reshape(-1, 2)
    mask = np.zeros((camera.height, camera.width), np.uint8)
    cv2.fillConvexPoly(mask, np.rint(hull * 16).astype(np.int32), 255, cv2.LINE_8, 4)
    return mask


def edge_of_board(colours: Array, camera: Camera, board: Plate, style: Style) -> None:
    """Draw those sides of the board's slab that face the camera into the colours."""
    top, bottom = board_box(board, 0.0), board_box(board, -style.board.thickness)
    frame = style.board.frame if style.board.frame_width else style.board.dark
    x, y, _ = camera.position
    low, high = top[0, 0], top[2, 0]
    for k, outside in enumerate((y < low, x > high, y > high, x < low)):
        if not outside:
            continue
        face = np.array([top[k], top[(k + 1) % 4], bottom[(k + 1) % 4], bottom[k]])
        shade = (0.42, 0.62, 0.72, 0.5)[k] * 255
        points = np.rint(camera.project_ideal(face) * 16).astype(np.int32)
        cv2.fillConvexPoly(colours, points, [c * shade for c in frame.colour], cv2.LINE_AA, 4)


def outline_mask(camera: Camera, board: Plate) -> Array:
    """Where the board with its frame is, uint8, half the picture's size."""
    mask = np.zeros((-(-camera.height // 2), -(-camera.width // 2)), np.uint8)
    seen = (camera.project_ideal(board_box(board, 0.0)) - 0.5) / 2
    cv2.fillConvexPoly(mask, np.rint(seen * 16).astype(np.int32), 255, cv2.LINE_8, 4)
    return mask


def table_light(
    scene: Scene, discs: list[Disc], big: tuple[Array, ...], half: float
) -> tuple[Array, Array]:
    """Irradiance and mirrored light on the table, as ``plane_light`` gives them."""
    style, camera, light = scene.style, scene.camera, scene.light
    level = -style.board.thickness
    below = [d for d in discs if d.base < 0]
    middle = style.size / 2
    box = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half + middle
    boxes = [(box, style.board.thickness), *((s.corners(), s.height) for s in scene.slabs)]
    shadows = []
    for source, shade in zip(light.sources, big, strict=True):
        shadow = disc_shadows(below, source, style.size, camera, level)
        box_shadows(shadow, boxes, source, style.size, camera)
        shadows.append(with_big(shadow, shade))
    sky = contact(below, style.size, level)
    coat = (style.table.gloss, style.table.roughness)
    return plane_light(style, camera, light, shadows, sky, level, coat)
