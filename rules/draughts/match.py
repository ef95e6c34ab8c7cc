"""A match: the state around the positions of one game, as frozen values.

Every function here takes a `Match` and gives a new one, or a `Refused` where the rules do not
allow what was asked.  This module holds the state, the moves and the ends they make; offences
and other conduct are in `match_conduct`, offers, claims and time in `match_claims`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..errors import IllegalMove
from ..match import Note, Outcome, Refused, Sanctions, opponent_of
from ..verdict import Offence
from . import match_counts
from .draws import IRREVERSIBLE, DrawRule, rules_of
from .game import DraughtsGame
from .match_counts import Counts
from .position import Move, Position, Side
from .record import Clock, Ply, Stand


@dataclass(frozen=True, slots=True)
class Pending:
    """An offence that the opponent may still have corrected (S0 9.4, 9.6).

    Attributes:
        side: who did it.
        offence: what the judge said.
        before: the position it was done from; put right means this board again, or a legal move.
        board: the board as it stands.
        demanded: the opponent wants it corrected.
    """

    side: Side
    offence: Offence
    before: Position
    board: Position
    demanded: bool = False


@dataclass(frozen=True, slots=True)
class Crowning:
    """A new king that does not yet look like one (S0 3.7)."""

    side: Side
    square: int


@dataclass(frozen=True, slots=True)
class Touch:
    """What the side to move has touched (S0 4.2-4.4).

    Attributes:
        squares: own pieces touched, in order.
        adjusting: he said that he only adjusts.
    """

    squares: tuple[int, ...] = ()
    adjusting: bool = False


@dataclass(frozen=True, slots=True)
class TouchClaim:
    """A touched piece was not played; dies when the claimant touches his own (S0 4.7).

    Attributes:
        side: who may claim.
        square: the piece that was bound to move.
        due: the moves it had.
    """

    side: Side
    square: int
    due: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Restore:
    """Pieces that must be put back (S0 9.3).

    Attributes:
        side: who moved them, and whose clock runs meanwhile; None when no player did (9.5).
        squares: where they belong or lie now.
    """

    side: Side | None
    squares: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DrawClaim:
    """A draw that a player claims.

    Attributes:
        side: who claims.
        rule: id of the draw rule.
        shown: what the counter stands at.
        founded: the counter has reached the limit.
    """

    side: Side
    rule: str
    shown: int
    founded: bool


@dataclass(frozen=True, slots=True)
class Match:
    """One game in progress.  Made by `begin`.

    Attributes:
        game: its rules of play.
        rules: its draw rules.
        marks_kings: a new king has to be marked, because the set in use can show it.
        start, position: where it began and where it is; ``position`` has the side to move.
        plies: what was played.
        seen: every position, the start first.
        since: index in ``seen`` of the position after the last irreversible ply.
        counts: for each draw rule the plies counted.
        crowning: kings not yet marked.
        pending: an offence that may still be corrected.
        touch, touch_claims: touched pieces, and claims from them.
        restore: pieces to be put back.
        offer: who offers a draw.
        claim: a draw that is claimed.
        sanctions: breaches, with what is proposed.
        log: what else happened.
        outcome: the end, or None.
        previous: the state before the last ply, for taking it back.
    """

    game: DraughtsGame
    rules: tuple[DrawRule, ...]
    marks_kings: bool
    start: Position
    position: Position
    seen: tuple[Position, ...]
    counts: Counts
    since: int = 0
    plies: tuple[Ply | Stand, ...] = ()
    crowning: tuple[Crowning, ...] = ()
    pending: Pending | None = None
    touch: Touch = Touch()
    touch_claims: tuple[TouchClaim, ...] = ()
    restore: Restore | None = None
    offer: Side | None = None
    claim: DrawClaim | None = None
    sanctions: Sanctions = ()
    log: tuple[Note, ...] = ()
    outcome: Outcome | None = None
    previous: Match | None = field(default=None, compare=False, repr=False)

    @property
    def board(self) -> Position:
        """The position that the next deed starts from.

        While an offence is pending the opponent may play on from the board as it stands.
        """
        if self.pending is None:
            return self.position
        return crowned(self.game, self.pending.board.with_side(opponent_of(self.pending.side)))


def begin(
    game: DraughtsGame,
    start: Position | None = None,
    profile: str = "official",
    marks_kings: bool = True,
) -> Match:
    """A game before its first move.

    Args:
        game: its rules.
        start: the position it begins from; the game's own if None.
        profile: which draw rules are in force, see `Variant.draws`.
        marks_kings: False when kings can't be told from men in this set.

    Raises:
        UnknownGame: the game has no such profile.
    """
    start = start or game.start()
    rules = rules_of(game.variant, profile)
    counts = match_counts.begin(rules, start)
    match = Match(game, rules, marks_kings, start, start, (start,), counts)
    return replace(match, outcome=_won(match))


def play(
    match: Match,
    move: Move,
    clock: Clock | None = None,
    nags: tuple[int, ...] = (),
    remarks: tuple[str, ...] = (),
) -> Match | Refused:
    """The match after a legal move, from `Match.board`.

    The move accepts a pending offence of the opponent (S0 9.6), declines his draw offer, and ends
    the mover's own claims (4.7).

    Raises:
        IllegalMove: the move is not legal there.
    """
    if match.outcome is not None:
        return Refused("the game is over")
    if match.pending is not None:
        accepted = stand(match)
        if accepted.outcome is not None:
            return accepted
        match = accepted
    side = match.position.side
    if move not in match.game.moves(match.position):
        raise IllegalMove(f"move {move.frm}-{move.to}", "", f"a legal move of {side}")
    claims = _touch_claim(match, move)
    match = _told_unmarked(match, opponent_of(side))
    after = go_on(match, Ply(move, clock, nags, remarks))
    unmarked = (Crowning(side, move.to),) if move.crowned and match.marks_kings else ()
    return replace(after, crowning=unmarked, touch_claims=claims)


def stand(match: Match) -> Match:
    """The match after the pending offence has been accepted: the board as it is (S0 9.6).

    Where only the crown was missing the move itself was legal, and is played: the piece is a king
    all the same.  Without a pending offence nothing changes.
    """
    pending = match.pending
    if pending is None:
        return match
    board = match.board
    offence = pending.offence
    remark = f"{offence.code} {offence.kind} accepted: {offence.message} ({offence.article})"
    match = replace(match, pending=None)
    legal = [move for move in match.game.moves(match.position) if move.after == board]
    ply: Ply | Stand
    if legal:
        ply = Ply(legal[0], remarks=(remark,))
    else:
        ply = Stand(board, offence.code, remarks=(remark,))
    return go_on(match, ply)


def go_on(match: Match, ply: Ply | Stand) -> Match:
    """One ply on: position, counters, and what a ply ends by itself.

    A win comes before a draw: the ply that fills a counter may win.
    """
    before, after = match.position, ply.after
    seen = (*match.seen, after)
    irreversible = bool(match_counts.events(before, after) & IRREVERSIBLE)
    side = before.side
    later = replace(
        match,
        position=after,
        plies=(*match.plies, ply),
        seen=seen,
        since=len(seen) - 1 if irreversible else match.since,
        counts=match_counts.advance(match.rules, match.counts, before, after),
        crowning=(),
        touch=Touch(),
        touch_claims=(),
        restore=None,
        offer=match.offer if match.offer == side else None,
        claim=None if match.claim and match.claim.side == side else match.claim,
        previous=match,
    )
    return replace(later, outcome=_won(later) or _drawn(later))


def take_back(match: Match) -> Match | Refused:
    """The match before its last ply; the log and the sanctions stay."""
    if match.previous is None:
        return Refused("there is no move to take back")
    side = match.previous.position.side
    back = replace(match.previous, sanctions=match.sanctions, log=match.log)
    return noted(back, side, "takeback", "", "the last move was taken back")


def claimable(match: Match) -> tuple[DrawRule, ...]:
    """The draw rules that a player can claim now, with what they show reached."""
    return tuple(rule for rule in match.rules if rule.claim and shown(match, rule) >= rule.limit)


def shown(match: Match, rule: DrawRule) -> int:
    """What the counter of one of the match's draw rules stands at."""
    if rule.unit == "times":
        return match_counts.occurrences(rule, match.seen, match.since)
    return match.counts[match.rules.index(rule)] or 0


def bound(match: Match) -> int:
    """The touched piece that must be played: the first that has a legal move; 0 if none (S0 4.3,
    4.4)."""
    movable = {move.frm for move in match.game.moves(match.position)}
    return next((square for square in match.touch.squares if square in movable), 0)


def crowned(game: DraughtsGame, board: Position) -> Position:
    """A board with each man on its last row taken for the king that it is (S0 3.5)."""
    white = board.white_men & game.variant.last_row("w")
    black = board.black_men & game.variant.last_row("b")
    return Position(
        board.side,
        board.white_men ^ white,
        board.white_kings | white,
        board.black_men ^ black,
        board.black_kings | black,
    )


def noted(match: Match, side: Side | None, code: str, article: str, text: str) -> Match:
    """The match with one more line in its log."""
    return replace(match, log=(*match.log, Note(len(match.plies), side, code, article, text)))


# ------------------------------------------------------------------ inside


def _won(match: Match) -> Outcome | None:
    """The end that the side to move meets when it has no move."""
    if match.game.moves(match.position):
        return None
    variant, side = match.game.variant, match.position.side
    pieces = match.position.white if side == "w" else match.position.black
    reason = "no-moves" if pieces else "no-pieces"
    text = "no move left" if pieces else "no piece left"
    if variant.blocked_wins:
        return Outcome(side, reason, "S1 giveaway", text)
    return Outcome(opponent_of(side), reason, "S0 8.1; FMJD 7.2", text)


def _drawn(match: Match) -> Outcome | None:
    for rule in match.rules:
        if not rule.claim and shown(match, rule) >= rule.limit:
            return Outcome("draw", rule.id, rule.article, rule.text)
    return None


def _told_unmarked(match: Match, side: Side) -> Match:
    """The match with a note for each king that its owner left unmarked until now."""
    for crown in match.crowning:
        if crown.side == side:
            name = match.game.name_of(crown.square)
            text = f"the new king on {name} was not marked"
            match = noted(match, side, "O14", "S0 3.7; FMJD 5.4.15", text)
    return match


def _touch_claim(match: Match, move: Move) -> tuple[TouchClaim, ...]:
    """Claims after a move: the mover has touched a piece of his own, so his are gone (4.7)."""
    side = match.position.side
    kept = tuple(claim for claim in match.touch_claims if claim.side != side)
    square = bound(match)
    if square in (0, move.frm):
        return kept
    moves = match.game.moves(match.position)
    due = tuple(match.game.text(match.position, m) for m in moves if m.frm == square)
    return (*kept, TouchClaim(opponent_of(side), square, due))
