"""The draw counters: every row of the rulebooks' tables, at the ply before, at and after.

A scenario plays a line and says after how many plies a rule makes its draw.  Lines are made here
from legal moves alone, so that nothing but the rule in question can end them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import pytest

from rules.draughts import match_counts
from rules.draughts.draws import IRREVERSIBLE, ROWS, DrawRule, rules_of
from rules.draughts.game import NAMES, DraughtsGame
from rules.draughts.match import Match, begin, claimable, play
from rules.draughts.position import Move, Position
from rules.errors import UnknownGame
from rules.match import Refused

DATA = Path(__file__).parents[1] / "data" / "draw_scenarios.tsv"
ROAD = {4, 8, 11, 15, 18, 22, 25, 29}

#: Rows that a player has to claim.
CLAIMED = {"REP3e", "F40", "F40i"}


@dataclass(frozen=True)
class Scenario:
    """One row of the data file; ``at`` is 0 where the draw never comes."""

    rule: str
    name: str
    game: str
    profile: str
    fen: str
    plan: str
    at: int


def _scenarios() -> tuple[Scenario, ...]:
    lines = [row for row in DATA.read_text(encoding="utf-8").splitlines() if row[0] != "#"]
    rows = [row.split("\t") for row in lines[1:]]
    return tuple(
        Scenario(rule, name, game, profile, fen, plan, int(at))
        for rule, name, game, profile, fen, plan, at in rows
    )


SCENARIOS = _scenarios()


# ------------------------------------------------------------------ making lines


@lru_cache(maxsize=1)
def games() -> dict[str, DraughtsGame]:
    return {name: DraughtsGame.by_name(name) for name in NAMES}


def is_king(position: Position, square: int) -> bool:
    return position.piece(square) in "WB"


def named(kind: str) -> bool:
    """Whether a word of a plan is the text of a move."""
    return len(kind) > 2 and ("-" in kind or "x" in kind)


def fits(game: DraughtsGame, position: Position, move: Move, kind: str) -> bool:
    """Whether a move is of the kind that a plan asks for."""
    if named(kind):
        return game.text(position, move) == kind
    king, replies = is_king(position, move.frm), game.moves(move.after)
    captures = [reply for reply in replies if reply.taken]
    if kind == "x":
        return bool(move.taken) and bool(replies) and not captures
    if kind == "g":
        return king and not move.taken and bool(captures) and len(captures) == len(replies)
    if move.taken or captures or not replies:
        return False
    if kind in "mp":
        return not king and move.crowned == (kind == "p")
    lone = move.after.white if move.after.white.bit_count() == 1 else move.after.black
    on_road = lone.bit_length() in ROAD
    return king and (kind == "k" or on_road == (kind == "on"))


def steps(plan: str) -> list[str]:
    """The kind of each ply of a plan."""
    found: list[str] = []
    for word in plan.split():
        kind = word if named(word) else word.rstrip("0123456789")
        number = word[len(kind) :]
        found += [kind] * int(number or 1)
    return found


@lru_cache(maxsize=128)
def line(game_name: str, fen: str, plan: str) -> tuple[Move, ...]:
    """Moves of a plan; unless it names them, no position stands more than twice."""
    game = games()[game_name]
    start = game.read(fen)
    kinds = steps(plan)
    seen, tries = Counter([start]), 0
    moves: list[Move] = []

    def choices(position: Position, kind: str) -> list[Move]:
        fitting = [move for move in game.moves(position) if fits(game, position, move, kind)]
        free = [move for move in fitting if named(kind) or seen[move.after] < 2]
        return sorted(free, key=lambda move: (seen[move.after], move.frm, move.to), reverse=True)

    stack = [choices(start, kinds[0])]
    while len(moves) < len(kinds):
        tries += 1
        assert tries < 20_000, f"no line {plan} from {fen}"
        assert stack, f"no line {plan} from {fen}"
        if not stack[-1]:
            stack.pop()
            assert moves, f"no line {plan} from {fen}: stuck at once"
            seen[moves.pop().after] -= 1
            continue
        move = stack[-1].pop()
        moves.append(move)
        seen[move.after] += 1
        if len(moves) < len(kinds):
            stack.append(choices(move.after, kinds[len(moves)]))
    return tuple(moves)


# ------------------------------------------------------------------ the table


def match_of(scenario: Scenario, rules: tuple[DrawRule, ...] | None = None) -> Match:
    game = games()[scenario.game]
    match = begin(game, game.read(scenario.fen), scenario.profile)
    if rules is None:
        return match
    return replace(match, rules=rules, counts=match_counts.begin(rules, match.start))


def first_draw(match: Match, moves: tuple[Move, ...]) -> tuple[int, str]:
    """After how many plies a draw is made or can be claimed, and by which rule."""
    for ply, move in enumerate(moves, 1):
        later = play(match, move)
        assert isinstance(later, Match)
        match = later
        claims = [rule.id for rule in claimable(match)]
        if claims or match.outcome is not None:
            return ply, claims[0] if claims else (match.outcome.reason if match.outcome else "")
    return 0, ""


def ids(scenario: Scenario) -> str:
    return f"{scenario.rule} {scenario.game} {scenario.name}"


@pytest.mark.parametrize("scenario", SCENARIOS, ids=ids)
def test_draw_comes_at_its_ply_and_not_before(scenario: Scenario) -> None:
    moves = line(scenario.game, scenario.fen, scenario.plan)
    wanted = (scenario.at, scenario.rule) if scenario.at else (0, "")
    assert first_draw(match_of(scenario), moves) == wanted


@pytest.mark.parametrize("scenario", [s for s in SCENARIOS if s.at], ids=ids)
def test_what_follows_a_draw(scenario: Scenario) -> None:
    """A draw that is made ends the game; one that can be claimed waits for a player."""
    match, moves = match_of(scenario), line(scenario.game, scenario.fen, scenario.plan)
    for move in moves[: scenario.at]:
        later = play(match, move)
        assert isinstance(later, Match)
        match = later
    if scenario.rule in CLAIMED:
        assert match.outcome is None
        assert [rule.id for rule in claimable(match)] == [scenario.rule]
        return
    assert match.outcome is not None
    assert (match.outcome.ending, match.outcome.reason) == ("draw", scenario.rule)
    reply = match.game.moves(match.position)[0]
    assert play(match, reply) == Refused("the game is over")


def test_move_that_fills_a_counter_and_wins_is_a_win() -> None:
    """RULES of all games: "no move" is looked at first.  3-17 blocks Black at the 30th ply."""
    game = games()["russian"]
    match = begin(game, game.read("W:WK3,22:B13"))
    filled = tuple(29 if rule.id == "K15" else count for rule, count in _counted(match))
    match = replace(match, counts=filled)
    move = game.parse_move(match.position, "f8-a3")
    assert move.to == 21
    drawn = play(match, move)
    assert isinstance(drawn, Match)
    assert drawn.outcome is not None
    assert drawn.outcome.reason == "K15"
    won = play(match, game.parse_move(match.position, game.name_of(3) + "-" + game.name_of(17)))
    assert isinstance(won, Match)
    assert won.outcome is not None
    assert (won.outcome.ending, won.outcome.reason) == ("w", "no-moves")


def _counted(match: Match) -> list[tuple[DrawRule, int | None]]:
    return list(zip(match.rules, match.counts, strict=True))


# ------------------------------------------------------------------ facts, and mutants of them

#: Article and limit of each row, from the rulebooks (n moves of each side are 2n plies).
TABLE = {
    "REP3": ("FMJD 6.1", 3),
    "K25": ("FMJD 6.2", 50),
    "E16": ("FMJD 6.3", 32),
    "E5": ("FMJD 6.4", 10),
    "REP3r": ("FMJD-64 7.2.3", 3),
    "T15": ("FMJD-64 7.2.4", 30),
    "K15": ("FMJD-64 7.2.5", 30),
    "E30": ("FMJD-64 7.2.6", 60),
    "E60": ("FMJD-64 7.2.6", 120),
    "R5": ("FMJD-64 7.2.7", 10),
    "E5r": ("FMJD-64 7.2.8", 10),
    "REP3e": ("WCDF 1.32.1", 3),
    "F40": ("WCDF 1.32.2", 80),
    "REP4": ("S0 8.2; FID 9.3", 4),
    "F40i": ("S0 8.2; FID 10.4", 80),
}


#: Game -> the rows of its official rules, in any order.
OFFICIAL = {
    "international": {"REP3", "K25", "E16", "E5"},
    "russian": {"REP3r", "T15", "K15", "E30", "E60", "R5", "E5r"},
    "giveaway": {"REP3r", "T15", "K15", "E30", "E60", "R5", "E5r"},
    "english": {"REP3e", "F40"},
    "italian": {"REP4", "F40i"},
}


def test_every_game_has_its_rows() -> None:
    for name, rows in OFFICIAL.items():
        assert {rule.id for rule in rules_of(games()[name].variant)} == rows
    for name in ("russian", "giveaway"):
        assert [rule.id for rule in rules_of(games()[name].variant, "site")] == ["K15"]
    with pytest.raises(UnknownGame, match="site"):
        rules_of(games()["italian"].variant, "site")


def test_every_row_has_its_article_and_limit() -> None:
    assert {row.id: (row.article, row.limit) for row in ROWS.values()} == TABLE


#: Mutants that no legal line can tell from the rule, and why.
SAME = {
    "a promotion is a man move": {("K25", "+promotion"), ("K15", "+promotion")}
    | {("F40", "+promotion"), ("F40i", "+promotion")},
    "no man is left on the board": {("T15", "-promotion"), ("T15", "+man")},
    "a capture leaves the material": {("E16", "+capture"), ("R5", "+capture")},
    "another rule ends it first": {("T15", "low-1"), ("E30", "low-1"), ("E60", "low-1")},
    "no such material": {("E5", "low-1"), ("E5r", "low-1")},
    "kings only on both sides is not asked": {("E30", "all kings"), ("E60", "all kings")},
    "a position does not come back behind these": {
        (row, sign + event)
        for row in ("REP3", "REP3r", "REP3e", "REP4")
        for sign in "+-"
        for event in ("capture", "man", "promotion")
    },
}


def mutants(rule: DrawRule) -> list[tuple[str, DrawRule]]:
    """A rule with one fact changed, for each fact."""
    found = [(f"limit{n:+}", replace(rule, limit=rule.limit + n)) for n in (-1, 1)]
    found.append(("claim", replace(rule, claim=not rule.claim)))
    for event in ("capture", "man", "promotion"):
        sign = "-" if event in rule.resets else "+"
        found.append((sign + event, replace(rule, resets=rule.resets ^ {event})))
    material = rule.material
    if material is not None:
        low, high = material.pieces
        changed = {"low-1": (low - 1, high), "low+1": (low + 1, high), "high-1": (low, high - 1)}
        changed["high+1"] = (low, high + 1)
        if high == 12:  # "three or more"
            del changed["high-1"], changed["high+1"]
            changed["at most three"] = (low, 3)
        sets = [(name, replace(material, pieces=pieces)) for name, pieces in changed.items()]
        sets.append(("all kings", replace(material, all_kings=not material.all_kings)))
        sets.append(("lone king", replace(material, lone_king=not material.lone_king)))
        found += [(name, replace(rule, material=new)) for name, new in sets]
        found.append(("any material", replace(rule, material=None)))
    for square in rule.road:
        rest = tuple(n for n in rule.road if n != square)
        found.append((f"road without {square}", replace(rule, road=rest)))
    if rule.road:
        found.append(("no road", replace(rule, road=())))
    return found


def mutant_cases() -> list[tuple[str, str]]:
    same = frozenset().union(*SAME.values())
    return [
        (row.id, name)
        for row in ROWS.values()
        for name, _ in mutants(row)
        if (row.id, name) not in same
    ]


@lru_cache(maxsize=4096)
def as_seen(scenario: Scenario, rules: tuple[DrawRule, ...]) -> tuple[int, str, bool]:
    """The first draw on a line by the counters alone: ply, rule, whether it must be claimed."""
    moves = line(scenario.game, scenario.fen, scenario.plan)
    before = games()[scenario.game].read(scenario.fen)
    counts, seen, since = match_counts.begin(rules, before), [before], 0
    for ply, move in enumerate(moves, 1):
        counts = match_counts.advance(rules, counts, before, move.after)
        seen.append(move.after)
        since = ply if match_counts.events(before, move.after) & IRREVERSIBLE else since
        before = move.after
        for rule, count in zip(rules, counts, strict=True):
            if rule.unit == "times":
                count = match_counts.occurrences(rule, tuple(seen), since)
            if count is not None and count >= rule.limit:
                return ply, rule.id, rule.claim
    return 0, "", False


@pytest.mark.parametrize(("row", "fact"), mutant_cases())
def test_a_changed_fact_is_seen(row: str, fact: str) -> None:
    mutant = dict(mutants(ROWS[row]))[fact]
    broken = []
    for scenario in SCENARIOS:
        rules = rules_of(games()[scenario.game].variant, scenario.profile)
        changed = tuple(mutant if rule.id == row else rule for rule in rules)
        if changed != rules and as_seen(scenario, changed) != as_seen(scenario, rules):
            broken.append(scenario.name)
            break
    assert broken, f"no scenario sees {row} with {fact}"
