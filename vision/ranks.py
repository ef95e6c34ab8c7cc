"""The network that tells kings from men."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from . import network
from .men import MAN_PX, UP, WIDE

Floats = NDArray[np.float32]

#: What a man can be to the network: asked about, known as a man, known as a king; and of which
#: side.  A role is written as six numbers, in the order of these for the lighter side, then for the
#: darker one.
ASKED, MAN, KING = 0, 1, 2
ROLES = 6

#: What the network is made for; its card says the same.
INPUT = {"man_px": MAN_PX, "wide": WIDE, "up": UP}


def roles_of(side: NDArray[np.intp], what: NDArray[np.intp]) -> Floats:
    """float32 (t, ROLES).

    Args:
        side: (t,), 0 for the lighter side, 1 for the darker.
        what: (t,), ASKED, MAN or KING.
    """
    return np.asarray(np.eye(ROLES, dtype=np.float32)[side * 3 + what])


#: Men of each kind that are known which are looked at, at most.
_KNOWN = 10


class RankModel:
    """The loaded network.

    Args:
        path: the ``.onnx`` file; its card lies beside it.

    Raises:
        BadWeights: missing, changed, or made for other cuts than these.
    """

    def __init__(self, path: Path) -> None:
        self._session, card = network.load(path, {"input": INPUT, "roles": ROLES})
        self.sha256 = str(card["sha256"])
        self.width = int(card["width"])
        self._mix = tuple(float(x) for x in card["mix"])

    def describe(self, men: Floats, how: Floats) -> Floats:
        """Descriptions (m, width) of men, or of squares on which one may stand.

        Args:
            men: (m, 3, MAN_PX, MAN_PX), as ``men.in_light`` makes them.
            how: (m, 2), as ``men.how_seen`` gives it.
        """
        nothing = np.zeros((1, self.width), np.float32)
        (made,) = self._session.run(
            ["described"],
            {"men": men, "how": how, "made": nothing, "roles": np.zeros((1, ROLES), np.float32)},
        )
        return np.asarray(made, np.float32)

    def log_odds(
        self, made: Floats, side: NDArray[np.intp], known: Floats, kinds: Floats
    ) -> Floats:
        """Log-odds (m,) that men are kings, beside each other and beside those that are known.

        Args:
            made: (m, width), descriptions of the men of one picture; may be none.
            side: (m,), 0 for the lighter side, 1 for the darker.
            known: (k, width), descriptions of others.
            kinds: (k, 4), 1 for what each of those is: a man of the lighter side, of the darker
                one, a king of the lighter side, of the darker one; 0 everywhere for none of these.
        """
        if not len(made):
            return np.zeros(0, np.float32)
        seen = (kinds > 0) & known.any(axis=1, keepdims=True)  # looked at closely, too
        used = seen & (np.cumsum(seen, axis=0) <= _KNOWN)
        at, kind = np.nonzero(used)
        roles = [
            roles_of(side, np.full(len(made), ASKED)),
            roles_of(kind % 2, np.where(kind < 2, MAN, KING)),
        ]
        (odds,) = self._session.run(
            ["king"],
            {
                "men": np.zeros((1, 3, MAN_PX, MAN_PX), np.float32),
                "how": np.zeros((1, 2), np.float32),
                "made": np.concatenate([made, known[at]]),
                "roles": np.concatenate(roles),
            },
        )
        return np.asarray(odds[: len(made)], np.float32)

    def mixed(self, own: Floats, odds: Floats) -> Floats:
        """Log-odds (m,) from those of the reader of squares and of this network.

        They see the same men at another sharpness and err on other ones.
        """
        first, second, bias = self._mix
        return np.asarray(first * own + second * odds + bias, np.float32)
