"""Open-world inference: what was done between two scenes, or that it can't be told."""

import time
from dataclasses import replace
from typing import Any

import pytest

from rules.draughts.game import DraughtsGame
from rules.draughts.position import Position
from vision.evidence import Evidence, contents_of, costs_of_square, evidence_of
from vision.fake import FakeEyes
from vision.freely import as_it_stands, free_reading
from vision.infer import Ambiguous, Played, Seen, TakenBack, Unchanged, Unexplained, Wrong, infer
from vision.priors import NATS, cost_of
from vision.steady import FLOOR, fuse

RUSSIAN = DraughtsGame.by_name("russian")
START = RUSSIAN.start()


def seen(position: Position | str, game: DraughtsGame = RUSSIAN, **errors: Any) -> Evidence:
    board = game.read_board(position) if isinstance(position, str) else position
    eyes = FakeEyes(game.board, seed=3, **errors.pop("eyes", {}))
    return evidence_of(fuse((eyes.see(board, **errors),), 0), game.board, 0)


def after(*texts: str, start: Position = START) -> Position:
    for text in texts:
        start = RUSSIAN.parse_move(start, text).after
    return start


def told(reading: object) -> list[str]:
    """Texts of the moves that were seen."""
    assert isinstance(reading, Seen), reading
    assert isinstance(reading.deed, Played)
    position, texts = START, []
    for move in reading.deed.moves:
        texts.append(RUSSIAN.text(position, move))
        position = move.after
    return texts


def test_nothing_done() -> None:
    assert infer(seen(START), RUSSIAN, START) == Unchanged()


@pytest.mark.parametrize("text", ["a3-b4", "c3-d4", "g3-h4"])
def test_one_move(text: str) -> None:
    assert told(infer(seen(after(text)), RUSSIAN, START)) == [text]


def test_a_chain_of_quick_moves_only_within_reach() -> None:
    # by which square the man came that was taken on the way can't be seen
    end = after("c3-d4", "b6-a5", "d4-c5", "d6:b4", "a3:c5")
    reading = infer(seen(end), RUSSIAN, START, reach=5)
    assert len(told(reading)) == 5
    assert isinstance(reading, Seen)
    assert reading.deed.after == end
    assert not isinstance(infer(seen(end), RUSSIAN, START, reach=2), Seen)


def test_a_move_taken_back_and_another_in_its_place() -> None:
    one, two = after("c3-d4"), after("c3-d4", "b6-a5")
    back = infer(seen(START), RUSSIAN, two, (START, one))
    assert isinstance(back, Seen)
    assert back.deed == TakenBack(2, START)
    other = infer(seen(after("c3-d4", "b6-c5")), RUSSIAN, two, (START, one))
    assert isinstance(other, Seen)
    assert isinstance(other.deed, TakenBack)
    assert (other.deed.plies, other.deed.after) == (1, after("c3-d4", "b6-c5"))


def test_the_truth_is_not_on_the_list() -> None:
    # a piece more than there were: no legal move, no wrong deed, nothing to be sure of
    board = Position.of({**START.pieces(), 18: "w"}, "b")
    reading = infer(seen(board), RUSSIAN, START)
    assert isinstance(reading, Unexplained)
    assert reading.squares == (18,)
    assert reading.likely is None, "c3-d4 with a square misread is about as good"


def test_squares_that_can_not_be_read_leave_both_moves_open() -> None:
    reading = infer(seen(after("c3-d4"), dim=(17, 18)), RUSSIAN, START)
    assert isinstance(reading, Ambiguous)
    ends = {deed.moves[0].to for deed in reading.deeds if isinstance(deed, Played)}
    assert ends == {17, 18}


def test_one_weird_square_does_not_hide_a_clear_move() -> None:
    reading = infer(seen(after("c3-d4"), misread={1: "."}), RUSSIAN, START)
    assert isinstance(reading, Seen | Unexplained)
    assert not (isinstance(reading, Seen) and isinstance(reading.deed, Wrong))


def test_one_odd_square_beside_a_move_is_told_apart_from_one_that_it_touches() -> None:
    eyes = {"surety": 7.0, "spread": 0.0}
    beside = infer(seen(after("c3-d4"), misread={1: "."}, eyes=eyes), RUSSIAN, START)
    assert isinstance(beside, Unexplained)
    assert isinstance(beside.likely, Played)
    touched = infer(seen(after("c3-d4"), misread={18: "b"}, eyes=eyes), RUSSIAN, START)
    assert not isinstance(touched, Seen)
    assert not (isinstance(touched, Unexplained) and isinstance(touched.likely, Played))


@pytest.mark.parametrize("square", [1, 11, 16, 18, 22, 32])
@pytest.mark.parametrize("letter", [".", "w", "b", "W"])
def test_one_weird_square_of_usual_surety_is_never_an_alarm(square: int, letter: str) -> None:
    eyes = {"surety": 7.0, "spread": 0.0}
    reading = infer(seen(START, misread={square: letter}, eyes=eyes), RUSSIAN, START)
    assert isinstance(reading, Unchanged | Unexplained)


def test_no_square_says_more_than_the_floor() -> None:
    evidence = seen(START, eyes={"surety": 30.0})
    assert max(max(costs) for costs in evidence.costs) == FLOOR


def test_an_offence_is_named_and_its_board_kept() -> None:
    due = RUSSIAN.read("W:Wc3,f2,a1:Bd4,h8")
    reading = infer(seen("W:Wc3,g3,a1:Bd4,h8"), RUSSIAN, due)
    assert isinstance(reading, Seen)
    assert isinstance(reading.deed, Wrong)
    assert (reading.deed.offence.code, reading.deed.offence.due) == ("O6", ("c3:e5",))
    assert reading.deed.before == due
    assert reading.deed.after == RUSSIAN.read("B:Wc3,g3,a1:Bd4,h8")


def test_an_offence_needs_a_board_that_fits_by_itself() -> None:
    due = RUSSIAN.read("W:Wc3,f2,a1:Bd4,h8")
    ignored = "W:Wc3,g3,a1:Bd4,h8"
    assert isinstance(infer(seen(ignored), RUSSIAN, due), Seen)
    reading = infer(seen(ignored, misread={1: "w", 2: "w"}), RUSSIAN, due)
    assert isinstance(reading, Unexplained)
    between = infer(seen(ignored, stray={(0, 0): "b"}), RUSSIAN, due)
    assert isinstance(between, Unexplained)


def test_an_offence_never_hangs_on_a_square_that_is_hard_to_read() -> None:
    due = RUSSIAN.read("W:Wc3,f2,a1:Bd4,h8")
    clear = seen("W:Wc3,g3:Bd4,h8")
    reading = infer(clear, RUSSIAN, due)
    assert isinstance(reading, Seen)
    assert isinstance(reading.deed, Wrong)
    assert reading.deed.offence.code == "O13"  # a1 was taken off, too
    # a1 is empty by 1.9 nats only: with the man there it would be O6
    costs = list(clear.costs)
    costs[RUSSIAN.square("a1") - 1] = costs_of_square(0, 15, 60)
    reading = infer(replace(clear, costs=tuple(costs)), RUSSIAN, due)
    assert isinstance(reading, Unexplained)


def test_a_stray_piece_seen_all_along_is_no_obstacle() -> None:
    due = RUSSIAN.read("W:Wc3,f2,a1:Bd4,h8")
    evidence = seen("W:Wc3,g3,a1:Bd4,h8", stray={(0, 0): "b"}).without((), [(0, 0)])
    assert isinstance(infer(evidence, RUSSIAN, due), Seen)


def test_a_square_that_reads_as_wrongly_as_before_says_nothing() -> None:
    evidence = seen(START, misread={22: "."})
    assert evidence.misfits(contents_of(START, 32)) == (22,)
    assert evidence.without([(22, 0)]).misfits(contents_of(START, 32)) == ()
    other = evidence.without([(22, 2)])
    assert other.misfits(contents_of(START, 32)) == (22,), "it reads otherwise than then"


def test_the_free_reading_keeps_the_number_of_pieces() -> None:
    here = contents_of(START, 32)
    evidence = seen(Position.of({**START.pieces(), 17: "w", 18: "b"}, "w"))
    assert free_reading(evidence, here, here) == here
    moved = Position.of({n: p for n, p in START.pieces().items() if n != 21} | {16: "w"}, "b")
    assert free_reading(seen(moved), here, here) == contents_of(moved, 32)


@pytest.mark.parametrize(
    ("before", "stands", "after_it"),
    [
        ("W:WKa1,c1:Bh8", "W:Wd4,c1:Bh8", "B:WKd4,c1:Bh8"),
        ("W:WKa1,c1:Bh8", "W:Wa1,b2:Bh8", "B:WKa1,b2:Bh8"),
        ("W:Wc7,a1:Bh2", "W:Wb8,a1:Bh2", "B:WKb8,a1:Bh2"),
    ],
    ids=["the king went", "the man went", "a man on the last row"],
)
def test_crowns_are_carried_where_no_marks_are_seen(
    before: str, stands: str, after_it: str
) -> None:
    evidence = seen(stands, eyes={"kings_show": False})
    board = as_it_stands(
        RUSSIAN, RUSSIAN.read(before), contents_of(RUSSIAN.read_board(stands), 32), evidence
    )
    assert RUSSIAN.write(board) == RUSSIAN.write(RUSSIAN.read_board(after_it))


def test_priors_are_for_every_code_the_judge_has_and_alarms_cost_more_than_moves() -> None:
    from rules.draughts.codes import KINDS

    assert set(KINDS) <= set(NATS)
    assert all(NATS[code] > NATS["move"] for code in KINDS)
    assert cost_of("O6") == 40


def test_a_scene_is_explained_quickly() -> None:
    game = DraughtsGame.by_name("international")
    position = game.start()
    scenes = []
    for move in (game.moves(position)[k % len(game.moves(position))] for k in range(9)):
        scenes.append(seen(move.after, game))
    begun = time.process_time()
    for evidence in scenes:
        infer(evidence, game, position, (position,))
    assert (time.process_time() - begun) / len(scenes) < 0.05


def test_an_exchange_whose_recapture_fills_the_square_of_the_man_taken() -> None:
    # e5 takes f6 and stops on g7; h8 takes it and stops on f6, where a black man stood before
    before = RUSSIAN.read("W:We5,a1:Bf6,h8,a7")
    end = RUSSIAN.parse_move(RUSSIAN.parse_move(before, "e5:g7").after, "h8:f6").after
    reading = infer(seen(end), RUSSIAN, before)
    assert isinstance(reading, Seen)
    assert isinstance(reading.deed, Played)
    assert reading.deed.after == end
    assert len(reading.deed.moves) == 2


def test_of_two_stories_of_one_board_the_legal_one_is_believed() -> None:
    # h4 takes g3 and h2 steps onto its square; or h4 took the wrong man
    before = RUSSIAN.read("B:Wg3,h2,a1:Bh4,a7")
    end = RUSSIAN.parse_move(RUSSIAN.parse_move(before, "h4:f2").after, "h2-g3").after
    reading = infer(seen(end), RUSSIAN, before)
    assert isinstance(reading, Seen)
    assert isinstance(reading.deed, Played)


@pytest.mark.parametrize("unread", [1, 2])
def test_after_an_unread_scene_nobody_is_accused_of_what_a_missed_move_looks_like(
    unread: int,
) -> None:
    wrong = Position.of(
        {n: p for n, p in START.pieces().items() if n not in (22, 23)} | {18: "w", 19: "w"}, "b"
    )
    surely = {"surety": 30.0, "spread": 0.0}
    clear = infer(seen(wrong, eyes=surely), RUSSIAN, START)
    assert isinstance(clear, Seen)
    assert isinstance(clear.deed, Wrong)
    later = infer(seen(wrong, eyes=surely), RUSSIAN, START, unread=unread)
    assert not (isinstance(later, Seen) and isinstance(later.deed, Wrong))


@pytest.mark.parametrize(
    ("square", "nats", "told"),
    [("h8", 4.0, True), ("h8", 6.5, False), ("e3", 4.0, False)],
    ids=["faint and far", "strong", "beside what was changed"],
)
def test_one_faint_misreading_far_away_hides_no_offence(
    square: str, nats: float, told: bool
) -> None:
    due = RUSSIAN.read("W:Wc3,e1,a1:Bd4,g7,b8")
    clear = seen("W:Wc3,d2,a1:Bd4,g7,b8")
    assert isinstance(infer(clear, RUSSIAN, due), Seen)
    costs = list(clear.costs)
    costs[RUSSIAN.square(square) - 1] = costs_of_square(round(nats * 8), 0, 72)
    reading = infer(replace(clear, costs=tuple(costs)), RUSSIAN, due)
    assert (isinstance(reading, Seen) and isinstance(reading.deed, Wrong)) is told


def test_one_man_gone_is_believed_where_the_square_was_read_well_before() -> None:
    pieces = {n: p for n, p in START.pieces().items() if n != 22}
    evidence = seen(Position.of(pieces, "b"), eyes={"surety": 7.2, "spread": 0.2})
    assert isinstance(infer(evidence, RUSSIAN, START), Unexplained)
    other = infer(evidence, RUSSIAN, START, proven=frozenset({21}))
    assert isinstance(other, Unexplained)
    reading = infer(evidence, RUSSIAN, START, proven=frozenset({22}))
    assert isinstance(reading, Seen)
    assert isinstance(reading.deed, Wrong)
    assert reading.deed.offence.code == "O7"


def test_a_king_that_pauses_in_its_capture_is_no_chain_of_moves_to_and_fro() -> None:
    game = DraughtsGame.by_name("giveaway")
    here = game.read("W:Wh4,f2,e1:Bb8,f8,h8,a7,b6,d6,c3,Kc1")
    # e1-d2, then c1:e3, to go on over f2; f2-e3 c1:h6 e1-f2 h6-e3 leaves the same board
    paused = infer(seen("W:Wh4,f2:Bb8,f8,h8,a7,b6,d6,c3,Ke3", game), game, here)
    assert isinstance(paused, Ambiguous), paused
    on = infer(seen("W:Wh4:Bb8,f8,h8,a7,b6,d6,c3,Kg1", game), game, here)
    assert isinstance(on, Seen)
    assert isinstance(on.deed, Played)
    assert [(m.frm, m.to) for m in on.deed.moves] == [
        (game.square(a), game.square(b)) for a, b in (("e1", "d2"), ("c1", "g1"))
    ]
