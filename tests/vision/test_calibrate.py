"""Learning from the start position, with eyes simple enough to foresee what they say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
import pytest

from vision.calibrate import Calibration, Refusal, calibrate, joined, load_calibration, taught
from vision.crops import SQUARE_PX
from vision.errors import BadCalibration, VisionError
from vision.geometry import BoardGeometry
from vision.model import SquareModel, Support
from vision.percept import CLASSES
from vision.squares import Seen, look, read

PX = 40
COLOURS = {"w": (235, 240, 250), "b": (45, 40, 40)}


class ColourEyes:
    """Describes a square by the colour of its middle and compares by distance alone."""

    width = 3
    sha256 = "5" * 64
    ranks = None  # told by the same eyes

    def describe(self, pixels: np.ndarray, tilt: float) -> tuple[np.ndarray, np.ndarray]:
        n = pixels.shape[1] // SQUARE_PX - 1
        tiles = pixels[:, 16:-16, 16:-16].reshape(3, n, SQUARE_PX, n, SQUARE_PX)
        # as log ratios to the light, blue first
        made = 2 * tiles[::-1, :, 12:20, :, 12:20].mean(axis=(2, 4)).reshape(3, -1).T - 1
        # nothing on a board is magenta but the hands in these tests
        hand = (made[:, 1] < made[:, 0] - 0.9) & (made[:, 1] < made[:, 2] - 0.9)
        return made.astype(np.float32), np.where(hand, 8.0, -8.0).astype(np.float32)

    def compare(self, made: np.ndarray, light: np.ndarray, support: Support) -> np.ndarray:
        scores = np.full((len(made), 5), -12.0)
        usual = {0: -0.6, 1: 0.0, 2: 0.45, 3: -1.2}
        for kind, index in enumerate((0, 0, 1, 3)):
            rows = support.weights[:, kind] > 0 if len(support.made) else np.zeros(0, bool)
            mean = support.made[rows].mean(axis=0) if rows.any() else np.full(3, usual[kind])
            far = ((made - mean) ** 2).sum(axis=1) * 6
            right_kind = kind > 1 or light == kind
            scores[:, index] = np.where(
                right_kind, np.maximum(scores[:, index], -far), scores[:, index]
            )
        return np.asarray(scores - np.log(np.exp(scores).sum(axis=1, keepdims=True)), np.float32)


EYES = cast(SquareModel, ColourEyes())


def start(size: int, on_dark: bool = True) -> list[str]:
    """Black along the top; a1 is a dark square."""
    rows = size // 2 - 1
    grid = []
    for row in range(size):
        piece = "b" if row < rows else "w" if row >= size - rows else "."
        grid.append("".join(piece if (row + c) % 2 == on_dark else "." for c in range(size)))
    return grid


def draw(grid: list[str], dark: int = 80, light: int = 150, colours: Any = None) -> np.ndarray:
    """A board from above, with one square of table around."""
    n = len(grid)
    image = np.full(((n + 2) * PX, (n + 2) * PX, 3), 120, np.uint8)
    for row in range(n):
        for col in range(n):
            tone = light if (row + col) % 2 == 0 else dark
            box = (slice((row + 1) * PX, (row + 2) * PX), slice((col + 1) * PX, (col + 2) * PX))
            image[box] = tone
            if grid[row][col] in "wb":
                at = ((col + 1) * PX + PX // 2, (row + 1) * PX + PX // 2)
                colour = (colours or COLOURS)[grid[row][col]]
                cv2.circle(image, at, int(PX * 0.4), colour, -1, cv2.LINE_AA)
    return image


def geometry(size: int) -> BoardGeometry:
    low, high = PX - 0.5, PX * (size + 1) - 0.5
    return BoardGeometry(size, np.array([[low, low], [high, low], [high, high], [low, high]]))


def seen_of(image: np.ndarray, size: int) -> Seen:
    return look(EYES, image, geometry(size))


def learn(grid: list[str], **drawn: Any) -> Calibration | Refusal:
    size = len(grid)
    return calibrate(EYES, seen_of(draw(grid, **drawn), size), geometry(size))


def turned(grid: list[str], quarters: int) -> list[str]:
    """The grid after quarter turns clockwise."""
    cells = np.rot90(np.array([list(r) for r in grid]), -quarters)
    return ["".join(r) for r in cells]


@pytest.mark.parametrize("size", [8, 10])
@pytest.mark.parametrize("quarters", [0, 1, 2, 3])
def test_finds_how_the_board_lies(size: int, quarters: int) -> None:
    """White at the bottom, then left, top, right: as many turns back as the board was turned."""
    made = learn(turned(start(size), quarters))
    assert isinstance(made, Calibration)
    assert made.turns == quarters
    assert made.gap > 1
    assert not made.on_dark or quarters % 2 == 0
    assert min(m for _, m in made.margins) > 1


def test_men_on_light_squares() -> None:
    made = learn(start(8, on_dark=False))
    assert isinstance(made, Calibration)
    assert not made.on_dark


def test_reads_another_position_of_the_set_afterwards() -> None:
    made = learn(start(8))
    assert isinstance(made, Calibration)
    other = [
        ".b......",
        "........",
        ".......w",
        "w.......",
        "........",
        "..b.....",
        "........",
        "w.......",
    ]
    scores = read(EYES, seen_of(draw(other), 8), made.support)
    grid = np.array(list(CLASSES))[scores.argmax(axis=1)].reshape(8, 8)
    assert ["".join(row) for row in grid] == other


def test_exchanged_when_the_owner_says_so() -> None:
    size = 8
    made = calibrate(EYES, seen_of(draw(start(size)), size), geometry(size), swap=True)
    assert isinstance(made, Calibration)
    assert made.turns == 2
    scores = read(EYES, seen_of(draw(start(size)), size), made.support)
    assert CLASSES[int(scores[1].argmax())] == "w"  # the dark men at the top


def without(grid: list[str], row: int, col: int, piece: str = ".") -> list[str]:
    out = list(grid)
    out[row] = out[row][:col] + piece + out[row][col + 1 :]
    return out


@pytest.mark.parametrize(
    ("row", "col", "piece"),
    [(0, 1, "."), (7, 0, "."), (3, 2, "w"), (4, 1, "b"), (1, 0, "w")],
    ids=["black man missing", "white man missing", "extra white", "extra black", "wrong colour"],
)
def test_says_which_square_is_wrong(row: int, col: int, piece: str) -> None:
    refused = learn(without(start(8), row, col, piece))
    assert isinstance(refused, Refusal)
    assert refused.squares == (row * 8 + col,)
    assert "first position" in refused.reason


def test_refuses_an_empty_board() -> None:
    refused = learn(["." * 8] * 8)
    assert isinstance(refused, Refusal)
    assert "no men" in refused.reason
    assert refused.remedy


def test_refuses_another_position() -> None:
    grid = [
        ".b.....b",
        "w.......",
        ".......w",
        "w...b...",
        ".w......",
        "..b.....",
        "........",
        "w.......",
    ]
    refused = learn(grid)
    assert isinstance(refused, Refusal)
    assert "not the first position" in refused.reason


@pytest.mark.parametrize(
    ("colours", "says"),
    [
        (
            {"w": (45, 40, 40), "b": (45, 40, 40)},
            "the darker men can't be told from the lighter men",
        ),
        (
            {"w": (235, 240, 250), "b": (80, 80, 80)},
            "the men of one side are missing or can't be told from their squares",
        ),
    ],
    ids=["sides alike", "men like their squares"],
)
def test_refuses_what_can_not_be_told_apart(colours: Any, says: str) -> None:
    refused = learn(start(8), colours=colours)
    assert isinstance(refused, Refusal)
    assert says in refused.reason


def test_refuses_a_covered_board() -> None:
    image = draw(start(8))
    image[PX * 3 : PX * 6, PX * 3 : PX * 6] = (255, 0, 255)
    refused = calibrate(EYES, seen_of(image, 8), geometry(8))
    assert isinstance(refused, Refusal)
    assert "hides" in refused.reason
    assert set(refused.squares) == {r * 8 + c for r in (2, 3, 4) for c in (2, 3, 4)}


def made_for_files() -> Calibration:
    made = learn(start(8))
    assert isinstance(made, Calibration)
    return made


def test_a_file_reads_back_equal(tmp_path: Path) -> None:
    made, path = made_for_files(), tmp_path / "c.json"
    made.save(path)
    back = load_calibration(path, EYES, 8)
    assert back.geometry == made.geometry
    assert (back.turns, back.on_dark, back.gap, back.margins) == (
        made.turns, made.on_dark, made.gap, made.margins,
    )  # fmt: skip
    np.testing.assert_array_equal(back.support.made, made.support.made)
    np.testing.assert_array_equal(back.support.weights, made.support.weights)
    np.testing.assert_array_equal(back.apart, made.apart)


def broken(change: str) -> str:
    row = made_for_files().to_json()
    if change == "weights":
        row["weights"] = "0" * 64
    elif change == "version":
        row["v"] = 99
    elif change == "truncated":
        row["made"] = row["made"][: len(row["made"]) // 2 + 1]
    elif change == "missing":
        del row["geometry"]
    return json.dumps(row)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not a calibration"),
        ("[1]", "not a calibration"),
        ('{"a": 1}', "not a calibration"),
        ("weights", "expected 555555555555"),
        ("version", "v: 99; expected version 1"),
        ("truncated", "made: .* expected rows of 3 numbers"),
        ("missing", "geometry: nothing; expected an object"),
    ],
)
def test_refuses_a_foreign_file(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "c.json"
    path.write_text(broken(text) if text.isalpha() else text)
    with pytest.raises(BadCalibration, match=says) as caught:
        load_calibration(path, EYES, 8)
    assert str(path) in str(caught.value)


def test_refuses_a_missing_file_and_another_size(tmp_path: Path) -> None:
    with pytest.raises(BadCalibration, match="can't be read"):
        load_calibration(tmp_path / "none.json", EYES, 8)
    path = tmp_path / "c.json"
    made_for_files().save(path)
    with pytest.raises(BadCalibration, match="board of 8 squares"):
        load_calibration(path, EYES, 10)


def test_joined_leaves_out_a_board_that_lies_otherwise() -> None:
    first, other = learn(start(8)), learn(turned(start(8), 2))
    assert isinstance(first, Calibration)
    assert isinstance(other, Calibration)
    assert len(joined([first, first]).support.made) == 128
    assert len(joined([other, first]).support.made) == 64


def test_a_king_that_was_shown_is_among_the_known_squares() -> None:
    made = calibrate(EYES, seen_of(draw(start(8)), 8), geometry(8))
    assert isinstance(made, Calibration)
    shown = seen_of(draw(start(8)), 8)
    grid = ["?" * 8] * 7 + ["?" * 6 + "WB"]
    more = taught(made, shown, grid)
    assert len(more.support.made) == 64 + 2
    np.testing.assert_array_equal(more.support.weights[-2:], np.eye(6)[[4, 5]])
    np.testing.assert_array_equal(more.support.made[-2:], shown.made[-2:])
    empty = taught(made, shown, ["." * 8] + ["?" * 8] * 7).support.weights[64:]
    np.testing.assert_array_equal(empty.argmax(axis=1), shown.light[:8])
    with pytest.raises(VisionError, match="10 squares"):
        taught(made, shown, ["?" * 10])
