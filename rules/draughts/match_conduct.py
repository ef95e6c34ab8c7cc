"""Conduct at the board: offences and what becomes of them, displaced pieces, faults of set-up.

Articles S0 are those of the Kazakh rules for Italian draughts; they serve every game here, as
the other rule texts have none on conduct.
"""

from __future__ import annotations

from dataclasses import replace

from ..match import Outcome, Refused, opponent_of, propose, propose_exclusion
from ..verdict import Offence
from .match import Match, Pending, Restore, crowned, go_on, noted, play, stand
from .position import Position, Side
from .record import Stand

_OVER = Refused("the game is over")


# ------------------------------------------------------------------ offences (S0 9.4-9.9)


def offend(
    match: Match, offence: Offence, board: Position, by: Side | None = None
) -> Match | Refused:
    """The side to move, or the one that is named, has done something that the rules forbid.

    The opponent may accept it, demand that it be put right, or play on, which accepts it.  The
    position stays as it was until then.  A further wrong deed takes the place of the first.

    Args:
        match: the match.
        offence: what the judge said of it.
        board: the board as it stands now; its side to move is ignored.
        by: who did it; the side to move if None.
    """
    if match.outcome is not None:
        return _OVER
    side, ply = by or match.position.side, len(match.plies)
    demanded = match.pending is not None and match.pending.demanded
    pending = Pending(side, offence, match.position, board, demanded)
    log = propose(match.sanctions, ply, side, offence.code, offence.article)
    match = replace(match, pending=pending, sanctions=log)
    return noted(match, side, offence.code, offence.article, offence.message)


def accept(match: Match) -> Match | Refused:
    """The opponent lets the pending offence stand: the game goes on from the board as it is."""
    if match.pending is None:
        return Refused("nothing is pending")
    return stand(match)


def demand(match: Match) -> Match | Refused:
    """The opponent demands that the pending offence be put right, whole (S0 9.7)."""
    if match.pending is None:
        return Refused("nothing is pending: a completed move accepts", "S0 9.6; FMJD 5.7")
    match = replace(match, pending=replace(match.pending, demanded=True))
    side = opponent_of(match.position.side)
    return noted(match, side, "demand", "S0 9.4", "demands that it be put right")


def put_right(match: Match, board: Position) -> Match | Refused:
    """The offender has changed the board after a pending offence.

    The board before it again leaves him to move; the board of a legal move is that move.  Anything
    between is refused: no part of an offence is corrected without the rest (S0 9.7).
    """
    pending = match.pending
    if pending is None:
        return Refused("nothing is pending")
    here = board.with_side(pending.before.side)
    if here == pending.before:
        match = replace(match, pending=None)
        return noted(match, pending.side, "put-right", "S0 9.7", "the board is as it was before")
    there = board.with_side(opponent_of(pending.side))
    for move in match.game.moves(pending.before):
        if move.after == there:
            match = replace(match, pending=None)
            match = noted(match, pending.side, "corrected", "S0 9.7", "a legal move now")
            return play(match, move)
    names = ", ".join(match.game.name_of(square) for square in _changed(pending.before, here))
    return Refused(f"put right in part only, still changed: {names}", "S0 9.7")


def refuse(match: Match) -> Match | Refused:
    """The offender will not put right what was demanded: the arbiter is called (S0 9.8, 10.3)."""
    if match.pending is None or not match.pending.demanded:
        return Refused("nothing was demanded", "S0 9.8")
    side = match.pending.side
    log = propose_exclusion(match.sanctions, len(match.plies), side)
    match = replace(match, sanctions=log)
    return noted(match, side, "refusal", "S0 9.8", "refuses; the arbiter is called")


# ------------------------------------------------------------------ pieces knocked over (9.3, 9.5)


def displace(match: Match, side: Side | None, squares: tuple[int, ...]) -> Match | Refused:
    """Pieces were moved by accident, by a player or, with ``side`` None, by nobody at the board.

    A player puts them back on his own time, and the arbiter may punish him; otherwise it is no
    offence, and no clock runs.
    """
    if match.outcome is not None:
        return _OVER
    match = replace(match, restore=Restore(side, squares))
    names = ", ".join(match.game.name_of(square) for square in squares)
    if side is None:
        return noted(match, None, "displaced", "S0 9.5", f"moved by no player: {names}")
    log = propose(match.sanctions, len(match.plies), side, "displaced", "S0 9.3")
    match = replace(match, sanctions=log)
    return noted(match, side, "displaced", "S0 9.3", f"moved by accident: {names}")


def restored(match: Match, board: Position) -> Match | Refused:
    """The displaced pieces have been put back, if all of them stand where they should."""
    if match.restore is None:
        return Refused("no piece has to be put back")
    wanted = match.pending.board if match.pending else match.position
    left = _changed(wanted, board)
    if left:
        names = ", ".join(match.game.name_of(square) for square in left)
        return Refused(f"not yet put back: {names}", "S0 9.3")
    side = match.restore.side
    return noted(replace(match, restore=None), side, "restored", "S0 9.3", "the pieces are back")


def clock_of(match: Match) -> Side | None:
    """Whose clock should run: the one who has something to put right, else the one to move.

    While an offence waits for the opponent's answer it is his; None when both should stand.
    """
    if match.outcome is not None:
        return None
    if match.restore is not None:
        return match.restore.side
    if match.pending is not None and not match.pending.demanded:
        return opponent_of(match.pending.side)
    return match.position.side


# ------------------------------------------------------------------ set-up (9.1, 9.2)


def wrong_board(match: Match) -> Match:
    """The board lies with the wrong corner at the players: the game is annulled and replayed."""
    text = "the board lay wrongly; the game is annulled and played again"
    outcome = Outcome("annulled", "wrong-board", "S0 9.1", text)
    return noted(replace(match, outcome=outcome), None, "wrong-board", "S0 9.1", text)


def wrong_setup(match: Match, board: Position) -> Match | Refused:
    """The pieces were not set up as they should be.

    Before the first move they are set right; after it the game goes on from the board as it is,
    and counts.

    Args:
        match: the match.
        board: what stands there; its side to move is ignored.
    """
    if match.outcome is not None:
        return _OVER
    if not match.plies:
        match = replace(match, restore=Restore(None, _changed(match.start, board)))
        return noted(match, None, "wrong-setup", "S0 9.2", "set up wrongly; to be set right")
    text = "set up wrongly, found after the first move; the game goes on"
    match = noted(match, None, "wrong-setup", "S0 9.2", text)
    after = crowned(match.game, board.with_side(match.position.side))
    return go_on(match, Stand(after, "wrong-setup", remarks=(text,)))


def wrong_colours(match: Match) -> Match:
    """The players have each other's colours: changed before the first move, kept after it."""
    text = "the colours are changed" if not match.plies else "wrong colours; the game goes on"
    return noted(match, None, "wrong-colours", "S0 9.2", text)


def _changed(one: Position, other: Position) -> tuple[int, ...]:
    """The squares on which two boards differ."""
    here, there = one.pieces(), other.pieces()
    return tuple(n for n in sorted(here.keys() | there.keys()) if here.get(n) != there.get(n))
