"""Dice at rest: what a throw, a hand-over, a turned die and a die that went away look like.

Dice lie until the turn ends (§1.7).  So two dice that were not there before are a throw; both gone
are handed over; one gone, or one turned in its place, is noticed.  Dice beside the board are at
rest there and no throw, unless one fell off while the other stayed on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from rules.nardi.conduct import RETHROW
from rules.said import Said
from vision.nardi.percept import DieSeen
from vision.nardi.steady import Dice, Die, die_of, paired

from ..session_values import Effect
from . import record, rewrite, say
from .doubt import quietly
from .state import Closing, State, Uncounted

Step = tuple[State, tuple[Effect, ...]]

SECOND_NS = 1_000_000_000

#: What is said of a die that can't be read; whether it leans is for people to see.
UNREAD = Said("a die can't be read: tell the roll, or throw both again if it leans")

#: A die that can't be read may still be turning, or a hand hides it: so long it must lie there.
UNREAD_NS = 3 * SECOND_NS // 2

#: Readings that agree before anybody is accused; and where one doesn't. Two that don't are doubt.
SURE_READINGS, DISPUTED = 5, 20

#: So long one die alone must lie before it is one of an opening throw.
SINGLE_NS = 3 * SECOND_NS // 2


def lie(state: State, dice: Dice, at_ns: int) -> Step:
    """Take the dice at rest, as often as they are read so."""
    before = state.lying
    state = _known_again(replace(state, lying=dice), dice)
    if state.phase in ("waiting", "over") or state.paused:
        return state, ()
    if state.phase == "offence":
        return _while_pending(state, dice, at_ns)
    if state.bad is not None:
        return _after_a_bad_throw(state, dice, before, at_ns)
    if state.game.roll is not None:
        return _during_a_turn(state, dice, at_ns)
    return _awaited(state, dice, before, at_ns)


def witness(state: State, seen: Iterable[DieSeen]) -> State:
    """Count the readings of one frame for the roll and against it."""
    agree, differ, now = state.agree, state.differ, [die_of(die) for die in seen]
    found = [(was, is_) for was, is_ in paired(state.thrown, tuple(now)) if was.stays(is_)]
    if any(was.pips and is_.pips and is_.pips != was.pips for was, is_ in found):
        differ += 1
    elif len(found) == 2 and all(is_.pips for _, is_ in found):
        agree += 1
    return replace(state, agree=agree, differ=differ)


def told(state: State) -> State:
    """A person has told the roll: who does has seen it, which is worth many readings."""
    return replace(state, agree=DISPUTED, differ=0)


def is_sure(state: State) -> bool:
    """Whether the dice of the roll were read so that somebody may be accused by them."""
    if not state.thrown:  # a person told the roll
        return True
    if state.settled:
        return state.differ == 0
    return state.agree >= (DISPUTED if state.differ else SURE_READINGS) and state.differ < 2


def _known_again(state: State, dice: Dice) -> State:
    """After a power cut: the dice that lay there before it are no new throw."""
    on = _on(dice)
    if state.known and len(on) < len(state.known) and _pips(on) <= Counter(state.known):
        return state  # not all of them are seen yet
    if not state.known or _pips(on) != Counter(state.known):
        return replace(state, known=())
    if state.game.roll is not None:
        return replace(state, known=(), thrown=on)
    return replace(state, known=(), ended=on)


def _same(one: Dice, two: Dice) -> bool:
    """Whether these are the same dice, none of them touched."""
    if len(one) != len(two):
        return False
    return all(a.pips == b.pips and a.stays(b) for a, b in paired(one, two))


def _new(old: Dice, now: Dice) -> tuple[Dice, Dice]:
    """Of the dice now: those that were not there before, and those that were."""
    stayed = [b for a, b in paired(old, now) if a.pips == b.pips and a.stays(b)]
    return tuple(d for d in now if d not in stayed), tuple(stayed)


def _pips(dice: Dice) -> Counter[int]:
    return Counter(die.pips for die in dice)


def _on(dice: Dice) -> Dice:
    return tuple(die for die in dice if die.half != "off")


# ---------------------------------------------------------------- before a throw


def _awaited(state: State, dice: Dice, before: Dice, at_ns: int) -> Step:
    """A throw is due."""
    fresh, stale = _new(state.ended, dice)
    on = _on(fresh)
    both = _on(dice)
    if len(on) == 1 and len(both) == 2 == len(state.ended) and _pips(both) != _pips(state.ended):
        # one shows by chance what lay there before
        on = both
    state = replace(state, ended=stale)
    off = tuple(d for d in fresh if _lies_beside(d) and d not in _new(dice, before)[1])
    if state.phase == "opening" and len(on) == 1 and not off:
        # White's two dice come to rest one after the other as well, but soon
        if state.settled or at_ns - state.dice.lain_ns >= SINGLE_NS:
            state = replace(state, single=on)
        return state, ()
    if len(on) == 1 and len(off) == 1:
        return _bad(state, "off", at_ns)
    if len(on) != 2:
        return state, ()
    if state.phase == "opening" and _is_opening(state, on):
        return record.opened(state, at_ns, on)
    why = _fault(state, on)
    if why is not None:
        early = not state.settled and at_ns - state.dice.lain_ns < UNREAD_NS
        return (state, ()) if early else _bad(state, why, at_ns)
    return record.rolled(state, at_ns, (on[0].pips, on[1].pips), on)


def _is_opening(state: State, dice: Dice) -> bool:
    """Whether these are one die each; both then throw again, or White throws both."""
    if any(not die.pips for die in dice):
        return False
    apart = dice[0].half != dice[1].half
    return apart or bool(state.single and _new(state.single, dice)[1])


def _lies_beside(die: Die) -> bool:
    """Whether it is surely a die: what lies beside a board and can't be read is anything."""
    return die.half == "off" and bool(die.pips)


def _fault(state: State, dice: Dice) -> Uncounted | None:
    if any(not die.flat for die in dice):
        return "cocked"
    if any(not die.pips for die in dice):
        return "unread"
    if dice[0].half != dice[1].half and not state.split_counts:
        return "split"
    return None


def _bad(state: State, why: Uncounted, at_ns: int) -> Step:
    """Say quietly that a throw doesn't count, or can't be read: no lamp, no sound."""
    lain = state.dice.lain_ns
    state = replace(state, bad=why, bad_since_ns=at_ns, lain_ns=lain, thrown=state.lying)
    if why == "unread":
        return quietly(state, at_ns, "unread", UNREAD)
    numbers = [die.pips for die in state.lying if die.pips]
    told = {"side": state.side, "dice": numbers, "status": "rethrow", "reason": RETHROW[why]}
    return state, (
        say.append(state, at_ns, "rethrow", dice=numbers, why=why),
        say.event(state, at_ns, "roll", **told),
    )


def _after_a_bad_throw(state: State, dice: Dice, before: Dice, at_ns: int) -> Step:
    """Dice lie that don't count: thrown again, or played all the same."""
    on = _on(dice)
    if _same(on, _on(state.thrown)):
        return state, ()
    if not on:
        if state.closing is None:
            state = replace(state, closing=Closing("gone", at_ns))
        return state, ()
    fresh, _ = _new(state.thrown, on)
    settled_down = len(on) == 2 and _fault(state, on) is None and len(fresh) < 2
    if settled_down and (state.bad == "unread" or state.disturbed_ns < state.bad_since_ns):
        # nobody touched it: it was read wrongly before
        state = replace(state, bad=None, closing=None)
        return record.rolled(state, at_ns, (on[0].pips, on[1].pips), on)
    return _another_throw(state, on, at_ns) if len(fresh) == 2 else (state, ())


def _another_throw(state: State, on: Dice, at_ns: int) -> Step:
    """Two other dice lie where a throw lay that doesn't count: by whom, the board will tell."""
    closing = state.closing
    if closing is None or not closing.dice:
        state = replace(state, closing=Closing("thrown", at_ns, on))
    elif _in_their_places(closing.dice, on):
        state = replace(state, closing=replace(closing, dice=_better_read(closing.dice, on)))
    elif state.bad == "unread":
        state = replace(state, closing=replace(closing, later=closing.later or on))
    else:
        # the throw between the two was this side's, which played before that could be told
        state, effects = again(replace(state, bad="unread"), at_ns)
        state, more = lie(replace(state, lying=on), on, at_ns)
        return state, (*effects, *more)
    stood = state.fit is not None and state.fit[0] == state.position
    if stood and state.fit is not None and state.fit[1] >= state.dice.lain_ns:
        return again(state, at_ns)
    return state, ()


def _in_their_places(old: Dice, now: Dice) -> bool:
    """Whether the same dice lie there, however they are read."""
    return len(old) == len(now) and all(a.stays(b) for a, b in paired(old, now))


def _better_read(old: Dice, now: Dice) -> Dice:
    """The same dice as they are read now; what was read of them once is not forgotten."""
    return now if _unread(now) <= _unread(old) else old


def _unread(dice: Dice) -> int:
    return sum(not die.pips for die in dice)


def again(state: State, at_ns: int) -> Step:
    """A bad throw was picked up without having been played; what lies there now is the next."""
    closing, skipped = state.closing, state.bad == "unread"
    state = replace(state, bad=None, closing=None, thrown=(), ended=(), skipped=skipped)
    if closing is None or not closing.dice:
        return state, ()
    return _awaited(replace(state, lying=closing.dice), closing.dice, (), at_ns)


def _while_pending(state: State, dice: Dice, at_ns: int) -> Step:
    """A wrong turn is pending: the other side's throw accepts it (§3.3)."""
    known = (*state.thrown, *(state.closing.dice if state.closing else ()))
    fresh, _ = _new(known, _on(dice))
    if len(fresh) != 2 or _fault(state, fresh) is not None:
        return state, ()
    if not (state.settled or state.disturbed_ns > state.rolled_ns):
        return state, ()
    numbers = (fresh[0].pips, fresh[1].pips)
    state, effects = record.rolled(state, at_ns, numbers, fresh)
    return (replace(state, quiet="stand") if state.phase == "offence" else state), effects


# ---------------------------------------------------------------- during a turn


def _during_a_turn(state: State, dice: Dice, at_ns: int) -> Step:
    """A roll is being played."""
    on, stale = _new(state.ended, _on(dice))
    state = replace(state, ended=stale)
    if not on:
        if state.closing is None and state.thrown:
            state = replace(state, closing=Closing("gone", at_ns))
        return replace(state, missing_ns=-1), ()
    if not state.thrown:
        # the roll was told by a person, or handed over: what comes to lie now is the next throw
        return _thrown(state, on, at_ns) if len(on) == 2 else (state, ())
    if _same(on, state.thrown) or (len(on) == 2 and _only_moved(state, on)):
        closing = None if state.closing and state.closing.how == "gone" else state.closing
        touched = None if state.touched == "removed" else state.touched
        back = replace(state, thrown=on, missing_ns=-1, closing=closing, touched=touched)
        return replace(back, both_ns=at_ns), ()
    fresh, stayed = _new(state.thrown, on)
    if len(on) == 1:
        by_hand = state.settled or state.disturbed_ns >= state.both_ns
        missing = state.missing_ns < 0 and by_hand
        return (replace(state, missing_ns=at_ns) if missing else state), ()
    if len(on) == 2 and len(stayed) == 1 and _in_place(state.thrown, fresh[0]):
        return _turned(state, on, at_ns)
    if len(fresh) >= 2 or len(on) == 2:
        return _thrown(state, fresh[:2] if len(fresh) >= 2 else on, at_ns)
    return state, ()


def _thrown(state: State, dice: Dice, at_ns: int) -> Step:
    """Two dice that were not there: the other side has thrown, or the same side again."""
    closing = state.closing
    if closing is not None and closing.dice:
        if _in_their_places(closing.dice, dice):
            dice = _better_read(closing.dice, dice)
            return replace(state, closing=replace(closing, dice=dice)), ()
        if _rearranged(closing.dice, dice):
            return replace(state, closing=replace(closing, dice=dice)), ()
        # the turn before is not understood yet, and here is the throw after the next turn
        return replace(state, closing=replace(closing, later=closing.later or dice)), ()
    return replace(state, closing=Closing("thrown", at_ns, dice), missing_ns=-1), ()


def _only_moved(state: State, dice: Dice) -> bool:
    """Whether the dice of the roll were pushed aside: the same numbers, and they never left."""
    if _pips(dice) != _pips(state.thrown):
        return False
    if any(a.stays(b) for a, b in paired(state.thrown, dice)):
        return True
    # both elsewhere while the turn stands complete: the same numbers, thrown again
    return state.tentative is None and state.closing is None


def _rearranged(old: Dice, now: Dice) -> bool:
    """Whether dice were pushed aside: the same numbers, and one of them lies where it lay."""
    if _pips(old) != _pips(now):
        return False
    return any(a.stays(b) for a, b in paired(old, now))


def _in_place(thrown: Dice, die: Die) -> bool:
    """Whether a die lies where one of the roll lay."""
    return any(old.stays(die) for old in thrown)


def _turned(state: State, dice: Dice, at_ns: int) -> Step:
    """One die shows another number in its place: turned by a hand, or read wrongly at first."""
    read = all(die.pips for die in dice)
    if not state.settled and (not read or at_ns - state.dice.since_ns < UNREAD_NS):
        return state, ()
    by_hand = state.disturbed_ns > state.rolled_ns and state.agree >= SURE_READINGS
    if (state.settled or by_hand) and not _unread(state.thrown):
        return replace(state, touched="turned", thrown=dice, missing_ns=-1), ()
    assert state.game.roll is not None
    if _pips(dice) == Counter(state.game.roll.dice):
        # a person had told what it shows
        return replace(state, thrown=dice), ()
    # nothing was near: the first reading was wrong
    return rewrite.read_again(state, at_ns, (dice[0].pips, dice[1].pips), dice)


def handed_over(state: State, at_ns: int) -> Step:
    """After a turn was written: what the other side has thrown by then counts now."""
    return _awaited(state, state.lying, (), at_ns)
