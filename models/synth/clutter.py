"""What lies beside a board: captured men, paper, phone, clock, cup and books."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from .arrays import Array, Rng, unit
from .discs import Setting
from .light import arriving, fresnel, mirror, source_angle
from .men import CUP
from .paint import Colour, draw
from .pieces import Disc, man
from .style import Style


@dataclass(frozen=True, slots=True)
class Slab:
    """A box that lies on the table; lengths in squares.

    Attributes:
        x, y: its middle; turn: rotation, radians.
        wide, deep, height: its size; base: height of its bottom over the board.
        colour: of its sides and the ground of its top.
        art: what is on its top: paper, phone, clock, book or none.
        gloss: of its top.
        seed: decides the details of its top.
    """

    x: float
    y: float
    turn: float
    wide: float
    deep: float
    height: float
    base: float
    colour: Colour
    art: str
    gloss: float
    seed: int

    def corners(self) -> Array:
        """Corners (4, 2) on the board's plane, clockwise from above."""
        cosine, sine = np.cos(self.turn), np.sin(self.turn)
        half = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (self.wide / 2, self.deep / 2)
        turned = half @ np.array([[cosine, sine], [-sine, cosine]])
        return np.asarray(turned + np.array([self.x, self.y]))


def sample_slabs(rng: Rng, style: Style, most: int = 3) -> tuple[Slab, ...]:
    """Things that lie around a board, clear of it and of each other as far as luck will have it."""
    slabs = []
    for _ in range(int(rng.integers(0, most + 1))):
        art = ("paper", "phone", "clock", "book", "none")[int(rng.integers(5))]
        wide, deep, height = {
            "paper": (4.6, 6.4, 0.01), "phone": (1.7, 3.5, 0.18), "clock": (4.0, 1.6, 1.9),
            "book": (3.2, 4.6, 0.5), "none": (rng.uniform(0.8, 4), rng.uniform(0.5, 2), 0.8),
        }[art]
        x, y = beside(rng, style, max(wide, deep) / 2 + 0.2)
        family = {"paper": ("white", "ivory"), "phone": ("black", "charcoal"),
                  "clock": ("black", "brown", "charcoal", "oak")}.get(
            art, ("red", "blue", "green", "cream", "grey", "brown", "white", "orange"))
        slabs.append(Slab(
            x, y, float(rng.uniform(0, np.pi)), wide, deep, height, -style.board.thickness,
            draw(rng, family, style.split), art,
            float(rng.uniform(0.5, 1.0) if art == "phone" else rng.uniform(0.05, 0.5)),
            int(rng.integers(2**31)),
        ))
    return tuple(slabs)


def beside(rng: Rng, style: Style, away: float) -> tuple[float, float]:
    """A random point at least ``away`` from the board's edge."""
    along = float(rng.uniform(-1.0, style.size + 1.0))
    off = style.board.frame_width + away + float(rng.exponential(0.8))
    side = int(rng.integers(4))
    far = style.size + off
    return {0: (along, -off), 1: (far, along), 2: (along, far), 3: (-off, along)}[side]


def captured(
    style: Style, counts: tuple[int, int], rng: Rng, tidy: bool | None = None
) -> tuple[Disc, ...]:
    """Captured men beside the board: rows on its frame or on the table, or piles.

    ``counts`` are those of the lighter and the darker side.
    """
    tidy = bool(rng.random() < 0.5) if tidy is None else tidy
    on_frame = style.board.frame_width > style.men.diameter * 1.04
    base = 0.0 if on_frame else -style.board.thickness
    off = style.board.frame_width / 2 if on_frame else style.board.frame_width + 0.75
    discs: list[Disc] = []
    for side, count in enumerate(counts):
        edge = int(rng.integers(4))
        start, pile = float(rng.uniform(0.2, 1.5)), int(rng.integers(1, 5))
        for k in range(count):
            stack = 0 if tidy else k % pile
            place = k if tidy else k // pile
            along = start + place * style.men.diameter * 1.08 + (0 if tidy else rng.normal(0, 0.04))
            aside = off + float(rng.normal(0, 0.03 if on_frame else 0.12))
            far = style.size + aside
            x, y = {0: (along, -aside), 1: (far, along), 2: (along, far), 3: (-aside, along)}[edge]
            height = base + stack * style.men.height
            discs.append(man(style, side, (x, y), height, rng))
    return tuple(spread(discs, style.men.diameter))


def spread(discs: list[Disc], diameter: float) -> list[Disc]:
    """The discs without those that would stand in another one."""
    kept: list[Disc] = []
    for disc in discs:
        clash = any(
            abs(disc.base - other.base) < 0.01
            and np.hypot(disc.x - other.x, disc.y - other.y) < diameter * 0.98
            for other in kept
        )
        if not clash:
            kept.append(disc)
    return kept


def cup(style: Style, rng: Rng) -> Disc:
    """A cup of tea or a glass on the table."""
    x, y = beside(rng, style, 1.3)
    radius, height = float(rng.uniform(0.7, 1.1)), float(rng.uniform(1.2, 2.4))
    return Disc(x, y, -style.board.thickness, radius, height, CUP, 0.0, 1.0, 3)


def draw_slab(picture: Array, slab: Slab, setting: Setting) -> None:
    """Draw a box into a linear picture: its sides, then its top."""
    camera = setting.camera
    low = np.column_stack([slab.corners(), np.full(4, slab.base)])
    high = low + np.array([0, 0, slab.height])
    eye = np.array(camera.position)
    if min((high - eye) @ np.array(camera.axes)[2]) < 0.5:
        return
    for k in range(4):
        edge = low[(k + 1) % 4] - low[k]
        normal = unit(np.array([edge[1], -edge[0], 0.0]))
        if normal @ (eye - low[k]) <= 0:
            continue
        face = np.array([low[k], low[(k + 1) % 4], high[(k + 1) % 4], high[k]])
        colour = lit_colour(setting, face.mean(0), normal, slab.colour, 0.0)
        points = np.rint(camera.project_ideal(face) * 16).astype(np.int32)
        cv2.fillConvexPoly(picture, points, colour.tolist(), cv2.LINE_8, 4)
    draw_top(picture, slab, high, setting)


def draw_top(picture: Array, slab: Slab, high: Array, setting: Setting) -> None:
    """Draw the top of a box."""
    camera = setting.camera
    seen = camera.project_ideal(high).astype(np.float32)
    left, top = np.maximum(np.floor(seen.min(0)).astype(int) - 1, 0)
    right = min(camera.width, int(np.ceil(seen[:, 0].max())) + 2)
    bottom = min(camera.height, int(np.ceil(seen[:, 1].max())) + 2)
    if right - left < 2 or bottom - top < 2:
        return
    art = np.square(top_art(slab).astype(np.float32) / 255)
    up = np.array([0, 0, 1.0])
    light = lit_colour(setting, high.mean(0), up, (1.0, 1.0, 1.0), 0.0)
    shine = lit_colour(setting, high.mean(0), up, (0.0, 0.0, 0.0), slab.gloss)
    art = (art * light.astype(np.float32) + shine.astype(np.float32)).astype(np.float32)
    height, width = art.shape[:2]
    source = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, seen - np.array([left, top], np.float32))
    area = picture[top:bottom, left:right]
    drawn = cv2.warpPerspective(
        art, matrix, (right - left, bottom - top), dst=area.copy(),
        borderMode=cv2.BORDER_TRANSPARENT,
    )
    area[:] = drawn


def lit_colour(
    setting: Setting, at: Array, normal: Array, colour: Colour, gloss: float
) -> Array:
    """Linear colour of a small flat face."""
    light, size = setting.light, setting.style.size
    view = unit(np.array(setting.camera.position) - at)
    facing = np.clip(normal @ view, 0, 1)
    ambient = np.array(light.ambient) * (0.6 + 0.4 * max(0.0, float(normal[2])))
    lit, shine = ambient.copy(), ambient * fresnel(facing) * gloss
    for k, source in enumerate(light.sources):
        towards, strength = arriving(source, at, size, setting.camera)
        matrix, shade = setting.shades.to_map, setting.shades.maps[k]
        x, y = (matrix @ np.array([at[0], at[1], 1.0]))[:2]
        column, row = np.clip((x, y), 0, shade.shape[0] - 1).astype(int)
        level = float(strength) * float(shade[row, column])
        cosine = max(0.0, float(normal @ towards))
        angle = source_angle(source, at, size, setting.camera)
        glare = mirror(normal @ unit(towards + view), facing, 0.15, angle) * gloss
        lit += np.array(source.colour) * level * cosine
        shine += np.array(source.colour) * level * glare * (cosine > 0)
    return np.asarray(np.square(np.array(colour)) * lit + shine)


def top_art(slab: Slab) -> Array:
    """What is on the top of a box, uint8 (H, W, 3), display colours."""
    rng = np.random.default_rng(slab.seed)
    width, height = max(8, round(slab.wide * 48)), max(8, round(slab.deep * 48))
    image = np.empty((height, width, 3), np.uint8)
    image[:] = np.array(slab.colour) * 255
    if slab.art == "paper":
        score_sheet(image, rng)
    elif slab.art == "phone":
        cv2.rectangle(image, (4, 4), (width - 5, height - 5), (16, 14, 14), -1)
        if rng.random() < 0.4:
            icons = rng.integers(20, 235, (6, 3, 3), np.uint8)
            inside = (width - 12, height - 16)
            image[8:-8, 6:-6] = cv2.resize(icons, inside, interpolation=cv2.INTER_NEAREST)
    elif slab.art == "clock":
        for left in (width // 10, width * 11 // 20):
            box = (left, height // 4), (left + width * 7 // 20, height * 3 // 4)
            cv2.rectangle(image, *box, (150, 165, 150), -1)
            text = f"{rng.integers(0, 60):02d}:{rng.integers(0, 60):02d}"
            cv2.putText(image, text, (left + 6, height * 3 // 5), 0, 0.7, (30, 30, 30), 2)
    elif slab.art == "book":
        ink = rng.integers(0, 255, 3).tolist()
        cv2.rectangle(image, (10, 10), (width - 11, height - 11), ink, 3)
        cv2.putText(image, "Dame", (20, height // 3), 2, 1.2, ink, 2)
    return image


def score_sheet(image: Array, rng: Rng) -> None:
    """Lines, columns and handwriting of a score sheet."""
    height, width = image.shape[:2]
    for y in range(20, height - 8, 14):
        cv2.line(image, (8, y), (width - 9, y), (170, 160, 150), 1)
        for x in range(14, width - 40, 52):
            if y < height * 0.6 and rng.random() < 0.75:
                text = f"{rng.integers(1, 33)}-{rng.integers(1, 33)}"
                cv2.putText(image, text, (x, y - 2), 1, 0.7, (120, 50, 30), 1, cv2.LINE_AA)
    for x in range(60, width, 104):
        cv2.line(image, (x, 14), (x, height - 8), (170, 160, 150), 1)
