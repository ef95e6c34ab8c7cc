"""What is written reads back the same, whatever was played; broken text never breaks the reader.

Literal texts beside these properties are in the tests of writing and reading.
"""

from __future__ import annotations

import importlib.util
import random
import time
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.draughts import pdn
from rules.draughts.game import NAMES, DraughtsGame
from rules.draughts.pdn_facts import ALIASES, COMPUTED, SEVEN
from rules.draughts.position import Position, Side, other
from rules.draughts.record import Clock, GameRecord, Ply, Result, Stand, one_line

SIDES: tuple[Side, ...] = ("w", "b")
RESULTS: tuple[Result, ...] = ("w", "b", "draw", "both-lost", "*")
CALM = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))

#: Text as it comes back: one line, no braces, no commands.
remarks = st.text(max_size=60).map(lambda text: one_line(text).replace("[%", "[")).filter(bool)
values = st.text(max_size=30).map(lambda text: one_line(text, braces=True)).filter(bool)
names: st.SearchStrategy[str] = st.from_regex(r"[A-Z][A-Za-z0-9_]{0,12}", fullmatch=True).filter(
    lambda name: name not in COMPUTED | SEVEN.keys() | ALIASES.keys() | {"Variant"}
)
clocks = st.builds(Clock, *[st.one_of(st.none(), st.integers(0, 359_999))] * 2).filter(
    lambda clock: clock != Clock()
)


def _upset(game: DraughtsGame, position: Position, random_: random.Random) -> Position:
    """A board that no move made: a piece gone, put elsewhere, or crowned for nothing."""
    pieces = position.pieces()
    if pieces:
        square = random_.choice(list(pieces))
        piece = pieces.pop(square)
        if random_.random() < 0.7:
            empty = [n for n in range(1, game.board.count + 1) if n not in pieces]
            pieces[random_.choice(empty)] = random_.choice((piece, piece.upper()))
    return Position.of(pieces, random_.choice((position.side, other(position.side))))


@st.composite
def games_played(draw: st.DrawFn, name: str) -> GameRecord:
    """A random game, now and then with a board that stood."""
    game = DraughtsGame.by_name(name)
    random_ = random.Random(draw(st.integers(0, 2**32)))
    position = game.start()
    if draw(st.booleans()):
        squares = random_.sample(range(1, game.board.count + 1), random_.randrange(2, 9))
        position = Position.of({n: random_.choice("wWbB") for n in squares}, random_.choice(SIDES))
    start, plies = position, []
    for _ in range(draw(st.integers(0, 40))):
        moves = game.moves(position)
        ply: Ply | Stand
        if random_.random() < 0.05:
            ply = Stand(_upset(game, position, random_), draw(st.sampled_from(("", "O6", "O4a"))))
        elif moves:
            ply = Ply(random_.choice(moves))
        else:
            break
        if random_.random() < 0.2:
            nags = tuple(draw(st.lists(st.integers(1, 139), max_size=3)))
            said = tuple(draw(st.lists(remarks, max_size=2)))
            ply = replace(ply, clock=draw(st.none() | clocks), nags=nags, remarks=said)
        plies.append(ply)
        position = ply.after
    seven = [name for name in SEVEN if name != "Result" and draw(st.booleans())]
    others = draw(st.lists(names, max_size=3, unique=True))
    tags = tuple(
        (name, draw(values.filter(lambda v: v not in ("?", "????.??.??")))) for name in seven
    )
    return GameRecord(
        game.name,
        start,
        tuple(plies),
        draw(st.sampled_from(RESULTS)),
        draw(st.just("") | values),
        tags + tuple((name, draw(values)) for name in others),
        tuple(draw(st.lists(remarks, max_size=2))),
    )


@pytest.mark.parametrize("name", NAMES)
@settings(CALM, max_examples=15)
@given(data=st.data())
def test_every_game_reads_back_as_it_was_written(name: str, data: st.DataObject) -> None:
    records = data.draw(st.lists(games_played(name), min_size=1, max_size=2))
    assert pdn.read(pdn.write(records)) == tuple(records)


@pytest.mark.parametrize("name", NAMES)
@settings(CALM, max_examples=5)
@given(data=st.data())
def test_written_lines_are_short_unless_one_word_is_long(name: str, data: st.DataObject) -> None:
    record = data.draw(games_played(name))
    body = pdn.write_game(replace(record, remarks=())).partition("\n\n")[2]
    for line in body.splitlines():
        assert len(line) <= 79 or max(map(len, line.split(" "))) > 40


# ------------------------------------------------------------------ broken text


def fuzz() -> ModuleType:
    path = Path(__file__).parents[1] / "fuzz" / "pdn.py"
    spec = importlib.util.spec_from_file_location("fuzz_pdn", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_mutated_games_break_nothing() -> None:
    module = fuzz()
    games = 0
    for data in module.inputs(300, seed=3):
        games += module.check(data)[0]
    assert games > 150


@CALM
@given(st.binary(max_size=300) | st.text(max_size=300))
def test_any_text_and_any_bytes_are_read(data: str | bytes) -> None:
    for record in pdn.read(data):
        assert all(fault.line >= 1 and fault.column >= 1 for fault in record.faults)


@CALM
@given(st.text(alphabet='[]{}()"\\/;%*:.-x!?$KWBFEN0123456789abch \n', max_size=400))
def test_any_text_of_pdns_own_letters_is_read(text: str) -> None:
    fuzz().check(text.encode())


#: Whatever has a beginning and may lack its end, and what repeats.
UNITS = (
    *(
        "{",
        "}",
        "(",
        ")",
        "((",
        "[",
        '[A "',
        '[A "\\"',
        '[A "x"] ',
        "/",
        "/FEN ",
        '/FEN "W',
        "$",
        "*",
    ),
    *("1-", "1-1", "1 ", "1.", "...", "- ", "c3", "c3 - ", "32-28 19-23 ", "1. c3-d4 ", "!"),
    *("\\", '"', ";", "%", "\n", "{ \n[A ", "1/2-", " ", "\t- ", "47x36 ", "{[%clk 1:00:00]"),
)


@pytest.mark.parametrize("unit", UNITS)
def test_time_grows_with_the_length_only(unit: str) -> None:
    """A second or so of work, where the square of the length would be many minutes."""
    text = unit * (60_000 // len(unit))
    began = time.process_time()
    pdn.read(text)
    assert time.process_time() - began < 10
