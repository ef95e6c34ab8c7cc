"""Chains of plies under one cover, and boards weighed by what differs."""

from itertools import islice

from rules.draughts.game import DraughtsGame
from rules.draughts.position import Position
from vision.chains import Budget, chains, legal_moves
from vision.evidence import Scales, contents_of, evidence_of
from vision.fake import FakeEyes
from vision.steady import fuse

GAME = DraughtsGame.by_name("international")
KINGS = GAME.read("W:WK3,K7,K48,31,32,36:BK16,K25,K45,11,13,18")
ALL = frozenset(range(1, 51))


def test_chains_have_so_many_plies_and_touch_what_changed() -> None:
    start = GAME.start()
    found = chains(GAME, start, frozenset({31, 27, 16, 21}), 2, Budget())
    assert found is not None
    texts = [[(move.frm, move.to) for move in chain] for chain in found]
    assert [(31, 27), (16, 21)] in texts
    assert all(len(chain) == 2 for chain in found)
    assert [(35, 30), (20, 25)] not in texts


def test_too_many_chains_are_none_and_end_soon() -> None:
    budget = Budget(40)
    assert chains(GAME, KINGS, ALL, 4, budget) is None
    assert budget.left < 0
    assert chains(GAME, KINGS, ALL, 2, Budget(1000)) is not None


def test_a_board_weighs_what_its_contents_cost() -> None:
    percept = FakeEyes(GAME.board, seed=5).see(KINGS)
    evidence = evidence_of(fuse((percept,), 0), GAME.board, 0)
    scales = Scales(evidence, KINGS)
    boards: list[Position] = [GAME.start(), KINGS]
    for move in islice(legal_moves(GAME, KINGS), 8):
        boards += [reply.after for reply in legal_moves(GAME, move.after)]
    for board in boards:
        assert scales.of(board) == evidence.total(contents_of(board, GAME.board.count))
