"""Positions and moves as text: every spelling in, one spelling out, and errors with their place."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.draughts.game import NAMES, DraughtsGame
from rules.draughts.position import Position, Side
from rules.errors import AmbiguousMove, BadMove, BadPosition, IllegalMove, RulesError, UnknownGame
from rules.games import NAMES as ALL_NAMES
from rules.games import by_name

RUSSIAN = DraughtsGame.by_name("russian")
ITALIAN = DraughtsGame.by_name("italian")
INTERNATIONAL = DraughtsGame.by_name("international")

PIECES = {22: "w", 25: "w", 5: "W", 1: "b", 32: "B"}


@pytest.mark.parametrize(
    "text",
    [
        "W:Wc3,b2,Ka7:Bb8,Kg1",
        "W:W22,25,K5:B1,K32",
        "W:BKg1,b8:WKa7,c3,b2",
        " W : W c3 , b2,K a7 : B b8 ,Kg1 . ",
        "W:Wc3,b2,Ka7:Bb8,Kg1.",
        "W:Wc3,b2,Ka7:Bb8,Kg1:H0:F1",
        "w:W22,25,K5:B01,K32",
        "?:W22,25,K5:B1,K32",
    ],
)
def test_reads_every_spelling(text: str) -> None:
    assert RUSSIAN.read(text) == Position.of(PIECES, "w")


def test_reads_ranges_and_empty_lists() -> None:
    start = ITALIAN.read("W:W21-32:B1-12")
    assert start == ITALIAN.start()
    assert ITALIAN.read("B:WK1-3,5:B") == Position.of({1: "W", 2: "W", 3: "W", 5: "w"}, "b")
    assert ITALIAN.read("B:W:B") == Position("b", 0, 0, 0, 0)


def test_takes_the_side_that_begins_for_a_question_mark() -> None:
    assert DraughtsGame.by_name("english").read("?:W21:B1").side == "b"
    assert ITALIAN.read("?:W21:B1").side == "w"


@pytest.mark.parametrize(
    ("game", "position", "text"),
    [
        (RUSSIAN, Position.of(PIECES, "b"), "B:WKa7,c3,b2:Bb8,Kg1"),
        (ITALIAN, Position.of(PIECES, "w"), "W:WK5,22,25:B1,K32"),
        (ITALIAN, Position("b", 0, 0, 0, 0), "B:W:B"),
        (INTERNATIONAL, Position.of({50: "w", 46: "B"}, "w"), "W:W50:BK46"),
    ],
)
def test_writes_one_spelling(game: DraughtsGame, position: Position, text: str) -> None:
    assert game.write(position) == text
    assert game.read(text) == position


@pytest.mark.parametrize(
    ("text", "what", "where"),
    [
        ("", "'' as the side to move", "character 1"),
        ("X:W1:B2", "'X' as the side to move", "character 1"),
        ("W:W22", "no list for black", "FEN"),
        ("W:B22", "no list for white", "FEN"),
        ("W:W22:W23:B1", "a second list for white", "character 7"),
        ("W:W22,22:B1", "square named twice", "22"),
        ("W:W20-22,21:B9", "square named twice", "21"),
        ("W:W22:B22", "white and black piece", "22"),
        ("W:W22,33:B9", "unknown square 33", "character 7"),
        ("W:W22:B0", "unknown square 0", "character 8"),
        ("W:W22,:B9", "''", "character 7"),
        ("W:W22;23:B9", "'22;23'", "character 4"),
        ("W:W24-21:B9", "range 24-21", "character 4"),
        ("W:W22:B9:Q", "'Q'", "character 10"),
        ("W:W22,c3:B9", "unknown square c3", "character 7"),
        ("W:W20-32:B1", "13 white pieces", "FEN"),
        ("W:W4,22:B9", "a man on its own last row", "4"),
        ("W:W22:B9,31", "a man on its own last row", "31"),
        ("W:WK22-K24:B9", "'K22-K24'", "character 4"),
    ],
)
def test_tells_what_is_wrong_with_a_position(text: str, what: str, where: str) -> None:
    with pytest.raises(BadPosition) as caught:
        ITALIAN.read(text)
    assert caught.value.what == what
    assert where in caught.value.where
    assert caught.value.expected


def test_names_a_light_square() -> None:
    with pytest.raises(BadPosition, match="light square c4"):
        RUSSIAN.read("W:Wc4:Bb8")
    with pytest.raises(BadPosition, match="unknown square c9"):
        RUSSIAN.read("W:Wc9:Bb8")


def test_a_board_as_it_stands_may_be_unlawful() -> None:
    board = ITALIAN.read_board("W:W1,20-32:B9")
    assert board.piece(1) == "w"
    assert ITALIAN.read_setup("W:W20-32:B9").white.bit_count() == 13
    with pytest.raises(BadPosition):
        ITALIAN.read_setup("W:W1,20-32:B9")


@pytest.mark.parametrize(
    ("game", "fen", "text", "path"),
    [
        (ITALIAN, "W:W21-32:B1-12", "22-18", (22, 18)),
        (ITALIAN, "W:W22:B3,19", "22x15", (22, 15)),
        (ITALIAN, "W:W22:B3,19", " 22 : 15 ", (22, 15)),
        (ITALIAN, "W:W22:B3,19", "22-15", (22, 15)),
        (RUSSIAN, "W:Wc3:Bd4,f6", "c3:g7", (22, 15, 8)),
        (RUSSIAN, "W:Wc3:Bd4,f6", "c3xe5xg7", (22, 15, 8)),
        (RUSSIAN, "W:Wc3:Bd4,f6", "22x8", (22, 15, 8)),
        # the same squares, with one or with three victims: the whole route tells which
        (RUSSIAN, "W:WKe3:Bd4,b4,b2,g5", "e3:h6", (23, 12)),
        (RUSSIAN, "W:WKe3:Bd4,b4,b2,g5", "e3:c5:a3:c1:h6", (23, 14, 21, 30, 12)),
        (RUSSIAN, "W:WKe3:Bd4,b4,b2,g5", "e3:a3:h6", (23, 14, 21, 30, 12)),
    ],
)
def test_reads_moves(game: DraughtsGame, fen: str, text: str, path: tuple[int, ...]) -> None:
    move = game.parse_move(game.read(fen), text)
    assert move.path == path


ENGLISH = DraughtsGame.by_name("english")
TWO_WAYS = "W:W22:B9,10,17,18"  # left over 17 and 9, right over 18 and 10


def test_a_route_is_written_where_from_and_to_fit_two_moves() -> None:
    position = ENGLISH.read(TWO_WAYS)
    texts = [ENGLISH.text(position, move) for move in ENGLISH.moves(position)]
    assert sorted(texts) == ["22x13x6", "22x15x6"]
    for text in texts:
        move = ENGLISH.parse_move(position, text)
        assert ENGLISH.text(position, move) == text
    with pytest.raises(AmbiguousMove, match="22x15x6"):
        ENGLISH.parse_move(position, "22x6")


def test_a_straight_continuation_names_the_square_right_behind_the_victim() -> None:
    # from c7 over d6 and g3 to h2 without a turn: e5 is named, wherever between the king lands
    position = RUSSIAN.read("W:WKa5:Bb6,d6,c3,e3,g3,b2")
    texts = [RUSSIAN.text(position, move) for move in RUSSIAN.moves(position)]
    assert {"a5:c7:e5:h2", "a5:d2:f4:h2"} <= set(texts)
    first = RUSSIAN.parse_move(position, "a5:c7:e5:h2")
    assert first == RUSSIAN.parse_move(position, "a5:c7:f4:h2")
    assert [RUSSIAN.name_of(square) for square in first.taken] == ["b6", "d6", "g3"]


def test_moves_are_listed_by_square() -> None:
    position = RUSSIAN.read("W:WKa5:Bb6,d6,c3,e3,g3,b2")
    order = [(move.frm, move.to, sorted(move.taken)) for move in RUSSIAN.moves(position)]
    assert order == sorted(order)
    start = [(move.frm, move.to) for move in RUSSIAN.moves(RUSSIAN.start())]
    assert start == sorted(start)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", BadMove),
        ("22", BadMove),
        ("22-", BadMove),
        ("22-99", BadMove),
        ("a1-b2", BadMove),
        ("22-" * 200 + "1", BadMove),
        ("2" * 5000 + "-18", BadMove),
        ("31-17", IllegalMove),
        ("22-18-15", IllegalMove),
    ],
)
def test_tells_what_is_wrong_with_a_move(text: str, error: type[RulesError]) -> None:
    with pytest.raises(error) as caught:
        ITALIAN.parse_move(ITALIAN.start(), text)
    assert caught.value.expected


def test_tells_that_no_move_is_left() -> None:
    with pytest.raises(IllegalMove, match="none is left"):
        ITALIAN.parse_move(ITALIAN.read("W:W29:B22,25,26"), "29-25")


def test_finds_every_game_by_name() -> None:
    assert [by_name(name).name for name in ALL_NAMES] == list(ALL_NAMES)
    with pytest.raises(UnknownGame, match="halma"):
        by_name("halma")
    with pytest.raises(UnknownGame, match="nardi"):
        DraughtsGame.by_name("nardi")


def test_refuses_pieces_that_are_none() -> None:
    with pytest.raises(BadPosition):
        Position.of({1: "x"}, "w")
    with pytest.raises(BadPosition):
        Position.of({0: "w"}, "w")


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_writing_then_reading_gives_the_position_back(name: str, data: st.DataObject) -> None:
    game = DraughtsGame.by_name(name)
    squares = st.integers(1, game.board.count)
    pieces = data.draw(st.dictionaries(squares, st.sampled_from("wWbB"), max_size=40))
    sides: tuple[Side, Side] = ("w", "b")
    position = Position.of(pieces, data.draw(st.sampled_from(sides)))
    assert position.pieces() == dict(sorted(pieces.items()))
    text = game.write(position)
    assert game.read_board(text) == position
    turn, white, black = text.split(":")
    assert game.read_board(f"{turn}:{black}:{white}.") == position


FRAGMENTS = st.sampled_from(
    [
        "W",
        "B",
        ":",
        "K",
        "-",
        ",",
        ".",
        "?",
        " ",
        "a1",
        "c3",
        "c4",
        "h9",
        "1",
        "32",
        "50",
        "99",
        "H0",
    ]
)


@settings(max_examples=500, deadline=None)
@given(name=st.sampled_from(NAMES), parts=st.lists(st.one_of(FRAGMENTS, st.text(max_size=3))))
def test_any_text_is_a_position_or_a_named_error(name: str, parts: list[str]) -> None:
    game = DraughtsGame.by_name(name)
    try:
        position = game.read("".join(parts))
    except BadPosition as error:
        named = error
    else:
        assert game.read(game.write(position)) == position
        return
    assert named.what
    assert "\n" not in str(named.where)


@settings(max_examples=200, deadline=None)
@given(name=st.sampled_from(NAMES), at=st.integers(0, 60), byte=st.characters(max_codepoint=0x500))
def test_a_changed_character_never_swaps_colours(name: str, at: int, byte: str) -> None:
    game = DraughtsGame.by_name(name)
    text = game.write(game.start())
    changed = text[: at % len(text)] + byte + text[at % len(text) + 1 :]
    try:
        position = game.read(changed)
    except BadPosition:
        return
    start = game.start()
    assert not position.white & start.black
    assert not position.black & start.white


@settings(max_examples=300, deadline=None)
@given(
    text=st.one_of(st.text(max_size=20), st.from_regex(r"[a-h0-9]{1,2}([-x:][a-h0-9]{1,2}){1,9}"))
)
def test_any_text_is_a_move_or_a_named_error(text: str) -> None:
    position = RUSSIAN.read("W:WKe1,c3,g3:Bd4,d6,f6,b4,Kh8,h6")
    try:
        move = RUSSIAN.parse_move(position, text)
    except (BadMove, IllegalMove, AmbiguousMove) as error:
        named = error
    else:
        assert move in RUSSIAN.moves(position)
        return
    assert named.expected
