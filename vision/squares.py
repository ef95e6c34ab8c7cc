"""What stands on every square of one picture."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from .crops import (
    BRIGHTEST,
    DARKEST,
    OFFSET,
    ROOM,
    SQUARE_PX,
    kinds_apart,
    light_field,
    light_parity,
    normalise,
    upright,
    upright_lean,
    view_board,
)
from .geometry import BoardGeometry
from .men import cut_men, how_seen, in_light
from .model import SquareModel, Support, nothing_known

Floats = NDArray[np.float32]

#: A square counts as hidden from this probability on.
COVERED = 0.5

#: Probability of a man, by looks alone, from which a square is cut out sharper to tell his rank.
HELD = 0.02


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """All squares of one picture as the network describes them; m = size * size, row by row.

    Attributes:
        size: squares along one edge.
        made: float32 (m, width), descriptions.
        covered: float32 (m,), probability that something hides the square.
        light: float32 (m,), 1 for light squares.
        apart: float32 (3,), how light squares differ from dark ones.
        tone: float32 (m, 3), log colour of the middle of each square over the light there.
        tilt: how far the camera looks from the side; see ``crops.BoardView``.
        ground: float32 (size * GROUND_PX, size * GROUND_PX), log brightness of the board itself.
    """

    size: int
    made: Floats
    covered: Floats
    light: Floats
    apart: Floats
    tone: Floats
    tilt: float
    ground: Floats


def look(
    model: SquareModel,
    image: NDArray[np.uint8],
    geometry: BoardGeometry,
    apart: Floats | None = None,
) -> Seen:
    """Describe all squares.

    Args:
        model: the network.
        image: uint8 (H, W, 3) BGR.
        geometry: of the board in that picture.
        apart: that of the start position, when it is known.
    """
    view = view_board(image, geometry)
    parity = light_parity(view, apart)
    rows = np.add.outer(np.arange(view.size), np.arange(view.size))
    light = (rows.reshape(-1) % 2 == parity).astype(np.float32)
    field = light_field(view, parity)
    pixels = normalise(view, field)
    made, log_odds = model.describe(pixels, upright_lean(view))
    made, log_odds, tone = (
        upright(each, -view.turns) for each in (made, log_odds, _tone(pixels, view.size))
    )
    if model.ranks is not None:
        ranks = np.zeros((len(made), model.ranks.width), np.float32)
        (at,) = np.nonzero(_may_hold(model, made, light))
        if len(at):
            men = in_light(cut_men(image, geometry, view, at), field.reshape(-1, 3)[at])
            ranks[at] = model.ranks.describe(men, how_seen(view, geometry.square_px())[at])
        made = np.concatenate([made, ranks], axis=1)
    covered = (1 / (1 + np.exp(-log_odds))).astype(np.float32)
    ground = np.log(cv2.cvtColor(view.ground, cv2.COLOR_BGR2GRAY).astype(np.float32) + OFFSET)
    return Seen(
        size=view.size,
        made=made,
        covered=covered,
        light=light,
        apart=kinds_apart(view, parity),
        tone=tone,
        tilt=view.tilt,
        ground=ground,
    )


def _may_hold(model: SquareModel, made: Floats, light: Floats) -> NDArray[np.bool_]:
    """(m,): where a man may stand; only there is it worth the time to look closer."""
    empty = model.unranked(made, light, nothing_known(model.width))[:, 0]
    return np.asarray(empty < np.log1p(-HELD))


def _tone(pixels: Floats, n: int) -> Floats:
    """float32 (m, 3): log colour of the middle of each square over the light there, upright."""
    low, half = round((ROOM + 0.25) * SQUARE_PX), SQUARE_PX // 2
    inner = pixels[:, low : low + n * SQUARE_PX, low : low + n * SQUARE_PX]
    tiles = inner.reshape(3, n, SQUARE_PX, n, SQUARE_PX)[:, :, :half:2, :, :half:2]
    middle = np.median(tiles, axis=(2, 4)).reshape(3, n * n).T
    return np.asarray((middle * (BRIGHTEST - DARKEST) + BRIGHTEST + DARKEST) / 2, np.float32)


#: How bright red, green and blue of one strength look, of 1 in all (ITU-R BT.601).
_LUMA = np.array([0.299, 0.587, 0.114], np.float32)


def lightness(tone: Floats) -> Floats:
    """float32 (m,): log of how bright colours look; red and green of one mean are far apart.

    Args:
        tone: (m, 3), log red, green and blue.
    """
    return np.asarray(np.log(np.exp(tone) @ _LUMA), np.float32)


def read(model: SquareModel, seen: Seen, support: Support | None = None) -> Floats:
    """Log-probabilities (m, 5), in the order of ``percept.CLASSES``."""
    known = nothing_known(model.width) if support is None else support
    return model.compare(seen.made, seen.light, known)


#: Log-odds against a piece on a square of the colour that is not played on.  Men are knocked there
#: now and then, once in some hundred squares; what is really seen there counts far more.
STRAY = 2.0


def less_strays(scores: Floats, light: Floats, on_dark: bool) -> Floats:
    """Log-probabilities (m, 5), pieces being rare on squares that are not played on.

    Args:
        scores: (m, 5), by looks alone.
        light: (m,), 1 for light squares.
        on_dark: whether the game is played on the dark squares.
    """
    out = scores.copy()
    out[light == float(on_dark), 1:] -= STRAY
    return out - np.log(np.exp(out).sum(axis=1, keepdims=True))
