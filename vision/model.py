"""The network that reads squares."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from . import network
from .crops import BRIGHTEST, CHANNELS, DARKEST, LIFT, OFFSET, ROOM, SQUARE_PX
from .percept import CLASSES
from .ranks import RankModel

Floats = NDArray[np.float32]

#: What a square that is known can hold, in the order of a support's weights: empty dark,
#: empty light, man of the lighter side, man of the darker side, king of the lighter side, king of
#: the darker side.
KINDS = 6

#: What the network is made for; its card says the same.
INPUT = {
    "channels": CHANNELS,
    "square_px": SQUARE_PX,
    "room": ROOM,
    "lift": LIFT,
    "offset": OFFSET,
    "range": [DARKEST, BRIGHTEST],
}

#: Edge in pixels of the smallest board, of one square, which stands in where none is looked at.
_LEAST = round((1 + 2 * ROOM) * SQUARE_PX)

#: Log-probability of a piece from which its rank is asked for.
_TAKEN = np.log(0.2)


@dataclass(frozen=True, slots=True, eq=False)
class Support:
    """Squares whose contents are known: what the network compares with.

    Attributes:
        made: float32 (k, width), their descriptions.
        weights: float32 (k, KINDS), which kind each one is.
    """

    made: Floats
    weights: Floats


class SquareModel:
    """The loaded network, with the one that tells ranks if its card names one.

    Descriptions are those of both, side by side.

    Args:
        path: the ``.onnx`` file; its card lies beside it, and so does the other network.

    Raises:
        BadWeights: missing, changed, or made for other crops than these.
    """

    def __init__(self, path: Path) -> None:
        wanted = {"classes": CLASSES, "input": INPUT, "kinds": KINDS}
        self._session, card = network.load(path, wanted)
        self.sha256, self._width = str(card["sha256"]), int(card["width"])
        self.ranks = RankModel(path.with_name(str(card["ranks"]))) if card.get("ranks") else None
        self.width = self._width
        if self.ranks is not None:
            self.width += self.ranks.width
            both = self.sha256 + self.ranks.sha256
            self.sha256 = hashlib.sha256(both.encode()).hexdigest()

    def describe(self, pixels: Floats, lean: Floats) -> tuple[Floats, Floats]:
        """Descriptions of a board's squares, those of ranks left out, and the log-odds (m,) of
        being covered.

        Args:
            pixels: (CHANNELS, P, P), as ``crops.normalise`` makes them.
            lean: (m, 2), as ``crops.upright_lean`` gives it.
        """
        nothing = np.zeros((1, self._width), np.float32)
        made, covered = self._session.run(
            ["made", "covered"],
            {
                "boards": pixels[None],
                "lean": lean[None],
                "queries": nothing,
                "light": np.ones(1, np.float32),
                "support": nothing,
                "weights": np.zeros((1, KINDS), np.float32),
            },
        )
        return made[0], covered[0]

    def compare(self, made: Floats, light: Floats, support: Support) -> Floats:
        """Log-probabilities (m, 5) of all squares of one board.

        Args:
            made: (m, width), their descriptions.
            light: (m,), 1 for light squares.
            support: what is known of this set; may be empty.
        """
        scores = self.unranked(made, light, support)
        if self.ranks is None:
            return scores
        at, side, odds = self.rank_odds(scores, made, support)
        own = scores[at, 2 * side + 2] - scores[at, 2 * side + 1]
        return _with_ranks(scores, at, self.ranks.mixed(own, odds))

    def unranked(self, made: Floats, light: Floats, support: Support) -> Floats:
        """As ``compare``, but with the ranks that this network tells by itself."""
        known = len(support.made) > 0
        nothing = np.zeros((1, self._width), np.float32)
        (scores,) = self._session.run(
            ["scores"],
            {
                "boards": np.zeros((1, CHANNELS, _LEAST, _LEAST), np.float32),
                "lean": np.zeros((1, 1, 2), np.float32),
                "queries": made[:, : self._width],
                "light": light,
                "support": support.made[:, : self._width] if known else nothing,
                "weights": support.weights if known else np.zeros((1, KINDS), np.float32),
            },
        )
        return np.asarray(scores, np.float32)

    def rank_odds(
        self, scores: Floats, made: Floats, support: Support
    ) -> tuple[NDArray[np.intp], NDArray[np.intp], Floats]:
        """Which squares may hold a piece that was looked at closely, of which side it is (0 for
        the lighter one), and the log-odds of a king by the other network, which must be there."""
        assert self.ranks is not None
        sides = np.logaddexp(scores[:, [1, 3]], scores[:, [2, 4]])
        looked_at = made[:, self._width :].any(axis=1)
        (at,) = np.nonzero((sides.max(axis=1) > _TAKEN) & looked_at)
        side = sides[at].argmax(axis=1)
        known = support.made[:, self._width :]
        odds = self.ranks.log_odds(made[at, self._width :], side, known, support.weights[:, 2:])
        return at, side, odds


def _with_ranks(scores: Floats, at: NDArray[np.intp], odds: Floats) -> Floats:
    """The scores with these log-odds of a king on some squares, whichever side's it is."""
    out = scores.copy()
    sides = np.logaddexp(out[:, [1, 3]], out[:, [2, 4]])
    for kind in (0, 1):
        out[at, 1 + 2 * kind] = sides[at, kind] - np.logaddexp(0, odds)
        out[at, 2 + 2 * kind] = sides[at, kind] - np.logaddexp(0, -odds)
    return out


def nothing_known(width: int) -> Support:
    """The support of a board that nothing is known of."""
    return Support(np.zeros((0, width), np.float32), np.zeros((0, KINDS), np.float32))
