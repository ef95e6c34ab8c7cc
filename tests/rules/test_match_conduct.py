"""Conduct at the board: offences, displaced pieces, set-up, touching, crowning."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.draughts.game import DraughtsGame
from rules.draughts.match import (
    Crowning,
    Match,
    Restore,
    TouchClaim,
    begin,
    bound,
    play,
    shown,
    take_back,
)
from rules.draughts.match_conduct import (
    accept,
    clock_of,
    demand,
    displace,
    offend,
    put_right,
    refuse,
    restored,
    wrong_board,
    wrong_colours,
    wrong_setup,
)
from rules.draughts.match_touch import adjust, claim_touch, mark_king, press_clock, touch
from rules.draughts.position import Move, Position
from rules.draughts.record import Ply, Stand
from rules.match import Refused
from rules.verdict import Offence

ITALIAN = DraughtsGame.by_name("italian")
RUSSIAN = DraughtsGame.by_name("russian")
INTERNATIONAL = DraughtsGame.by_name("international")

#: White takes 20x11 or plays elsewhere; a missed capture.
DUE = "W:W20,25:B4,15"


def sure(match: Match | Refused) -> Match:
    assert isinstance(match, Match), match
    return match


def move(match: Match, text: str) -> Move:
    return match.game.parse_move(match.board, text)


def after(match: Match, *texts: str) -> Match:
    for text in texts:
        match = sure(play(match, move(match, text)))
    return match


def offence(code: str = "O6", squares: tuple[str, ...] = ("20",)) -> Offence:
    return Offence(
        code, "capture-ignored", "FMJD 5.4.6", squares, ("20x11",), "take 20x11", "20x11 was due."
    )


def board(game: DraughtsGame, fen: str) -> Position:
    return game.read_board(fen)


@pytest.fixture
def missed() -> Match:
    """White has played 25-21 instead of taking."""
    match = begin(ITALIAN, ITALIAN.read(DUE))
    assert ITALIAN.text(match.position, ITALIAN.moves(match.position)[0]) == "20x11"
    return sure(offend(match, offence(), board(ITALIAN, "W:W20,21:B4,15")))


# ------------------------------------------------------------------ S0 9.4-9.9


def test_an_offence_changes_nothing_until_it_is_answered(missed: Match) -> None:
    assert missed.position == ITALIAN.read(DUE)
    assert missed.plies == ()
    assert missed.pending is not None
    assert (missed.pending.side, missed.pending.demanded) == ("w", False)
    assert [(s.side, s.code, s.proposed, s.decided) for s in missed.sanctions] == [
        ("w", "O6", "warning", None)
    ]


def test_accepted_the_game_goes_on_from_the_board_as_it_is(missed: Match) -> None:
    stood = sure(accept(missed))
    assert stood.position == ITALIAN.read("B:W20,21:B4,15")
    assert stood.pending is None
    ply = stood.plies[0]
    assert isinstance(ply, Stand)
    assert (ply.code, ply.after) == ("O6", stood.position)


def test_the_opponents_move_accepts_9_6(missed: Match) -> None:
    played = after(missed, "15x24")
    assert [type(ply) for ply in played.plies] == [Stand, Ply]
    assert played.position == ITALIAN.read("W:W21:B4,24")
    assert demand(played) == Refused(
        "nothing is pending: a completed move accepts", "S0 9.6; FMJD 5.7"
    )


def test_put_right_leaves_the_offender_to_move(missed: Match) -> None:
    right = sure(put_right(sure(demand(missed)), board(ITALIAN, DUE)))
    assert right.pending is None
    assert right.position == ITALIAN.read(DUE)
    assert after(right, "20x11").position == ITALIAN.read("B:W11,25:B4")


def test_corrected_to_a_legal_move_is_that_move(missed: Match) -> None:
    right = sure(put_right(missed, board(ITALIAN, "W:W11,25:B4")))
    assert right.pending is None
    assert [ITALIAN.text(ITALIAN.read(DUE), p.move) for p in right.plies if isinstance(p, Ply)] == [
        "20x11"
    ]


def test_no_part_is_corrected_without_the_rest_9_7(missed: Match) -> None:
    """The capture is made, but the man moved instead still stands where it went."""
    partly = put_right(sure(demand(missed)), board(ITALIAN, "W:W11,21:B4"))
    assert partly == Refused("put right in part only, still changed: 11, 15, 20, 21, 25", "S0 9.7")


def test_a_second_wrong_deed_takes_the_place_of_the_first(missed: Match) -> None:
    again = sure(offend(sure(demand(missed)), offence("O9"), board(ITALIAN, "W:W20,25:B8,15")))
    assert again.pending is not None
    assert (again.pending.offence.code, again.pending.demanded) == ("O9", True)
    assert again.pending.before == ITALIAN.read(DUE)
    assert [s.proposed for s in again.sanctions] == ["warning", "repeated-warning"]


def test_refusing_to_put_right_calls_the_arbiter_9_8(missed: Match) -> None:
    assert isinstance(refuse(missed), Refused)
    refused = sure(refuse(sure(demand(missed))))
    assert refused.sanctions[-1].proposed == "exclusion"
    assert refused.sanctions[-1].decided is None
    assert refused.outcome is None


def test_accepting_a_missing_crown_is_the_move_itself() -> None:
    """S0 3.7: not marking breaks the rules, but the man is a king all the same."""
    match = begin(ITALIAN, ITALIAN.read("W:W5:B25"))
    uncrowned = board(ITALIAN, "B:W1:B25")
    wrong = Offence("O14", "not-crowned", "S0 3.7", ("1",), (), "crown 1", "Crown it.")
    stood = sure(accept(sure(offend(match, wrong, uncrowned))))
    assert isinstance(stood.plies[0], Ply)
    assert stood.position == ITALIAN.read("B:WK1:B25")


def test_an_illegal_board_may_end_the_game() -> None:
    """White takes off Black's last piece for no reason, and Black lets it stand."""
    match = begin(ITALIAN, ITALIAN.read("W:W25:B4"))
    stood = sure(accept(sure(offend(match, offence("O7"), board(ITALIAN, "W:W25:B")))))
    assert stood.outcome is not None
    assert (stood.outcome.ending, stood.outcome.reason) == ("w", "no-pieces")


def test_nothing_to_accept_or_put_right() -> None:
    match = begin(ITALIAN)
    assert isinstance(accept(match), Refused)
    assert isinstance(put_right(match, match.position), Refused)
    assert isinstance(demand(match), Refused)


@pytest.mark.parametrize(
    ("game", "fen", "there", "out", "back", "times"),
    [
        (INTERNATIONAL, "W:W31:BK6", "31-27", "6-11", "11-6", 1),
        (RUSSIAN, "W:Wc3:BKa7", "c3-b4", "a7-b8", "b8-a7", 1),
        (ITALIAN, "W:W25:BK1", "25-21", "1-5", "5-1", 2),
        (DraughtsGame.by_name("english"), "W:W32:BK1", "32-27", "1-6", "6-1", 2),
    ],
    ids=["FMJD 6.1", "FMJD-64 7.2.3", "S0 8.2", "WCDF 1.32.1"],
)
def test_repetition_across_a_man_that_went_back(
    game: DraughtsGame, fen: str, there: str, out: str, back: str, times: int
) -> None:
    """White's man goes there and, unlawfully but accepted, back: the start stands a second time.

    FMJD counts from the last irreversible ply; S0 and WCDF whatever came between.
    """
    match = after(begin(game, game.read(fen)), there, out)
    home = replace(match.position, white_men=match.start.white_men)
    match = after(sure(accept(sure(offend(match, offence("O4a"), home)))), back)
    assert match.position == match.start
    assert shown(match, match.rules[0]) == times


# ------------------------------------------------------------------ S0 9.3, 9.5


def test_displaced_pieces_are_put_back_on_the_offenders_time() -> None:
    match = after(begin(ITALIAN), "21-17")
    knocked = sure(displace(match, "w", (29, 25)))
    assert knocked.restore == Restore("w", (29, 25))
    assert clock_of(match) == "b"
    assert clock_of(knocked) == "w"
    assert knocked.sanctions[-1].article == "S0 9.3"
    wrong = restored(knocked, Position.of({5: "b"}, "b"))
    assert isinstance(wrong, Refused)
    back = sure(restored(knocked, match.position))
    assert back.restore is None
    assert clock_of(back) == "b"


def test_what_no_player_caused_is_no_offence_9_5() -> None:
    match = sure(displace(begin(ITALIAN), None, (29,)))
    assert match.sanctions == ()
    assert clock_of(match) is None


def test_the_clock_while_an_offence_is_pending(missed: Match) -> None:
    assert clock_of(missed) == "b"
    assert clock_of(sure(demand(missed))) == "w"


# ------------------------------------------------------------------ S0 9.1, 9.2


def test_wrong_board_annuls_9_1() -> None:
    ended = wrong_board(after(begin(ITALIAN), "21-17"))
    assert ended.outcome is not None
    assert (ended.outcome.ending, ended.outcome.article) == ("annulled", "S0 9.1")


def test_wrong_setup_before_the_first_move_is_set_right_9_2() -> None:
    match = begin(ITALIAN)
    standing = Position.of({**match.start.pieces(), 21: ".", 17: "w"}, "w")
    found = sure(wrong_setup(match, standing))
    assert found.restore == Restore(None, (17, 21))
    assert found.position == match.start
    assert sure(restored(found, match.start)).restore is None


def test_wrong_setup_after_the_first_move_stands_9_2() -> None:
    match = after(begin(ITALIAN), "21-17")
    standing = Position.of({**match.position.pieces(), 4: "."}, "b")
    found = sure(wrong_setup(match, standing))
    assert found.outcome is None
    assert found.position == standing
    assert isinstance(found.plies[-1], Stand)
    assert after(found, "9-13").position.side == "w"


def test_wrong_colours_are_changed_before_and_kept_after_9_2() -> None:
    assert wrong_colours(begin(ITALIAN)).log[-1].text == "the colours are changed"
    late = wrong_colours(after(begin(ITALIAN), "21-17"))
    assert late.log[-1].text == "wrong colours; the game goes on"


# ------------------------------------------------------------------ S0 4.2-4.7


def test_the_first_touched_piece_with_a_move_is_bound_4_3_4_4() -> None:
    match = begin(ITALIAN)
    touched = touch(touch(touch(match, "w", 32), "w", 22), "w", 21)
    assert bound(touched) == 22  # 32 has no move
    assert bound(touch(match, "w", 11)) == 0  # an enemy piece binds nobody here


def test_with_a_capture_due_only_a_capturing_piece_is_bound_4_4() -> None:
    match = begin(ITALIAN, ITALIAN.read(DUE))
    assert bound(touch(touch(match, "w", 25), "w", 20)) == 20


def test_saying_i_adjust_binds_nobody_4_2() -> None:
    match = adjust(begin(ITALIAN), "w")
    assert bound(touch(match, "w", 22)) == 0
    assert adjust(begin(ITALIAN), "b").log[-1].code == "O17"


def test_playing_another_piece_gives_a_claim_4_3() -> None:
    played = after(touch(begin(ITALIAN), "w", 22), "21-17")
    assert played.touch_claims == (TouchClaim("b", 22, ("22-18", "22-19")),)
    assert after(touch(begin(ITALIAN), "w", 22), "22-18").touch_claims == ()


def test_the_claim_takes_the_move_back_and_demands() -> None:
    claimed = sure(claim_touch(after(touch(begin(ITALIAN), "w", 22), "21-17"), "b"))
    assert claimed.position == ITALIAN.start()
    assert claimed.pending is not None
    assert (claimed.pending.demanded, claimed.pending.offence.due) == (True, ("22-18", "22-19"))
    right = sure(put_right(claimed, ITALIAN.start()))
    assert after(right, "22-18").plies


def test_the_claim_dies_when_the_claimant_touches_his_own_piece_4_7() -> None:
    played = after(touch(begin(ITALIAN), "w", 22), "21-17")
    late = touch(played, "b", 11)
    assert isinstance(claim_touch(late, "b"), Refused)
    assert isinstance(claim_touch(after(played, "11-14"), "b"), Refused)
    own = touch(played, "b", 22)  # the opponent's piece: the claim lives
    assert isinstance(claim_touch(own, "b"), Match)


def test_only_the_opponent_may_claim() -> None:
    played = after(touch(begin(ITALIAN), "w", 22), "21-17")
    assert isinstance(claim_touch(played, "w"), Refused)


# ------------------------------------------------------------------ S0 3.7, 7.3


def test_a_new_king_has_to_be_marked_before_the_next_move_3_7() -> None:
    match = after(begin(ITALIAN, ITALIAN.read("W:W5,32:B25,4")), "5-1")
    assert match.crowning == (Crowning("w", 1),)
    assert mark_king(match, 1).crowning == ()
    pressed = press_clock(match, "w")
    assert [(n.side, n.code, n.article) for n in pressed.log] == [
        ("w", "O14", "S0 3.7; FMJD 5.4.15")
    ]
    assert pressed.crowning == ()
    moved = after(match, "4-7")
    assert [(n.side, n.code) for n in moved.log] == [("w", "O14")]
    assert after(mark_king(match, 1), "4-7").log == ()


def test_no_crowning_duty_where_the_set_shows_none() -> None:
    match = begin(ITALIAN, ITALIAN.read("W:W5,32:B25,4"), marks_kings=False)
    assert after(match, "5-1").crowning == ()


def test_pressing_the_clock_without_a_move_7_3() -> None:
    assert press_clock(begin(ITALIAN), "w").log[-1].code == "O18"
    assert press_clock(after(begin(ITALIAN), "21-17"), "w").log == ()


# ------------------------------------------------------------------ taking back


def test_taking_back_keeps_the_log() -> None:
    match = after(begin(RUSSIAN), "c3-d4", "f6-e5")
    back = sure(take_back(match))
    assert back.position == after(begin(RUSSIAN), "c3-d4").position
    assert (back.log[-1].side, back.log[-1].code) == ("b", "takeback")
    assert isinstance(take_back(begin(RUSSIAN)), Refused)
