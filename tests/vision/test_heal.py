"""Histories that part from the record, and when one of them is believed."""

from dataclasses import replace

from rules.draughts.game import DraughtsGame
from rules.draughts.position import Position
from vision.evidence import Evidence, costs_of_square, evidence_of
from vision.fake import FakeEyes
from vision.heal import Trace, reread
from vision.steady import UNITS_PER_NAT, fuse

GAME = DraughtsGame.by_name("russian")
START = GAME.start()
NEARLY, FOR_SURE = 4 * UNITS_PER_NAT, 20 * UNITS_PER_NAT


def after(*texts: str) -> Position:
    position = START
    for text in texts:
        position = GAME.parse_move(position, text).after
    return position


def seen(position: Position) -> Evidence:
    return evidence_of(fuse((FakeEyes(GAME.board, seed=1).see(position),), 0), GAME.board, 0)


def near(position: Position, *squares: str) -> Evidence:
    """Clear, but for squares that say very little."""
    evidence = seen(position)
    costs = list(evidence.costs)
    for name in squares:
        n = GAME.square(name) - 1
        empty, white, black, *_ = costs[n]
        costs[n] = costs_of_square(min(empty, 5), min(white, 5), min(black, 5))
    return replace(evidence, costs=tuple(costs))


def texts(found: object) -> list[str]:
    here, told = START, []
    for move in (*found.moves, *found.on):  # type: ignore[attr-defined]
        told.append(GAME.text(here, move))
        here = move.after
    return told


def test_a_near_thing_is_read_anew_when_the_reply_shows_it() -> None:
    record = (START, after("c3-b4"))
    trail = (Trace(1, 1, near(record[1], "b4", "d4")),)
    now = seen(after("c3-d4", "d6-e5"))
    found = reread(now, GAME, record, trail, NEARLY)
    assert texts(found) == ["c3-d4", "d6-e5"]


def test_a_clear_scene_is_read_anew_only_where_that_is_allowed() -> None:
    record = (START, after("c3-b4"))
    trail = (Trace(1, 1, seen(record[1])),)
    now = seen(after("c3-d4", "d6-e5"))
    assert reread(now, GAME, record, trail, NEARLY) is None
    assert texts(reread(now, GAME, record, trail, FOR_SURE)) == ["c3-d4", "d6-e5"]


def test_two_moves_back() -> None:
    record = (START, after("c3-b4"), after("c3-b4", "f6-g5"))
    trail = (
        Trace(1, 1, near(record[1], "b4", "d4")),
        Trace(2, 1, near(record[2], "b4", "d4")),
    )
    found = reread(seen(after("c3-d4", "f6-g5", "d4-c5")), GAME, record, trail, NEARLY)
    assert found is not None
    assert found.plies == 2
    assert texts(found) == ["c3-d4", "f6-g5", "d4-c5"]


def test_what_no_history_leads_to_is_left_alone() -> None:
    record = (START, after("c3-b4"))
    trail = (Trace(1, 1, near(record[1], "b4", "d4")),)
    pieces = {n: piece for n, piece in START.pieces().items() if n > 4}
    assert reread(seen(Position.of(pieces, "w")), GAME, record, trail, FOR_SURE) is None


def test_two_histories_that_fit_as_well_decide_nothing() -> None:
    record = (START, after("g3-h4"))
    trail = (Trace(1, 1, near(record[1], "g3", "h4", "f4", "c3", "b4", "d4")),)
    now = near(after("c3-d4", "d6-c5"), "b4", "d4")
    assert reread(now, GAME, record, trail, FOR_SURE) is None


def test_a_board_that_no_scene_was_kept_of_ends_it() -> None:
    record = (START, after("c3-b4"), after("c3-b4", "f6-g5"))
    trail = (Trace(1, 1, near(record[1], "b4", "d4")),)  # the second ply was never seen
    now = seen(after("c3-d4", "f6-g5", "d4-c5"))
    assert reread(now, GAME, record, trail, NEARLY) is None
