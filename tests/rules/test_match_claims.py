"""Draw offers and claims, resignation, time, decisions, and what every match shares."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rules.draughts.game import DraughtsGame
from rules.draughts.match import DrawClaim, Match, begin, claimable, play
from rules.draughts.match_claims import (
    answer_draw,
    both_flags_fell,
    claim_draw,
    confirm_draw,
    declare,
    flag_fell,
    offer_draw,
    reject_draw,
    reopen,
    resign,
)
from rules.draughts.match_record import record_of
from rules.match import (
    ONE_POINT,
    TWO_POINTS,
    Ending,
    Measure,
    Outcome,
    Refused,
    Role,
    Sanctions,
    Series,
    decide,
    points_text,
    propose,
    propose_exclusion,
)

ITALIAN = DraughtsGame.by_name("italian")
ENGLISH = DraughtsGame.by_name("english")


def sure(match: Match | Refused) -> Match:
    assert isinstance(match, Match), match
    return match


def after(match: Match, *texts: str) -> Match:
    for text in texts:
        match = sure(play(match, match.game.parse_move(match.position, text)))
    return match


def ended(match: Match | Refused) -> tuple[str, str, str]:
    outcome = sure(match).outcome
    assert outcome is not None
    return outcome.ending, outcome.reason, outcome.article


# ------------------------------------------------------------------ the board ends it


@pytest.mark.parametrize(
    ("name", "fen", "move", "wanted"),
    [
        ("italian", "W:W20:B15", "20x11", ("w", "no-pieces", "S0 8.1; FMJD 7.2")),
        ("russian", "W:Wc3,a3:Bb4", "c3:a5", ("w", "no-pieces", "S0 8.1; FMJD 7.2")),
        ("giveaway", "W:Wc3,a3:Bd4", "c3:e5", ("b", "no-pieces", "S1 giveaway")),
        ("italian", "W:W15,16:B8", "16-12", ("w", "no-moves", "S0 8.1; FMJD 7.2")),
    ],
    ids=["8.1 no piece", "Russian no piece", "giveaway: no piece wins", "8.1 no move"],
)
def test_the_last_move_ends_the_game(
    name: str, fen: str, move: str, wanted: tuple[str, str, str]
) -> None:
    game = DraughtsGame.by_name(name)
    assert ended(after(begin(game, game.read(fen)), move)) == wanted


# ------------------------------------------------------------------ draw by agreement


def test_a_draw_needs_an_offer_and_an_answer() -> None:
    offered = sure(offer_draw(begin(ITALIAN), "w"))
    assert offered.offer == "w"
    assert ended(answer_draw(offered, "b", agreed=True)) == ("draw", "agreed", "S0 8.2; FMJD 7.3")
    declined = sure(answer_draw(offered, "b", agreed=False))
    assert (declined.offer, declined.outcome) == (None, None)
    assert answer_draw(begin(ITALIAN), "b", agreed=True) == Refused(
        "the opponent has not offered a draw", "S0 8.2"
    )
    assert isinstance(answer_draw(offered, "w", agreed=True), Refused)


def test_an_offer_stands_over_the_own_move_and_lapses_at_the_opponents() -> None:
    offered = after(sure(offer_draw(begin(ITALIAN), "w")), "21-17")
    assert offered.offer == "w"
    assert after(offered, "11-14").offer is None


def test_two_offers_agree() -> None:
    assert ended(offer_draw(sure(offer_draw(begin(ITALIAN), "w")), "b"))[1] == "agreed"


# ------------------------------------------------------------------ claims

#: A position that stands the third time after eight plies.
THRICE = ["29-25", "4-8", "25-29", "8-4"] * 2


@pytest.fixture
def repeated() -> Match:
    return after(begin(ENGLISH, ENGLISH.read("W:WK29:BK4")), *THRICE)


@pytest.mark.parametrize("by", ["opponent", "arbiter"])
def test_a_founded_claim_is_confirmed_by_opponent_or_arbiter(repeated: Match, by: Role) -> None:
    assert [rule.id for rule in claimable(repeated)] == ["REP3e"]
    claimed = sure(claim_draw(repeated, "w", "REP3e"))
    assert claimed.claim == DrawClaim("w", "REP3e", 3, founded=True)
    assert claimed.outcome is None
    assert ended(confirm_draw(claimed, by)) == ("draw", "REP3e", "WCDF 1.32.1")


def test_only_the_arbiter_rejects(repeated: Match) -> None:
    claimed = sure(claim_draw(repeated, "w", "REP3e"))
    assert isinstance(reject_draw(claimed, "opponent"), Refused)
    assert sure(reject_draw(claimed, "arbiter")).claim is None


def test_an_unfounded_claim_waits_for_the_arbiter() -> None:
    match = after(begin(ENGLISH, ENGLISH.read("W:WK29:BK4")), *THRICE[:7])
    claimed = sure(claim_draw(match, "w", "REP3e"))
    assert claimed.claim == DrawClaim("w", "REP3e", 2, founded=False)
    assert isinstance(confirm_draw(claimed, "opponent"), Refused)
    assert ended(confirm_draw(claimed, "arbiter"))[1] == "REP3e"


def test_a_wrong_italian_repetition_claim_shows_what_it_may_cost_8_2() -> None:
    claimed = sure(claim_draw(begin(ITALIAN), "w", "REP4"))
    note = sure(reject_draw(claimed, "arbiter")).log[-1]
    assert (note.side, note.article) == ("w", "S0 8.2; FID 9.3")
    assert note.text == (
        "the claim is rejected; may cost the claimant 15 minutes, but 3 stay on his clock"
    )
    there = ["32-28", "1-5", "28-32", "5-1"] * 3
    drawn = after(begin(ITALIAN, ITALIAN.read("W:WK32:BK1")), *there)
    founded = sure(claim_draw(sure(reopen(drawn, "played on")), "w", "REP4"))
    assert sure(reject_draw(founded, "arbiter")).log[-1].text == "the claim is rejected"
    other = sure(claim_draw(begin(ITALIAN), "w", "F40i"))
    assert sure(reject_draw(other, "arbiter")).log[-1].text == "the claim is rejected"


def test_a_claim_ends_with_the_claimants_own_move(repeated: Match) -> None:
    claimed = sure(claim_draw(repeated, "w", "REP3e"))
    assert after(claimed, "29-25").claim is None
    claimed = sure(claim_draw(repeated, "b", "REP3e"))
    assert after(claimed, "29-25").claim is not None


def test_there_must_be_something_to_claim() -> None:
    assert isinstance(claim_draw(begin(ITALIAN), "w", "K25"), Refused)
    assert isinstance(confirm_draw(begin(ITALIAN), "arbiter"), Refused)
    assert isinstance(reject_draw(begin(ITALIAN), "arbiter"), Refused)


# ------------------------------------------------------------------ giving up, time, decisions


def test_giving_up_aloud_or_by_the_clock_8_1() -> None:
    match = begin(ITALIAN)
    assert ended(resign(match, "w")) == ("b", "resigned", "S0 8.1; FMJD 7.2")
    stopped = sure(resign(match, "b", "stopped-clock"))
    assert stopped.outcome is not None
    assert (stopped.outcome.ending, stopped.outcome.text) == (
        "w",
        "resigned by stopping the clock",
    )


def test_flags_7_2_and_8_2() -> None:
    assert ended(flag_fell(begin(ITALIAN), "w")) == ("b", "time", "S0 7.2")
    assert ended(both_flags_fell(begin(ITALIAN))) == ("draw", "both-flags", "S0 8.2")


@pytest.mark.parametrize(
    ("by", "ending", "allowed"),
    [
        ("arbiter", "draw", True),
        ("arbiter", "w", False),
        ("arbiter", "both-lost", False),
        ("chief-arbiter", "w", True),
        ("chief-arbiter", "both-lost", True),
        ("opponent", "draw", False),
    ],
)
def test_who_decides_a_game_10_2(by: Role, ending: Ending, allowed: bool) -> None:
    assert isinstance(declare(begin(ITALIAN), ending, by, "decided"), Match) == allowed


def test_an_ended_game_takes_nothing_more_but_can_be_reopened() -> None:
    over = sure(resign(begin(ITALIAN), "w"))
    for refused in (
        resign(over, "b"),
        flag_fell(over, "b"),
        both_flags_fell(over),
        offer_draw(over, "b"),
        answer_draw(over, "b", agreed=True),
        claim_draw(over, "b", "REP4"),
        confirm_draw(over, "arbiter"),
        play(over, ITALIAN.moves(over.position)[0]),
    ):
        assert refused == Refused("the game is over")
    again = sure(reopen(over, "misheard"))
    assert again.outcome is None
    assert again.log[-1].text == "misheard"
    assert isinstance(reopen(again, "why"), Refused)


# ------------------------------------------------------------------ sanctions, S0 10


def test_measures_are_proposed_in_their_order_10_1() -> None:
    log: Sanctions = ()
    for ply in range(5):
        log = propose(log, ply, "w", "O6", "S0 9.4(6)")
    log = propose(log, 9, "b", "O1", "S0 9.4(1)")
    assert [entry.proposed for entry in log] == [
        "warning", "repeated-warning", "reprimand", "loss", "loss", "warning",
    ]  # fmt: skip
    assert all(entry.decided is None for entry in log)
    assert propose_exclusion(log, 9, "b")[-1].proposed == "exclusion"


def test_a_breach_that_was_let_off_does_not_count() -> None:
    log = decide(propose((), 1, "w", "O6", ""), 0, "none", "arbiter")
    assert not isinstance(log, Refused)
    assert propose(log, 2, "w", "O6", "")[-1].proposed == "warning"


@pytest.mark.parametrize(
    ("measure", "by", "allowed"),
    [
        ("warning", "arbiter", True),
        ("reprimand", "arbiter", True),
        ("loss", "arbiter", False),
        ("loss", "chief-arbiter", True),
        ("loss-of-both", "arbiter", False),
        ("exclusion", "arbiter", False),
        ("exclusion", "chief-arbiter", True),
        ("warning", "opponent", False),
    ],
)
def test_who_gives_which_measure_10_2(measure: Measure, by: Role, allowed: bool) -> None:
    log = propose((), 1, "w", "O6", "S0 9.4(6)")
    decided = decide(log, 0, measure, by)
    assert isinstance(decided, Refused) != allowed
    if not isinstance(decided, Refused):
        assert (decided[0].decided, decided[0].by) == (measure, by)
    assert isinstance(decide(log, 1, "warning", "arbiter"), Refused)


# ------------------------------------------------------------------ series


def outcome(ending: Ending) -> Outcome:
    return Outcome(ending, "resigned", "", "")


def test_a_series_changes_colours_and_counts_2_1_0() -> None:
    series = Series(("Абай", "Ботагөз"), TWO_POINTS)
    endings: tuple[Ending, ...] = ("w", "w", "draw", "both-lost")
    whites = []
    for ending in endings:
        whites.append(series.white)
        series = series.with_game(outcome(ending))
    assert whites == ["Абай", "Ботагөз", "Абай", "Ботагөз"]
    assert series.score == (Fraction(3), Fraction(3))


def test_a_series_of_one_and_a_half() -> None:
    series = Series(("A", "B"), ONE_POINT).with_game(outcome("draw")).with_game(outcome("b"))
    assert series.score == (Fraction(3, 2), Fraction(1, 2))
    assert [points_text(points) for points in series.score] == ["1½", "½"]
    assert [points_text(Fraction(n)) for n in (0, 2)] == ["0", "2"]


def test_an_annulled_game_is_replayed_with_the_same_colours_9_1() -> None:
    series = Series(("A", "B")).with_game(outcome("annulled"))
    assert (series.white, series.black) == ("A", "B")
    assert series.score == (Fraction(0), Fraction(0))


# ------------------------------------------------------------------ as a record


def test_a_match_as_a_record() -> None:
    match = sure(resign(after(begin(ITALIAN), "21-17", "11-14"), "b"))
    record = record_of(match, {"White": "A", "Black": "B"})
    assert (record.game, record.result, record.tag("White")) == ("italian", "w", "A")
    assert record.reason == "resigned, S0 8.1; FMJD 7.2"
    assert len(record.plies) == 2


def test_the_log_becomes_remarks_where_it_happened() -> None:
    match = sure(offer_draw(after(begin(ITALIAN), "21-17"), "w"))
    record = record_of(match)
    assert record.plies[0].remarks == ("White: draw-offer: a draw is offered (S0 8.2)",)
    assert record_of(match, notes=False).plies[0].remarks == ()
    assert record_of(sure(offer_draw(begin(ITALIAN), "w"))).remarks
