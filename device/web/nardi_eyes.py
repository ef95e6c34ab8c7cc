"""The eyes of a nardi board, which the set-up page may have learn a set."""

from __future__ import annotations

import numpy as np

from vision.calibrate import Refusal
from vision.frame import Frame
from vision.nardi.answer import Start, learn_start
from vision.nardi.locate import Locator, NotFound
from vision.nardi.perceiver import Looks, NardiPerceiver, looks_of
from vision.nardi.percept import NardiPercept
from vision.nardi.points import PointReader

from ..nardi.close_up import CloseUp, Take
from ..nardi.eyes import CORNER, FIELD, HALF, networks
from ..weights import weights_path

Corners = list[list[float]] | None


def are_here() -> bool:
    """Whether the networks are installed."""
    return all(weights_path(name).exists() for name in (FIELD, CORNER, HALF))


class NardiEyes:
    """A perceiver that can be taught the colours of a set.

    Args:
        locator: finds the field.
        reader: reads the points.
        dice: finds dice; None where dice are told by people.
        corners: (4, 2) pixels that a person gave.
    """

    def __init__(
        self, locator: Locator, reader: PointReader, dice: Looks | None, corners: Corners = None
    ) -> None:
        self._parts = locator, reader, dice
        self._corners = None if corners is None else np.array(corners, np.float64)
        self._perceiver = NardiPerceiver(locator, reader, dice, None, self._corners)
        self.refused = False

    def see(self, frame: Frame) -> NardiPercept:
        """What one frame says."""
        return self._perceiver.see(frame)

    def learn(self, points: tuple[str, ...]) -> None:
        """Take in contents that the game has confirmed."""
        self._perceiver.learn(points)

    def calibrate(self, frame: Frame) -> Start | Refusal:
        """Learn the colours from a frame with the start position."""
        locator, reader, dice = self._parts
        found = (
            locator.find(frame.image)
            if self._corners is None
            else locator.clicked(frame.image, self._corners)
        )
        if isinstance(found, NotFound):
            return Refusal(found.reason, "let the camera see the whole board, in light")
        made = learn_start(reader.read(frame.image, found))
        self.refused = isinstance(made, str)
        if isinstance(made, str):
            return Refusal(made, "set up the first position")
        self._perceiver = NardiPerceiver(locator, reader, dice, made.colours, self._corners)
        return made


def open_eyes(corners: Corners, take: Take) -> NardiEyes:
    """The eyes with their networks.

    Args:
        corners: (4, 2) pixels that a person gave.
        take: a part of the view in full resolution, for dice.

    Raises:
        BadWeights: a file that can't be used.
    """
    locator, reader, dice = networks()
    looks = None if dice is None else CloseUp(looks_of(dice), take)
    return NardiEyes(locator, reader, looks, corners)
