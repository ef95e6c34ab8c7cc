"""What only a sequence shows: turns out of order, clocks pressed too early, men lifted too early.

A pair of boards tells most offences; these need what was seen in between.  Boards that would be
wrong if the turn ended with them are remembered as `Half`, and never an alarm by themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from rules.draughts import match_touch as touching
from rules.draughts.position import Move, Position, Side, other
from rules.match import Note
from rules.verdict import Offence
from vision.infer import Wrong
from vision.steady import Scene

from . import clock
from . import session_record as record
from . import session_say as say
from .modes import MODES
from .session_capture import CAPTURING, is_capturing
from .session_hands import both_hands
from .session_state import Half, State
from .session_values import Effect

Step = tuple[State, tuple[Effect, ...]]

#: After a press the hand leaves and the picture settles; only then is the board looked at.
SETTLES_NS = 600_000_000

#: A board stands for less than this between a move and the same hand's coming back.
HASTE_NS = 900_000_000

#: What a hand does on coming back after a legal move.
SAME_DEED = frozenset(("O3", "O12", "O13"))

_ARTICLES = {
    "O2": "S0 9.4(2); FMJD 5.4.1",
    "O10": "S0 9.4(10); FMJD 5.4.10",
    "O16": "S0 4.1; FMJD 5.4.17",
    "O18": "S0 7.3",
    "order": "S0 5.9",
    "takeback": "",
    "touch": "S0 4.3",
}


# ---------------------------------------------------------------- out of turn


def out_of_turn(state: State, wrong: Wrong) -> Wrong:
    """A wrong board, accused of the right side.

    Where the side that has just moved has made another legal move, and nothing else is changed,
    it is that side that moved twice; a pair of boards alone would blame the opponent.
    """
    here = state.position
    mover = other(here.side)
    if wrong.moves or wrong.before != here or not state.match.plies:
        return wrong
    again = here.with_side(mover)
    there = wrong.after.with_side(here.side)
    move = next((m for m in state.game.moves(again) if _same(m.after, there)), None)
    if move is None:
        return wrong
    frm, to = (state.game.name_of(n) for n in (move.frm, move.to))
    who = say.side_name(mover)
    message = f"{who} moved twice in a row: take the second move, {frm} to {to}, back."
    short = f"two moves: {to} back to {frm}"
    offence = Offence("O2", "two-moves", _ARTICLES["O2"], (to, frm), (), short, message)
    return replace(wrong, after=there, offence=offence, by=mover)


def same_hand(state: State, wrong: Wrong) -> Wrong:
    """A wrong board, as done before the last move was read, if the mover's hand was hardly gone.

    A hand that lays a captured man aside leaves the board for a moment: the move is read, and what
    it does on coming back belongs to the same deed.  Not so where the board is that of a capture
    in return whose victim still stands: that is a reply half made, and far the likelier story.
    """
    here, before = state.position, state.match.previous
    hasty = state.done_ns == state.moved_ns and state.stood_ns - state.moved_ns < HASTE_NS
    fresh = wrong.before == here and not wrong.moves and wrong.by is None
    if not (hasty and fresh) or before is None or before.position.side == here.side:
        return wrong
    if is_capturing(state.game, wrong):
        return wrong
    verdict = state.game.judge(before.position, wrong.after)
    if not isinstance(verdict, Offence) or verdict.code not in SAME_DEED:
        return wrong
    there = wrong.after.with_side(here.side)
    return replace(wrong, before=before.position, after=there, offence=verdict)


def _same(one: Position, other: Position) -> bool:
    """Whether two boards show the same colours."""
    return (one.white, one.black) == (other.white, other.black)


# ---------------------------------------------------------------- the clock


def turn_ended(state: State, side: Side, scene: Scene) -> bool:
    """Whether a side has pressed its clock, so that its turn is complete whatever stands."""
    return state.pressed is not None and state.pressed[0] == side and scene.at_ns > state.pressed[1]


def pressed_in_vain(state: State, scene: Scene) -> Step:
    """A clock was pressed, and the board that stands is still the one from before the move."""
    if state.pressed is None or scene.at_ns - state.pressed[1] < SETTLES_NS:
        return state, ()
    side, _ = state.pressed
    state = replace(state, pressed=None)
    waits = state.phase != "playing" or state.match.pending is not None or bool(state.told)
    if waits or side != state.position.side or not state.setup.alarms:
        return state, ()
    if state.clocks is not None:
        state = replace(state, clocks=clock.void(state.clocks, side, scene.at_ns))
    message = f"{say.side_name(side)} pressed the clock without a move: it is still the turn."
    short = "clock pressed without a move"
    offence = Offence("O18", "clock", _ARTICLES["O18"], (), (), short, message)
    here = state.position
    return record.accuse(state, scene, Wrong((), here, here.with_side(other(side)), offence))


# ---------------------------------------------------------------- half-made turns


def half_made(state: State, scene: Scene, wrong: Wrong) -> State:
    """Remember a board that would be wrong if the turn ended with it."""
    if wrong.moves or wrong.before != state.match.board:
        return state
    side, foe = wrong.before.side, other(wrong.before.side)
    left, gone = _left(wrong, side), _left(wrong, foe)
    capturing = is_capturing(state.game, wrong)
    half = Half(wrong.offence.code, scene.since_ns, left, _pieces(wrong), gone, capturing)
    return state if half in state.half else replace(state, half=(*state.half, half))


def lifting(state: State, wrong: Wrong) -> bool:
    """Whether captured men are being lifted: more of them stood here before (5.13)."""
    capturing = wrong.offence.code in CAPTURING
    return capturing and any(h.capturing and h.pieces > _pieces(wrong) for h in state.half)


def in_hand(wrong: Wrong) -> bool:
    """Whether nothing but a piece of the side to move is gone, as when it has just been lifted."""
    side = wrong.before.side
    return wrong.offence.code == "O7" and not _left(wrong, other(side))


def _pieces(wrong: Wrong) -> int:
    return (wrong.after.white | wrong.after.black).bit_count()


def _left(wrong: Wrong, side: Side) -> tuple[int, ...]:
    """Squares that pieces of a side have left."""
    now = wrong.after.pieces()
    return tuple(
        n
        for n, piece in wrong.before.pieces().items()
        if piece.lower() == side and now.get(n, ".").lower() != side
    )


def put_back(state: State, at_ns: int) -> Step:
    """The board stands again as before the turn: what was lifted meanwhile was touched (4.3)."""
    lifted = {h.left[0] for h in state.half if len(h.left) == 1}
    state = replace(state, half=())
    if "touch" not in MODES[state.setup.mode].remarks:
        return state, ()
    match = state.match
    for square in sorted(lifted):
        match = touching.touch(match, match.position.side, square)
    if match == state.match:
        return state, ()
    names = [state.game.name_of(n) for n in match.touch.squares]
    line = say.append(state, at_ns, "touched", squares=names)
    return replace(state, match=match), (line,)


def taken_back(state: State, at_ns: int, plies: int) -> Step:
    """A move that was let go has been taken back; where that is not free, it is noted."""
    text = f"took back {plies} move(s)"
    return remark(state, at_ns, "takeback", state.position.side, [], text)


def remarks(state: State, at_ns: int, before: State, moves: Sequence[Move]) -> Step:
    """What is to be noted of legal moves that were just written down.

    Args:
        state: after them.
        at_ns: when.
        before: the state before them, with what was seen half made.
        moves: the moves.
    """
    effects: tuple[Effect, ...] = ()
    side, move = before.position.side, moves[0]
    capturing = [h for h in before.half if h.capturing]
    pressed = before.pressed
    if pressed and pressed[0] == side and any(h.at_ns <= pressed[1] for h in capturing):
        text = "pressed the clock before the last captured man was off"
        state, effects = remark(state, at_ns, "O18", side, [], text)
    if len(move.taken) > 1 and any(h.code == "O9" for h in capturing):
        text = "lifted a captured man before the capture was complete"
        names = say.names(state, move.taken)
        state, more = remark(state, at_ns, "O10", side, names, text)
        effects = (*effects, *more)
    elif any(_out_of_order(move.taken, h.gone) for h in capturing):
        text = "lifted captured men in another order than they were taken"
        names = say.names(state, move.taken)
        state, more = remark(state, at_ns, "order", side, names, text)
        effects = (*effects, *more)
    if both_hands(before, side):
        text = "both hands were over the board for one move"
        state, more = remark(state, at_ns, "O16", side, [], text)
        effects = (*effects, *more)
    claims = [c for c in state.match.touch_claims if c not in before.match.touch_claims]
    for claim in claims:
        name = state.game.name_of(claim.square)
        text = f"touched the piece on {name} and played another one"
        state, more = remark(state, at_ns, "touch", side, [name], text)
        effects = (*effects, *more)
    return replace(state, half=()), effects


def _out_of_order(taken: Sequence[int], gone: Sequence[int]) -> bool:
    """Whether a man was off while one that was taken before it still stood."""
    off = [square in gone for square in taken]
    return any(later and not earlier for earlier, later in pairwise(off))


def remark(
    state: State, at_ns: int, code: str, side: Side, squares: Sequence[str], text: str
) -> Step:
    """Note something that is no alarm, where the mode wants it."""
    mode = MODES[state.setup.mode]
    if code not in mode.remarks:
        return state, ()
    article = _ARTICLES[code]
    told = {"code": code, "side": side, "article": article, "squares": list(squares), "text": text}
    match = state.match
    note = Note(len(match.plies), side, code, article, text)
    line = say.append(state, at_ns, "remark", **told)
    event = say.event(state, at_ns, "remark", to=mode.told, **told)
    return replace(state, match=replace(match, log=(*match.log, note))), (line, event)
