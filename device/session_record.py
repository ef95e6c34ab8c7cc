"""Writing into the record: moves, offences and what became of them, takebacks, the end.

Each function takes a state and answers the next one with the effects that tell it; what goes to
the journal comes first, so that it is on the disk before a lamp changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from rules.draughts import match as game_of
from rules.draughts import match_conduct as conduct
from rules.draughts.match import Match
from rules.draughts.position import Move, Position
from rules.draughts.record import Clock, Ply, Stand
from rules.match import Ending, Outcome, Refused
from rules.verdict import Offence
from vision.evidence import Evidence, contents_of, evidence_of
from vision.heal import KEPT, Trace
from vision.infer import Wrong
from vision.steady import UNITS_PER_NAT, Scene

from . import clock
from . import session_say as say
from .clock import Clocks
from .errors import DeviceError
from .modes import MODES
from .session_state import State
from .session_values import Effect
from .signals import Side, Signal

Step = tuple[State, tuple[Effect, ...]]

#: Ends of the names of pictures that show what was before an offence, and the hand that did it.
LOOKS_BACK = ("-before", "-during")

How = Literal["put-right", "accepted", "corrected"]


#: So many scenes in a row with all kings marked, and a king without a mark is one that misses it.
MARKED = 2

#: A square that fits the confirmed position by so much was surely read rightly: 4 nats.  Eyes are
#: trusted with one alone after so many scenes without a misreading.
RIGHTLY, TRIED = 4 * UNITS_PER_NAT, 3


def remember(state: State, scene: Scene) -> State:
    """Note what reads wrongly although the position is confirmed, and whether kings show."""
    board = state.game.board
    evidence = evidence_of(scene, board, state.turns or 0)
    contents = contents_of(state.position, board.count)
    doubts = tuple((n, evidence.best(n)) for n in evidence.misfits(contents))
    strays = tuple(sorted(evidence.stray))
    state = tried(_marked(state, evidence), evidence)
    return replace(
        state,
        doubts=doubts,
        strays=strays,
        adrift=None,
        unread=min(1, len(doubts)),
        still=scene.number,
        arms=(0, 0),
        passed=frozenset(),
    )


def _marked(state: State, evidence: Evidence) -> State:
    """Learn whether kings of this set can be told from men.

    One king that looks like one may be a man misread; and where a king looks like a man, or nobody
    marks them, the rules know the kings and nobody is accused.  A new king may be about to be
    marked: without a mark it says nothing of the set, with one as much as any other.
    """
    match = state.match
    last = match.plies[-1] if match.plies else None
    new = last.move.to if isinstance(last, Ply) and last.move.crowned else 0
    kings = [n for n, piece in state.position.pieces().items() if piece in "WB"]
    if any(evidence.shows_man(n) for n in kings if n != new):
        state = replace(state, crowns=0)
    elif any(evidence.shows_king(n) for n in kings):
        state = replace(state, crowns=state.crowns + 1)
    if state.setup.kings != "auto":
        return state
    enough = 1 if state.setup.settled else MARKED  # a running camera sees the next scene soon
    return replace(state, marks=True if state.crowns >= enough else None)


def tried(state: State, evidence: Evidence) -> State:
    """Note how well the confirmed position was read."""
    contents = contents_of(state.position, state.game.board.count)
    good = 0 if evidence.misfits(contents) else state.good + 1
    squares = range(1, state.game.board.count + 1)
    sure = frozenset(squares) - evidence.doubtful(contents, RIGHTLY)
    return replace(state, good=good, proven=sure if good >= TRIED else frozenset())


def settle(state: State, scene: Scene) -> Step:
    """End a scene that is understood; take back a doubt that was told."""
    effects = (say.signal(Signal.READY),) if state.told else ()
    state = tried(state, evidence_of(scene, state.game.board, state.turns or 0))
    state = replace(state, done_ns=scene.since_ns, told="", adrift=None, unread=0, odd=())
    state = replace(state, arms=(0, 0), passed=frozenset())
    return replace(state, still=scene.number), effects


# ---------------------------------------------------------------- moves


def confirm(state: State, scene: Scene, moves: Sequence[Move]) -> Step:
    """Write legal moves into the record, tell them, learn the board, and see if the game ended."""
    effects: list[Effect] = []
    text = ""
    # which moves a chain was, and whose turn it is, is less certain when scenes went unread
    shaky = int(state.unread > 0 and len(moves) > 1)
    shown = _shown(state.clocks)
    timed = {} if shown is None else {"clock": [shown.white, shown.black]}
    for move in moves:
        side = state.position.side
        text, fen = state.game.text(state.position, move), state.game.write(move.after)
        effects += [
            say.append(state, scene.at_ns, "move", text=text, fen=fen, frame=scene.number, **timed),
            say.event(state, scene.at_ns, "move", text=text, fen=fen, side=side),
            say.signal(Signal.LEGAL, side),
        ]
        played = game_of.play(state.match, move, shown)
        state = replace(state, match=_sure(played))
    seen = evidence_of(scene, state.game.board, state.turns or 0)
    trace = Trace(len(state.match.plies), len(moves), seen.without(state.doubts, state.strays))
    state = replace(remember(state, scene), phase="playing", told="", done_ns=scene.since_ns)
    state = replace(state, moved_ns=scene.since_ns, stood_ns=scene.at_ns)
    trail = (*state.trail, trace)[-KEPT:]
    state = replace(state, unread=max(state.unread, shaky), trail=trail)
    effects.append(say.picture(state, text, scene.number))
    if not state.doubts:
        effects.append(say.learn(state, state.position))
    state, ending = end_if_decided(state, scene.at_ns)
    return state, (*effects, *ending)


def _shown(clocks: Clocks | None) -> Clock | None:
    """What our clocks show, for the record."""
    return None if clocks is None else Clock(clocks.seconds("w"), clocks.seconds("b"))


def retract(state: State, scene: Scene, plies: int) -> Step:
    """Take moves back out of the record."""
    back = state.match
    for _ in range(plies):
        back = _sure(game_of.take_back(back))
    state = replace(state, match=back, phase="playing", told="", trail=())
    state = replace(remember(state, scene), done_ns=scene.since_ns)
    fen = state.game.write(state.position)
    return state, (
        say.append(state, scene.at_ns, "takeback", plies=plies, fen=fen),
        say.event(state, scene.at_ns, "takeback", plies=plies, fen=fen),
        say.signal(Signal.READY),
        say.picture(state, "takeback", scene.number),
    )


def unplay(state: State, at_ns: int, plies: int) -> Step:
    """Take moves back because somebody says so; the board is still to be put back."""
    pending = state.match.pending
    stood = pending.board if pending else state.position
    back = replace(state.match, pending=None)
    for _ in range(plies):
        back = _sure(game_of.take_back(back))
    state = replace(state, match=back, phase="taking-back", aside=stood, told="", done_ns=-1)
    fen = state.game.write(state.position)
    return state, (
        say.append(state, at_ns, "takeback", plies=plies, fen=fen, asked=True),
        say.event(state, at_ns, "takeback", plies=plies, fen=fen),
        say.signal(Signal.READY),
    )


def revise(state: State, at_ns: int, plies: int, moves: Sequence[Move], by: str) -> Step:
    """Other moves in place of the last ones: these were what was really played.

    Args:
        state: what is known.
        at_ns: when.
        plies: how many were written down wrongly.
        moves: what goes in their place; may be more or fewer.
        by: ``board`` when a later move showed it, ``arbiter`` when he said so.
    """
    match, texts = state.match, []
    for _ in range(plies):
        match = match.previous or match
    here = match.position
    for move in moves:
        texts.append(state.game.text(here, move))
        here = move.after
    match = revised(state, plies, texts)
    fen = state.game.write(match.position)
    told = {"plies": plies, "moves": texts, "fen": fen, "by": by}
    line = say.append(state, at_ns, "revised", **told)
    event = say.event(state, at_ns, "corrected", **told)
    state = replace(state, match=match, phase="playing", told="", trail=())
    state, ending = end_if_decided(state, at_ns)
    return state, (line, event, say.signal(Signal.READY), *ending)


def revised(state: State, plies: int, texts: Sequence[str]) -> Match:
    """The match with other moves, as texts, in place of its last plies; its log stays."""
    match = replace(state.match, pending=None)
    for _ in range(plies):
        match = match.previous or match
    log = state.match.log
    for text in texts:
        match = _sure(game_of.play(match, state.game.parse_move(match.position, text)))
    return replace(match, log=log, sanctions=state.match.sanctions)


def correct(state: State, at_ns: int, position: Position) -> Step:
    """Go on from a position that the arbiter gave."""
    ply = Stand(position, remarks=("corrected by the arbiter",))
    state = replace(state, match=game_of.go_on(state.match, ply), phase="playing", told="")
    line = say.append(state, at_ns, "corrected", fen=state.game.write(position))
    return state, (line, say.signal(Signal.READY))


# ---------------------------------------------------------------- offences


def crowns_missing(state: State, scene: Scene, moves: Sequence[Move]) -> Wrong | None:
    """The offence of a last move whose man became a king and stands unmarked.

    Only where marks were seen on this set; elsewhere the rules carry the king.  What was clearly
    seen without a mark in this scene has none as long as nobody touches it, unless one is seen.
    """
    *played, last = moves
    if not last.crowned or not state.marks:
        return None
    evidence = evidence_of(scene, state.game.board, state.turns or 0)
    bare = any(h.code == "O14" and h.at_ns == scene.since_ns for h in state.half)
    if not evidence.shows_man(last.to) and (not bare or evidence.shows_king(last.to)):
        return None
    before = played[-1].after if played else state.position
    pieces = {**last.after.pieces(), last.to: before.side}
    verdict = state.game.judge(before, Position.of(pieces, last.after.side))
    if not isinstance(verdict, Offence):
        return None
    return Wrong(tuple(played), before, last.after, verdict)


def accuse(state: State, scene: Scene, wrong: Wrong) -> Step:
    """Tell an offence, after the legal plies that came before it.

    Another one that was pending is closed first: what it was told of no longer stands.
    """
    effects: tuple[Effect, ...] = ()
    if state.match.pending is not None:
        state, effects = resolve(state, scene.at_ns, "put-right")
    if wrong.moves:
        state, more = confirm(state, scene, wrong.moves)
        effects = (*effects, *more)
    side = wrong.by or wrong.before.side
    told = say.offence_fields(wrong.offence)
    if MODES[state.setup.mode].told == "arbiter":
        told["to"] = "arbiter"
    fen = state.game.write(wrong.after)
    accused = _sure(conduct.offend(state.match, wrong.offence, wrong.after, wrong.by))
    state = replace(state, match=accused, phase="offence", told="", done_ns=scene.since_ns)
    state = replace(state, half=(), pressed=None)
    return state, (
        *effects,
        say.append(state, scene.at_ns, "offence", side=side, fen=fen, frame=scene.number, **told),
        say.event(state, scene.at_ns, "offence", side=side, fen=fen, **told),
        say.alarm(wrong.offence, side),
        say.picture(state, wrong.offence.code, scene.number),
        *(
            say.picture(state, f"{wrong.offence.code}{when}", number)
            for when, number in zip(LOOKS_BACK, (state.still, state.hidden), strict=True)
            if number >= 0
        ),
    )


def resolve(state: State, at_ns: int, how: How, by: str = "") -> Step:
    """End a pending offence.  An accepted one enters the record as the board that stood.

    Args:
        state: what is known.
        at_ns: when.
        how: put right, accepted, or corrected by the arbiter.
        by: who said so, if it was said.
    """
    pending = state.match.pending
    if pending is None:
        return state, ()
    code, side = pending.offence.code, pending.side
    who = {"by": by} if by else {}
    effects: tuple[Effect, ...] = (
        say.append(state, at_ns, "resolved", how=how, code=code, **who),
        say.event(state, at_ns, "resolved", how=how, code=code, side=side, **who),
        say.signal(Signal.READY),
    )
    going_on = pending_after(state.match, how)
    state, ending = end_if_decided(replace(state, match=going_on, phase="playing"), at_ns)
    return state, (*effects, *ending)


def pending_after(match: Match, how: How) -> Match:
    """The match after its pending offence was accepted, or put right or corrected."""
    if match.pending is None:
        return match
    if how == "accepted":
        return _sure(conduct.accept(match))
    return _sure(conduct.put_right(match, match.pending.before))


# ---------------------------------------------------------------- the end


def end_if_decided(state: State, at_ns: int) -> Step:
    """End the game if the last ply ended it by itself."""
    outcome = state.match.outcome
    if outcome is None:
        return state, ()
    return finish(state, at_ns, outcome.ending, outcome.reason, outcome.text, outcome.article)


def finish(
    state: State, at_ns: int, result: str, reason: str, text: str = "", article: str = ""
) -> Step:
    """End the game; ``result`` is ``w``, ``b``, ``draw`` or another ending, or ``*``."""
    winner: Side | None = "w" if result == "w" else "b" if result == "b" else None
    shown = Signal.OFF if result == "*" else Signal.RESULT
    told = {"result": result, "reason": reason, "text": text}
    clocks = state.clocks and clock.stop(state.clocks, at_ns)
    return replace(state, phase="over", clocks=clocks, paused=False), (
        say.append(state, at_ns, "end", **told, **({"article": article} if article else {})),
        say.event(state, at_ns, "end", **told),
        say.signal(shown, winner),
    )


def decide(state: State, at_ns: int, result: Ending, reason: str) -> Step:
    """End the game as the players or the arbiter say."""
    outcome = Outcome(result, reason, "", reason)
    state = replace(state, match=replace(state.match, outcome=outcome, pending=None))
    return finish(state, at_ns, result, reason)


def _sure(answer: Match | Refused) -> Match:
    """What can't be refused here: the session asks only for what the match allows."""
    if isinstance(answer, Refused):
        raise DeviceError(answer.what, "match", "a deed that the rules of conduct allow")
    return answer
