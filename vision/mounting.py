"""How well a camera is mounted, while a person moves it: each figure ok, or what to do about it.

Everything is measured on one picture and the board found in it.  The limits are those from which
on reading suffers, see models/evaluate/MOUNTING.md; ``python -m models.evaluate.mounting`` draws
the scenes and measures them again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from .crops import GROUND_PX, LIFT, OFFSET, BoardView, view_board
from .geometry import BoardGeometry
from .locate import NotFound
from .locate_planes import LOG, Pyramid

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
Name = Literal["board", "whole", "angle", "size", "sharpness", "light", "glare"]

#: Camera's angle from straight above, degrees: beyond it men hide what is behind them.
STEEPEST = 65.0
#: Edge of the smallest square, pixels.
SMALLEST = 18.0
#: Width of the step between two squares, in squares: blur by focus, movement or too few pixels.
SOFTEST = 0.18
#: Brightness of light squares, of 255, and the share of the board that may be at the limit.
DARKEST = 15.0
BRIGHTEST = 0.7
#: Share of the squares that a mirrored lamp or window washes out.
WASHED = 0.02
#: Squares between the board's corners and the picture's edge: men stand up over the squares.
ROOM = 0.0


@dataclass(frozen=True, slots=True)
class Check:
    """One figure of a mounting.

    Attributes:
        name: what was looked at.
        ok: whether it will do.
        value: as measured, in ``unit``.
        unit: of the value.
        advice: what to do, one sentence; empty when it is ok.
    """

    name: Name
    ok: bool
    value: float
    unit: str
    advice: str = ""

    def to_json(self) -> dict[str, Any]:
        """The check as JSON values."""
        return {
            "name": self.name,
            "ok": self.ok,
            "value": round(self.value, 3),
            "unit": self.unit,
            "advice": self.advice,
        }


@dataclass(frozen=True, slots=True)
class Figures:
    """What is measured of a board in a picture.

    Attributes:
        room: least distance of its corners from the picture's edge, squares; below 0 outside.
        tilt: of the camera from straight above, degrees.
        smallest: least edge of a square, pixels.
        softness: width of the step between two squares, squares.
        level: brightness of the light squares, 0 to 255.
        clipped: share of the board that is as bright as the camera can say.
        washed: share of the squares that glare washes out.
    """

    room: float
    tilt: float
    smallest: float
    softness: float
    level: float
    clipped: float
    washed: float


def check_mounting(image_bgr: Image, found: BoardGeometry | NotFound) -> tuple[Check, ...]:
    """What a person who mounts a camera wants to know of one picture.

    Args:
        image_bgr: uint8 (H, W, 3).
        found: the board in it, or why there is none; then that is all that can be said.
    """
    if isinstance(found, NotFound):
        level = float(np.percentile(image_bgr, 98))
        return (Check("board", False, level, "level", _to_find(found)),)
    f = measure(image_bgr, found)
    return (
        Check("board", True, found.residual, "squares"),
        _check("whole", f.room, "squares", f.room < ROOM, "the board is cut off: move the camera "
               "back or turn it until the whole board is in the picture"),
        _check("angle", f.tilt, "degrees", f.tilt > STEEPEST, "the camera looks too much from the "
               "side: mount it higher, or nearer to straight above the board"),
        _check("size", f.smallest, "pixels", f.smallest < SMALLEST, "the squares are too small: "
               "move the camera nearer, or set a larger picture"),
        _check("sharpness", f.softness, "squares", f.softness > SOFTEST, "the picture is blurred: "
               "focus the camera on the board, and mount it so that it does not shake"),
        _light(f),
        _check("glare", f.washed, "share", f.washed > WASHED, "a lamp or window is mirrored on "
               "the board: move the lamp, draw the curtain, or move the camera aside"),
    )  # fmt: skip


def to_json(checks: tuple[Check, ...]) -> dict[str, Any]:
    """Checks as one JSON object."""
    return {"v": 1, "ok": all(c.ok for c in checks), "checks": [c.to_json() for c in checks]}


def _check(name: Name, value: float, unit: str, bad: bool, advice: str) -> Check:
    return Check(name, not bad, value, unit, advice if bad else "")


def _light(f: Figures) -> Check:
    if f.clipped > BRIGHTEST:
        too_bright = "too bright: less light, or a shorter exposure"
        return Check("light", False, f.level, "level", too_bright)
    dark = f.level < DARKEST
    return _check("light", f.level, "level", dark, "too dark: more light on the board")


def _to_find(refused: NotFound) -> str:
    what = {
        "dark": "more light on the board",
        "blurred": "focus the camera on the board",
        "cut-off": "move the camera back or turn it until the whole board is in the picture",
        "size": "choose the game that is played on this board",
        "none": "turn the camera to the board; if it is there, lay corner markers: toreshi markers",
    }
    return f"{refused.reason}: {what[refused.why]}"


def measure(image_bgr: Image, geometry: BoardGeometry) -> Figures:
    """All figures of a board in a picture."""
    view = view_board(image_bgr, geometry)
    h, w = image_bgr.shape[:2]
    c = geometry.corners
    room = float(np.minimum(c, (w - 1, h - 1) - c).min() / geometry.square_px())
    levels = cv2.cvtColor(view.ground, cv2.COLOR_BGR2GRAY).astype(np.float64)
    level, washed = _colours(view)
    return Figures(
        room=room,
        tilt=float(np.degrees(np.arctan(view.tilt / LIFT))),
        smallest=_smallest(geometry),
        softness=softness(image_bgr, geometry),
        level=level,
        clipped=float((levels > 250).mean()),
        washed=washed,
    )


def _smallest(geometry: BoardGeometry) -> float:
    n = geometry.size
    at = geometry.to_image(np.stack(np.meshgrid(np.arange(n + 1), np.arange(n + 1)), axis=-1))
    across = np.hypot(*np.moveaxis(np.diff(at, axis=1), -1, 0))
    down = np.hypot(*np.moveaxis(np.diff(at, axis=0), -1, 0))
    return float(min(across.min(), down.min()))


def softness(image_bgr: Image, geometry: BoardGeometry) -> float:
    """Width of the step from a dark to a light square, in squares, the median over the board.

    It is the height of the step over its steepest slope; 1 when no edges show at all.
    """
    n = geometry.size
    plane = Pyramid(LOG[cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)])
    places, offset = np.array([0.12, 0.22, 0.78, 0.88]), np.linspace(-0.3, 0.3, 61)
    lines, cells = np.meshgrid(np.arange(1, n), np.arange(n), indexing="ij")
    shape = (*lines.shape, len(places), len(offset))
    on = np.broadcast_to(lines[..., None, None] + offset, shape)
    along = np.broadcast_to(cells[..., None, None] + places[:, None], shape)
    both = np.stack([np.stack([on, along], axis=-1), np.stack([along, on], axis=-1)])
    values = plane.sample(geometry.to_image(both), 0.1).reshape(-1, len(offset))
    values = values[np.isfinite(values).all(axis=1)]
    if not len(values):
        return 1.0
    height = np.abs(np.median(values[:, :15], axis=1) - np.median(values[:, -15:], axis=1))
    slope = np.abs(values[:, 4:] - values[:, :-4]).max(axis=1) / (4 * (offset[1] - offset[0]))
    clear = height > 0.5 * np.percentile(height, 90)
    if not clear.any():  # one tone all over
        return 1.0
    return float(min(1.0, np.median(height[clear] / np.maximum(slope[clear], 1e-6))))


def _colours(view: BoardView) -> tuple[float, float]:
    """Brightness of the light squares, 0 to 255, and the share of squares washed out by glare.

    Glare adds light to dark and light squares alike: they are brighter there than elsewhere and
    differ less.  A shadow or a lamp to one side leaves their ratio as it is.
    """
    n, g = view.size, GROUND_PX
    tiles = view.ground.reshape(n, g, n, g, 3).transpose(0, 2, 1, 3, 4).astype(np.float64)
    corners = np.stack([tiles[:, :, y, x] for y in (1, -2) for x in (1, -2)])
    colour = np.log(np.median(corners, axis=0) + OFFSET)
    odd = np.add.outer(np.arange(n), np.arange(n)) % 2 == 1
    first, second = (np.median(colour[kind], axis=0) for kind in (~odd, odd))
    apart = second - first
    unit = apart / max(float(apart @ apart), 1e-6)
    along = np.where(odd, 1.0, -1.0) * ((colour - (first + second) / 2) @ unit)
    rows = np.pad(along, 1, mode="reflect")
    # half of how much a square differs from its neighbours, against half of the usual
    around = (rows[:-2, 1:-1] + rows[2:, 1:-1] + rows[1:-1, :-2] + rows[1:-1, 2:]) / 4
    contrast = along + around
    usual = np.where(odd[..., None], second, first)
    brighter = (colour - usual).mean(axis=-1)
    lost = (contrast < FADED * np.median(contrast)) & (brighter > BRIGHTER)
    light = max((first, second), key=lambda c: float(c.mean()))
    return float(np.exp(light).mean() - OFFSET), float(lost.mean())


#: A square is washed out when it differs from its neighbours by less than this share of what is
#: usual on this board, and is brighter than others of its kind by this (log).
FADED, BRIGHTER = 0.6, 0.2
