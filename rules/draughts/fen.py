"""Positions as text: PDN FEN, read in all its spellings and written in one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..errors import BadPosition
from .position import Position, Side, squares_of
from .variant import Variant

#: Leading zeros of old files included; more digits than that are no square.
MOST_DIGITS = 4

_FIELD = "W or B and its squares, as in W21,22,K5"
_TAIL = re.compile(r"[HF]\d{1,6}")
_ITEM = re.compile(r"(K?)\s*([a-z]?\d{1,3})(?:\s*-\s*([a-z]?\d{1,3}))?")
_COLOURS = {"W": "white", "B": "black"}


def read_board(variant: Variant, text: str) -> Position:
    """What stands on a board, whether a game can lead there or not.

    Accepts either order of the colours, ranges, spaces, a trailing ``.``, algebraic names on an
    8x8 board with a dark a1, ``?`` for the turn (the side that begins the game is taken), and a
    tail such as ``:H0:F1``.

    Raises:
        BadPosition: the text is no FEN; tells the place.
    """
    turn, *fields = _fields(text)
    side = _side(variant, *turn)
    lists: dict[str, dict[int, str]] = {}
    for offset, field in fields:
        colour = field[:1]
        if colour in _COLOURS and colour in lists:
            raise BadPosition(f"a second list for {_COLOURS[colour]}", _at(offset), "one list each")
        if colour in _COLOURS:
            lists[colour] = dict(_pieces(variant, colour, offset, field))
        elif not _TAIL.fullmatch(field):
            raise BadPosition(f"{_short(field)!r}", _at(offset), _FIELD)
    for colour, name in _COLOURS.items():
        if colour not in lists:
            raise BadPosition(f"no list for {name}", "FEN", f":{colour}, empty if none stands")
    for square in sorted(lists["W"].keys() & lists["B"].keys()):
        raise BadPosition("white and black piece", _name(variant, square), "one piece on a square")
    return Position.of(lists["W"] | lists["B"], side)


def read_setup(variant: Variant, text: str) -> Position:
    """A position set up by hand: like one of a game, but with any number of pieces.

    Raises:
        BadPosition: the text is no FEN, or a man stands on the row on which it would have become
            a king.
    """
    position = read_board(variant, text)
    uncrowned = position.white_men & variant.last_row("w") or (
        position.black_men & variant.last_row("b")
    )
    if uncrowned:
        square = _name(variant, next(squares_of(uncrowned)))
        raise BadPosition("a man on its own last row", square, f"K{square}, a king")
    return position


def read(variant: Variant, text: str) -> Position:
    """A position that a game can have, in any spelling `read_board` accepts.

    Raises:
        BadPosition: as `read_setup`, or a side has more pieces than it begins with.
    """
    position = read_setup(variant, text)
    for name, pieces in (("white", position.white), ("black", position.black)):
        number = pieces.bit_count()
        if number > variant.men:
            raise BadPosition(f"{number} {name} pieces", "FEN", f"at most {variant.men}")
    return position


def write(variant: Variant, position: Position) -> str:
    """The written form: no spaces, no ranges, White first; names as the game is recorded."""
    sides = ((position.white_men, position.white_kings), (position.black_men, position.black_kings))
    lists = []
    for men, kings in sides:
        squares = squares_of(men | kings)
        items = (("K" if kings >> n - 1 & 1 else "") + _name(variant, n) for n in squares)
        lists.append(",".join(items))
    return f"{position.side.upper()}:W{lists[0]}:B{lists[1]}"


def square_of(variant: Variant, text: str) -> int:
    """The square of a number or, where names are in use, of a name; 0 if there is none."""
    if text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS:
        number = int(text)
        return number if 1 <= number <= variant.board.count else 0
    if variant.board.size == 8 and not variant.board.mirrored:
        return variant.board.from_algebraic(text)
    return 0


def _name(variant: Variant, square: int) -> str:
    return variant.board.algebraic(square) if variant.algebraic else str(square)


def _at(offset: int) -> str:
    return f"FEN, character {offset + 1}"


def _short(text: str) -> str:
    return text if len(text) <= 24 else f"{text[:23]}…"


def _fields(text: str) -> Iterator[tuple[int, str]]:
    """(offset, text) of the parts between colons, without spaces and dots around them."""
    offset = 0
    for part in text.rstrip(" \t\r\n.").split(":"):
        lead = len(part) - len(part.lstrip())
        yield offset + lead, part.strip()
        offset += len(part) + 1


def _side(variant: Variant, offset: int, text: str) -> Side:
    if text == "?":
        return variant.first
    if text.upper() == "W":
        return "w"
    if text.upper() == "B":
        return "b"
    raise BadPosition(f"{_short(text)!r} as the side to move", _at(offset), "W, B or ?")


def _pieces(variant: Variant, colour: str, offset: int, field: str) -> Iterator[tuple[int, str]]:
    """(square, letter) of one colour's list."""
    offset += 1
    if not field[1:].strip():
        return
    seen: set[int] = set()
    for item in field[1:].split(","):
        place = _at(offset + len(item) - len(item.lstrip()))
        king, squares = _squares(variant, item.strip(), place)
        for square in squares:
            if square in seen:
                raise BadPosition("square named twice", _name(variant, square), "each square once")
            seen.add(square)
            yield square, colour if king else colour.lower()
        offset += len(item) + 1


def _squares(variant: Variant, item: str, place: str) -> tuple[bool, range]:
    """Whether kings are meant, and the squares of ``K12``, ``21-32``, ``c3``."""
    match = _ITEM.fullmatch(item)
    if not match:
        raise BadPosition(f"{_short(item)!r}", place, "a square, K and a square, or a range")
    king, first, last = match.groups()
    ends = [_square(variant, text, place) for text in (first, last or first)]
    if ends[0] > ends[1]:
        raise BadPosition(f"range {first}-{last}", place, "the smaller number first")
    return bool(king), range(ends[0], ends[1] + 1)


def _square(variant: Variant, text: str, place: str) -> int:
    square = square_of(variant, text)
    if square:
        return square
    named = text[0].isalpha()
    on_board = named and text[1:].isdecimal() and _is_light(variant, text)
    if on_board:
        raise BadPosition(f"light square {text}", place, "a dark square")
    names = "a dark square a1..h8" if variant.algebraic else f"1..{variant.board.count}"
    raise BadPosition(f"unknown square {text}", place, names)


def _is_light(variant: Variant, text: str) -> bool:
    size = variant.board.size
    column, row = ord(text[0]) - ord("a"), int(text[1:])
    return size == 8 and not variant.board.mirrored and 0 <= column < size and 1 <= row <= size
