"""What light, lenses and other sets do to a board, done to sheets in memory.

All of it happens before the light is measured, so that the network meets what the measuring makes
of it, mistakes included.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops import ROOM, BoardView

from .sheets import Sheet

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Paint:
    """A change of all colours of a set and its board, the same in all its pictures."""

    matrix: Floats
    gamma: float

    def __call__(self, bgr: Floats) -> Floats:
        """Colours (..., 3) from 0 to 1, changed."""
        toned = np.clip(bgr, 0, 1) ** np.float32(self.gamma)
        return np.asarray(np.clip(toned @ self.matrix.T, 0, 1), np.float32)


def sample_paint(rng: np.random.Generator) -> Paint:
    """Mix and permute the channels a little or a lot; brightness order is kept on average."""
    eye = np.eye(3, dtype=np.float32)
    if rng.random() < 0.35:
        return Paint(eye, 1.0)
    mixed = eye[rng.permutation(3)] if rng.random() < 0.5 else eye
    grey = np.full((3, 3), 1 / 3, np.float32)
    saturation = rng.uniform(0.3, 1.6)
    mixed = grey + (mixed - grey) * np.float32(saturation)
    return Paint(mixed.astype(np.float32), float(rng.uniform(0.75, 1.35)))


def mirrored(sheet: Sheet) -> Sheet:
    """The sheet as a mirror shows it, left for right."""
    n, view = sheet.view.size, sheet.view
    labels = sheet.labels.reshape(n, n)[:, ::-1].reshape(-1)
    turns = (-view.turns) % 4
    lean = (view.lean.reshape(n, n, 2)[:, ::-1] * np.array([-1, 1], np.float32)).reshape(-1, 2)
    flipped = replace(
        view, lifted=view.lifted[:, ::-1], ground=view.ground[:, ::-1], turns=turns, lean=lean
    )
    light = (sheet.light + n - 1) % 2
    show = sheet.show.reshape(n, n)[:, ::-1].reshape(-1)
    return replace(sheet, view=flipped, labels=labels, light=light, show=show)


def changed_light(sheet: Sheet, paint: Paint, rng: np.random.Generator) -> BoardView:
    """The board in other light, or, nearly as often, only painted over."""
    view = sheet.view
    if rng.random() < 0.4:
        lifted, ground = (
            (paint(p * np.float32(1 / 255)) * 255).astype(np.uint8)
            for p in (view.lifted, view.ground)
        )
        return replace(view, lifted=lifted, ground=ground)
    return relit(view, paint, rng, sheet.labels > 0)


def relit(
    view: BoardView, paint: Paint, rng: np.random.Generator, men: NDArray[np.bool_]
) -> BoardView:
    """The board in another light, through another lens and sensor.

    ``men`` (size * size,) says on which squares something stands that may shine.
    """
    n = view.size
    lifted = paint(view.lifted * np.float32(1 / 255))
    ground = paint(view.ground * np.float32(1 / 255))
    if rng.random() < 0.3:
        lifted = _sheen(lifted, men.reshape(n, n), rng)
    light = _illumination(n, rng)
    gains = np.exp(rng.normal(0, 0.08, 3)).astype(np.float32) * np.float32(
        np.exp(rng.normal(0, 0.3))
    )
    glare = _glare(n, rng) if rng.random() < 0.35 else None
    haze = np.float32(rng.uniform(0, 0.12) if rng.random() < 0.3 else 0.0)
    # what a sensor and its tone curve make black, in deep shade all of a dark square and its man
    crush = np.float32(rng.uniform(0.01, 0.1) if rng.random() < 0.35 else 0.0)
    out = []
    for picture, room in ((lifted, ROOM), (ground, 0.0)):
        field = _spread(light, n, room, picture.shape[0])
        lit = picture * field * gains
        if glare is not None:
            lit = lit + _spread(glare, n, room, picture.shape[0])
        black = np.float32(crush * gains.mean())
        lit = (lit * (1 - haze) + haze - black) / (1 - black)
        out.append(np.clip(lit, 0.0, 1.0))
    return replace(view, lifted=_sensor(out[0], rng), ground=(out[1] * 255).astype(np.uint8))


_FIELD_PX = (
    8  # samples a square of the smooth light fields, which reach one square beyond the board
)


def _spread(field: Floats, n: int, room: float, side: int) -> Floats:
    """A field of _FIELD_PX a square and one square of room, as seen on a picture of the board."""
    axis = (-room + (np.arange(side) + 0.5) * (n + 2 * room) / side + 1) * _FIELD_PX - 0.5
    at = axis.astype(np.float32)
    x, y = np.meshgrid(at, at)
    return np.asarray(cv2.remap(field, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def _places(n: int) -> tuple[Floats, Floats]:
    axis = ((np.arange((n + 2) * _FIELD_PX) + 0.5) / _FIELD_PX - 1) / n
    x, y = np.meshgrid(axis.astype(np.float32), axis.astype(np.float32))
    return x, y


def _illumination(n: int, rng: np.random.Generator) -> Floats:
    """Smooth light with a slope, a lamp's spot and shadows, some of them nearly black."""
    x, y = _places(n)
    slope = rng.normal(0, 0.25, 2)
    field = np.exp(slope[0] * (x - 0.5) + slope[1] * (y - 0.5))
    if rng.random() < 0.3:
        cx, cy, r = rng.uniform(-0.2, 1.2), rng.uniform(-0.2, 1.2), rng.uniform(0.3, 0.9)
        field = field * (
            1 + rng.uniform(0.2, 1.2) * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / r**2)
        )
    colour = np.ones(3, np.float32)
    field = field[..., None] * colour
    for _ in range(int(rng.choice([0, 1, 2, 3], p=[0.4, 0.3, 0.2, 0.1]))):
        field = field * (1 - _shade(x, y, rng)[..., None] * (1 - _shade_tint(rng)))
    return np.asarray(field, np.float32)


def _shade(x: Floats, y: Floats, rng: np.random.Generator) -> Floats:
    """0 to 1: where one shadow lies: half of the room, a bar of a window, somebody's head."""
    angle, at = rng.uniform(0, 2 * np.pi), rng.uniform(-0.4, 0.4)
    across = np.cos(angle) * (x - 0.5) + np.sin(angle) * (y - 0.5) - at
    along = -np.sin(angle) * (x - 0.5) + np.cos(angle) * (y - 0.5) - rng.uniform(-0.4, 0.4)
    edge = across
    if rng.random() < 0.5:  # a bar, which may end on the board
        edge = np.maximum(np.abs(across) - rng.uniform(0.03, 0.25), along)
    elif rng.random() < 0.4:
        wide, long = rng.uniform(0.05, 0.4, 2)
        edge = (np.hypot(across / wide, along / long) - 1) * min(wide, long)
    soft = np.exp(rng.uniform(np.log(0.003), np.log(0.1)))
    return np.asarray(1 / (1 + np.exp(np.clip(edge / soft, -30, 30))), np.float32)


def _shade_tint(rng: np.random.Generator) -> Floats:
    """float32 (3,): light that is left in a shadow, at times that of a blue sky alone."""
    left = np.exp(rng.uniform(np.log(0.12), np.log(0.9)))
    colour = np.exp(rng.normal(0, 0.05, 3) + rng.exponential(0.06) * np.array([1, 0, -1]))
    return np.asarray(np.minimum(left * colour, 1), np.float32)


def _glare(n: int, rng: np.random.Generator) -> Floats:
    """Lamps and windows mirrored in the board: soft bright patches."""
    x, y = _places(n)
    out = np.zeros_like(x)
    for _ in range(rng.integers(1, 4)):
        cx, cy = rng.uniform(0, 1, 2)
        angle, r1, r2 = rng.uniform(0, np.pi), rng.uniform(0.03, 0.3), rng.uniform(0.03, 0.2)
        u = (np.cos(angle) * (x - cx) + np.sin(angle) * (y - cy)) / r1
        v = (-np.sin(angle) * (x - cx) + np.cos(angle) * (y - cy)) / r2
        power = rng.choice([1.0, 3.0])
        out += rng.uniform(0.1, 0.6) * np.exp(-((u**2 + v**2) ** power))
    tint = np.exp(rng.normal(0, 0.05, 3)).astype(np.float32)
    return np.asarray(out[..., None] * tint, np.float32)


def _sheen(picture: Floats, men: NDArray[np.bool_], rng: np.random.Generator) -> Floats:
    """The tops of some men beside each other mirror a window: dark ones look silvery there."""
    n = len(men)
    x, y = np.meshgrid(np.arange(n) + 0.5, np.arange(n) + 0.5)
    cx, cy, reach = rng.uniform(0, n), rng.uniform(0, n), rng.uniform(1, n / 2)
    shining = men & (np.hypot(x - cx, y - cy) < reach) & (rng.random((n, n)) < 0.8)
    strength = rng.uniform(0.15, 0.75)
    colour = np.array([1.0, 0.97, 0.93]) * rng.uniform(0.7, 1.0)
    mask = np.zeros(picture.shape[:2], np.float32)
    scale = picture.shape[0] / (n + 2 * ROOM)
    for row, col in np.argwhere(shining):
        middle = (np.array([col, row]) + 0.5 + ROOM + rng.normal(0, 0.06, 2)) * scale
        axes = rng.uniform(0.12, 0.36, 2) * scale
        turn = float(rng.uniform(0, 180))
        at, size = (int(middle[0]), int(middle[1])), (int(axes[0]), int(axes[1]))
        cv2.ellipse(mask, at, size, turn, 0, 360, float(rng.uniform(0.5, 1)), -1)
    mask = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.6, 3)))[..., None] * strength
    return np.asarray(picture + (colour - picture) * mask, np.float32)


def _sensor(picture: Floats, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Blur, noise and JPEG."""
    if rng.random() < 0.5:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 1.3)).astype(np.float32)
    if rng.random() < 0.5:
        noise = rng.standard_normal(picture.shape, np.float32) * np.float32(rng.uniform(0, 0.03))
        picture = picture + noise
    whole = np.clip(picture * 255, 0, 255).astype(np.uint8)
    if rng.random() < 0.3:
        flags = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 90))]
        code = cv2.imencode(".jpg", whole, flags)[1]
        return np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)
    return whole
