"""The judge's table row by row, its words, and what it says must be done."""

from __future__ import annotations

import time

import pytest

from rules.draughts.codes import KINDS
from rules.draughts.game import NAMES, DraughtsGame
from rules.verdict import Legal, Offence, Unchanged

#: row of the table of codes, game, before, after, code, what was due
ROWS = [
    ("C not crowned", "italian", "W:W5:B2", "B:W1:B2", "O14", ()),
    ("D crowned for nothing", "italian", "W:W18:B2", "B:WK13:B2", "O1", ()),
    ("D crown lost", "italian", "W:WK18,31:B2", "B:W18,27:B2", "O1", ()),
    ("D king moved, crown lost", "italian", "W:WK18:B2", "B:W13:B2", "O1", ()),
    ("D crowned where it stands", "italian", "W:W18:B2", "W:WK18:B2", "O1", ()),
    ("E opponent's piece", "english", "B:W21:B1", "W:W17:B1", "O5", ()),
    ("F a piece too many", "italian", "W:W18:B1", "B:W13,27:B1", "O1", ()),
    ("F an enemy too many", "italian", "W:W18:B1", "B:W13:B1,2", "O1", ()),
    ("G own piece off", "italian", "W:W18,31:B1", "B:W13:B1", "O13", ()),
    (
        "H round trip half done",
        "international",
        "W:WK2:B7,8,17,18",
        "B:WK2:B7,8,17",
        "O11",
        ("2x2",),
    ),
    ("H round trip and one more", "italian", "W:WK2:BK5,6,13,14,28", "B:WK2:B", "O12", ("2x2",)),
    ("I own piece off", "russian", "W:Wa1,c3:Bh8", "B:Wa1:Bh8", "O7", ()),
    ("I enemy off", "russian", "W:Wa1:Bh8,b8", "B:Wa1:Bh8", "O7", ()),
    (
        "J not the most",
        "international",
        "W:W34,47:B18,29,42",
        "B:W34,38:B18,29",
        "O8b",
        ("34x12",),
    ),
    ("J not with the king", "italian", "W:WK31,18:B27,13", "B:WK31,9:B27", "O8b", ("31x22",)),
    ("J stopped", "russian", "W:Wc3:Bd4,f6", "B:We5:Bf6", "O9", ("c3:g7",)),
    ("K capture ignored", "english", "W:W18,32:B14", "B:W18,27:B14", "O6", ("18x9",)),
    ("L victim stands", "russian", "W:Wc3:Bd4", "B:We5:Bd4", "O11", ("c3:e5",)),
    ("M wrong piece off", "italian", "W:W22:B18,19", "B:W15:B19", "O12", ("22x13", "22x15")),
    ("M one off too many", "italian", "W:W22:B18,2", "B:W13:B", "O12", ("22x13",)),
    ("M quiet and a piece off", "russian", "W:Wa1:Bh8", "B:Wb2:B", "O12", ()),
    ("N back", "italian", "W:W18:B1", "B:W22:B1", "O4a", ()),
    ("N captured backward", "english", "W:W18:B23,1", "B:W27:B1", "O4a", ()),
    ("O two moves of one", "italian", "W:W30:B1", "B:W22:B1", "O2", ()),
    ("O two moves of two", "italian", "W:W30,32:B1", "B:W26,28:B1", "O2", ()),
    ("P other piece too", "italian", "W:W29,32,18:B1", "B:W13,29,31:B1", "O3", ()),
    ("Q sideways", "italian", "W:W18:B1", "B:W17:B1", "O1", ()),
    ("Q a man takes a king", "italian", "W:W18:BK14,1", "B:W11:B1", "O1", ()),
    ("Q king far back, crown lost", "italian", "W:WK18:B2", "B:W31:B2", "O1", ()),
    ("Q upset", "italian", "W:W29,30,31:B1", "B:W9,10,11:B1", "O1", ()),
]


@pytest.mark.parametrize(("row", "name", "before", "after", "code", "due"), ROWS)
def test_names_the_deed_by_the_first_row_that_fits(
    row: str, name: str, before: str, after: str, code: str, due: tuple[str, ...]
) -> None:
    game = DraughtsGame.by_name(name)
    verdict = game.judge(game.read(before), game.read_board(after))
    assert isinstance(verdict, Offence)
    assert (verdict.code, verdict.kind, verdict.due) == (code, KINDS[code], due)
    assert verdict.article
    assert verdict.squares


def test_unchanged_and_legal_ignore_the_side_to_move() -> None:
    game = DraughtsGame.by_name("russian")
    before = game.read("W:Wc3:Bd4")
    assert game.judge(before, before.with_side("b")) == Unchanged()
    for side in ("W", "B"):
        after = game.read(f"{side}:We5:B")
        assert game.judge(before, after) == Legal("c3:e5", game.read("B:We5:B"))


#: game, before, after, the short line, the sentence, squares, article
WORDS = [
    (
        "russian",
        "W:Wc3,h2:Bd4,h8",
        "B:Wc3,g3:Bd4,h8",
        "Capture due: undo h2-g3, play c3:e5",
        "h2-g3 was played although a capture is due: take it back and play c3:e5.",
        ("g3", "h2", "c3"),
        "FMJD 5.4.6",
    ),
    (
        "italian",
        "W:W22,31:B19",
        "B:W22,27:B19",
        "Capture due: undo 31-27, play 22x15",
        "31-27 was played although a capture is due: take it back and play 22x15.",
        ("27", "31", "22"),
        "FID 6.1; FMJD 5.4.6",
    ),
    (
        "russian",
        "W:Wc3:Bd4,f6",
        "B:We5:Bf6",
        "Capture unfinished: go on from e5 over f6 to g7",
        "The capture was stopped on e5: it has to go on over f6 to g7.",
        ("e5", "f6", "g7"),
        "FMJD 5.4.9",
    ),
    (
        # e5 would do as well, but the king stands on c3
        "russian",
        "W:WKh8:Bf6,d6,b4",
        "B:WKc3:Bd6,b4",
        "Capture unfinished: go on from c3 over b4 to a5",
        "The capture was stopped on c3: it has to go on over b4 to a5.",
        ("c3", "b4", "a5"),
        "FMJD 5.4.9",
    ),
    (
        "russian",
        "W:WKa1:Bc3,e7",
        "B:WKd4:Be7",
        "Capture unfinished: land on f6, not d4",
        "The king has to land on f6, not d4, to go on from there over e7.",
        ("d4", "f6"),
        "FMJD 4.6, 5.4.9",
    ),
    (
        "international",
        "W:W34,47:B18,29,42",
        "B:W34,38:B18,29",
        "34x12 takes 2, not 1: play 34x12",
        "The capture of most pieces must be played: 34x12 takes 2, 47x38 only 1.",
        ("38", "47", "34"),
        "FMJD 4.13, 5.4.8",
    ),
    (
        "italian",
        "W:WK31,18:B27,13",
        "B:WK31,9:B27",
        "Capture with the king: play 31x22",
        "Of captures of equally many pieces one with a king must be played: 31x22, not 18x9.",
        ("9", "18", "31"),
        "FID 6.7; FMJD 5.4.8",
    ),
    (
        "italian",
        "W:WK24:B20,K28",
        "B:WK15:BK28",
        "Take more kings, 1, not 0: 24x31",
        "Of captures with a king the one of most kings must be played: 24x31 takes 1 of them, "
        "24x15 0.",
        ("15", "24"),
        "FID 6.8; FMJD 5.4.8",
    ),
    (
        "italian",
        "W:WK11:B5,K13,K14,22,K23",
        "B:WK20:B5,K13",
        "Take the king met first: play 11x2",
        "The capture that meets a king earlier must be played: 11x2, not 11x20.",
        ("20", "11"),
        "FID 6.9; FMJD 5.4.8",
    ),
    (
        "russian",
        "W:Wc3:Bd4,f6",
        "B:Wg7:Bd4",
        "d4 still there: lift it",
        "c3:g7 also takes what stands on d4: lift it.",
        ("d4", "g7"),
        "FMJD 5.4.11",
    ),
    (
        "italian",
        "W:W22:B18,19",
        "B:W15:B19",
        "Put 18 back, lift 19",
        "What stood on 18 was taken off in place of what was captured: put it back and lift 19.",
        ("18", "19", "15"),
        "Italian rules 9.4(12); FMJD 5.4.12",
    ),
    (
        "english",
        "W:W18:B23,1",
        "B:W27:B1",
        "Men don't capture backward: undo 18x27",
        "The man from 18 captured backward to 27, and men capture forward only: undo 18x27.",
        ("27", "18"),
        "WCDF 1.17; FMJD 5.4.2",
    ),
    (
        "italian",
        "W:W18:BK14,1",
        "B:W11:B1",
        "A man can't take a king: undo 18x11",
        "A man may not capture a king: put the king back, and the man back on 18.",
        ("11", "18"),
        "Italian rules 5.4, 9.4(1)",
    ),
    (
        "russian",
        "W:Wa1:Bd4,h8",
        "W:Wa1:Bc3,h8",
        "White to move, not Black: undo d4-c3",
        "It is White's turn, but Black played d4-c3: take it back.",
        ("c3", "d4"),
        "FMJD 5.4.5",
    ),
    (
        "russian",
        "W:Wa1,c1:Bh8",
        "B:Wb2:Bh8",
        "Own piece off, c1: put it back",
        "The player's own piece from c1 was taken off: put it back.",
        ("c1",),
        "FMJD 5.4.14",
    ),
    (
        "russian",
        "W:Wc3:Bd4",
        "B:Wf4:B",
        "c3-f4 is no move: back to c3, capture c3:e5",
        "The piece from c3 can't go to f4: put it back on c3, what stood on d4 too, "
        "and play c3:e5.",
        ("f4", "c3"),
        "FMJD 5.4.2",
    ),
    (
        "giveaway",
        "W:Wa7:Bh8",
        "B:Wb8:Bh8",
        "New king on b8: crown it",
        "The man that reached b8 is a king now: crown it.",
        ("b8",),
        "FMJD 5.4.15",
    ),
    (
        "russian",
        "W:Wa1:Bh8,b8,d8",
        "B:Wa1:Bh8",
        "b8 and d8 taken off for nothing: put them back",
        "What stood on b8 and d8 was taken off without a capture: put them back.",
        ("b8", "d8"),
        "FMJD 5.4.7",
    ),
]


@pytest.mark.parametrize(
    ("name", "before", "after", "short", "message", "squares", "article"), WORDS
)
def test_says_what_where_and_what_to_do(
    name: str,
    before: str,
    after: str,
    short: str,
    message: str,
    squares: tuple[str, ...],
    article: str,
) -> None:
    game = DraughtsGame.by_name(name)
    verdict = game.judge(game.read(before), game.read_board(after))
    assert isinstance(verdict, Offence)
    assert (verdict.short, verdict.message) == (short, message)
    assert (verdict.squares, verdict.article) == (squares, article)


def test_less_specific_codes_stand_beside() -> None:
    game = DraughtsGame.by_name("italian")
    verdict = game.judge(game.read("W:W22:B18,2"), game.read("B:W13:B"))
    assert isinstance(verdict, Offence)
    assert (verdict.code, verdict.also) == ("O12", ("O8", "O11"))


def test_a_line_too_long_for_the_display_gives_way_to_a_shorter_one() -> None:
    game = DraughtsGame.by_name("italian")
    verdict = game.judge(game.read("W:W21-32:B1"), game.read_board("W:W9-20:B1"))
    assert isinstance(verdict, Offence)
    assert verdict.short == "Many pieces moved: put all back"
    assert "9, 10, 11" in verdict.message


@pytest.mark.parametrize("name", NAMES)
def test_every_deed_is_told_within_a_small_display(name: str) -> None:
    game = DraughtsGame.by_name(name)
    position = game.start()
    for ply in range(12):
        for deed in game.deeds(position):
            pieces = position.pieces() | dict(deed.changes)
            verdict = game.judge(position, type(position).of(pieces, position.side))
            assert isinstance(verdict, Offence)
            assert 0 < len(verdict.short) <= 60
            assert verdict.message.endswith(".")
            assert "{" not in verdict.short + verdict.message
        moves = game.moves(position)
        if not moves:
            break
        position = moves[(7 * ply) % len(moves)].after


def test_judges_a_deed_in_time() -> None:
    # five hundred times the time that a verdict may take on a Pi, so that only a hang fails
    game = DraughtsGame.by_name("international")
    begun = time.process_time()
    game.judge(game.start(), game.read_board("B:W31-50:B1-18"))
    assert time.process_time() - begun < 1
