"""Past games of nardi, read from their records."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rules.nardi import notation, record
from rules.nardi.board import POINTS, START, Position, Side
from rules.nardi.events import LEGAL, Ended, Event, Header, Started, Turn

SIDES: tuple[Side, Side] = ("w", "b")


def events(folder: Path) -> tuple[Event, ...]:
    """What a game's record tells; nothing where there is none."""
    try:
        return record.read((folder / "game.jsonl").read_bytes()).events
    except OSError:
        return ()


def summary(told: tuple[Event, ...]) -> dict[str, Any]:
    """Who played, when, and how it ended."""
    head = next((event for event in told if isinstance(event, Header)), Header())
    end = next((event for event in reversed(told) if isinstance(event, Ended)), None)
    return {
        "game": "nardi",
        "white": head.players[0],
        "black": head.players[1],
        "event": head.event,
        "result": end.winner if end else "*",
        "reason": f"{end.win}, {end.reason}" if end else "",
        "plies": len(_turns(told)),
    }


def steps(told: tuple[Event, ...]) -> dict[str, Any]:
    """The board after each turn that stood."""
    start = next((event.position for event in told if isinstance(event, Started)), START)
    return {
        "family": "nardi",
        "start": board(start),
        "plies": [
            {
                "side": turn.side,
                "text": notation.text(turn.steps) if turn.verdict == LEGAL else "",
                "code": "" if turn.verdict == LEGAL else turn.verdict,
                "dice": list(turn.dice),
                "remarks": [],
                **board(turn.end),
            }
            for turn in _turns(told)
        ],
    }


def board(position: Position) -> dict[str, Any]:
    """``points``: White's and Black's checkers on the points 1..24; ``off``: those borne off."""
    points = [[position.white[n], position.black[n]] for n in range(POINTS)]
    return {"points": points, "off": {side: position.off(side) for side in SIDES}}


def _turns(told: tuple[Event, ...]) -> list[Turn]:
    return [e for e in told if isinstance(e, Turn) and e.resolved != "corrected"]
