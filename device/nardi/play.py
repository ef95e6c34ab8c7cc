"""A nardi game in progress: what a steady scene means for it.

Nothing is said of a turn before it has ended.  Then the scene is explained by the roll; while the
other side may have begun to play, by the mover's checkers alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rules.nardi.board import POINTS, Position, other
from rules.nardi.dice import Roll
from rules.verdict import Offence
from vision.nardi.evidence import POINTS_OF, Evidence, point_under
from vision.nardi.infer import Played, Reading, Seen, Unsure, Wrong, infer
from vision.nardi.steady import Scene

from ..session_values import Effect
from ..signals import Signal
from . import learned, look, pending, record, rewrite, rivals, say, throws
from .doubt import SECOND_NS, asked, doubt, quietly, since
from .missed import guessed_wrongly, search, turn_unseen
from .state import NARDI, Closing, How, State

Step = tuple[State, tuple[Effect, ...]]

#: How long a wrong board must stand still after the end of a turn before it is told, where the
#: camera runs.  Dice that were picked up may come back: who made room for a checker puts them down.
WAIT_NS: dict[How, int] = {
    "press": SECOND_NS,
    "thrown": 6 * SECOND_NS // 5,
    "gone": 4 * SECOND_NS,
}

#: A checker that is nowhere may be one that reads as nothing for a moment: so long it must be gone.
GONE_NS = 3 * SECOND_NS

#: So long one die of the roll must be gone, with the turn not played, before it was taken away.
MISSING_NS = 2 * SECOND_NS


def play(state: State, scene: Scene) -> Step:
    """One steady scene of a game that has begun."""
    if state.phase == "over":
        return state, ()
    evidence = look.view(state, scene)
    if state.phase == "offence":
        return pending.stands(state, scene, evidence)
    state = _fitting(state, scene, evidence)
    if state.bad is not None:
        return _bad_throw(state, scene, evidence)
    if state.game.roll is None:
        return _before_a_throw(state, scene, evidence)
    reading = look.explain(state, evidence, state.game.roll)
    if state.closing is None:
        state, missed = turn_unseen(state, scene, evidence, reading)
        return missed or (_at_work(state, scene, reading), ())
    if scene.covered and not state.settled:
        return state, ()
    return _close(state, scene, reading, state.closing)


def _fitting(state: State, scene: Scene, evidence: Evidence) -> State:
    if scene.covered or evidence.misfits(state.position):
        return state
    return replace(state, fit=(state.position, scene.at_ns))


def _at_work(state: State, scene: Scene, reading: Reading) -> State:
    """The turn is being played: remember a right end if one stands, and dice that went away."""
    deed = reading.deed if isinstance(reading, Seen) else None
    stands = deed if isinstance(deed, Played) else None
    state = replace(state, tentative=stands)
    long = state.settled or scene.at_ns - scene.since_ns >= pending.RIGHT_NS
    if long and not state.thrown and stands is not None and _changed(state, stands):
        # no dice lie there that could be handed over: a right turn that stands is over
        return replace(state, closing=Closing("press", scene.at_ns))
    if state.missing_ns < 0 or stands is not None or state.touched or scene.covered:
        return state
    gone = state.settled or scene.at_ns - state.missing_ns >= MISSING_NS
    return replace(state, touched="removed") if gone and _in_sight(state, scene) else state


def _changed(state: State, deed: Played) -> bool:
    return deed.after.with_side(state.side) != state.position


def _in_sight(state: State, scene: Scene) -> bool:
    """Whether nothing came to stand where the dice of the roll lay, that could hide one."""
    # a tall stack that reads as it did before has not changed, however it reads
    changed = set(look.view(state, scene).misfits(state.position))
    under = {point_under(die.x, die.y) for die in state.thrown} - {None}
    near = {place + step for place in under if place is not None for step in (-1, 0, 1)}
    order = POINTS_OF[state.way or 0]
    return not {order[place] for place in near if 0 <= place < POINTS} & changed


# ---------------------------------------------------------------- no roll is being played


def _before_a_throw(state: State, scene: Scene, evidence: Evidence) -> Step:
    """Between two turns: the board stands as it was left, or somebody is too early."""
    if not evidence.misfits(state.position):
        effects = (say.signal(Signal.READY),) if state.told else ()
        if scene.covered:
            return state, effects
        state = replace(state, still=scene.number)
        state = learned.remember(replace(state, told=""), look.raw_view(state, scene))
        return state, effects
    if state.opening and not state.game.turns:
        adopted = _opening_played(state, scene, evidence)
        if adopted is not None:
            return adopted
    changed = _changed_their_mind(state, scene, evidence)
    if changed is not None:
        return changed
    if state.game.turns and not state.settled and not scene.covered:
        state = search(state, scene, evidence)
    points = evidence.misfits(state.position)
    return doubt(state, scene, points, "the board changed, and no throw was seen: what was it?")


def _opening_played(state: State, scene: Scene, evidence: Evidence) -> Step | None:
    """White plays the opening throw itself, as some rules have it: then that is the roll."""
    one, two = state.opening[0].pips, state.opening[1].pips
    reading = infer(evidence, state.position, Roll((one, two), True), state.game.rules)
    if not isinstance(reading, Seen) or not isinstance(reading.deed, Played):
        return None
    state, effects = record.rolled(state, scene.at_ns, (one, two), state.opening)
    return replace(state, tentative=reading.deed), effects


def _changed_their_mind(state: State, scene: Scene, evidence: Evidence) -> Step | None:
    """Another end of the last turn, before the other side has thrown."""
    if not state.game.turns or not state.game.turns[-1].stands:
        return None
    last = state.game.turns[-1]
    if last.resolved or (not state.settled and scene.at_ns - scene.since_ns < SECOND_NS):
        return None
    reading = infer(evidence, last.before, last.roll, state.game.rules)
    if not isinstance(reading, Seen) or not isinstance(reading.deed, Played):
        return None
    if reading.deed.after == state.position:
        return None
    state, effects = rewrite.retract(state, scene.at_ns)
    state, more = record.played(state, scene.at_ns, scene.number, reading.deed.after)
    return state, (*effects, *more)


def _bad_throw(state: State, scene: Scene, evidence: Evidence) -> Step:
    """A throw lies there that doesn't count: nothing, until it is played and the turn ends."""
    if state.closing is None or scene.covered:
        return state, ()
    if not evidence.misfits(state.position):
        return throws.again(state, scene.at_ns)
    if _early(state, scene, state.closing):
        return state, ()
    anew = _thrown_anew(state, scene, evidence, state.closing)
    if anew is not None:
        return anew
    closing = state.closing
    if state.bad == "unread":
        return _by_its_turn(state, scene, evidence, closing)
    found, points = look.played_with(state, evidence), evidence.misfits(state.position)
    if not found:
        return doubt(state, scene, points, "a throw that doesn't count was played: what was it?")
    unclear = not state.setup.alarms or not (state.clear or state.settled)
    if unclear or (closing.dice and isinstance(found[0][1], Wrong)):
        return doubt(state, scene, points, "a turn was played that could not be followed")
    roll, deed = found[0]
    state, effects = record.accuse_throw(state, scene.at_ns, scene.number, deed.after, roll)
    return replace(state, closing=closing), effects


def _thrown_anew(state: State, scene: Scene, evidence: Evidence, closing: Closing) -> Step | None:
    """A throw that doesn't count was thrown again by the same side, which played at once."""
    numbers = [die.pips for die in closing.dice]
    if len(numbers) != 2 or not all(numbers):
        return None
    roll = Roll((numbers[0], numbers[1]), state.game.first)
    reading = infer(evidence, state.position, roll, state.game.rules)
    return throws.again(state, scene.at_ns) if look.plays(reading, state.position) else None


def _by_its_turn(state: State, scene: Scene, evidence: Evidence, closing: Closing) -> Step:
    """A die could not be read: whatever it showed, what was played tells."""
    found = look.played_unread(state, evidence)
    boards = sorted(found, key=lambda board: rivals.cost(evidence, board))
    # how many stand on a tall stack may stay open once the game goes on; the rest must be one board
    open_ = closing.how == "thrown" and all(look.alike(board, boards[0]) for board in boards)
    if not boards or (len(boards) > 1 and not open_):
        return doubt(state, scene, evidence.misfits(state.position), throws.UNREAD)
    (roll, deed), *others = (found[board] for board in boards)
    state, effects = record.rolled(state, scene.at_ns, roll.dice, state.thrown)
    state, more = _write(state, scene, deed, closing, others=others)
    return state, (*effects, *more)


# ---------------------------------------------------------------- the end of a turn


def _close(state: State, scene: Scene, reading: Reading, closing: Closing) -> Step:
    """The turn is over: what stands?"""
    if state.quiet == "unplayed":
        moved = _who_moved(state, scene, closing)
        if moved is not None:
            return moved
    if isinstance(reading, Unsure):
        return _unsure(state, scene, reading, closing)
    if isinstance(reading.deed, Wrong):
        return _wrong(state, scene, reading.deed, closing)
    unmoved = reading.deed.after.with_side(state.side) == state.position
    if unmoved and closing.how == "gone" and _early(state, scene, closing):
        return state, ()
    return _write(state, scene, reading.deed, closing, reading.close)


def _write(
    state: State,
    scene: Scene,
    deed: Played,
    closing: Closing,
    close: Iterable[Played] = (),
    others: Sequence[tuple[Roll, Played]] = (),
) -> Step:
    """The turn is understood: write it, and keep in mind what it may have been as well."""
    mover, raw = state.side, look.raw_view(state, scene)
    assert state.game.roll is not None
    ends = [*((state.game.roll, end) for end in close), *others]
    kept = rivals.kept(state, look.view(state, scene), deed, ends)
    state, effects = record.played(state, scene.at_ns, scene.number, deed.after)
    sides = (mover,) if closing.how == "thrown" else say.SIDES
    state = learned.remember(replace(state, rivals=kept), raw, sides)
    state = _fitting(state, scene, look.view(state, scene))
    return _next(state, scene, closing, effects)


def _next(state: State, scene: Scene, closing: Closing, effects: tuple[Effect, ...]) -> Step:
    """The throw that ended a turn counts for the other side now."""
    dice = closing.dice or state.held
    if not dice or state.phase == "over":
        return state, effects
    state = replace(state, ended=(), held=(), lying=dice)
    state, more = throws.handed_over(state, scene.at_ns)
    effects = (*effects, *more)
    if not closing.later or state.game.roll is None:
        return state, effects
    state = replace(state, closing=Closing("thrown", scene.at_ns, closing.later, hasty=True))
    state, more = play(state, scene)
    return state, (*effects, *more)


def _early(state: State, scene: Scene, closing: Closing) -> bool:
    """Whether a scene of a running camera has not stood still for long enough."""
    return _younger(state, scene, WAIT_NS[closing.how])


def _younger(state: State, scene: Scene, least_ns: int) -> bool:
    return not state.settled and scene.at_ns - since(state, scene) < least_ns


def _wrong(state: State, scene: Scene, deed: Wrong, closing: Closing) -> Step:
    better = _another_way(state, scene, closing)
    if better is not None:
        return better
    if _early(state, scene, closing):
        return state, ()
    if deed.after.with_side(state.side) == state.position and closing.how != "press":
        return _unplayed(state, scene, closing)
    if deed.offence.code == "B3" and _younger(state, scene, GONE_NS):
        return state, ()
    squares = [int(name) for name in deed.offence.squares]
    unclear = look.unclear(state, closing)
    if unclear:
        return doubt(state, scene, squares, unclear)
    state, effects = record.accuse(state, scene.at_ns, scene.number, deed.after, deed.offence)
    return state, effects


def _unplayed(state: State, scene: Scene, closing: Closing) -> Step:
    """A roll was not played, and the dice are thrown again: by whom, the next move will tell."""
    if closing.how == "gone":
        return state, ()
    if state.opening == () and not state.game.turns and state.position == NARDI.start():
        # it was the opening throw: one die each, in one half
        dice, game = state.thrown, replace(state.game, roll=None)
        opened = replace(record.fresh_turn(state), game=game)
        opened, effects = record.opened(opened, scene.at_ns, dice)
        return _next(opened, scene, closing, effects)
    moved = _who_moved(state, scene, closing)
    if moved is None:
        assert state.game.roll is not None
        message = f"{state.game.roll.text} was not played: was it thrown again?"
        return quietly(state, scene.at_ns, "unplayed", message)
    return moved


def _who_moved(state: State, scene: Scene, closing: Closing) -> Step | None:
    """Whose checkers the new throw moved: the same side threw again, or the other one plays on."""
    numbers = [die.pips for die in closing.dice]
    before, roll = state.position, state.game.roll
    assert roll is not None
    if len(numbers) != 2 or not all(numbers):
        return None
    dice = (numbers[0], numbers[1])
    evidence, rules = look.view(state, scene), state.game.rules
    foe = before.with_side(other(state.side))
    theirs = infer(evidence, foe, Roll(dice, replace(state.game, position=foe).first), rules)
    if look.plays(theirs, foe):
        # the other side has played on: the roll before was not played although it could be (M6)
        verdict = NARDI.judge(before, before, roll)
        if isinstance(verdict, Offence):
            if look.unclear(state, closing):
                return None
            return record.accuse(state, scene.at_ns, scene.number, foe, verdict)
        return _write(state, scene, Played("pass", foe), closing)
    if look.plays(infer(evidence, before, Roll(dice, roll.first), rules), before):
        return rewrite.read_again(replace(state, closing=None), scene.at_ns, dice, closing.dice)
    return None


def _unsure(state: State, scene: Scene, reading: Unsure, closing: Closing) -> Step:
    stood = state.tentative
    if closing.how == "thrown" and stood is not None and stood in reading.likely:
        return _write(state, scene, stood, closing, reading.likely)
    better = None if reading.fits else _another_way(state, scene, closing)
    if better is not None:
        return better
    message, fits = say.asks(reading.question), reading.fits or bool(closing.later)
    if fits and reading.likely and closing.how == "thrown" and not _early(state, scene, closing):
        # the game goes on with the likeliest; the others are kept, and what follows will tell
        state, said = asked(state, scene, reading.points, message, reading.question)
        question, (first, *rest) = state.asked, reading.likely
        if not reading.fits and reading.stands is not None:
            return _as_it_stands(state, scene, closing, first, reading.stands, said)
        state, effects = _write(state, scene, first, closing, tuple(rest))
        return replace(state, asked=question), (*said, *effects)
    return doubt(state, scene, reading.points, message, reading.question)


def _as_it_stands(
    state: State,
    scene: Scene,
    closing: Closing,
    deed: Played,
    stands: Position,
    said: tuple[Effect, ...],
) -> Step:
    """Two throws on, and no turn leads to the board: the game goes on from it, nobody accused."""
    fault = stands.fault()
    state, effects = record.played(state, scene.at_ns, scene.number, deed.after)
    effects = (*said, *effects)
    if not fault and state.phase != "over":
        state, more = rewrite.reread(state, scene.at_ns, stands.with_side(state.side))
        effects = (*effects, *more)
    return _next(state, scene, closing, effects)


def _another_way(state: State, scene: Scene, closing: Closing) -> Step | None:
    """An earlier turn may have been another one than was written: then this one is explained."""
    roll = state.game.roll
    if roll is None:
        return None
    back = guessed_wrongly(state, scene, look.view(state, scene))
    if back is not None:
        (state, effects), deed = back
        state, more = _write(state, scene, deed, closing)
        return state, (*effects, *more)
    evidence = look.raw_view(state, scene).answered(state.answers)
    sure = closing.how != "thrown" or _early(state, scene, closing)
    found = rivals.explained(state, evidence, sure)
    if found is None:
        return None
    history, deed, close = found
    state, effects = rewrite.amended(state, scene.at_ns, history)
    state, more = _write(state, scene, deed, closing, close)
    return state, (*effects, *more)
