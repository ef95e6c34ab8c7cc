import numpy as np
import pytest

from rules.draughts.game import DraughtsGame
from rules.draughts.geometry import Board
from rules.draughts.position import Position
from vision.fake import FakeEyes
from vision.orient import TURNS_OF, NothingFits, Oriented, Unclear, orient
from vision.steady import Scene, fuse

RUSSIAN = DraughtsGame.by_name("russian")
GAMES = ("italian", "russian", "international", "english", "giveaway")


def scene(board: Board, position: Position, turns: int, **errors: object) -> Scene:
    eyes = FakeEyes(board, turns, seed=turns)
    return fuse((eyes.see(position, **errors),), 0)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("turns", range(4))
def test_the_start_position_tells_the_turn(name: str, turns: int) -> None:
    game = DraughtsGame.by_name(name)
    found = orient(scene(game.board, game.start(), turns), game.board, game.start())
    assert isinstance(found, Oriented)
    assert (found.turns, found.wrong, found.stray) == (turns, (), ())


@pytest.mark.parametrize(
    ("edge", "top_left_sees"),
    # corners[0] lies at the picture's top left.  White at the right looks to the left, so that his
    # left hand, where file a is, is at the bottom: the top left square is on file h, far from him.
    [("bottom", "a8"), ("right", "h8"), ("top", "h1"), ("left", "a1")],
    ids=["bottom", "right", "top", "left"],
)
def test_edges_of_the_picture_name_the_turns(edge: str, top_left_sees: str) -> None:
    names = np.array([[f"{f}{r}" for f in "abcdefgh"] for r in range(8, 0, -1)])
    camera = np.rot90(names, -TURNS_OF[edge])
    assert camera[0, 0] == top_left_sees


def test_a_wrong_square_is_named() -> None:
    board = RUSSIAN.board
    found = orient(
        scene(board, RUSSIAN.start(), 3, misread={22: "."}), board, RUSSIAN.start()
    )
    assert isinstance(found, Oriented)
    assert (found.turns, found.wrong) == (3, (22,))


def test_a_piece_off_the_playing_squares_is_told() -> None:
    board = RUSSIAN.board
    found = orient(
        scene(board, RUSSIAN.start(), 0, stray={(3, 3): "b"}), board, RUSSIAN.start()
    )
    assert isinstance(found, Oriented)
    assert found.stray == ((3, 3),)


def test_a_position_alike_from_two_sides_is_unclear() -> None:
    # two white kings on the main road look the same turned by half
    position = Position.of({29: "W", 4: "W"}, "w")
    found = orient(scene(RUSSIAN.board, position, 0), RUSSIAN.board, position)
    assert found == Unclear((0, 2))


def test_the_told_edge_decides_where_the_board_can_not() -> None:
    position = Position.of({29: "W", 4: "W"}, "w")
    found = orient(scene(RUSSIAN.board, position, 2), RUSSIAN.board, position, [2])
    assert isinstance(found, Oriented)
    assert found.turns == 2


def test_another_position_fits_in_no_turn() -> None:
    other = Position.of({13: "w", 14: "b", 17: "w", 20: "b"}, "w")
    found = orient(scene(RUSSIAN.board, other, 0), RUSSIAN.board, RUSSIAN.start())
    assert isinstance(found, NothingFits | Unclear)


def test_the_start_on_squares_of_the_other_colour_does_not_fit() -> None:
    italian = DraughtsGame.by_name("italian")
    seen = scene(italian.board, italian.start(), 0)
    assert not isinstance(orient(seen, RUSSIAN.board, RUSSIAN.start()), Oriented)
