"""Positions as one line of text: ``W:W24x15:B12x15:O0-0``.

The side to move; White's points with their counts (``x1`` may be left out); Black's; the
checkers borne off, White's first.  `read_line` and `write_line` are the form for puzzles, which
carries the roll as well: ``W 24:9,13 B 12:15 off 0/0 turn W dice 6-1 first``.
"""

from __future__ import annotations

import re

from ..errors import BadPosition
from .board import MOST_WRITTEN, POINTS, Position, Side
from .dice import Roll

_SIDES: dict[str, Side] = {"W": "w", "B": "b"}
_ITEM = re.compile(r"\s*([0-9]{1,2})\s*(?:x\s*([0-9]{1,2})\s*)?")
_OFF = re.compile(r"\s*([0-9]{1,2})\s*-\s*([0-9]{1,2})\s*")
_FORM = "SIDE:W<points>:B<points>:O<white>-<black>, such as W:W24x15:B12x15:O0-0"
_LINE = re.compile(
    r"\s*W(?P<w>[0-9:,\s]*)B(?P<b>[0-9:,\s]*)off\s+(?P<wo>[0-9]{1,2})/(?P<bo>[0-9]{1,2})"
    r"\s+turn\s+(?P<side>[WB])(?:\s+dice\s+(?P<dice>[1-6]-[1-6])(?P<first>\s+first)?)?\s*"
)
_LINE_FORM = "W 24:9,13 B 12:15 off 0/0 turn W dice 6-1 first"


def read(text: str) -> Position:
    """The position that a text describes; both lists may name the same point.

    Raises:
        BadPosition: with the character (from 1) where the text can't be read.
    """
    parts = text.rstrip().removesuffix(".").split(":")
    side = _SIDES.get(parts[0].strip())
    if side is None:
        raise BadPosition(f"side to move {parts[0][:20]!r}", "character 1", _FORM)
    found: dict[str, dict[int, int]] = {}
    off: tuple[int, int] | None = None
    at = len(parts[0]) + 1
    for part in parts[1:]:
        name, start = part.lstrip()[:1], at + len(part) - len(part.lstrip())
        if name in _SIDES and name not in found:
            found[name] = _points(part.lstrip()[1:], start + 1)
        elif name == "O" and off is None:
            off = _borne_off(part.lstrip()[1:], start + 1)
        else:
            raise BadPosition(f"part {part[:20]!r}", f"character {start + 1}", _FORM)
        at += len(part) + 1
    if off is None or len(found) != len(_SIDES):
        lacking = [n for n in "WBO" if n not in found and (n != "O" or off is None)]
        raise BadPosition(f"no part {lacking[0]}", f"character {len(text) + 1}", _FORM)
    return Position.of(found["W"], found["B"], off, side)


def _points(body: str, at: int) -> dict[int, int]:
    points: dict[int, int] = {}
    if not body.strip():
        return points
    for item in body.split(","):
        match = _ITEM.fullmatch(item)
        point = int(match[1]) if match else 0
        where = f"character {at + 1 + len(item) - len(item.lstrip())}"
        if not match or not 1 <= point <= POINTS:
            raise BadPosition(f"point {item[:20]!r}", where, f"1..{POINTS}, such as 24x15")
        if point in points:
            raise BadPosition(f"point {point} twice", where, "each point once a side")
        points[point] = int(match[2] or 1)
        at += len(item) + 1
    return {point: count for point, count in points.items() if count}


def _borne_off(body: str, at: int) -> tuple[int, int]:
    match = _OFF.fullmatch(body)
    if not match:
        raise BadPosition(
            f"borne off {body[:20]!r}", f"character {at + 1}", f"O0-0, each up to {MOST_WRITTEN}"
        )
    return int(match[1]), int(match[2])


def write(position: Position) -> str:
    """The text of a position: points from high to low, no spaces, ``x1`` left out."""
    return (
        f"{position.side.upper()}:W{_list(position.white)}:B{_list(position.black)}"
        f":O{position.white_off}-{position.black_off}"
    )


def _list(counts: tuple[int, ...], times: str = "x") -> str:
    return ",".join(
        f"{point}{times}{counts[point - 1]}" if counts[point - 1] > 1 else f"{point}"
        for point in range(POINTS, 0, -1)
        if counts[point - 1]
    )


def read_line(text: str) -> tuple[Position, Roll | None]:
    """Position and roll of a puzzle line.

    Raises:
        BadPosition: when it is none.
    """
    match = _LINE.fullmatch(text)
    if not match:
        raise BadPosition(f"line {text[:40]!r}", "", _LINE_FORM)
    side = match["side"]
    off = f"O{match['wo']}-{match['bo']}"
    lists = [re.sub(r"\s", "", match[name]).replace(":", "x") for name in "wb"]
    position = read(f"{side}:W{lists[0]}:B{lists[1]}:{off}")
    if not match["dice"]:
        return position, None
    return position, Roll.read(match["dice"], first=bool(match["first"]))


def write_line(position: Position, roll: Roll | None = None) -> str:
    """The puzzle line of a position, with its roll when there is one."""
    dice = f" dice {roll.text}{' first' if roll.first else ''}" if roll else ""
    return (
        f"W {_list(position.white, ':')} B {_list(position.black, ':')} "
        f"off {position.white_off}/{position.black_off} turn {position.side.upper()}{dice}"
    )
