"""A turn of which nobody saw the throw, taken from the board; and the way back from the guess."""

from __future__ import annotations

from dataclasses import replace

from rules.nardi.board import Position, other
from rules.nardi.dice import ROLLS, Roll
from vision.nardi.evidence import Evidence
from vision.nardi.infer import Played, Reading, Seen, infer
from vision.nardi.steady import Scene

from ..session_values import Effect
from . import look, record, rewrite, rivals
from .doubt import SECOND_NS
from .state import Search, State

Step = tuple[State, tuple[Effect, ...]]

_DOUBLES = tuple(dice for dice in ROLLS if dice[0] == dice[1])
_OTHERS = tuple(dice for dice in ROLLS if dice[0] != dice[1])

#: The rolls that are looked through in one scene: a double takes as long as many others.
CHUNKS = (
    *(_OTHERS[n : n + 5] for n in range(0, len(_OTHERS), 5)),
    *(_DOUBLES[n : n + 2] for n in range(0, len(_DOUBLES), 2)),
)


def search(state: State, scene: Scene, evidence: Evidence) -> State:
    """Look a little further for the turn that nobody saw, at most once a scene.

    Who looks through all rolls at once keeps everybody waiting: each scene takes a few of them.
    """
    begun = state.search
    fresh = Search(state.position, scene.since_ns)
    if begun is None or begun.before != fresh.before:
        begun = fresh
    elif begun.since_ns != fresh.since_ns:
        begun = begun if _standing(begun, evidence) else fresh
    if begun.place < len(CHUNKS):
        found = look.turns_unseen(state, evidence, CHUNKS[begun.place])
        begun = replace(begun, place=begun.place + 1, found=(*begun.found, *found))
    return replace(state, search=begun)


def _standing(found: Search, evidence: Evidence) -> dict[Position, tuple[Roll, Played]]:
    """The turns that were found and that lead to what stands now, by their boards."""
    fits: dict[Position, tuple[Roll, Played]] = {}
    for roll, deed in found.found:
        if not evidence.misfits(deed.after):
            fits.setdefault(deed.after, (roll, deed))
    return fits


def turn_unseen(
    state: State, scene: Scene, evidence: Evidence, reading: Reading
) -> tuple[State, Step | None]:
    """The turn before was played by a throw that nobody saw, and this one is the other side's.

    Returns:
        The state with what was searched; and what is to be done when the turn was found.
    """
    roll = state.game.roll
    stood = scene.at_ns - scene.since_ns >= SECOND_NS
    if state.settled or state.clear or scene.covered or not state.thrown:
        return state, None
    if roll is None or not state.game.turns or look.plays(reading, state.position):
        return state, None
    state = search(state, scene, evidence)
    begun = state.search
    assert begun is not None
    if not stood or begun.place < len(CHUNKS):
        return state, None
    fits = _standing(begun, evidence)
    boards = sorted(fits, key=lambda board: rivals.cost(evidence, board))
    # how many stand on a tall stack may stay open; where they stand may not
    if not boards or not all(look.alike(board, boards[0]) for board in boards):
        return state, None
    if not look.plainly(state, state.position, boards[0]):
        return state, None
    return state, _guess(state, scene, [fits[board] for board in boards])


def _guess(state: State, scene: Scene, found: list[tuple[Roll, Played]]) -> Step:
    """Write the likeliest of the turns that nobody saw; the throw that lies there comes next."""
    roll, thrown, lain = state.game.roll, state.thrown, state.lain_ns
    assert roll is not None
    (other_roll, deed), *rest = found
    state, effects = rewrite.read_again(state, scene.at_ns, other_roll.dice)
    state, more = record.played(state, scene.at_ns, scene.number, deed.after)
    if state.phase == "over":
        return state, (*effects, *more)
    kept = tuple(((dice, end.after),) for dice, end in rest if not end.after.winner())
    state, last = record.rolled(replace(state, rivals=kept), scene.at_ns, roll.dice, thrown)
    # a guess: nobody is accused of the turn that begins
    fit = (state.position, scene.at_ns)
    state = replace(state, lain_ns=lain, fit=fit, skipped=True, guessed=True)
    return state, (*effects, *more, *last)


def guessed_wrongly(state: State, scene: Scene, evidence: Evidence) -> tuple[Step, Played] | None:
    """There was no unseen throw: the side that was thought to have played plays this roll.

    Returns:
        the state with that turn taken back, and what was played; None when that explains nothing.
    """
    roll, turns = state.game.roll, state.game.turns
    if not state.guessed or roll is None or not turns or not turns[-1].stands:
        return None
    before = turns[-1].before
    closing, thrown = state.closing, state.thrown
    moved_on = closing is not None and closing.how == "thrown"
    reading = infer(
        evidence, before, replace(roll, first=turns[-1].roll.first), state.game.rules, moved_on
    )
    if not look.plays(reading, before):
        return None
    assert isinstance(reading, Seen)
    assert isinstance(reading.deed, Played)
    state, effects = rewrite.retract(state, scene.at_ns)
    state, more = rewrite.read_again(state, scene.at_ns, roll.dice, thrown)
    assert state.side == before.side == other(turns[-1].after.side)
    return (replace(state, closing=closing, guessed=False), (*effects, *more)), reading.deed
