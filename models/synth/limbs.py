"""Draws hands over a finished picture, and says what they hide."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from .arrays import Array, Vector, blur, clouds, dot, unit, unit_vector
from .camera import Camera
from .discs import Setting
from .hand import Capsule, Coat, Hand, outline
from .light import arriving, mirror, source_angle
from .shade import COARSE, REACH

#: Hands are drawn at half the picture's size: they are smooth, and seldom still.
HALF = 2
#: Limbs nearer to the lens than this are not drawn, squares.
NEAREST = 0.6


@dataclass(frozen=True, slots=True, eq=False)
class Canvas:
    """Surface of the hand nearest the camera, arrays (h, w) at half size from a corner on."""

    corner: tuple[int, int]
    near: Array
    alpha: Array
    normal: Array  # (h, w, 3): image right, image down, towards the scene
    coat: Array
    nail: Array


def draw_hand(picture: Array, hand: Hand, setting: Setting) -> Array:
    """Draw a hand into a linear picture; its coverage, float32 (H, W), 0 to 1."""
    camera = setting.camera
    hidden = np.zeros(picture.shape[:2], np.float32)
    left, top, right, bottom = box_of(hand, camera)
    if right - left < 2 or bottom - top < 2:
        return hidden
    shape = (bottom - top, right - left)
    canvas = Canvas(
        (left, top), np.full(shape, -1e9, np.float32), np.zeros(shape, np.float32),
        np.zeros((*shape, 3), np.float32), np.zeros(shape, np.uint8), np.zeros(shape, np.float32),
    )
    for capsule in hand.capsules:
        add_capsule(canvas, capsule, camera)
    colour = shade_hand(canvas, hand, setting)
    patch = np.dstack([colour * canvas.alpha[..., None], canvas.alpha]).astype(np.float32)
    patch = smeared(patch, hand.smear)
    full = cv2.resize(patch, (shape[1] * HALF, shape[0] * HALF))
    area = (
        slice(top * HALF, min(bottom * HALF, camera.height)),
        slice(left * HALF, min(right * HALF, camera.width)),
    )
    full = full[: area[0].stop - area[0].start, : area[1].stop - area[1].start]
    cover = np.ascontiguousarray(full[..., 3])
    hidden[area] = cover
    part = picture[area]
    part *= cv2.merge([1 - cover] * 3)
    part += full[..., :3]
    return hidden


def box_of(hand: Hand, camera: Camera) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of a hand in the half-size picture."""
    ends = np.array([p for c in hand.capsules for p in (c.start, c.end)])
    radii = np.array([r for c in hand.capsules for r in (c.start_radius, c.end_radius)])
    depth = (ends - np.array(camera.position)) @ np.array(camera.axes)[2]
    before = depth > NEAREST
    if not before.any():
        return 0, 0, 0, 0
    seen = camera.project_ideal(ends[before]) / HALF
    reach = (radii[before] * camera.focal / depth[before] / HALF)[:, None]
    reach = reach + 3 + np.abs(hand.smear).max() / HALF
    low, high = (seen - reach).min(0), (seen + reach).max(0)
    width, height = -(-camera.width // HALF), -(-camera.height // HALF)
    return (
        int(np.clip(low[0], 0, width)), int(np.clip(low[1], 0, height)),
        int(np.clip(high[0], 0, width)), int(np.clip(high[1], 0, height)),
    )


def smeared(patch: Array, smear: tuple[float, float]) -> Array:
    """The patch blurred along its movement, given in whole-picture pixels."""
    length = float(np.hypot(*smear)) / HALF
    if length < 1.5:
        return blur(patch, 0.6)
    edge = int(length) * 2 + 3
    kernel = np.zeros((edge, edge), np.uint8)
    middle = edge // 2
    off = (round(smear[0] / HALF / 2), round(smear[1] / HALF / 2))
    cv2.line(kernel, (middle - off[0], middle - off[1]), (middle + off[0], middle + off[1]), 255, 1)
    return cv2.filter2D(patch, -1, kernel.astype(np.float32) / float(kernel.sum()))


def add_capsule(canvas: Canvas, capsule: Capsule, camera: Camera) -> None:
    """Lay one capsule over what the canvas has where it is nearer to the camera."""
    points = np.array([capsule.start, capsule.end])
    seen = camera.project_ideal(points) / HALF - np.array(canvas.corner)
    depth = (points - np.array(camera.position)) @ np.array(camera.axes)[2]
    if depth.min() < NEAREST:
        return
    scale = camera.focal / depth / HALF
    size = np.array([capsule.start_radius, capsule.end_radius]) * scale
    margin = size.max() + 2
    x0, y0 = np.maximum(np.floor(seen.min(0) - margin), 0).astype(int)
    x1, y1 = np.ceil(seen.max(0) + margin).astype(int)
    area = (slice(y0, min(y1, canvas.near.shape[0])), slice(x0, min(x1, canvas.near.shape[1])))
    near = canvas.near[area]
    if not near.size:
        return
    px = np.arange(x0, x0 + near.shape[1], dtype=np.float32)[None, :] - np.float32(seen[0, 0])
    py = np.arange(y0, y0 + near.shape[0], dtype=np.float32)[:, None] - np.float32(seen[0, 1])
    way = (seen[1] - seen[0]).astype(np.float32)
    length2 = max(float(way @ way), 1e-3)
    t = np.clip((px * way[0] + py * way[1]) / length2, 0, 1)
    dx, dy = px - t * way[0], py - t * way[1]
    radius = size[0].astype(np.float32) + t * np.float32(size[1] - size[0])
    off = np.sqrt(dx * dx + dy * dy)
    rise = np.sqrt(np.maximum(1 - (off / radius) ** 2, 0))
    thick = capsule.start_radius + t * (capsule.end_radius - capsule.start_radius)
    nearness = (-(depth[0] + t * (depth[1] - depth[0])) + rise * thick).astype(np.float32)
    alpha = np.clip(radius - off + 0.5, 0, 1)
    front = (alpha > 0.02) & (nearness > near)
    near[front] = nearness[front]
    canvas.normal[area][front] = np.stack([dx / radius, dy / radius, -rise], -1)[front]
    canvas.coat[area][front] = capsule.coat
    nail = (t > 0.62) & (rise > 0.72) if capsule.nail else np.zeros_like(front)
    canvas.nail[area][front] = nail[front]
    np.maximum(canvas.alpha[area], alpha, out=canvas.alpha[area])


def shade_hand(canvas: Canvas, hand: Hand, setting: Setting) -> Array:
    """Linear colours (h, w, 3) of the canvas."""
    camera, light = setting.camera, setting.light
    axes = np.array(camera.axes, np.float32)
    soft = unit(cv2.GaussianBlur(canvas.normal, (5, 5), 1.4) @ axes)
    normal: Vector = (soft[..., 0], soft[..., 1], soft[..., 2])
    middle = np.mean([c.end for c in hand.capsules if c.coat == 0][:6], 0)
    view = unit(np.array(camera.position) - middle)
    facing = np.clip(dot(normal, tuple(view)), 0, 1)
    colour = albedo(canvas, hand.coats)
    skin = np.array([c.skin for c in hand.coats], np.float32)[canvas.coat]
    gloss = np.array([c.gloss for c in hand.coats], np.float32)[canvas.coat]
    rough = np.array([c.roughness for c in hand.coats], np.float32)[canvas.coat]
    open_sky = 0.5 + 0.5 * normal[2]
    lit = (0.3 + 0.7 * open_sky)[..., None] * np.array(light.ambient, np.float32)
    shine = np.zeros_like(colour)
    for source in light.sources:
        towards, strength = arriving(source, middle, setting.style.size, camera)
        cosine = dot(normal, tuple(towards))
        wrapped = np.maximum((cosine + 0.25 * skin) / (1 + 0.25 * skin), 0) * float(strength)
        angle = float(source_angle(source, middle, setting.style.size, camera))
        half = unit_vector(tuple((towards + view).astype(np.float32)))
        glare = mirror(dot(normal, half), facing, rough, angle) * gloss * float(strength)
        tint = np.array(source.colour, np.float32)
        lit += wrapped[..., None].astype(np.float32) * tint
        shine += (glare * (cosine > 0))[..., None].astype(np.float32) * tint
    return np.asarray(colour * lit + shine, np.float32)


def albedo(canvas: Canvas, coats: tuple[Coat, ...]) -> Array:
    """Linear albedo (h, w, 3): mottled skin, nails, cloth with folds."""
    rng = np.random.default_rng(7)
    height, width = canvas.near.shape
    spots = clouds((height, width), (height / 9, width / 9), rng, 2) - 0.5
    colour: Array = np.array([c.colour for c in coats], np.float32)[canvas.coat]
    mottled = np.array([c.mottled for c in coats], np.float32)[canvas.coat]
    colour = colour * (1 + mottled * spots * 2)[..., None]
    colour = colour + (np.array([0.80, 0.80, 0.90], np.float32) - colour) * (
        0.35 * canvas.nail[..., None]
    )
    return np.asarray(np.square(np.clip(colour, 0, 1)), np.float32)


def limb_shadow(big: Array, hand: Hand, slant: Array, softness: float) -> Array:
    """A source's coarse shade map with the hand's shadow in it.

    ``slant`` is the shift of shadows for each height, ``softness`` half the angle of the source.
    """
    mask = np.zeros(big.shape, np.uint8)
    heights = []
    for capsule in hand.capsules:
        shape = (outline(capsule, slant) + REACH) * COARSE - 0.5
        hull = cv2.convexHull(np.clip(shape, -4000, 4000).astype(np.float32)).reshape(-1, 2)
        cv2.fillConvexPoly(mask, np.rint(hull * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
        heights.append(capsule.end[2])
    sigma = max(0.7, softness * float(np.mean(heights)) * COARSE)
    return np.asarray(big * (1 - blur(mask.astype(np.float32) / 255, sigma)))
