"""What lies flat under dice: tables, cloths, the felt and the points of a nardi board, print."""

from __future__ import annotations

import cv2
import numpy as np

from .arrays import Array, Rng
from .dice_view import View
from .paint import Material, Split, draw, plain, wood
from .style import DARK_WOODS, LIGHT_WOODS, sample_table
from .textures import sheet

#: Longest edge of the drawn plane, pixels.
_MOST = 760

#: Length that textures take for a square of a board, mm.
UNIT = 40.0

FELTS = ("green", "red", "blue", "brown", "charcoal", "buff", "purple", "mahogany")
LETTERS = "ABCDEFGHJKLMNPRSTUVXYZ0123456789"


def extent(view: View) -> tuple[Array, float]:
    """Lower left corner (2,) mm of the plane that the picture shows, and its edge, mm."""
    wide, tall = view.size
    corners = np.array([[0, 0, 1], [wide, 0, 1], [wide, tall, 1], [0, tall, 1.0]])
    spots = corners @ np.linalg.inv(view.plane()).T
    spots = spots[:, :2] / spots[:, 2:]
    low, high = spots.min(0) - 4, spots.max(0) + 4
    return low, float((high - low).max())


def ground(rng: Rng, split: Split, view: View) -> Array:
    """Display colours of the plane as the camera sees it, float32 (H, W, 3), without any light."""
    low, edge = extent(view)
    scale = min(view.scale * 1.2, _MOST / edge)
    pixels = round(edge * scale)
    kind = rng.choice(4, p=[0.4, 0.15, 0.37, 0.08])
    base = (sample_table(rng, split), felt(rng, split), sample_board(rng, split), blank(rng, split))
    plate = sheet(base[kind], (pixels, pixels), UNIT * scale, rng)
    if kind == 2:
        draw_points(rng, split, plate, scale)
    if rng.random() < 0.22:
        draw_lines(rng, split, plate, scale)
    if rng.random() < 0.3:
        draw_print(rng, split, plate, scale)
    to_mm = np.array([[1 / scale, 0, low[0]], [0, 1 / scale, low[1]], [0, 0, 1]])
    seen = cv2.warpPerspective(
        plate, view.plane() @ to_mm, view.size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT
    )
    return np.asarray(seen.astype(np.float32) / 255)


def felt(rng: Rng, split: Split) -> Material:
    """Cloth that dice are thrown on."""
    return plain(rng, FELTS, split, "cloth" if rng.random() < 0.6 else "carpet")


def blank(rng: Rng, split: Split) -> Material:
    """A plain sheet of any lightness, white included."""
    return plain(rng, ("white", "white", "grey", "charcoal", "black", "cream", "sky"), split)


def sample_board(rng: Rng, split: Split) -> Material:
    """The floor of a nardi board."""
    if rng.random() < 0.6:
        return wood(rng, LIGHT_WOODS + DARK_WOODS, split)
    return felt(rng, split)


def shapes(plate: Array, pieces: list[Array], colour: Array, rng: Rng) -> None:
    """Lay pieces of one colour into the plate; the grain below shines through a little."""
    if not pieces:
        return
    mask = np.zeros(plate.shape[:2], np.uint8)
    for corners in pieces:
        cv2.fillPoly(mask, [np.rint(corners * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
    through = float(rng.uniform(0.0, 0.5))
    levels = (np.arange(256)[:, None] - plate[::7, ::7].reshape(-1, 3).mean(0)) * through
    table = np.clip(levels + colour * 255, 0, 255).astype(np.uint8)[:, None]
    cv2.copyTo(cv2.LUT(plate, table), mask, plate)


def inside(plate: Array, corners: Array) -> bool:
    """Whether a piece may show in the plate."""
    return bool(corners.min() < plate.shape[0] and corners.max() > 0)


def frame_of(rng: Rng, plate: Array, scale: float) -> Array:
    """A random placing (2, 3) from mm on a board to pixels of the plate."""
    middle = plate.shape[0] / 2
    angle = rng.choice(4) * np.pi / 2 + rng.normal(0, 0.2)
    c, s = np.cos(angle) * scale, np.sin(angle) * scale
    shift = rng.uniform(-0.5, 0.5, 2) * min(plate.shape[0], 400 * scale) + middle
    return np.array([[c, -s, shift[0]], [s, c, shift[1]]])


def draw_points(rng: Rng, split: Split, plate: Array, scale: float) -> None:
    """The long triangles of a nardi or backgammon board, from both sides, and its bar."""
    pair = [np.array(draw(rng, DARK_PAINTS, split)) for _ in range(2)]
    if rng.random() < 0.6:
        pair[1] = np.array(draw(rng, LIGHT_PAINTS, split))
    wide, long = rng.uniform(24, 46), rng.uniform(130, 210)
    gap = rng.uniform(10, 90)
    place = frame_of(rng, plate, scale)
    pieces: tuple[list[Array], list[Array]] = ([], [])
    for row in range(2):
        foot, tip = (0.0, long) if row == 0 else (2 * long + gap, long + gap)
        for k in range(-7, 7):
            x = k * wide
            corners = np.array([[x, foot], [x + wide, foot], [x + wide / 2, tip]])
            corners = corners @ place[:, :2].T + place[:, 2]
            if inside(plate, corners):
                pieces[(k + row) % 2].append(corners)
    for some, colour in zip(pieces, pair, strict=True):
        shapes(plate, some, colour, rng)
    if rng.random() < 0.4:
        bar = np.array([[0, -20], [rng.uniform(8, 40), -20], [30, 3 * long], [0, 3 * long]], float)
        colour = np.array(draw(rng, BARS, split))
        shapes(plate, [bar @ place[:, :2].T + place[:, 2]], colour, rng)


LIGHT_PAINTS = ("white", "ivory", "cream", "yellow", "maple", "buff", "mint")
DARK_PAINTS = ("black", "brown", "red", "green", "blue", "walnut", "mahogany", "orange", "grey")
BARS = ("walnut", "brown", "black", "oak", "maple", "mahogany")


def draw_lines(rng: Rng, split: Split, plate: Array, scale: float) -> None:
    """Squares of a board or a printed grid."""
    colour = np.array(draw(rng, DARK_PAINTS + LIGHT_PAINTS, split))
    step, place = rng.uniform(14, 50), frame_of(rng, plate, scale)
    chequered = rng.random() < 0.6
    pieces = []
    for i in range(-5, 5):
        for j in range(-5, 5):
            if chequered and (i + j) % 2:
                continue
            inset = 0 if chequered else 0.46 * step
            box = np.array([[0, 0], [step, 0], [step, step - inset], [0, step - inset]])
            corners = (box + np.array([i, j]) * step) @ place[:, :2].T + place[:, 2]
            if inside(plate, corners):
                pieces.append(corners)
        if not chequered:
            break
    shapes(plate, pieces, colour, rng)


def draw_print(rng: Rng, split: Split, plate: Array, scale: float) -> None:
    """Letters, dots in rows and rings, printed flat: none of them is a die."""
    edge = plate.shape[0]
    for _ in range(int(rng.integers(1, 6))):
        ink = [255 * c for c in draw(rng, DARK_PAINTS + LIGHT_PAINTS, split)]
        x, y = (int(v) for v in rng.uniform(0.1, 0.9, 2) * edge)
        size = rng.uniform(3, 14) * scale
        kind = rng.choice(4, p=[0.35, 0.3, 0.2, 0.15])
        if kind == 0:
            text = "".join(rng.choice(list(LETTERS), int(rng.integers(1, 7))))
            thick = max(1, round(size / 9))
            cv2.putText(plate, text, (x, y), 0, size / 22, ink, thick, cv2.LINE_AA)
        elif kind == 1:
            for k in range(int(rng.integers(1, 7))):
                spot = (x + round(k % 3 * size * 0.5), y + round(k // 3 * size * 0.5))
                cv2.circle(plate, spot, max(1, round(size * 0.12)), ink, -1, cv2.LINE_AA)
        elif kind == 2:
            cv2.circle(
                plate, (x, y), max(2, round(size)), ink, max(1, round(size / 8)), cv2.LINE_AA
            )
        else:
            turn = cv2.boxPoints(((x, y), (size * 2, size * rng.uniform(1, 4)), rng.uniform(0, 90)))
            shapes(plate, [turn], np.array(ink) / 255, rng)
