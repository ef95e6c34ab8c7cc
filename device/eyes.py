"""The eyes as the application uses them: weights found, calibrated if they can be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from vision.calibrate import Calibration, Refusal, load_calibration
from vision.frame import Frame
from vision.model import SquareModel
from vision.perceiver import Perceiver
from vision.percept import Percept
from vision.pictures import read_picture

from .weights import weights_path

#: Time between two tries to calibrate on a board that waits for its first move.
TRY_NS = 1_000_000_000


class WatchingEyes:
    """A perceiver that calibrates itself when the start position stands on the board.

    Args:
        perceiver: the eyes.
        refused: a start picture was given, and nothing could be learned from it.
        learned: told when a set was learned from the board itself.
    """

    def __init__(
        self,
        perceiver: Perceiver,
        refused: bool = False,
        learned: Callable[[Calibration], None] = lambda made: None,
    ) -> None:
        self._perceiver = perceiver
        self.refused = refused
        self._told = learned
        self._tried_ns = -TRY_NS
        self._watching = False

    def see(self, frame: Frame) -> Percept:
        """What one frame says."""
        percept = self._perceiver.see(frame)
        if self._may_calibrate(percept):
            self._tried_ns = frame.at_ns
            made = self._perceiver.calibrate(frame)
            if isinstance(made, Calibration):
                self._told(made)
                return self._perceiver.see(frame)
        return percept

    def learn(self, grid: tuple[str, ...]) -> None:
        """Take in contents that the game has confirmed, rows in camera order."""
        self._watching = True
        self._perceiver.learn(grid)

    def keep_at(self, path: Path) -> None:
        """Keep what is known of the set in a file: now, and whenever it is learned anew."""
        if self._perceiver.calibration is not None:
            self._perceiver.calibration.save(path)
        self._told = lambda made: made.save(path)

    def _may_calibrate(self, percept: Percept) -> bool:
        known = self._perceiver.calibration is not None or self._watching
        visible = percept.geometry != "lost" and not percept.covered
        return not known and visible and percept.at_ns - self._tried_ns >= TRY_NS


def open_eyes(
    size: int,
    weights: Path | None = None,
    start: Path | None = None,
    calibration: Path | None = None,
    warn: Callable[[str], None] = lambda line: None,
) -> WatchingEyes:
    """The eyes for a board of ``size`` squares along an edge.

    Args:
        size: 8 or 10.
        weights: the network; the one of the package if None.
        start: a picture of the same set in its start position, to calibrate on.
        calibration: what an earlier calibration wrote.
        warn: told why ``start`` teaches nothing; the eyes go on with what they know of all sets,
            surer of less.

    Raises:
        BadPicture, BadCalibration, BadWeights: a file that can't be used.
    """
    model = SquareModel(weights or weights_path())
    learned: Calibration | Refusal | None = None
    if calibration is not None:
        learned = load_calibration(calibration, model, size)
    elif start is not None:
        learned = Perceiver(size, model).calibrate(read_picture(start))
    if isinstance(learned, Refusal):
        warn(f"{start}: {learned.reason}; {learned.remedy}; legal moves are followed, no alarms")
        return WatchingEyes(Perceiver(size, model), refused=True)
    return WatchingEyes(Perceiver(size, model, learned))
