"""The board seen from straight above: field, points, ornaments and frame as flat colours."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from .arrays import Array, Rng, blur, clouds
from .nardi_style import NardiStyle
from .paint import Material
from .textures import sheet

#: Pixels of the plate for each width of a point.
UNIT = 34
#: Frames and trays never reach farther than this beyond the field.
MARGIN = 4.2
#: Places on the plate are given to fillPoly in 1/16 pixel.
_SHIFT = 4


@dataclass(frozen=True, slots=True, eq=False)
class Plates:
    """Flat pictures of a set, uint8 (H, W, 3), UNIT pixels a point.

    Attributes:
        floor: the field and the trays' bottoms, at height 0.
        top: the frame and the bar, at the rim's height.
        table: a piece of the table, which is laid out larger.
    """

    floor: Array
    top: Array
    table: Array


def to_pixels(style: NardiStyle) -> Array:
    """3x3 from board coordinates to the plate's pixels."""
    at = MARGIN * UNIT - 0.5
    return np.array([[UNIT, 0, at], [0, UNIT, at], [0, 0, 1.0]])


def half_places(style: NardiStyle) -> tuple[Array, Array]:
    """2x3 for each half, from where things would lie on a perfect board to where they do lie."""
    turn, dx, dy = style.case.misfit
    middle = np.array([style.width - 3, style.height / 2])
    turned = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    shift = middle - turned @ middle + np.array([dx, dy])
    return np.array([[1.0, 0, 0], [0, 1, 0]]), np.column_stack([turned, shift])


def placed(points: Array, half: int, style: NardiStyle) -> Array:
    """Board points (n, 2) of a perfect board on this one, for one of its halves."""
    place = half_places(style)[half]
    return np.asarray(points @ place[:, :2].T + place[:, 2])


def half_box(style: NardiStyle, half: int) -> Array:
    """Corners (4, 2) of one half of the field, clockwise from its far left one."""
    left = half * (6 + style.case.bar)
    box = [(left, 0), (left + 6, 0), (left + 6, style.height), (left, style.height)]
    return placed(np.array(box, float), half, style)


@lru_cache(maxsize=2)
def plates(style: NardiStyle) -> Plates:
    """Draw the flat pictures of a set."""
    rng = np.random.default_rng([style.seed, 1])
    shape = (round((style.height + 2 * MARGIN) * UNIT), round((style.width + 2 * MARGIN) * UNIT))
    floor = material_sheet(style.case.field, shape, rng)
    ornament(floor, style, rng)
    first = material_sheet(style.points.first, shape, rng, turned=True)
    second = material_sheet(style.points.second, shape, rng, turned=True)
    for sheet_of, which in ((first, 0), (second, 1)):
        lay_points(floor, sheet_of, which, style)
    outlines(floor, style)
    top = material_sheet(style.case.frame, shape, rng, turned=bool(rng.random() < 0.5))
    if not style.case.bar_like_frame:
        left, right = round((MARGIN + 6) * UNIT), round((MARGIN + 6 + style.case.bar) * UNIT)
        top[:, left:right] = material_sheet(style.case.field, shape, rng)[:, left:right]
    bar_details(top, style, rng)
    table = material_sheet(style.table, shape, rng)
    return Plates(floor, top, table)


def material_sheet(
    material: Material, shape: tuple[int, int], rng: Rng, turned: bool = False
) -> Array:
    """A piece of a material, drawn at half the size, its grain along y where it is turned."""
    small = (-(-shape[0] // 2), -(-shape[1] // 2))
    if turned:
        small = small[::-1]
    image = sheet(material, small, UNIT * 0.75, rng)
    if turned:
        image = np.ascontiguousarray(image.transpose(1, 0, 2))
    return cv2.resize(image, shape[::-1], interpolation=cv2.INTER_LINEAR)


def fill(image: Array, points: Array, half: int, style: NardiStyle, colour: object) -> None:
    """Fill a polygon (n, 2) in perfect board coordinates of one half."""
    at = (placed(points, half, style) + MARGIN) * UNIT - 0.5
    whole = np.rint(at * (1 << _SHIFT)).astype(np.int32)
    cv2.fillPoly(image, [whole], colour, cv2.LINE_AA, _SHIFT)  # type: ignore[call-overload]


def point_outline(style: NardiStyle, shrink: float = 1.0) -> Array:
    """Outline (n, 2) of one point: across from -0.5 to 0.5, along from the base on."""
    look = style.points
    length, base, tip = look.length * style.height, look.base / 2 * shrink, look.tip / 2
    t = np.linspace(0, 1, 13)
    if look.shape in ("triangle", "outline", "striped"):
        half = base * (1 - t)
    elif look.shape == "ogive":
        half = base * np.sqrt(1 - t**2)
    elif look.shape == "spire":
        half = base * (1 - t) ** 1.7
    elif look.shape == "blunt":
        half = base + (tip - base) * t
    elif look.shape == "lozenge":
        half = base * np.minimum(0.5 + t * 1.5, 2 * (1 - t)).clip(0, 1)
    elif look.shape == "strip":
        half = np.full(13, base * 0.8)
    else:  # an arch at the rim: a half disc, as on many carved nardi boards
        length, half = look.base / 2, base * np.sqrt(1 - t**2)
    along = look.gap + t * length
    return np.concatenate([np.stack([-half, along], -1), np.stack([half[::-1], along[::-1]], -1)])


def on_point(outline: Array, column: int, far: bool, style: NardiStyle) -> Array:
    """An outline (n, 2) of a point at its place, perfect board coordinates."""
    along = outline[:, 1] if far else style.height - outline[:, 1]
    return np.stack([outline[:, 0] + style.point_x(column), along], -1)


def kind_of(column: int, far: bool, style: NardiStyle) -> int:
    """Which of the two materials a point has."""
    near = 0 if far else int(style.points.mirrored)
    return (column + near + int(style.points.swap)) % 2


def lay_points(floor: Array, material: Array, which: int, style: NardiStyle) -> None:
    """Lay all points of one material into the floor."""
    mask = np.zeros(floor.shape[:2], np.uint8)
    look = style.points
    for far in (True, False):
        for column in range(12):
            if kind_of(column, far, style) != which:
                continue
            half = column // 6
            outline = point_outline(style)
            if look.shape != "outline":
                fill(mask, on_point(outline, column, far, style), half, style, 255)
            if look.shape == "striped":
                inner = outline * np.array([0.5, 0.85]) + np.array([0.0, look.gap])
                fill(mask, on_point(inner, column, far, style), half, style, 60)
            if look.knob:
                turn = np.linspace(0, 2 * np.pi, 20)
                ring = np.stack([np.cos(turn), np.sin(turn)], -1) * look.knob
                ring = ring + np.array([0.0, outline[:, 1].max()])
                fill(mask, on_point(ring, column, far, style), half, style, 255)
    weight = mask * np.float32(1 / 255)
    floor[:] = cv2.blendLinear(material, floor, weight, 1 - weight)


def outlines(floor: Array, style: NardiStyle) -> None:
    """Draw the outlines of the points, if they have any."""
    look = style.points
    if not look.line:
        return
    colour = [c * 255 for c in look.ink]
    for far in (True, False):
        for column in range(12):
            shape = placed(on_point(point_outline(style), column, far, style), column // 6, style)
            at = np.rint(((shape + MARGIN) * UNIT - 0.5) * (1 << _SHIFT)).astype(np.int32)
            thick = max(1, round(look.line * UNIT))
            cv2.polylines(floor, [at], True, colour, thick, cv2.LINE_AA, _SHIFT)


def ornament(floor: Array, style: NardiStyle, rng: Rng) -> None:
    """Decorate the middle of both halves: medallions, pictures, dots or lines."""
    kind = style.case.ornament
    if kind == "none":
        return
    colours = [np.array(m.colour) * 255 for m in (style.points.first, style.points.second)]
    ink = (colours[int(rng.integers(2))] * rng.uniform(0.5, 1.2)).clip(0, 255).tolist()
    size = rng.uniform(0.8, 2.6)
    figure = clouds((160, 160), (5, 5), rng, 3) > rng.uniform(0.4, 0.6)
    for half in (0, 1):
        x, y = 3 + half * (6 + style.case.bar), style.height / 2
        cx, cy = (round((v + MARGIN) * UNIT) for v in (x, y))
        if kind == "medallion":
            for share in (1.0, 0.8, 0.35):
                cv2.circle(floor, (cx, cy), round(size * share * UNIT), ink, 3, cv2.LINE_AA)
            turn = np.arange(8) * np.pi / 4
            star = np.stack([np.cos(turn), np.sin(turn)], -1) * size * 0.7
            star[1::2] *= 0.4
            fill(floor, star + np.array([x, y]), half, style, ink)
        elif kind == "scene":
            wide, tall = round(size * UNIT), round(size * UNIT * rng.uniform(0.4, 1.4))
            part = floor[max(0, cy - tall) : cy + tall, max(0, cx - wide) : cx + wide]
            mask = cv2.resize(figure.astype(np.float32), part.shape[1::-1])
            part[:] = (part + (np.array(ink) - part) * mask[..., None]).astype(np.uint8)
        elif kind == "dots":
            for k in range(6):
                at = (round((x - 2.5 + k + MARGIN) * UNIT), cy)
                cv2.circle(floor, at, round(0.15 * UNIT), ink, -1, cv2.LINE_AA)
        else:
            for off in (-0.5, 0.5):
                line = np.array([(-2.9, off), (2.9, off), (2.9, off + 0.06), (-2.9, off + 0.06)])
                fill(floor, line + np.array([x, y]), half, style, ink)


def bar_details(top: Array, style: NardiStyle, rng: Rng) -> None:
    """The seam between the halves, hinges, an inlaid line around the field, worn corners."""
    case = style.case
    middle = 6 + case.bar / 2
    if case.seam:
        turn = style.case.misfit[0]
        gap, lean = case.seam / 2, np.sin(turn) * style.height / 2
        seam = np.array([
            (middle - gap, -MARGIN), (middle + gap - lean, -MARGIN),
            (middle + gap + lean, style.height + MARGIN), (middle - gap, style.height + MARGIN),
        ])  # fmt: skip
        fill(top, seam, 0, style, (12, 14, 18))
    if case.hinges:
        metal = np.array(rng.uniform(90, 220, 1)).repeat(3) * np.array([0.7, 0.9, 1.0])
        for share in (0.2, 0.8):
            y, wide = style.height * share, max(0.15, case.bar * 0.35)
            box = np.array([(-1, -0.5), (1, -0.5), (1, 0.5), (-1, 0.5)]) * np.array([wide, 0.9])
            fill(top, box + np.array([middle, y]), 0, style, metal.tolist())
    if rng.random() < 0.3 and case.rim > 0.2:
        ink, out = (np.array(style.points.ink) * 255).tolist(), case.rim * rng.uniform(0.2, 0.6)
        low, high = (MARGIN - out) * UNIT, (MARGIN + style.height + out) * UNIT
        left, right = (MARGIN - out) * UNIT, (MARGIN + style.width + out) * UNIT
        box = (round(left), round(low)), (round(right), round(high))
        cv2.rectangle(top, *box, ink, max(1, round(UNIT * rng.uniform(0.02, 0.08))))
    if rng.random() < 0.25 and case.rim > 0.2:
        mosaic(top, style, rng)
    if rng.random() < 0.5:
        worn = blur(rng.random((24, 24), np.float32), 1.5)
        worn = cv2.resize(worn, top.shape[1::-1])[..., None]
        top[:] = np.clip(top * (1 + (worn - 0.5) * 0.5), 0, 255).astype(np.uint8)


def mosaic(top: Array, style: NardiStyle, rng: Rng) -> None:
    """A band of small lozenges of two colours, inlaid in the frame all around and along the bar."""
    case = style.case
    wide = case.rim * rng.uniform(0.3, 0.8)
    off = case.rim / 2
    inks = [(np.array(m.colour) * 255).tolist() for m in (style.points.first, style.points.second)]
    lozenge = np.array([(-0.5, 0), (0, -0.5), (0.5, 0), (0, 0.5)]) * wide
    pitch = wide * rng.choice([0.75, 1.0, 1.5])
    for y in (-off, style.height + off):
        for k, x in enumerate(np.arange(-off, style.width + off, pitch)):
            fill(top, lozenge + np.array([x, y]), 0, style, inks[k % 2])
    columns = [-off, style.width + off]
    if case.bar > 1.5 * wide:
        columns += [6 + wide * 0.6, 6 + case.bar - wide * 0.6]
    for x in columns:
        for k, y in enumerate(np.arange(-off, style.height + off, pitch)):
            fill(top, lozenge + np.array([x, y]), 0, style, inks[k % 2])
