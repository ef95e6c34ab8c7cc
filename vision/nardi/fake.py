"""Percepts made up from a nardi position and dice: eyes for tests and simulations."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rules.nardi.board import Position

from .evidence import POINTS_OF
from .percept import COUNTS, POINTS, DieSeen, NardiPercept, quantise_counts


@dataclass(slots=True)
class FakeEyes:
    """Reads nardi boards as decent eyes would: singles surely, tall stacks about.

    Attributes:
        way: how the board lies, an index of POINTS_OF.
        seed: of the noise.
        surety: mean advantage of who really holds a point, nats.
        spread: standard deviation of the noise on that, nats.
        blur: checkers by which a stack of five is misjudged, standard deviation.
        taller: the same more, for each checker above five.
    """

    way: int = 0
    seed: int = 0
    surety: float = 9.0
    spread: float = 1.0
    blur: float = 0.25
    taller: float = 0.12
    _rng: np.random.Generator = field(init=False)
    _number: int = field(init=False, default=0)
    _bias: dict[tuple[int, int, float], float] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._rng = np.random.default_rng(self.seed)

    def see(
        self,
        position: Position,
        at_ns: int = 0,
        *,
        dice: Sequence[DieSeen] | None = (),
        misread: Mapping[int, tuple[float, float]] | None = None,
        dim: Collection[int] = (),
        covered: Collection[int] = (),
        loose: Sequence[tuple[float, float]] = (),
        motion: float = 0.0,
    ) -> NardiPercept:
        """The percept of a position.

        Args:
            position: what stands on the board; a point may hold both colours.
            at_ns: time of the frame.
            dice: those lying about; None when nobody looks.
            misread: point -> White's and Black's counts that are surely seen there instead; a tall
                stack of 10.5 may be ten or eleven.
            dim: points that can't be read.
            covered: points that something hides.
            loose: places of checkers on no point.
            motion: as in a percept.
        """
        logs = np.zeros((POINTS, 2, COUNTS))
        for point in range(1, POINTS + 1):
            truth = (position.white[point - 1], position.black[point - 1])
            shown = (misread or {}).get(point, truth)
            if point in dim or point in covered:
                logs[point - 1] = self._rng.normal(0.0, 0.3, (2, COUNTS))
                continue
            for side in (0, 1):
                logs[point - 1, side] = self._row(point, side, shown[side])
        logs -= np.log(np.exp(logs).sum(axis=-1, keepdims=True))
        order = np.array(POINTS_OF[self.way]) - 1
        places = {point: place for place, point in enumerate(POINTS_OF[self.way])}
        self._number += 1
        return NardiPercept(
            number=self._number - 1,
            at_ns=at_ns,
            geometry="found",
            corners=((0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0)),
            covered=tuple(sorted(places[point] for point in covered)),
            counts=quantise_counts(logs[order]),
            dice=None if dice is None else tuple(dice),
            loose=tuple(loose),
            motion=motion,
        )

    def _row(self, point: int, side: int, count: float) -> NDArray[np.float64]:
        """Log-likelihoods of one side's counts on a point."""
        surety = max(1.0, self._rng.normal(self.surety, self.spread))
        numbers = np.arange(COUNTS, dtype=np.float64)
        if count == 0:
            return np.where(numbers == 0, 0.0, -surety)
        sigma = self.blur + self.taller * max(0, count - 5)
        # how a stack looks stays for as long as it stands: every frame errs alike
        key = (point, side, count)
        if key not in self._bias:
            self._bias[key] = float(self._rng.normal(0.0, sigma if count > 5 else 0.0))
        looks = count + self._bias[key]
        about = -((numbers - looks) ** 2) / (2 * max(sigma, 0.25) ** 2)
        return np.where(numbers == 0, -surety, np.maximum(about, -surety))


def die(pips: int, x: float = 0.25, y: float = 0.5, **more: object) -> DieSeen:
    """A die that is seen surely; on the left half unless it lies elsewhere."""
    half = "left" if x < 0.5 else "right"
    if not (0 <= x <= 1 and 0 <= y <= 1):
        half = "off"
    fields: dict[str, object] = {"p": 0.99, "half": half, "size": 0.03, **more}
    return DieSeen(pips, centre=(x, y), **fields)  # type: ignore[arg-type]
