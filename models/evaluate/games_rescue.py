"""Scores a game whose run was stopped, as far as it went, from the journal that it left.

The story and its timing follow from seed and number and from when alarms were told, so that they
can be gone through again without drawing.  Delays are not measured again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from device.journal import inputs, read
from device.resume import rebuilt
from models.synth.game import Shot, Step, Table, moments
from models.synth.hand import Look
from models.synth.scene import Rendered
from rules.draughts.game import DraughtsGame
from rules.draughts.record import Stand

from .games_acts import Act
from .games_scene import FPS, During, Lens, Noted, stage_for
from .games_score import Row, scored
from .games_story import rng_of
from .games_watch import Log, Plan, tags_of

#: A deed that began so shortly before the last move was told had not been seen yet, seconds.
UNSEEN = 0.4


class Silent:
    """Draws nothing, and takes from chance what drawing takes."""

    hands = 1
    both = False

    def still(self, table: Table, shot: Shot) -> Iterator[Rendered]:
        """Frames without a hand, without end."""
        while True:
            table.rng.integers(2**31)
            yield nothing(table, 0.0)

    def hand(
        self, steps: Sequence[Step], table: Table, look: Look, heading: float, shot: Shot
    ) -> Iterator[Rendered]:
        """Frames of a hand that goes through steps, and hides something until it is gone."""
        for _ in moments(steps, table, shot.fps):
            table.rng.integers(2**31)
            yield nothing(table, 1.0)


def nothing(table: Table, hidden: float) -> Rendered:
    """A frame of which only the board matters, and whether a hand is there."""
    cover = np.full((table.style.size,) * 2, hidden, np.float32)
    return Rendered(np.zeros((2, 2, 3), np.uint8), np.zeros((4, 2)), table.grid(), cover)


def rescued(plan: Plan, acts: list[Act], folder: Path, lens: Lens | None = None) -> Row | None:
    """The row of a game that was cut short; None where no move had been told.

    Args:
        plan, acts: the game.
        folder: where its journal is.
        lens: what it was played with; one that draws if None.
    """
    past = read(folder / "journal.jsonl")
    told = [dict(e["event"]) for _, _, out in inputs(past) for e in out if e["is"] == "publish"]
    last = max((e["t"] for e in told if e["event"] == "move"), default=0.0)
    if not last:
        return None
    game = DraughtsGame.by_name(plan.game)
    alarms = [e["t"] for e in told if e["event"] == "offence"]
    log = Log(plan, told=[e for e in told if e["t"] <= last], seconds=last)

    def heard() -> float:
        return max((t for t in alarms if t < stage.now - 0.5 / FPS), default=-1.0)

    stage = stage_for(game, rng_of(plan.seed, plan.number, 2), heard, lens or Silent())
    log.tags = tags_of(stage)
    for it in stage.play(acts):
        if isinstance(it, Noted) and it.began < last - UNSEEN:
            log.noted.append(it)
        elif isinstance(it, During):
            log.during.append(it)
        if stage.now > last + 30:
            break
    log.frames = round(last * FPS)
    log.record = [
        ("stand" if isinstance(ply, Stand) else "ply", game.write(ply.after))
        for ply in rebuilt(past).state.match.plies
    ]
    row = scored(log)
    open_ones = [o["at"] for o in row["offences"] if not o["became"]]
    return {
        **row,
        "cut": True,
        "move_delays": [],
        "offences": [{**o, "delay": None} for o in row["offences"] if o["became"]],
        "misses": [m for m in row["misses"] if not open_ones or m["at"] < open_ones[0]],
    }
