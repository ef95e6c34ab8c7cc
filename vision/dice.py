"""Dice in a picture: where they are, and how many pips lie on top.

The picture is searched at one scale where a die has about 20 pixels, or, when nothing is known of
the dice, at three.  Each find is then cut out of the picture as the camera gave it, read by itself,
and answered only when four looks at it bear it out: a pip too many costs a game, a doubt a second.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from .dice_crops import GREY, Box, Image, as_input, cut
from .dice_model import STEP, DiceModel, Floats

Status = Literal["read", "unsure", "none"]

#: Probability from which a number of pips is answered.
SURE = 0.95

#: Least likelihood of a find, and of its being a die once it is looked at closely.
FOUND, IS_DIE = 0.2, 0.5

#: Looks at each find, what a count of pips weighs (log of odds), and likelihood of a pip.
LOOKS, VOTE, PIP = 4, 1.0, 0.5

#: Finds that are looked at closely, at most; a board has four dice.
MOST = 60

#: Scales that are searched when the size of the dice isn't known; 0.6 finds 15 pixels and more.
SCALES = (0.6, 0.24, 0.1)

#: Size that dice are brought to when their edge is known, pixels.
_BEST = 20.0

#: Longest side of a tile as the network sees it, and how far tiles overlap, pixels.
_TILE, _OVERLAP = 1408, 96

#: Dice of one throw differ in size by no more than this factor, from near to far.
_ALIKE = 2.1


@dataclass(frozen=True, slots=True)
class Die:
    """A die that was found.

    Attributes:
        pips: 1 to 6; 0 when it can't be read: cocked, blurred, half hidden, or doubtful.
        p: probability of the answer; of the best guess when pips is 0.
        box: x0, y0, x1, y1 pixels around all of the die that is seen.
        status: read, or unsure.
    """

    pips: int
    p: float
    box: Box
    status: Literal["read", "unsure"]


def find_dice(
    image: Image,
    model: DiceModel,
    region: tuple[int, int, int, int] | None = None,
    scale: float | None = None,
) -> tuple[Die, ...]:
    """The dice in a picture, from left to right.

    Args:
        image: uint8 BGR (H, W, 3), at the full resolution of the camera.
        model: the networks.
        region: x0, y0, x1, y1 pixels to search; everywhere when None.
        scale: edge of a die in pixels, as the board's geometry tells it; unknown when None.
    """
    part, corner = _part(image, region)
    if min(part.shape[:2]) < STEP:
        return ()
    boxes, scores = finds(part, model, scale)
    if not len(boxes):
        return ()
    dice = _judged(boxes, scores, look_closely(part, boxes, model))
    moved = (_moved(d, corner) for d in dice)
    return tuple(sorted(moved, key=lambda d: d.box))


def finds(image: Image, model: DiceModel, scale: float | None = None) -> tuple[Floats, Floats]:
    """What may be dice in a picture, before any is looked at closely.

    Returns:
        Boxes (n, 4) pixels and scores (n,), one for each, the surest first.
    """
    boxes, scores = _search(image, model, scale)
    kept = _distinct(boxes, scores)[:MOST]
    return boxes[kept], scores[kept]


def status_of(dice: Sequence[Die]) -> Status:
    """Whether all dice were read."""
    if not dice:
        return "none"
    return "read" if all(d.status == "read" for d in dice) else "unsure"


def look_closely(image: Image, boxes: Floats, model: DiceModel) -> Floats:
    """Probabilities (n, classes) of what boxes (n, 4) show, from four looks at each.

    Each is seen in two sizes, and mirrored. In every look the pips on top are counted, too: a
    count is a vote for its number beside what the network says of the whole.
    """
    crops = []
    for box in boxes.tolist():
        for grow in (1.0, 1.12):
            crop = cut(image, _grown(box, grow))
            crops += [crop, np.ascontiguousarray(crop[:, ::-1])]
    kinds, pips = model.read(as_input(crops))
    said = np.log(np.maximum(kinds, 1e-6)).reshape(len(boxes), LOOKS, -1).mean(1)
    counts = np.array([count_pips(likely) for likely in pips]).reshape(len(boxes), LOOKS)
    for number in range(1, 7):
        said[:, number] += VOTE * (counts == number).mean(1)
    weight = np.exp(said - said.max(-1, keepdims=True))
    return np.asarray(weight / weight.sum(-1, keepdims=True), np.float32)


def count_pips(likely: Floats) -> int:
    """How many separate peaks a map of pips has."""
    around = cv2.dilate(likely, np.ones((3, 3), np.uint8))
    return int(((likely >= around) & (likely > PIP)).sum())


def _grown(box: Sequence[float], factor: float) -> Box:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    wide, tall = (box[2] - box[0]) * factor / 2, (box[3] - box[1]) * factor / 2
    return (x - wide, y - tall, x + wide, y + tall)


def _moved(die: Die, corner: tuple[int, int]) -> Die:
    x, y = corner
    x0, y0, x1, y1 = die.box
    return Die(die.pips, die.p, (x0 + x, y0 + y, x1 + x, y1 + y), die.status)


def _part(image: Image, region: tuple[int, int, int, int] | None) -> tuple[Image, tuple[int, int]]:
    """The region of the picture, and its upper left corner."""
    if region is None:
        return image, (0, 0)
    tall, wide = image.shape[:2]
    x0, y0 = max(0, region[0]), max(0, region[1])
    x1, y1 = min(wide, region[2]), min(tall, region[3])
    return image[y0 : max(y0, y1), x0 : max(x0, x1)], (x0, y0)


def _search(image: Image, model: DiceModel, edge: float | None) -> tuple[Floats, Floats]:
    """Boxes (n, 4) and scores (n,) of all finds, many for each die."""
    scales = SCALES if edge is None else (min(1.6, _BEST / (1.25 * edge)),)
    boxes, scores = [], []
    for scale in scales:
        tall, wide = (round(side * scale) for side in image.shape[:2])
        if min(tall, wide) < STEP:
            continue
        flag = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        small = np.asarray(cv2.resize(image, (wide, tall), interpolation=flag), np.uint8)
        ratio = np.array([image.shape[1] / wide, image.shape[0] / tall] * 2, np.float32)
        for x, y, tile in _tiles(small):
            found, likely = model.find(as_input([tile]))
            chosen = (likely >= FOUND) & _whole(found, (x, y), tile, small)
            corner = np.array([x, y, x, y], np.float32)
            boxes.append((found[chosen] + corner) * ratio)
            scores.append(likely[chosen])
    if not boxes:
        return np.zeros((0, 4), np.float32), np.zeros(0, np.float32)
    return np.concatenate(boxes), np.concatenate(scores)


def _tiles(image: Image) -> Iterator[tuple[int, int, Image]]:
    """Parts of a picture that overlap, each filled up to multiples of STEP."""
    tall, wide = image.shape[:2]
    for y in _starts(tall):
        for x in _starts(wide):
            part = image[y : y + _TILE, x : x + _TILE]
            down, across = -part.shape[0] % STEP, -part.shape[1] % STEP
            grey = (GREY, GREY, GREY)
            full = cv2.copyMakeBorder(part, 0, down, 0, across, cv2.BORDER_CONSTANT, value=grey)
            yield x, y, np.asarray(full, np.uint8)


def _whole(boxes: Floats, corner: tuple[int, int], tile: Image, image: Image) -> NDArray[np.bool_]:
    """Which boxes (n, 4) in a tile don't touch a side where the picture goes on.

    The tile beyond shows all of what is cut there.
    """
    x, y = corner
    low = np.array([x, y]) > 0
    high = np.array([x + tile.shape[1], y + tile.shape[0]]) < image.shape[1::-1]
    edge = np.array(tile.shape[1::-1]) - 2
    cut_off = (low & (boxes[:, :2] < 2)) | (high & (boxes[:, 2:] > edge))
    return np.asarray(~cut_off.any(axis=1))


def _starts(length: int) -> list[int]:
    """Where tiles begin along a side."""
    if length <= _TILE:
        return [0]
    count = -(-(length - _OVERLAP) // (_TILE - _OVERLAP))
    return [round(k * (length - _TILE) / (count - 1)) for k in range(count)]


def _distinct(boxes: Floats, scores: Floats) -> NDArray[np.intp]:
    """One find for each die, the surest first."""
    order = np.argsort(-scores, kind="stable")
    kept: list[int] = []
    for k in order.tolist():
        if len(kept) >= 4 * MOST:
            break
        if not any(_same(boxes[k], boxes[other]) for other in kept):
            kept.append(k)
    return np.array(kept, np.intp)


def _same(one: Floats, other: Floats) -> bool:
    """Whether two boxes are of one die: they overlap much, or one lies in the other."""
    low, high = np.maximum(one[:2], other[:2]), np.minimum(one[2:], other[2:])
    shared = float(np.prod(np.maximum(high - low, 0)))
    areas = [float(np.prod(b[2:] - b[:2])) for b in (one, other)]
    apart = np.abs(one[:2] + one[2:] - other[:2] - other[2:]).max() / 2
    near = apart < 0.35 * min(float((b[2:] - b[:2]).max()) for b in (one, other))
    return bool(near or shared > 0.45 * (sum(areas) - shared) or shared > 0.75 * min(areas))


def _judged(boxes: Floats, scores: Floats, looks: Floats) -> list[Die]:
    """What is answered for each find, those that are no dice left out."""
    is_die = (1 - looks[:, 7]) * np.minimum(1, scores + 0.3)
    chosen = is_die >= IS_DIE
    sizes = (boxes[:, 2:] - boxes[:, :2]).max(1)
    sure = chosen & (scores > 0.5)
    if sure.any():
        usual = float(np.median(sizes[sure]))
        chosen &= (sizes < usual * _ALIKE) & (sizes > usual / _ALIKE)
    dice = []
    for k in np.flatnonzero(chosen).tolist():
        x0, y0, x1, y1 = (round(float(v), 1) for v in boxes[k])
        pips, p = answer(looks[k])
        dice.append(Die(pips, p, (x0, y0, x1, y1), "read" if pips else "unsure"))
    return dice


def answer(look: Floats) -> tuple[int, float]:
    """Pips and their probability from a close look (classes,); 0 pips where it isn't sure."""
    weight = look[:7] / max(float(look[:7].sum()), 1e-6)
    best = int(weight.argmax())
    p = round(float(weight[best]), 4)
    return (best if p >= SURE else 0), p
