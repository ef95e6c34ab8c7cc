"""Whether a running camera still shows the world: pictures that stand still, are empty, or stop.

A sensor's noise changes every picture a little.  One that is equal to the one before, for seconds,
was not taken now; one without any difference inside it shows nothing.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SECOND_NS = 1_000_000_000

#: Every so many pixels are compared.
_STEP = 16

#: A picture whose lightest and darkest pixels differ by no more than this shows nothing.
_FLAT = 2


class Doubt:
    """Looks at pictures one after the other and says what is wrong with the camera.

    Args:
        frozen_ns: a picture that stays the same for so long isn't live.
        flat_ns: one of a single tone, for so long, shows nothing.
    """

    def __init__(self, frozen_ns: int = 5 * SECOND_NS, flat_ns: int = 5 * SECOND_NS) -> None:
        self._frozen_ns, self._flat_ns = frozen_ns, flat_ns
        self._last: NDArray[np.uint8] | None = None
        self._same_since_ns = 0
        self._flat_since_ns: int | None = None

    def about(self, image: NDArray[np.uint8], at_ns: int) -> str:
        """What is wrong, in words; empty when nothing is.

        Args:
            image: uint8 (H, W) or (H, W, C).
            at_ns: monotonic time.
        """
        probe = image[::_STEP, ::_STEP].copy()
        if self._last is None or not np.array_equal(probe, self._last):
            self._last, self._same_since_ns = probe, at_ns
        low, high = int(probe.min()), int(probe.max())
        if high - low > _FLAT:
            self._flat_since_ns = None
        elif self._flat_since_ns is None:
            self._flat_since_ns = at_ns
        if self._flat_since_ns is not None and at_ns - self._flat_since_ns >= self._flat_ns:
            return "the picture is of one tone: is the lens covered?"
        if at_ns - self._same_since_ns >= self._frozen_ns:
            return "the picture stands still"
        return ""


@dataclass(frozen=True, slots=True)
class Pace:
    """How often pictures came lately.

    Attributes:
        fps: pictures a second, over the last ones; 0 when there were none.
        age_s: seconds since the last one; infinite before the first.
    """

    fps: float
    age_s: float


class Meter:
    """Counts pictures.

    Args:
        over: how many of the last ones the rate is taken from.
        stale_s: without a picture for so long there is no rate to speak of.
    """

    def __init__(self, over: int = 20, stale_s: float = 10.0) -> None:
        self._times: deque[int] = deque(maxlen=over)
        self._stale_s = stale_s

    def took(self, at_ns: int) -> None:
        """A picture came at this monotonic time."""
        self._times.append(at_ns)

    def pace(self, now_ns: int) -> Pace:
        """The pace as it is now."""
        if not self._times:
            return Pace(0.0, float("inf"))
        age_s = (now_ns - self._times[-1]) / SECOND_NS
        spent_s = (self._times[-1] - self._times[0]) / SECOND_NS
        if age_s > self._stale_s or spent_s <= 0:
            return Pace(0.0, age_s)
        return Pace((len(self._times) - 1) / spent_s, age_s)
