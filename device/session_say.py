"""How the session words what it says: events, record lines, signals, names of pictures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from rules.draughts.position import Position
from rules.said import Said
from rules.verdict import Offence
from vision.evidence import colours_of, contents_of

from .clock import Clocks, as_json
from .modes import MODES
from .session_state import State
from .session_values import VERSION, Append, Keep, Learn, Publish, Show
from .signals import Side, Signal

_SIDES: dict[Side, str] = {"w": "White", "b": "Black"}
#: What should stand on a square, by its contents.
_SHOULD = (
    Said("{square} should be empty"),
    Said("{square} should hold a white piece"),
    Said("{square} should hold a black piece"),
)

#: Offences that have a signal of their own; every other one is an illegal move.
_SIGNALS = {
    "O6": Signal.MISSED_CAPTURE,
    "O9": Signal.MISSED_CAPTURE,
    "O11": Signal.LEFT_ON_BOARD,
    "O14": Signal.CROWN_IT,
}


def event(state: State, at_ns: int, name: str, **fields: Any) -> Publish:
    """An event at a time; ``t`` counts seconds from the first input.

    A ``message`` that can be said in other languages brings its sentence along, as ``said``.
    """
    seconds = round((at_ns - state.began_ns) / 1e9, 3)
    message = fields.get("message")
    if isinstance(message, Said):
        fields |= {"message": str(message), "said": message.to_json()}
    return Publish({"v": VERSION, "t": seconds, "event": name, **fields})


def append(state: State, at_ns: int, what: str, **fields: Any) -> Append:
    """A line of the record of truth; ``ply`` counts what stands in the record before it."""
    ply = len(state.match.plies)
    return Append({"v": VERSION, "what": what, "ply": ply, "at_ns": at_ns, **fields})


def clocks(state: State, at_ns: int, now: Clocks) -> Append:
    """The clocks as they are, to go on from after a power cut."""
    return append(state, at_ns, "clocks", **as_json(now))


def signal(kind: Signal, side: Side | None = None) -> Show:
    """A signal by its value."""
    return Show(kind.value, side)


def alarm(offence: Offence, side: Side) -> Show:
    """The signal of an offence, at the side that committed it."""
    return signal(_SIGNALS.get(offence.code, Signal.ILLEGAL), side)


def standing(state: State) -> Show:
    """The signal that stands when nothing new happened: an alarm, a pause, or ready."""
    pending = state.match.pending
    if state.paused:
        return signal(Signal.CANNOT_SEE)
    if pending is not None:
        shown = alarm(pending.offence, pending.side)
        if Signal(shown.signal) not in MODES[state.setup.mode].hidden:
            return shown
    return signal(Signal.READY)


def offence_fields(offence: Offence) -> dict[str, Any]:
    """An offence as ``toreshi judge`` answers it."""
    said = {"said": offence.message.to_json()} if isinstance(offence.message, Said) else {}
    return {
        "verdict": "offence",
        "code": offence.code,
        "kind": offence.kind,
        "article": offence.article,
        "squares": list(offence.squares),
        "due": list(offence.due),
        "message": str(offence.message),
        **said,
    }


def picture(state: State, label: str, number: int) -> Keep:
    """Keep a frame under the ply that it belongs to."""
    return Keep(f"{len(state.match.plies):03d}-{re.sub(r'[^A-Za-z0-9-]', 'x', label)}", number)


def learn(state: State, position: Position) -> Learn:
    """The contents of every square, turned back into camera order."""
    board = state.game.board
    rows = np.full((board.size, board.size), ".")
    for square, piece in position.pieces().items():
        rows[board.cell(square)] = piece
    turned = np.rot90(rows, -(state.turns or 0))
    return Learn(tuple("".join(row) for row in turned))


def names(state: State, squares: Sequence[int]) -> list[str]:
    """Squares as the game writes them."""
    return [state.game.name_of(square) for square in squares]


def should_hold(state: State, position: Position, squares: Sequence[int]) -> str:
    """One sentence that says what should stand on squares that hold something else."""
    contents = colours_of(contents_of(position, state.game.board.count))
    said: Said | None = None
    for square in squares[:4]:
        name = {"square": state.game.name_of(square)}
        one = Said(_SHOULD[contents[square - 1]], name)
        said = one if said is None else Said("{front}, {last}", {"front": said, "last": one})
    if said is None:
        return ""
    if len(squares) <= 4:
        return said
    more: dict[str, str | int] = {"front": said, "count": len(squares) - 4}
    return Said("{front} and {count} more squares are wrong", more)


def side_name(side: Side) -> str:
    """White or Black."""
    return _SIDES[side]
