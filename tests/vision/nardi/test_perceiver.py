"""Frames of a nardi board to percepts, with networks that are made up."""

from typing import Any

import numpy as np
import pytest

from vision.dice import Die
from vision.frame import Frame
from vision.nardi.board import NardiGeometry
from vision.nardi.locate import NotFound
from vision.nardi.perceiver import NardiPerceiver, die_on_board
from vision.nardi.points import PointsRead
from vision.nardi.sides import Colours

CORNERS = np.array([[100, 50], [500, 50], [500, 350], [100, 350]], np.float64)
TOLD = Colours((80.0, 0.0, 0.0), (20.0, 0.0, 0.0))


class FakeLocator:
    """Finds the board where it is told to lie."""

    def __init__(self, corners: Any = CORNERS) -> None:
        self.corners = corners
        self.asked = 0

    def find(self, image: Any) -> NardiGeometry | NotFound:
        self.asked += 1
        if self.corners is None:
            return NotFound("no board in the picture")
        return NardiGeometry.from_corners(self.corners)

    def refine(self, image: Any, before: Any) -> NardiGeometry | NotFound:
        return self.find(image)


class FakeReader:
    """Reads fifteen lighter checkers on point 11, and a hand over what it is told."""

    def __init__(self, hidden: tuple[int, ...] = ()) -> None:
        self.hidden = hidden
        self.known: list[Colours | None] = []

    def read(self, image: Any, geometry: Any, known: Colours | None = None) -> PointsRead:
        self.known.append(known)
        counts = np.full((24, 16), -20.0, np.float32)
        counts[:, 0] = 0
        counts[11] = counts[11, ::-1]
        hidden = np.zeros(24, np.float32)
        hidden[list(self.hidden)] = 0.9
        return PointsRead(counts, np.full(24, 9.0, np.float32), hidden, TOLD)


def picture(shift: int = 0, seed: int = 1) -> Any:
    """A board with something on it to hold on to."""
    image = np.full((400, 640, 3), 60, np.uint8)
    rng = np.random.default_rng(seed)
    for k in range(12):
        x = 100 + shift + k * 33
        image[50:350, x : x + 16] = rng.integers(80, 250, 3)
    return image


def eyes(**parts: Any) -> NardiPerceiver:
    made: Any = {"locator": FakeLocator(), "reader": FakeReader(), **parts}
    return NardiPerceiver(**made)


def test_what_the_networks_say_is_told() -> None:
    percept = eyes(reader=FakeReader((3,))).see(Frame(picture(), 7, 99))
    assert (percept.number, percept.at_ns, percept.geometry) == (7, 99, "found")
    assert percept.covered == (3,)
    assert percept.corners == ((100, 50), (500, 50), (500, 350), (100, 350))
    logs = percept.log_probabilities()
    assert logs[11, 0].argmax() == 15
    assert logs[0, 0].argmax() == 0
    assert percept.dice is None


def test_a_board_that_is_not_there_is_lost_with_the_reason() -> None:
    percept = eyes(locator=FakeLocator(None)).see(Frame(picture()))
    assert (percept.geometry, percept.reason) == ("lost", "no board in the picture")


def test_a_board_that_stays_is_searched_once_and_one_that_is_knocked_is_told() -> None:
    locator = FakeLocator()
    seen = eyes(locator=locator)
    for number in range(3):
        percept = seen.see(Frame(picture(), number))
    assert locator.asked == 1
    assert percept.motion == 0.0
    locator.corners = np.add(CORNERS, [24, 0])
    assert seen.see(Frame(picture(24), 3)).geometry == "bumped"


def test_colours_are_learned_from_what_the_game_confirmed() -> None:
    reader = FakeReader()
    seen = eyes(reader=reader)
    seen.see(Frame(picture()))
    seen.learn(("w15",) + ("",) * 23)
    seen.see(Frame(picture(), 1))
    assert reader.known == [None, TOLD]


@pytest.mark.parametrize(
    ("middle", "half", "cocked"),
    [((200, 200), "left", False), ((400, 200), "right", False), ((302, 200), "right", True),
     ((560, 200), "off", False), ((200, 50), "left", True)],
)  # fmt: skip
def test_where_a_die_lies(middle: tuple[int, int], half: str, cocked: bool) -> None:
    x, y = middle
    box = (x - 8.0, y - 8.0, x + 8.0, y + 8.0)
    die = die_on_board(Die(5, 0.97, box, "read"), NardiGeometry.from_corners(CORNERS))
    assert (die.pips, die.half, die.cocked) == (5, half, cocked)
    assert np.allclose(die.centre, ((x - 100) / 400, (y - 50) / 300), atol=1e-3)
    assert die.size == 0.04


def test_dice_are_looked_for_around_the_board_and_dim_finds_left_out() -> None:
    asked: list[Any] = []

    def dice(image: Any, region: Any, edge: float) -> list[Die]:
        asked.append((region, round(edge, 1)))
        box = (200.0, 200.0, 212.0, 212.0)
        return [Die(3, 0.95, box, "read"), Die(0, 0.3, box, "unsure"), Die(0, 0.8, box, "unsure")]

    percept = eyes(dice=dice).see(Frame(picture()))
    assert asked == [((52, 2, 548, 398), 9.2)]
    assert percept.dice is not None
    assert [die.pips for die in percept.dice] == [3, 0]
