"""Learning a set and its light from the start position that stands on the board.

Every square's contents are known then, so the board is its own teacher: its squares become what
later pictures are compared with.  Which way it lies need not be known: of the four ways in which
rows of men can stand, the one under which the board explains itself best is taken.  To see how
well the classes can be told apart, each square is read by comparing it with the others alone.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import calibration_file
from .calibration_file import geometry_of, read_fields, support_of
from .errors import BadCalibration, VisionError
from .geometry import BoardGeometry
from .model import KINDS, SquareModel, Support, nothing_known
from .percept import CLASSES
from .squares import COVERED, Seen, lightness

Floats = NDArray[np.float32]

VERSION = 1

#: Names of the kinds that the first position shows, for a person.
NAMES = ("empty dark squares", "empty light squares", "the lighter men", "the darker men")

#: Index in percept.CLASSES of each kind.
_CLASS = np.array([0, 0, 1, 3])

#: Index in KINDS of each class, of empty dark squares for empty ones; the last is of no use.
_KIND = np.array([0, 2, 4, 3, 5, 0])

_FOLDS = 4


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why this picture does not do, and what to do about it.

    Attributes:
        reason, remedy: a sentence each.
        squares: indices (row * size + column, camera order) of the squares at fault.
    """

    reason: str
    remedy: str
    squares: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """What was learned from one start position.

    Attributes:
        weights: sha256 of the network that made the descriptions.
        geometry: where the board was.
        support: the squares' descriptions and kinds.
        apart: how light squares differ from dark ones; see ``crops.kinds_apart``.
        on_dark: whether the men stand on the dark squares.
        turns: counter-clockwise quarter turns of the camera's grid that bring the lighter men to
            its bottom.
        gap: how much lighter the lighter men are, log; near 0 for red and green ones.
        margins: for each two kinds, joined by a bar, how surely they are told apart: log-odds in
            favour of the truth that nine squares in ten reach.
    """

    weights: str
    geometry: BoardGeometry
    support: Support
    apart: Floats
    on_dark: bool
    turns: int
    gap: float
    margins: tuple[tuple[str, float], ...]

    @property
    def size(self) -> int:
        """Squares along one edge of the board."""
        return self.geometry.size

    def exchanged(self) -> Calibration:
        """The same with the sides exchanged, for an owner whose White is the darker one."""
        weights = self.support.weights[:, [0, 1, 3, 2, 5, 4]]
        return replace(
            self,
            support=Support(self.support.made, weights),
            turns=(self.turns + 2) % 4,
            gap=-self.gap,
        )

    def save(self, path: Path) -> None:
        """Write it as JSON."""
        path.write_text(json.dumps(self.to_json(), indent=1) + "\n")

    def to_json(self) -> dict[str, Any]:
        """Its values as JSON ones."""
        return {
            "v": VERSION,
            "weights": self.weights,
            "geometry": self.geometry.to_json(),
            "made": _pack(self.support.made),
            "kinds": _pack(self.support.weights),
            "apart": self.apart.tolist(),
            "on_dark": self.on_dark,
            "turns": self.turns,
            "gap": self.gap,
            "margins": dict(self.margins),
        }


def joined(several: Sequence[Calibration]) -> Calibration:
    """What several pictures of one start position teach together; the last one's geometry.

    Those in which the board lies another way than in the last are left out.
    """
    last = several[-1]
    alike = [c for c in several if c.turns == last.turns and c.on_dark == last.on_dark]
    support = Support(
        np.concatenate([c.support.made for c in alike]),
        np.concatenate([c.support.weights for c in alike]),
    )
    worst = tuple((name, min(dict(c.margins)[name] for c in alike)) for name, _ in last.margins)
    return replace(last, support=support, margins=worst)


def taught(known: Calibration, seen: Seen, grid: Sequence[str]) -> Calibration:
    """The calibration, and besides what another picture of the set shows of told contents.

    So kings can be shown, which no first position has: one near the camera and one far from it.

    Args:
        known: what the first position taught.
        seen: the other picture, as the same network describes it.
        grid: its contents, rows in camera order, characters of CLASSES or ``?``.
    """
    labels = np.array([CLASSES.find(c) for row in grid for c in row])
    if len(labels) != len(seen.made):
        raise VisionError(f"{len(labels)} squares", "told contents", f"{len(seen.made)}")
    kinds = np.where(labels == 0, seen.light.astype(np.intp), _KIND[labels])
    clear = (labels >= 0) & (seen.covered < COVERED)
    weights = np.eye(KINDS, dtype=np.float32)[kinds[clear]]
    more = Support(
        np.concatenate([known.support.made, seen.made[clear]]),
        np.concatenate([known.support.weights, weights]),
    )
    return replace(known, support=more)


def load_calibration(path: Path, model: SquareModel, size: int) -> Calibration:
    """The calibration in a file.

    Raises:
        BadCalibration: missing, broken, made by other weights or for another board.
    """
    fields = read_fields(path)
    if type(fields.row["v"]) is not int or fields.row["v"] != VERSION:
        raise fields.refuse("v", f"version {VERSION}")
    weights = fields.row.get("weights")
    if weights != model.sha256:
        raise BadCalibration(
            f"made with weights {str(weights)[:12]}…",
            str(path),
            f"{model.sha256[:12]}…; calibrate again",
        )
    geometry = geometry_of(fields.part("geometry"))
    if geometry.size != size:
        raise BadCalibration(f"for a board of {geometry.size} squares", str(path), f"{size}")
    return Calibration(
        weights=model.sha256,
        geometry=geometry,
        support=support_of(fields, model.width, size),
        apart=fields.array("apart", (3,), 10).astype(np.float32),
        on_dark=fields.yes_or_no("on_dark"),
        turns=fields.whole("turns", 0, 3),
        gap=fields.number("gap", -10, 10),
        margins=calibration_file.margins_of(fields),
    )


def _pack(values: Floats) -> str:
    return base64.b64encode(np.ascontiguousarray(values, "<f4").tobytes()).decode()


@dataclass(frozen=True, slots=True, eq=False)
class Arrangement:
    """One way in which the first position can stand.

    Attributes:
        on_dark: whether on the dark squares.
        columns: whether the sides stand left and right instead of top and bottom.
        kinds: int (m,), index of NAMES for each square; top or left men as the lighter ones.
        surety: float32 (m,), log-odds of each square's kind when it is compared with the others.
        scores: float32 (m, 5), of that comparison.
    """

    on_dark: bool
    columns: bool
    kinds: NDArray[np.intp]
    surety: Floats
    scores: Floats


def start_kinds(seen: Seen, on_dark: bool, columns: bool) -> NDArray[np.intp]:
    """Kinds of all squares when the first position stands there in one of the four ways."""
    n = seen.size
    line = np.arange(n)
    near = np.where(line < n // 2 - 1, 2, np.where(line > n // 2, 3, 0))
    side = np.broadcast_to(near[None, :] if columns else near[:, None], (n, n)).reshape(-1)
    light = seen.light.astype(np.intp)
    plays = (light == 0) == on_dark
    return np.where(plays & (side > 0), side, light)


def arrange(model: SquareModel, seen: Seen) -> Arrangement:
    """The way of standing under which the board explains itself best."""
    tried = []
    for on_dark in (True, False):
        for columns in (False, True):
            kinds = start_kinds(seen, on_dark, columns)
            scores = _compare_with_others(model, seen, kinds)
            tried.append(Arrangement(on_dark, columns, kinds, _surety(scores, kinds), scores))
    return max(tried, key=lambda a: float(np.clip(a.surety, -4, 4).sum()))


def _compare_with_others(model: SquareModel, seen: Seen, kinds: NDArray[np.intp]) -> Floats:
    """float32 (m, 5): each square read with the squares of the other folds as support."""
    fold = np.zeros(len(kinds), np.intp)
    for kind in range(len(NAMES)):
        (at,) = np.nonzero(kinds == kind)
        fold[at] = np.arange(len(at)) % _FOLDS
    weights = np.eye(KINDS, dtype=np.float32)[kinds]
    out = np.zeros((len(kinds), 5), np.float32)
    for k in range(_FOLDS):
        others = weights * (fold != k)[:, None]
        scores = model.compare(seen.made, seen.light, Support(seen.made, others))
        out[fold == k] = scores[fold == k]
    return out


def _surety(scores: Floats, kinds: NDArray[np.intp]) -> Floats:
    """Log-odds of each square's own class against the best other one."""
    rows = np.arange(len(kinds))
    truth = scores[rows, _CLASS[kinds]]
    rest = scores.copy()
    rest[rows, _CLASS[kinds]] = -np.inf
    return np.asarray(truth - rest.max(axis=1), np.float32)


def margins_of(found: Arrangement) -> tuple[tuple[str, float], ...]:
    """Log-odds between each two kinds that nine squares in ten of them reach."""
    empty = 0 if found.on_dark else 1
    pairs = ((empty, 2), (empty, 3), (2, 3))
    rows = []
    for a, b in pairs:
        odds = [
            found.scores[found.kinds == x][:, _CLASS[x]]
            - found.scores[found.kinds == x][:, _CLASS[y]]
            for x, y in ((a, b), (b, a))
        ]
        worst = min(float(np.quantile(o, 0.1)) for o in odds)
        rows.append((f"{NAMES[a]}|{NAMES[b]}", round(worst, 2)))
    return tuple(rows)


#: Log-odds below which two kinds can't be told apart, and those of a square that is surely wrong.
SEPARABLE, WRONG = 1.0, -1.5

#: As shares of the squares with men: so many wrong ones make another position, and so few taken
#: ones an empty board.
_MANY, _FEW = 0.25, 0.2


def calibrate(
    model: SquareModel, seen: Seen, geometry: BoardGeometry, swap: bool = False
) -> Calibration | Refusal:
    """Learn from a picture of the start position.

    Args:
        model: the network.
        seen: the picture, as it describes it.
        geometry: of the board in it.
        swap: the owner says that the darker men are White.
    """
    hidden = tuple(np.nonzero(seen.covered > COVERED)[0].tolist())
    if hidden:
        return Refusal(
            f"something hides {len(hidden)} squares of the board",
            "take hands and things off the board and try again",
            hidden,
        )
    found = arrange(model, seen)
    refusal = _refuse(model, seen, found)
    if refusal is not None:
        return refusal
    tone = lightness(seen.tone)
    gap = float(np.median(tone[found.kinds == 2]) - np.median(tone[found.kinds == 3]))
    first_lighter = gap >= 0
    kinds = found.kinds if first_lighter else _swapped(found.kinds)
    # the first men stand along the top or the left edge of the camera's grid
    turns = (1 if found.columns else 2) if first_lighter else (3 if found.columns else 0)
    made = Calibration(
        weights=model.sha256,
        geometry=geometry,
        support=Support(seen.made, np.eye(KINDS, dtype=np.float32)[kinds]),
        apart=seen.apart,
        on_dark=found.on_dark,
        turns=turns,
        gap=round(abs(gap), 3),
        margins=margins_of(found),
    )
    return made.exchanged() if swap else made


def _swapped(kinds: NDArray[np.intp]) -> NDArray[np.intp]:
    return np.array([0, 1, 3, 2])[kinds]


def _refuse(model: SquareModel, seen: Seen, found: Arrangement) -> Refusal | None:
    men = found.kinds >= 2
    wrong = tuple(np.nonzero(found.surety < WRONG)[0].tolist())
    pair, margin = min(margins_of(found), key=lambda m: m[1])
    if margin >= SEPARABLE and len(wrong) <= _MANY * men.sum():
        return _misplaced(wrong) if wrong else None
    # the board does not explain itself; what it looks like to eyes that know no set says why
    alone = model.compare(seen.made, seen.light, nothing_known(model.width))
    taken = alone[:, 0] < np.log(0.5)
    if taken.sum() < _FEW * men.sum():
        return Refusal("no men are to be seen on the board", "set up the first position")
    if _one_side_only(taken, found.kinds):
        return Refusal(
            "the men of one side are missing or can't be told from their squares in this light",
            "set up both sides, or give more light and no glare",
            tuple(np.nonzero(men & ~taken)[0].tolist()),
        )
    if (taken != men).sum() > _MANY * men.sum():
        return Refusal(
            "this is not the first position",
            "set up the first position, all men on their squares",
            tuple(np.nonzero(taken != men)[0].tolist()),
        )
    first, second = pair.split("|")
    return Refusal(
        f"{second} can't be told from {first} in this light",
        "more light from above, no glare on the board, or men that differ more",
    )


def _one_side_only(taken: NDArray[np.bool_], kinds: NDArray[np.intp]) -> bool:
    shares = sorted(float(taken[kinds == kind].mean()) for kind in (2, 3))
    return shares[0] < 0.3 and shares[1] > 0.7 and float(taken[kinds < 2].mean()) < 0.1


def _misplaced(wrong: tuple[int, ...]) -> Refusal:
    many = f"{len(wrong)} squares do" if len(wrong) > 1 else "one square does"
    return Refusal(
        f"{many} not hold what belongs there in the first position",
        "put it right, or take a sharper picture without glare there",
        wrong,
    )
