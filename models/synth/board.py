"""The board as a scanner would see it, with its frame, letters, hinge and wear."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from .arrays import Array, Rng, blur, clouds
from .paint import Material
from .style import Style
from .textures import sheet

FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_PLAIN,
)


@dataclass(frozen=True, slots=True, eq=False)
class Plate:
    """A flat picture on a plane.

    Attributes:
        image: uint8 (H, W, 3), display colours.
        unit_px: pixels a square.
        origin: board coordinates of the outer corner of the first pixel, in squares.
    """

    image: Array
    unit_px: float
    origin: tuple[float, float]

    def to_pixels(self) -> Array:
        """3x3 matrix from board coordinates to pixel coordinates (centre of the first at 0)."""
        u, (x, y) = self.unit_px, self.origin
        return np.array([[u, 0, -x * u - 0.5], [0, u, -y * u - 0.5], [0, 0, 1.0]])


@lru_cache(maxsize=32)
def board_plate(style: Style) -> Plate:
    """The board with its frame."""
    look, rng = style.board, np.random.default_rng([style.seed, 2])
    unit = 84 if style.size == 8 else 70
    margin = round(look.frame_width * unit)
    edge = style.size * unit + 2 * margin
    image = frame_sheet(look.frame, edge, margin, unit, rng)
    lay_squares(image, style, unit, margin, rng)
    draw_lines(image, style, unit, margin)
    draw_letters(image, style, unit, margin, rng)
    draw_hinge(image, style, unit, rng)
    wear(image, look.wear, rng)
    return Plate(image, unit, (-margin / unit, -margin / unit))


def frame_sheet(material: Material, edge: int, margin: int, unit: int, rng: Rng) -> Array:
    """The frame's material over the whole board, mitred at the corners."""
    if margin == 0:
        return np.zeros((edge, edge, 3), np.uint8)
    band = max(margin, 2)
    image = np.zeros((edge, edge, 3), np.uint8)
    strips = sheet(material, (band * 4, edge), unit, rng)
    image[:band] = strips[:band]
    image[-band:] = strips[band : 2 * band]
    left = strips[2 * band : 3 * band].transpose(1, 0, 2)
    right = strips[3 * band :].transpose(1, 0, 2)
    rows = np.arange(edge)
    near = np.minimum(rows, edge - 1 - rows)[:, None]
    depth = np.arange(band)[None, :]
    np.copyto(image[:, :band], left, where=(near >= depth)[..., None])
    np.copyto(image[:, -band:], right, where=(near >= depth[:, ::-1])[..., None])
    return image


def lay_squares(image: Array, style: Style, unit: int, margin: int, rng: Rng) -> None:
    """Cut every square from its material and lay it into the board."""
    look = style.board
    span = unit * 4
    sheets = [sheet(look.light, (span, span), unit, rng), sheet(look.dark, (span, span), unit, rng)]
    turn_dark = look.kind == "wood" and rng.random() < 0.5
    inlaid = look.kind == "wood"
    spread = 0.06 if inlaid else 0.012
    for row in range(style.size):
        for column in range(style.size):
            dark = (row + column) % 2 == style.parity
            y, x = (int(v) for v in rng.integers(0, span - unit, 2)) if inlaid else (
                (row % 3) * unit, (column % 3) * unit)
            patch = sheets[int(dark)][y : y + unit, x : x + unit]
            if dark and turn_dark:
                patch = patch.transpose(1, 0, 2)
            tone = 1 + spread * float(rng.standard_normal())
            top, left = margin + row * unit, margin + column * unit
            image[top : top + unit, left : left + unit] = cv2.convertScaleAbs(
                np.ascontiguousarray(patch), alpha=tone
            )


def draw_lines(image: Array, style: Style, unit: int, margin: int) -> None:
    """Lines between the squares, and the border around them."""
    look, edge = style.board, style.size * unit
    ink = tuple(c * 255 for c in look.ink)
    if look.lines:
        width = max(1, round(look.lines * unit))
        for k in range(style.size + 1):
            at = margin + k * unit
            cv2.line(image, (margin, at), (margin + edge, at), ink, width)
            cv2.line(image, (at, margin), (at, margin + edge), ink, width)
    if look.border:
        width = max(1, round(look.border * unit))
        off = round(look.border_gap * unit) + width // 2 + 1
        start, end = margin - off, margin + edge + off - 1
        cv2.rectangle(image, (start, start), (end, end), ink, width)


def draw_letters(image: Array, style: Style, unit: int, margin: int, rng: Rng) -> None:
    """Letters and numbers on the frame."""
    look = style.board
    if not look.letters:
        return
    font = FONTS[int(rng.integers(len(FONTS)))]
    tall = min(margin * 0.5, unit * 0.4)
    scale = cv2.getFontScaleFromHeight(font, max(6, int(tall)), 2)
    outward = rng.random() < 0.5
    for side in range(4 if look.letters == 2 else 2):
        for k in range(style.size):
            text = chr(ord("A") + k) if side % 2 == 0 else str(style.size - k)
            glyph = np.zeros((margin, unit), np.uint8)
            (w, h), _ = cv2.getTextSize(text, font, scale, 2)
            cv2.putText(
                glyph, text, ((unit - w) // 2, (margin + h) // 2), font, scale, 255, 2, cv2.LINE_AA
            )
            stamp(image, glyph, side, k, (unit, margin, style.size), look.ink, outward)


def stamp(
    image: Array, glyph: Array, side: int, k: int, sizes: tuple[int, int, int],
    ink: tuple[float, float, float], outward: bool,
) -> None:
    """Lay one letter on one side of the frame: 0 bottom, 1 left, 2 top, 3 right."""
    unit, margin, size = sizes
    along = margin + k * unit
    far = margin + size * unit
    if side % 2:
        glyph = np.ascontiguousarray(np.rot90(glyph, side))
    elif side == 2 and outward:
        glyph = np.ascontiguousarray(np.rot90(glyph, 2))
    top, left = {0: (far, along), 1: (along, 0), 2: (0, along), 3: (along, far)}[side]
    area = image[top : top + glyph.shape[0], left : left + glyph.shape[1]]
    weight = glyph[: area.shape[0], : area.shape[1], None].astype(np.float32) / 255
    area[:] = (area + (np.array(ink, np.float32) * 255 - area) * weight).astype(np.uint8)


def draw_hinge(image: Array, style: Style, unit: int, rng: Rng) -> None:
    """The gap where a folding board folds."""
    if not style.board.hinge:
        return
    middle = image.shape[0] // 2
    width = max(1, round(unit * rng.uniform(0.012, 0.05)))
    strip = slice(middle - width // 2, middle - width // 2 + width)
    part = image[strip] if style.board.hinge == 1 else image[:, strip]
    part[:] = (part * rng.uniform(0.15, 0.6)).astype(np.uint8)
    half = image[:middle] if style.board.hinge == 1 else image[:, :middle]
    half[:] = np.clip(half * rng.uniform(0.93, 1.04), 0, 255).astype(np.uint8)


def wear(image: Array, amount: float, rng: Rng) -> None:
    """Stains, fading and scratches."""
    edge, half = image.shape[0], image.shape[0] // 2
    stain = clouds((half, half), (4, 4), rng, 4)
    gain = 1 + (stain - 0.5) * 0.35 * amount
    marks = np.zeros((half, half), np.uint8)
    for _ in range(int(amount * 30)):
        x, y = rng.uniform(0, half, 2)
        angle, length = rng.uniform(0, 2 * np.pi), rng.uniform(0.05, 0.6) * half / 4
        end = (int(x + np.cos(angle) * length), int(y + np.sin(angle) * length))
        cv2.line(marks, (int(x), int(y)), end, int(rng.integers(40, 200)), 1, cv2.LINE_AA)
    gain += marks.astype(np.float32) / 255 * rng.uniform(-0.4, 0.4)
    whole = cv2.resize(cv2.merge([gain.astype(np.float32)] * 3), (edge, edge))
    cv2.multiply(image, whole, dst=image, dtype=cv2.CV_8U)


@lru_cache(maxsize=32)
def table_plate(style: Style) -> Plate:
    """The table around the board; large enough for most views, its edge is the table's edge."""
    rng = np.random.default_rng([style.seed, 3])
    reach = float(rng.uniform(0.6, 1.8)) * style.size
    unit = 720 / (style.size + 2 * reach)
    image = sheet(style.table, (720, 720), unit, rng)
    if rng.random() < 0.5:
        image = np.ascontiguousarray(image.transpose(1, 0, 2))
    return Plate(image, unit, (-reach, -reach))


def room(style: Style, size_wh: tuple[int, int]) -> Array:
    """What is beyond the table: a blurred room or floor, uint8 (H, W, 3)."""
    rng = np.random.default_rng([style.seed, 4])
    width, height = size_wh
    small = np.empty((height // 12, width // 12, 3), np.uint8)
    small[:] = muted(rng)
    for _ in range(int(rng.integers(3, 12))):
        x, y = rng.integers(0, small.shape[1]), rng.integers(0, small.shape[0])
        corner = (int(x + rng.integers(3, 40)), int(y + rng.integers(3, 40)))
        cv2.rectangle(small, (int(x), int(y)), corner, muted(rng).tolist(), -1)
    return cv2.resize(blur(small, 1.5), size_wh, interpolation=cv2.INTER_CUBIC)


def muted(rng: Rng) -> Array:
    """A colour of walls, floors and furniture, display levels (3)."""
    grey = rng.uniform(15, 220)
    return np.asarray(np.clip(grey * np.exp(rng.normal(0, 0.13, 3)), 0, 255))
