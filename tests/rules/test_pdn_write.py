"""PDN as it is written: literal texts, since a round trip alone would not see a wrong format."""

from __future__ import annotations

from dataclasses import replace
from textwrap import dedent

import pytest

from rules.draughts import pdn
from rules.draughts.game import DraughtsGame
from rules.draughts.match import Match, begin, play
from rules.draughts.match_claims import resign
from rules.draughts.match_conduct import accept, offend
from rules.draughts.match_record import record_of
from rules.draughts.record import Clock, GameRecord, Ply, Result, Stand
from rules.errors import BadRecord, UnknownGame
from rules.match import Refused
from rules.verdict import Offence


def record(name: str, fen: str = "", *texts: str) -> GameRecord:
    game = DraughtsGame.by_name(name)
    position = start = game.read(fen) if fen else game.start()
    plies = []
    for text in texts:
        move = game.parse_move(position, text)
        plies.append(Ply(move))
        position = move.after
    return GameRecord(name, start, tuple(plies))


def sure(match: Match | Refused) -> Match:
    assert isinstance(match, Match)
    return match


def moves_of(written: str) -> str:
    return written.partition("\n\n")[2].strip()


def tag_lines(written: str) -> list[str]:
    return written.partition("\n\n")[0].splitlines()


def test_a_whole_game_letter_for_letter() -> None:
    game = replace(
        record("international", "", "32-28", "19-23", "28x19", "14x23"),
        result="draw",
        reason="a draw was agreed",
        tags=(("White", "Абай"), ("Black", 'О. "Шах"'), ("Annotator", "C:\\pdn")),
    )
    assert pdn.write_game(game) == dedent(
        """\
        [Event "?"]
        [Site "?"]
        [Date "????.??.??"]
        [Round "?"]
        [White "Абай"]
        [Black "О. \\"Шах\\""]
        [Result "1-1"]
        [GameType "20,W,10,10,N2,0"]
        [Termination "a draw was agreed"]
        [Annotator "C:\\\\pdn"]

        1. 32-28 19-23 2. 28x19 14x23 *
        """
    )


@pytest.mark.parametrize(
    ("name", "game_type"),
    [
        ("international", "20,W,10,10,N2,0"),
        ("english", "21,B,8,8,N1,0"),
        ("italian", "22,W,8,8,N2,1"),
        ("russian", "25,W,8,8,A0,0"),
        ("giveaway", "25,W,8,8,A0,0"),
    ],
)
def test_game_type_is_pdns_own(name: str, game_type: str) -> None:
    lines = tag_lines(pdn.write_game(record(name)))
    assert f'[GameType "{game_type}"]' in lines
    assert ('[Variant "Poddavki"]' in lines) == (name == "giveaway")


@pytest.mark.parametrize(
    ("name", "written"),
    [("international", ["2-0", "1-1", "0-2", "0-0", "*"])]
    + [
        (name, ["1-0", "1/2-1/2", "0-1", "0-0", "*"])
        for name in ("italian", "russian", "english", "giveaway")
    ],
)
def test_results_as_the_game_counts_them(name: str, written: list[str]) -> None:
    results: tuple[Result, ...] = ("w", "draw", "b", "both-lost", "*")
    for result, text in zip(results, written, strict=True):
        game = replace(record(name), result=result)
        assert f'[Result "{text}"]' in tag_lines(pdn.write_game(game))


@pytest.mark.parametrize(
    ("name", "fen", "texts", "wanted"),
    [
        ("international", "W:WK47:B14,19,27,33,42", ["47x38x24x13x36"], "1. 47x38x24x13x36 *"),
        ("international", "W:WK47:B14,19,27,33,42", ["47x38x20x9x36"], "1. 47x38x20x9x36 *"),
        ("international", "W:W28:B23,14", ["28x10"], "1. 28x10 *"),
        ("russian", "W:WKa1:Bc3,e7", ["a1:f6:d8"], "1. a1:d8 *"),
        ("russian", "W:Wc3:Bd4,h8", ["c3:e5", "h8-g7"], "1. c3:e5 h8-g7 *"),
        ("giveaway", "W:Wc3:Bd4,h8", ["c3:e5"], "1. c3:e5 *"),
        ("italian", "W:W31:B28,19,4", ["31x24"], "1. 31x24 *"),
        ("english", "", ["11-15", "22-18", "15x22"], "1. 11-15 22-18 2. 15x22 *"),
    ],
    ids=[
        "PDN 3.0 restriction 8: the route where from and to are not enough",
        "PDN 3.0 restriction 9: the square right behind the piece, where it goes straight on",
        "short otherwise",
        "Russian: short",
        "Russian: colon",
        "giveaway: colon",
        "Italian: x",
        "English: Black has the first move of each number",
    ],
)
def test_moves(name: str, fen: str, texts: list[str], wanted: str) -> None:
    assert moves_of(pdn.write_game(record(name, fen, *texts))) == wanted


def test_a_position_that_is_not_the_start_is_set_up() -> None:
    lines = tag_lines(pdn.write_game(record("italian", "B:W31,K5:B19,K4")))
    assert lines[-2:] == ['[SetUp "1"]', '[FEN "B:WK5,31:BK4,19"]']
    assert not any("FEN" in line for line in tag_lines(pdn.write_game(record("italian"))))


def test_the_second_side_begins_with_three_dots() -> None:
    game = record("italian", "B:W31:B14,1", "14-18", "31-27", "1-5")
    assert moves_of(pdn.write_game(game)) == "1... 14-18 2. 31-27 1-5 *"


def test_glyphs_clocks_and_remarks() -> None:
    game = record("russian", "", "c3-d4", "f6-g5", "d4-c5")
    one, two, three = (ply for ply in game.plies if isinstance(ply, Ply))
    plies = (
        replace(one, nags=(1,), clock=Clock(white=3723)),
        replace(two, nags=(7, 2), clock=Clock(3723, 60), remarks=("forced",)),
        replace(three, nags=(4, 18), remarks=("a {real}\nblunder", "")),
    )
    assert moves_of(pdn.write_game(replace(game, plies=plies, remarks=("Алматы",)))) == (
        "{Алматы} 1. c3-d4! {[%clk 1:02:03]} 1... f6-g5 $7 $2\n"
        "{[%clock w1:02:03 b0:01:00] forced} 2. d4-c5?? $18 {a (real) blunder} *"
    )


def test_a_board_that_stood_is_a_set_up_with_its_offence() -> None:
    """S0 9.6: the opponent plays on; PDN 3.0, Commands: a set-up in the middle of the game."""
    game = DraughtsGame.by_name("italian")
    match = begin(game, game.read("W:W20,25:B4,15"))
    wrong = Offence("O6", "capture-ignored", "FMJD 5.4.6", (), ("20x11",), "", "20x11 was due.")
    match = sure(accept(sure(offend(match, wrong, game.read_board("W:W20,21:B4,15")))))
    for text in ("15x24", "21-18"):
        match = sure(play(match, game.parse_move(match.position, text)))
    match = sure(resign(match, "b"))
    written = pdn.write_game(record_of(match, notes=False))
    assert moves_of(written) == (
        '/FEN "W:W20,25:B4,15"/ /FEN "B:W20,21:B4,15"/ {[%offence O6] O6 capture-ignored\n'
        "accepted: 20x11 was due. (FMJD 5.4.6)} 1... 15x24 2. 21-18 *"
    )
    read = pdn.read(written)[0]
    assert read.faults == ()
    assert (read.result, read.reason) == ("w", "resigned, S0 8.1; FMJD 7.2")
    stood = read.plies[0]
    assert isinstance(stood, Stand)
    assert (stood.code, game.write(stood.after)) == ("O6", "B:W20,21:B4,15")
    assert [type(ply) for ply in read.plies] == [Stand, Ply, Ply]


def test_a_first_board_that_stood_is_no_start_position() -> None:
    """PDN 3.0, Commands: without the first set-up the second would be taken for the start."""
    game = DraughtsGame.by_name("international")
    stood = Stand(game.read("B:W31-36,38-50,28:B1-20"), "O2")
    written = pdn.write_game(GameRecord("international", game.start(), (stood,)))
    assert moves_of(written).count("/FEN") == 2
    read = pdn.read(written)[0]
    assert read.start == game.start()
    assert read.plies == (stood,)


def test_lines_are_wrapped() -> None:
    game = record("international", "", *["32-28", "19-23", "28x19", "14x23"])
    long = replace(game, remarks=("word " * 60 + "[%eval 1.5]",))
    written = pdn.write_game(long)
    assert max(map(len, written.splitlines())) <= 79
    assert pdn.read(written) == (long,)


def test_no_line_of_a_comment_begins_like_a_tag() -> None:
    game = replace(record("russian"), remarks=("x" * 75 + ' [Event "no"] %',))
    assert pdn.read(pdn.write_game(game)) == (game,)


def test_several_games_are_parted_by_an_empty_line() -> None:
    games = (record("russian", "", "c3-d4"), record("italian", "", "21-17"))
    assert pdn.read(pdn.write(games)) == games
    assert "*\n\n[Event" in pdn.write(games)


def test_a_result_that_is_not_known_here_is_kept() -> None:
    game = replace(record("international"), tags=(("Result", "4-6"),))
    assert '[Result "4-6"]' in tag_lines(pdn.write_game(game))
    assert pdn.read(pdn.write_game(game)) == (game,)


def test_what_can_not_be_written() -> None:
    with pytest.raises(BadRecord, match="capital"):
        pdn.write_game(replace(record("russian"), tags=(("white space", "x"),)))
    with pytest.raises(BadRecord, match="without a game"):
        pdn.write_game(replace(record("russian"), game=""))
    with pytest.raises(UnknownGame):
        pdn.write_game(replace(record("russian"), game="chess"))
