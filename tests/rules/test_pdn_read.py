"""PDN as real files write it, and what is wrong in them, with line and column."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules.draughts import pdn
from rules.draughts.game import DraughtsGame
from rules.draughts.pdn_body import MOST_PLIES
from rules.draughts.pdn_read import MOST_FAULTS
from rules.draughts.record import Clock, GameRecord, Ply, Stand
from rules.errors import UnknownGame

GAMES = Path(__file__).parents[1] / "data" / "games"


def one(text: str | bytes, game: str | None = None) -> GameRecord:
    records = pdn.read(text, game)
    assert len(records) == 1
    return records[0]


def texts(record: GameRecord) -> list[str]:
    """The moves as written, boards that stood as FEN."""
    game, before, found = DraughtsGame.by_name(record.game), record.start, []
    for ply in record.plies:
        stood = isinstance(ply, Stand)
        found.append(game.write(ply.after) if stood else game.text(before, ply.move))  # type: ignore[union-attr]
        before = ply.after
    return found


def faults(record: GameRecord) -> list[tuple[int, int, str]]:
    return [(fault.line, fault.column, fault.what) for fault in record.faults]


# ------------------------------------------------------------------ real files


@pytest.mark.parametrize(
    ("name", "game", "results", "plies"),
    [
        ("italian_2005", "italian", ["b", "w", "draw"], [38, 111, 77]),
        ("international_kurnik", "international", ["b", "draw"], [126, 165]),
        ("international_schildpad", "international", ["draw", "w"], [114, 94]),
        ("international_delfts", "international", ["*"], [128]),
        ("international_problems", "international", ["w", "w", "w"], [5, 11, 33]),
        ("russian_1950", "russian", ["draw", "draw"], [51, 57]),
        ("russian_abatsiev", "russian", ["w", "draw"], [83, 66]),
        ("english_1849", "english", ["draw", "draw", "draw"], [55, 37, 47]),
        ("english_gem", "english", ["w", "draw"], [0, 0]),
    ],
)
def test_real_files_are_read_to_the_last_move(
    name: str, game: str, results: list[str], plies: list[int]
) -> None:
    """The numbers of plies are counted in the files: last move number, one or two moves behind."""
    records = pdn.read((GAMES / f"{name}.pdn").read_bytes())
    assert [record.game for record in records] == [game] * len(plies)
    assert [record.result for record in records] == results
    assert [len(record.plies) for record in records] == plies
    assert [faults(record) for record in records] == [[]] * len(plies)


def test_a_short_capture_that_fits_two_is_told_by_what_follows() -> None:
    """schildpad, game 2: 35. 36x16 takes either 31 or 27, 22 and more; 38. 16-32 needs the rest."""
    record = pdn.read((GAMES / "international_schildpad.pdn").read_bytes())[1]
    game = DraughtsGame.by_name("international")
    before, ply = record.plies[67].after, record.plies[68]
    assert isinstance(ply, Ply)
    fitting = [m for m in game.moves(before) if (m.frm, m.to) == (36, 16)]
    assert len(fitting) == 2
    assert len(texts(record)[68].split("x")) > 2


def test_italian_tag_names_are_translated() -> None:
    record = pdn.read((GAMES / "italian_2005.pdn").read_bytes())[0]
    assert record.tag("White") == "AMODEO Giovanni"
    assert record.tag("Event") == "69° ASSOLUTO 5° TURNO"
    assert ("Apertura", "0121") in record.tags


# ------------------------------------------------------------------ oddities, one by one

D4 = ["c3-d4", "f6-g5"]


@pytest.mark.parametrize(
    ("text", "game", "wanted"),
    [
        ("1. 32-28 19-23 2. 28x19 14x23 *", None, ["32-28", "19-23", "28x19", "14x23"]),
        ("1.32-28 19-23 2.28:19 14:23", None, ["32-28", "19-23", "28x19", "14x23"]),
        ("1. 32 - 28 19 -23 2. 28 x 19", None, ["32-28", "19-23", "28x19"]),
        ("1. 32-28 19-23 2. 28-19 14x23", None, ["32-28", "19-23", "28x19", "14x23"]),
        ("01. 32-28  19-23 02. 28X19", None, ["32-28", "19-23", "28x19"]),
        ("1. 31-27 01-06? 20-24", "international", ["31-27"]),
        ("32-28 19-23 28x19 14x23", None, ["32-28", "19-23", "28x19", "14x23"]),
        ("1 32-28 19-23 2 28x19", None, ["32-28", "19-23", "28x19"]),
        ("1. 3228 1923 2. 2819", None, ["32-28", "19-23", "28x19"]),
        ("1. c3d4 f6g5", None, D4),
        ("1. C3-D4 F6-G5", None, D4),
        ("1. c3-d4\n f6\n-g5", None, D4),
        ("1. 22-18 10-15", "russian", ["c3-d4", "d6-e5"]),
        ("1. c3-d4! f6-g5(?) 2. b2-c3 !? g5-h4 $14", None, [*D4, "b2-c3", "g5-h4"]),
        ("1. c3-d4 {a} f6-g5 ; b 2. b2-c3\n% c\n2. d4-c5", None, [*D4, "d4-c5"]),
        ("1. c3-d4 (1. c3-b4 (1. e3-f4 {x)}) g7-h6) f6-g5", None, D4),
        ("1. c3-d4 1... f6-g5", None, D4),
        ("1. c3-d4 1. ... f6-g5", None, D4),
        ("1. c3-d4 … f6-g5", None, D4),
        ("1. c3-d4* f6-g5*\n2. d4-c5", None, [*D4, "d4-c5"]),
        ("1. c3–d4 f6−g5", None, D4),
        ("\ufeff1. c3-d4 f6-g5", None, D4),
    ],
    ids=[
        "PDN 3.0",
        "colon",
        "spaces",
        "minus in a capture",
        "zeros, capital x",
        "illegal stops",
        "no numbers",
        "numbers without dots",
        "no separators",
        "named, no separators",
        "capitals",
        "line breaks in a move",
        "numbers in Russian",
        "glyphs",
        "comments",
        "nested variations",
        "number again",
        "dots after the number",
        "ellipsis",
        "forced moves",
        "dashes",
        "BOM",
    ],
)
def test_spellings_of_moves(text: str, game: str | None, wanted: list[str]) -> None:
    assert texts(one(text, game)) == wanted


@pytest.mark.parametrize(
    ("fen", "wanted"),
    [
        ("W:W31,K5:B19", "W:WK5,31:B19"),
        ("W:B19:W31,K5", "W:WK5,31:B19"),
        ("B : W 31 , K5 : B 19 .", "B:WK5,31:B19"),
        ("W:W21-32:B1-12", ""),
        ("W:WK5:B", "W:WK5:B"),
        ("W:WK5,31:B19:H0:F1", "W:WK5,31:B19"),
    ],
    ids=["PDN", "Black first", "spaces and a dot", "ranges", "an empty list", "lidraughts' tail"],
)
def test_spellings_of_a_position(fen: str, wanted: str) -> None:
    record = one(f'[GameType "22"]\n[FEN "{fen}"]\n*')
    game = DraughtsGame.by_name("italian")
    assert record.faults == ()
    assert game.write(record.start) == (wanted or game.write(game.start()))


def test_a_turn_that_is_not_told_follows_from_the_moves() -> None:
    record = one('[GameType "22"]\n[FEN "?:W31:B14,1"]\n1... 14-18 2. 31-27 *')
    assert record.start.side == "b"
    assert texts(record) == ["14-18", "31-27"]


@pytest.mark.parametrize(
    ("tags", "moves", "game"),
    [
        ('[GameType "20"]', "1. 31-26", "international"),
        ('[GameType "21,B,8,8,N1,0"]', "1. 11-15", "english"),
        ('[GameType "22,W,8,8,N1,0"]', "1. 21-17", "italian"),
        ('[GameType "25"]', "1. c3-d4", "russian"),
        ('[GameType "25"][Variant "Poddavki"]', "1. c3-d4", "giveaway"),
        ('[GameType "25"][Variant "blitz"]', "1. c3-d4", "russian"),
        ("", "1. 23-19 11-14", "italian"),
        ("", "1. 11-15 23-19", "english"),
        ("", "1. 32-28", "international"),
        ("", "1. c3-d4", "russian"),
        ('[Result "2-0"]', "", "international"),
        ('[FEN "W:Wa1:Bb8"]', "", "russian"),
    ],
)
def test_which_game_it_is(tags: str, moves: str, game: str) -> None:
    record = one(f"{tags}\n{moves} *")
    assert (record.game, record.faults) == (game, ())


def test_the_game_that_is_asked_for_counts_where_the_file_says_nothing() -> None:
    assert one("1. c3-d4 *", "giveaway").game == "giveaway"
    assert one('[GameType "25"] 1. c3-d4 *', "italian").game == "russian"
    with pytest.raises(UnknownGame):
        pdn.read("", "chess")


@pytest.mark.parametrize(
    ("tag", "end", "wanted"),
    [
        ("2-0", "2-0", "w"), ("1-0", "1-0", "w"), ("0-2", "*", "b"), ("0-1", "", "b"),
        ("1-1", "1-1", "draw"), ("1/2-1/2", "", "draw"), ("1/2", "1/2", "draw"),
        ("0-0", "0-0", "both-lost"), ("*", "2-0", "w"), ("", "0-2", "b"), (None, "1/2-1/2", "draw"),
        ("2 - 0", "2 - 0", "w"), ("4-6", "4-6", "*"), ("½-½", "½-½", "draw"),
    ],
)  # fmt: skip
def test_results(tag: str | None, end: str, wanted: str) -> None:
    header = "" if tag is None else f'[Result "{tag}"]\n'
    record = one(f"{header}1. 32-28 19-23 {end}")
    assert (record.result, len(record.plies), record.faults) == (wanted, 2, ())


def test_many_games_with_and_without_tags_and_separators() -> None:
    text = '[Event "a"]\n1. c3-d4 1-0\n\n[Event "b"]\n1. c3-b4\n[Event "c"]\n1. 0-1\n* 1. e3-f4'
    records = pdn.read(text)
    assert [(r.tag("Event"), len(r.plies), r.result) for r in records] == [
        ("a", 1, "w"), ("b", 1, "*"), ("c", 0, "b"), ("?", 1, "*"),
    ]  # fmt: skip


def test_tags_as_files_write_them() -> None:
    record = one('[Event   "a \\"b\\" \\\\ c"]  [white "X"]\n[Site "say "no""]\n[Round ""] c3-d4')
    assert record.tags == (("Event", 'a "b" \\ c'), ("Site", 'say "no"'), ("White", "X"))
    assert record.faults == ()


def test_clocks_glyphs_and_comments() -> None:
    record = one(
        "{before} 1. c3-d4!? {[%clk 1:02:03] {good} f6-g5 {[%clock w1:02:03 B0:59:58]} {two} *"
    )
    first, second = record.plies
    assert record.remarks == ("before",)
    assert (first.nags, first.clock, first.remarks) == ((5,), Clock(white=3723), ("(good",))
    assert (second.clock, second.remarks) == (Clock(3723, 3598), ("two",))


def test_a_setup_in_the_middle() -> None:
    """PDN 3.0, Commands: its own example of a forgotten capture."""
    record = one(
        '1.31-26 17-21 /FEN "B:B1-16,18-21:W26,28,33-50"/\n'
        "{ White forgot to make a capture and played 32-28 instead } 2... 21-27 *"
    )
    assert texts(record)[:2] == ["31-26", "17-21"]
    assert isinstance(record.plies[2], Stand)
    assert record.plies[2].remarks == ("White forgot to make a capture and played 32-28 instead",)
    assert texts(record)[3] == "21-27"


def test_a_setup_tells_which_of_two_captures_was_meant() -> None:
    """47x36 takes 19 or 14; on the board that follows 14 still stands, or 19."""
    start = '[GameType "20"][FEN "W:WK47:B14,19,27,33,42"] 1. 47x36'
    for left, route in (("14", "47x38x24x13x36"), ("19", "47x38x20x9x36")):
        record = one(f'{start} /FEN "W:WK36,50:B{left}"/ *')
        assert texts(record) == [route, f"W:WK36,50:B{left}"]
        assert record.faults == ()


def test_a_variation_without_its_end_swallows_no_other_game() -> None:
    first, second = pdn.read('1. c3-d4 (1. e3-f4\n[Event "b"]\n1. c3-b4 f6-g5 *')
    assert faults(first) == [(1, 10, "variation without its end")]
    assert (texts(first), texts(second)) == (["c3-d4"], ["c3-b4", "f6-g5"])


def test_a_null_move() -> None:
    record = one('1. 32-28 /FEN "W::"/ 2. 37-32 *')
    assert record.plies[1].after == record.plies[0].after.with_side("w")
    assert len(record.plies) == 3


# ------------------------------------------------------------------ faults


@pytest.mark.parametrize(
    ("text", "wanted", "expected", "plies"),
    [
        (
            "1. c3-d4 f6-g5\n2. d4-d5 g5-h4 3. b2-c3 *",
            (2, 4, "no such squares: 'd4-d5' (2 more not read)"),
            "d4-c5", 2,
        ),
        ("1. c3-d4\n   c3-b4 *", (2, 4, "move 'c3-b4' is not legal for Black"), "b6-a5", 1),
        ("1. 32-28 99-23 *", (1, 10, "no such squares: '99-23'"), "16-21", 1),
        ("1. c3-d4 hello f6-g5 *", (1, 10, "'hello'"), "moves, comments", 2),
        ("1. c3-d4 } f6-g5 *", (1, 10, "'}'"), "moves, comments", 2),
        ("1. c3-d4 ) f6-g5 *", (1, 10, "')'"), "( before it", 2),
        ("1. c3-d4 (1. e3-f4 *", (1, 10, "variation without its end"), ")", 1),
        ("1. c3-d4 f6-g5 {so", (1, 16, "comment without its end"), "}", 2),
        ("1. c3-d4 - - *", (1, 10, "a move that was not noted"), "a move", 1),
        ('[White "x\n1. c3-d4 f6-g5 *', (1, 1, "tag White without its end"), '"]', 2),
        ("1. c3-d4 [ f6-g5 *", (1, 10, "'['"), "a tag", 2),
        ("1. c3-d4 / f6-g5 *", (1, 10, "'/'"), "a set-up", 2),
        ('1. c3-d4 /FEN "x"/', (1, 10, "set-up: 'x' as the side to move"), "W, B", 1),
        ('1. c3-d4 /FEN "B:Wd4:Bf6"\nf6-g5', (1, 10, "set-up without its end"), "/", 1),
        ('[Result "1-0"]\n1. c3-d4 f6-g5 0-1', (2, 16, "result '0-1' at the end"), "'1-0'", 2),
        ('[GameType "26,W"]\n1. c3-d4 *', (1, 1, "game type '26,W'"), "20, 21, 22 or 25", 0),
        (b"[White \"\xc0\"]\r\n1. c3-d4 f6-g5 *", (1, 9, "byte 0xc0"), "UTF-8", 2),
    ],
)  # fmt: skip
def test_faults_tell_what_where_and_what_was_expected(
    text: str | bytes, wanted: tuple[int, int, str], expected: str, plies: int
) -> None:
    record = one(text)
    assert faults(record)[:1] == [wanted]
    assert expected.split(",")[0] in record.faults[0].expected
    assert len(record.plies) == plies


def test_a_fault_in_one_game_leaves_the_others() -> None:
    text = '[Event "a"]\n1. c3-d4 {open\n\n[Event "b"]\n1. c3-d4 a1-a9 *\n[Event "c"]\n1. c3-d4 *'
    records = pdn.read(text)
    assert [record.tag("Event") for record in records] == ["a", "b", "c"]
    assert [len(record.faults) for record in records] == [1, 1, 0]
    assert [len(record.plies) for record in records] == [1, 1, 1]


def test_reading_goes_on_behind_a_setup() -> None:
    record = one('1. c3-d4 a1-h8 f6-g5 /FEN "W:Wa1:Bh8,a3"/ 3. a1-b2 *')
    assert texts(record) == ["c3-d4", "W:Wa1:Bh8,a3", "a1-b2"]
    assert faults(record) == [(1, 10, "move 'a1-h8' is not legal for Black (1 more not read)")]


def test_a_bad_start_is_told_and_the_usual_one_taken() -> None:
    record = one('[GameType "22"]\n[FEN "W:W33:B1"]\n1. 21-17 *')
    assert faults(record) == [(2, 1, "FEN, character 4: unknown square 33")]
    assert texts(record) == ["21-17"]


def test_a_route_that_does_not_exist_is_no_legal_move() -> None:
    record = one('[FEN "W:W28:B23,14"][GameType "20"] 1. 28x17x10 *')
    assert texts(record) == ["28x10"]  # from and to are enough


def test_a_short_capture_that_stays_open_is_told() -> None:
    record = one('[GameType "20"][FEN "W:WK47:B14,19,27,33,42"] 1. 47x36 *')
    assert faults(record) == [(1, 50, "a move that fits several, the first is taken")]
    assert len(record.plies) == 1


def test_faults_are_counted_where_they_are_too_many() -> None:
    record = one("c3-d4 " + "word " * (MOST_FAULTS + 25))
    assert len(record.faults) == MOST_FAULTS + 1
    assert record.faults[-1].what == "25 more faults in this game"


def test_a_game_without_end_is_read_no_further_than_any_was_played() -> None:
    there_and_back = "1. a1-b2 b8-a7 2. b2-a1 a7-b8 "
    text = f'[GameType "25"]\n[FEN "W:WKa1:BKb8"]\n{there_and_back * 5000}*'
    (record,) = pdn.read(text)
    assert len(record.plies) == MOST_PLIES
    (fault,) = record.faults
    assert fault.what == "more than 5000 moves in one game (15000 more not read)"


def test_nothing_is_no_game() -> None:
    assert pdn.read("") == ()
    assert pdn.read(b" \n\t % only a comment line\n") == ()
    assert faults(one("word")) == [(1, 1, "'word'")]
