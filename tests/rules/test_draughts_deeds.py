"""The wrong deeds that are proposed, and chains of moves."""

from __future__ import annotations

from collections import Counter

import pytest

from rules.draughts.deeds import chains
from rules.draughts.game import NAMES, DraughtsGame
from rules.draughts.position import Position
from rules.verdict import Offence

#: what people do, game, position, the board it leaves, code
FAMILIES = [
    ("quiet while a capture is due", "russian", "W:Wc3,h2:Bd4", "W:Wc3,g3:Bd4", "O6"),
    ("stopped at the first stop", "russian", "W:Wc3:Bd4,f6", "W:We5:Bf6", "O9"),
    ("stopped at the second stop", "international", "W:W47:B42,33,24", "W:W29:B24", "O9"),
    ("one victim left", "russian", "W:Wc3:Bd4,f6", "W:Wg7:Bd4", "O11"),
    ("the other victim left", "russian", "W:Wc3:Bd4,f6", "W:Wg7:Bf6", "O11"),
    ("all victims left", "russian", "W:Wc3:Bd4,f6", "W:Wg7:Bd4,f6", "O11"),
    ("one more lifted", "italian", "W:W22:B18,14", "W:W13:B", "O12"),
    ("the wrong one lifted", "italian", "W:W22:B18,19", "W:W13:B18", "O12"),
    ("own piece lifted", "italian", "W:W22,21:B1", "W:W18:B1", "O13"),
    ("not crowned", "english", "B:W12:B25", "B:W12:B29", "O14"),
    ("man back", "italian", "W:W18:B1", "W:W22:B1", "O4a"),
    ("captured back", "italian", "W:W18:B22,1", "W:W27:B1", "O4a"),
    ("sideways", "russian", "W:Wc3:Bh8", "W:We3:Bh8", "O1"),
    ("two rows on", "russian", "W:Wc3:Bh8", "W:Wd6:Bh8", "O1"),
    ("landed beside", "russian", "W:Wc3:Bd4", "W:Wf4:B", "O1"),
    ("opponent's piece", "russian", "W:Wc3:Bd8", "W:Wc3:Be7", "O5"),
    ("opponent's capture out of turn", "russian", "W:Wc3:Bd4", "W:W:Bb2", "O5"),
    ("two moves of one piece", "italian", "W:W30:B1", "W:W22:B1", "O2"),
    ("two moves of two pieces", "italian", "W:W30,32:B1", "W:W26,28:B1", "O2"),
    ("other piece pushed", "russian", "W:Wc3,d2:Bh8", "W:Wd4,e1:Bh8", "O3"),
    ("own piece off for nothing", "russian", "W:Wc3,d2:Bh8", "W:Wc3:Bh8", "O7"),
    ("enemy off for nothing", "russian", "W:Wc3:Bh8,f8", "W:Wc3:Bh8", "O7"),
    ("not the most", "international", "W:W34,47:B18,29,42", "W:W34,38:B18,29", "O8b"),
]


@pytest.mark.parametrize(("what", "name", "before", "now", "code"), FAMILIES)
def test_proposes_what_people_do(what: str, name: str, before: str, now: str, code: str) -> None:
    game = DraughtsGame.by_name(name)
    position, board = game.read(before), game.read_board(now)
    was, stands = position.pieces(), board.pieces()
    changed = sorted(n for n in was.keys() | stands.keys() if was.get(n) != stands.get(n))
    changes = tuple((n, stands.get(n, ".")) for n in changed)
    assert {deed.code for deed in game.deeds(position) if deed.changes == changes} == {code}


@pytest.mark.parametrize("name", NAMES)
def test_a_deed_and_the_verdict_on_its_board_agree(name: str) -> None:
    game = DraughtsGame.by_name(name)
    position = game.start()
    for ply in range(12):
        deeds = list(game.deeds(position))
        assert len({deed.changes for deed in deeds}) == len(deeds) <= 1000
        assert deeds == list(game.deeds(position))
        for deed in deeds:
            after = Position.of(position.pieces() | dict(deed.changes), position.side)
            verdict = game.judge(position, after)
            assert isinstance(verdict, Offence)
            assert verdict.code == deed.code
        moves = game.moves(position)
        if not moves:
            break
        position = moves[(5 * ply) % len(moves)].after


def test_a_board_full_of_kings_proposes_no_more_than_it_may() -> None:
    game = DraughtsGame.by_name("international")
    position = game.read("W:WK26-45:BK1-20")
    count = Counter(deed.code for deed in game.deeds(position))
    assert count.total() < 1500


def test_chains_are_legal_and_lead_to_each_position_once() -> None:
    game = DraughtsGame.by_name("italian")
    start = game.start()
    found = list(chains(game, start, 3))
    ends = [after for _, after in found]
    assert len(set(ends)) == len(ends)
    assert start not in ends
    assert [len(plies) for plies, _ in found] == sorted(len(plies) for plies, _ in found)
    assert {len(plies) for plies, _ in found} >= {1, 2, 3}
    for plies, after in found:
        here = start
        for move in plies:
            assert move in game.moves(here)
            here = move.after
        assert here == after


def test_chains_go_on_along_captures() -> None:
    # each side has one man to give after the other: b4-c5, d6:b4, a3:c5 and so on
    game = DraughtsGame.by_name("russian")
    position = game.read("W:Wa3,b4,d4,f2:Bd6,f6,h6,g7")
    deepest = max(len(plies) for plies, _ in chains(game, position, 2))
    assert deepest > 2
    assert max(len(plies) for plies, _ in chains(game, position, 2, forced=2)) == 2
    beyond = [plies for plies, _ in chains(game, position, 2) if len(plies) > 2]
    assert all(move.taken for plies in beyond for move in plies[2:])


def test_chains_do_not_come_back() -> None:
    game = DraughtsGame.by_name("russian")
    position = game.read("W:WKa1:BKh2")
    met = [after for _, after in chains(game, position, 4)]
    assert position not in met
    assert len(set(met)) == len(met)
