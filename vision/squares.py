"""What stands on every square of one picture."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from .crops import (
    CROP_PX,
    OFFSET,
    SQUARE_PX,
    crops,
    kinds_apart,
    light_field,
    light_parity,
    normalise,
    view_board,
)
from .geometry import BoardGeometry
from .model import KINDS, SquareModel, Support, nothing_known

Floats = NDArray[np.float32]

#: A square counts as hidden from this probability on.
COVERED = 0.5


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
    cut = normalise(crops(view), light_field(view, parity).reshape(-1, 3), view.tilt)
    made, log_odds = model.describe(cut)
    covered = (1 / (1 + np.exp(-log_odds))).astype(np.float32)
    low, high = CROP_PX // 2 - SQUARE_PX // 4, CROP_PX // 2 + SQUARE_PX // 4
    tone = np.median(cut[:, :3, low:high:2, low:high:2], axis=(2, 3))
    ground = np.log(cv2.cvtColor(view.ground, cv2.COLOR_BGR2GRAY).astype(np.float32) + OFFSET)
    return Seen(
        size=view.size,
        made=made,
        covered=covered,
        light=light,
        apart=kinds_apart(view, parity),
        tone=tone.astype(np.float32),
        tilt=view.tilt,
        ground=ground,
    )


def read(model: SquareModel, seen: Seen, support: Support | None = None) -> Floats:
    """Log-probabilities (m, 5), in the order of ``percept.CLASSES``.

    Without a support the board's own surest squares stand in for one.
    """
    if support is not None:
        return model.compare(seen.made, seen.light, support)
    alone = model.compare(seen.made, seen.light, nothing_known(model.width))
    return model.compare(seen.made, seen.light, _own_support(seen, alone))


#: Surest squares of each kind that stand in for a start position, and how sure they must be.
_OWN, _SURE = 6, np.log(0.6)


def _own_support(seen: Seen, scores: Floats) -> Support:
    kinds = np.stack(
        [
            np.where(seen.light == 0, scores[:, 0], -np.inf),
            np.where(seen.light == 1, scores[:, 0], -np.inf),
            scores[:, 1],
            scores[:, 3],
        ],
        axis=1,
    )
    weights = np.zeros((len(scores), KINDS), np.float32)
    for kind in range(KINDS):
        best = np.argsort(-kinds[:, kind])[:_OWN]
        weights[best, kind] = kinds[best, kind] > _SURE
    return Support(seen.made, weights)
