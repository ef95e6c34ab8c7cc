"""Dice that a stream shows too small: looked at once more in the camera's full resolution.

The stream stands still for a moment meanwhile, so it is done once for each throw, when the dice
have come to rest and some of them can't be read.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.dice import Die
from vision.nardi.perceiver import Looks

Box = tuple[int, int, int, int]
Image = NDArray[np.uint8]
Take = Callable[[Box], Image | None]

#: Seconds between two close-ups, at least.
EVERY_S = 5.0

#: More finds than this are no throw.
MOST = 4

#: A die lies where it lay when its middle moved by less than this share of its edge.
STILL = 0.25


def taker(camera: Callable[[], Any]) -> Take:
    """Asks the camera of the moment, if it has close-ups at all."""

    def take(box: Box) -> Image | None:
        close_up = getattr(camera(), "close_up", None)
        return None if close_up is None else close_up(box)

    return take


class CloseUp:
    """A finder of dice that takes a second look at those which it can't read.

    Args:
        looks: finds dice in a picture.
        take: a part of the view in full resolution, by its box in pixels of the frames; None where
            there is none to be had.
        now_s: monotonic seconds.
    """

    def __init__(
        self, looks: Looks, take: Take, now_s: Callable[[], float] = time.monotonic
    ) -> None:
        self._looks = looks
        self._take = take
        self._now_s = now_s
        self._last: tuple[Die, ...] = ()
        self._near: tuple[Die, ...] | None = None
        self._taken_s = -EVERY_S

    def __call__(self, image: Image, region: Box, edge: float) -> Sequence[Die]:
        """The dice in a region, of about that edge in pixels."""
        seen = tuple(self._looks(image, region, edge))
        rest = bool(seen) and _same(seen, self._last)
        self._last = seen
        if not rest:
            self._near = None
        elif self._near is None and self._worth_it(seen):
            self._taken_s = self._now_s()
            self._near = self._look_closer(seen, region, edge)
        return seen if self._near is None else [_both(die, self._near) for die in seen]

    def _worth_it(self, seen: tuple[Die, ...]) -> bool:
        unread = any(not die.pips for die in seen)
        return unread and len(seen) <= MOST and self._now_s() - self._taken_s >= EVERY_S

    def _look_closer(self, seen: tuple[Die, ...], region: Box, edge: float) -> tuple[Die, ...]:
        """The dice of the close-up, in pixels of the frame; none where there is no close-up."""
        boxes = np.array([die.box for die in seen])
        low = np.maximum(boxes[:, :2].min(0) - 2 * edge, region[:2]).astype(int)
        high = np.minimum(boxes[:, 2:].max(0) + 2 * edge, region[2:]).astype(int)
        box = (int(low[0]), int(low[1]), int(high[0]), int(high[1]))
        part = self._take(box)
        if part is None or not part.size:
            return ()
        tall, wide = part.shape[:2]
        grown = wide / (box[2] - box[0])
        found = self._looks(part, (0, 0, wide, tall), edge * grown)
        return tuple(replace(die, box=_placed(die.box, grown, box)) for die in found)


def _placed(found: Sequence[float], grown: float, box: Box) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = (value / grown for value in found)
    return (x0 + box[0], y0 + box[1], x1 + box[0], y1 + box[1])


def _same(seen: tuple[Die, ...], before: tuple[Die, ...]) -> bool:
    return len(seen) == len(before) and all(
        _gap(a, b) < STILL for a, b in zip(seen, before, strict=True)
    )


def _gap(a: Die, b: Die) -> float:
    """How far two dice lie apart, in edges of the first."""
    (x0, y0, x1, y1), other = a.box, b.box
    across = (x0 + x1 - other[0] - other[2]) / 2
    down = (y0 + y1 - other[1] - other[3]) / 2
    return float(np.hypot(across, down) / max(x1 - x0, y1 - y0))


def _both(die: Die, near: tuple[Die, ...]) -> Die:
    """A die as both looks tell it: what one can't read the other may, and neither is overruled."""
    found = [other for other in near if other.pips and _gap(die, other) < 0.5]
    if len(found) != 1 or found[0].pips == die.pips:
        return die
    if die.pips:
        return replace(die, pips=0, status="unsure")
    return replace(die, pips=found[0].pips, p=found[0].p, status="read")
