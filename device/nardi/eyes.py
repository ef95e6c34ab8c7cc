"""The eyes of a nardi board as the application uses them: weights found, the set learned."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from vision.dice_model import DiceModel
from vision.nardi.answer import learn_start
from vision.nardi.locate import Locator, NotFound
from vision.nardi.model import CornerModel, FieldModel, HalfModel
from vision.nardi.perceiver import NardiPerceiver, looks_of
from vision.nardi.points import PointReader
from vision.nardi.sides import Colours
from vision.pictures import read_picture

from ..weights import weights_path
from .close_up import CloseUp, Take

#: Files of the networks.
FIELD, CORNER, HALF = "nardi_field.onnx", "nardi_corner.onnx", "nardi_half.onnx"
DICE = "dice.onnx"


def networks() -> tuple[Locator, PointReader, DiceModel | None]:
    """What finds the field, what reads points, and what reads dice where it is installed.

    Raises:
        BadWeights: a file that can't be used.
    """
    locator = Locator(FieldModel(weights_path(FIELD)), CornerModel(weights_path(CORNER)))
    place = weights_path(DICE)
    dice = DiceModel(place) if place.exists() else None
    return locator, PointReader(HalfModel(weights_path(HALF))), dice


def open_eyes(
    start: Path | None = None,
    warn: Callable[[str], None] = lambda line: None,
    take: Take = lambda box: None,
) -> tuple[NardiPerceiver, bool]:
    """The eyes, and whether a start picture was given in vain.

    Args:
        start: a picture of the same set in its start position, to learn its colours from.
        warn: told why it teaches nothing.
        take: a part of the camera's view in full resolution, for dice; None where it has none.

    Raises:
        BadPicture, BadWeights: a file that can't be used.
    """
    locator, reader, model = networks()
    dice = None if model is None else CloseUp(looks_of(model), take)
    if dice is None:
        warn("no network for dice: tell each roll by the command roll")
    colours, refused = None, False
    if start is not None:
        learned = _learned(locator, reader, start)
        refused = isinstance(learned, str)
        if isinstance(learned, Colours):
            colours = learned
        else:
            warn(f"{start}: {learned}; legal turns are followed, no alarms")
    return NardiPerceiver(locator, reader, dice, colours), refused


def _learned(locator: Locator, reader: PointReader, start: Path) -> Colours | str:
    frame = read_picture(start)
    found = locator.find(frame.image)
    if isinstance(found, NotFound):
        return found.reason
    learned = learn_start(reader.read(frame.image, found))
    return learned if isinstance(learned, str) else learned.colours
