"""Running a journal again: the same inputs must give the same effects, bit for bit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from . import journal
from .family import State, family_of
from .journal import Past
from .resume import go_on, rebuild
from .session_record import LOOKS_BACK
from .session_values import Json, input_from_json


@dataclass(frozen=True, slots=True)
class Difference:
    """An input whose effects were others this time.

    Attributes:
        row: number of the input's row in the journal.
        at: which of its effects is the first that differs, from 0.
        written: that effect in the journal; None where there was none.
        now: that effect this time; None where there is none.
    """

    row: int
    at: int
    written: Json | None
    now: Json | None


@dataclass(frozen=True, slots=True)
class Replayed:
    """What running a journal again gave.

    Attributes:
        state: the session at its end.
        inputs, effects: how many there were.
        differences: where the effects were others.
    """

    state: State
    inputs: int
    effects: int
    differences: tuple[Difference, ...]


def replay(past: Past) -> Replayed:
    """Run a journal again.

    Raises:
        BadJournal: an input that can't be read.
        UnknownGame, BadPosition: a head that names no game or no position.
    """
    family = family_of(past.setup.game)
    state = family.begin(past.setup)
    differences: list[Difference] = []
    given = done = 0
    rows = list(journal.inputs(past))
    for place, (number, row, written) in enumerate(rows):
        if row["is"] == "resumed":
            told = rebuild(past.setup, rows[:place])
            state, effects = go_on(told, row["at_ns"], row["torn"], row.get("seen", True))
        else:
            state, effects = family.step(state, input_from_json(row))
        now = journal.effect_rows(effects)
        given, done = given + 1, done + len(now)
        # a power cut between an input and its effects: they were never carried out
        if number == rows[-1][0] and not written:
            continue
        differences += _compare(number, written, now)
    return Replayed(state, given, done, tuple(differences))


#: Fields that lines of early journals don't have; they tell nothing that others don't.
LATER = frozenset(("said",))


def _compare(row: int, written: Sequence[Json], now: Sequence[Json]) -> Iterator[Difference]:
    if not any(_looks_back(effect) for effect in written):
        now = [effect for effect in now if not _looks_back(effect)]
    for at in range(max(len(written), len(now))):
        before = written[at] if at < len(written) else None
        after = now[at] if at < len(now) else None
        if before != after and not (before and after and _older(before, after)):
            yield Difference(row, at, before, after)
            return


def _looks_back(effect: Json) -> bool:
    """Whether it keeps an earlier picture beside an offence, as early versions didn't."""
    return effect["is"] == "keep" and str(effect["name"]).endswith(LOOKS_BACK)


def _older(written: Json, now: Json) -> bool:
    """Whether a line differs only in fields that weren't written at its time."""
    for key in ("line", "event"):
        if key in written and key in now:
            absent = LATER - written[key].keys()
            kept = {name: value for name, value in now[key].items() if name not in absent}
            return {**written, key: None} == {**now, key: None} and kept == written[key]
    return False
